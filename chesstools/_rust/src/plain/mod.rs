//! Plain games, read and replayed in one go: straight from bytes, without tokens and without a board that knows all the rules.
//!
//! A plain game is what nearly every game of nearly every archive is: tag pairs, a line each; moves exactly as the standard
//! writes them, legal ones, with or without their right numbers; perhaps comments on one line without braces inside; a result;
//! a blank line; and the first tag pair of another game. It starts from the usual array. Whatever is not plain is refused as a
//! whole, and the segmenter and the other paths decide about it from its first byte on. So this may be narrow, it may never be
//! wrong: of a game that it takes, they would say the same.

pub mod clean;
pub mod comment;
pub mod ended;
mod looks;
pub mod number;
pub mod position;
pub mod special;
pub mod tags;

use std::sync::LazyLock;

use crate::board::{role_of, Board};
use crate::classes::{is_check_mark, is_space};
use crate::comment_position::may_hold_position;
use crate::comments::{read_commands, Annotations};
use crate::lexer::{Kind, Token};
use crate::limits::{Limits, ROOM};
use crate::record::{Note, Ply};
use crate::replay::{Replay, Wanted};
use crate::san_words::{common, WORD};
use crate::segment_fast::{plain_comment, result};
use crate::swar;
use crate::types::{Color, Move};

use comment::only_commands;
use ended::next_game;
pub use ended::Ended;
use number::Number;
use position::Position;

/// The usual array.
static ARRAY: LazyLock<Position> = LazyLock::new(|| Position::of(&Board::start(false)));

/// A plain game is no longer than this, so that it is within all limits.
const LONGEST: usize = 1_000_000;
const _: () = assert!(LONGEST <= Limits::STATED.game && LONGEST <= Limits::STATED.game_tokens);

/// So many plies after the other the halfmove clock is looked at.
const CLOCK_LOOKS: u32 = 20;

/// Most white space behind a game.
const MAX_SPACE: usize = 64;

/// What is known of a game that is being read.
struct Reading<'t> {
    text: &'t [u8],
    position: Position,
    /// The places, as `Scout` counts, behind the last moves that were no capture or pawn move and that were one. Of the second
    /// sort 0 is kept here while `Scout` wants to see all positions up to the next one.
    places: [u32; 2],
    wanted: Wanted,
}

impl Default for Position {
    fn default() -> Position {
        ARRAY.clone()
    }
}

/// What came next: up to where the text was read with that.
enum Next {
    Moved(u32),
    Other(u32),
    /// The result, which is not read yet; its length.
    Result(u32, usize),
}

impl Replay {
    /// Replays the movetext that begins at `at`, if it is that of a plain game that began at `begin`.
    pub fn run_plain(&mut self, text: &[u8], begin: usize, at: usize, wanted: Wanted) -> Option<Ended> {
        match wanted.keys {
            true => self.run_as::<true>(text, begin, at, wanted),
            false => self.run_as::<false>(text, begin, at, wanted),
        }
    }

    /// The same; `KEYS` is `wanted.keys`.
    #[inline(never)]
    fn run_as<const KEYS: bool>(&mut self, text: &[u8], begin: usize, at: usize, wanted: Wanted) -> Option<Ended> {
        let text = &text[..text.len().min(begin + LONGEST)];
        let mut at = u32::try_from(at).ok()?;
        let mut number = Number::first(window(text, at)?[2] == b' ');
        if wanted.fifty_from < CLOCK_LOOKS {
            return None;
        }
        self.clear(ARRAY.hash);
        self.watching = true;
        let first = self.scout.first_place;
        self.scout.may_repeat(ARRAY.hash, first, first);
        let mut reading = Reading { text, position: ARRAY.clone(), places: [first; 2], wanted };
        let (at, length, turn) = loop {
            match self.read_move::<0, KEYS>(&mut reading, &number, at)? {
                Next::Result(at, length) => break (at, length, Color::White),
                Next::Moved(behind) | Next::Other(behind) => at = behind,
            }
            match self.read_move::<8, KEYS>(&mut reading, &number, at)? {
                Next::Result(at, length) => break (at, length, Color::Black),
                Next::Moved(behind) | Next::Other(behind) => at = behind,
            }
            if number.advance() {
                self.look_at_clock(&mut reading);
            }
        };
        let at = at as usize;
        let marker = Token::new(Kind::Result, at, at + length);
        let end = next_game(reading.text, at + length)?;
        let plies = self.plies.len() as u32;
        let halfmove = plies - self.segment(&reading);
        let (few_men, ep) = (reading.position.has_few_men(), self.passed_square(&reading.position));
        let ended = Ended { marker, end, plies, few_men, turn, halfmove, ep };
        self.position = reading.position;
        // The mark of a mate was looked at, but not whether a check is one.
        if self.position.in_check && !self.has_mate_sign(text) && !ended.has_legal_move(self) {
            return None;
        }
        self.watched = plies;
        Some(ended)
    }

