//! Leads in material after every fifth move: `_add_leads` of `chesstools/stats/material.py`.

use std::cell::Cell;

use super::material::State;
use super::{add, RESULTS};

/// Leads of this many pawns or more are counted together.
const LEADS: i64 = 9;

/// Every so many moves leads are looked at, up to the last of these steps.
const STEP: usize = 5;
const LAST_STEP: usize = 20;

/// A lead counts when it stands for so many plies.
const SETTLED_PLIES: usize = 4;

/// Counts by lead, result and step.
pub const SIZE: usize = (2 * LEADS as usize + 1) * RESULTS * (LAST_STEP + 2);

/// Count a state of a game with this result: at which step it was there, and at which no more.
pub fn count(state: &State, result: usize, begun: &[Cell<i64>], over: &[Cell<i64>]) {
    let first_step = |ply: usize| ply.div_ceil(2 * STEP);
    let (first, after) = (first_step(state.begins), first_step(state.ends));
    if first < after && state.ends - state.begins >= SETTLED_PLIES && first <= LAST_STEP {
        let lead = (state.lead.clamp(-LEADS, LEADS) + LEADS) as usize;
        let row = (lead * RESULTS + result) * (LAST_STEP + 2);
        add(begun, row + first, 1);
        add(over, row + after.min(LAST_STEP + 1), 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_must_stand_for_some_plies_and_after_a_fifth_move() {
        let (begun, over) = (vec![Cell::new(0); SIZE], vec![Cell::new(0); SIZE]);
        for (begins, ends) in [(9, 12), (11, 15), (9, 13), (201, 900), (7, 900)] {
            count(&State { begins, ends, lead: 100, surplus: 0 }, 2, &begun, &over);
        }
        let row = (18 * RESULTS + 2) * (LAST_STEP + 2);
        let at = |array: &[Cell<i64>]| -> Vec<_> {
            (0..SIZE).filter(|&place| array[place].get() > 0).map(|place| (place - row, array[place].get())).collect()
        };
        assert_eq!(at(&begun), [(1, 2)]);
        assert_eq!(at(&over), [(2, 1), (LAST_STEP + 1, 1)]);
    }
}
