//! Where kings go, when they castle and how far they walk: what `chesstools/stats/kings.py` works out with arrays.

use std::cell::Cell;

use super::add;
use super::block::{Block, KING, NONE};
use super::queens::Queens;

/// Counts by square: what is counted, side, square.
pub const SQUARES: usize = 4 * 2 * 64;

const ARRIVALS: usize = 0;
const VISITS: usize = 1;
const ENDS: usize = 2;
const MATED: usize = 3;

/// What each king did: first the white ones of all games, then the black ones.
#[derive(Debug, Default, PartialEq)]
pub struct Kings {
    /// The wing that it castled to.
    pub wings: Vec<u8>,
    /// Number of the move that castled, 0 for none.
    pub castled: Vec<i32>,
    pub moves: Vec<i32>,
    /// Different squares on which it stood.
    pub squares: Vec<u8>,
    /// The farthest rank, 1 at its own edge of the board.
    pub ranks: Vec<u8>,
    /// The same, while the other side had a queen.
    pub ranks_with_queen: Vec<u8>,
}

/// Follow the kings of all games. `homes` are the squares on which the kings stand at the start, `queens` how many there are
/// then: first White's of all games, then Black's. Arrivals, visits, squares at the end and where kings were mated are added to
/// `squares`.
///
/// None where these are not as many as there are games and squares, or a home is none.
pub fn follow(block: &Block, homes: &[u8], queens: &[i64], squares: &[Cell<i64>]) -> Option<Kings> {
    let games = block.size();
    let sizes_fit = homes.len() == 2 * games && queens.len() == 2 * games && squares.len() == SQUARES;
    if !sizes_fit || homes.iter().any(|&home| home >= 64) {
        return None;
    }
    let count = |what: usize, side: usize, square: usize, number| add(squares, (what * 2 + side) * 64 + square, number);
    let mut found = Kings {
        wings: vec![NONE; 2 * games],
        castled: vec![0; 2 * games],
        moves: vec![0; 2 * games],
        squares: vec![0; 2 * games],
        ranks: vec![0; 2 * games],
        ranks_with_queen: vec![0; 2 * games],
    };
    for (place, game) in block.games().enumerate() {
        let own = [place, games + place];
        let mut last = own.map(|own| usize::from(homes[own]));
        let mut visited = last.map(|home| 1u64 << home);
        let (mut risked, mut mates) = (visited, [0; 2]);
        let mut queens = Queens::new(own.map(|own| queens[own]));
        for ply in game.plies() {
            queens.follow(&ply);
            let (side, other) = (ply.side, 1 - ply.side);
            mates[other] += i64::from(ply.mate);
            if ply.role != KING {
                continue;
            }
            let to = ply.target();
            count(ARRIVALS, side, to, 1);
            last[side] = to;
            visited[side] |= 1 << to;
            if !queens.gone[other] {
                risked[side] |= 1 << to;
            }
            found.moves[own[side]] = found.moves[own[side]].saturating_add(1);
            if ply.castling != NONE {
                found.wings[own[side]] = ply.castling;
                found.castled[own[side]] = i32::try_from(ply.number.div_ceil(2)).unwrap_or(i32::MAX);
            }
        }
        for (side, &own) in own.iter().enumerate() {
            for square in 0..64 {
                if visited[side] >> square & 1 != 0 {
                    count(VISITS, side, square, 1);
                }
            }
            count(ENDS, side, last[side], 1);
            count(MATED, side, last[side], mates[side]);
            found.squares[own] = visited[side].count_ones() as u8;
            found.ranks[own] = farthest(visited[side], side);
            found.ranks_with_queen[own] = farthest(risked[side], side);
        }
    }
    Some(found)
}

/// The farthest rank of a set of squares that is not empty, from 1 at the side's own edge of the board.
fn farthest(squares: u64, side: usize) -> u8 {
    let rows = if side == 0 { squares.leading_zeros() } else { squares.trailing_zeros() } / 8;
    8 - rows as u8
}

#[cfg(test)]
mod tests {
    use super::super::block::QUEEN;
    use super::super::samples::{block, quiet};
    use super::*;

    fn followed(block: &Block, queens: &[i64]) -> (Kings, Vec<i64>) {
        let mut squares = vec![0; SQUARES];
        let homes: Vec<_> = [4, 60].iter().flat_map(|&home| vec![home; block.size()]).collect();
        let found = follow(block, &homes, queens, Cell::from_mut(&mut squares[..]).as_slice_of_cells()).unwrap();
        (found, squares)
    }

    #[test]
    fn castling_walks_and_squares() {
        // White castles short on the second move and walks to h2; Black's king goes to e6 and back to e7.
        let rows = [
            quiet(0, 12, 28),
            quiet(KING, 60, 52),
            (4 | 6 << 6, KING, NONE, 0),
            quiet(KING, 52, 44),
            quiet(KING, 6, 15),
            quiet(KING, 44, 52),
        ];
        let (found, squares) = followed(&block(&[&rows]), &[1, 1]);
        assert_eq!((found.wings, found.castled, found.moves), (vec![0, NONE], vec![2, 0], vec![2, 3]));
        assert_eq!((found.squares, found.ranks), (vec![3, 3], vec![2, 3]));
        assert_eq!((squares[6], squares[64 + 52]), (1, 2)); // arrivals
        assert_eq!((squares[128 + 4], squares[192 + 52]), (1, 1)); // visits
        assert_eq!((squares[256 + 15], squares[320 + 52]), (1, 1)); // ends
    }

    #[test]
    fn walks_are_an_adventure_while_the_other_side_has_a_queen() {
        // White's king goes to e2, captures the only queen on e3, and goes on to e4.
        let rows =
            [quiet(KING, 4, 12), quiet(QUEEN, 59, 20), (12 | 20 << 6, KING, QUEEN, NONE), quiet(0, 48, 40), quiet(KING, 20, 28)];
        let (found, _) = followed(&block(&[&rows]), &[1, 1]);
        assert_eq!((found.ranks, found.ranks_with_queen), (vec![4, 1], vec![2, 1]));
        let (found, _) = followed(&block(&[&rows]), &[1, 0]);
        assert_eq!(found.ranks_with_queen, [1, 1]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let (one, squares) = (block(&[&[quiet(0, 12, 28)]]), vec![Cell::new(0); SQUARES]);
        assert!(follow(&one, &[4, 64], &[1, 1], &squares).is_none());
        assert!(follow(&one, &[4], &[1, 1], &squares).is_none());
        assert!(follow(&one, &[4, 60], &[1], &squares).is_none());
        assert!(follow(&one, &[4, 60], &[1, 1], &squares[1..]).is_none());
    }
}
