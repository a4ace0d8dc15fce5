//! What comments say in a form that machines write: clocks, times, evaluations. What is not certain stays text.
//! The counterpart of `chesstools/reference/comments.py`, together with `commands.rs` and `engine_comments.rs`.

use std::borrow::Cow;

use crate::tags::{Name, Tags};
use crate::text::trim;

pub use crate::commands::{read_commands, Fault};
pub use crate::engine_comments::{read_engine, read_tcec};

/// Typed values found in the comments of one ply; all None where nothing is said.
///
/// Times are milliseconds, `eval_cp` is centipawns from White's side, `eval_mate` moves to mate, positive if White mates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    pub clock_ms: Option<i64>,
    pub elapsed_ms: Option<i64>,
    pub eval_cp: Option<i32>,
    pub eval_mate: Option<i32>,
    pub eval_depth: Option<i16>,
}

/// Comment text without outer blanks, with line breaks as one blank: wrapping is not content.
pub fn normalise(text: &str) -> Cow<'_, str> {
    if memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(trim(text));
    }
    let mut joined = String::with_capacity(text.len());
    for line in text.split(['\n', '\r']).map(trim).filter(|line| !line.is_empty()) {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(line);
    }
    Cow::Owned(joined)
}

/// Reads all that a comment says: `raw` has the signs around it, `text` has neither them nor line breaks (`normalise`).
pub fn read_comment(raw: &str, text: &str, by_engines: bool, white_moved: bool, into: &mut Annotations) {
    if text.is_empty() {
        return;
    }
    read_commands(raw, into, |_| {});
    if text.contains('=') {
        read_tcec(text, into);
    }
    if by_engines {
        read_engine(text, into, white_moved);
    }
}

/// Whether the tags are those that cutechess and fastchess write, whose evaluations are the mover's own.
pub fn written_by_engine_match(tags: &Tags) -> bool {
    tags.tag(Name::GameStartTime).is_some() && tags.tag(Name::GameEndTime).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_joined() {
        assert_eq!(normalise(" line one\r\nline two "), "line one line two");
        assert_eq!(normalise(" \n "), "");
        assert_eq!(normalise("\ta b "), "a b");
    }
}
