//! Moves that may have been meant in place of a written one: another man of the same kind, or one slip of the pen.
//! The counterpart of `chesstools/reference/diagnosis_slips.py`.

use crate::board::Board;
use crate::san::{king_target, uci_target, Castling, Promotion, Written};
use crate::types::{Move, MoveKind, MoveList, Role};

const B_FILE: u8 = 1;

/// How a move that was meant differs from the written one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slip {
    /// Another man of the same kind goes to the same square.
    OtherMan,
    /// One sign is another one (kind of man, file or rank, promotion, the other castling), or the square is one step away.
    Mistyped,
}

impl Slip {
    pub const fn name(self) -> &'static str {
        match self {
            Slip::OtherMan => "other-man",
            Slip::Mistyped => "mistyped",
        }
    }
}

/// All legal moves: by the square they come from, then by target (of castling as UCI writes it), queens first.
pub fn in_order(board: &Board) -> MoveList {
    let mut moves = MoveList::new();
    board.legal_moves(!0, !0, &mut moves);
    let promotion = |mv: &Move| mv.promotion.map_or(0, |role| Role::Queen as u8 - role as u8);
    moves.sort_by_key(|mv| (mv.from, uci_target(board, *mv), promotion(mv)));
    moves
}

/// A key by which moves are sorted that may have been meant: those first whose marks are right, then by their nearness.
pub fn likelihood(board: &Board, written: &Written, mv: Move) -> (u8, bool, u8) {
    let marks = written.is_capture() != board.is_capture(mv);
    let mut after = board.clone();
    after.play(mv);
    let checks = (written.check != 0) != after.is_check();
    let other_role = written.role.is_some_and(|role| Some(role) != board.role_at(mv.from));
    let target = uci_target(board, mv);
    let distance = (target & 7).abs_diff(written.to & 7).max((target >> 3).abs_diff(written.to >> 3));
    (u8::from(marks) + u8::from(checks), other_role, distance)
}

/// How the legal move `mv` differs from the written one; None where that is more than a slip.
pub fn slip(board: &Board, written: &Written, mv: Move) -> Option<Slip> {
    if written.drop {
        return None;
    }
    if mv.is_castling() {
        return is_castling_slip(written, mv).then_some(Slip::Mistyped);
    }
    if written.castling.is_some() {
        return None;
    }
    let role = board.role_at(mv.from)?;
    let (files, ranks) = ((mv.to & 7).abs_diff(written.to & 7), (mv.to >> 3).abs_diff(written.to >> 3));
    let letter = match written.promotion {
        Promotion::Letter(letter) => Role::from_letter(letter),
        _ => None,
    };
    let promotion = letter != mv.promotion;
    let other_file = written.file.is_some_and(|file| file != mv.from & 7);
    let other_rank = written.rank.is_some_and(|rank| rank != mv.from >> 3);
    let other_role = written.role.is_some_and(|meant| meant != role);
    if written.role.is_some() && files == 0 && ranks == 0 && !promotion {
        if !other_role {
            return Some(Slip::OtherMan);
        }
        let small_b = written.role == Some(Role::Pawn) && written.file == Some(B_FILE) && written.rank.is_none();
        if small_b && role == Role::Bishop {
            return Some(Slip::Mistyped); // a capture with a small b
        }
    }
    let signs = [other_role, promotion, other_file, other_rank, files != 0, ranks != 0];
    if signs.into_iter().filter(|sign| *sign).count() == 1 {
        return Some(Slip::Mistyped);
    }
    let one_step = files == 1 && ranks == 1;
    (one_step && !(other_role || promotion || other_file || other_rank)).then_some(Slip::Mistyped)
}

/// Castling on the other side was meant, or the move of the king is written alone.
fn is_castling_slip(written: &Written, mv: Move) -> bool {
    match written.castling {
        Some(castling) => (castling == Castling::Kingside) != (mv.kind == MoveKind::CastleKingside),
        None => written.role == Some(Role::King) && written.to == king_target(mv),
    }
}
