//! Tag pairs, and what was meant to be one.

use crate::classes::{has, is_bad_tag_name, is_blank, is_line_break, is_tag_name, skip_blanks};
use crate::lexer::{Kind, Lexer, Token};
use crate::limits::ROOM;
use crate::swar;

/// Most line breaks inside the value of a tag pair.
const MAX_BREAKS: usize = 20;

impl Lexer<'_> {
    /// The token at a `[`.
    pub(crate) fn tag(&self, at: usize) -> Token {
        let near = &self.data[at..self.data.len().min(at + self.limits.inline_tag)];
        if let Some((_, length)) = plain_tag(near) {
            return Token::new(Kind::Tag, at, at + length);
        }
        let begins_line = self.begins_line(at);
        let limit = if begins_line { self.limits.tag_line } else { self.limits.inline_tag };
        let text = &self.data[..self.data.len().min(at + limit)];
        if let Some(end) = tag_end(text, at) {
            return Token::new(Kind::Tag, at, end);
        }
        match begins_line.then(|| bad_tag_end(text, at)).flatten() {
            Some(end) => Token::new(Kind::BadTag, at, end),
            None => Token::new(Kind::Symbol, at, at + 1),
        }
    }
}

/// Lengths of the name and of the whole of a tag pair as most are written: no escape, no odd blank, a name of at most 15
/// letters.
#[inline(always)]
pub(crate) fn plain_tag(text: &[u8]) -> Option<(usize, usize)> {
    let ahead = text.first_chunk::<ROOM>()?;
    let name = swar::first_of_two((swar::no_letter(swar::load(ahead, 1)), swar::no_letter(swar::load(ahead, 9))));
    if ahead[0] != b'[' || name == 0 || name > 15 || ahead[1 + name] != b' ' || ahead[2 + name] != b'"' {
        return None;
    }
    let stops = |bytes: &[u8; 16], at: usize| {
        let word = swar::load(bytes, at);
        swar::equal(word, b'"') | swar::equal(word, b'\\') | swar::below(word, b' ')
    };
    let mut at = 3 + name;
    loop {
        let bytes = text[at..].first_chunk::<16>()?;
        let stop = swar::first_of_two((stops(bytes, 0), stops(bytes, 8)));
        at += stop;
        if stop < 16 {
            return (text[at..].first_chunk() == Some(b"\"]")).then_some((name, at + 2));
        }
    }
}

fn skip_while(data: &[u8], at: usize, holds: impl Fn(u8) -> bool) -> usize {
    data[at..].iter().position(|&byte| !holds(byte)).map_or(data.len(), |length| at + length)
}

/// Where a value begins: behind `[`, a name and a quote.
fn value_start(data: &[u8], at: usize, is_name: impl Fn(u8) -> bool) -> Option<usize> {
    let name = skip_blanks(data, at + 1);
    let behind = skip_while(data, name, is_name);
    let quote = skip_blanks(data, behind);
    (behind > name && data.get(quote) == Some(&b'"')).then_some(quote + 1)
}

/// The end of a well-formed tag pair.
fn tag_end(data: &[u8], at: usize) -> Option<usize> {
    let mut at = value_start(data, at, is_tag_name)?;
    loop {
        match data.get(at)? {
            b'"' => break,
            b'\\' if data.get(at + 1).is_some_and(|&byte| !is_line_break(byte)) => at += 2,
            b'\\' | b'\r' | b'\n' => return None,
            _ => at += 1,
        }
    }
    let bracket = skip_blanks(data, at + 1);
    (data.get(bracket) == Some(&b']')).then_some(bracket + 1)
}

/// The end of a tag pair that is not well formed, at the beginning of a line.
fn bad_tag_end(data: &[u8], at: usize) -> Option<usize> {
    let value = value_start(data, at, is_bad_tag_name);
    let line_end = skip_while(data, at, |byte| !is_line_break(byte));
    value
        .and_then(|value| last_bracket(data, value, line_end).filter(|&end| skip_blanks(data, end) == line_end))
        .or_else(|| value.and_then(|value| broken_value_end(data, value)))
        .or_else(|| {
            let bracket = skip_while(data, at + 1, |byte| !matches!(byte, b'[' | b']' | b'\r' | b'\n'));
            let ends_line = data.get(bracket) == Some(&b']') && skip_blanks(data, bracket + 1) == line_end;
            ends_line.then_some(bracket + 1)
        })
        .or_else(|| value_start(data, at, is_tag_name).map(|_| line_end))
}

/// Behind the last `"`, blanks, `]` between `value` and `line_end`.
fn last_bracket(data: &[u8], value: usize, line_end: usize) -> Option<usize> {
    let line = &data[value..line_end];
    memchr::memrchr_iter(b']', line).find_map(|bracket| {
        let before = line[..bracket].iter().rposition(|&byte| !is_blank(byte))?;
        (line[before] == b'"').then_some(value + bracket + 1)
    })
}

/// The end of a tag pair with line breaks inside its value: none of them before a blank line or a `[`.
fn broken_value_end(data: &[u8], value: usize) -> Option<usize> {
    let mut at = value;
    for breaks in 0..=MAX_BREAKS {
        at = skip_while(data, at, |byte| !matches!(byte, b'"' | b'\r' | b'\n'));
        if data.get(at)? == &b'"' {
            let bracket = skip_blanks(data, at + 1);
            return (breaks > 0 && data.get(bracket) == Some(&b']')).then_some(bracket + 1);
        }
        at += if has(data, at, b"\r\n") || has(data, at, b"\r\r") { 2 } else { 1 };
        if matches!(data.get(skip_blanks(data, at)), Some(b'[' | b'\r' | b'\n')) {
            return None;
        }
    }
    None
}

/// The end of a tag pair as it stands on a line of its own, told from quotes and brackets alone.
pub(crate) fn tag_line_end(data: &[u8], at: usize) -> Option<usize> {
    if data.get(at) != Some(&b'[') {
        return None;
    }
    let behind = skip_while(data, at + 1, is_tag_name);
    let quote = skip_blanks(data, behind);
    if behind == at + 1 || data.get(quote) != Some(&b'"') {
        return None;
    }
    let line_end = memchr::memchr2(b'\n', b'\r', &data[quote..]).map_or(data.len(), |length| quote + length);
    last_bracket(data, quote + 1, line_end)
}
