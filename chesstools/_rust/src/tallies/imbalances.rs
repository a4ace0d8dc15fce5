//! Imbalances of pieces, each once in a game: what `chesstools/stats/imbalances.py` counts with arrays.

use std::collections::hash_map::Entry;
use std::collections::HashMap;

use super::material::State;

/// An imbalance counts when it stood for so many plies.
const STANDS_PLIES: usize = 6;

/// Base of packed surpluses.
const DIGIT: i64 = 64;

/// Games, won, drawn and lost by the side that comes first, games in which that is White, its surplus of pawns.
pub type Counts = [i64; 6];

/// Counts by kind, and the game in which each stood last.
#[derive(Default)]
pub struct Imbalances {
    counts: HashMap<i64, (Counts, usize)>,
}

impl Imbalances {
    /// Count a state of a game with this result.
    pub fn count(&mut self, state: &State, game: usize, result: usize) {
        if state.begins == 0 || state.ends - state.begins < STANDS_PLIES {
            return;
        }
        let pawns = (state.surplus.wrapping_add(DIGIT / 2)).rem_euclid(DIGIT) - DIGIT / 2;
        let digits = state.surplus.wrapping_sub(pawns) / DIGIT;
        if digits == 0 {
            return;
        }
        // The side whose surplus is worth more comes first; of equal ones, that with the greater single piece.
        let sign = state.lead.wrapping_sub(pawns).wrapping_mul(DIGIT.pow(4)).wrapping_add(digits).signum();
        let counts = match self.counts.entry(digits.wrapping_mul(sign)) {
            Entry::Occupied(entry) => {
                let (counts, last) = entry.into_mut();
                if *last == game {
                    return;
                }
                *last = game;
                counts
            }
            Entry::Vacant(entry) => &mut entry.insert((Counts::default(), game)).0,
        };
        counts[0] += 1;
        if result < 3 {
            counts[1 + if sign > 0 { result } else { 2 - result }] += 1;
        }
        counts[4] += i64::from(sign > 0);
        counts[5] += pawns * sign;
    }

    /// What was counted, kind after kind.
    pub fn into_counts(self) -> impl Iterator<Item = (i64, Counts)> {
        self.counts.into_iter().map(|(kind, (counts, _))| (kind, counts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_imbalance_counts_once_in_a_game_for_the_side_that_it_favours() {
        let mut found = Imbalances::default();
        // Black has a rook more and a pawn less; twice in the first game, and White has it in the second.
        let state = |begins, ends, lead, surplus| State { begins, ends, lead, surplus };
        found.count(&state(10, 16, -4, 1 - 64i64.pow(3)), 0, 2);
        found.count(&state(20, 30, -5, -64i64.pow(3)), 0, 2);
        found.count(&state(10, 20, 5, 64i64.pow(3)), 1, 3);
        found.count(&state(10, 15, 9, 64i64.pow(4)), 1, 0); // too short
        found.count(&state(0, 15, 9, 64i64.pow(4)), 1, 0); // from the start
        found.count(&state(10, 20, 2, 2), 1, 0); // pawns only
        let counts: Vec<_> = found.into_counts().collect();
        assert_eq!(counts, [(64i64.pow(2), [2, 1, 0, 0, 1, -1])]);
    }
}
