//! The tag section of a plain game.
//!
//! Game after game has the same tags in the same order, so what a tag pair begins with is first compared with what the tag pair
//! in the same place of the game before began with.

use std::ops::Range;

use arrayvec::ArrayVec;

use crate::classes::is_space;
use crate::lexer::{Kind, Token};
use crate::lexer_tags::plain_tag;
use crate::limits::{Limits, ROOM};
use crate::swar;
use crate::tags::{Name, ROSTER};

/// Most white space between tags and moves.
const MAX_SPACE: usize = 64;

/// What a tag pair began with, `[Name "`, in 24 bytes or fewer.
#[derive(Clone, Copy, Debug)]
struct Beginning {
    bytes: [u64; 3],
    mask: [u64; 3],
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
    fn of(text: &[u8; ROOM], name: TagName) -> Beginning {
        let length = usize::from(name.length) + 3;
        if length > 24 {
            return Beginning::of_no_other(name);
        }
        let mask = [0, 8, 16].map(|from| match length.saturating_sub(from) {
            0 => 0,
            more => !0 >> (64 - 8 * more.min(8)),
        });
        let bytes = [0, 1, 2].map(|word| swar::load(text, 8 * word) & mask[word]);
        Beginning { bytes, mask, name }
    }

    /// One that fits nothing.
    fn of_no_other(name: TagName) -> Beginning {
        Beginning { bytes: [1; 3], mask: [0; 3], name }
    }

    #[inline(always)]
    fn fits(&self, text: &[u8; ROOM]) -> bool {
        let differs = [0, 1, 2].map(|word| swar::load(text, 8 * word) & self.mask[word] ^ self.bytes[word]);
        differs[0] | differs[1] | differs[2] == 0
    }
}

/// What the names of a section tell, whatever the values.
#[derive(Debug)]
struct Names {
    count: usize,
    are_clean: bool,
    matter: ArrayVec<(u8, Name), MOST_THAT_MATTER>,
}

const MOST_THAT_MATTER: usize = 16;

/// Most tags with names that mean nothing to the core.
const MAX_OTHERS: usize = 16;

/// Tags whose value may be anything.
const MEANINGLESS: u32 = 1 << Name::Event as u32
    | 1 << Name::Site as u32
    | 1 << Name::Round as u32
    | 1 << Name::White as u32
    | 1 << Name::Black as u32
    | 1 << Name::Eco as u32;

/// The tags of one game after the other; its memory is used again.
#[derive(Debug, Default)]
pub struct TagSection {
    pub tokens: Vec<Token>,
    /// What the tags of this game began with, and perhaps more of games before.
    beginnings: Vec<Beginning>,
    /// Known until other names come.
    names: Option<Names>,
    /// Whether all values are ASCII; if not, they may be so all the same.
    pub is_ascii: bool,
}

impl TagSection {
    /// Reads the tag pairs that stand at `at`, each on a line of its own. Gives the place of the first token behind them.
    ///
    /// None where there are none, where they are not plain (`[Name "value"]` with one blank, no backslash and no odd bytes),
    /// or where one of them chooses another start.
    #[inline(never)]
    pub fn read(&mut self, text: &[u8], mut at: usize) -> Option<usize> {
        self.tokens.clear();
        let mut seen = 0;
        loop {
            let rest = text.get(at..)?;
            let ahead: &[u8; ROOM] = rest.first_chunk()?;
            let place = self.tokens.len();
            let length = match self.beginnings.get(place) {
                Some(known) if known.fits(ahead) => {
                    let value = usize::from(known.name.length) + 3;
                    value + value_length(rest.get(value..)?, &mut seen)? + 2
                }
                _ => {
                    // The value is not looked at.
                    seen = !0;
                    self.read_new(rest, place)?
                }
            };
            if length > Limits::STATED.inline_tag {
                return None;
            }
            self.tokens.push(Token::new(Kind::Tag, at, at + length));
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
        self.is_ascii = swar::is_ascii(seen);
        let rest = text.get(at..)?;
        let space = rest.iter().take(MAX_SPACE).position(|&byte| !is_space(byte))?;
        // Behind a blank line another tag may begin another game.
        (rest[space] != b'[').then_some(at + space)
    }

    /// The length of a tag pair that begins as none before it did in its place.
    #[cold]
    #[inline(never)]
    fn read_new(&mut self, rest: &[u8], place: usize) -> Option<usize> {
        let rest = &rest[..rest.len().min(Limits::STATED.inline_tag)];
        let (name, length) = plain_tag(rest)?;
        let text = &rest[1..1 + name];
        let name = TagName { length: name as u8, known: std::str::from_utf8(text).ok().and_then(Name::of) };
        let beginning = match text {
            b"FEN" => return None,
            // Not remembered, as the value is looked at each time.
            b"Variant" if rest.starts_with(b"[Variant \"Standard\"]") => Beginning::of_no_other(name),
            b"Variant" => return None,
            _ => Beginning::of(rest.first_chunk()?, name),
        };
        self.names = None;
        match self.beginnings.get_mut(place) {
            Some(old) => *old = beginning,
            None => self.beginnings.push(beginning),
        }
        Some(length)
    }

    /// The names of the tags of this game, one for each of `tokens`.
    pub fn names(&self) -> impl Iterator<Item = TagName> + '_ {
        self.beginnings[..self.tokens.len()].iter().map(|beginning| beginning.name)
    }

