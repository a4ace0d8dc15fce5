//! Which squares a man attacks, and how squares lie to each other: tables made at compile time, about 85 KB in all.
//!
//! Sliders need neither magic numbers nor PEXT: on files and diagonals the carry of a subtraction runs to the next man
//! (once on the board, once on the board turned upside down), on ranks a small table holds the answer.

use crate::attack_tables::{
    leaps, push_sources, rank_table, rays, relations, sources, Squares, BISHOP, KING_STEPS, KNIGHT_STEPS, ROOK,
};
use crate::types::{Bb, Color};

pub const RANK_1: Bb = 0xff;
pub const RANK_8: Bb = 0xff << 56;
pub const FILE_A: Bb = 0x0101_0101_0101_0101;
pub const FILE_H: Bb = FILE_A << 7;
pub const DARK_SQUARES: Bb = 0xaa55_aa55_aa55_aa55;
pub const LIGHT_SQUARES: Bb = !DARK_SQUARES;

/// The rank on which a side starts.
pub const BACK_RANK: [Bb; 2] = [RANK_1, RANK_8];

pub static KING: Squares = leaps(&KING_STEPS);
pub static KNIGHT: Squares = leaps(&KNIGHT_STEPS);
/// By colour and square: what a pawn there attacks.
pub static PAWN: [Squares; 2] = [leaps(&[(1, 1), (-1, 1)]), leaps(&[(1, -1), (-1, -1)])];
/// What a bishop attacks on an empty board.
pub static BISHOP_LINES: Squares = BISHOP;
/// What a rook attacks on an empty board.
pub static ROOK_LINES: Squares = ROOK;

/// The squares strictly between two squares on one line; empty for others.
pub static BETWEEN: [Squares; 64] = relations(false);
/// `RAY_BEHIND[king][square]`: the squares beyond `square` as seen from `king`; empty when they are not on one line.
pub static RAY_BEHIND: [Squares; 64] = relations(true);

/// By colour, role and target: where a man of that kind could come from on an empty board. Pawns: captures only.
pub static PSEUDO_SOURCES: [[Squares; 6]; 2] = [sources(Color::White), sources(Color::Black)];
/// By colour and target: where a pawn could come from by a push, single or double.
pub static PUSH_SOURCES: [Squares; 2] = [push_sources(Color::White), push_sources(Color::Black)];

static FILES: Squares = rays(&[(0, 1), (0, -1)]);
static DIAGONALS: Squares = rays(&[(1, 1), (-1, -1)]);
static ANTIDIAGONALS: Squares = rays(&[(1, -1), (-1, 1)]);
/// By file and the occupancy of files b to g: what a rook attacks on its rank.
static RANK: [[u8; 64]; 8] = rank_table();

#[inline(always)]
pub fn bit(square: u8) -> Bb {
    1 << (square & 63)
}

#[inline(always)]
pub fn between(a: u8, b: u8) -> Bb {
    BETWEEN[(a & 63) as usize][(b & 63) as usize]
}

/// The squares of a set, a1 first.
#[inline(always)]
pub fn squares(mut set: Bb) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let square = set.trailing_zeros() as u8;
        set &= set - 1;
        Some(square)
    })
}

/// The squares of a set, h8 first.
#[inline(always)]
pub fn squares_down(mut set: Bb) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let square = 63 - set.leading_zeros() as u8;
        set ^= bit(square);
        Some(square)
    })
}

/// The squares beyond `square` as seen from `king`.
#[inline(always)]
pub fn behind(king: u8, square: u8) -> Bb {
    RAY_BEHIND[(king & 63) as usize][(square & 63) as usize]
}

/// Whether three different squares stand on one line.
#[inline(always)]
pub fn aligned(a: u8, b: u8, c: u8) -> bool {
    (between(a, b) | behind(a, b) | behind(b, a)) & bit(c) != 0
}

#[inline(always)]
pub fn king(square: u8) -> Bb {
    KING[(square & 63) as usize]
}

#[inline(always)]
pub fn knight(square: u8) -> Bb {
    KNIGHT[(square & 63) as usize]
}

#[inline(always)]
pub fn pawn(color: Color, square: u8) -> Bb {
    PAWN[color as usize][(square & 63) as usize]
}

