//! What stands behind a token, where that decides a doubtful case of `segment.rs`. At most `LOOK_AHEAD` bytes are looked at.

use crate::classes::{dot, figure, has, invisible, is_bom, is_line_break, is_space, is_tag_name, skip_blanks};
use crate::limits::LOOK_AHEAD;

/// What can be seen from `at`, and no further.
fn view(data: &[u8], at: usize) -> &[u8] {
    &data[..data.len().min(at + LOOK_AHEAD)]
}

fn skip_space(data: &[u8], at: usize) -> usize {
    data[at..].iter().position(|&byte| !is_space(byte)).map_or(data.len(), |length| at + length)
}

fn is_tag(data: &[u8], at: usize) -> bool {
    if data.get(at) != Some(&b'[') {
        return false;
    }
    let name = skip_blanks(data, at + 1);
    let behind = data[name..].iter().position(|&byte| !is_tag_name(byte)).map_or(data.len(), |length| name + length);
    behind > name && data.get(skip_blanks(data, behind)) == Some(&b'"')
}

/// Behind blanks, two line breaks: the place behind them.
fn blank_line_end(data: &[u8], at: usize) -> Option<usize> {
    let first = skip_blanks(data, at);
    let behind = match data.get(first)? {
        b'\r' if has(data, first, b"\r\n") => first + 2,
        b'\r' | b'\n' => first + 1,
        _ => return None,
    };
    let second = skip_blanks(data, behind);
    is_line_break(*data.get(second)?).then_some(second + 1)
}

/// Whether a tag pair comes next.
pub fn tag(data: &[u8], at: usize) -> bool {
    let data = view(data, at);
    is_tag(data, skip_space(data, at))
}

/// Whether no result comes: the end, a tag pair, or a blank line.
pub fn no_result(data: &[u8], at: usize) -> bool {
    let data = view(data, at);
    let next = skip_space(data, at);
    next == data.len() || is_tag(data, next) || blank_line_end(data, at).is_some()
}

/// Whether a game ends here: at the end of the text, before a tag pair, or before a move 1 behind a blank line.
pub fn end(data: &[u8], at: usize) -> bool {
    let data = view(data, at);
    let next = skip_space(data, at);
    if next == data.len() || is_tag(data, next) {
        return true;
    }
    blank_line_end(data, at).is_some_and(|behind| {
        let one = skip_space(data, behind);
        data.get(one) == Some(&b'1') && data.get(skip_blanks(data, one + 1)) == Some(&b'.')
    })
}

/// Whether, behind a number or dots, something comes that belongs to movetext.
pub fn play(data: &[u8], at: usize) -> bool {
    let data = view(data, at);
    let mut at = at;
    while let Some(&byte) = data.get(at) {
        at += match byte {
            0 => 1,
            byte if is_space(byte) => 1,
            0x80.. if is_bom(data, at) => 3,
            _ => match dot(data, at).max(invisible(data, at)) {
                0 => break,
                length => length,
            },
        };
    }
    let Some(&byte) = data.get(at) else { return false };
    let is_letter = |at: usize| matches!(data.get(at), Some(b'O' | b'o' | b'0'));
    match byte {
        b'{' | b'(' | b'*' => return true,
        b'-' if has(data, at, b"--") => return true,
        b'Z' => return has(data, at, b"Z0"),
        b'0' if has(data, at, b"0-1") => return true,
        b'O' | b'o' | b'0' => return is_letter(at + 1 + usize::from(data.get(at + 1) == Some(&b'-'))),
        b'1' if has(data, at, b"1-0") || has(data, at, b"1/2") => return true,
        0xE2 => return figure(data, at) > 0,
        _ => {}
    }
    if matches!(byte, b'1'..=b'9') {
        let digits = data[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if data.get(at + digits) == Some(&b'.') {
            return true;
        }
    }
    move_begins(data, at) || drop_begins(data, at)
}

/// `[PNBRQKnbrqk]?[a-h]?[1-8]?[-x:]?[a-h][1-8]`
fn move_begins(data: &[u8], at: usize) -> bool {
    // Which parts are there, as far as a part can be left out: the places where the target may begin.
    let piece = matches!(data.get(at), Some(b'P' | b'N' | b'B' | b'R' | b'Q' | b'K' | b'n' | b'b' | b'r' | b'q' | b'k'));
    let is_file = |at: usize| matches!(data.get(at), Some(b'a'..=b'h'));
    let is_rank = |at: usize| matches!(data.get(at), Some(b'1'..=b'8'));
    let is_sign = |at: usize| matches!(data.get(at), Some(b'-' | b'x' | b':'));
    let options = |at: usize, holds: bool| [at, at + usize::from(holds)];
    options(at, piece).into_iter().any(|at| {
        options(at, is_file(at)).into_iter().any(|at| {
            options(at, is_rank(at))
                .into_iter()
                .any(|at| options(at, is_sign(at)).into_iter().any(|at| is_file(at) && is_rank(at + 1)))
        })
    })
}

/// `[PNBRQ]?@[a-h][1-8]`
fn drop_begins(data: &[u8], at: usize) -> bool {
    let sign = at + usize::from(matches!(data.get(at), Some(b'P' | b'N' | b'B' | b'R' | b'Q')));
    data.get(sign) == Some(&b'@')
        && matches!(data.get(sign + 1), Some(b'a'..=b'h'))
        && matches!(data.get(sign + 2), Some(b'1'..=b'8'))
}
