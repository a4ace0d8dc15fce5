//! Replays movetext on a board: the mainline and every variation, each on its own.
//! The counterpart of `chesstools/reference/replay.py`.
//!
//! The mainline is the fast path: its moves go into one reused list, its draws are only scouted, and text is looked at
//! again only where it is not the standard's. Variations are rarer and take the careful path.

mod annotations;
mod careful;
mod line;
mod variations;

use crate::board::Board;
use crate::comment_position::may_hold_position;
use crate::export::events::{number_before, Event, Events, Moved};
use crate::facts::Facts;
use crate::fast;
use crate::lexer::{Kind, Token};
use crate::notation::{check_number, WrongNumber};
use crate::past::Homes;
use crate::plain::position::Position;
use crate::profile::DeadPosition;
use crate::record::{Detail, Note, Ply};
use crate::scout::{diagram_key, Scout};
use crate::types::{MoveKind, Place};
use crate::winnable::dead::first_dead;
use crate::winnable::{Depth, Method};

use line::Frame;
pub use line::Line;

/// Variations nested deeper than this are kept as text but not replayed.
pub const MAX_VARIATION_DEPTH: usize = 100;

/// Replays the tokens of one game. Buffers are reused from game to game.
#[derive(Default)]
pub struct Replay {
    pub plies: Vec<Ply>,
    /// One for each of `plies` where plies are wanted.
    pub details: Vec<Detail>,
    pub sans: Vec<(u32, String)>,
    pub notes: Vec<Note>,
    pub rest: Vec<Token>,
    pub scout: Scout,
    /// The last position of a plain game.
    pub(crate) position: Position,
    /// Whether claims to a draw are judged: not in games with passes.
    pub watching: bool,
    /// How many plies were watched for draws.
    pub watched: u32,
    pub first_dead: Option<u32>,
    /// What it rests on that the position was dead.
    pub dead_method: Option<&'static str>,
    /// Those of the mainline, to be reported when it is known how it goes on.
    pub wrong_numbers: Vec<WrongNumber>,
    /// By how much the numbers of the mainline ran ahead of the board's at the first one.
    pub base_shift: i64,
    /// How many annotations are suffixes, and the first of them.
    suffixes: u32,
    first_suffix: Option<(Token, Place)>,
    /// Whether a comment was found that gives another position than the one on the board.
    position_differs: bool,
    frames: Vec<Frame>,
    too_deep: u32,
    homes: Option<Homes>,
    start: Option<Board>,
    /// Where all that stands in a game is noted, if that is wanted.
    pub events: Option<Box<Events>>,
}

/// What is wanted beyond verdicts, and what the rules are.
#[derive(Clone, Copy)]
pub struct Wanted {
    pub keys: bool,
    pub fifty_from: u32,
    pub dead: DeadPosition,
}

impl Replay {
    /// Replays `tokens` from `start`, which is None where no game can be played. Gives the mainline and the final position.
    pub fn run(
        &mut self,
        facts: &mut Facts,
        tokens: &[Token],
        terminator: Option<usize>,
        start: Option<&Board>,
        wanted: Wanted,
    ) -> (Line, Option<Board>) {
        self.begin(start, wanted);
        let end = terminator.unwrap_or(tokens.len());
        let mut at = 0;
        while at < end {
            if self.frames.len() == 1 {
                at = self.run_mainline(facts, tokens, at, end, wanted);
                if at >= end {
                    break;
                }
            }
            let token = tokens[at];
            at += 1;
            match token.kind {
                Kind::Move | Kind::Null | Kind::Word if self.too_deep == 0 => {
                    self.play(facts, token, wanted);
                    self.note_rest(tokens, at - 1);
                }
                Kind::Number if self.too_deep == 0 => {
                    let frame = self.frame();
                    frame.number = Some(token);
                    frame.dots.clear();
                }
                Kind::Open => self.open(facts, token, at),
                Kind::Close => self.close(facts, token, at - 1),
                _ if self.too_deep == 0 => self.other(facts, token),
                _ => {}
            }
        }
        let events = self.end_events(end);
        for frame in self.frames.drain(1..) {
            if let Some(opened) = frame.opened {
                facts.add("P103", opened, &Place::default()).token("(").with("found", "(").with("reason", "unclosed");
            }
        }
        self.report_suffixes(facts);
        if let Some(terminator) = terminator {
            for token in &tokens[terminator + 1..] {
                if is_comment(token.kind) {
                    self.comment(facts, *token);
                }
            }
        }
        self.events = events;
        let frame = self.frames.pop().expect("the mainline is always there");
        (frame.line, frame.board)
    }

