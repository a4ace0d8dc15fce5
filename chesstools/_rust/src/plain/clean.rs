//! Whether nothing at all is wrong with a plain game that was replayed, and nothing is to be said about it but its result.
//!
//! Most games are so. Where only findings and counts are wanted, they need not be looked at any further: what follows in
//! `game.rs` would find the same, with more code than fits into the part of the cache that holds what is run.

use super::tags::TagSection;
use super::Ended;
use crate::allowance::Allowance;
use crate::clock_findings::{flagged, Game, Shown};
use crate::comments::normalise;
use crate::endings::decisive;
use crate::flags::why_no_mate;
use crate::lexer::Token;
use crate::record::Note;
use crate::replay::Replay;
use crate::said::{read_sentence, read_termination, Outcome, Players};
use crate::tags::Name;
use crate::text::trim;
use crate::time_control::TimeControl;
use crate::values::{is_unknown, parse_date, parse_elo, parse_termination};
use crate::verdicts::contradicts_winner;
use crate::winnable::Depth;

/// A game with no findings that did not end on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clean {
    pub result: &'static str,
    pub plies: u32,
    pub bytes: usize,
}

/// The plain game that was replayed last and begins at `begin`, if it is clean; `section` holds its tags.
#[inline(never)]
pub fn clean(replay: &Replay, text: &[u8], begin: usize, section: &mut TagSection, ended: &Ended, depth: Depth) -> Option<Clean> {
    // A game of one move may be a forfeit.
    let may_have_ended = ended.few_men || ended.plies < 2 || !ended.has_legal_move(replay) || ended.is_dead(replay, depth);
    if replay.scout.interesting || may_have_ended {
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
    let (mut termination, mut control, mut engine_tags) = (None, None, 0);
    for &(place, name) in section.that_matter() {
        let value = &text[section.value(place)?];
        if !is_clean(name, value, result) {
            return None;
        }
        match name {
            Name::Termination => termination = Some(std::str::from_utf8(value).ok()?),
            Name::TimeControl => control = TimeControl::parse(std::str::from_utf8(value).ok()?),
            Name::GameStartTime | Name::GameEndTime => engine_tags += 1,
            _ => {}
        }
    }
    let reason = termination.and_then(|text| parse_termination(text).1);
    if !replay.notes.is_empty() && !are_clocks_clean(replay, text, control.as_ref(), result, reason, engine_tags == 2) {
        return None;
    }
    let end = End { replay, text, section, ended, termination, depth };
    if !end.is_clean(result) {
        return None;
    }
    Some(Clean { result, plies: ended.plies, bytes: ended.end - begin })
}

/// The end of a game that the board did not end.
struct End<'e> {
    replay: &'e Replay,
    text: &'e [u8],
    section: &'e TagSection,
    ended: &'e Ended,
    termination: Option<&'e str>,
    depth: Depth,
}

impl End<'_> {
    /// Whether there is nothing to say about it: what is said of it fits the result, and the winner can have won. Why a game was
    /// drawn is left to others.
    fn is_clean(&self, result: &str) -> bool {
        if !self.replay.notes.is_empty() && !self.comments_are_clean() {
            return false;
        }
        let Some(winner) = decisive(Some(result)) else { return self.termination.is_none() };
        // No edition and no server has a rule by which a side with more than minor pieces cannot win, but for that it cannot mate.
        let [_, pawns, _, _, rooks, queens, ..] = self.replay.position.men_of(winner);
        if pawns | rooks | queens == 0 {
            return false;
        }
        let Some(text) = self.termination else { return true };
        let Some((read, _)) = read_termination(trim(text), self.players(), Name::Termination) else { return true };
        // The board shows no mate.
        if read.1 == Some(Outcome::BothLose) || read.0 == Some("checkmate") || contradicts_winner(winner, read) {
            return false;
        }
        let unwinnable = || why_no_mate(&self.ended.board(self.replay), winner, self.depth).is_some();
        !(matches!(read.0, Some("time" | "resignation")) && unwinnable())
    }

    /// Whether the comments behind the last two moves tell nothing of the end.
    fn comments_are_clean(&self) -> bool {
        let notes = self.replay.notes.iter().rev();
        notes.take_while(|note| note.ply() + 1 >= self.ended.plies).all(|note| {
            let Note::Comment { ply, token } = note else { return true };
            let inside = std::str::from_utf8(&self.text[token.start as usize + 1..token.end as usize - 1]);
            inside.is_ok_and(|text| match self.termination {
                // Who ran out of time is then told by clocks.
                None if may_show_zero(text) => false,
                _ => *ply < self.ended.plies || only_brackets(text) || read_sentence(trim(text), self.players()).is_none(),
            })
        })
    }

    fn players(&self) -> Players<'_> {
        let mut players = Players::default();
        for (place, name) in (0..).zip(self.section.names()) {
            let player = match name.known {
                Some(Name::White) => 0,
                Some(Name::Black) => 1,
                _ => continue,
            };
            let value = self.section.value(place).map(|range| &self.text[range]);
            players.0[player] = value.and_then(|value| std::str::from_utf8(value).ok()).unwrap_or("");
        }
        players
    }
}

