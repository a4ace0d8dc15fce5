//! What tallies of `chesstools/stats` count ply by ply, game by game here: they say what is counted, and this counts the same.
//!
//! Counts are added to arrays of theirs, which are slices of cells here: whoever lends them may look on.

pub mod activity;
pub mod block;
pub mod imbalances;
pub mod kings;
pub mod leads;
pub mod material;
pub mod queens;
pub mod survival;
pub mod words;

use std::cell::Cell;

/// How many results are told apart: won by White, drawn, won by Black, not known.
pub const RESULTS: usize = 4;

/// Adds a number at a place, which lies inside.
fn add(counts: &[Cell<i64>], place: usize, number: i64) {
    let count = &counts[place];
    count.set(count.get().wrapping_add(number));
}

#[cfg(test)]
mod samples {
    use super::block::{Block, Columns, NONE};

    /// A quiet move of a role; further fields are set by who needs them.
    pub fn quiet(role: u8, from: u16, to: u16) -> (u16, u8, u8, u8) {
        (from | to << 6, role, NONE, NONE)
    }

    /// Games of one block, all begun by White: rows are a move, its role, what it captures, the wing it castles to.
    pub fn block(games: &[&[(u16, u8, u8, u8)]]) -> Block {
        let rows = games.concat();
        let columns = Columns {
            moves: rows.iter().map(|row| row.0).collect(),
            roles: rows.iter().map(|row| row.1).collect(),
            captured: rows.iter().map(|row| row.2).collect(),
            castling: rows.iter().map(|row| row.3).collect(),
            checks: vec![0; rows.len()],
            mates: vec![0; rows.len()],
            en_passant: vec![0; rows.len()],
        };
        let lengths: Vec<_> = games.iter().map(|game| game.len() as i64).collect();
        Block::new(columns, &lengths, &vec![0; games.len()]).unwrap()
    }
}