    /// Whether there is nothing to say about the names: no one twice, and none missing. Found anew only where they are not those
    /// of the game before.
    #[inline(always)]
    pub fn look_at_names(&mut self, text: &[u8]) -> bool {
        let count = self.tokens.len();
        if self.names.as_ref().is_none_or(|names| names.count != count) {
            self.names = Some(self.names_of(text));
        }
        self.names.as_ref().is_some_and(|names| names.are_clean)
    }

    /// The tags whose values matter, known since `look_at_names`: their places, and what they are called.
    pub fn that_matter(&self) -> &[(u8, Name)] {
        self.names.as_ref().map_or(&[], |names| &names.matter)
    }

    #[cold]
    #[inline(never)]
    fn names_of(&self, text: &[u8]) -> Names {
        let mut names = Names { count: self.tokens.len(), are_clean: false, matter: ArrayVec::new() };
        let mut seen: u32 = 0;
        let mut others: ArrayVec<&[u8], MAX_OTHERS> = ArrayVec::new();
        for ((place, tag), name) in (0..).zip(&self.tokens).zip(self.names()) {
            let Some(known) = name.known else {
                let begin = tag.start as usize + 1;
                let name = &text[begin..begin + usize::from(name.length)];
                if others.contains(&name) || others.try_push(name).is_err() {
                    return names;
                }
                continue;
            };
            let matters = 1 << known as u32 & MEANINGLESS == 0;
            if seen >> known as u32 & 1 != 0 || matters && names.matter.try_push((place, known)).is_err() {
                return names;
            }
            seen |= 1 << known as u32;
        }
        let roster = ROSTER.iter().fold(0, |roster, name| roster | 1 << *name as u32);
        names.are_clean = seen & roster == roster;
        names
    }

    /// Where the value of the tag in a place stands.
    #[inline(always)]
    pub fn value(&self, place: u8) -> Option<Range<usize>> {
        let place = usize::from(place);
        let (tag, name) = (self.tokens.get(place)?, self.beginnings.get(place)?.name);
        Some(tag.start as usize + 3 + usize::from(name.length)..tag.end as usize - 2)
    }
}

/// The length of a value before `"]`, without quotes, backslashes and control characters. Adds to `seen` the bits of its bytes
/// (and perhaps of some behind).
#[inline(always)]
fn value_length(text: &[u8], seen: &mut u64) -> Option<usize> {
    /// Turns a quote into a blank, a blank into a quote, and control characters into others.
    const SWAPPED: u64 = 0x0202_0202_0202_0202;
    let stops = |word: u64| swar::below(word ^ SWAPPED, b'!') | swar::equal(word, b'\\');
    let mut at = 0;
    loop {
        // Most values are within sixteen bytes: no question is asked of each eight.
        let words: &[u8; 16] = text.get(at..)?.first_chunk()?;
        let words = [swar::load(words, 0), swar::load(words, 8)];
        let found = words.map(stops);
        *seen |= words[0] | words[1];
        if found[0] | found[1] != 0 {
            at += swar::first_of_two((found[0], found[1]));
            return (text[at..].first_chunk() == Some(b"\"]")).then_some(at);
        }
        at += 16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(section: &mut TagSection, text: &str) -> Option<(usize, Vec<u8>)> {
        // What is near the end is not read.
        let padded = format!("{text}{}", "1. e4 ".repeat(20));
        let end = section.read(padded.as_bytes(), 0)?;
        Some((end, section.names().map(|name| name.length).collect()))
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
            assert_eq!(value_length(&text[8..], &mut 0), expected, "{byte}");
        }
    }
}