#[inline(always)]
pub fn bishop(square: u8, occupied: Bb) -> Bb {
    let at = (square & 63) as usize;
    on_line(square, DIAGONALS[at], occupied) | on_line(square, ANTIDIAGONALS[at], occupied)
}

#[inline(always)]
pub fn rook(square: u8, occupied: Bb) -> Bb {
    let at = (square & 63) as usize;
    on_line(square, FILES[at], occupied) | on_rank(square, occupied)
}

/// Both ways along a line that no rank is part of.
#[inline(always)]
fn on_line(square: u8, line: Bb, occupied: Bb) -> Bb {
    let man = bit(square);
    let up = (occupied & line).wrapping_sub(man);
    let down = (occupied & line).swap_bytes().wrapping_sub(man.swap_bytes());
    (up ^ down.swap_bytes()) & line
}

#[inline(always)]
fn on_rank(square: u8, occupied: Bb) -> Bb {
    let shift = square & 56;
    let inner = (occupied >> (shift + 1)) & 63;
    Bb::from(RANK[(square & 7) as usize][inner as usize]) << shift
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attack_tables::{step, SLANTED, STRAIGHT};

    /// The squares seen from `square`, walked one by one.
    fn walk(square: u8, directions: &[(i8, i8)], occupied: Bb) -> Bb {
        let mut seen = 0;
        for &direction in directions {
            let mut at = square as i8;
            while let Some(next) = step(at, direction) {
                seen |= bit(next as u8);
                if occupied & bit(next as u8) != 0 {
                    break;
                }
                at = next;
            }
        }
        seen
    }

    #[test]
    fn sliders_stop_at_the_first_man() {
        let mut dice: u64 = 1;
        for round in 0..20_000u32 {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let occupied = dice & dice.rotate_left(13 + round % 3 * 17);
            let square = (round % 64) as u8;
            assert_eq!(rook(square, occupied), walk(square, &STRAIGHT, occupied));
            assert_eq!(bishop(square, occupied), walk(square, &SLANTED, occupied));
        }
    }

    #[test]
    fn lines_are_whole() {
        let set = |squares: &[u8]| squares.iter().fold(0, |set, &square| set | bit(square));
        for origin in 0..64 {
            let mut others = !bit(origin);
            for direction in KING_STEPS {
                let mut line = Vec::new();
                let mut at = origin as i8;
                while let Some(next) = step(at, direction) {
                    line.push(next as u8);
                    at = next;
                }
                for (index, &square) in line.iter().enumerate() {
                    assert_eq!(between(origin, square), set(&line[..index]));
                    assert_eq!(behind(origin, square), set(&line[index + 1..]));
                    for &third in &line[index + 1..] {
                        assert!(
                            aligned(origin, square, third) && aligned(square, third, origin) && aligned(third, origin, square)
                        );
                    }
                }
                others &= !set(&line);
            }
            assert!(squares(others).all(|square| between(origin, square) | behind(origin, square) == 0));
        }
    }

    #[test]
    fn sources_are_attacks_turned_round() {
        for color in [Color::White, Color::Black] {
            let [pawn_from, knight_from, bishop_from, rook_from, queen_from, king_from] = &PSEUDO_SOURCES[color as usize];
            for (from, to) in (0..64).flat_map(|a| (0..64).map(move |b| (a, b))) {
                let came_from = |table: &Squares| table[to as usize] & bit(from) != 0;
                let goes = |targets: Bb| targets & bit(to) != 0;
                assert_eq!(came_from(pawn_from), goes(pawn(color, from)));
                assert_eq!(came_from(knight_from), goes(knight(from)));
                assert_eq!(came_from(bishop_from), goes(bishop(from, 0)));
                assert_eq!(came_from(rook_from), goes(rook(from, 0)));
                assert_eq!(came_from(queen_from), goes(bishop(from, 0) | rook(from, 0)));
                assert_eq!(came_from(king_from), goes(king(from)));
            }
        }
        assert_eq!(PUSH_SOURCES[0][28], bit(20) | bit(12));
        assert_eq!(PUSH_SOURCES[0][20], bit(12));
        assert_eq!(PUSH_SOURCES[1][28], bit(36));
        assert_eq!(PUSH_SOURCES[1][36], bit(44) | bit(52));
    }
}