    /// Notes an event, where that is wanted.
    #[inline]
    fn note(&mut self, event: Event) {
        if let Some(events) = &mut self.events {
            events.add(self.frames[0].line.count, event);
        }
    }

    /// Notes that the last line cannot be replayed from the token at `at` on, if it is so.
    #[inline]
    fn note_rest(&mut self, tokens: &[Token], at: usize) {
        let Some(events) = &mut self.events else { return };
        let line = &self.frames[self.frames.len() - 1].line;
        if line.bad.is_some() || line.unjudged > 0 {
            events.begin_rest(number_before(tokens, at), self.frames.len());
        }
    }

    /// Closes all lines at the token `end`. Gives the events, so that none is added any more.
    fn end_events(&mut self, end: usize) -> Option<Box<Events>> {
        let mut events = self.events.take()?;
        let plies = self.frames[0].line.count;
        if self.too_deep > 0 {
            events.end_line(plies, end, self.frames.len() + 1);
        }
        for depth in (2..=self.frames.len()).rev() {
            events.end_line(plies, end, depth);
        }
        events.end(plies, end);
        Some(events)
    }

    /// Forgets the game before.
    pub(crate) fn clear(&mut self, first_key: u64) {
        self.scout.begin(first_key, self.plies.len() + 1);
        self.plies.clear();
        self.details.clear();
        self.sans.clear();
        self.notes.clear();
        self.rest.clear();
        if let Some(events) = &mut self.events {
            events.clear();
        }
        self.first_dead = None;
        self.dead_method = None;
        self.watched = 0;
    }

    fn begin(&mut self, start: Option<&Board>, wanted: Wanted) {
        self.clear(start.map_or(0, diagram_key));
        self.frames.clear();
        self.too_deep = 0;
        self.homes = None;
        self.wrong_numbers.clear();
        self.base_shift = 0;
        (self.suffixes, self.first_suffix) = (0, None);
        self.position_differs = false;
        self.watching = start.is_some();
        if let Some(board) = start {
            self.look_at(board, 0, wanted);
        }
        let line = Line { first_ply: 1, stopped: start.is_none(), ..Line::default() };
        self.frames.push(Frame::new(line, start.cloned(), None, 0));
        self.start = start.cloned();
    }

