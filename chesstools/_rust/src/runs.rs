//! What the watch over draws tells of: runs of indices at which a side could claim, and where positions stood.

use crate::board::Board;
use crate::san::push_body;
use crate::stood::Stood;
use crate::types::{Color, Move};

/// At most so many indices at which a position stood, and so many moves to claim it with, are evidence of one finding.
pub const MAX_OCCURRENCES: usize = 100;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Repetition,
    Fifty,
}

/// Consecutive indices of one side at which it could claim.
#[derive(Clone, Debug)]
pub struct Run {
    pub kind: Kind,
    pub side: Color,
    pub first: u32,
    pub last: u32,
    pub windows: u32,
    /// The last index at which the position had appeared, or the count was full (form B).
    pub complete: Option<u32>,
    /// A move of the claimant will bring it about.
    pub form_a: bool,
    /// With a blank between them, each once, up to `MAX_OCCURRENCES`.
    pub claim_moves: String,
    /// How many these are.
    claims: usize,
    /// Where the position stood so far, and the next index if a move written there brings it back: see `DrawWatch::occurrences`.
    pub(crate) stood: Option<(Stood, Option<u32>)>,
    pub clock: u32,
    /// Occurrences, or moves by each side, that gave the right.
    pub limit: u32,
    /// The ending for which more than 50 moves are allowed, if it is one.
    pub extension: Option<String>,
}

impl Run {
    /// A run that begins at an index at which a claim is possible; `window` is to be told of it.
    pub fn new(kind: Kind, side: Color, first: u32, limit: u32, extension: Option<&str>) -> Run {
        Run {
            kind,
            side,
            first,
            last: first,
            windows: 0,
            complete: None,
            form_a: false,
            claim_moves: String::new(),
            claims: 0,
            stood: None,
            clock: 0,
            limit,
            extension: extension.map(str::to_owned),
        }
    }

    /// A move of the claimant will bring about what gives the right.
    pub fn claim(&mut self, board: &Board, mv: Move) {
        self.form_a = true;
        if self.claims < MAX_OCCURRENCES {
            self.claims += usize::from(push_once(board, mv, &mut self.claim_moves));
        }
    }
}

/// Indices at which a position stood.
#[derive(Clone, Debug, Default)]
pub struct Occurrences {
    /// Of them, `MAX_OCCURRENCES` at most.
    pub first: Vec<i32>,
    /// How many there are in all, where `first` has not all of them.
    pub all: Option<u32>,
}

impl Occurrences {
    /// Of all indices, in order; `all` says how many.
    pub fn of(indices: impl Iterator<Item = u32>, all: u32) -> Occurrences {
        let first = indices.take(MAX_OCCURRENCES).map(|index| index as i32).collect();
        Occurrences { first, all: Some(all).filter(|all| *all as usize > MAX_OCCURRENCES) }
    }
}

/// A diagram that stood often enough for a claim, but with other rights.
#[derive(Clone, Debug)]
pub struct Visual {
    pub index: u32,
    pub occurrences: Occurrences,
    pub reason: &'static str,
}

/// Adds a move to others with a blank between; false where it is there already.
fn push_once(board: &Board, mv: Move, moves: &mut String) -> bool {
    let before = moves.len();
    if before > 0 {
        moves.push(' ');
    }
    let start = moves.len();
    push_body(board, mv, moves);
    let new = moves[..before].split(' ').all(|other| *other != moves[start..]);
    if !new {
        moves.truncate(before);
    }
    new
}