/// Whether a clock in a comment could show that no time is left.
fn may_show_zero(text: &str) -> bool {
    text.contains("0:00:00") || text.contains("clk -") || text.contains("tl=")
}

/// Whether a comment has nothing outside of square brackets.
fn only_brackets(text: &str) -> bool {
    let mut rest = trim(text);
    while let Some(inside) = rest.strip_prefix('[') {
        let Some((_, behind)) = inside.split_once(']') else { return false };
        rest = trim(behind);
    }
    rest.is_empty()
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
        (Name::Date | Name::UtcDate | Name::EventDate, _) if is_common_date(bytes) => return true,
        _ => {}
    }
    let Ok(value) = std::str::from_utf8(bytes) else { return false };
    match name {
        Name::Date | Name::UtcDate | Name::EventDate => parse_date(value).is_some() || is_unknown(Some(value)),
        Name::WhiteElo | Name::BlackElo => value == "0" || parse_elo(value).is_some() || is_unknown(Some(value)),
        Name::TimeControl => TimeControl::parse(value).is_some() || is_unknown(Some(value)),
        Name::Termination => parse_termination(value).0,
        Name::TerminationDetails => false,
        Name::Variant => value == "Standard",
        Name::Fen | Name::SetUp | Name::PlyCount => false,
        _ => true,
    }
}

/// Whether a date is known by its year, or also by a day that every month has. `parse_date` takes these and some more.
#[inline(always)]
fn is_common_date(text: &[u8]) -> bool {
    let &[b'1' | b'2', century, decade, year, b'.', m1, m2, b'.', d1, d2] = text else { return false };
    let months = matches!([m1, m2], [b'0', b'1'..=b'9'] | [b'1', b'0'..=b'2']);
    let days = matches!([d1, d2], [b'0', b'1'..=b'9'] | [b'1', b'0'..=b'9'] | [b'2', b'0'..=b'8']);
    is_number(&[century, decade, year]) && (months && days || [m1, m2, d1, d2] == *b"????")
}

#[inline(always)]
fn is_number(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is common is a date to `parse_date`, too, and most dates are common.
    #[test]
    fn common_dates() {
        let mut common = 0;
        for year in ["0999", "1900", "1999", "2024", "3000", "20?4", "????"] {
            for month in 0..14 {
                for day in 0..33 {
                    let date = format!("{year}.{month:02}.{day:02}");
                    assert!(!is_common_date(date.as_bytes()) || parse_date(&date).is_some(), "{date}");
                    common += u32::from(is_common_date(date.as_bytes()));
                }
            }
        }
        assert_eq!(common, 3 * 12 * 28);
        for (date, expected) in
            [("1999.??.??", true), ("1999.01.??", false), ("????.??.??", false), ("1999.??.01", false), ("", false)]
        {
            assert_eq!(is_common_date(date.as_bytes()), expected, "{date}");
        }
    }
}
