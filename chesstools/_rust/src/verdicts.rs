//! How a game ended against what the source says of it: results, flags, resignations, forfeits (E520 to E543, A8xx).
//! The counterpart of `chesstools/reference/verdicts.py`.

use std::borrow::Cow;

use crate::board::Board;
use crate::endings::{decisive, Judgement, DRAW};
use crate::facts::Facts;
use crate::flags::{is_bare, why_drawn_on_time, why_no_mate};
use crate::lexer::Token;
use crate::profile::{FlagDraw, Profile};
use crate::record::Ending;
use crate::replay::is_comment;
use crate::said::{Outcome, Read, Said};
use crate::tags::Name;
use crate::text::trim;
use crate::types::{Color, Place, Severity};
use crate::values::parse_date;
use crate::winnable::{Depth, Method};

/// The last year in which a bad last move is taken for a sealed one, though nothing says that it was sealed.
const LAST_ADJOURNMENTS: i16 = 2000;

/// Reasons that make a draw.
fn is_drawn(reason: &str) -> bool {
    matches!(
        reason,
        "stalemate"
            | "dead_position"
            | "threefold"
            | "fivefold"
            | "fifty"
            | "seventyfive"
            | "agreement"
            | "timeout_v_insufficient_material"
    )
}

/// Reasons that make no draw, whatever stands on the board.
fn is_lost(reason: &str) -> bool {
    matches!(reason, "checkmate" | "resignation" | "forfeit")
}

/// Reasons with which a game has a result.
fn is_final(reason: &str) -> bool {
    is_drawn(reason) || is_lost(reason) || matches!(reason, "time" | "rules_infraction")
}

/// Reasons by which a side can win, whatever it has on the board.
fn is_decreed(reason: &str) -> bool {
    matches!(reason, "rules_infraction" | "abandoned" | "forfeit" | "disconnection" | "adjudication" | "death" | "emergency")
}

/// What is known of the end, beyond what `Judgement` holds.
pub struct Case<'c> {
    pub ending: &'c Ending,
    pub said: &'c [Said],
    /// Where findings about the end are placed.
    pub end: Token,
    /// Whether all of the mainline was replayed.
    pub judged: bool,
    /// fivefold or seventyfive where the game was drawn without a claim.
    pub automatic: Option<&'static str>,
}

impl Judgement<'_, '_> {
    /// Reports what does not fit together.
    pub fn check_end(&self, facts: &mut Facts, case: &Case) {
        if !self.both_lose(facts, case) {
            self.result_against_words(facts, case);
        }
        self.unfinished(facts, case);
        self.without_play(facts, case);
        self.sealed_move(facts, case);
        if case.judged {
            self.flag_after_end(facts, case);
            self.unwinnable(facts, case);
        }
    }

    /// Reports a game that both sides lost (A802); whether it is one.
    fn both_lose(&self, facts: &mut Facts, case: &Case) -> bool {
        let nowhere = Place::default();
        let marked = case.ending.marker.map(|marker| (marker, facts.text(marker)));
        let tagged = self.tags.tag(Name::Result).map(|tag| (tag.token, Cow::Borrowed(trim(&tag.value))));
        for (token, text) in marked.into_iter().chain(tagged) {
            if is_none_for_both(&text) {
                facts.add("A802", token, &nowhere).with("found", &text);
                return true;
            }
        }
        let said = case.said.iter().find(|said| said.outcome == Some(Outcome::BothLose));
        if let Some(said) = said {
            facts.add("A802", said.token.unwrap_or(case.end), &nowhere).with("found", &*said.text);
        }
        said.is_some()
    }

    /// Reports words about the end that do not fit the result, or not the last position (E520): the first of them.
    fn result_against_words(&self, facts: &mut Facts, case: &Case) {
        for said in case.said {
            let contradicts = self.contradicts(case, said);
            if contradicts || is_not_on_board(case, said) {
                let finding = facts.add("E520", said.token.unwrap_or(case.end), &Place::default());
                finding.with("expected", &*said.text).with_known("found", case.ending.result).with("basis", said.basis);
                finding.with_known("reason", said.reason.filter(|_| !contradicts));
                return;
            }
        }
    }

