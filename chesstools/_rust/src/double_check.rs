//! Whether one move can have given check with two men at once: one of them moved, and opened the line of the other.
//! The counterpart of `chesstools/reference/double_check.py`.

use crate::attacks::{self, between, bit, squares, BACK_RANK, RANK_1};
use crate::board::Board;
use crate::types::{Bb, Color, Role};

/// Whether some move, looked at by itself, can have led to check by these two men. Castling gives no double check.
pub fn explains_double_check(board: &Board, king: u8, checkers: Bb) -> bool {
    let (first, second) = (checkers.trailing_zeros() as u8, 63 - checkers.leading_zeros() as u8);
    let (line_of_first, line_of_second) = (between(king, first), between(king, second));
    moved_away(board, first, line_of_second)
        || moved_away(board, second, line_of_first)
        || by_en_passant(board, king, line_of_first, line_of_second)
}

/// Whether the man on `mover` can have come from a square of `line`, all of which are empty.
fn moved_away(board: &Board, mover: u8, line: Bb) -> bool {
    let side = board.turn.other();
    if board.role_at(mover) == Some(Role::Pawn) {
        return pawn_origins(board, mover) & line != 0;
    }
    let mut origins = board.attacks_from(mover);
    if BACK_RANK[board.turn as usize] & bit(mover) != 0 {
        let behind = step(bit(mover), side, 1);
        let rank = BACK_RANK[board.turn as usize];
        let rank = if side == Color::White { rank >> 8 } else { rank << 8 };
        origins |= behind | attacks::king(behind.trailing_zeros() as u8) & rank;
    }
    origins & line != 0
}

/// The squares `count` ranks behind those of `set`, as `side` moves.
fn step(set: Bb, side: Color, count: u32) -> Bb {
    match side {
        Color::White => set >> (8 * count),
        Color::Black => set << (8 * count),
    }
}

/// Where a pawn can have come from by a step, a double step or a capture; the double step over an empty square.
fn pawn_origins(board: &Board, pawn: u8) -> Bb {
    let side = board.turn.other();
    let (home, fourth) = match side {
        Color::White => (RANK_1 << 8, RANK_1 << 24),
        Color::Black => (RANK_1 << 48, RANK_1 << 32),
    };
    let behind = step(bit(pawn), side, 1);
    let mut origins = attacks::pawn(board.turn, pawn) | behind;
    if bit(pawn) & fourth != 0 && board.occupied() & behind == 0 {
        origins |= step(bit(pawn), side, 2) & home;
    }
    origins
}

/// Whether a capture en passant can have opened these lines: two men left them, and the pawn may give check itself.
fn by_en_passant(board: &Board, king: u8, one: Bb, other: Bb) -> bool {
    let side = board.turn.other();
    let rank = if side == Color::White { RANK_1 << 40 } else { RANK_1 << 16 };
    squares(board.men(side, Role::Pawn) & rank).any(|pawn| {
        let taken = step(bit(pawn), side, 1);
        let home = step(bit(pawn), board.turn, 1);
        if board.occupied() & (taken | home) != 0 {
            return false;
        }
        let gives_check = attacks::pawn(side, pawn) & bit(king) != 0;
        squares(attacks::pawn(board.turn, pawn) & !board.occupied()).any(|origin| {
            let gone = taken | bit(origin);
            u8::from(one & gone != 0) + u8::from(other & gone != 0) + u8::from(gives_check) >= 2
        })
    })
}
