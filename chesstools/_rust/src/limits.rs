//! The stated limits: the numbers of `chesstools/limits.py`. They bound memory and keep time linear.

use crate::diagnosis::score::MAX_PLIES;
use crate::evidence::MAX_TOKEN_CHARS;
use crate::illegal::MAX_ALTERNATIVES;
use crate::replay::MAX_VARIATION_DEPTH;
use crate::runs::MAX_OCCURRENCES;

/// How far a token, a tag or a game may reach. The numbers are fixed; tests take smaller ones to reach the limits sooner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// A `{` that is not closed within this many bytes counts as never closed.
    pub comment: usize,
    /// A tag pair that does not end within this many bytes is not a tag pair.
    pub tag_line: usize,
    /// The same for a tag pair that does not begin its line.
    pub inline_tag: usize,
    /// A `}` that balances a `{` inside a comment is looked for this far behind the `}` before it.
    pub nested_comment: usize,
    /// White space and NULs longer than this are several tokens.
    pub blank: usize,
    /// A region longer than this is cut.
    pub game: usize,
    /// A region with more tokens than this is cut.
    pub game_tokens: usize,
}

impl Limits {
    pub const STATED: Limits = Limits {
        comment: 8 << 20,
        tag_line: 64 << 10,
        inline_tag: 4096,
        nested_comment: 4096,
        blank: 64 << 10,
        game: 32 << 20,
        game_tokens: 1_000_000,
    };
}

/// Archives made with `zstd --ultra --long=31` want as much memory as this (as a power of two).
pub const MAX_ZSTD_WINDOW_LOG: u32 = 31;

/// All limits by their names in Python; a test holds them against each other and against the README.
pub const NAMED: [(&str, usize); 15] = [
    ("MAX_COMMENT_BYTES", Limits::STATED.comment),
    ("MAX_TAG_LINE_BYTES", Limits::STATED.tag_line),
    ("MAX_INLINE_TAG_BYTES", Limits::STATED.inline_tag),
    ("MAX_NESTED_COMMENT_BYTES", Limits::STATED.nested_comment),
    ("MAX_VARIATION_DEPTH", MAX_VARIATION_DEPTH),
    ("MAX_TOKEN_CHARS", MAX_TOKEN_CHARS),
    ("MAX_ALTERNATIVES", MAX_ALTERNATIVES),
    ("MAX_OCCURRENCES", MAX_OCCURRENCES),
    ("MAX_DIAGNOSIS_PLIES", MAX_PLIES),
    ("MAX_RUN", MAX_RUN),
    ("MAX_PARTS", MAX_PARTS),
    ("MAX_BLANK_BYTES", Limits::STATED.blank),
    ("MAX_GAME_BYTES", Limits::STATED.game),
    ("MAX_GAME_TOKENS", Limits::STATED.game_tokens),
    ("MAX_ZSTD_WINDOW", 1 << MAX_ZSTD_WINDOW_LOG),
];

/// Bytes before a place that may decide what a token there is.
pub const LOOK_BEHIND: usize = 256;

/// How far behind a token its surroundings are looked at, where they decide a doubtful case.
pub const LOOK_AHEAD: usize = 4096;

/// Most dots, `!` and `?`, or digits of a NAG in one token.
pub const MAX_RUN: usize = 64;

/// Most parts (runs of ASCII, or single bytes of other text) in one word, and most invisible characters in one token.
pub const MAX_PARTS: usize = 1024;

/// What is read fast is read where at least so many bytes follow, so that no further one asks whether they are there.
pub const ROOM: usize = 32;
