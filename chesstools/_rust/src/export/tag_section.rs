//! The tag section of a game as PGN writes it.

use std::borrow::Cow;

use super::game::Game;
use super::left::Left;
use super::options::TagOptions;
use crate::classes::{is_bad_tag_name, is_blank};
use crate::lexer::Token;
use crate::tags::{Name, Tag, ROSTER};
use crate::values::normalise_result;

/// What the moves of a game cannot be read without.
const NEEDED: [&str; 3] = ["SetUp", "FEN", "Variant"];

/// The termination marker that is written: the one that stood, else what the Result tag says, in its standard spelling.
pub fn marker<'g>(game: &'g Game) -> Cow<'g, str> {
    game.marker_text().unwrap_or_else(|| {
        let result = game.tags.get(Name::Result).and_then(normalise_result);
        Cow::Borrowed(result.unwrap_or("*"))
    })
}

/// Whether a line that looks like a tag pair has a name.
pub fn has_name(text: &[u8]) -> bool {
    text[1..].iter().find(|&&byte| !is_blank(byte)).is_some_and(|&byte| is_bad_tag_name(byte))
}

/// Writes the tags that are wanted, and the empty line behind them. Gives whether there is one that begins a game.
pub fn write(game: &Game, options: &TagOptions, left: &mut Left, out: &mut Vec<u8>) -> bool {
    let begin = out.len();
    if options.are_as_read() {
        game.tags.pairs.iter().for_each(|tag| write_tag(&tag.name, &tag.value, out));
    } else {
        write_arranged(game, options, left, out);
    }
    let mut begins = out.len() > begin;
    if !options.seven {
        begins |= game.unread_tags.iter().any(|token| has_name(game.facts.bytes(*token)));
        if begins {
            in_order(game).for_each(|token| write_unread(game, token, out));
        }
    }
    if begins {
        out.push(b'\n');
    }
    begins
}

/// The lines that look like tag pairs: first those that have a name.
pub fn in_order<'g>(game: &'g Game) -> impl Iterator<Item = Token> + 'g {
    let are_named =
        move |wanted: bool| game.unread_tags.iter().copied().filter(move |token| has_name(game.facts.bytes(*token)) == wanted);
    are_named(true).chain(are_named(false))
}

/// Writes those tags that are wanted, in the order that is wanted.
fn write_arranged(game: &Game, options: &TagOptions, left: &mut Left, out: &mut Vec<u8>) {
    let is_kept =
        |tag: &&Tag| !options.seven || NEEDED.contains(&&*tag.name) || ROSTER.iter().any(|name| name.text() == tag.name);
    let mut tags: Vec<&Tag> = game.tags.pairs.iter().filter(is_kept).collect();
    if options.seven {
        left.tags += (game.tags.pairs.len() - tags.len() + game.unread_tags.len()) as u64;
    }
    if options.roster || options.sorted {
        for name in ROSTER {
            match tags.iter().position(|tag| tag.name == name.text()) {
                Some(place) => {
                    let tag = tags.remove(place);
                    write_tag(&tag.name, &tag.value, out);
                }
                None if !options.roster => {}
                None => {
                    let value = match name {
                        Name::Date => Cow::Borrowed("????.??.??"),
                        Name::Result => marker(game),
                        _ => Cow::Borrowed("?"),
                    };
                    write_tag(name.text(), &value, out);
                }
            }
        }
    }
    if options.sorted {
        tags.sort_by(|one, other| one.name.cmp(&other.name));
    }
    tags.iter().for_each(|tag| write_tag(&tag.name, &tag.value, out));
}

/// Writes a line that looks like a tag pair.
pub fn write_unread(game: &Game, token: Token, out: &mut Vec<u8>) {
    out.extend_from_slice(game.facts.text(token).as_bytes());
    out.push(b'\n');
}

fn write_tag(name: &str, value: &str, out: &mut Vec<u8>) {
    out.push(b'[');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b" \"");
    let is_plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    // A value under another name is read as it stands.
    if memchr::memchr2(b'"', b'\\', value.as_bytes()).is_some() && is_plain(name) {
        for &byte in value.as_bytes() {
            if matches!(byte, b'"' | b'\\') {
                out.push(b'\\');
            }
            out.push(byte);
        }
    } else {
        out.extend_from_slice(value.as_bytes());
    }
    out.extend_from_slice(b"\"]\n");
}
