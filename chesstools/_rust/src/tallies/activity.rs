//! What each piece does where: what `chesstools/stats/activity.py` counts with arrays.

use std::cell::Cell;

use super::add;
use super::block::{Block, NONE};

/// Arrays, each by side first.
pub struct Counts<'a> {
    /// Role, target and square of departure.
    pub moves: &'a [Cell<i64>],
    /// Role, captured role, target.
    pub captures: &'a [Cell<i64>],
    /// Target.
    pub en_passant: &'a [Cell<i64>],
    /// Role, target.
    pub checks: &'a [Cell<i64>],
    pub mates: &'a [Cell<i64>],
    /// Role that is made, whether it captures, gives check, gives mate.
    pub promotions: &'a [Cell<i64>],
}

impl Counts<'_> {
    fn sizes_fit(&self) -> bool {
        let arrays = [self.moves, self.captures, self.en_passant, self.checks, self.mates, self.promotions];
        arrays.map(<[_]>::len) == [2 * 6 * 64 * 64, 2 * 6 * 6 * 64, 2 * 64, 2 * 6 * 64, 2 * 6 * 64, 2 * 6 * 8]
    }
}

/// Count the moves of a block. None where an array has another size.
pub fn count(block: &Block, counts: &Counts) -> Option<()> {
    if !counts.sizes_fit() {
        return None;
    }
    for ply in block.games().flat_map(|game| game.plies()) {
        let to = ply.target();
        if ply.role != NONE {
            let man = ply.side * 6 + usize::from(ply.role);
            add(counts.moves, man << 12 | usize::from(ply.code & 0xFFF), 1);
            if ply.captured != NONE {
                add(counts.captures, (man * 6 + usize::from(ply.captured)) << 6 | to, 1);
            }
            if ply.check {
                add(counts.checks, man << 6 | to, 1);
            }
            if ply.mate {
                add(counts.mates, man << 6 | to, 1);
            }
        }
        if ply.en_passant {
            add(counts.en_passant, ply.side << 6 | to, 1);
        }
        if ply.promoted() != 0 {
            let made = ply.side * 6 + usize::from(ply.promoted());
            let facts = usize::from(ply.captured != NONE) << 2 | usize::from(ply.check) << 1 | usize::from(ply.mate);
            add(counts.promotions, made << 3 | facts, 1);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::samples::{block, quiet};
    use super::*;

    #[test]
    fn moves_captures_and_promotions_are_counted_and_null_moves_are_not() {
        let sizes = [2 * 6 * 64 * 64, 2 * 6 * 6 * 64, 2 * 64, 2 * 6 * 64, 2 * 6 * 64, 2 * 6 * 8];
        let arrays = sizes.map(|size| vec![Cell::new(0); size]);
        let [moves, captures, en_passant, checks, mates, promotions] = &arrays;
        let counts = Counts { moves, captures, en_passant, checks, mates, promotions };
        // Nf3, a null move, and a pawn that takes a rook on a8 and becomes a queen.
        let rows = [quiet(1, 6, 21), (0, NONE, NONE, NONE), (4 << 12 | 56 << 6 | 49, 0, 3, NONE)];
        count(&block(&[&rows]), &counts).unwrap();
        let at = |array: &[Cell<i64>]| -> Vec<_> { (0..array.len()).filter(|&place| array[place].get() > 0).collect() };
        assert_eq!(at(moves), [56 << 6 | 49, 1 << 12 | 21 << 6 | 6]);
        assert_eq!(at(captures), [3 << 6 | 56]);
        assert_eq!(at(promotions), [4 << 3 | 4]);
        assert!(at(en_passant).is_empty() && at(checks).is_empty() && at(mates).is_empty());
        assert!(count(&block(&[]), &Counts { moves: captures, ..counts }).is_none());
    }
}
