//! Words: results, moves, move numbers, and what is none of them. The careful path, right for any bytes.
//!
//! A regular expression tries its alternatives in order and takes back what it took where the rest does not follow. Where
//! that matters, functions here try the same in the same order.

use crate::classes::{dot, ends_word, figure, has, invisible, is_ascii_word, is_bom};
use crate::lexer::Kind;
use crate::limits::{MAX_PARTS, MAX_RUN};

/// Kind and end of the token at `at`, which is none that its first byte alone decides.
pub fn word(data: &[u8], at: usize) -> (Kind, usize) {
    let first = data[at];
    let tries: [(Kind, fn(&[u8], usize) -> Option<usize>); 6] = [
        (Kind::Result, result),
        (Kind::Null, null),
        (Kind::Move, chess_move),
        (Kind::Number, number),
        (Kind::Dots, dots),
        (Kind::EnPassant, en_passant),
    ];
    for (kind, read) in tries {
        if let Some(end) = read(data, at) {
            return (kind, end);
        }
    }
    if first >= 0x80 {
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

// -------------------------------------------------------------------------------------------------- results

/// Length of what stands between the two sides of a result; 0 where there is none.
fn dash(data: &[u8], at: usize) -> usize {
    match data.get(at) {
        Some(b'-' | b':' | 0x96) => 1,
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

// -------------------------------------------------------------------------------------------------- moves

fn null(data: &[u8], at: usize) -> Option<usize> {
    let forms: [&[u8]; 4] = [b"--", b"Z0", b"0000", b"@@@@"];
    let form = forms.iter().find(|form| has(data, at, form))?;
    let end = at + form.len();
    (matches!(data.get(end), Some(b'!' | b'?')) || ends_word(data, end)).then_some(end)
}

fn is_file(data: &[u8], at: usize) -> bool {
    matches!(data.get(at), Some(b'a'..=b'h'))
}

fn is_rank(data: &[u8], at: usize) -> bool {
    matches!(data.get(at), Some(b'1'..=b'8'))
}

fn is_square(data: &[u8], at: usize) -> bool {
    is_file(data, at) && is_rank(data, at + 1)
}

fn chess_move(data: &[u8], at: usize) -> Option<usize> {
    match data[at] {
        b'O' | b'0' | b'o' => castling(data, at).or_else(|| drop(data, at)),
        b'A'..=b'Z' | b'@' => on_board(data, at).or_else(|| drop(data, at)),
        _ => on_board(data, at),
    }
}

/// The end of a move without ornaments, told in one go; None where there is none, or where it takes a closer look.
pub fn unadorned_move(data: &[u8], at: usize) -> Option<usize> {
    let byte = |at: usize| data.get(at).copied().unwrap_or(0);
    let mut end = at + usize::from(matches!(byte(at), b'K' | b'Q' | b'R' | b'B' | b'N'));
    if byte(at) == b'O' {
        end = castling_end(data, at)?;
    } else {
        // Where it comes from, as far as that is written, and where it goes.
        let square = end;
        while matches!(byte(end), b'a'..=b'h' | b'1'..=b'8' | b'x') && end < square + 6 {
            end += 1;
        }
        let (from, target) = data[square..end].split_last_chunk::<2>()?;
        let from = from.strip_suffix(b"x").unwrap_or(from);
        let is_square = |square: &[u8]| matches!(square, [b'a'..=b'h', b'1'..=b'8']);
        if !is_square(target) || !(matches!(from, [] | [b'a'..=b'h' | b'1'..=b'8']) || is_square(from)) {
            return None;
        }
        if byte(end) == b'=' && matches!(byte(end + 1), b'Q' | b'R' | b'B' | b'N') {
            end += 2;
        }
    }
    end += usize::from(matches!(byte(end), b'+' | b'#'));
    let ends = matches!(byte(end), b' ' | b'\t'..=b'\r' | b'!' | b'?' | b')' | b'{' | b'}' | b';' | b'$' | b'[' | b']');
    ends.then_some(end)
}

/// The end of `O-O` or `O-O-O`.
fn castling_end(data: &[u8], at: usize) -> Option<usize> {
    let long = has(data, at, b"O-O-O");
    (long || has(data, at, b"O-O")).then_some(at + if long { 5 } else { 3 })
}

fn castling(data: &[u8], at: usize) -> Option<usize> {
    let is_letter = |at: usize| matches!(data.get(at), Some(b'O' | b'0' | b'o'));
    let ends = match data.get(at + 1) {
        Some(b'-') if is_letter(at + 2) => {
            let long = data.get(at + 3) == Some(&b'-') && is_letter(at + 4);
            [long.then_some(at + 5), Some(at + 3)]
        }
        Some(&second) if second == data[at] && second != b'0' => {
            [(data.get(at + 2) == Some(&second)).then_some(at + 3), Some(at + 2)]
        }
        _ => [None, None],
    };
    ends.into_iter().flatten().find_map(|end| checked(data, end))
}

/// `[A-Z]?@[a-h][1-8]`
fn drop(data: &[u8], at: usize) -> Option<usize> {
    let sign = at + usize::from(data[at].is_ascii_uppercase());
    (data.get(sign) == Some(&b'@') && is_square(data, sign + 1)).then_some(sign + 3).and_then(|end| checked(data, end))
}

/// A move from square to square, whatever is left out of it or added to it.
fn on_board(data: &[u8], at: usize) -> Option<usize> {
    let figure = match data[at] {
        b'P' | b'N' | b'B' | b'R' | b'Q' | b'K' | b'p' | b'n' | b'b' | b'r' | b'q' | b'k' => 1,
        _ => figure(data, at),
    };
    either(figure, at, |at| {
        either(usize::from(is_file(data, at)), at, |at| {
            either(usize::from(is_rank(data, at)), at, |at| {
                either(usize::from(matches!(data.get(at), Some(b'-' | b'x' | b':'))), at, |at| {
                    is_square(data, at).then_some(at + 2).and_then(|end| promotion(data, end))
                })
            })
        })
    })
}

/// An optional part of a given length (0: it is not there): with it first, then without it.
fn either(length: usize, at: usize, rest: impl Fn(usize) -> Option<usize>) -> Option<usize> {
    if length > 0 {
        if let Some(end) = rest(at + length) {
            return Some(end);
        }
    }
    rest(at)
}

fn promotion(data: &[u8], at: usize) -> Option<usize> {
    let is_letter = |at: usize| data.get(at).is_some_and(u8::is_ascii_alphabetic);
    let sign = data.get(at).copied();
    let letter = at + usize::from(matches!(sign, Some(b'=' | b'/')));
    let goes_on = matches!(data.get(letter + 1), Some(b'a'..=b'z' | b'0'..=b'9' | b'.'));
    let plain = if is_letter(letter) && !goes_on { marked(data, letter + 1) } else { None };
    plain
        .or_else(|| if sign == Some(b'=') { marked(data, at + 1) } else { None })
        .or_else(|| {
            let bracketed = sign == Some(b'(') && is_letter(at + 1) && data.get(at + 2) == Some(&b')');
            if bracketed {
                marked(data, at + 3)
            } else {
                None
            }
        })
        .or_else(|| marked(data, at))
}

/// With an `e.p.` or without.
fn marked(data: &[u8], at: usize) -> Option<usize> {
    if let Some(end) = en_passant_letters(data, at) {
        let dotted = data.get(end) == Some(&b'.');
        if let Some(end) = either(usize::from(dotted), end, |end| checked(data, end)) {
            return Some(end);
        }
    }
    checked(data, at)
}

/// `e\.?p`
fn en_passant_letters(data: &[u8], at: usize) -> Option<usize> {
    if data.get(at) != Some(&b'e') {
        return None;
    }
    let p = at + 1 + usize::from(data.get(at + 1) == Some(&b'.'));
    (data.get(p) == Some(&b'p')).then_some(p + 1)
}

/// With as many of up to four check signs as let a move end there.
fn checked(data: &[u8], at: usize) -> Option<usize> {
    let signs = data[at..].iter().take(4).take_while(|&&byte| byte == b'+' || byte == b'#').count();
    (at..=at + signs).rev().find(|&end| ends_move(data, end))
}

fn ends_move(data: &[u8], at: usize) -> bool {
    match data.get(at) {
        Some(b'!' | b'?' | b'*') => true,
        Some(b'1') => has(data, at, b"1-0") || has(data, at, b"1/2"),
        Some(b'0') => has(data, at, b"0-1"),
        Some(0xBD) => true,
        Some(0xC2) if has(data, at, b"\xC2\xBD") => true,
        _ => ends_word(data, at) || glyph(data, at).is_some(),
    }
}

/// Signs of an evaluation, as a word of their own.
fn glyph(data: &[u8], at: usize) -> Option<usize> {
    const LONG: [&[u8]; 4] = [b"+/-", b"-/+", b"\xE2\x88\x93", b"\xE2\x88\x9E"];
    const SHORT: [&[u8]; 7] = [b"+-", b"-+", b"+=", b"=+", b"+/=", b"=/+", b"="];
    if !matches!(data[at], b'+' | b'-' | b'=' | 0xC2 | 0xE2) {
        return None;
    }
    let signs = LONG.iter().chain(&SHORT).chain(&[b"\xC2\xB1" as &[u8], b"\xE2\xA9\xB1", b"\xE2\xA9\xB2"]);
    signs.filter(|sign| has(data, at, sign)).map(|sign| at + sign.len()).find(|&end| ends_word(data, end))
}

// -------------------------------------------------------------------------------------------------- numbers

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

/// `e\.?p\.?` as a word of its own.
fn en_passant(data: &[u8], at: usize) -> Option<usize> {
    let end = en_passant_letters(data, at)?;
    let end = end + usize::from(data.get(end) == Some(&b'.'));
    ends_word(data, end).then_some(end)
}
