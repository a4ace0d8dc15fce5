//! What may be wrong with a game that stops: the one assumption under which the moves behind an illegal one are legal (M391).
//! The counterpart of `chesstools/reference/diagnosis.py`, which says in what order assumptions are tried, and why.

mod evidence;
pub mod score;
pub mod slips;
pub mod starts;

use crate::board::Board;
use crate::facts::Facts;
use crate::replay::{Line, Replay};
use crate::types::{Color, Move, Place};

use score::{Said, Score};
use slips::{in_order, likelihood, slip, Slip};
use starts::{is_array, OtherStart, CHESS960_STARTS, OTHER_STARTS};

/// A game that is legal to its end says something only if at least so many moves follow; where fewer follow, nothing is tried.
const MIN_TO_END: usize = 6;
/// The same for a game that stops again later.
const MIN_PART: usize = 12;
/// An earlier move that is not the one meant is looked for so many plies back.
const FAR_BACK: usize = 100;
/// A move that is missing or one too many is looked for so many plies back: soon the wrong side is to move.
const NEAR_BACK: usize = 8;
/// A game from another array does not go on for longer than this from the usual one.
const CHESS960_PLIES: usize = 24;
/// A quarter of what may be tried is kept for what is tried last.
const RESERVE: usize = 4;

/// What is assumed. A number is the index of a move.
enum Change {
    /// Another move was meant than the one at this index.
    Meant(usize, Slip, Move),
    /// So many moves are too many.
    LeftOut(usize, usize),
    /// A move is missing before the one at this index.
    Missing(usize, Move),
    /// These two have changed places.
    Transposed(usize, usize),
    /// Men or board stood otherwise at the start.
    Started(&'static OtherStart),
}

/// An assumption, and what it comes to.
struct Found {
    change: Change,
    /// Index of the first move that is still not legal; the number of moves where all are.
    reached: usize,
    /// Plies that are then legal as they are written, from the bad move on.
    count: usize,
}

/// The best of some assumptions, and how many others are as good.
#[derive(Default)]
struct Best {
    found: Option<Found>,
    rivals: usize,
}

/// Looks for the assumption that explains most.
struct Search<'a> {
    score: Score<'a>,
    /// Positions before the last moves up to the bad one, which is last.
    boards: Vec<Board>,
    best: Best,
}

/// Reports the assumption that explains most of the moves behind the one that stopped the mainline (M391).
pub fn diagnose(facts: &mut Facts, start: &Board, replay: &Replay, line: &Line) {
    let Some(bad) = line.bad.filter(|_| !line.over && line.unjudged as usize >= MIN_TO_END) else { return };
    if facts.bytes(bad).contains(&b'@') {
        return; // a man that is dropped: another game, in which slips mean nothing
    }
    let score = Score::new(facts, &replay.plies, &replay.rest);
    let mut search = Search { boards: boards(start, &score), score, best: Best::default() };
    let _ = search.run(start, line.wrong_side);
    let Some(found) = search.best.found.as_ref() else { return };
    let (wanted, limit) = (search.evidence(found), search.score.is_spent().then_some(search.score.limit));
    let (count, rivals) = (found.count, search.best.rivals);
    let reach = if found.reached == search.score.len() { "end" } else { "part" };
    let finding = facts.add("M391", bad, &Place { ply: Some(line.next_ply()), variation: None });
    finding.with_known("side", wanted.side.map(Color::name)).with_known("found", wanted.found);
    finding.with_known("expected", wanted.expected).with("reason", wanted.reason).with("reach", reach).with("count", count);
    finding.with_known("first_ply", wanted.index.map(|index| line.first_ply + index as u32));
    finding.with_known("rivals", (rivals > 0).then_some(rivals)).with_known("limit", limit);
}

/// The positions before the moves that are not too far back, and before the bad one.
fn boards(start: &Board, score: &Score) -> Vec<Board> {
    let mut board = start.clone();
    let mut boards = Vec::with_capacity(score.bad().min(FAR_BACK) + 1);
    for index in 0..score.bad() {
        if index + FAR_BACK >= score.bad() {
            boards.push(board.clone());
        }
        board.play(score.made(index).expect("it was made"));
    }
    boards.push(board);
    boards
}

