//! What follows from the watch over draws: automatic draws, rights that lapsed and came back, draws that fit a claim or do not.
//! The counterpart of `chesstools/reference/claims.py`.

use crate::draws::DrawWatch;
use crate::endings::{at_position, Judgement};
use crate::facts::Facts;
use crate::lexer::Token;
use crate::record::Span;
use crate::runs::{Kind, Run};
use crate::said::Said;
use crate::types::Color;

/// The name of a kind of claim in findings.
pub fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Repetition => "repetition",
        Kind::Fifty => "fifty",
    }
}

/// First and last index at which a claim was possible: for White by repetition, Black by repetition, White by the 50-move rule,
/// Black by it.
pub fn spans(watch: Option<&DrawWatch>) -> [Span; 4] {
    let all = [Kind::Repetition, Kind::Fifty].map(|kind| [Color::White, Color::Black].map(|side| span(watch, kind, side)));
    [all[0][0], all[0][1], all[1][0], all[1][1]]
}

fn span(watch: Option<&DrawWatch>, kind: Kind, side: Color) -> Span {
    let runs = watch.map_or(&[][..], |watch| &watch.runs);
    let mut own = runs.iter().filter(|run| run.kind == kind && run.side == side);
    let first = own.next();
    Span { first: first.map(|run| run.first), last: own.next_back().or(first).map(|run| run.last) }
}

/// The first index at which the game was drawn without anybody's claim (FIDE 5.2.2, 9.6).
pub fn first_automatic(watch: Option<&DrawWatch>, first_dead: Option<u32>) -> Option<u32> {
    let watched = watch.map_or([None; 2], |watch| [watch.drawn_by_repetition, watch.drawn_by_moves]);
    watched.into_iter().chain([first_dead]).flatten().min()
}

impl Judgement<'_, '_> {
    /// Where the Laws drew the game without a claim (D603, D612); what a server draws sooner is no news.
    pub fn automatic_draws(&self, facts: &mut Facts, watch: &DrawWatch) {
        if let Some(index) = watch.drawn_by_repetition.filter(|_| !self.profile.threefold_automatic) {
            let finding = facts.add("D603", self.token_at(index), &at_position(index)).with("first_ply", index);
            finding.with_occurrences(watch.drawn_occurrences.clone()).with_known("limit", self.profile.fivefold_draw);
        }
        if let Some(index) = watch.drawn_by_moves.filter(|_| !self.profile.fifty_automatic) {
            let finding = facts.add("D612", self.token_at(index), &at_position(index)).with("first_ply", index);
            finding.with_known("limit", self.profile.seventyfive_draw);
        }
    }

    /// Rights that lapsed when a side moved, and came back later (D602).
    pub fn lapses(&self, facts: &mut Facts, watch: &DrawWatch) {
        let mut before: [Option<&Run>; 4] = [None; 4];
        for run in &watch.runs {
            let slot = &mut before[2 * usize::from(run.kind == Kind::Fifty) + run.side as usize];
            if let Some(earlier) = slot.replace(run) {
                // A claim stands at a position; it lapses with the move that leads to the next one.
                let lost = earlier.last + 1;
                let finding = facts.add("D602", self.token_at(lost), &at_position(lost)).with_word("side", run.side.name());
                finding.with("first_ply", lost).with("last_ply", run.first).with_word("reason", kind_name(run.kind));
            }
        }
    }

    /// A draw that was made where a claim was possible (D620). For drawn games.
    pub fn fitting(&self, facts: &mut Facts, watch: &DrawWatch, end: Token) {
        let last = self.last();
        for run in watch.runs.iter().filter(|run| run.last == last) {
            let finding = facts.add("D620", end, &Default::default()).with_word("side", run.side.name());
            finding.with("last_ply", run.last).with_word("reason", kind_name(run.kind));
        }
    }

    /// Words about a claim that was not possible at the end (D621): the first of them. For drawn games.
    pub fn unsupported(&self, facts: &mut Facts, watch: &DrawWatch, said: &[Said], end: Token) {
        let (last, profile) = (self.last(), self.profile);
        let kind = |words: &Said| match words.reason {
            Some("threefold") => Some(Kind::Repetition),
            Some("fifty") => Some(Kind::Fifty),
            _ => None,
        };
        let Some((words, kind)) = said.iter().find_map(|words| Some((words, kind(words)?))) else { return };
        let repetition = kind == Kind::Repetition;
        let drawn = if repetition { watch.drawn_by_repetition } else { watch.drawn_by_moves };
        let possible = watch.runs.iter().any(|run| run.kind == kind && run.last == last);
        if possible || drawn.is_some() {
            return;
        }
        let Some(board) = self.board else { return };
        let (reached, limit) = match kind {
            Kind::Repetition => (self.times_stood(), profile.threefold_claim),
            Kind::Fifty => (board.halfmove, profile.fifty_claim),
        };
        // A game that is over can no longer be claimed, but what is said of it may well be true.
        if watch.over && limit.is_some_and(|limit| reached >= limit) {
            return;
        }
        let finding = facts.add("D621", words.token.unwrap_or(end), &Default::default()).with("found", &*words.text);
        finding.with("count", reached).with_known("limit", limit).with_word("reason", kind_name(kind));
    }

    /// How often the last position has stood. Rare, so the game is simply gone over again.
    fn times_stood(&self) -> u32 {
        let Some(start) = self.start else { return 1 };
        let mut watch = DrawWatch::default();
        let mut board = start.clone();
        watch.add(&board, 0, false, self.profile);
        for (index, ply) in self.replay.plies.iter().enumerate() {
            board.play(ply.mv);
            watch.add(&board, index as u32 + 1, false, self.profile);
        }
        watch.repetition
    }
}
