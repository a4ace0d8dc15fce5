//! Time controls as the tag TimeControl writes them. The counterpart of `chesstools/time_control.py`.

use crate::text::trim;

/// A period with a number of moves and at least this many seconds is correspondence chess.
const DAY_S: f64 = 86_400.0;

/// The most digits that a number has before its point, and behind it.
const MAX_DIGITS: usize = 9;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Unknown,
    None,
    SuddenDeath,
    Increment,
    Delay,
    Periods,
    PerMove,
    Correspondence,
    Sandclock,
}

impl Kind {
    /// The name, as in the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Unknown => "unknown",
            Kind::None => "none",
            Kind::SuddenDeath => "sudden_death",
            Kind::Increment => "increment",
            Kind::Delay => "delay",
            Kind::Periods => "periods",
            Kind::PerMove => "per_move",
            Kind::Correspondence => "correspondence",
            Kind::Sandclock => "sandclock",
        }
    }
}

/// One period: so many moves (None: the rest of the game) in so many seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Period {
    pub moves: Option<u32>,
    pub seconds: f64,
    /// Seconds added after each move.
    pub increment: f64,
    /// Seconds for which the clock does not run down.
    pub delay: f64,
}

/// A time control: its kind and its periods, the last of which repeats if it has a number of moves.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeControl<'t> {
    pub kind: Kind,
    /// None of `?` and `-`.
    first: Option<Period>,
    others: Vec<Period>,
    text: &'t str,
}

impl<'t> TimeControl<'t> {
    /// The time control that a tag says; None where it has no form that is known.
    pub fn parse(text: &'t str) -> Option<TimeControl<'t>> {
        let text = trim(text);
        let control = |kind, first, others| Some(TimeControl { kind, first, others, text });
        match text {
            "?" => return control(Kind::Unknown, None, Vec::new()),
            "-" | "inf" => return control(Kind::None, None, Vec::new()),
            _ => {}
        }
        if let Some(seconds) = text.strip_suffix("/move") {
            let each = Period { moves: Some(1), seconds: number(seconds)?, increment: 0.0, delay: 0.0 };
            return control(kind(each, false), Some(each), Vec::new());
        }
        let mut parts = text.split(':');
        let (first, mut sandclock) = period(parts.next()?)?;
        let mut others = Vec::new();
        for part in parts {
            let (next, other_sandclock) = period(part)?;
            sandclock |= other_sandclock;
            others.push(next);
        }
        let kind = if sandclock { Kind::Sandclock } else { kind(first, !others.is_empty()) };
        control(kind, Some(first), others)
    }

    pub fn periods(&self) -> impl Iterator<Item = Period> + '_ {
        self.first.into_iter().chain(self.others.iter().copied())
    }

    pub fn has_periods(&self) -> bool {
        self.first.is_some()
    }

    /// The periods as written, where there are any.
    pub fn stages(&self) -> impl Iterator<Item = &'t str> {
        self.text.split(':')
    }

    /// The period that is for the whole game, if one is.
    pub fn one_for_all(&self) -> Option<Period> {
        self.first.filter(|_| matches!(self.kind, Kind::SuddenDeath | Kind::Increment | Kind::Delay))
    }
}

fn kind(first: Period, more: bool) -> Kind {
    match first.moves {
        Some(_) if first.seconds >= DAY_S => Kind::Correspondence,
        _ if more => Kind::Periods,
        Some(1) => Kind::PerMove,
        Some(_) => Kind::Periods,
        None if first.delay != 0.0 => Kind::Delay,
        None if first.increment != 0.0 => Kind::Increment,
        None => Kind::SuddenDeath,
    }
}

/// One period, and whether it is a sandclock: `40/7200`, `*180`, `900+30`, `5400+5d`.
fn period(text: &str) -> Option<(Period, bool)> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(whole(moves).filter(|&moves| moves > 0)?), rest),
        None => (None, text),
    };
    let (sandclock, rest) = match rest.strip_prefix('*') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let (seconds, gain) = match rest.split_once('+') {
        Some((seconds, gain)) => (seconds, Some(gain)),
        None => (rest, None),
    };
    let (increment, delay) = match gain.map(|gain| (gain, gain.strip_suffix('d'))) {
        None => (0.0, 0.0),
        Some((_, Some(delay))) => (0.0, number(delay)?),
        Some((increment, None)) => (number(increment)?, 0.0),
    };
    Some((Period { moves, seconds: number(seconds)?, increment, delay }, sandclock))
}

fn whole(text: &str) -> Option<u32> {
    let digits = (1..=MAX_DIGITS).contains(&text.len()) && text.bytes().all(|sign| sign.is_ascii_digit());
    digits.then(|| text.bytes().fold(0, |number, digit| number * 10 + u32::from(digit - b'0')))
}

/// A number of seconds, perhaps with decimals.
fn number(text: &str) -> Option<f64> {
    match text.split_once('.') {
        None => whole(text).map(f64::from),
        Some((seconds, decimals)) => {
            whole(seconds)?;
            whole(decimals)?;
            text.parse().ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        for (text, kind) in [
            ("?", "unknown"),
            (" - ", "none"),
            ("inf", "none"),
            ("300", "sudden_death"),
            ("300+0", "sudden_death"),
            ("300+0.1", "increment"),
            ("5400+5d", "delay"),
            ("40/7200:3600", "periods"),
            ("40/60", "periods"),
            ("1/30", "per_move"),
            ("0.5/move", "per_move"),
            ("1/259200", "correspondence"),
            ("10/2592000:10/2592000", "correspondence"),
            ("*180", "sandclock"),
            ("40/7200:*60", "sandclock"),
        ] {
            assert_eq!(TimeControl::parse(text).map(|control| control.kind.name()), Some(kind), "{text}");
        }
    }

    #[test]
    fn periods() {
        let control = TimeControl::parse("40/5400+30:1800.5+30").unwrap();
        let periods: Vec<Period> = control.periods().collect();
        let first = Period { moves: Some(40), seconds: 5400.0, increment: 30.0, delay: 0.0 };
        assert_eq!(periods, [first, Period { moves: None, seconds: 1800.5, ..first }]);
        assert_eq!(control.stages().collect::<Vec<_>>(), ["40/5400+30", "1800.5+30"]);
        assert_eq!(control.one_for_all(), None);
        assert_eq!(TimeControl::parse("300+3").unwrap().one_for_all().map(|period| period.increment), Some(3.0));
    }

    #[test]
    fn what_is_none() {
        for text in [
            "",
            "15'/game & 10",
            "300+",
            "40/",
            "1.",
            "1:",
            "/3",
            "**3",
            "3+3+3",
            "4/4/4",
            "0/300",
            "40/2h",
            "d",
            "5+d",
            "5+5dd",
            "/move",
            "1/2/move",
            "1234567890",
            "1.1234567890",
            "+5",
            "300 + 5",
            "½",
            "INF",
            "-:-",
        ] {
            assert_eq!(TimeControl::parse(text), None, "{text}");
        }
    }
}