    /// Reads on behind the next move, or up to the result.
    #[inline(always)]
    fn read_move<const SIDE: usize, const KEYS: bool>(
        &mut self,
        reading: &mut Reading,
        number: &Number,
        at: u32,
    ) -> Option<Next> {
        let ahead = window(reading.text, at)?;
        let skip = if SIDE == 0 && number.begins(ahead) { number.length() } else { 0 };
        match self.read_common::<SIDE>(reading, ahead[skip..].first_chunk()?, at + skip as u32, KEYS)? {
            Some(behind) => Some(Next::Moved(behind)),
            None => self.read_on::<SIDE>(reading, number, at),
        }
    }

    /// The same where no common move comes next.
    #[inline(never)]
    fn read_on<const SIDE: usize>(&mut self, reading: &mut Reading, number: &Number, mut at: u32) -> Option<Next> {
        loop {
            match self.read_other::<SIDE>(reading, number, at)? {
                Next::Other(behind) => at = behind,
                next => return Some(next),
            }
            let ahead = window(reading.text, at)?;
            let skip = if SIDE == 0 && number.begins(ahead) { number.length() } else { 0 };
            let (word, start, keys) = (ahead[skip..].first_chunk()?, at + skip as u32, reading.wanted.keys);
            if let Some(behind) = self.read_common::<SIDE>(reading, word, start, keys)? {
                return Some(Next::Moved(behind));
            }
        }
    }

    /// Makes the common move that stands at `at`, if one stands there; gives the place behind it. None where it is marked as mate
    /// and is none. `keys` is `wanted.keys`.
    #[inline(always)]
    fn read_common<const SIDE: usize>(
        &mut self,
        reading: &mut Reading,
        word: &[u8; WORD],
        at: u32,
        keys: bool,
    ) -> Option<Option<u32>> {
        let Some((written, length)) = common(word) else { return Some(None) };
        if !is_space(word[length]) {
            return self.read_checking::<SIDE>(reading, word, at);
        }
        let Some(step) = reading.position.play::<SIDE>(written, false) else { return Some(None) };
        self.note_move::<SIDE>(reading, at, length, Move::plain(step.from, written.to()), written.zeroes());
        if keys {
            self.look_closer(reading, turn_behind::<SIDE>(), role_of(step.man), role_of(step.taken))?;
        }
        Some(Some(at + length as u32 + 1))
    }

    /// The same for a common move with a check mark.
    #[inline(never)]
    fn read_checking<const SIDE: usize>(&mut self, reading: &mut Reading, word: &[u8; WORD], at: u32) -> Option<Option<u32>> {
        let Some((written, length)) = common(word) else { return Some(None) };
        let is_marked = is_check_mark(word[length]) && is_space(word[length + 1]);
        let step = if is_marked { reading.position.play::<SIDE>(written, true) } else { None };
        let Some(step) = step else { return Some(None) };
        self.note_move::<SIDE>(reading, at, length + 1, Move::plain(step.from, written.to()), written.zeroes());
        if word[length] == b'#' || reading.wanted.keys {
            self.look_closer(reading, turn_behind::<SIDE>(), role_of(step.man), role_of(step.taken))?;
        }
        Some(Some(at + length as u32 + 2))
    }

