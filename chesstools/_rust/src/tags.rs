//! The tag section of a game: every tag in order with its exact value, and what is wrong with them.
//! The counterpart of `chesstools/reference/tags.py`.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::facts::Facts;
use crate::lexer::{Kind, Token};
use crate::plain::tags::TagName;
use crate::tag_names::NAMES;
use crate::text::trim;
use crate::time_control::TimeControl;
use crate::types::Place;
use crate::values;

pub use crate::tag_names::{Name, ROSTER};

/// One tag pair.
#[derive(Clone, Debug)]
pub struct Tag<'a> {
    pub name: Cow<'a, str>,
    pub value: Cow<'a, str>,
    pub token: Token,
}

/// More names than this, of those that nobody asks for, are found by a map.
const FEW: usize = 48;

/// Tag pairs in order; where a name stands twice the first value counts. Can be used again for the next game.
#[derive(Debug, Default)]
pub struct Tags<'a> {
    pub pairs: Vec<Tag<'a>>,
    /// Lines that look like tag pairs but could not be read.
    pub unread: Vec<Token>,
    /// Where in `pairs` the first tag with each name stands, counted from 1; 0 is none.
    known: [u32; NAMES],
    /// The same for names that are not in `Name`, counted from 0, each name once.
    others: Vec<u32>,
    /// `others` by name, where they are more than a few.
    by_name: HashMap<Cow<'a, str>, u32>,
}

impl<'a> Tags<'a> {
    /// No tags, with the memory of those that were here: for the next game, whose text may be another one.
    pub fn emptied<'b>(mut self) -> Tags<'b> {
        self.pairs.clear();
        self.unread.clear();
        self.others.clear();
        // Collecting what is of the same size keeps the memory.
        let pairs = self.pairs.into_iter().map(|_| unreachable!()).collect();
        Tags { pairs, unread: self.unread, known: [0; NAMES], others: self.others, by_name: HashMap::new() }
    }

    /// The first tag of that name.
    #[inline]
    pub fn tag(&self, name: Name) -> Option<&Tag<'a>> {
        // 0 becomes an index that no pair has.
        self.pairs.get((self.known[name as usize] as usize).wrapping_sub(1))
    }

    /// The value of a tag, None where there is none.
    #[inline]
    pub fn get(&self, name: Name) -> Option<&str> {
        self.tag(name).map(|tag| &*tag.value)
    }

    /// Where a tag stands.
    #[inline]
    pub fn token(&self, name: Name) -> Option<Token> {
        self.tag(name).map(|tag| tag.token)
    }

    /// Adds a pair with what its name is known as; the index of the first one of that name, if there is one already.
    fn push(&mut self, tag: Tag<'a>, known: Option<Name>) -> Option<usize> {
        let index = self.pairs.len() as u32;
        let first = match known {
            Some(name) => match self.known[name as usize] {
                0 => {
                    self.known[name as usize] = index + 1;
                    None
                }
                first => Some(first - 1),
            },
            None => self.other(&tag, index),
        };
        self.pairs.push(tag);
        first.map(|first| first as usize)
    }

    fn other(&mut self, tag: &Tag<'a>, index: u32) -> Option<u32> {
        if self.others.len() < FEW {
            let first = self.others.iter().copied().find(|&other| self.pairs[other as usize].name == tag.name);
            if first.is_none() {
                self.others.push(index);
            }
            return first;
        }
        if self.by_name.is_empty() {
            self.by_name = self.others.iter().map(|&other| (self.pairs[other as usize].name.clone(), other)).collect();
        }
        match self.by_name.get(&tag.name) {
            Some(&first) => Some(first),
            None => {
                self.by_name.insert(tag.name.clone(), index);
                None
            }
        }
    }
}

/// Reads all tag pairs of a region, wherever they stand in it, and reports what is wrong with their form.
///
/// `tokens` are those of the region; tokens of other kinds than tags are passed over. `glued` are tag pairs that stand behind
/// movetext without a blank line between.
pub fn read_tags<'a>(facts: &mut Facts<'a>, tokens: &[Token], glued: &[Token], tags: &mut Tags<'a>) {
    for &token in tokens {
        let (name, value) = match token.kind {
            Kind::Tag => read_strict(facts.text(token)),
            Kind::BadTag => match crate::bad_tag::read(facts, token) {
                Some(pair) => pair,
                None => {
                    tags.unread.push(token);
                    continue;
                }
            },
            _ => continue,
        };
        let known = Name::of(&name);
        add(facts, tags, Tag { name, value, token }, known);
    }
    for &token in glued {
        facts.add("P107", token, &Place::default());
    }
}