    /// Whether these words do not fit the result (E520).
    fn contradicts(&self, case: &Case, said: &Said) -> bool {
        let Some(result) = case.ending.result else { return false };
        let is = |test: fn(&str) -> bool| said.reason.is_some_and(test);
        if let Some(winner) = decisive(Some(result)) {
            return contradicts_winner(winner, (said.reason, said.outcome));
        }
        match result {
            "*" => said.normal || is(is_final) || matches!(said.outcome, Some(Outcome::Won(_) | Outcome::Draw)),
            _ if said.outcome == Some(Outcome::Unfinished) => true,
            _ if matches!(said.outcome, Some(Outcome::Won(_))) || is(is_lost) => true,
            _ => {
                let on_time = said.reason == Some("time") && said.outcome != Some(Outcome::Draw);
                // On Lichess a draw that was offered stands when the time is overstepped.
                let board = self.board.filter(|_| case.judged && self.profile.flag_draw != FlagDraw::Lichess);
                on_time && board.is_some_and(|board| !is_drawn_on_time(board, self.profile, self.depth))
            }
        }
    }

    /// Reports a game without a result that the board has ended (E543).
    fn unfinished(&self, facts: &mut Facts, case: &Case) {
        if case.ending.result != Some("*") || !case.judged {
            return;
        }
        let shown = case.ending.status.filter(|status| *status != "none").or(case.automatic);
        if let Some(shown) = shown {
            facts.add("E543", case.end, &Place::default()).with("reason", shown);
        }
    }

    /// Reports games that were decided or drawn without play (A801, E525); not fragments, which begin at a FEN.
    fn without_play(&self, facts: &mut Facts, case: &Case) {
        let plies = self.line.plies_written();
        if plies > 1 || self.line.stopped || self.board.is_none() || self.tags.tag(Name::Fen).is_some() {
            return;
        }
        let may_be_agreed = || case.said.iter().all(|said| matches!(said.reason, None | Some("agreement")));
        if decisive(case.ending.result).is_some() {
            let finding = facts.add("A801", case.end, &Place::default()).with("count", plies);
            finding.with_known("found", self.tags.get(Name::Termination));
        } else if self.certain && self.profile.agreed_draw_needs_moves && case.ending.result == Some(DRAW) && may_be_agreed() {
            facts.add("E525", case.end, &Place::default()).with("count", plies);
        }
    }

    /// Reports a bad last move of the side that lost, which fits a wrongly sealed one (A803).
    fn sealed_move(&self, facts: &mut Facts, case: &Case) {
        let (Some(bad), Some(board)) = (self.line.bad, self.board) else { return };
        if self.line.unjudged > 0 || self.line.over || decisive(case.ending.result).is_none_or(|winner| winner == board.turn) {
            return;
        }
        let code =
            facts.codes_at(bad).find(|code| *code == "N401" || code.starts_with("M3") && *code != "M391").unwrap_or("P110");
        let sealed = self.speaks_of_sealing(facts);
        let year = self.tags.get(Name::Date).and_then(parse_date).and_then(|date| date.year);
        let old = year.is_some_and(|year| year <= LAST_ADJOURNMENTS);
        if !sealed && (!old || code == "P110") {
            return;
        }
        if sealed {
            facts.lower(code, bad, Severity::Info);
        }
        let reason = match code {
            "N401" => "ambiguous",
            "P110" => "meaningless",
            _ => "illegal",
        };
        let place = Place { ply: Some(self.line.next_ply()), variation: None };
        facts.add("A803", bad, &place).with("side", board.turn.name()).with("reason", reason);
    }

    /// Whether Termination, or a comment from the last good move on, has the word.
    fn speaks_of_sealing(&self, facts: &Facts) -> bool {
        let start = self.replay.plies.last().map(|ply| ply.start);
        let has_word = |text: &str| text.to_ascii_lowercase().contains("sealed");
        let mut comments =
            self.tokens.iter().filter(|token| is_comment(token.kind) && start.is_none_or(|start| token.start > start));
        self.tags.get(Name::Termination).is_some_and(has_word) || comments.any(|token| has_word(&facts.text(*token)))
    }

