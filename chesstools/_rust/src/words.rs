//! Words: results, moves, move numbers, and what is none of them. The careful path, right for any bytes.
//!
//! A regular expression tries its alternatives in order and takes back what it took where the rest does not follow. Where
//! that matters, functions here try the same in the same order.

use crate::classes::{dot, ends_word, has, invisible, is_ascii_word, is_bom};
use crate::lexer::Kind;
use crate::limits::{MAX_PARTS, MAX_RUN};
use crate::moves;

/// Kind and end of the token at `at`, which is none that its first byte alone decides.
pub fn word(data: &[u8], at: usize) -> (Kind, usize) {
    let found = result(data, at)
        .map(|end| (Kind::Result, end))
        .or_else(|| null(data, at).map(|end| (Kind::Null, end)))
        .or_else(|| moves::chess_move(data, at).map(|end| (Kind::Move, end)))
        .or_else(|| number(data, at).map(|end| (Kind::Number, end)))
        .or_else(|| dots(data, at).map(|end| (Kind::Dots, end)))
        .or_else(|| en_passant(data, at).map(|end| (Kind::EnPassant, end)));
    if let Some(found) = found {
        return found;
    }
    if data[at] >= 0x80 {
        if is_bom(data, at) {
            return (Kind::Bom, at + 3);
        }
        if let Some(end) = invisibles(data, at) {
            return (Kind::Invisible, end);
        }
    }
    if let Some(end) = glyph(data, at) {
        return (Kind::Symbol, end);
    }
    match plain(data, at) {
        end if end > at => (Kind::Word, end),
        _ => (Kind::Symbol, at + 1),
    }
}

/// The end of what belongs to no other kind.
fn plain(data: &[u8], mut at: usize) -> usize {
    for _ in 0..MAX_PARTS {
        let Some(&byte) = data.get(at) else { break };
        if byte >= 0x80 {
            if is_bom(data, at) || invisible(data, at) > 0 {
                break;
            }
            at += 1;
        } else {
            let most = &data[at..data.len().min(at + MAX_RUN)];
            let length = most.iter().position(|&byte| !is_ascii_word(byte)).unwrap_or(most.len());
            if length == 0 {
                break;
            }
            at += length;
        }
    }
    at
}

fn invisibles(data: &[u8], mut at: usize) -> Option<usize> {
    let start = at;
    for _ in 0..MAX_PARTS {
        match data.get(at).map_or(0, |_| invisible(data, at)) {
            0 => break,
            length => at += length,
        }
    }
    (at > start).then_some(at)
}

/// Length of what stands between the two sides of a result; 0 where there is none.
fn dash(data: &[u8], at: usize) -> usize {
    match data.get(at) {
        Some(b'-' | b':' | 0x96 | 0x97) => 1,
        Some(0xE2) if has(data, at, b"\xE2\x88\x92") => 3,
        Some(0xE2) if has(data, at, b"\xE2\x80") && matches!(data.get(at + 2), Some(0x90..=0x95)) => 3,
        _ => 0,
    }
}

/// Length of a half point; 0 where there is none.
fn half(data: &[u8], at: usize) -> usize {
    match data.get(at) {
        Some(b'1') if has(data, at, b"1/2") => 3,
        Some(b'0') if has(data, at, b"0.5") || has(data, at, b"0,5") => 3,
        Some(0xC2) if has(data, at, b"\xC2\xBD") => 2,
        Some(0xBD) => 1,
        _ => 0,
    }
}

fn result(data: &[u8], at: usize) -> Option<usize> {
    let ended = |end: usize| ends_word(data, end).then_some(end);
    let first = data[at];
    let whole = match first {
        b'1' | b'0' => {
            let second = at + 1 + dash(data, at + 1);
            let other = b'1' + b'0' - first;
            if second > at + 1 && data.get(second) == Some(&other) {
                ended(second + 1)
            } else {
                None
            }
        }
        b'*' => return Some(at + 1),
        b'-' | b'+' => {
            let forms: [&[u8]; 4] = [b"-/-", b"-:-", b"+:-", b"-:+"];
            forms.iter().any(|form| has(data, at, form)).then_some(at + 3).and_then(ended)
        }
        _ => None,
    };
    whole.or_else(|| {
        let one = half(data, at);
        if one == 0 {
            return None;
        }
        let between = dash(data, at + one);
        let two = half(data, at + one + between);
        let both = if between > 0 && two > 0 { ended(at + one + between + two) } else { None };
        both.or_else(|| ended(at + one))
    })
}

fn null(data: &[u8], at: usize) -> Option<usize> {
    let forms: [&[u8]; 4] = [b"--", b"Z0", b"0000", b"@@@@"];
    let form = forms.iter().find(|form| has(data, at, form))?;
    let end = at + form.len();
    (matches!(data.get(end), Some(b'!' | b'?')) || ends_word(data, end)).then_some(end)
}

/// Signs of an evaluation, as a word of their own.
pub fn glyph(data: &[u8], at: usize) -> Option<usize> {
    const LONG: [&[u8]; 4] = [b"+/-", b"-/+", b"\xE2\x88\x93", b"\xE2\x88\x9E"];
    const SHORT: [&[u8]; 7] = [b"+-", b"-+", b"+=", b"=+", b"+/=", b"=/+", b"="];
    if !matches!(data[at], b'+' | b'-' | b'=' | 0xB1 | 0xC2 | 0xE2) {
        return None;
    }
    let signs = LONG.iter().chain(&SHORT).chain(&[b"\xC2\xB1" as &[u8], b"\xB1", b"\xE2\xA9\xB1", b"\xE2\xA9\xB2"]);
    signs.filter(|sign| has(data, at, sign)).map(|sign| at + sign.len()).find(|&end| ends_word(data, end))
}

fn number(data: &[u8], at: usize) -> Option<usize> {
    let digits = data[at..].iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
    let end = at + digits;
    if digits == 0 || digits > 9 {
        return None;
    }
    if let Some(end) = dots(data, end) {
        return Some(end);
    }
    let before_move = matches!(data.get(end), Some(b'a'..=b'h' | b'K' | b'Q' | b'R' | b'B' | b'N' | b'O'));
    (before_move || (digits <= 3 && ends_word(data, end))).then_some(end)
}

fn dots(data: &[u8], mut at: usize) -> Option<usize> {
    let start = at;
    for _ in 0..MAX_RUN {
        match dot(data, at) {
            0 => break,
            length => at += length,
        }
    }
    (at > start).then_some(at)
}

/// `e\.?p`
pub fn en_passant_letters(data: &[u8], at: usize) -> Option<usize> {
    if data.get(at) != Some(&b'e') {
        return None;
    }
    let p = at + 1 + usize::from(data.get(at + 1) == Some(&b'.'));
    (data.get(p) == Some(&b'p')).then_some(p + 1)
}

/// `e\.?p\.?` as a word of its own.
fn en_passant(data: &[u8], at: usize) -> Option<usize> {
    let end = en_passant_letters(data, at)?;
    let end = end + usize::from(data.get(end) == Some(&b'.'));
    ends_word(data, end).then_some(end)
}
