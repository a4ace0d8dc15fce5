//! Sets of squares and their neighbours, many squares at a time.

use crate::attacks::{FILE_A, FILE_H};
use crate::types::{Bb, Color};

/// One step right, up, left, down and between, in this order; a step off the board leads nowhere.
pub const DIRECTIONS: usize = 8;

/// The directions that the index of `step` stands for: even ones are straight, odd ones slanted.
#[inline(always)]
pub fn step(squares: Bb, direction: usize) -> Bb {
    let (right, left) = (squares & !FILE_H, squares & !FILE_A);
    match direction {
        0 => right << 1,
        1 => right << 9,
        2 => squares << 8,
        3 => left << 7,
        4 => left >> 1,
        5 => left >> 9,
        6 => squares >> 8,
        _ => right >> 7,
    }
}

#[inline(always)]
pub fn straight(squares: Bb) -> Bb {
    squares << 8 | squares >> 8 | (squares & !FILE_H) << 1 | (squares & !FILE_A) >> 1
}

#[inline(always)]
pub fn slanted(squares: Bb) -> Bb {
    let (right, left) = (squares & !FILE_H, squares & !FILE_A);
    right << 9 | right >> 7 | left << 7 | left >> 9
}

#[inline(always)]
pub fn around(squares: Bb) -> Bb {
    straight(squares) | slanted(squares)
}

#[inline(always)]
pub fn knight(squares: Bb) -> Bb {
    let (right, left) = ((squares & !FILE_H) << 1, (squares & !FILE_A) >> 1);
    let (right_2, left_2) = ((right & !FILE_H) << 1, (left & !FILE_A) >> 1);
    let (near, far) = (right | left, right_2 | left_2);
    near << 16 | near >> 16 | far << 8 | far >> 8
}

/// Where pawns capture.
#[inline(always)]
pub fn pawn_captures(squares: Bb, color: Color) -> Bb {
    let (right, left) = (squares & !FILE_H, squares & !FILE_A);
    match color {
        Color::White => right << 9 | left << 7,
        Color::Black => right >> 7 | left >> 9,
    }
}

/// The squares before pawns.
#[inline(always)]
pub fn pawn_push(squares: Bb, color: Color) -> Bb {
    match color {
        Color::White => squares << 8,
        Color::Black => squares >> 8,
    }
}