    /// Reports a flag that is said to have fallen after the board had ended the game (E533).
    fn flag_after_end(&self, facts: &mut Facts, case: &Case) {
        let Some(said) = case.said.iter().find(|said| said.reason == Some("time")) else { return };
        if let Some(status @ ("checkmate" | "stalemate" | "dead")) = case.ending.status {
            let finding = facts.add("E533", said.token.unwrap_or(case.end), &Place::default());
            finding.with("reason", status).with("found", &*said.text);
        }
    }

    /// Reports a side that won though it could not mate (E531, E532, E534).
    fn unwinnable(&self, facts: &mut Facts, case: &Case) {
        let (Some(board), Some(winner), Some("none")) = (self.board, decisive(case.ending.result), case.ending.status) else {
            return;
        };
        let (nowhere, reason, found) = (Place::default(), case.ending.reason, case.ending.result);
        if case.said.iter().any(|said| said.reason == Some("resignation")) {
            let Some(method) = why_no_mate(board, winner, self.depth).filter(|_| self.profile.resign_unwinnable_draws) else {
                return;
            };
            let finding = facts.add("E534", case.end, &nowhere).fen(board.fen()).with("side", winner.other().name());
            finding.with("reason", method.name()).with_known("found", found);
        } else if is_bare(board, winner) {
            if reason == Some("resignation") {
                return;
            }
            let finding = facts.add("E531", case.end, &nowhere).fen(board.fen()).with("side", winner.name());
            finding.with_known("found", found);
            if reason.is_some_and(is_decreed) {
                finding.severity(Severity::Warning);
            }
        } else if reason == Some("time") {
            let Some(method) = why_drawn_on_time(board, winner, self.profile, self.depth) else { return };
            let finding = facts.add("E532", case.end, &nowhere).fen(board.fen()).with("side", winner.name());
            finding.with("reason", method.name()).with_known("found", found);
            if method != Method::Material {
                finding.severity(Severity::Warning);
            }
        }
    }
}

/// Whether mate or stalemate is said to have ended a game whose last position is neither.
fn is_not_on_board(case: &Case, said: &Said) -> bool {
    if !case.judged || !matches!(said.reason, Some("checkmate" | "stalemate")) {
        return false;
    }
    // Who annotates a game may mean a mate that nobody waited for.
    let may_be_prose = said.basis == "comment" && said.text.to_ascii_lowercase().ends_with(" mates");
    said.reason != case.ending.status && !may_be_prose
}

/// Whether these words do not fit a win of `winner` (E520).
pub fn contradicts_winner(winner: Color, (reason, outcome): Read) -> bool {
    match outcome {
        Some(Outcome::Won(side)) if side != winner => true,
        Some(Outcome::Draw | Outcome::Unfinished) => true,
        _ => reason.is_some_and(is_drawn),
    }
}

/// Whether a side whose time ran out has drawn, as its opponent cannot win.
pub fn is_drawn_on_time(board: &Board, profile: &Profile, depth: Depth) -> bool {
    [Color::White, Color::Black].iter().any(|side| why_drawn_on_time(board, *side, profile, depth).is_some())
}

/// Whether a result says that neither side scored.
fn is_none_for_both(text: &str) -> bool {
    if text.len() > 16 {
        return false;
    }
    let mut signs = text.chars().map(|sign| if matches!(sign, '‐'..='―' | '−' | ':' | '\u{96}' | '\u{97}') { '-' } else { sign });
    let signs: [Option<char>; 4] = std::array::from_fn(|_| signs.next());
    ["0-0", "-/-", "---"].iter().any(|none| none.chars().map(Some).chain([None]).eq(signs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_for_neither() {
        for (text, expected) in [("0-0", true), ("0–0", true), ("-:-", true), ("1-0", false), ("0-1", false), ("*", false)] {
            assert_eq!(is_none_for_both(text), expected, "{text}");
        }
    }
}
