//! Plain games, read and replayed in one go: straight from bytes, without tokens and without a board that knows all the rules.
//!
//! A plain game is what nearly every game of nearly every archive is: tag pairs, a line each; moves exactly as the standard
//! writes them, legal ones, with or without their right numbers; perhaps comments on one line without braces inside; a result;
//! a blank line; and the first tag pair of another game. It starts from the usual array. Whatever is not plain is refused as a
//! whole, and the segmenter and the other paths decide about it from its first byte on. So this may be narrow, it may never be
//! wrong: of a game that it takes, they would say the same.

pub mod clean;
pub mod comment;
pub mod number;
pub mod position;
pub mod special;
pub mod tags;

use std::sync::LazyLock;

use crate::board::{role_of, Board};
use crate::classes::is_space;
use crate::comments::{read_commands, Annotations};
use crate::lexer::{Kind, Token};
use crate::lexer_tags::plain_tag;
use crate::limits::{Limits, ROOM};
use crate::record::{Detail, Note, Ply};
use crate::replay::{Replay, Wanted};
use crate::san_words::{common, Written};
use crate::scout::Sides;
use crate::segment_fast::{plain_comment, result};
use crate::swar;
use crate::types::{Color, Move, Role, NO_SQUARE};

use comment::only_commands;
use number::Number;
use position::{passed_square, Position};

/// The usual array.
static ARRAY: LazyLock<Position> = LazyLock::new(|| Position::of(&Board::start(false)));

/// A plain game is no longer than this, so that it is within all limits.
const LONGEST: usize = 1_000_000;
const _: () = assert!(LONGEST <= Limits::STATED.game && LONGEST <= Limits::STATED.game_tokens);

/// Most white space behind a game.
const MAX_SPACE: usize = 64;

/// How a plain game ended.
pub struct Ended {
    pub marker: Token,
    /// Where the next game begins.
    pub end: usize,
    pub board: Board,
    pub plies: u32,
    /// Whether neither pawns nor rooks nor queens are left. Where some are, no position before was dead.
    pub few_men: bool,
}

/// What is known of a game that is being read.
struct Reading<'t> {
    text: &'t [u8],
    position: Position,
    /// Plies up to the last capture or pawn move.
    zeroed: u32,
    wanted: Wanted,
}

