//! What is frequent inside a game, read at once: tokens that can not end it and change nothing but its list of tokens.
//!
//! Everything here could be left out: `Segmenter` reads the same tokens one by one with the same result. So whatever is not
//! plain to see is left to it, and this returns at the end of the last token that it took.

use crate::classes::{is_digit, is_piece_or_file, is_space};
use crate::lexer::{Kind, Token};
use crate::lexer_tags::plain_tag;
use crate::limits::ROOM;
use crate::san_words::{common_move, longer_move};
use crate::segment::Segmenter;
use crate::swar;

impl Segmenter<'_> {
    /// Reads on in a game that has not ended.
    pub(crate) fn read_fast(&mut self) {
        if self.at < self.not_before || self.state.is_game != Some(true) || self.state.terminator.is_some() {
            return;
        }
        // Behind a blank line a tag may begin another game.
        if !self.state.body && self.state.breaks == 0 {
            self.read_tags();
        }
        self.read_movetext();
    }

    /// No limit is reached by tokens that end before this place.
    fn fast_end(&self) -> usize {
        let limits = &self.lexer.limits;
        // A token has at least one byte.
        let most = limits.game_tokens.saturating_sub(self.tokens.len());
        self.lexer.data.len().min(self.start + limits.game).min(self.at + most)
    }

    #[inline(never)]
    fn read_movetext(&mut self) {
        let end = self.fast_end();
        let text = &self.lexer.data[..end];
        // Held here, where the compiler knows that nothing else changes them.
        let mut tokens = std::mem::take(self.tokens);
        let before = tokens.len();
        let mut rest = text.get(self.at..).unwrap_or_default();
        let mut depth = self.state.depth;
        let mut terminator = None;
        while let Some(ahead) = rest.first_chunk::<ROOM>() {
            let at = text.len() - rest.len();
            let first = ahead[0];
            if is_piece_or_file(first) {
                if let Some(length) = common_move(ahead) {
                    tokens.push(Token::new(Kind::Move, at, at + length));
                    rest = &rest[length + 1..];
                    continue;
                }
            } else if is_digit(first) {
                if let Some(length) = number(ahead) {
                    tokens.push(Token::new(Kind::Number, at, at + length));
                    rest = &rest[length..];
                    continue;
                }
            }
            let (kind, length) = match first {
                b' ' | b'\t'..=b'\r' => {
                    rest = &rest[1..];
                    continue;
                }
                b'a'..=b'h' | b'K' | b'Q' | b'R' | b'B' | b'N' | b'O' => match longer_move(ahead, 0) {
                    Some(length) => (Kind::Move, length),
                    None => break,
                },
                b'{' => match plain_comment(rest) {
                    Some(length) => (Kind::Comment, length),
                    None => break,
                },
                b'(' if ahead[1] != b'=' => {
                    depth += 1;
                    (Kind::Open, 1)
                }
                b')' => {
                    depth = depth.saturating_sub(1);
                    (Kind::Close, 1)
                }
                b'$' => match nag(ahead) {
                    Some(length) => (Kind::Nag, length),
                    None => break,
                },
                b'!' | b'?' => match suffix(ahead) {
                    Some(length) => (Kind::Suffix, length),
                    None => break,
                },
                b'0' | b'1' | b'*' if depth == 0 => {
                    if let Some(length) = result(ahead) {
                        terminator = Some(tokens.len());
                        tokens.push(Token::new(Kind::Result, at, at + length));
                    }
                    break;
                }
                _ => break,
            };
            tokens.push(Token::new(kind, at, at + length));
            rest = &rest[length..];
        }
        // White space up to here is several tokens if it is long: it need not be looked through again for each.
        self.not_before = text.len() - rest.len();
        if let Some(last) = tokens[before..].last() {
            self.at = last.end as usize;
            let state = &mut self.state;
            state.body = state.body || tokens[before..].iter().any(|token| token.kind != Kind::Comment);
            state.breaks = 0;
            state.depth = depth;
            state.terminator = terminator;
        }
        *self.tokens = tokens;
    }

    /// Tag pairs at the beginning of a line, each directly behind the line of the one before.
    #[inline(never)]
    fn read_tags(&mut self) {
        let end = self.fast_end();
        while let Some(rest) = self.lexer.data[..end].get(self.at..).filter(|rest| rest.starts_with(b"\n[")) {
            let longest = self.lexer.limits.tag_line.min(rest.len() - 1);
            let Some((name, length)) = plain_tag(&rest[1..1 + longest]) else { break };
            let start = self.at + 1;
            let token = Token::new(Kind::Tag, start, start + length);
            self.note_tag(token, (start + 1, start + 1 + name));
            self.tokens.push(token);
            self.at = token.end as usize;
        }
    }
}

/// The length of a move number with its dots.
#[inline(always)]
fn number(text: &[u8; ROOM]) -> Option<usize> {
    // Zeros begin results and null moves as well.
    if text[0] == b'0' {
        return None;
    }
    let digits = if text[1] == b'.' {
        1
    } else if text[1].is_ascii_digit() && text[2] == b'.' {
        2
    } else if text[1].is_ascii_digit() && text[2].is_ascii_digit() && text[3] == b'.' {
        3
    } else {
        return None;
    };
    let dots = match () {
        () if text[digits + 1] != b'.' => 1,
        () if text[digits + 2] != b'.' => 2,
        () if text[digits + 3] != b'.' => 3,
        () => return None,
    };
    // An ellipsis would be a part of it.
    (text[digits + dots] != 0xE2).then_some(digits + dots)
}

/// The length of a result in its usual form, before white space.
#[inline(always)]
pub(crate) fn result(text: &[u8; ROOM]) -> Option<usize> {
    let length = match text {
        [b'1', b'-', b'0', ..] | [b'0', b'-', b'1', ..] => 3,
        [b'1', b'/', b'2', b'-', b'1', b'/', b'2', ..] => 7,
        [b'*', ..] => 1,
        _ => return None,
    };
    is_space(text[length]).then_some(length)
}

/// The length of a comment on one line without a brace inside.
#[inline(always)]
pub(crate) fn plain_comment(text: &[u8]) -> Option<usize> {
    let stops = text[1..].chunks_exact(8).map(|bytes| {
        let word = swar::load(bytes, 0);
        swar::equal(word, b'}') | swar::equal(word, b'{') | swar::below(word, b' ')
    });
    let (number, stops) = stops.enumerate().find(|&(_, stops)| stops != 0)?;
    let stop = 1 + 8 * number + swar::first(stops);
    (text.get(stop) == Some(&b'}')).then_some(stop + 1)
}

/// The length of `$` and one to three digits.
#[inline(always)]
fn nag(text: &[u8; ROOM]) -> Option<usize> {
    let digits = text[1..5].iter().take_while(|byte| byte.is_ascii_digit()).count();
    (1..=3).contains(&digits).then_some(1 + digits)
}

/// The length of one or two of `!` and `?`.
#[inline(always)]
fn suffix(text: &[u8; ROOM]) -> Option<usize> {
    let length = text[..3].iter().take_while(|byte| matches!(byte, b'!' | b'?')).count();
    (length < 3).then_some(length)
}
