//! Draws that could have been claimed, and games that went on after they were drawn.
//! The counterpart of `chesstools/reference/unclaimed.py`.

use crate::draws::DrawWatch;
use crate::endings::{at_position, decisive, Judgement, DRAW};
use crate::facts::Facts;
use crate::lexer::Token;
use crate::record::{Ending, Note};
use crate::rows_plies::comment_text;
use crate::runs::{Kind, Run, Visual};
use crate::tags::Name;
use crate::types::{Place, Severity};
use crate::values::parse_termination;

impl Judgement<'_, '_> {
    /// Reports when claims were possible (D601, D605, D611), and what was played after an automatic draw (E514 to E516).
    pub fn draws(&self, facts: &mut Facts, watch: &DrawWatch, ending: &mut Ending, end: Token, judged: bool) {
        let profile = self.profile;
        if let Some(index) = watch.drawn_by_repetition {
            self.played_on(facts, "E514", index, profile.automatic_repetition());
        }
        if let Some(index) = watch.drawn_by_moves {
            self.played_on(facts, "E515", index, profile.automatic_moves().map(|plies| plies / 2));
        }
        let automatic = self.automatic(watch);
        let first = automatic.iter().filter_map(|(index, name)| index.map(|index| (index, *name))).min();
        if let (true, Some((first, name)), Some(_)) = (judged, first, decisive(ending.result)) {
            let finding = facts.add("E516", end, &Place::default()).with("first_ply", first).with("reason", name);
            finding.with("expected", DRAW).with_known("found", ending.result);
        }
        let last = self.replay.plies.len() as u32;
        let result = ending.result.filter(|_| judged);
        ending.unclaimed_draw = Some(false);
        for run in &watch.runs {
            let effect = effect(run, last, result);
            if effect == "decisive_against_claimant" {
                ending.unclaimed_draw = Some(true);
            }
            self.report_run(facts, watch, run, effect);
        }
        if watch.visual.is_empty() {
            return;
        }
        let possible = watch.runs.iter().any(|run| run.kind == Kind::Repetition && run.last == last);
        let supported = possible || watch.drawn_by_repetition.is_some();
        let unsupported_claim = !supported && self.certain && self.claims_repetition(facts, last);
        for visual in &watch.visual {
            self.report_visual(facts, visual, unsupported_claim);
        }
    }

    fn report_run(&self, facts: &mut Facts, watch: &DrawWatch, run: &Run, effect: &'static str) {
        let repetition = run.kind == Kind::Repetition;
        let code = if repetition { "D601" } else { "D611" };
        let warning = self.certain && effect == "decisive_against_claimant";
        let forms = match (run.form_a, run.complete.is_some()) {
            (true, true) => "AB",
            (true, false) => "A",
            _ => "B",
        };
        let finding = facts.add(code, self.token_at(run.first), &at_position(run.first));
        finding.severity(if warning { Severity::Warning } else { Severity::Info });
        finding.with_word("side", run.side.name()).with("first_ply", run.first).with("last_ply", run.last);
        finding.with("count", run.windows).with("limit", run.limit).with_word("effect", effect);
        if repetition {
            finding.with_occurrences(watch.occurrences(run));
        }
        finding.with_word("forms", forms);
        finding.with_known("claim_moves", (!run.claim_moves.is_empty()).then_some(&*run.claim_moves));
        finding.with_known("clock", (!repetition).then_some(run.clock)).with_known("extension", run.extension.as_deref());
    }

    fn report_visual(&self, facts: &mut Facts, visual: &Visual, unsupported_claim: bool) {
        let finding = facts.add("D605", self.token_at(visual.index), &at_position(visual.index));
        finding.severity(if unsupported_claim { Severity::Warning } else { Severity::Info });
        finding.with("first_ply", visual.index).with_occurrences(visual.occurrences.clone()).with("reason", visual.reason);
    }

    /// Whether the source says that the game was drawn by repetition.
    fn claims_repetition(&self, facts: &Facts, last: u32) -> bool {
        if parse_termination(self.tags.get(Name::Termination).unwrap_or("")).1 == Some("threefold") {
            return true;
        }
        let comments = self.replay.notes.iter().filter_map(|note| match note {
            Note::Comment { ply, token } if *ply == last && last > 0 => Some(*token),
            _ => None,
        });
        let said: Vec<_> = comments.map(|token| comment_text(facts, token)).filter(|text| !text.is_empty()).collect();
        let said = said.join(" ").to_lowercase();
        said.contains("repetition") || said.contains("threefold")
    }
}

fn effect(run: &Run, last: u32, result: Option<&str>) -> &'static str {
    match (result, decisive(result)) {
        (Some(DRAW), _) if run.last == last => "ended_here",
        (Some(DRAW), _) => "drawn_later",
        (_, Some(winner)) if winner == run.side => "decisive_for_claimant",
        (_, Some(_)) => "decisive_against_claimant",
        _ => "unfinished",
    }
}