impl Search<'_> {
    /// Tries all assumptions; None where it need not, or must not, go on.
    fn run(&mut self, start: &Board, wrong_side: bool) -> Option<()> {
        let bad = self.score.bad();
        if wrong_side {
            self.missing(bad)?;
        }
        self.slips(bad, Slip::OtherMan)?;
        self.slips(bad, Slip::Mistyped)?;
        self.left_out(bad, true)?;
        for (back, ahead) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 1)] {
            self.transposed(bad.checked_sub(back), bad + ahead)?;
        }
        if is_array(start) {
            self.started(&OTHER_STARTS)?;
        }
        self.missing(bad)?;
        self.left_out(bad, false)?;
        let first = bad.saturating_sub(FAR_BACK);
        for index in (first..bad).rev() {
            self.slips(index, Slip::OtherMan)?;
        }
        for index in (first..bad).rev() {
            if self.score.tried * RESERVE >= self.score.limit * (RESERVE - 1) {
                break;
            }
            self.slips(index, Slip::Mistyped)?;
            if index + NEAR_BACK >= bad {
                self.left_out(index, true)?;
                self.left_out(index, false)?;
            }
        }
        for index in (bad.saturating_sub(NEAR_BACK)..bad).rev() {
            self.missing(index)?;
        }
        if bad < CHESS960_PLIES && is_array(start) {
            self.started(&CHESS960_STARTS)?;
        }
        Some(())
    }

    /// Keeps the best of a group if it is better than what is known.
    fn take(&mut self, group: Best) -> Option<()> {
        if self.worth(group.found.as_ref()) > self.worth(self.best.found.as_ref()) {
            self.best = group;
        }
        let whole = self.best.found.as_ref().is_some_and(|found| self.is_whole(found));
        (!whole && !self.score.is_spent()).then_some(())
    }

    fn is_whole(&self, found: &Found) -> bool {
        found.reached == self.score.len() && found.count >= MIN_TO_END
    }

    /// More is better: 0 is not worth a word.
    fn worth(&self, found: Option<&Found>) -> usize {
        match found {
            Some(found) if self.is_whole(found) => self.score.len(),
            Some(found) if found.count >= MIN_PART => found.count,
            _ => 0,
        }
    }

    /// Takes an assumption into its group, if it explains anything: the moves are as they are written from `behind` on.
    fn add(&self, group: &mut Best, change: Change, reached: Option<usize>, behind: usize) {
        let Some(reached) = reached else { return };
        let count = reached.saturating_sub(behind.max(self.score.bad()));
        if count == 0 {
            return;
        }
        let found = Found { change, reached, count };
        if group.found.is_none() || self.worth(Some(&found)) > self.worth(group.found.as_ref()) {
            *group = Best { found: Some(found), rivals: 0 };
        } else if self.worth(Some(&found)) == self.worth(group.found.as_ref()) {
            group.rivals += 1;
        }
    }

    /// The position before the move at `index`, if it is not too far back.
    fn board(&self, index: usize) -> Option<&Board> {
        (self.boards.len() - 1).checked_sub(self.score.bad().checked_sub(index)?).map(|at| &self.boards[at])
    }

    /// Another move was meant than the one at `index`.
    fn slips(&mut self, index: usize, kind: Slip) -> Option<()> {
        let (Some(board), Said::Move(written)) = (self.board(index).cloned(), self.score.read(index)) else { return Some(()) };
        let played = self.score.made(index);
        let mut group = Best::default();
        let mut meant = in_order(&board);
        meant.retain(|mv| Some(*mv) != played && slip(&board, &written, *mv) == Some(kind));
        // Of equals the first one stays first.
        meant.sort_by_key(|mv| likelihood(&board, &written, *mv));
        for mv in meant {
            let reached = self.score.replay(after(&board, mv), &[], index + 1, 0);
            self.add(&mut group, Change::Meant(index, kind, mv), reached, index + 1);
        }
        self.take(group)
    }

    /// The move at `index` is one too many; then it and the next one. `twice` asks for what is written twice, or not.
    fn left_out(&mut self, index: usize, twice: bool) -> Option<()> {
        for many in [1, 2] {
            let Some(board) = self.board(index).cloned() else { return Some(()) };
            if index + many > self.score.len() {
                return Some(());
            }
            if self.is_written_twice(index, many) != twice {
                continue;
            }
            let reached = self.score.replay(board, &[], index + many, 0);
            let mut group = Best::default();
            self.add(&mut group, Change::LeftOut(index, many), reached, index + many);
            self.take(group)?;
        }
        Some(())
    }

    /// Whether one move, or two, stand before `index` already; a single one may be the last move of either side.
    fn is_written_twice(&self, index: usize, many: usize) -> bool {
        let same = |back: usize, other: usize| match index.checked_sub(back) {
            Some(one) => self.score.text(one) == self.score.text(other),
            None => false,
        };
        match many {
            2 => same(2, index) && same(1, index + 1),
            _ => same(1, index) || same(2, index),
        }
    }

    /// A move is missing before the one at `index`.
    fn missing(&mut self, index: usize) -> Option<()> {
        let mut group = Best::default();
        if let Some(board) = self.board(index).cloned() {
            for mv in in_order(&board) {
                let reached = self.score.replay(after(&board, mv), &[], index, 0);
                self.add(&mut group, Change::Missing(index, mv), reached, index);
            }
        }
        self.take(group)
    }

    /// The moves at these two places have changed places.
    fn transposed(&mut self, one: Option<usize>, other: usize) -> Option<()> {
        let mut group = Best::default();
        if let (Some(one), true) = (one, other < self.score.len()) {
            if let Some(board) = self.board(one).cloned() {
                let mut order: Vec<usize> = (one..=other).collect();
                let last = order.len() - 1;
                order.swap(0, last);
                let reached = self.score.replay(board, &order, other + 1, 0);
                self.add(&mut group, Change::Transposed(one, other), reached, other + 1);
            }
        }
        self.take(group)
    }

    /// Men or board stood otherwise at the start.
    fn started(&mut self, starts: &'static [OtherStart]) -> Option<()> {
        let mut group = Best::default();
        for start in starts {
            if self.score.is_spent() {
                break;
            }
            let reached = self.score.replay(start.board.clone(), &[], 0, start.mask);
            self.add(&mut group, Change::Started(start), reached, 0);
        }
        self.take(group)
    }
}

/// The position behind a move.
fn after(board: &Board, mv: Move) -> Board {
    let mut after = board.clone();
    after.play(mv);
    after
}
