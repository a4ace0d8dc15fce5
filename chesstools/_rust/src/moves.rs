//! Moves as words: castlings, moves from square to square with whatever is left out or added, and drops. The careful path,
//! right for any bytes (see `words.rs`).

use crate::classes::{ends_word, figure, has};
use crate::words::{en_passant_letters, glyph};

fn is_file(data: &[u8], at: usize) -> bool {
    matches!(data.get(at), Some(b'a'..=b'h'))
}

fn is_rank(data: &[u8], at: usize) -> bool {
    matches!(data.get(at), Some(b'1'..=b'8'))
}

fn is_square(data: &[u8], at: usize) -> bool {
    is_file(data, at) && is_rank(data, at + 1)
}

/// The end of a move.
pub fn chess_move(data: &[u8], at: usize) -> Option<usize> {
    match data[at] {
        b'O' | b'0' | b'o' => castling(data, at).or_else(|| drop(data, at)),
        b'A'..=b'Z' | b'@' => on_board(data, at).or_else(|| drop(data, at)),
        _ => on_board(data, at),
    }
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
