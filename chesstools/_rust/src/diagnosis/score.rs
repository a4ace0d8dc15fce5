//! The written moves of a game that stopped, and how far they can be replayed from some position.
//! The counterpart of `chesstools/reference/diagnosis_score.py`.

use std::borrow::Cow;

use crate::board::Board;
use crate::facts::Facts;
use crate::lexer::{Kind, Token};
use crate::record::Ply;
use crate::san::{self, Resolved, Written};
use crate::text::Encoding;
use crate::types::{Move, MoveKind};

/// So many plies may be replayed for each move of the game, `MAX_PLIES` at most: time stays linear in the text.
const PLIES_FOR_EACH: usize = 64;

/// So many plies are replayed at most for one game.
pub const MAX_PLIES: usize = 8192;

/// What a written move says.
pub enum Said {
    Move(Written),
    /// A null move.
    Pass,
    /// It has the shape of no move.
    Nothing,
}

/// The moves of a mainline as they were written, the bad one and those behind it included.
pub struct Score<'a> {
    facts: &'a Facts<'a>,
    plies: &'a [Ply],
    rest: &'a [Token],
    /// So many plies may be replayed.
    pub limit: usize,
    /// Plies that were replayed so far, also those that turned out not to be legal.
    pub tried: usize,
}

impl<'a> Score<'a> {
    /// The score of a line of `plies`, and `rest` from the bad token on.
    pub fn new(facts: &'a Facts<'a>, plies: &'a [Ply], rest: &'a [Token]) -> Score<'a> {
        let limit = (PLIES_FOR_EACH * (plies.len() + rest.len())).min(MAX_PLIES);
        Score { facts, plies, rest, limit, tried: 0 }
    }

    /// How many moves there are.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.plies.len() + self.rest.len()
    }

    /// Index of the move that stopped the line: so many were legal.
    pub fn bad(&self) -> usize {
        self.plies.len()
    }

    /// Whether nothing more may be tried.
    pub fn is_spent(&self) -> bool {
        self.tried >= self.limit
    }

    fn token(&self, index: usize) -> Token {
        match self.plies.get(index) {
            Some(ply) => ply.token(),
            None => self.rest[index - self.plies.len()],
        }
    }

    /// A move as it was written.
    pub fn text(&self, index: usize) -> Cow<'a, str> {
        self.facts.text(self.token(index))
    }

    /// The move that was made at `index`; None from the bad one on.
    pub fn made(&self, index: usize) -> Option<Move> {
        self.plies.get(index).map(|ply| ply.mv)
    }

    /// What a move says.
    pub fn read(&self, index: usize) -> Said {
        let token = self.token(index);
        if token.kind == Kind::Null || self.made(index).is_some_and(|mv| mv.kind == MoveKind::Null) {
            return Said::Pass;
        }
        let bytes = self.facts.bytes(token);
        // A figurine is one only in text that is UTF-8.
        let readable = token.kind == Kind::Move && (self.facts.encoding == Encoding::Utf8 || bytes.is_ascii());
        match readable.then(|| san::read(bytes)).flatten() {
            Some(written) => Said::Move(written),
            None => Said::Nothing,
        }
    }

    /// Replays the moves with the indices `first`, then all from `then` on, with all squares changed by `mask`.
    ///
    /// Gives the index of the first one that is not legal there (the number of moves where all are); None where that is one
    /// of `first`, or where no more may be tried.
    pub fn replay(&mut self, mut board: Board, first: &[usize], then: usize, mask: u8) -> Option<usize> {
        for &index in first {
            self.step(&mut board, index, mask)?;
        }
        for index in then..self.len() {
            if self.step(&mut board, index, mask).is_none() {
                return Some(index);
            }
        }
        Some(self.len())
    }

    fn step(&mut self, board: &mut Board, index: usize, mask: u8) -> Option<()> {
        if self.is_spent() {
            return None;
        }
        self.tried += 1;
        let mv = match self.read(index) {
            Said::Move(written) => match san::resolve(board, &turned(written, mask)) {
                Resolved::Move(mv) => mv,
                _ => return None,
            },
            Said::Pass if !board.is_check() && board.has_legal_move() => Move::NULL,
            _ => return None,
        };
        board.play(mv);
        Some(())
    }
}

/// A move as it is read where all squares are changed: 7 exchanges left and right, 56 top and bottom, 63 both.
fn turned(written: Written, mask: u8) -> Written {
    if written.castling.is_some() {
        return written;
    }
    let (file, rank) = (mask & 7, mask >> 3);
    let (file, rank) = (written.file.map(|at| at ^ file), written.rank.map(|at| at ^ rank));
    Written { to: written.to ^ mask, file, rank, ..written }
}
