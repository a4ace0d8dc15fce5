//! A position that a comment gives as FEN, and whether it is the one on the board (F230).
//! The counterpart of `chesstools/reference/comment_position.py`.

use crate::board::{code, Board};
use crate::types::{Color, Role};

/// The shortest FEN without counters: eight empty ranks.
const SHORTEST: usize = 21;

/// Whether a comment may hold a position: only such a one is looked at.
#[inline]
pub fn may_hold_position(comment: &[u8]) -> bool {
    comment.len() > SHORTEST && memchr::memchr_iter(b'/', comment).nth(6).is_some()
}

/// A FEN: its text, the codes of the men from a8 to h1, and the side to move.
pub struct Fen<'t> {
    pub text: &'t str,
    men: [u8; 64],
    turn: Color,
}

/// The FEN in the text of a comment; None where there is none that is certain to be one.
pub fn position_in(text: &str) -> Option<Fen<'_>> {
    let whole = text.strip_prefix("FEN:").or_else(|| text.strip_prefix("FEN")).and_then(|rest| rest.strip_prefix(' '));
    let whole = Fen::read(whole.unwrap_or(text)).filter(|(_, behind)| behind.is_empty());
    let (fen, _) = whole.or_else(|| {
        let mut rest = text;
        loop {
            rest = rest.split_once("[%fen ")?.1;
            let found = Fen::read(rest).filter(|(_, behind)| behind.starts_with(']'));
            if found.is_some() {
                return found;
            }
        }
    })?;
    Some(fen)
}

impl Fen<'_> {
    /// Reads a FEN at the beginning of a text; what follows it.
    fn read(text: &str) -> Option<(Fen<'_>, &str)> {
        let (men_text, rest) = text.split_once(' ')?;
        let mut men = [0; 64];
        let mut ranks = men.chunks_exact_mut(8);
        for rank in men_text.split('/') {
            read_rank(rank.as_bytes(), ranks.next()?)?;
        }
        if ranks.next().is_some() {
            return None;
        }
        let (turn, rest) = match rest.as_bytes() {
            [b'w', b' ', ..] => (Color::White, &rest[2..]),
            [b'b', b' ', ..] => (Color::Black, &rest[2..]),
            _ => return None,
        };
        let (rights, rest) = rest.split_once(' ')?;
        let letters = (1..=4).contains(&rights.len())
            && rights.bytes().all(|sign| matches!(sign, b'K' | b'Q' | b'k' | b'q' | b'A'..=b'H' | b'a'..=b'h'));
        if !letters && rights != "-" {
            return None;
        }
        let mut rest = match rest.as_bytes() {
            [b'-', ..] => &rest[1..],
            [b'a'..=b'h', b'3' | b'6', ..] => &rest[2..],
            _ => return None,
        };
        for _ in 0..2 {
            let Some(number) = rest.strip_prefix(' ') else { break };
            let digits = number.bytes().take(4).take_while(u8::is_ascii_digit).count();
            if digits == 0 {
                break;
            }
            rest = &number[digits..];
        }
        Some((Fen { text: &text[..text.len() - rest.len()], men, turn }, rest))
    }

    /// Whether the men stand so and that side is to move. Rights and counters are not compared: many programs write them
    /// loosely.
    pub fn is_on_board(&self, board: &Board) -> bool {
        let stands = |(at, man): (usize, &u8)| board.mailbox[(7 - at / 8) * 8 + at % 8] == *man;
        self.turn == board.turn && self.men.iter().enumerate().all(stands)
    }
}

/// Reads a rank of eight squares.
fn read_rank(text: &[u8], rank: &mut [u8]) -> Option<()> {
    let mut at = 0;
    for sign in text {
        if let b'1'..=b'8' = sign {
            at += usize::from(sign - b'0');
            continue;
        }
        let color = if sign.is_ascii_uppercase() { Color::White } else { Color::Black };
        *rank.get_mut(at)? = code(color, Role::from_letter(sign.to_ascii_uppercase())?);
        at += 1;
    }
    (at == 8).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_position() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (text, found) in [
            (fen.to_owned(), true),
            (format!("FEN: {fen}"), true),
            (format!("FEN {fen}"), true),
            (format!("good [%fen {fen}] move"), true),
            (format!("[%fen x] [%fen {fen}]"), true),
            (fen[..fen.len() - 4].to_owned(), true),
            (fen.replace("/8/", "/44/"), true),
            (format!("see {fen}"), false),
            (format!("{fen} 5"), false),
            (fen.replace("/8/8/", "/8/"), false),
            (fen.replace("/8/8/", "/8/9/"), false),
            (fen.replace("KQkq", "KQkqA"), false),
            (format!("[%fen {fen} ]"), false),
        ] {
            assert_eq!(position_in(&text).is_some(), found, "{text}");
            assert!(!found || position_in(&text).unwrap().is_on_board(&Board::start(false)), "{text}");
        }
    }
}
