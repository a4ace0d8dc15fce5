//! What a time control gives to each player, in milliseconds, as far as clocks can be judged by it.
//! The counterpart of `chesstools/reference/allowance.py`.

use crate::time_control::{Kind, Period, TimeControl};

/// A period in milliseconds; `moves` is None for the rest of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub moves: Option<u32>,
    pub time_ms: i64,
    /// Most that a move adds to the clock.
    pub gain_ms: i64,
    /// Whether a move adds just that: it does not where it is a delay.
    pub is_added: bool,
}

impl Span {
    fn of(period: Period) -> Span {
        let milliseconds = |seconds: f64| (seconds * 1000.0).round_ties_even() as i64;
        let gain = if period.increment != 0.0 { period.increment } else { period.delay };
        Span {
            moves: period.moves,
            time_ms: milliseconds(period.seconds),
            gain_ms: milliseconds(gain),
            is_added: period.delay == 0.0,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowance {
    pub first: Span,
    others: Vec<Span>,
}

impl Allowance {
    /// None where clocks cannot be judged: there is no control, it is a sandclock, or its moves cannot be counted.
    pub fn of(control: Option<&TimeControl>, from_move_one: bool) -> Option<Allowance> {
        let control = control.filter(|control| control.kind != Kind::Sandclock)?;
        let mut spans = control.periods().map(Span::of);
        let first = spans.next()?;
        let others: Vec<Span> = spans.collect();
        let counted = !matches!(first.moves, None | Some(1));
        let endless = |span: &Span| span.moves.is_none();
        if (counted && !from_move_one) || (!others.is_empty() && endless(&first)) {
            return None;
        }
        if others.len() > 1 && others[..others.len() - 1].iter().any(endless) {
            return None;
        }
        Some(Allowance { first, others })
    }

    /// The period with this number, from 0; the last one repeats.
    pub fn span(&self, number: u32) -> Span {
        if number == 0 || self.others.is_empty() {
            return self.first;
        }
        self.others[(number as usize).min(self.others.len()) - 1]
    }

    /// Least that a move adds to the clock at most, in any period.
    pub fn least_gain_ms(&self) -> i64 {
        self.others.iter().map(|span| span.gain_ms).fold(self.first.gain_ms, i64::min)
    }

    /// Whether moves add anything to the clock, in any period.
    pub fn adds(&self) -> bool {
        self.first.gain_ms > 0 || self.others.iter().any(|span| span.gain_ms > 0)
    }

    /// On the clock at the start.
    pub fn start_ms(&self) -> i64 {
        self.first.time_ms
    }

    /// Whether each move has a time of its own, so that a clock may begin anew.
    pub fn is_per_move(&self) -> bool {
        self.first.moves == Some(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowance(text: &str, from_move_one: bool) -> Option<Allowance> {
        Allowance::of(TimeControl::parse(text).as_ref(), from_move_one)
    }

    #[test]
    fn what_can_be_judged() {
        for text in ["?", "-", "*180", "3600:900", "40/7200:3600:900", "x"] {
            assert_eq!(allowance(text, true), None, "{text}");
        }
        assert_eq!(allowance("40/7200:3600", false), None);
        assert!(allowance("1/30", false).is_some_and(|allowance| allowance.is_per_move()));
    }

    #[test]
    fn the_last_period_repeats() {
        let allowance = allowance("40/7200:20/3600:900+30", true).unwrap();
        let times = [0, 1, 2, 3, 9].map(|number| allowance.span(number).time_ms);
        assert_eq!(times, [7_200_000, 3_600_000, 900_000, 900_000, 900_000]);
        assert_eq!((allowance.span(2).gain_ms, allowance.least_gain_ms()), (30_000, 0));
        assert_eq!(super::tests::allowance("154.283+1.543", true).unwrap().span(7).gain_ms, 1543);
    }
}
