//! Brace comments: where they end, if they end.

use memchr::{memchr, memchr2_iter};

use crate::classes::{has, is_blank, is_line_break, is_space, skip_blanks};
use crate::lexer::{Kind, Lexer, Token};
use crate::lexer_tags::tag_line_end;

/// How far before its end a comment that is never closed is searched for a result.
const RESULT_REACH: usize = 64;

/// What is known of closing braces: between `from` and `close` there is none, at `close` there is one (or the data end).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Braces {
    from: usize,
    close: usize,
}

impl Lexer<'_> {
    /// The token at a `{`: it ends at the first `}` (the standard knows no nesting), unless a game begins before it.
    pub(crate) fn comment(&mut self, at: usize) -> Token {
        let data = self.data;
        let limit = data.len().min(at + self.limits.comment);
        let close = Some(self.next_close(at)).filter(|&close| close < limit);
        let end = close.unwrap_or(limit);
        let inner = memchr(b'{', &data[at + 1..end.max(at + 1)]).map(|found| at + 1 + found);
        let boundary = game_inside(data, at, end, close.is_some(), inner);
        if let (None, Some(close)) = (boundary, close) {
            if inner.is_none() {
                return Token::new(Kind::Comment, at, close + 1);
            }
            return match self.balance(at, close + 1) {
                Some(end) => Token::new(Kind::NestedComment, at, end),
                None => Token::new(Kind::InnerBraceComment, at, close + 1),
            };
        }
        if close.is_none() {
            self.wanted = self.wanted.max(at + self.limits.comment);
        }
        // Where nothing closes it and no game follows, it reaches to the end, or to the stated limit.
        let boundary = boundary.unwrap_or(limit);
        // A result at the very end of what was swallowed is still the game's own, and so is the white space before it.
        let mut end = last_result(data, at.max(boundary.saturating_sub(RESULT_REACH)), boundary).unwrap_or(boundary);
        while end > at + 1 && is_space(data[end - 1]) {
            end -= 1;
        }
        Token::new(Kind::OpenComment, at, end)
    }

    /// The first `}` behind `at`, or the end of the data. What was searched is not searched again.
    fn next_close(&mut self, at: usize) -> usize {
        let known = self.braces;
        if !(known.from <= at && at < known.close) {
            let close = memchr(b'}', &self.data[at..]).map_or(self.data.len(), |found| at + found);
            self.braces = Braces { from: at, close };
        }
        self.braces.close
    }

    /// The end of a comment with balanced braces inside, if its closing brace stands before any other sign.
    fn balance(&mut self, at: usize, mut end: usize) -> Option<usize> {
        let data = self.data;
        let depth = memchr::memchr_iter(b'{', &data[at..end]).count() - 1;
        for _ in 0..depth {
            let limit = end + self.limits.nested_comment;
            let close = memchr(b'}', &data[end..data.len().min(limit)]);
            let between = close.map(|close| &data[end..end + close]);
            match between {
                Some(between) if !between.contains(&b'{') && !holds_blank_line(between) => end += between.len() + 1,
                _ => {
                    self.wanted = self.wanted.max(limit);
                    return None;
                }
            }
        }
        Some(end)
    }
}

/// Where a tag section begins inside what looks like a comment, so that the comment was never closed.
///
/// A comment may quote a tag line, so one line is not enough unless other signs speak for it: two tag lines after a
/// blank line, three without one, or one after a blank line where a further `{` comes before any `}`.
pub(crate) fn game_inside(data: &[u8], at: usize, limit: usize, closed: bool, inner: Option<usize>) -> Option<usize> {
    let text = &data[..limit];
    let mut seen = at;
    for found in memchr2_iter(b'\n', b'\r', &text[at.min(limit)..]) {
        let start = at + found + 1;
        if start <= seen {
            continue;
        }
        let Some(mut end) = tag_line_end(text, skip_blanks(text, start)) else { continue };
        seen = end;
        let after_blank = follows_blank_line(data, start);
        let mut tags = 1;
        while tags < 3 {
            let Some(next) = next_tag(text, end) else { break };
            tags += 1;
            end = next;
        }
        if tags >= if after_blank { 2 } else { 3 } || (after_blank && (!closed || inner.is_some_and(|inner| start < inner))) {
            return Some(start);
        }
    }
    None
}

/// The end of a tag pair on the line behind `at`, where nothing else stands on the line of `at`.
pub(crate) fn next_tag(data: &[u8], at: usize) -> Option<usize> {
    let line_end = skip_blanks(data, at);
    let next = match data.get(line_end)? {
        b'\r' if has(data, line_end, b"\r\n") => line_end + 2,
        b'\r' | b'\n' => line_end + 1,
        _ => return None,
    };
    tag_line_end(data, skip_blanks(data, next))
}

/// Whether the line before the one that begins at `at` holds nothing but blanks.
fn follows_blank_line(data: &[u8], at: usize) -> bool {
    let line_break = if data[..at].ends_with(b"\r\n") { 2 } else { 1 };
    let before = data[..at - line_break].iter().rev().find(|&&byte| !is_blank(byte));
    before.is_some_and(|&byte| is_line_break(byte))
}

fn holds_blank_line(text: &[u8]) -> bool {
    memchr2_iter(b'\n', b'\r', text).any(|at| {
        let next = skip_blanks(text, at + 1);
        let is_break = text[at] == b'\n' || text.get(at + 1) != Some(&b'\n');
        is_break && text.get(next).is_some_and(|&byte| is_line_break(byte))
    })
}

/// Where a result begins that is the last word between `from` and `end`.
fn last_result(data: &[u8], from: usize, end: usize) -> Option<usize> {
    let text = &data[from..end];
    let text = &text[..text.iter().rposition(|&byte| !is_space(byte))? + 1];
    let results: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];
    let result = results.iter().find(|result| text.ends_with(result))?;
    let start = text.len() - result.len();
    // At the very beginning of the data a result needs nothing before it; but there a `{` stands.
    let before = *text[..start].last()?;
    (is_space(before) || before == b'{').then_some(from + start)
}
