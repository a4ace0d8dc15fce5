//! The commands `[%clk]`, `[%emt]` and `[%eval]` in comments. Part of the counterpart of `chesstools/reference/comments.py`, written
//! by hand: in some files every move has them.

use crate::comments::Annotations;
use crate::scan::Scan;
use crate::text::{is_blank, joined_words};

/// A command that cannot be read (C701, C706).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault<'t> {
    pub code: &'static str,
    /// Where it begins in the text that was read, in bytes.
    pub start: usize,
    pub text: &'t str,
    pub tag: &'static str,
    pub reason: &'static str,
}

/// The longest value of a command, in characters, with the blank before it.
const MAX_VALUE_CHARS: usize = 101;

/// Reads `[%clk]`, `[%emt]` and `[%eval]` commands into `into`; gives those that cannot be read to `fault`.
///
/// A text without `[` costs one search, a command that is written as it should be a few steps a sign.
pub fn read_commands<'t>(text: &'t str, into: &mut Annotations, mut fault: impl FnMut(Fault<'t>)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(step) = memchr::memchr(b'[', &bytes[at..]) {
        let start = at + step;
        at = start + 1;
        let Some((command, length)) = Command::of(&bytes[at..]) else { continue };
        let value_at = at + length;
        if let Some(length) = read_plain(command, &bytes[value_at..], into) {
            at = value_at + length;
            continue;
        }
        let Some(length) = memchr::memchr2(b'[', b']', &bytes[value_at..]) else { return };
        let end = value_at + length;
        if length == 0 || bytes[end] == b'[' || !is_blank(bytes[value_at]) {
            continue;
        }
        let value = &text[value_at..end];
        if length > MAX_VALUE_CHARS && value.chars().count() > MAX_VALUE_CHARS {
            continue;
        }
        at = end + 1;
        if let Some(reason) = read_value(command, &joined_words(value), into) {
            let code = if command == Command::Eval { "C706" } else { "C701" };
            fault(Fault { code, start, text: &text[start..at], tag: command.tag(), reason });
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Command {
    Clk,
    Emt,
    Eval,
}

impl Command {
    /// The command that stands behind a `[`, and how many bytes its name takes.
    #[inline]
    fn of(bytes: &[u8]) -> Option<(Command, usize)> {
        match bytes {
            [b'%', b'c', b'l', b'k', ..] => Some((Command::Clk, 4)),
            [b'%', b'e', b'm', b't', ..] => Some((Command::Emt, 4)),
            [b'%', b'e', b'v', b'a', b'l', ..] => Some((Command::Eval, 5)),
            _ => None,
        }
    }

    const fn tag(self) -> &'static str {
        match self {
            Command::Clk => "%clk",
            Command::Emt => "%emt",
            Command::Eval => "%eval",
        }
    }
}

/// Reads a value in its usual form, between one space and `]`; how many bytes that takes. Nothing is read where it has another
/// form, right or wrong.
#[inline]
fn read_plain(command: Command, bytes: &[u8], into: &mut Annotations) -> Option<usize> {
    let mut scan = Scan::of(bytes);
    scan.expect(b' ')?;
    match command {
        Command::Eval => {
            let (value, depth) = read_standard_eval(&mut scan)?;
            scan.expect(b']')?;
            value.put(depth, into);
        }
        _ => {
            let milliseconds = read_clock(&mut scan)?;
            // More decimals than a value has room for: not a command at all.
            if bytes.len() - scan.left() > MAX_VALUE_CHARS {
                return None;
            }
            scan.expect(b']')?;
            let place = if command == Command::Clk { &mut into.clock_ms } else { &mut into.elapsed_ms };
            *place = Some(milliseconds);
        }
    }
    Some(bytes.len() - scan.left())
}

/// Reads the value of a command, trimmed; what is wrong with it, or None.
fn read_value(command: Command, value: &str, into: &mut Annotations) -> Option<&'static str> {
    if command == Command::Eval {
        return read_eval(value, into);
    }
    let Some(milliseconds) = read_whole_clock(value) else { return Some("syntax") };
    let place = if command == Command::Clk { &mut into.clock_ms } else { &mut into.elapsed_ms };
    *place = Some(milliseconds);
    None
}

/// H:MM:SS with decimals, in milliseconds; None where it is not that.
pub(crate) fn read_whole_clock(text: &str) -> Option<i64> {
    let mut scan = Scan::new(text);
    read_clock(&mut scan).filter(|_| scan.at_end())
}

#[inline]
fn read_clock(scan: &mut Scan) -> Option<i64> {
    let negative = scan.take(b'-');
    let hours = scan.number(1, 4)?;
    scan.expect(b':')?;
    let minutes = scan.sixty()?;
    scan.expect(b':')?;
    let seconds = scan.sixty()?;
    let mut milliseconds = ((hours * 60 + minutes) * 60 + seconds) * 1000;
    if scan.take(b'.') {
        milliseconds += scan.thousandths()?;
        scan.skip_digits();
    }
    Some(if negative { -milliseconds } else { milliseconds })
}

/// An evaluation from White's side.
enum Eval {
    Centipawns(i32),
    Mate(i32),
}

impl Eval {
    #[inline]
    fn put(self, depth: Option<i16>, into: &mut Annotations) {
        (into.eval_cp, into.eval_mate) = match self {
            Eval::Centipawns(centipawns) => (Some(centipawns), None),
            Eval::Mate(moves) => (None, Some(moves)),
        };
        into.eval_depth = depth;
    }
}

/// Reads the value of `[%eval]`; what is wrong with it, or None.
fn read_eval(text: &str, into: &mut Annotations) -> Option<&'static str> {
    let mut scan = Scan::new(text);
    if let Some((moves, depth)) = read_odd_mate(&mut scan).filter(|_| scan.at_end()) {
        Eval::Mate(moves).put(depth, into);
        return Some("non-standard");
    }
    if has_comma_decimals(text) {
        // "0,17" is 0.17 with a decimal comma, or 0 at depth 17: not ours to choose.
        return Some("ambiguous");
    }
    let mut scan = Scan::new(text);
    let Some((value, depth)) = read_standard_eval(&mut scan).filter(|_| scan.at_end()) else { return Some("syntax") };
    value.put(depth, into);
    None
}

