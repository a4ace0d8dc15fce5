//! The clocks of a game, from its comments and its time control. What is wrong with them says `clock_findings.rs`.

use crate::allowance::Allowance;
use crate::board::Board;
use crate::clock_findings::{flagged, Game, Shown};
use crate::comments::written_by_engine_match;
use crate::facts::Facts;
use crate::game::Judge;
use crate::record::{Ending, Note};
use crate::rows_plies::comment_text;
use crate::start as setup;
use crate::tags::{Name, Tags};
use crate::time_control::TimeControl;
use crate::types::Color;
use crate::values::parse_termination;

impl Judge {
    /// Reports what is wrong with clock times. Gives what the time control gives, where there are comments.
    #[inline]
    pub(crate) fn judge_clocks(
        &self,
        facts: &mut Facts,
        tags: &Tags,
        start: &setup::Start,
        ending: &Ending,
        ended: bool,
    ) -> Option<Allowance> {
        // Most games have no comments, or only one before the first move.
        self.replay.notes.iter().rfind(|note| matches!(note, Note::Comment { ply: 1.., .. }))?;
        self.judge_comments(facts, tags, start.board.as_ref()?, ending, ended)
    }

    #[inline(never)]
    fn judge_comments(&self, facts: &mut Facts, tags: &Tags, start: &Board, ending: &Ending, ended: bool) -> Option<Allowance> {
        let replay = &self.replay;
        let control = tags.get(Name::TimeControl).and_then(TimeControl::parse);
        let white_first = start.turn == Color::White;
        let allowance = Allowance::of(control.as_ref(), white_first && start.fullmove == 1);
        let said = tags.get(Name::Termination).and_then(|text| parse_termination(text).1);
        let ended = ended && ending.status != Some("checkmate");
        let game = Game {
            notes: &replay.notes,
            plies: replay.plies.len() as u32,
            allowance: allowance.as_ref(),
            white_first,
            by_engines: written_by_engine_match(tags),
            loser: flagged(ending.result, said, control.as_ref()).filter(|_| ended),
        };
        let text = |token| (facts.text(token), comment_text(facts, token));
        let shown = Shown::of(&game, |token| facts.bytes(token), text);
        shown.report(facts, &replay.plies, white_first);
        allowance
    }
}
