//! Whether nothing at all is wrong with a plain game that was replayed, and nothing is to be said about it but its result.
//!
//! Nine games of ten are so. Where only findings and counts are wanted, they need not be looked at any further: what follows in
//! `game.rs` would find the same, with more code than fits into the part of the cache that holds what is run.

use arrayvec::ArrayVec;

use super::tags::TagSection;
use super::Ended;
use crate::replay::Replay;
use crate::tags::{Name, ROSTER};
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

/// Most tags with names that mean nothing to the core.
const MAX_OTHERS: usize = 16;

/// The plain game that was replayed last and begins at `begin`, if it is clean; `section` holds its tags.
#[inline(never)]
pub fn clean(replay: &Replay, text: &[u8], begin: usize, section: &TagSection, ended: &Ended) -> Option<Clean> {
    if replay.scout.interesting || ended.few_men || ended.plies == 0 || !ended.board.has_legal_move() {
        return None;
    }
    let region = std::str::from_utf8(&text[begin..ended.end]).ok()?;
    let marker = &region[ended.marker.start as usize - begin..ended.marker.end as usize - begin];
    let result = ["1-0", "0-1", "1/2-1/2", "*"].into_iter().find(|result| *result == marker)?;
    let mut seen: u32 = 0;
    let mut reason = None;
    let mut others: ArrayVec<&str, MAX_OTHERS> = ArrayVec::new();
    for (tag, name) in section.tokens.iter().zip(&section.names) {
        let (start, end) = (tag.start as usize - begin, tag.end as usize - begin);
        let behind = start + 1 + usize::from(name.length);
        let Some(known) = name.known else {
            let name = region.get(start + 1..behind)?;
            if others.contains(&name) || others.try_push(name).is_err() {
                return None;
            }
            continue;
        };
        if seen >> known as u32 & 1 != 0 {
            return None;
        }
        if 1 << known as u32 & MEANINGLESS == 0 {
            let value = region.get(behind + 2..end - 2)?;
            if !is_clean(known, value, result) {
                return None;
            }
            if known == Name::Termination {
                reason = parse_termination(value).1;
            }
        }
        seen |= 1 << known as u32;
    }
    let roster = ROSTER.iter().fold(0, |roster, name| roster | 1 << *name as u32);
    (seen & roster == roster).then_some(Clean { result, reason, plies: ended.plies, bytes: ended.end - begin })
}

/// Tags whose value may be anything.
const MEANINGLESS: u32 = 1 << Name::Event as u32
    | 1 << Name::Site as u32
    | 1 << Name::Round as u32
    | 1 << Name::White as u32
    | 1 << Name::Black as u32
    | 1 << Name::Eco as u32;

/// Whether there is nothing to say about the value of a tag.
fn is_clean(name: Name, value: &str, result: &str) -> bool {
    match name {
        Name::Result => value == result,
        Name::Date | Name::UtcDate | Name::EventDate => parse_date(value).is_some() || is_unknown(Some(value)),
        Name::WhiteElo | Name::BlackElo => value == "0" || parse_elo(value).is_some() || is_unknown(Some(value)),
        Name::TimeControl => parse_time_control(value).is_some() || is_unknown(Some(value)),
        Name::Termination => parse_termination(value).0,
        Name::Variant => value == "Standard",
        Name::Fen | Name::SetUp | Name::PlyCount => false,
        _ => true,
    }
}
