//! Whether nothing at all is wrong with a plain game that was replayed, and nothing is to be said about it but its result.
//!
//! Nine games of ten are so. Where only findings and counts are wanted, they need not be looked at any further: what follows in
//! `game.rs` would find the same, with more code than fits into the part of the cache that holds what is run.

use super::tags::TagSection;
use super::Ended;
use crate::allowance::Allowance;
use crate::clock_findings::{flagged, Game, Shown};
use crate::comments::normalise;
use crate::lexer::Token;
use crate::replay::Replay;
use crate::tags::Name;
use crate::time_control::TimeControl;
use crate::values::{is_unknown, parse_date, parse_elo, parse_termination};

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
    if replay.scout.interesting || ended.few_men || !ended.has_legal_move(replay) || ended.may_be_dead(replay) {
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
    let (mut reason, mut control, mut engine_tags) = (None, None, 0);
    for &(place, name) in section.that_matter() {
        let value = &text[section.value(place)?];
        if !is_clean(name, value, result) {
            return None;
        }
        match name {
            Name::Termination => reason = parse_termination(std::str::from_utf8(value).ok()?).1,
            Name::TimeControl => control = TimeControl::parse(std::str::from_utf8(value).ok()?),
            Name::GameStartTime | Name::GameEndTime => engine_tags += 1,
            _ => {}
        }
    }
    if !replay.notes.is_empty() && !are_clocks_clean(replay, text, control.as_ref(), result, reason, engine_tags == 2) {
        return None;
    }
    Some(Clean { result, reason, plies: ended.plies, bytes: ended.end - begin })
}

/// Whether the clock times in the comments of a game show nothing.
#[inline(never)]
fn are_clocks_clean(
    replay: &Replay,
    text: &[u8],
    control: Option<&TimeControl>,
    result: &str,
    reason: Option<&str>,
    by_engines: bool,
) -> bool {
    let allowance = Allowance::of(control, true);
    let game = Game {
        notes: &replay.notes,
        plies: replay.plies.len() as u32,
        allowance: allowance.as_ref(),
        white_first: true,
        by_engines,
        loser: flagged(Some(result), reason, control),
    };
    let bytes = |token: Token| &text[token.start as usize..token.end as usize];
    let said = |token: Token| {
        let raw = std::str::from_utf8(bytes(token)).unwrap_or_default();
        (raw.into(), normalise(raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default()))
    };
    Shown::of(&game, bytes, said).is_nothing()
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
        Name::TimeControl => TimeControl::parse(value).is_some() || is_unknown(Some(value)),
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