    #[inline]
    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the mainline is always there")
    }

    // --------------------------------------------------------------------------------------------- moves

    /// Makes the moves of the mainline from `tokens[at]` on, as long as all is as the standard wants it. Gives the index of
    /// the first token that wants a closer look; nothing of it is done yet.
    fn run_mainline(&mut self, facts: &Facts, tokens: &[Token], mut at: usize, end: usize, wanted: Wanted) -> usize {
        let frame = &mut self.frames[0];
        if frame.line.stopped || frame.number.is_some() || !frame.dots.is_empty() {
            return at;
        }
        let Some(board) = frame.board.as_mut() else { return at };
        let mut checkers = frame.checkers;
        let (data, origin) = (facts.data(), facts.start());
        let tokens = &tokens[..end];
        let mut rest = &tokens[at.min(end)..];
        // In a game from a FEN the first number may be anything; it is for the closer look.
        let mut any_number = frame.line.count == 0 && board.fullmove != 1;
        let mut count = frame.line.count;
        while let [token, behind @ ..] = rest {
            let mut token = *token;
            let mut next = behind;
            if token.kind == Kind::Number {
                let [mv, behind @ ..] = behind else { break };
                let right =
                    mv.kind == Kind::Move && !any_number && fast::number(facts.bytes(token), board, frame.shift).is_some();
                if !right {
                    break;
                }
                (token, next) = (*mv, behind);
            } else if token.kind == Kind::Comment && !wants_closer_look(facts.bytes(token)) {
                self.notes.push(Note::Comment { ply: count, token });
                if let Some(events) = &mut self.events {
                    events.add(count, Event::Comment(token));
                }
                rest = behind;
                continue;
            } else if token.kind != Kind::Move {
                break;
            }
            any_number = false;
            let length = (token.end - token.start) as usize;
            let word = fast::word(data, (token.start - origin) as usize, length);
            let Some(found) = fast::play(board, &mut checkers, word, length) else { break };
            rest = next;
            count += 1;
            self.plies.push(Ply { start: token.start, end: token.end, mv: found.mv, key: diagram_key(board) });
            if wanted.keys {
                self.details.push(detail(board, &found));
            }
            if self.watching {
                if found.captured.is_some() || found.mv.promotion.is_some() {
                    dead(board, count, wanted.dead, &mut self.first_dead);
                }
                self.scout.add_board(&self.plies, board, wanted.fifty_from);
            }
        }
        frame.line.count = count;
        at = end - rest.len();
        frame.checkers = checkers;
        if self.watching {
            self.watched = frame.line.count;
        }
        at
    }

    #[inline]
    fn play(&mut self, facts: &mut Facts, token: Token, wanted: Wanted) {
        let mainline = self.frames.len() == 1;
        let frame = self.frames.last_mut().expect("the mainline is always there");
        let number = frame.number.take();
        if frame.line.stopped {
            frame.dots.clear();
            return self.unjudged(token, mainline);
        }
        let Some(board) = frame.board.as_mut() else { return };
        let mut numbered = None;
        if let Some(number) = number {
            let bytes = facts.bytes(number);
            if frame.line.count == 0 && mainline && frame.line.path.is_none() {
                let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
                if &bytes[..digits] == b"1" {
                    // Many programs count from 1 whatever move number the FEN gives.
                    frame.shift = 1 - i64::from(board.fullmove);
                    self.base_shift = frame.shift;
                }
            }
            let right = if frame.dots.is_empty() { fast::number(bytes, board, frame.shift) } else { None };
            match right {
                Some(side) => numbered = side,
                None => {
                    let place = frame.line.place(frame.line.next_ply());
                    let (side, wrong) = check_number(facts, board, number, &frame.dots, frame.shift, place);
                    numbered = side;
                    if let Some(wrong) = wrong {
                        frame.shift = wrong.shift;
                        if mainline {
                            self.wrong_numbers.push(wrong);
                        } else {
                            wrong.report(facts);
                        }
                    }
                }
            }
        }
        frame.dots.clear();
        if token.kind == Kind::Move {
            let length = (token.end - token.start) as usize;
            let word = fast::word(facts.data(), (token.start - facts.start()) as usize, length);
            if let Some(found) = fast::play_apart(board, &mut frame.checkers, word, length) {
                return self.made(token, found, None, wanted);
            }
        }
        self.careful(facts, token, numbered, wanted);
    }

    /// Takes in a move that has been made on the board of the last frame. `san` is its standard text where the token's is not.
    fn made(&mut self, token: Token, found: fast::Made, san: Option<String>, wanted: Wanted) {
        let frame = self.frames.last_mut().expect("the mainline is always there");
        let number = frame.line.next_ply();
        frame.line.count += 1;
        if frame.line.path.is_some() {
            frame.moves.push(found.mv);
            if let Some(events) = &mut self.events {
                events.add_move(self.frames[0].line.count, Moved { token, mv: found.mv, san: san.clone() });
            }
            let frame = self.frames.last_mut().expect("the mainline is always there");
            frame.last = Some((token, found.mv.kind == MoveKind::EnPassant, san));
            return;
        }
        let board = frame.board.as_ref().expect("a move was made on it");
        self.plies.push(Ply { start: token.start, end: token.end, mv: found.mv, key: diagram_key(board) });
        if wanted.keys {
            self.details.push(detail(board, &found));
        }
        if let Some(san) = san {
            self.sans.push((number - 1, san));
        }
        if self.watching {
            self.watched = number;
            dead(board, number, wanted.dead, &mut self.first_dead);
            self.scout.add_board(&self.plies, board, wanted.fifty_from);
        }
    }

    fn look_at(&mut self, board: &Board, index: u32, wanted: Wanted) {
        dead(board, index, wanted.dead, &mut self.first_dead);
        self.scout.add_board(&self.plies, board, wanted.fifty_from);
    }

    /// Looks for the first dead position among those behind captures and promotions.
    #[cold]
    #[inline(never)]
    pub(crate) fn look_for_dead(&mut self, start: &Board, rule: DeadPosition) {
        let mut board = start.clone();
        for (index, ply) in (1..).zip(&self.plies) {
            let changes = board.is_capture(ply.mv) || ply.mv.promotion.is_some();
            board.play(ply.mv);
            if changes {
                dead(&board, index, rule, &mut self.first_dead);
            }
        }
    }

    /// At the end of the game: looks for a dead position by all that can be told of lines and walls of pawns, where the rule is that no
    /// series of moves leads to mate.
    #[inline(never)]
    pub(crate) fn settle_dead(&mut self, start: &Board, last: &Board, rule: DeadPosition, depth: Depth) {
        let material = self.first_dead;
        self.dead_method = material.map(|_| Method::Material.name());
        if !self.watching || rule != DeadPosition::AnySeries {
            return;
        }
        let at = |index: u32| {
            let mut board = start.clone();
            board.pass_over(self.plies[..self.plies.len().min(index as usize)].iter().map(|ply| ply.mv));
            board
        };
        if let Some((index, method)) = first_dead(material, self.plies.len() as u32, last, at, depth) {
            self.first_dead = Some(index);
            self.dead_method = Some(method.name());
        }
    }

    #[cold]
    #[inline(never)]
    fn unjudged(&mut self, token: Token, mainline: bool) {
        let line = &mut self.frame().line;
        line.unjudged += 1;
        line.first_unjudged.get_or_insert(token);
        if mainline {
            self.rest.push(token);
        }
    }
}

fn detail(board: &Board, made: &fast::Made) -> Detail {
    let fast::Made { role, captured, check, mate, .. } = *made;
    Detail { role, captured, check, mate, halfmove: board.halfmove, repetition: 1, key: board.position_key() }
}

/// Notes the first position that is dead for lack of material.
fn dead(board: &Board, index: u32, rule: DeadPosition, first_dead: &mut Option<u32>) {
    if first_dead.is_none() && board.occupied().count_ones() <= 16 && rule.is_dead(board) {
        *first_dead = Some(index);
    }
}

/// Tokens that stand anywhere and mean nothing. (White space is not among the tokens of a region.)
pub fn is_filler(kind: Kind) -> bool {
    matches!(kind, Kind::Space | Kind::Nul | Kind::Bom | Kind::Invisible | Kind::Escape)
}

/// Whether a comment may hold a command or a position.
#[inline]
fn wants_closer_look(comment: &[u8]) -> bool {
    fast::has_command(comment) || may_hold_position(comment)
}

pub fn is_comment(kind: Kind) -> bool {
    matches!(kind, Kind::Comment | Kind::LineComment | Kind::InnerBraceComment | Kind::NestedComment | Kind::OpenComment)
}
