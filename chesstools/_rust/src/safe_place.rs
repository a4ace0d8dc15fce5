//! Places where a stream may be cut so that both sides, read on their own, give the regions of the whole.
//!
//! A safe place stands at the `[` of a line like `[Event "…"]` where
//!
//! 1. a further tag pair fills the next line, and neither of them holds a `}`,
//! 2. before it stand at least two line breaks, with nothing but blanks, tabs and line breaks around them,
//! 3. before those stands a line that ends with `1-0`, `0-1`, `1/2-1/2` or `*` as a word of its own, does not begin with
//!    `%` and holds neither `;` nor `"`, nor any of `[ ] {` behind its last `}`,
//! 4. every `{` behind the last `}` is ended by a game inside whatever may follow (see `braces_are_decided`), and
//! 5. all of this is so near to where the chunk begins that no limit on bytes is reached in between, and so near to that or to
//!    another such place that the limit on tokens is not either.
//!
//! Why this is enough. *No token reaches over the place.* A blank line stands before it: escapes and `;` comments end with
//! their line, tag pairs (well formed or not) hold no blank line and never end on a line without `"`, and white space ends
//! at the `[`. A comment that has a `}` before the place ends there, or earlier, by text before the place alone; behind
//! that `}` a balancing one is not looked for over a blank line. A comment that has none ends before the place by (4), or
//! by (1): two tag lines behind a blank line end any comment whose `}` does not come before their end, and the end of the
//! text ends it there too.
//!
//! *The last token before the place is that result.* On its line no `;` comment and no tag pair begins, and no tag pair that
//! began earlier ends, by (3). Behind the last `}` of the line no comment begins either, and at that `}` one ends or none is
//! open: games with comments may stand on one line each. Where an open comment swallows a line without `}`, the result at its
//! end is taken out of it.
//!
//! *There a region ends, whatever it was.* In a region of no game the tag pair behind the place begins a game. In a game
//! the result is the termination marker if there was none: at any depth of variations a tag pair follows, or the end of
//! the text. A tag pair behind a marker begins a new game, whatever stood between, and the blank line says that it is not
//! glued. So the state behind the place is the one at the beginning of a stream, but for its first tag pair, which is
//! taken in the same way in both. What decides doubtful cases before the result looks ahead no further than to the
//! result; and what is behind the place looks back no further than to the line break before it.
//!
//! *Nor does a region end right before the place because it has too many tokens*, or the white space would belong to the
//! next one. A token has a byte at least, so near the beginning of the chunk no region has so many. Farther away this can
//! happen, with a region of no game whose last token is the result. But even then a region begins at the white space before
//! the tag pair, and from there to the second of two places that are near to each other there are not enough tokens.

use memchr::{memchr, memchr2, memchr_iter, memmem, memrchr, memrchr2};

use crate::classes::{is_line_break, skip_blanks};
use crate::comment::{game_inside, next_tag};
use crate::lexer_tags::tag_line_end;
use crate::limits::Limits;
use crate::segment::count_lines;

const FIRST_TAG: &[u8] = b"[Event \"";
const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

/// Most white space before a safe place; a result before it is then near enough to be found in an open comment.
const MAX_SPACE: usize = 48;

/// Longest text of the tag pairs behind a safe place.
const MAX_LINE: usize = 1024;

/// Most unclosed braces before a safe place.
const MAX_OPEN: usize = 16;

/// What a search for a safe place found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    At(usize),
    /// None before this place; whether there is one behind it depends on text that is not there yet.
    NotBefore(usize),
    /// None is to be found from here on.
    Never,
}

