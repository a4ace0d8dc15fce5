//! Whether nothing at all is wrong with a plain game that was replayed, and nothing is to be said about it but its result.
//!
//! Nine games of ten are so. Where only findings and counts are wanted, they need not be looked at any further: what follows in
//! `game.rs` would find the same, with more code than fits into the part of the cache that holds what is run.

use super::tags::TagSection;
use super::Ended;
use crate::replay::Replay;
use crate::tags::Name;
use crate::values::{is_unknown, parse_date, parse_elo, parse_termination, parse_time_control};

/// A game with no findings that did not end on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clean {
    pub result: &'static str,
    /// Why it ended, as far as the Termination tag says.
    pub reason: Option<&'static str>,
    pub plies: u32,
    pub bytes: usize,
}

/// The plain game that was replayed last and begins at `begin`, if it is clean; `section` holds its tags.
#[inline(never)]
pub fn clean(replay: &Replay, text: &[u8], begin: usize, section: &mut TagSection, ended: &Ended) -> Option<Clean> {
    if replay.scout.interesting || ended.few_men || !ended.has_legal_move(replay) {
        return None;
    }
    // Behind the first move all that was read is ASCII but comments, and they were looked at.
    let last = section.tokens.last()?.end as usize;
    let unread = if section.is_ascii { last } else { begin };
    std::str::from_utf8(&text[unread..replay.plies.first()?.start as usize]).ok()?;
    let marker = &text[ended.marker.start as usize..ended.marker.end as usize];
    let result = ["1-0", "0-1", "1/2-1/2", "*"].into_iter().find(|result| result.as_bytes() == marker)?;
    if !section.look_at_names(text) {
        return None;
    }
    let mut reason = None;
    for &(place, name) in section.that_matter() {
        let value = &text[section.value(place)?];
        if !is_clean(name, value, result) {
            return None;
        }
        if name == Name::Termination {
            reason = parse_termination(std::str::from_utf8(value).ok()?).1;
        }
    }
    Some(Clean { result, reason, plies: ended.plies, bytes: ended.end - begin })
}

/// Whether there is nothing to say about the value of a tag.
fn is_clean(name: Name, bytes: &[u8], result: &str) -> bool {
    match (name, bytes) {
        (Name::Result, _) => return bytes == result.as_bytes(),
        (Name::WhiteElo | Name::BlackElo, [b'1' | b'2', rest @ ..]) if rest.len() == 3 && is_number(rest) => return true,
        _ => {}
    }
    let Ok(value) = std::str::from_utf8(bytes) else { return false };
    match name {
        Name::Date | Name::UtcDate | Name::EventDate => parse_date(value).is_some() || is_unknown(Some(value)),
        Name::WhiteElo | Name::BlackElo => value == "0" || parse_elo(value).is_some() || is_unknown(Some(value)),
        Name::TimeControl => parse_time_control(value).is_some() || is_unknown(Some(value)),
        Name::Termination => parse_termination(value).0,
        Name::Variant => value == "Standard",
        Name::Fen | Name::SetUp | Name::PlyCount => false,
        _ => true,
    }
}

#[inline(always)]
fn is_number(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_digit)
}