/// The same for plain tag pairs: `[Name "value"]` with one blank and no backslash. `names` are their names.
pub fn read_plain_tags<'a>(facts: &mut Facts<'a>, tokens: &[Token], names: impl Iterator<Item = TagName>, tags: &mut Tags<'a>) {
    for (&token, name) in tokens.iter().zip(names) {
        let TagName { length, known } = name;
        let behind = 1 + usize::from(length);
        let (name, value) = match facts.text(token) {
            Cow::Borrowed(text) => match (text.get(1..behind), text.get(behind + 2..text.len().saturating_sub(2))) {
                (Some(name), Some(value)) => (Cow::Borrowed(name), Cow::Borrowed(value)),
                _ => continue,
            },
            text => read_strict(text),
        };
        add(facts, tags, Tag { name, value, token }, known);
    }
}

/// Adds a pair, and reports one whose name is there already.
#[inline]
fn add<'a>(facts: &mut Facts<'a>, tags: &mut Tags<'a>, tag: Tag<'a>, known: Option<Name>) {
    let token = tag.token;
    let Some(first) = tags.push(tag, known) else { return };
    let last = &tags.pairs[tags.pairs.len() - 1];
    let finding = facts.add("P105", token, &Place::default()).token(&last.name);
    finding.with("expected", &tags.pairs[first].value).with("found", &last.value);
}

/// Name and value of a well-formed tag pair.
fn read_strict(text: Cow<'_, str>) -> (Cow<'_, str>, Cow<'_, str>) {
    match text {
        Cow::Borrowed(text) => {
            let (name, value) = split_strict(text);
            (Cow::Borrowed(name), unescaped(value))
        }
        Cow::Owned(text) => {
            let (name, value) = split_strict(&text);
            (Cow::Owned(name.to_owned()), Cow::Owned(unescaped(value).into_owned()))
        }
    }
}

/// The parts of `[Name "value"]`; both empty where it has not that form, which the lexer has made sure of.
fn split_strict(text: &str) -> (&str, &str) {
    let bytes = text.as_bytes();
    let parts = || {
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
        let name = 1 + bytes.get(1..)?.iter().position(|byte| !is_space(byte))?;
        let length = bytes[name..].iter().position(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_'))?;
        let open = name + length + bytes[name + length..].iter().position(|byte| *byte == b'"')?;
        let close = bytes.iter().rposition(|byte| *byte == b'"')?;
        Some((&text[name..name + length], text.get(open + 1..close)?))
    };
    parts().unwrap_or_default()
}

/// `value` without the backslashes before quotes and backslashes. Before anything else (as in `C:\dir`) one stands for itself.
pub(crate) fn unescaped(value: &str) -> Cow<'_, str> {
    if !value.as_bytes().contains(&b'\\') {
        return Cow::Borrowed(value);
    }
    let mut plain = String::with_capacity(value.len());
    let mut signs = value.chars().peekable();
    while let Some(sign) = signs.next() {
        let escaped = if sign == '\\' { signs.next_if(|&next| next == '"' || next == '\\') } else { None };
        plain.push(escaped.unwrap_or(sign));
    }
    Cow::Owned(plain)
}

/// Reports missing roster tags and values that cannot be read. `first` is the first token of the game that is no filler.
pub fn check_tags(facts: &mut Facts, tags: &Tags, first: Token) {
    if ROSTER.iter().any(|&name| tags.known[name as usize] == 0) {
        let missing: Vec<&str> = ROSTER.iter().filter(|&&name| tags.tag(name).is_none()).map(|name| name.text()).collect();
        facts.add("P106", first, &Place::default()).with("found", missing.join(", ")).with("count", missing.len());
    }
    for name in [Name::Date, Name::UtcDate, Name::EventDate] {
        check_value(facts, tags, name, "T120", |value| values::parse_date(value).is_some());
    }
    for name in [Name::WhiteElo, Name::BlackElo] {
        // 0 is written for no rating.
        check_value(facts, tags, name, "T121", |value| value == "0" || values::parse_elo(value).is_some());
    }
    check_value(facts, tags, Name::TimeControl, "T122", |value| TimeControl::parse(value).is_some());
    check_value(facts, tags, Name::Termination, "T125", |value| values::parse_termination(value).0);
    check_setup(facts, tags);
}

