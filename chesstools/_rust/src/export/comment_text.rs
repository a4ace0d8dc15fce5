//! Commands in comments, such as `[%clk 0:01:00]`: where they are, and comments without them.

use std::borrow::Cow;

use memchr::memchr;

use super::options::Keep;
use crate::text::{is_blank, trim};

/// The commands that are cut out of comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    Nothing,
    Clocks,
    All,
}

impl Cut {
    pub fn of(keep: &Keep) -> Cut {
        match keep {
            Keep { commands: false, .. } => Cut::All,
            Keep { clocks: false, .. } => Cut::Clocks,
            _ => Cut::Nothing,
        }
    }
}

/// The end of the command that begins at `at`, behind its bracket.
pub fn command_end(text: &[u8], at: usize) -> Option<usize> {
    if text.get(at..at + 2) != Some(b"[%") {
        return None;
    }
    memchr(b']', &text[at..]).map(|length| at + length + 1)
}

/// `text` without the commands that are cut, each with the blanks before it. Counts them.
pub fn cleaned<'a>(text: Cow<'a, str>, cut: Cut, count: &mut u64) -> Cow<'a, str> {
    let bytes = text.as_bytes();
    let (mut kept, mut from, mut at) = (String::new(), 0, 0);
    let mut found = false;
    while let Some(length) = memchr(b'[', &bytes[at..]) {
        let begin = at + length;
        at = begin + 1;
        let is_meant = bytes.get(at) == Some(&b'%') && (cut == Cut::All || is_clock(&bytes[at + 1..]));
        if !is_meant {
            continue;
        }
        // Where one is not closed, none behind it is.
        let Some(end) = command_end(bytes, begin) else { break };
        at = end;
        kept.push_str(text[from..begin].trim_end_matches(|sign: char| sign.is_ascii() && is_blank(sign as u8)));
        from = end;
        found = true;
        *count += 1;
    }
    if !found {
        return text;
    }
    kept.push_str(&text[from..]);
    Cow::Owned(trim(&kept).to_owned())
}

/// Whether a command, without its first two signs, tells of a clock.
fn is_clock(command: &[u8]) -> bool {
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    (command.starts_with(b"clk") || command.starts_with(b"emt")) && !command.get(3).is_some_and(goes_on)
}

/// The parts of a comment between which a line can be broken: at single blanks outside of commands.
pub fn parts(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let (mut from, mut at, mut closes) = (0, 0, true);
    std::iter::from_fn(move || {
        if from > bytes.len() {
            return None;
        }
        while let Some(&byte) = bytes.get(at) {
            if byte == b'[' && closes && bytes.get(at + 1) == Some(&b'%') {
                match command_end(bytes, at) {
                    Some(end) => at = end,
                    None => {
                        closes = false;
                        at += 1;
                    }
                }
                continue;
            }
            if byte == b' ' && !bytes.get(at + 1).is_none_or(|&next| is_blank(next)) && !(at > 0 && is_blank(bytes[at - 1])) {
                let part = &text[from..at];
                at += 1;
                from = at;
                return Some(part);
            }
            at += 1;
        }
        let part = &text[from..];
        from = bytes.len() + 1;
        Some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(text: &str, cut: Cut) -> (String, u64) {
        let mut count = 0;
        (cleaned(text.into(), cut, &mut count).into_owned(), count)
    }

    #[test]
    fn commands_go_with_the_blanks_before_them() {
        assert_eq!(clean("a [%clk 0:01:00] b", Cut::Clocks), ("a b".into(), 1));
        assert_eq!(clean("[%eval 0.1] [%clk 1]", Cut::Clocks), ("[%eval 0.1]".into(), 1));
        assert_eq!(clean("[%eval 0.1] [%clk 1]", Cut::All), ("".into(), 2));
        assert_eq!(clean("x[%clk 1]y [%clock]", Cut::Clocks), ("xy [%clock]".into(), 1));
        assert_eq!(clean("[%clk 1 [%emt 2", Cut::All), ("[%clk 1 [%emt 2".into(), 0));
        assert_eq!(clean("a [%csl [%emt] b", Cut::Clocks), ("a [%csl b".into(), 1));
    }

    #[test]
    fn parts_of_comments() {
        let list = |text| parts(text).collect::<Vec<_>>();
        assert_eq!(list("a b  c [%clk 0:01 ] d"), ["a", "b  c", "[%clk 0:01 ]", "d"]);
        assert_eq!(list("x[%a b]y z"), ["x[%a b]y", "z"]);
        assert_eq!(list("[%a b c"), ["[%a", "b", "c"]);
        assert_eq!(list("a\t b"), ["a\t b"]);
        assert_eq!(list("½"), ["½"]);
    }
}
