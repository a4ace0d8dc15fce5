//! What comments say in a form that machines write: clocks, times, evaluations. What is not certain stays text.
//! The counterpart of `chesstools/reference/comments.py`, written by hand: comments are the bulk of many files.

use std::borrow::Cow;

use crate::scan::Scan;
use crate::tags::{Name, Tags};
use crate::text::{is_blank, joined_words, trim};

/// Typed values found in the comments of one ply; all None where nothing is said.
///
/// Times are milliseconds, `eval_cp` is centipawns from White's side, `eval_mate` moves to mate, positive if White mates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    pub clock_ms: Option<i64>,
    pub elapsed_ms: Option<i64>,
    pub eval_cp: Option<i32>,
    pub eval_mate: Option<i32>,
    pub eval_depth: Option<i16>,
}

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

/// Comment text without outer blanks, with line breaks as one blank: wrapping is not content.
pub fn normalise(text: &str) -> Cow<'_, str> {
    if memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(trim(text));
    }
    let mut joined = String::with_capacity(text.len());
    for line in text.split(['\n', '\r']).map(trim).filter(|line| !line.is_empty()) {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(line);
    }
    Cow::Owned(joined)
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
fn read_whole_clock(text: &str) -> Option<i64> {
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

/// Reads a comment of cutechess or fastchess, such as `+0.89/27 11.1s`: the mover's evaluation, depth and time.
///
/// The shape alone does not say from whose side the evaluation is. Call this only for games that name their producer by their tags
/// (`written_by_engine_match`).
pub fn read_engine(text: &str, into: &mut Annotations, white_moved: bool) {
    let mut scan = Scan::new(text);
    let before = scan.clone();
    let negative = scan.sign();
    let (mate, pawns) = if scan.take(b'M') {
        let Some(moves) = scan.number(1, 4) else { return };
        (Some(if negative { -(moves as i32) } else { moves as i32 }), 0.0)
    } else {
        scan = before;
        let Some(pawns) = scan.hundredths(5) else { return };
        (None, pawns)
    };
    if !scan.take(b'/') {
        return;
    }
    let Some(depth) = scan.number(1, 3) else { return };
    let mut time = scan.clone();
    let seconds = read_seconds(&mut time);
    if seconds.is_none() && !scan.at_break() {
        return;
    }
    let flip = if white_moved { 1 } else { -1 };
    match mate {
        Some(moves) => into.eval_mate = Some(flip * moves),
        None => into.eval_cp = Some(flip * (pawns * 100.0).round_ties_even() as i32),
    }
    into.eval_depth = Some(depth as i16);
    if let Some(seconds) = seconds {
        into.elapsed_ms = Some((seconds * 1000.0).round_ties_even() as i64);
    }
}

/// ` 11.1s` with a break behind it.
fn read_seconds(scan: &mut Scan) -> Option<f64> {
    if !scan.take(b' ') {
        return None;
    }
    while scan.take(b' ') {}
    let (seconds, _) = scan.decimal(7, 3)?;
    (scan.take(b's') && scan.at_break()).then_some(seconds)
}

/// Whether the tags are those that cutechess and fastchess write, whose evaluations are the mover's own.
pub fn written_by_engine_match(tags: &Tags) -> bool {
    tags.tag(Name::GameStartTime).is_some() && tags.tag(Name::GameEndTime).is_some()
}

/// Reads a comment of `key=value,` pairs as TCEC writes them: d, mt, tl, and wv, the evaluation from White's side.
///
/// The older key `ev` does not say from whose side it is and stays text.
pub fn read_tcec(text: &str, into: &mut Annotations) {
    if !has_tcec_shape(text) {
        return;
    }
    let (mut depth, mut taken, mut left, mut value) = (None, None, None, None);
    let bytes = text.as_bytes();
    for equals in memchr::memchr_iter(b'=', bytes) {
        let (key, found) = match &bytes[..equals] {
            [.., b' ' | b',', b'd'] | b"d" => (&mut depth, equals + 1),
            [.., b' ' | b',', b'm', b't'] | b"mt" => (&mut taken, equals + 1),
            [.., b' ' | b',', b't', b'l'] | b"tl" => (&mut left, equals + 1),
            [.., b' ' | b',', b'w', b'v'] | b"wv" => (&mut value, equals + 1),
            _ => continue,
        };
        let found = &text[found..];
        let found = &found[..memchr::memchr2(b' ', b',', found.as_bytes()).unwrap_or(found.len())];
        if !found.is_empty() {
            *key = Some(found);
        }
    }
    if let Some(taken) = taken {
        into.elapsed_ms = tcec_time(taken);
    }
    if let Some(left) = left {
        into.clock_ms = tcec_time(left);
    }
    if let Some(value) = value {
        read_tcec_value(value, into);
    }
    if into.eval_cp.is_some() || into.eval_mate.is_some() {
        let mut scan = Scan::new(depth.unwrap_or(""));
        if let Some(depth) = scan.number(1, 4).filter(|_| scan.at_end()) {
            into.eval_depth = Some(depth as i16);
        }
    }
}

/// Whether three `key=value,` stand at the beginning.
fn has_tcec_shape(text: &str) -> bool {
    let mut rest = text.as_bytes();
    for pair in 0..3 {
        if pair > 0 {
            let blanks = rest.iter().take_while(|&&byte| byte == b' ').count();
            rest = &rest[blanks..];
        }
        let key = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        if key == 0 || rest.get(key) != Some(&b'=') {
            return false;
        }
        let Some(comma) = memchr::memchr(b',', rest) else { return false };
        rest = &rest[comma + 1..];
    }
    true
}

/// `0.17`, `M12` or `#-12`.
fn read_tcec_value(text: &str, into: &mut Annotations) {
    let mut scan = Scan::new(text);
    if let Some(pawns) = scan.point_decimal(6, 2).filter(|_| scan.at_end()) {
        into.eval_cp = Some((pawns * 100.0).round_ties_even() as i32);
        return;
    }
    let mut scan = Scan::new(text);
    let negative = scan.sign();
    if !scan.take(b'M') && !scan.take(b'#') {
        return;
    }
    if let Some(moves) = scan.number(1, 4).filter(|_| scan.at_end()) {
        into.eval_mate = Some(if negative { -(moves as i32) } else { moves as i32 });
    }
}

/// `00:06:16` or a number of milliseconds.
fn tcec_time(text: &str) -> Option<i64> {
    let mut scan = Scan::new(text);
    scan.number(1, 10).filter(|_| scan.at_end()).or_else(|| read_whole_clock(text))
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
    fn lines_are_joined() {
        assert_eq!(normalise(" line one\r\nline two "), "line one line two");
        assert_eq!(normalise(" \n "), "");
        assert_eq!(normalise("\ta b "), "a b");
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

    #[test]
    fn engines() {
        let read = |text: &str| {
            let mut into = Annotations::default();
            read_engine(text, &mut into, false);
            (into.eval_cp, into.eval_mate, into.eval_depth, into.elapsed_ms)
        };
        assert_eq!(read("+0.89/27 11.1s"), (Some(-89), None, Some(27), Some(11100)));
        assert_eq!(read("-M4/7, x"), (None, Some(4), Some(7), None));
        assert_eq!(read("0.00/7 11.1sec"), (Some(0), None, Some(7), None));
        assert_eq!(read("0.00/7s"), (None, None, None, None));
        assert_eq!(read("book"), (None, None, None, None));
    }

    #[test]
    fn tcec() {
        let mut into = Annotations::default();
        read_tcec("d=31, sd=60, mt=00:06:16, tl=7200000, wv=-0.29, R50=50", &mut into);
        let wanted = Annotations {
            clock_ms: Some(7_200_000),
            elapsed_ms: Some(376_000),
            eval_cp: Some(-29),
            eval_mate: None,
            eval_depth: Some(31),
        };
        assert_eq!(into, wanted);
        let mut into = Annotations::default();
        read_tcec("d=31, mt=3", &mut into);
        assert_eq!(into, Annotations::default());
    }
}
