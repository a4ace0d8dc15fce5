//! Positions in one way of writing them, and what had to be changed for it. The counterpart of
//! `chesstools/reference/normal_form.py`.

use crate::attacks::{squares_down, BACK_RANK};
use crate::board::Board;
use crate::board_fen::{push_number, square_name};
use crate::epd_counters::Operations;
use crate::fen::read_line;
use crate::text::{trim, words};
use crate::types::{Color, NO_SQUARE};

/// When the en passant square is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnPassant {
    /// Wherever it was given and a pawn can have passed it (PGN standard 16.1.3.4).
    Standard,
    /// Only where a capture on it is legal.
    Legal,
    Never,
}

/// The way of writing.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    pub en_passant: EnPassant,
    /// Castling rights by the files of the rooks (Shredder-FEN), else by K and Q where that is clear (X-FEN).
    pub shredder: bool,
    /// Counters as at the start of a game.
    pub reset_counters: bool,
}

/// What may be changed; one bit each.
pub const CHANGES: [&str; 7] =
    ["spacing", "fields", "placement", "castling-rights", "castling-letters", "en-passant", "counters"];
const SPACING: u8 = 1;
const FIELDS: u8 = 2;
const PLACEMENT: u8 = 4;
const CASTLING_RIGHTS: u8 = 8;
const CASTLING_LETTERS: u8 = 16;
const EN_PASSANT: u8 = 32;
const COUNTERS: u8 = 64;

/// The line in that form and what was changed; None for a position that cannot be read in full, or that cannot be played.
pub fn normalise(text: &str, form: Form, chess960: bool) -> Option<(String, u8)> {
    let (setup, line) = read_line(text, chess960);
    let board = setup.board.filter(|_| setup.is_read)?;
    let written = trim(text);
    let given = trim(&written[..written.len() - line.rest.len()]);
    let operations = Operations::find(given);
    let old: Vec<&str> = words(given.trim_end_matches([';', ' '])).collect();
    let has_counters = line.rest.is_empty() || old.len() > 4;

    let new = Fields::of(&board, form);
    let mut normal = new.0.join(" ");
    if !has_counters {
        normal = new.0[..4].join(" ");
    }
    normal.push_str(line.rest);
    if normal == text {
        return Some((normal, 0));
    }
    let mut changes = 0;
    let differs = |at: usize| old.get(at).is_some_and(|old| *old != new.0[at]);
    let mut note = |bit, is_so: bool| changes |= if is_so { bit } else { 0 };
    note(FIELDS, has_counters && (old.len() < 6 || operations.is_some()));
    note(PLACEMENT, differs(0));
    if differs(2) {
        let dropped = setup.problems.iter().any(|problem| problem.code == "F209" && problem.severity.is_none());
        note(if dropped { CASTLING_RIGHTS } else { CASTLING_LETTERS }, true);
    }
    note(EN_PASSANT, differs(3));
    note(COUNTERS, operations.is_none() && (differs(4) || differs(5)));
    note(SPACING, operations.is_none() && (given != old.join(" ") || text != written));
    Some((normal, changes))
}

/// The six fields.
struct Fields([String; 6]);

impl Fields {
    fn of(board: &Board, form: Form) -> Fields {
        let mut fields: [String; 6] = Default::default();
        board.push_placement(&mut fields[0]);
        fields[1].push(if board.turn == Color::White { 'w' } else { 'b' });
        if form.shredder {
            push_files(board, &mut fields[2]);
        } else {
            board.push_castling(&mut fields[2]);
        }
        push_en_passant(board, form.en_passant, &mut fields[3]);
        let (halfmove, fullmove) = if form.reset_counters { (0, 1) } else { (board.halfmove, board.fullmove.max(1)) };
        push_number(&mut fields[4], halfmove);
        push_number(&mut fields[5], fullmove);
        Fields(fields)
    }
}

/// The castling field of Shredder-FEN.
fn push_files(board: &Board, text: &mut String) {
    for color in [Color::White, Color::Black] {
        for rook in squares_down(board.castling & BACK_RANK[color as usize]) {
            let letter = b'a' + (rook & 7);
            text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter } as char);
        }
    }
    if board.castling == 0 {
        text.push('-');
    }
}

/// What tells a position from others under FIDE 9.2.3: placement, side, castling rights, and the en passant square where a capture
/// there is legal.
pub fn push_sameness(board: &Board, text: &mut String) {
    push_four(board, EnPassant::Legal, text);
}

/// The first four fields, castling rights as in X-FEN.
pub fn push_four(board: &Board, en_passant: EnPassant, text: &mut String) {
    board.push_placement(text);
    text.push_str(if board.turn == Color::White { " w " } else { " b " });
    board.push_castling(text);
    text.push(' ');
    push_en_passant(board, en_passant, text);
}

/// The en passant field.
fn push_en_passant(board: &Board, en_passant: EnPassant, text: &mut String) {
    let square = match en_passant {
        EnPassant::Standard => Some(board.ep).filter(|&square| square != NO_SQUARE),
        EnPassant::Legal => board.legal_ep(),
        EnPassant::Never => None,
    };
    match square {
        Some(square) => text.push_str(&square_name(square)),
        None => text.push('-'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: Form = Form { en_passant: EnPassant::Standard, shredder: false, reset_counters: false };

    fn normal(text: &str, form: Form) -> (String, Vec<&'static str>) {
        let (normal, changes) = normalise(text, form, false).unwrap();
        let names = CHANGES.iter().enumerate().filter(|(at, _)| changes >> at & 1 != 0).map(|(_, &name)| name).collect();
        (normal, names)
    }

    #[test]
    fn changes() {
        let legal = Form { en_passant: EnPassant::Legal, ..FORM };
        let pinned = "k2r4/8/8/3Pp3/8/8/8/3K4 w - e6 0 2";
        assert_eq!(normal(pinned, FORM), (pinned.into(), vec![]));
        assert_eq!(normal(pinned, legal), ("k2r4/8/8/3Pp3/8/8/8/3K4 w - - 0 2".into(), vec!["en-passant"]));
        let all = "r3k2r/8/44/8/8/8/8/R2K3R  w KQkq - 00 3;";
        let changed = vec!["spacing", "placement", "castling-rights", "counters"];
        assert_eq!(normal(all, FORM), ("r3k2r/8/8/8/8/8/8/R2K3R w kq - 0 3".into(), changed));
        assert_eq!(normal("4k3/8/8/8/8/8/8/4K3 b", FORM), ("4k3/8/8/8/8/8/8/4K3 b - - 0 1".into(), vec!["fields"]));
        assert_eq!(
            normal("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm O-O;", Form { shredder: true, ..FORM }),
            ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - bm O-O;".into(), vec!["castling-letters"])
        );
        assert_eq!(
            normal("4k3/8/8/8/8/8/8/4K3 w - - hmvc 3; fmvn 40;", FORM),
            ("4k3/8/8/8/8/8/8/4K3 w - - 3 40".into(), vec!["fields"])
        );
    }

    #[test]
    fn not_understood() {
        for text in ["", "4k3/8/8/8/8/8/8/4K3 w - - x 1", "4k3/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w xyz - 0 1"] {
            assert!(normalise(text, FORM, false).is_none());
        }
    }
}
