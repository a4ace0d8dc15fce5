//! What becomes of each man in games from the usual array: what `chesstools/stats/survival.py` counts with arrays.

use std::cell::Cell;

use super::block::{Block, NONE};
use super::{add, RESULTS};
use crate::men::Board;

/// Moves are told apart up to this number, which holds all later ones.
const LAST_MOVE: usize = 300;
const MOVES: usize = LAST_MOVE + 1;

/// The men, and nobody.
const MEN: usize = 33;

/// Arrays to count in.
pub struct Counts<'a> {
    /// Games by result and last move.
    pub ended: &'a [Cell<i64>],
    /// By man, result, and the move on which it was taken.
    pub lost: &'a [Cell<i64>],
    /// By man, and the last move of a game in which it was taken.
    pub left: &'a [Cell<i64>],
    /// By the man that takes, and the one that is taken.
    pub takes: &'a [Cell<i64>],
    /// By man.
    pub moves: &'a [Cell<i64>],
    pub promotions: &'a [Cell<i64>],
}

impl Counts<'_> {
    fn sizes_fit(&self) -> bool {
        let arrays = [self.ended, self.lost, self.left, self.takes, self.moves, self.promotions];
        arrays.map(<[_]>::len) == [RESULTS * MOVES, MEN * RESULTS * MOVES, MEN * MOVES, MEN * MEN, MEN, MEN]
    }
}

/// Follow the men of those games of a block that begin with the usual array: not 0 in `from_array`.
///
/// None where results and truth values are not as many as the games, a result is none, or an array has another size.
pub fn count(block: &Block, results: &[u8], from_array: &[u8], counts: &Counts) -> Option<()> {
    let by_game = [results.len(), from_array.len()];
    if by_game != [block.size(); 2] || !counts.sizes_fit() || results.iter().any(|&result| usize::from(result) >= RESULTS) {
        return None;
    }
    for (place, game) in block.games().enumerate().filter(|(place, _)| from_array[*place] != 0) {
        let result = usize::from(results[place]);
        let last = move_of(game.length());
        add(counts.ended, result * MOVES + last, 1);
        let mut board = Board::array();
        for ply in game.plies() {
            let (mover, taken) = board.play(ply.code, ply.castling, ply.en_passant);
            let (mover, taken) = (usize::from(mover), usize::from(taken));
            add(counts.moves, mover, 1);
            if ply.captured != NONE {
                add(counts.lost, (taken * RESULTS + result) * MOVES + move_of(ply.number), 1);
                add(counts.left, taken * MOVES + last, 1);
                add(counts.takes, mover * MEN + taken, 1);
            }
            if ply.promoted() != 0 {
                add(counts.promotions, mover, 1);
            }
        }
    }
    Some(())
}

fn move_of(ply: usize) -> usize {
    ply.div_ceil(2).min(LAST_MOVE)
}

#[cfg(test)]
mod tests {
    use super::super::samples::{block, quiet};
    use super::*;

    #[test]
    fn men_that_are_taken_are_lost_when_they_are() {
        // 1. e4 d5 2. exd5, from the array and from elsewhere.
        let rows = [quiet(0, 12, 28), quiet(0, 51, 35), (28 | 35 << 6, 0, 0, NONE)];
        let games = block(&[&rows, &rows]);
        let sizes = [RESULTS * MOVES, MEN * RESULTS * MOVES, MEN * MOVES, MEN * MEN, MEN, MEN];
        let arrays = sizes.map(|size| vec![Cell::new(0); size]);
        let [ended, lost, left, takes, moves, promotions] = &arrays;
        let counts = Counts { ended, lost, left, takes, moves, promotions };
        count(&games, &[2, 0], &[1, 0], &counts).unwrap();
        let at = |array: &[Cell<i64>]| -> Vec<_> { (0..array.len()).filter(|&place| array[place].get() > 0).collect() };
        assert_eq!(at(ended), [2 * MOVES + 2]);
        assert_eq!(at(lost), [(19 * RESULTS + 2) * MOVES + 2]);
        assert_eq!(at(left), [19 * MOVES + 2]);
        assert_eq!(at(takes), [12 * MEN + 19]);
        assert_eq!((moves[12].get(), moves[19].get()), (2, 1));
        assert!(at(promotions).is_empty());
        assert!(count(&games, &[2], &[1, 0], &counts).is_none());
        assert!(count(&games, &[2, 4], &[1, 0], &counts).is_none());
        assert!(count(&games, &[2, 0], &[1, 0], &Counts { left: lost, ..counts }).is_none());
    }
}