/// `#3`, `#-3`, `0.17` or `-3`, with a depth behind; but no comma behind a number without a point, which is ambiguous.
#[inline]
fn read_standard_eval(scan: &mut Scan) -> Option<(Eval, Option<i16>)> {
    if scan.take(b'#') {
        let negative = scan.sign();
        let moves = scan.number(1, 4)? as i32;
        return Some((Eval::Mate(if negative { -moves } else { moves }), scan.depth()?));
    }
    let negative = scan.sign();
    let (pawns, with_point) = scan.decimal(6, 3)?;
    if scan.peek() == Some(b',') && !with_point {
        return None;
    }
    let centipawns = (pawns * 100.0).round_ties_even() as i32;
    Some((Eval::Centipawns(if negative { -centipawns } else { centipawns }), scan.depth()?))
}

/// `M3`, `-M3`, `M-3`, with a depth behind.
fn read_odd_mate(scan: &mut Scan) -> Option<(i32, Option<i16>)> {
    let negative = scan.sign();
    scan.expect(b'M')?;
    let inner_negative = scan.sign();
    let moves = scan.number(1, 4)? as i32;
    Some((if negative != inner_negative { -moves } else { moves }, scan.depth()?))
}

/// Digits, a comma and digits, and perhaps a depth behind.
fn has_comma_decimals(text: &str) -> bool {
    let mut scan = Scan::new(text);
    scan.sign();
    let shape = scan.skip_digits() > 0 && scan.take(b',') && scan.skip_digits() > 0;
    shape && (scan.at_end() || ((scan.take(b',') || scan.take(b'/')) && scan.skip_digits() > 0 && scan.at_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(text: &str) -> (Annotations, Vec<(usize, &str, &str)>) {
        let mut into = Annotations::default();
        let mut faults = Vec::new();
        read_commands(text, &mut into, |fault| faults.push((fault.start, fault.text, fault.reason)));
        (into, faults)
    }

    #[test]
    fn clocks() {
        let (into, faults) = commands("[%clk 1:02:03.5][%emt  0:00:00.0129 ] x");
        assert_eq!((into.clock_ms, into.elapsed_ms), (Some(3_723_500), Some(12)));
        assert!(faults.is_empty());
        let (into, faults) = commands("½[%clk 1:2:03] [%clk 0:00:01] [%clkx 1] [%clk [%clk 3]");
        assert_eq!(into.clock_ms, Some(1000));
        assert_eq!(faults, [(2, "[%clk 1:2:03]", "syntax"), (47, "[%clk 3]", "syntax")]);
    }

    #[test]
    fn evaluations() {
        let evals = |text: &str| {
            let mut into = Annotations::default();
            let reason = read_eval(text, &mut into);
            (into.eval_cp, into.eval_mate, into.eval_depth, reason)
        };
        assert_eq!(evals("0.17,20"), (Some(17), None, Some(20), None));
        assert_eq!(evals("-1.005"), (Some(-100), None, None, None));
        assert_eq!(evals("#-3"), (None, Some(-3), None, None));
        assert_eq!(evals("-M-3"), (None, Some(3), None, Some("non-standard")));
        assert_eq!(evals("0,17"), (None, None, None, Some("ambiguous")));
        assert_eq!(evals("mate"), (None, None, None, Some("syntax")));
    }
}