/// Reports a value that is there and known, and not what it should be.
fn check_value(facts: &mut Facts, tags: &Tags, name: Name, code: &'static str, fits: impl Fn(&str) -> bool) {
    let Some(tag) = tags.tag(name) else { return };
    if fits(&tag.value) || values::is_unknown(Some(&tag.value)) {
        return;
    }
    let finding = facts.add(code, tag.token, &Place::default());
    if matches!(code, "T120" | "T121") {
        // Several tags can be meant.
        finding.token(name.text()).with("tag", name.text());
    }
    finding.with("found", &tag.value);
}

fn check_setup(facts: &mut Facts, tags: &Tags) {
    let (tag, reason) = match (tags.tag(Name::SetUp), tags.tag(Name::Fen)) {
        (None, Some(fen)) => (fen, "fen-without-setup"),
        (Some(setup), Some(fen)) if setup.value != "1" => (fen, "setup-zero-with-fen"),
        (Some(setup), None) if setup.value == "1" => (setup, "setup-without-fen"),
        _ => return,
    };
    facts.add("T124", tag.token, &Place::default()).with("reason", reason);
}

/// Reports a PlyCount tag that does not agree with the mainline plies as written.
pub fn check_ply_count(facts: &mut Facts, tags: &Tags, plies: u32) {
    let Some(tag) = tags.tag(Name::PlyCount) else { return };
    let value = trim(&tag.value);
    // As digits without signs or leading zeros: nothing else is the same number written well.
    let agrees = value.parse() == Ok(plies) && !value.starts_with('+') && (value == "0" || !value.starts_with('0'));
    if !agrees && !values::is_unknown(Some(value)) {
        facts.add("T123", tag.token, &Place::default()).with("expected", &tag.value).with("count", plies);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<'a>(facts: &mut Facts<'a>, kinds: &[Kind]) -> Tags<'a> {
        let mut tags = Tags::default();
        let mut start = 0;
        let lines = facts.data().split(|&byte| byte == b'\n').zip(kinds);
        let tokens: Vec<Token> = lines
            .map(|(line, &kind)| {
                let token = Token { kind, start, end: start + line.len() as u32 };
                start += line.len() as u32 + 1;
                token
            })
            .collect();
        read_tags(facts, &tokens, &[], &mut tags);
        tags
    }

    #[test]
    fn pairs_in_order_and_the_first_value() {
        let data = b"[White \"A\"]\n[ Foo\t \"x\\\\y\\\"z\\w\" ]\n[White \"B\"]\n[Foo \"\"]";
        let mut facts = Facts::new(data, 0, 0, data.len(), 1);
        let tags = read(&mut facts, &[Kind::Tag; 4]);
        let pairs: Vec<(&str, &str)> = tags.pairs.iter().map(|tag| (&*tag.name, &*tag.value)).collect();
        assert_eq!(pairs, [("White", "A"), ("Foo", "x\\y\"z\\w"), ("White", "B"), ("Foo", "")]);
        assert_eq!(tags.get(Name::White), Some("A"));
        assert_eq!(tags.get(Name::Black), None);
        let found: Vec<(&str, u64)> = facts.finish().iter().map(|finding| (finding.code, finding.line)).collect();
        assert_eq!(found, [("P105", 3), ("P105", 4)]);
    }

    #[test]
    fn many_tags() {
        let text: String = (0..200).map(|number| format!("[T{} \"\"]\n", number % 150)).collect();
        let mut facts = Facts::new(text.as_bytes(), 0, 0, text.len(), 1);
        let tags = read(&mut facts, &[Kind::Tag; 200]);
        assert_eq!(facts.count(), 50);
        let room = tags.pairs.capacity();
        let tags = tags.emptied();
        assert_eq!((tags.pairs.len(), tags.pairs.capacity(), tags.tag(Name::White).is_none()), (0, room, true));
    }

    #[test]
    fn values_are_checked() {
        let data =
            b"[Date \"1.1.1999\"]\n[WhiteElo \"?\"]\n[BlackElo \"9999\"]\n[FEN \"\"]\n[TimeControl \"x\"]\n[PlyCount \"07\"]";
        let mut facts = Facts::new(data, 0, 0, data.len(), 1);
        let tags = read(&mut facts, &[Kind::Tag; 6]);
        check_tags(&mut facts, &tags, tags.pairs[0].token);
        check_ply_count(&mut facts, &tags, 7);
        let findings = facts.finish();
        let found: Vec<&str> = findings.iter().map(|finding| finding.code).collect();
        assert_eq!(found, ["P106", "T120", "T121", "T124", "T122", "T123"]);
        assert_eq!(findings[0].evidence[0].1, "Event, Site, Round, White, Black, Result".into());
    }
}