/// What came next, and what is not read yet.
enum Next<'t> {
    Moved(&'t [u8]),
    Other(&'t [u8]),
    /// The result, at the beginning of what is not read yet; its length.
    Result(&'t [u8], usize),
}

impl Replay {
    /// Replays the movetext that begins at `at`, if it is that of a plain game that began at `begin`.
    #[inline(never)]
    pub fn run_plain(&mut self, text: &[u8], begin: usize, at: usize, wanted: Wanted) -> Option<Ended> {
        let text = &text[..text.len().min(begin + LONGEST)];
        let mut rest = text.get(at..)?;
        let mut reading = Reading { text, position: ARRAY.clone(), zeroed: 0, wanted };
        let mut number = Number::new(1);
        self.clear(reading.position.hash);
        self.watching = true;
        self.watch_plain(&reading, Color::White);
        let (length, turn) = loop {
            match self.read_move::<0>(&mut reading, &number, rest)? {
                Next::Result(behind, length) => {
                    rest = behind;
                    break (length, Color::White);
                }
                Next::Moved(behind) | Next::Other(behind) => rest = behind,
            }
            match self.read_move::<8>(&mut reading, &number, rest)? {
                Next::Result(behind, length) => {
                    rest = behind;
                    break (length, Color::Black);
                }
                Next::Moved(behind) | Next::Other(behind) => rest = behind,
            }
            number.advance();
        };
        let at = text.len() - rest.len();
        let marker = Token::new(Kind::Result, at, at + length);
        let end = next_game(text, at + length)?;
        let board = self.plain_board(&reading, turn);
        // The mark of a mate was looked at, but not whether a check is one.
        if reading.position.in_check && !self.has_mate_sign(text) && !board.has_legal_move() {
            return None;
        }
        let few_men = reading.position.has_few_men();
        let plies = self.plies.len() as u32;
        self.watched = plies;
        Some(Ended { marker, end, board, plies, few_men })
    }

    /// Reads on behind the next move, or up to the result.
    #[inline(always)]
    fn read_move<'t, const SIDE: usize>(
        &mut self,
        reading: &mut Reading<'t>,
        number: &Number,
        mut rest: &'t [u8],
    ) -> Option<Next<'t>> {
        // Whether a number was read, so that a move must come next.
        let mut numbered = false;
        loop {
            let mut ahead: &[u8; ROOM] = rest.first_chunk()?;
            if number.begins::<SIDE>(ahead) {
                if numbered {
                    return None;
                }
                rest = rest.get(number.length::<SIDE>()..)?;
                rest = rest.strip_prefix(b" ").unwrap_or(rest);
                ahead = rest.first_chunk()?;
                numbered = true;
            }
            // In some files a comment stands behind every move.
            if ahead[0] == b'{' {
                if numbered {
                    return None;
                }
                let length = self.plain_comment(rest, reading.text.len() - rest.len())?;
                rest = rest.get(length..)?;
                rest = rest.strip_prefix(b" ").unwrap_or(rest);
                continue;
            }
            if let Some((written, length)) = common(ahead) {
                let start = (reading.text.len() - rest.len()) as u32;
                if let Some(step) = reading.position.play::<SIDE>(written) {
                    let mv = Move::plain(step.from, written.to());
                    self.note_move::<SIDE>(reading, start, length, mv, written.zeroes());
                    if reading.wanted.keys {
                        self.look_closer(reading, turn_behind::<SIDE>(), role_of(step.man), role_of(step.taken))?;
                    }
                    return Some(Next::Moved(&rest[length + 1..]));
                }
                if self.move_apart::<SIDE>(reading, written, start, length)? {
                    return Some(Next::Moved(&rest[length + 1..]));
                }
            }
            match self.read_other::<SIDE>(reading, rest, numbered)? {
                Next::Other(behind) => rest = behind,
                next => return Some(next),
            }
        }
    }

    /// Makes a common move with all questions asked; whether it was one. None where it is marked as mate and is none.
    #[inline(never)]
    fn move_apart<const SIDE: usize>(
        &mut self,
        reading: &mut Reading,
        written: Written,
        start: u32,
        length: usize,
    ) -> Option<bool> {
        let Some(step) = reading.position.play_apart::<SIDE>(written) else { return Some(false) };
        let mv = Move::plain(step.from, written.to());
        self.note_move::<SIDE>(reading, start, length, mv, written.zeroes());
        if written.checks() | reading.wanted.keys {
            self.look_closer(reading, turn_behind::<SIDE>(), role_of(step.man), role_of(step.taken))?;
        }
        Some(true)
    }

    /// Reads what is not a common move: a special one, white space, or the result.
    #[inline(never)]
    fn read_other<'t, const SIDE: usize>(
        &mut self,
        reading: &mut Reading<'t>,
        rest: &'t [u8],
        numbered: bool,
    ) -> Option<Next<'t>> {
        let ahead: &[u8; ROOM] = rest.first_chunk()?;
        match ahead[0] {
            b' ' | b'\t'..=b'\r' => Some(Next::Other(&rest[1..])),
            b'O' | b'a'..=b'h' => {
                let length = ahead.iter().take(9).position(|&byte| is_space(byte))?;
                let before = || self.plain_board(reading, if SIDE == 0 { Color::White } else { Color::Black });
                let before = if ahead[0] == b'O' { None } else { Some(before()) };
                let made = reading.position.play_special(SIDE, swar::load(ahead, 0), length, before)?;
                let start = (reading.text.len() - rest.len()) as u32;
                self.note_move::<SIDE>(reading, start, length, made.mv, !made.mv.is_castling());
                if made.check | reading.wanted.keys {
                    self.look_closer(reading, turn_behind::<SIDE>(), made.role, made.captured)?;
                }
                Some(Next::Moved(&rest[length + 1..]))
            }
            b'0' | b'1' | b'*' if !numbered => Some(Next::Result(rest, result(ahead)?)),
            _ => None,
        }
    }

    /// After a move: None if it is marked as mate and is none. Notes its details where plies are wanted.
    #[inline(never)]
    fn look_closer(&mut self, reading: &Reading, turn: Color, role: Option<Role>, captured: Option<Role>) -> Option<()> {
        let check = reading.position.in_check;
        let mate = check && self.has_mate_sign(reading.text);
        if !mate && !reading.wanted.keys {
            return Some(());
        }
        let board = self.plain_board(reading, turn);
        if mate && board.has_legal_move() {
            return None;
        }
        if reading.wanted.keys {
            let (halfmove, key) = (board.halfmove, board.position_key());
            self.details.push(Detail { role, captured, check, mate, halfmove, repetition: 1, key });
        }
        Some(())
    }

    /// Whether the last move is written with the sign of mate.
    fn has_mate_sign(&self, text: &[u8]) -> bool {
        self.plies.last().is_some_and(|ply| text[ply.end as usize - 1] == b'#')
    }

    /// Takes in a move that has been made; `zeroes` says that it was a capture or a pawn move.
    #[inline(always)]
    fn note_move<const SIDE: usize>(&mut self, reading: &mut Reading, start: u32, length: usize, mv: Move, zeroes: bool) {
        self.plies.push(Ply { start, end: start + length as u32, mv, key: reading.position.hash });
        reading.zeroed = if zeroes { self.plies.len() as u32 } else { reading.zeroed };
        self.watch_plain(reading, turn_behind::<SIDE>());
    }

    #[inline(always)]
    fn watch_plain(&mut self, reading: &Reading, turn: Color) {
        let sides = || Sides { turn, by_color: reading.position.by_color() };
        let long = self.plies.len() as u32 - reading.zeroed >= reading.wanted.fifty_from;
        self.scout.add(&self.plies, reading.position.hash, reading.zeroed, long, sides);
    }

    /// The position with its counters, as they are after the moves so far.
    fn plain_board(&self, reading: &Reading, turn: Color) -> Board {
        let plies = self.plies.len() as u32;
        let ep = self.plies.last().map_or(NO_SQUARE, |ply| {
            let man = reading.position.mailbox[usize::from(ply.mv.to & 63)];
            passed_square(man, ply.mv)
        });
        reading.position.board(turn, plies - reading.zeroed, plies / 2 + 1, ep)
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

/// Who moves next.
const fn turn_behind<const SIDE: usize>() -> Color {
    if SIDE == 0 {
        Color::Black
    } else {
        Color::White
    }
}

/// Where the next game begins behind a result that ends at `at`: at a tag pair, with a blank line before it.
fn next_game(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let space = rest.iter().take(MAX_SPACE).position(|&byte| !is_space(byte))?;
    let tag = &rest[space..];
    let begins =
        crate::region::count_breaks(&rest[..space]) >= 2 && plain_tag(&tag[..tag.len().min(Limits::STATED.inline_tag)]).is_some();
    begins.then_some(at + space)
}
