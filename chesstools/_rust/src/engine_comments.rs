//! Comments as engine matches have them: cutechess and fastchess write `+0.89/27 11.1s`, TCEC writes `d=31, wv=0.29, …`.
//! Part of the counterpart of `chesstools/reference/comments.py`.

use crate::commands::read_whole_clock;
use crate::comments::Annotations;
use crate::scan::Scan;

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
