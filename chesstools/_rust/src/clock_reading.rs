//! Clock times out of the comments of a game: most stand in the same form, and are read by a few steps on eight bytes.

use std::borrow::Cow;

use crate::allowance::Allowance;
use crate::clocks::{Clocks, MANY_ZEROS, SLACK_MS};
use crate::comments::{read_comment, Annotations};
use crate::lexer::Token;
use crate::record::Note;

/// `{ [%clk 0:03:00] }` has this many bytes; an evaluation with its blank before it has at most so many more.
const CLOCK_ALONE: usize = 18;
const EVALUATION: usize = 17;

/// The clock time, in milliseconds, of a comment that holds nothing but that, and perhaps an evaluation before it, as Lichess writes
/// them.
#[inline(always)]
pub fn usual_clock(comment: &[u8]) -> Option<i64> {
    const ALONE: u64 = u64::from_le_bytes(*b"{ [%clk ");
    const BEHIND: u64 = u64::from_le_bytes(*b"{ [%eval");
    let head = u64::from_le_bytes(*comment.first_chunk()?);
    let length = comment.len();
    // In what is no longer than that, no other command stands between the two.
    let begins = (head == ALONE) & (length == CLOCK_ALONE) | (head == BEHIND) & (length <= CLOCK_ALONE + EVALUATION);
    // Of `[%clk 0:03:00] }` the digits are left, and zeros where all else is as it should be.
    let (rest, second) = comment.split_last_chunk::<8>()?;
    let first = u64::from_le_bytes(*rest.last_chunk()?) ^ u64::from_le_bytes(*b"[%clk 0:");
    let second = u64::from_le_bytes(*second) ^ u64::from_le_bytes(*b"00:00] }");
    const FIRST: Most = Most::of([0, 0, 0, 0, 0, 0, 9, 0]);
    const SECOND: Most = Most::of([5, 9, 0, 5, 9, 0, 0, 0]);
    if !begins || FIRST.broken(first) | SECOND.broken(second) != 0 {
        return None;
    }
    let hours = (first >> 48) as i64;
    let digit = |at: u32| (second >> (8 * at) & 0xF) as i64;
    // Ten minutes, minutes, ten seconds, seconds.
    Some(((((hours * 6 + digit(0)) * 10 + digit(1)) * 6 + digit(3)) * 10 + digit(4)) * 1000)
}

/// Tells whether bytes are no larger than they may be.
struct Most {
    /// Added to a value that is too large, this gives 16 or more.
    more: u64,
    wrong: u64,
}

impl Most {
    /// By byte, 9 at most.
    const fn of(most: [u8; 8]) -> Most {
        let (mut more, mut wrong, mut at) = ([0; 8], [0xFF; 8], 0);
        while at < 8 {
            if most[at] > 0 {
                (more[at], wrong[at]) = (15 - most[at], 0xF0);
            }
            at += 1;
        }
        Most { more: u64::from_le_bytes(more), wrong: u64::from_le_bytes(wrong) }
    }

    /// Not zero where a byte is too large.
    #[inline(always)]
    fn broken(&self, values: u64) -> u64 {
        (values | values.wrapping_add(self.more)) & self.wrong
    }
}

/// By the colour of plies, odd ones first: the last ply with a clock time, 0 where there is none, and the time.
pub type Last = [(u32, i64); 2];

/// Looks through the comments of a game: None where a closer look is due, because one has another form, or a clock gains much or
/// shows nothing more for long.
#[inline]
pub fn quiet<'a>(notes: &[Note], bytes: impl Fn(Token) -> &'a [u8], allowance: Option<&Allowance>) -> Option<Last> {
    let most = allowance.map_or(i64::MAX, |allowance| allowance.least_gain_ms() + SLACK_MS);
    // A clock that starts with nothing starts with something else than the control says.
    let start = allowance.map_or(0, Allowance::start_ms);
    let start = if start == 0 { i64::MAX } else { start };
    // Times of the usual form are whole seconds: a few of zero are rounded, where nothing should be on the clock.
    let zeros_allowed = if allowance.is_some_and(Allowance::adds) { 0 } else { MANY_ZEROS - 1 };
    let mut zeros = 0;
    let mut last = [(0, start); 2];
    for note in notes {
        let Note::Comment { ply: ply @ 1.., token } = *note else { continue };
        let clock = usual_clock(bytes(token))?;
        let (last_ply, before) = &mut last[(ply & 1) as usize ^ 1];
        zeros += u32::from(clock == 0);
        if clock - *before > most || zeros > zeros_allowed || *last_ply == ply {
            return None;
        }
        (*last_ply, *before) = (ply, clock);
    }
    Some(last)
}