/// The first safe place at or behind `from`, in a chunk that begins at `begin` and should have `chunk_bytes` at most.
///
/// Where chunks are larger than the limit on tokens it is always the second of two, so that it is the same wherever they begin.
pub fn find(data: &[u8], begin: usize, from: usize, chunk_bytes: usize, at_end: bool, limits: &Limits) -> Found {
    let reach = limits.comment.min(limits.game).saturating_sub(2 * MAX_LINE);
    let near = limits.game_tokens.saturating_sub(2 * MAX_SPACE);
    let finder = memmem::Finder::new(FIRST_TAG);
    let mut from = from.max(begin + 1);
    // The last place that is safe but for the limit on tokens; where the text ends before the next, it is found again.
    let mut before = None;
    while from < begin + reach {
        let view = &data[..data.len().min(begin + reach + FIRST_TAG.len())];
        let Some(found) = view.get(from..).and_then(|text| finder.find(text)) else {
            return match data.len() < begin + reach {
                // The first bytes of the tag may stand at the end already.
                true => Found::NotBefore(before.unwrap_or(from.max(data.len().saturating_sub(FIRST_TAG.len())))),
                false => Found::Never,
            };
        };
        let place = from + found;
        from = place + 1;
        if !follows_result(data, begin, place) {
            continue;
        }
        match two_tags(&data[..data.len().min(place + MAX_LINE)], place, limits) {
            Some(true) => {}
            Some(false) => continue,
            None if at_end || data.len() >= place + MAX_LINE => continue,
            None => return Found::NotBefore(before.unwrap_or(place)),
        }
        if braces_are_decided(data, begin, place) {
            if place - before.unwrap_or(begin) < near && (before.is_some() || chunk_bytes < near) {
                return Found::At(place);
            }
            before = Some(place);
            continue;
        }
        // Places behind this one are no better until a `}` comes.
        match memchr(b'}', &data[place..]) {
            Some(close) => from = place + close,
            None if data.len() < begin + reach => return Found::NotBefore(before.unwrap_or(data.len())),
            None => return Found::Never,
        }
    }
    Found::Never
}

/// Whether a blank line and a result stand before `place`: conditions 2 and 3.
fn follows_result(data: &[u8], begin: usize, place: usize) -> bool {
    if !is_line_break(data[place - 1]) {
        return false;
    }
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    let text = &data[begin..place];
    let near = &text[text.len().saturating_sub(MAX_SPACE + 1)..];
    let Some(space) = near.iter().rev().position(|byte| !is_space(byte)) else { return false };
    let (before, space) = text.split_at(text.len() - space);
    if count_lines(space) < 2 {
        return false;
    }
    let Some(before_result) = RESULTS.iter().find_map(|result| before.strip_suffix(*result)) else { return false };
    if !before_result.last().is_some_and(is_space) {
        return false;
    }
    // Each line is looked at for one place at most, so its length does not matter.
    let Some(line_break) = memrchr2(b'\n', b'\r', before) else { return false };
    let line = &before[line_break + 1..];
    let behind_comments = memrchr(b'}', line).map_or(0, |close| close + 1);
    line[0] != b'%'
        && memchr2(b';', b'"', line).is_none()
        && !line[behind_comments..].iter().any(|byte| matches!(byte, b'[' | b']' | b'{'))
}

/// Whether two tag pairs stand at `place`, each on its line: condition 1. None where the text ends too early to tell.
fn two_tags(data: &[u8], place: usize, limits: &Limits) -> Option<bool> {
    let line_end = place + data[place..].iter().position(|&byte| is_line_break(byte))?;
    let Some(first) = tag_line_end(data, place) else { return Some(false) };
    if skip_blanks(data, first) != line_end || line_end - place > limits.tag_line {
        return Some(false);
    }
    // The second line must be there as a whole, or a longer text could have it otherwise.
    let second = line_end + 1 + usize::from(data[line_end] == b'\r' && data.get(line_end + 1)? == &b'\n');
    let second_end = second + data[second..].iter().position(|&byte| is_line_break(byte))?;
    Some(next_tag(data, first).is_some() && !data[place..second_end].contains(&b'}'))
}

/// Whether no comment reaches over `place`, and where those end that are not closed before it does not depend on what
/// follows: condition 4.
///
/// What follows decides whether such a comment counts as closed, and where a brace inside it comes first. For either
/// answer the search for a game inside must give the same.
fn braces_are_decided(data: &[u8], begin: usize, place: usize) -> bool {
    let text = &data[..place];
    match memrchr2(b'{', b'}', &text[begin..]) {
        Some(brace) if text[begin + brace] == b'{' => {}
        _ => return true,
    }
    let behind_close = begin + memrchr(b'}', &text[begin..]).map_or(0, |close| close + 1);
    memchr_iter(b'{', &text[behind_close..]).enumerate().all(|(number, open)| {
        let at = behind_close + open;
        number < MAX_OPEN && game_inside(data, at, place, true, None) == game_inside(data, at, place, false, None)
    })
}
