//! How a move is written: in standard, long algebraic or UCI notation, with the letters of any language.

use super::game::Played;
use super::options::{Letters, Notation, Options};
use crate::types::{MoveKind, Role};
use crate::uci::{short_uci, SQUARE_NAMES};

/// Writes moves.
pub struct MoveForm<'o> {
    notation: Notation,
    letters: Option<&'o Letters>,
    text: Vec<u8>,
}

impl<'o> MoveForm<'o> {
    pub fn of(options: &'o Options) -> MoveForm<'o> {
        MoveForm { notation: options.notation, letters: options.letters.as_ref(), text: Vec::new() }
    }

    /// The text of a move, and how many signs it has.
    #[inline]
    pub fn write<'t>(&'t mut self, played: &Played<'t>, chess960: bool) -> (&'t [u8], usize) {
        match (self.notation, self.letters) {
            (Notation::San, None) => (played.san, played.san.len()),
            (Notation::Uci, _) => {
                let text = short_uci(played.mv, chess960);
                self.text.clear();
                self.text.extend_from_slice(&text.bytes()[..text.len()]);
                (&self.text, text.len())
            }
            _ => self.write_lettered(played),
        }
    }

    fn write_lettered(&mut self, played: &Played) -> (&[u8], usize) {
        self.text.clear();
        let san = played.san;
        if played.mv.is_castling() || played.mv.kind == MoveKind::Null {
            self.text.extend_from_slice(san);
            return (&self.text, san.len());
        }
        let mut rest = san;
        if let Some((role, behind)) = san.split_first().and_then(|(first, behind)| Some((Role::from_letter(*first)?, behind))) {
            self.put_role(role);
            rest = behind;
        }
        if self.notation == Notation::Lan {
            self.text.extend_from_slice(SQUARE_NAMES[usize::from(played.mv.from & 63)].as_bytes());
            self.text.push(if san.contains(&b'x') { b'x' } else { b'-' });
            self.text.extend_from_slice(SQUARE_NAMES[usize::from(played.mv.to & 63)].as_bytes());
            let behind = rest.iter().position(|byte| matches!(byte, b'=' | b'+' | b'#')).unwrap_or(rest.len());
            rest = &rest[behind..];
        }
        for &byte in rest {
            match Role::from_letter(byte) {
                Some(role) => self.put_role(role),
                None => self.text.push(byte),
            }
        }
        let signs = self.text.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        (&self.text, signs)
    }

    fn put_role(&mut self, role: Role) {
        match self.letters {
            Some(letters) => self.text.extend_from_slice(letters.of(role).as_bytes()),
            None => self.text.push(role.letter()),
        }
    }
}
