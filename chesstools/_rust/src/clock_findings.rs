//! What is wrong with the clock times of a game (C702 to C705): one finding for each kind, at the first ply that shows it.
//! The counterpart of `chesstools/reference/clock_findings.py`.

use std::borrow::Cow;

use crate::allowance::Allowance;
use crate::clock_reading::{go_along, quiet, Last};
use crate::clocks::{Clocks, Seen};
use crate::facts::Facts;
use crate::lexer::Token;
use crate::record::{Note, Ply};
use crate::time_control::{Kind, TimeControl};
use crate::types::{Color, Finding, Place};

/// With so much time left nobody is about to lose on time, where no more is known than that.
const COMFORTABLE_MS: i64 = 600_000;
/// Where the time control is known, it is the time at the start divided by this instead, but no less than a minute.
const COMFORTABLE_PART: i64 = 2;
const COMFORTABLE_LEAST_MS: i64 = 60_000;

/// The side whose flag fell, by result and Termination tag, where its clock tells something about that.
pub fn flagged(result: Option<&str>, reason: Option<&str>, control: Option<&TimeControl>) -> Option<Color> {
    let begins_anew = control.is_some_and(|control| matches!(control.kind, Kind::PerMove | Kind::Correspondence));
    match result {
        _ if reason != Some("time") || begins_anew => None,
        Some("1-0") => Some(Color::Black),
        Some("0-1") => Some(Color::White),
        _ => None,
    }
}

/// From how much time on nobody is about to lose on time.
fn comfortable_ms(allowance: Option<&Allowance>) -> i64 {
    allowance.map_or(COMFORTABLE_MS, |allowance| allowance.start_ms().div_euclid(COMFORTABLE_PART).max(COMFORTABLE_LEAST_MS))
}

/// What is known of a game whose clocks are looked at.
pub struct Game<'g> {
    pub notes: &'g [Note],
    pub plies: u32,
    pub allowance: Option<&'g Allowance>,
    pub white_first: bool,
    /// Whether comments may be those of engine matches.
    pub by_engines: bool,
    /// The side whose flag fell; see `flagged`.
    pub loser: Option<Color>,
}

/// What a game's clocks show (C702 to C705).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    gain: Option<Seen>,
    exhausted: Option<Seen>,
    missed: Option<Seen>,
    flag: Option<Seen>,
}

impl Shown {
    /// Looks at the clock times in comments: `bytes` gives one, `text` the same with the signs around it, and what it says.
    pub fn of<'a, 'b>(
        game: &Game,
        bytes: impl Fn(Token) -> &'b [u8],
        text: impl Fn(Token) -> (Cow<'a, str>, Cow<'a, str>),
    ) -> Shown {
        if let Some(last) = quiet(game.notes, &bytes, game.allowance) {
            return Shown { flag: game.flag(last), ..Shown::default() };
        }
        let mut clocks = Clocks::new(game.allowance, game.white_first);
        go_along(&mut clocks, game.notes, game.plies, game.by_engines, bytes, text);
        let mut shown = Shown { gain: clocks.risen, missed: clocks.missed, ..Shown::default() };
        let zero = clocks.zero.filter(|_| clocks.fine || clocks.many_zeros);
        let known = [clocks.negative, zero].into_iter().flatten();
        let count = known.clone().map(|seen| seen.count).sum();
        // A clock that had run out is a control that was not met where moves were due, else just that.
        match known.min_by_key(|seen| seen.ply) {
            Some(seen) if seen.due.is_none() => shown.exhausted = Some(Seen { count, ..seen }),
            Some(seen) if shown.missed.is_none_or(|missed| seen.ply < missed.ply) => shown.missed = Some(seen),
            _ => {}
        }
        shown.flag = game.flag([game.white_first, !game.white_first].map(|white| clocks.last(white)));
        shown
    }

    pub fn is_nothing(&self) -> bool {
        *self == Shown::default()
    }

    /// Reports it.
    pub fn report(&self, facts: &mut Facts, plies: &[Ply], white_first: bool) {
        let mut add = |code: &'static str, seen: Seen, more: &dyn Fn(&mut Finding)| {
            let side = if (seen.ply % 2 == 1) == white_first { Color::White } else { Color::Black };
            let place = Place { ply: Some(seen.ply), variation: None };
            let finding = facts.add(code, plies[seen.ply as usize - 1].token(), &place).with("side", side.name());
            more(finding);
        };
        if let Some(seen) = self.gain {
            let (before, allowed) = (seen.before_ms.unwrap_or(0), seen.allowed_ms.unwrap_or(0));
            add("C702", seen, &|finding| {
                finding.with("expected", clock_text(before)).with("found", clock_text(seen.after_ms));
                finding.with("limit", allowed / 1000).with("count", seen.count);
                finding.with("before_ms", before).with("after_ms", seen.after_ms).with("allowed_ms", allowed);
            });
        }
        if let Some(seen) = self.exhausted {
            add("C703", seen, &|finding| {
                finding.with("found", clock_text(seen.after_ms)).with("count", seen.count).with("after_ms", seen.after_ms);
            });
        }
        if let Some(seen) = self.missed {
            add("C704", seen, &|finding| {
                finding.with_known("count", seen.made).with_known("limit", seen.due).with_known("before_ms", seen.before_ms);
                finding.with("after_ms", seen.after_ms).with_known("allowed_ms", seen.allowed_ms);
            });
        }
        if let Some(seen) = self.flag {
            add("C705", seen, &|finding| {
                finding.with("found", clock_text(seen.after_ms)).with("after_ms", seen.after_ms);
            });
        }
    }
}

impl Game<'_> {
    /// The last clock time of the side whose flag fell, where that showed much time and he made no move behind it.
    fn flag(&self, last: Last) -> Option<Seen> {
        let white = self.loser? == Color::White;
        let (ply, clock) = last[usize::from(white != self.white_first)];
        let is_last = ply > 0 && ply + 1 >= self.plies;
        (is_last && clock >= comfortable_ms(self.allowance)).then(|| Seen::at(ply, clock))
    }
}

/// A clock time as `[%clk]` has it.
fn clock_text(milliseconds: i64) -> String {
    let sign = if milliseconds < 0 { "-" } else { "" };
    let (seconds, parts) = (milliseconds.abs() / 1000, milliseconds.abs() % 1000);
    let text = format!("{sign}{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if parts == 0 {
        return text;
    }
    let decimals = format!("{parts:03}");
    format!("{text}.{}", decimals.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_clocks() {
        let texts = [3_723_500, -1000, 0, 59_010, -120_001].map(clock_text);
        assert_eq!(texts, ["1:02:03.5", "-0:00:01", "0:00:00", "0:00:59.01", "-0:02:00.001"]);
    }

    #[test]
    fn whose_flag() {
        let daily = TimeControl::parse("1/86400");
        assert_eq!(flagged(Some("1-0"), Some("time"), None), Some(Color::Black));
        assert_eq!(flagged(Some("1-0"), Some("time"), daily.as_ref()), None);
        assert_eq!(flagged(Some("1/2-1/2"), Some("time"), None), None);
        assert_eq!(flagged(Some("0-1"), None, None), None);
    }
}
