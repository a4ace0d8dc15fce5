//! The tag section of a plain game.
//!
//! Game after game has the same tags in the same order, so what a tag pair begins with is first compared with what the tag pair
//! in the same place of the game before began with.

use crate::classes::is_space;
use crate::lexer::{Kind, Token};
use crate::lexer_tags::plain_tag;
use crate::limits::{Limits, ROOM};
use crate::swar;
use crate::tags::Name;

/// Most white space between tags and moves.
const MAX_SPACE: usize = 64;

/// What a tag pair began with, `[Name "`, in 16 bytes or fewer.
#[derive(Clone, Copy, Debug)]
struct Beginning {
    bytes: [u64; 2],
    mask: [u64; 2],
    name: TagName,
}

/// What a tag is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagName {
    pub length: u8,
    /// The name, if it means something to the core.
    pub known: Option<Name>,
}

impl Beginning {
    fn of(text: &[u8; ROOM], name: TagName) -> Option<Beginning> {
        let length = usize::from(name.length) + 3;
        if length > 16 {
            return None;
        }
        let mask = [0, 8].map(|from| match length.saturating_sub(from) {
            0 => 0,
            more => !0 >> (64 - 8 * more.min(8)),
        });
        let bytes = [swar::load(text, 0) & mask[0], swar::load(text, 8) & mask[1]];
        Some(Beginning { bytes, mask, name })
    }

    #[inline(always)]
    fn fits(&self, text: &[u8; ROOM]) -> bool {
        swar::load(text, 0) & self.mask[0] == self.bytes[0] && swar::load(text, 8) & self.mask[1] == self.bytes[1]
    }
}

/// The tags of one game after the other; its memory is used again.
#[derive(Debug, Default)]
pub struct TagSection {
    pub tokens: Vec<Token>,
    pub names: Vec<TagName>,
    beginnings: Vec<Beginning>,
}

impl TagSection {
    /// Reads the tag pairs that stand at `at`, each on a line of its own. Gives the place of the first token behind them.
    ///
    /// None where there are none, where they are not plain (`[Name "value"]` with one blank, no backslash and no odd bytes),
    /// or where one of them chooses another start.
    #[inline(never)]
    pub fn read(&mut self, text: &[u8], mut at: usize) -> Option<usize> {
        self.tokens.clear();
        self.names.clear();
        loop {
            let rest = text.get(at..)?;
            let rest = &rest[..rest.len().min(Limits::STATED.inline_tag)];
            let (name, length) = match self.beginnings.get(self.names.len()) {
                Some(known) if known.fits(rest.first_chunk()?) => {
                    let value = usize::from(known.name.length) + 3;
                    (known.name, value + value_length(rest.get(value..)?)? + 2)
                }
                _ => self.read_new(rest)?,
            };
            self.tokens.push(Token::new(Kind::Tag, at, at + length));
            self.names.push(name);
            at += length;
            at += usize::from(text.get(at) == Some(&b'\r'));
            if text.get(at) != Some(&b'\n') {
                return None;
            }
            at += 1;
            if text.get(at) != Some(&b'[') {
                break;
            }
        }
        let rest = text.get(at..)?;
        let space = rest.iter().take(MAX_SPACE).position(|&byte| !is_space(byte))?;
        // Behind a blank line another tag may begin another game.
        (rest[space] != b'[').then_some(at + space)
    }

    /// The name and the length of a tag pair that begins as none before it.
    #[cold]
    #[inline(never)]
    fn read_new(&mut self, rest: &[u8]) -> Option<(TagName, usize)> {
        let (name, length) = plain_tag(rest)?;
        let text = &rest[1..1 + name];
        let name = TagName { length: name as u8, known: std::str::from_utf8(text).ok().and_then(Name::of) };
        match text {
            b"FEN" => return None,
            // Not remembered, as the value is looked at each time.
            b"Variant" if rest.starts_with(b"[Variant \"Standard\"]") => return Some((name, length)),
            b"Variant" => return None,
            _ => {}
        }
        if let Some(beginning) = Beginning::of(rest.first_chunk()?, name) {
            let place = self.names.len();
            if place < self.beginnings.len() {
                self.beginnings[place] = beginning;
            } else if place == self.beginnings.len() {
                self.beginnings.push(beginning);
            }
        }
        Some((name, length))
    }
}

/// The length of a value before `"]`, without quotes, backslashes and control characters.
#[inline(always)]
fn value_length(text: &[u8]) -> Option<usize> {
    /// Turns a quote into a blank, a blank into a quote, and control characters into others.
    const SWAPPED: u64 = 0x0202_0202_0202_0202;
    let mut at = 0;
    loop {
        let word = swar::load(text.get(at..)?.first_chunk::<8>()?, 0);
        let stops = swar::below(word ^ SWAPPED, b'!') | swar::equal(word, b'\\');
        if stops != 0 {
            at += swar::first(stops);
            return (text[at..].first_chunk() == Some(b"\"]")).then_some(at);
        }
        at += 8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(section: &mut TagSection, text: &str) -> Option<(usize, Vec<u8>)> {
        // What is near the end is not read.
        let padded = format!("{text}{}", "1. e4 ".repeat(20));
        let end = section.read(padded.as_bytes(), 0)?;
        Some((end, section.names.iter().map(|name| name.length).collect()))
    }

    #[test]
    fn sections() {
        let mut section = TagSection::default();
        for _ in 0..3 {
            assert_eq!(read(&mut section, "[Event \"a\"]\n[Site \"\"]\n\n"), Some((23, vec![5, 4])));
            assert_eq!(read(&mut section, "[Event \"a b!\"]\r\n[White \"½-x\"]\r\n\r\n"), Some((34, vec![5, 5])));
            assert_eq!(read(&mut section, "[AVeryLongNameX \"x\"]\n"), Some((21, vec![14])));
        }
        for bad in [
            "",
            "[Event \"a\\\"\"]\n",
            "[Event \"a\tb\"]\n",
            "[Event \"a\" ]\n",
            "[Event \"a\"] [Site \"\"]\n",
            "[Event \"a\n\"]\n",
        ] {
            assert_eq!(read(&mut section, bad), None, "{bad}");
        }
        assert!(read(&mut section, "[Event \"a\"]\n[Variant \"Standard\"]\n").is_some());
        assert_eq!(read(&mut section, "[Event \"a\"]\n[Variant \"Atomic\"]\n"), None);
        assert_eq!(read(&mut section, "[Event \"a\"]\n[FEN \"x\"]\n"), None);
        assert_eq!(read(&mut section, "[Event \"a\"]\n\n[Site \"x\"]\n"), None);
    }

    #[test]
    fn values_end_where_a_plain_tag_ends() {
        for byte in 0..=255 {
            let mut text = *b"[Event \"abcdefghij\"]...............................";
            text[13] = byte;
            let expected = plain_tag(&text).map(|(_, length)| length - 10);
            assert_eq!(value_length(&text[8..]), expected, "{byte}");
        }
    }
}
