//! Material through the game, between captures and promotions: what `chesstools/stats/material.py` counts with arrays.

use std::cell::Cell;

use super::block::{Block, Ply};
use super::imbalances::Imbalances;
use super::queens::Queens;
use super::{add, leads, RESULTS};

/// Moves are told apart up to this number; the next holds all later ones.
const LAST_MOVE: usize = 300;
const MOVES: usize = LAST_MOVE + 2;

/// How many kinds of changes there are: side, what is taken, what is made of a pawn, each of five roles or nothing.
pub const KINDS: usize = 2 * 6 * 6;

/// What stood on the board from one change to the next.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// The ply after which it stood, 0 for the start.
    pub begins: usize,
    /// The ply after which it did not any more.
    pub ends: usize,
    /// White's material less Black's, in pawns.
    pub lead: i64,
    /// White's men less Black's by role, packed.
    pub surplus: i64,
}

/// By game, one array after the other: lead and surplus at the start, queens of White and of Black.
pub struct Starts<'a> {
    pub results: &'a [u8],
    pub leads: &'a [i64],
    pub surpluses: &'a [i64],
    pub queens: [&'a [i64]; 2],
}

/// By kind of change, what it adds to lead and surplus.
pub struct Changes<'a> {
    pub leads: &'a [i64],
    pub surpluses: &'a [i64],
}

/// Arrays to count in.
pub struct Counts<'a> {
    /// By result, move and kind: the changes, and those of games that are over.
    pub kinds: &'a [Cell<i64>],
    pub ended: &'a [Cell<i64>],
    /// See `leads`.
    pub begun: &'a [Cell<i64>],
    pub over: &'a [Cell<i64>],
    /// By result and move: by how many the games with queens on both sides become more. Whole numbers.
    pub with_queens: &'a [Cell<f64>],
}

/// Count the material of a block.
///
/// None where what is given by game, by kind or to count in does not have as many places as that, or a result is none.
pub fn count(block: &Block, starts: &Starts, changes: &Changes, counts: &Counts) -> Option<Imbalances> {
    let [white, black] = starts.queens;
    let by_game = [starts.results.len(), starts.leads.len(), starts.surpluses.len(), white.len(), black.len()];
    let arrays = [counts.kinds.len(), counts.ended.len(), counts.begun.len(), counts.over.len(), counts.with_queens.len()];
    let sizes = [RESULTS * MOVES * KINDS, RESULTS * MOVES * KINDS, leads::SIZE, leads::SIZE, RESULTS * MOVES];
    let by_kind = [changes.leads.len(), changes.surpluses.len()];
    let sizes_fit = by_game == [block.size(); 5] && by_kind == [KINDS; 2] && arrays == sizes;
    if !sizes_fit || starts.results.iter().any(|&result| usize::from(result) >= RESULTS) {
        return None;
    }
    let mut imbalances = Imbalances::default();
    for (place, game) in block.games().enumerate() {
        let result = usize::from(starts.results[place]);
        let row = result * MOVES;
        let over = row + first_move(game.length() + 1);
        let mut queens = Queens::new([white[place], black[place]]);
        let mut both = queens.both();
        add_whole(counts.with_queens, row, both);
        let mut state = State { begins: 0, ends: 0, lead: starts.leads[place], surplus: starts.surpluses[place] };
        let mut end = |state: &State| {
            leads::count(state, result, counts.begun, counts.over);
            imbalances.count(state, place, result);
        };
        for ply in game.plies().filter(Ply::changes_men) {
            let (now, kind) = (row + first_move(ply.number), kind(&ply));
            add(counts.kinds, now * KINDS + kind, 1);
            add(counts.ended, over * KINDS + kind, 1);
            state.ends = ply.number;
            end(&state);
            state.begins = ply.number;
            state.lead = state.lead.wrapping_add(changes.leads[kind]);
            state.surplus = state.surplus.wrapping_add(changes.surpluses[kind]);
            queens.follow(&ply);
            add_whole(counts.with_queens, now, queens.both() - both);
            both = queens.both();
        }
        state.ends = game.length() + 1;
        end(&state);
        add_whole(counts.with_queens, over, -both);
    }
    Some(imbalances)
}

/// The first move after which so many plies have been played.
fn first_move(plies: usize) -> usize {
    plies.div_ceil(2).min(LAST_MOVE + 1)
}

/// What a change takes and makes, by which side.
fn kind(ply: &Ply) -> usize {
    let made = if ply.promoted() == 0 { 5 } else { usize::from(ply.promoted()) };
    (ply.side * 6 + usize::from(ply.captured.min(5))) * 6 + made
}

fn add_whole(counts: &[Cell<f64>], place: usize, number: i64) {
    if number != 0 {
        counts[place].set(counts[place].get() + number as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::super::block::{NONE, QUEEN};
    use super::super::samples::{block, quiet};
    use super::*;

    fn cells<T: Clone + Default>(size: usize) -> Vec<Cell<T>> {
        (0..size).map(|_| Cell::default()).collect()
    }

    #[test]
    fn what_changes_is_counted_where_it_does() {
        // Queens are exchanged on the second and third ply; the game ends with the fourth.
        let rows = [quiet(0, 12, 28), (1, QUEEN, QUEEN, NONE), (1, 1, QUEEN, NONE), quiet(0, 48, 40)];
        let one = block(&[&rows]);
        let (leads, surpluses) = (vec![-9; KINDS], vec![0; KINDS]);
        let starts = Starts { results: &[1], leads: &[0], surpluses: &[0], queens: [&[1], &[1]] };
        let changes = Changes { leads: &leads, surpluses: &surpluses };
        let (kinds, ended) = (cells(RESULTS * MOVES * KINDS), cells(RESULTS * MOVES * KINDS));
        let (begun, over, with_queens) = (cells(leads::SIZE), cells(leads::SIZE), cells(RESULTS * MOVES));
        let counts = Counts { kinds: &kinds, ended: &ended, begun: &begun, over: &over, with_queens: &with_queens };
        assert!(count(&one, &starts, &changes, &counts).unwrap().into_counts().next().is_none());
        let taken = |side: usize| side * 36 + 4 * 6 + 5;
        assert_eq!(kinds[(MOVES + 1) * KINDS + taken(1)].get(), 1);
        assert_eq!(kinds[(MOVES + 2) * KINDS + taken(0)].get(), 1);
        assert_eq!(ended[(MOVES + 3) * KINDS + taken(1)].get(), 1);
        let stood: Vec<_> = with_queens[MOVES..MOVES + 4].iter().map(Cell::get).collect();
        assert_eq!(stood, [1.0, -1.0, 0.0, 0.0]);
        for results in [&[4][..], &[], &[1, 1]] {
            assert!(count(&one, &Starts { results, ..starts }, &changes, &counts).is_none());
        }
        assert!(count(&one, &starts, &Changes { leads: &leads[1..], ..changes }, &counts).is_none());
        assert!(count(&one, &starts, &changes, &Counts { over: &over[1..], ..counts }).is_none());
    }
}
