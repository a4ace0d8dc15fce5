//! How the tables of `attacks` are made, at compile time.

use crate::types::{Bb, Color};

/// A set of squares for every square.
pub type Squares = [Bb; 64];

pub const KING_STEPS: [(i8, i8); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
pub const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
pub const STRAIGHT: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
pub const SLANTED: [(i8, i8); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];

pub const BISHOP: Squares = rays(&SLANTED);
pub const ROOK: Squares = rays(&STRAIGHT);

pub const fn step(square: i8, (right, up): (i8, i8)) -> Option<i8> {
    let file = (square & 7) + right;
    let rank = (square >> 3) + up;
    if file < 0 || file > 7 || rank < 0 || rank > 7 {
        None
    } else {
        Some(rank * 8 + file)
    }
}

pub const fn leaps(steps: &[(i8, i8)]) -> Squares {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut number = 0;
        while number < steps.len() {
            if let Some(target) = step(square, steps[number]) {
                table[square as usize] |= 1 << target;
            }
            number += 1;
        }
        square += 1;
    }
    table
}

/// All squares from `square` to the edge of the board.
pub const fn ray(square: i8, direction: (i8, i8)) -> Bb {
    let mut squares = 0;
    let mut at = square;
    while let Some(next) = step(at, direction) {
        squares |= 1 << next;
        at = next;
    }
    squares
}

pub const fn rays(directions: &[(i8, i8)]) -> Squares {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut number = 0;
        while number < directions.len() {
            table[square as usize] |= ray(square, directions[number]);
            number += 1;
        }
        square += 1;
    }
    table
}

pub const fn relations(beyond: bool) -> [Squares; 64] {
    let mut table = [[0; 64]; 64];
    let mut origin = 0;
    while origin < 64 {
        let mut number = 0;
        while number < 8 {
            let mut rest = ray(origin, KING_STEPS[number]);
            let mut passed = 0;
            let mut at = origin;
            while let Some(next) = step(at, KING_STEPS[number]) {
                rest &= !(1 << next);
                table[origin as usize][next as usize] = if beyond { rest } else { passed };
                passed |= 1 << next;
                at = next;
            }
            number += 1;
        }
        origin += 1;
    }
    table
}

pub const fn sources(color: Color) -> [Squares; 6] {
    let mut queen = [0; 64];
    let mut square = 0;
    while square < 64 {
        queen[square] = BISHOP[square] | ROOK[square];
        square += 1;
    }
    let pawn = match color {
        Color::White => leaps(&[(1, -1), (-1, -1)]),
        Color::Black => leaps(&[(1, 1), (-1, 1)]),
    };
    [pawn, leaps(&KNIGHT_STEPS), BISHOP, ROOK, queen, leaps(&KING_STEPS)]
}

pub const fn push_sources(color: Color) -> Squares {
    let mut table = [0; 64];
    let mut square: usize = 8;
    while square < 56 {
        let (one, two, home) = match color {
            Color::White => (square + 8, square + 16, 1),
            Color::Black => (square - 8, square.wrapping_sub(16), 6),
        };
        table[one] |= 1 << square;
        if square / 8 == home {
            table[two] |= 1 << square;
        }
        square += 1;
    }
    table
}

pub const fn rank_table() -> [[u8; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut file = 0;
    while file < 8 {
        let mut inner = 0;
        while inner < 64 {
            let occupied = inner << 1;
            let mut attacked = 0;
            let mut right = file + 1;
            while right < 8 {
                attacked |= 1 << right;
                if occupied >> right & 1 != 0 {
                    break;
                }
                right += 1;
            }
            let mut left = file;
            while left > 0 {
                left -= 1;
                attacked |= 1 << left;
                if occupied >> left & 1 != 0 {
                    break;
                }
            }
            table[file][inner] = attacked as u8;
            inner += 1;
        }
        file += 1;
    }
    table
}
