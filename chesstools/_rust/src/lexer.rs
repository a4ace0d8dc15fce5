//! The lexer: bytes to tokens. It never fails, and every byte belongs to exactly one token.
//!
//! The counterpart of `chesstools/reference/lexer.py`, whose regular expressions are written out by hand here. This file
//! holds what is common to all tokens; words, tags and comments have files of their own. `segment.rs` reads what is
//! frequent by itself and asks here for the rest.

use crate::comment::Braces;
use crate::limits::{Limits, LOOK_BEHIND, MAX_RUN};
use crate::{classes, words};

/// What a token looks like; the names are those of the Python enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    Space,
    Nul,
    Bom,
    /// No-break and zero-width spaces and their like.
    Invisible,
    /// A line that begins with `%`.
    Escape,
    Comment,
    LineComment,
    /// A comment with a `{` inside.
    InnerBraceComment,
    /// A comment with balanced braces inside.
    NestedComment,
    /// A comment that is never closed, up to the next game.
    OpenComment,
    Tag,
    BadTag,
    Open,
    Close,
    Nag,
    BadNag,
    Suffix,
    /// `(=)`: a draw was offered.
    Offer,
    Number,
    Dots,
    Move,
    Null,
    EnPassant,
    Result,
    Word,
    Symbol,
}

impl Kind {
    /// All kinds, in order.
    pub const ALL: [Kind; 26] = [
        Kind::Space,
        Kind::Nul,
        Kind::Bom,
        Kind::Invisible,
        Kind::Escape,
        Kind::Comment,
        Kind::LineComment,
        Kind::InnerBraceComment,
        Kind::NestedComment,
        Kind::OpenComment,
        Kind::Tag,
        Kind::BadTag,
        Kind::Open,
        Kind::Close,
        Kind::Nag,
        Kind::BadNag,
        Kind::Suffix,
        Kind::Offer,
        Kind::Number,
        Kind::Dots,
        Kind::Move,
        Kind::Null,
        Kind::EnPassant,
        Kind::Result,
        Kind::Word,
        Kind::Symbol,
    ];

    /// White space and the like: says nothing of the game.
    #[inline(always)]
    pub const fn is_filler(self) -> bool {
        self as u8 <= Kind::Escape as u8
    }

    #[inline(always)]
    pub const fn is_comment(self) -> bool {
        self as u8 >= Kind::Comment as u8 && self as u8 <= Kind::OpenComment as u8
    }

    /// A tag pair, well formed or not.
    #[inline(always)]
    pub const fn is_tag(self) -> bool {
        matches!(self, Kind::Tag | Kind::BadTag)
    }
}

/// A kind and a span, counted from the beginning of the chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
}

impl Token {
    #[inline(always)]
    pub const fn new(kind: Kind, start: usize, end: usize) -> Token {
        Token { kind, start: start as u32, end: end as u32 }
    }

    #[inline(always)]
    pub const fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// Tokens of a chunk, one at a time.
///
/// `data` may begin with some text that was read before (`LOOK_BEHIND` bytes are enough) so that tokens do not depend on
/// where a chunk was cut.
pub struct Lexer<'a> {
    pub(crate) data: &'a [u8],
    /// Where `data` begins in the stream.
    pub(crate) base: u64,
    pub(crate) limits: Limits,
    pub(crate) braces: Braces,
    /// Comments were decided by the text up to here, or by the lack of it: with more text behind `data` the answers could
    /// be others. Other tokens look `limits.tag_line` ahead at most.
    pub(crate) wanted: usize,
}

impl<'a> Lexer<'a> {
    pub fn new(data: &'a [u8], base: u64) -> Lexer<'a> {
        Lexer::with_limits(data, base, Limits::STATED)
    }

    pub fn with_limits(data: &'a [u8], base: u64, limits: Limits) -> Lexer<'a> {
        Lexer { data, base, limits, braces: Braces::default(), wanted: 0 }
    }

    /// The token that begins at `at`, which stands before the end.
    pub fn token(&mut self, at: usize) -> Token {
        let data = self.data;
        match data[at] {
            b' ' | b'\t'..=b'\r' => Token::new(Kind::Space, at, self.space_end(at)),
            b'{' => self.comment(at),
            b'[' => self.tag(at),
            b'(' => match data.get(at + 1..at + 3) {
                Some(b"=)") => Token::new(Kind::Offer, at, at + 3),
                _ => Token::new(Kind::Open, at, at + 1),
            },
            b')' => Token::new(Kind::Close, at, at + 1),
            b'$' => self.nag(at),
            b'!' | b'?' => Token::new(Kind::Suffix, at, run_end(data, at, MAX_RUN, |byte| byte == b'!' || byte == b'?')),
            b';' => Token::new(Kind::LineComment, at, self.line_end(at, at + 1 + self.limits.comment)),
            b'%' if self.at_line_start(at) => Token::new(Kind::Escape, at, self.line_end(at, at + self.limits.comment)),
            0 => Token::new(Kind::Nul, at, run_end(data, at, self.limits.blank, |byte| byte == 0)),
            b'}' | b']' | b'"' | b'<' | b'>' => Token::new(Kind::Symbol, at, at + 1),
            _ => {
                let (kind, end) = words::word(data, at);
                Token::new(kind, at, end)
            }
        }
    }

    /// Whether a line begins at `at`.
    pub(crate) fn at_line_start(&self, at: usize) -> bool {
        match at.checked_sub(1) {
            None => self.base == 0,
            Some(before) => classes::is_line_break(self.data[before]),
        }
    }

    /// Whether only blanks and the like stand before `at` on its line (`LOOK_BEHIND` of them at most).
    pub(crate) fn begins_line(&self, mut at: usize) -> bool {
        let first = (at + 1).saturating_sub(LOOK_BEHIND);
        while at > first && matches!(self.data[at - 1], b' ' | b'\t' | 0 | 0xEF | 0xBB | 0xBF | b']') {
            at -= 1;
        }
        self.at_line_start(at)
    }

    /// The end of white space; a CRLF is not cut in two.
    pub(crate) fn space_end(&self, at: usize) -> usize {
        let end = run_end(self.data, at, self.limits.blank, classes::is_space);
        let cuts_crlf = self.data[end - 1] == b'\r' && self.data.get(end) == Some(&b'\n');
        end + usize::from(cuts_crlf)
    }

    /// The first line break behind `at`, but not behind `most`.
    fn line_end(&self, at: usize, most: usize) -> usize {
        let most = most.min(self.data.len());
        memchr::memchr2(b'\n', b'\r', &self.data[at..most]).map_or(most, |found| at + found)
    }

    fn nag(&self, at: usize) -> Token {
        let end = run_end(self.data, at + 1, MAX_RUN, |byte| byte.is_ascii_digit());
        let kind = if (1..=3).contains(&(end - at - 1)) { Kind::Nag } else { Kind::BadNag };
        Token::new(kind, at, end)
    }
}

/// The end of a run of bytes, of which at most `most` are taken.
fn run_end(data: &[u8], at: usize, most: usize, holds: impl Fn(u8) -> bool) -> usize {
    let end = data.len().min(at.saturating_add(most));
    data[at..end].iter().position(|&byte| !holds(byte)).map_or(end, |length| at + length)
}

/// All tokens of a text, white space too.
pub fn tokens(data: &[u8], limits: Limits) -> Vec<Token> {
    let mut lexer = Lexer::with_limits(data, 0, limits);
    let mut found = Vec::new();
    let mut at = 0;
    while at < data.len() {
        let token = lexer.token(at);
        found.push(token);
        at = token.end as usize;
    }
    found
}