/// Goes through all plies of the mainline. `text` gives a comment with the signs around it, and what it says.
pub fn go_along<'a, 'b>(
    clocks: &mut Clocks,
    notes: &[Note],
    plies: u32,
    by_engines: bool,
    bytes: impl Fn(Token) -> &'b [u8],
    text: impl Fn(Token) -> (Cow<'a, str>, Cow<'a, str>),
) {
    let mut notes = notes.iter().skip_while(|note| note.ply() == 0).peekable();
    for ply in 1..=plies {
        let mut said = Annotations::default();
        while let Some(note) = notes.next_if(|note| note.ply() == ply) {
            let Note::Comment { token, .. } = *note else { continue };
            if let Some(clock) = usual_clock(bytes(token)) {
                said.clock_ms = Some(clock);
                continue;
            }
            let (raw, text) = text(token);
            read_comment(&raw, &text, by_engines, clocks.is_white(ply), &mut said);
        }
        clocks.add(said.clock_ms, said.elapsed_ms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comments::read_commands;
    use crate::lexer::Kind;
    use crate::time_control::TimeControl;

    #[test]
    fn usual_forms() {
        for (text, clock) in [
            ("{ [%clk 0:03:00] }", Some(180_000)),
            ("{ [%clk 9:59:59] }", Some(35_999_000)),
            ("{ [%eval 0.17] [%clk 0:00:01] }", Some(1000)),
            ("{ [%eval -103.00] [%clk 0:00:01] }", Some(1000)),
            ("{ [%eval #-3] [%clk 0:00:00] }", Some(0)),
            ("{ [%clk 0:60:00] }", None),
            ("{ [%clk 0:00:01.5] }", None),
            ("{[%clk 0:03:00]}", None),
            ("{ [%emt 0:00:01] [%clk 0:03:00] }", None),
            ("{ [%eval 1] [%emt 0:00:01] [%clk 0:03:00] }", None),
            ("{ }", None),
            ("", None),
        ] {
            assert_eq!(usual_clock(text.as_bytes()), clock, "{text}");
        }
    }

    #[test]
    fn every_byte_is_looked_at() {
        for place in 0..18 {
            for byte in 0..128u8 {
                let mut text = *b"{ [%clk 1:23:45] }";
                text[place] = byte;
                let Some(clock) = usual_clock(&text) else { continue };
                let mut said = Annotations::default();
                read_commands(std::str::from_utf8(&text).unwrap(), &mut said, |fault| panic!("{fault:?}"));
                assert_eq!(said.clock_ms, Some(clock));
            }
        }
    }

    #[test]
    fn quiet_games() {
        let control = TimeControl::parse("60+1");
        let allowance = Allowance::of(control.as_ref(), true).unwrap();
        let look = |clocks: &[(u32, &str)]| {
            let text: String = clocks.iter().map(|(_, clock)| format!("{{ [%clk {clock}] }}")).collect();
            let token = |at: usize| Token::new(Kind::Comment, 18 * at, 18 * (at + 1));
            let notes: Vec<Note> =
                clocks.iter().enumerate().map(|(at, &(ply, _))| Note::Comment { ply, token: token(at) }).collect();
            quiet(&notes, |token| &text.as_bytes()[token.start as usize..token.end as usize], Some(&allowance))
        };
        let last = look(&[(1, "0:01:00"), (2, "0:00:59"), (3, "0:01:04")]);
        assert_eq!(last, Some([(3, 64_000), (2, 59_000)]));
        assert_eq!(look(&[]), Some([(0, 60_000); 2]));
        assert_eq!(look(&[(1, "0:01:05")]), None);
        assert_eq!(look(&[(1, "0:01:00"), (3, "0:01:05")]), None);
        assert_eq!(look(&[(1, "0:01:00"), (1, "0:00:59")]), None);
        assert_eq!(look(&[(2, "0:00:00")]), None);
    }
}