    /// Reads what is not a common move, perhaps behind its number: a special move, white space, a comment, or the result.
    #[inline(always)]
    fn read_other<const SIDE: usize>(&mut self, reading: &mut Reading, number: &Number, at: u32) -> Option<Next> {
        let ahead = window(reading.text, at)?;
        match ahead[0] {
            b' ' | b'\t'..=b'\r' => Some(Next::Other(at + 1)),
            b'{' => {
                let length = self.plain_comment(&reading.text[at as usize..], at as usize)? as u32;
                let behind = behind_space(reading.text, at + length)?;
                // In some files a comment stands behind every move.
                let number = if SIDE == 0 { None } else { number.length_before::<SIDE>(window(reading.text, behind)?) };
                match number {
                    Some(length) => self.read_numbered::<SIDE>(reading, behind_space(reading.text, behind + length as u32)?),
                    None => Some(Next::Other(behind)),
                }
            }
            b'0'..=b'9' | b'*' => match number.length_before::<SIDE>(ahead) {
                Some(length) => self.read_numbered::<SIDE>(reading, behind_space(reading.text, at + length as u32)?),
                None => Some(Next::Result(at, result(ahead)?)),
            },
            b'O' | b'a'..=b'h' => self.read_special::<SIDE>(reading, at),
            _ => None,
        }
    }

    /// Reads the move that stands behind its number.
    #[inline(never)]
    fn read_numbered<const SIDE: usize>(&mut self, reading: &mut Reading, at: u32) -> Option<Next> {
        let (word, keys) = (window(reading.text, at)?.first_chunk()?, reading.wanted.keys);
        if let Some(behind) = self.read_common::<SIDE>(reading, word, at, keys)? {
            return Some(Next::Moved(behind));
        }
        self.read_special::<SIDE>(reading, at)
    }

    /// Reads a castling, a promotion or a capture en passant.
    fn read_special<const SIDE: usize>(&mut self, reading: &mut Reading, at: u32) -> Option<Next> {
        let ahead = window(reading.text, at)?;
        if !matches!(ahead[0], b'O' | b'a'..=b'h') {
            return None;
        }
        let length = ahead.iter().take(9).position(|&byte| is_space(byte))?;
        let ep = self.passed_square(&reading.position);
        let made = reading.position.play_special::<SIDE>(swar::load(ahead, 0), length, ep)?;
        self.note_move::<SIDE>(reading, at, length, made.mv, !made.mv.is_castling());
        if made.check | reading.wanted.keys {
            self.look_closer(reading, turn_behind::<SIDE>(), made.role, made.captured)?;
        }
        Some(Next::Moved(at + length as u32 + 1))
    }

    /// Takes in a move that has been made; `zeroes` says that it was a capture or a pawn move.
    #[inline(always)]
    fn note_move<const SIDE: usize>(&mut self, reading: &mut Reading, start: u32, length: usize, mv: Move, zeroes: bool) {
        let key = reading.position.hash;
        self.plies.push(Ply { start, end: start + length as u32, mv, key });
        let place = self.scout.first_place + self.plies.len() as u32;
        // A place for each sort, as nobody can foretell of which sort a move is.
        reading.places[usize::from(zeroes)] = place;
        if self.scout.may_repeat(key, place, reading.places[1]) {
            self.look_again(reading, turn_behind::<SIDE>());
        }
    }

    /// Takes in the comment that `rest` begins with; its length, if it is plain.
    #[inline(never)]
    fn plain_comment(&mut self, rest: &[u8], at: usize) -> Option<usize> {
        let ply = self.plies.len() as u32;
        if let Some(length) = only_commands(rest) {
            self.notes.push(Note::Comment { ply, token: Token::new(Kind::Comment, at, at + length) });
            return Some(length);
        }
        let length = plain_comment(rest)?;
        if may_hold_position(&rest[..length]) {
            return None;
        }
        if ply > 0 {
            let mut right = true;
            let comment = std::str::from_utf8(&rest[..length]).ok()?;
            read_commands(comment, &mut Annotations::default(), |_| right = false);
            if !right {
                return None;
            }
        }
        self.notes.push(Note::Comment { ply, token: Token::new(Kind::Comment, at, at + length) });
        Some(length)
    }
}

/// What stands from `at` on, if there is more than that: behind a plain game stands a tag pair.
#[inline(always)]
fn window(text: &[u8], at: u32) -> Option<&[u8; ROOM]> {
    text.get(at as usize..at as usize + ROOM)?.try_into().ok()
}

/// The place behind white space, if some stands at `at`, else `at`.
#[inline(always)]
fn behind_space(text: &[u8], mut at: u32) -> Option<u32> {
    while is_space(*text.get(at as usize)?) {
        at += 1;
    }
    Some(at)
}

/// Who moves next.
const fn turn_behind<const SIDE: usize>() -> Color {
    if SIDE == 0 {
        Color::Black
    } else {
        Color::White
    }
}
