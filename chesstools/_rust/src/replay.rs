//! Replays movetext on a board: the mainline and every variation, each on its own.
//! The counterpart of `chesstools/reference/replay.py`.
//!
//! The mainline is the fast path: its moves go into one reused list, its draws are only scouted, and text is looked at
//! again only where it is not the standard's. Variations are rarer and take the careful path.

use crate::board::Board;
use crate::comments;
use crate::draws::Scout;
use crate::facts::Facts;
use crate::fast;
use crate::illegal;
use crate::lexer::{Kind, Token};
use crate::notation::{check_form, check_number};
use crate::past::{self, Chain, Homes, Past};
use crate::record::{Note, Ply};
use crate::san::{self, Resolved, Written};
use crate::text::Encoding;
use crate::types::{Bb, Color, Move, MoveKind, Place, Role, Severity, Value};

/// Variations nested deeper than this are kept as text but not replayed.
pub const MAX_VARIATION_DEPTH: usize = 100;

/// A line as far as it was replayed, and what stands behind a bad token.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// None for the mainline.
    pub path: Option<String>,
    pub first_ply: u32,
    pub count: u32,
    pub stopped: bool,
    /// Stopped because the game was over on the board.
    pub over: bool,
    pub unjudged: u32,
    pub bad: Option<Token>,
    pub first_unjudged: Option<Token>,
}

impl Line {
    #[inline]
    pub fn next_ply(&self) -> u32 {
        self.first_ply + self.count
    }

    pub fn plies_written(&self) -> u32 {
        self.count + u32::from(self.bad.is_some()) + self.unjudged
    }

    #[inline]
    fn place(&self, ply: u32) -> Place {
        Place { ply: (ply != 0).then_some(ply), variation: self.path.clone() }
    }

    /// The place of the last move.
    fn here(&self) -> Place {
        self.place(self.next_ply().saturating_sub(1))
    }
}

/// A line that is being replayed.
pub struct Frame {
    pub line: Line,
    /// The position at its end; None where it cannot be replayed.
    pub board: Option<Board>,
    /// The position in which a variation begins; the mainline begins at `Replay::start`.
    first: Option<Board>,
    /// A position of the line, and how many of its moves lead there: from here moves are made again where one is taken back.
    checkpoint: Option<Board>,
    checkpoint_at: u32,
    opened: Option<Token>,
    number: Option<Token>,
    dots: Vec<Token>,
    /// By how much the numbers as written run ahead of the board's.
    shift: i64,
    /// Moves of a variation; those of the mainline are in `Replay::plies`.
    moves: Vec<Move>,
    /// The men that give check to the side to move.
    checkers: Bb,
    /// Of a variation's last move: its token, whether it was en passant, and its standard text where that is not the token's.
    last: Option<(Token, bool, Option<String>)>,
    /// The glyphs of the move that is `nags_of` plies into the line.
    nags: [u64; 4],
    nags_of: u32,
    /// How many variations the move has that is `variations_of` plies into the line.
    variations: u32,
    variations_of: u32,
    past: Past,
    past_at: u32,
    past_board: Option<Board>,
}

impl Frame {
    fn new(line: Line, board: Option<Board>, opened: Option<Token>, shift: i64) -> Frame {
        Frame {
            checkpoint: None,
            past_board: None,
            first: if line.path.is_some() { board.clone() } else { None },
            checkers: board.as_ref().map_or(0, Board::checkers),
            board,
            checkpoint_at: 0,
            opened,
            number: None,
            dots: Vec::new(),
            shift,
            moves: Vec::new(),
            last: None,
            nags: [0; 4],
            nags_of: 0,
            variations: 0,
            variations_of: 0,
            past: Past::default(),
            past_at: 0,
            line,
        }
    }
}

/// Replays the tokens of one game. Buffers are reused from game to game.
#[derive(Default)]
pub struct Replay {
    pub plies: Vec<Ply>,
    pub sans: Vec<(u32, String)>,
    pub notes: Vec<Note>,
    pub rest: Vec<Token>,
    pub scout: Scout,
    /// Whether claims to a draw are judged: not in games with passes.
    pub watching: bool,
    /// How many plies were watched for draws.
    pub watched: u32,
    pub first_dead: Option<u32>,
    frames: Vec<Frame>,
    too_deep: u32,
    homes: Option<Homes>,
    start: Option<Board>,
}

/// What is wanted beyond verdicts, and what the rules are.
#[derive(Clone, Copy)]
pub struct Wanted {
    pub keys: bool,
    pub fifty_from: u32,
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
                Kind::Move | Kind::Null | Kind::Word if self.too_deep == 0 => self.play(facts, token, wanted),
                Kind::Number if self.too_deep == 0 => {
                    let frame = self.frame();
                    frame.number = Some(token);
                    frame.dots.clear();
                }
                Kind::Open => self.open(facts, token),
                Kind::Close => self.close(facts, token),
                _ if self.too_deep == 0 => self.other(facts, token),
                _ => {}
            }
        }
        for frame in self.frames.drain(1..) {
            if let Some(opened) = frame.opened {
                facts.add("P103", opened, &Place::default()).token("(").with("found", "(").with("reason", "unclosed");
            }
        }
        if let Some(terminator) = terminator {
            for token in &tokens[terminator + 1..] {
                if is_comment(token.kind) {
                    self.comment(facts, *token);
                }
            }
        }
        let frame = self.frames.pop().expect("the mainline is always there");
        (frame.line, frame.board)
    }

    fn begin(&mut self, start: Option<&Board>, wanted: Wanted) {
        self.plies.clear();
        self.sans.clear();
        self.notes.clear();
        self.rest.clear();
        self.frames.clear();
        self.too_deep = 0;
        self.first_dead = None;
        self.homes = None;
        self.watching = start.is_some();
        self.watched = 0;
        self.scout.begin();
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
            } else if token.kind == Kind::Comment && !fast::has_command(facts.bytes(token)) {
                self.notes.push(Note::Comment { ply: count, token });
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
            self.plies.push(Ply {
                token,
                mv: found.mv,
                role: found.role,
                captured: found.captured,
                check: found.check,
                mate: found.mate,
                standard: true,
                halfmove: board.halfmove,
                repetition: 1,
                key: if wanted.keys { board.position_key() } else { 0 },
            });
            if self.watching {
                if found.captured.is_some() || found.mv.promotion.is_some() {
                    dead(board, count, &mut self.first_dead);
                }
                self.scout.add(board, wanted.fifty_from);
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
                }
            }
            let right = if frame.dots.is_empty() { fast::number(bytes, board, frame.shift) } else { None };
            match right {
                Some(side) => numbered = side,
                None => {
                    let place = frame.line.place(frame.line.next_ply());
                    (numbered, frame.shift) = check_number(facts, board, number, &frame.dots, frame.shift, &place);
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
            frame.last = Some((token, found.mv.kind == MoveKind::EnPassant, san));
            return;
        }
        let board = frame.board.as_ref().expect("a move was made on it");
        self.plies.push(Ply {
            token,
            mv: found.mv,
            role: found.role,
            captured: found.captured,
            check: found.check,
            mate: found.mate,
            standard: san.is_none(),
            halfmove: board.halfmove,
            repetition: 1,
            key: if wanted.keys { board.position_key() } else { 0 },
        });
        if let Some(san) = san {
            self.sans.push((number - 1, san));
        }
        if self.watching {
            self.watched = number;
            dead(board, number, &mut self.first_dead);
            self.scout.add(board, wanted.fifty_from);
        }
    }

    fn look_at(&mut self, board: &Board, index: u32, wanted: Wanted) {
        dead(board, index, &mut self.first_dead);
        self.scout.add(board, wanted.fifty_from);
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

    /// A move that the fast path did not take: any legal one in an unusual form, a pass, or a bad token.
    #[cold]
    #[inline(never)]
    fn careful(&mut self, facts: &mut Facts, token: Token, numbered: Option<Color>, wanted: Wanted) {
        let frame = self.frames.last_mut().expect("the mainline is always there");
        let board = frame.board.as_mut().expect("checked before");
        if token.kind == Kind::Null {
            return self.null(facts, token, wanted);
        }
        // A figurine is one only in text that is UTF-8.
        let readable = token.kind == Kind::Move && (facts.encoding == Encoding::Utf8 || facts.bytes(token).is_ascii());
        let written = if readable { san::read(facts.bytes(token)) } else { None };
        match written.as_ref().map_or(Resolved::None, |written| san::resolve(board, written)) {
            Resolved::Move(mv) => {
                let body = san::standard_body(board, mv);
                let role = board.role_at(mv.from);
                let captured = match mv.kind {
                    MoveKind::EnPassant => Some(Role::Pawn),
                    _ if mv.is_castling() => None,
                    _ => board.role_at(mv.to),
                };
                board.play(mv);
                frame.checkers = board.checkers();
                let check = frame.checkers != 0;
                let mate = check && !board.has_legal_move();
                let place = frame.line.place(frame.line.next_ply());
                let text = facts.bytes(token);
                let standard = format!("{body}{}", san::check_sign(check, mate));
                if text != standard.as_bytes() {
                    let written = written.expect("it was resolved");
                    check_form(facts, token, text, &written, &body, &standard, check, mate, &place);
                }
                let san = (text != standard.as_bytes()).then_some(standard);
                self.made(token, fast::Made { mv, role, captured, check, mate }, san, wanted);
            }
            Resolved::Ambiguous(moves) => self.bad(facts, token, written, Some(moves), numbered),
            Resolved::None => self.bad(facts, token, written, None, numbered),
        }
    }

    fn null(&mut self, facts: &mut Facts, token: Token, wanted: Wanted) {
        let frame = self.frames.last_mut().expect("the mainline is always there");
        let board = frame.board.as_mut().expect("checked before");
        if board.is_check() || !board.has_legal_move() {
            return self.bad(facts, token, None, None, None);
        }
        let place = frame.line.place(frame.line.next_ply());
        let finding = facts.add("M304", token, &place).fen(board.fen()).with("side", board.turn.name());
        if frame.line.path.is_some() {
            finding.severity(Severity::Warning);
        } else {
            self.watching = false; // rights to claim are not judged in a game with passes
        }
        board.play(Move::NULL);
        frame.checkers = board.checkers();
        let check = frame.checkers != 0;
        let standard = facts.bytes(token) == b"--";
        let made = fast::Made { mv: Move::NULL, role: None, captured: None, check, mate: false };
        let san = (!standard).then(|| "--".to_owned());
        self.made(token, made, san, wanted);
    }

    /// Reports a token that means no legal move, and stops its line.
    fn bad(
        &mut self,
        facts: &mut Facts,
        token: Token,
        written: Option<Written>,
        rivals: Option<crate::types::MoveList>,
        numbered: Option<Color>,
    ) {
        let mainline = self.frames.len() == 1;
        if mainline {
            self.rest.push(token);
        }
        let line = &mut self.frame().line;
        line.stopped = true;
        line.bad = Some(token);
        let place = line.place(line.next_ply());
        let ply = line.next_ply();
        let board = self.frame().board.clone().expect("checked before");
        if !board.has_legal_move() {
            self.frame().line.over = true;
            return; // that the game went on is reported with the count of what follows
        }
        if let Some(rivals) = rivals {
            let full: Vec<String> = rivals.iter().map(|mv| san::san(&board, *mv)).collect();
            facts.add("N401", token, &place).fen(board.fen()).with("legal_alternatives", full);
            return;
        }
        let side = ("side", Value::from(board.turn.name()));
        let Some(written) = written else {
            if token.kind == Kind::Null {
                facts.add("M304", token, &place).fen(board.fen()).with_all(vec![side]);
            } else {
                facts.add("P110", token, &place).fen(board.fen()).with("reason", "unknown-word");
            }
            return;
        };
        let (code, reasons) = self.explain(&board, &written, ply, numbered);
        let choices = illegal::alternatives(&board, &written, &facts.text(token));
        let nearest = choices.first().cloned();
        let finding = facts.add(code, token, &place).fen(board.fen()).with_all(vec![side]).with_all(reasons);
        finding.with_known("legal_alternatives", (!choices.is_empty()).then_some(choices)).with_known("nearest", nearest);
    }

    /// The reason why the token is not legal, with what the lines so far remember.
    fn explain(&mut self, board: &Board, written: &Written, ply: u32, numbered: Option<Color>) -> illegal::Reason {
        let start = self.start.as_ref().expect("there is a board");
        let homes = *self.homes.get_or_insert_with(|| Homes::of(start));
        for depth in 0..self.frames.len() {
            self.remember(depth, &homes);
        }
        illegal::explain(board, written, &chain(&self.frames, &homes), ply, numbered)
    }

    /// Brings the past of one frame up to its last move.
    fn remember(&mut self, depth: usize, homes: &Homes) {
        let frame = &mut self.frames[depth];
        let first = if depth == 0 { &self.start } else { &frame.first };
        let Some(mut board) = frame.past_board.take().or_else(|| first.clone()) else { return };
        while self.frames[depth].past_at < self.frames[depth].line.count {
            let frame = &self.frames[depth];
            let at = frame.past_at;
            let mv = if depth == 0 { self.plies[at as usize].mv } else { frame.moves[at as usize] };
            let ply = frame.line.first_ply + at;
            let news = past::add(&board, mv, ply, &chain(&self.frames[..=depth], homes));
            board.play(mv);
            let frame = &mut self.frames[depth];
            frame.past.extend(news);
            frame.past_at += 1;
        }
        self.frames[depth].past_board = Some(board);
    }

    // ---------------------------------------------------------------------------------------- variations

    fn open(&mut self, facts: &mut Facts, token: Token) {
        if self.too_deep > 0 || self.frames.len() > MAX_VARIATION_DEPTH {
            if self.too_deep == 0 {
                let place = self.frame().line.here();
                facts.add("P103", token, &place).with("found", "(").with("reason", "too-deep");
            }
            self.too_deep += 1;
            return;
        }
        let depth = self.frames.len() - 1;
        let mut ply = self.frames[depth].line.next_ply();
        let mut board = None;
        let line = &self.frames[depth].line;
        let (stopped, unjudged, count) = (line.stopped, line.unjudged, line.count);
        if self.frames[depth].board.is_some() && !(stopped && unjudged > 0) {
            if stopped || count == 0 {
                board = self.frames[depth].board.clone();
            } else {
                board = self.before_last(depth);
                ply -= 1;
            }
        }
        let frame = &mut self.frames[depth];
        let mut number = 1;
        if count > 0 && !stopped {
            if frame.variations_of != count {
                (frame.variations_of, frame.variations) = (count, 0);
            }
            frame.variations += 1;
            number = frame.variations;
        }
        let step = match &frame.line.path {
            None => format!("{ply}.{number}"),
            Some(path) => format!("{path}/{ply}.{number}"),
        };
        let shift = frame.shift;
        let line = Line { path: Some(step), first_ply: ply, stopped: board.is_none(), ..Line::default() };
        self.frames.push(Frame::new(line, board, Some(token), shift));
    }

    /// The position before the last move of a line. Moves are made again from the last place where this was asked.
    fn before_last(&mut self, depth: usize) -> Option<Board> {
        let plies = &self.plies;
        let frame = &mut self.frames[depth];
        if frame.checkpoint.is_none() {
            frame.checkpoint = if depth == 0 { self.start.clone() } else { frame.first.clone() };
        }
        let board = frame.checkpoint.as_mut()?;
        while frame.checkpoint_at + 1 < frame.line.count {
            let at = frame.checkpoint_at as usize;
            board.play(if depth == 0 { plies[at].mv } else { frame.moves[at] });
            frame.checkpoint_at += 1;
        }
        Some(board.clone())
    }

    fn close(&mut self, facts: &mut Facts, token: Token) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
        } else if self.frames.len() == 1 {
            let place = self.frame().line.here();
            facts.add("P103", token, &place).with("found", ")").with("reason", "stray");
        } else {
            let frame = self.frames.pop().expect("there are at least two");
            let line = &self.frame().line;
            if line.path.is_none() && line.count > 0 && !line.stopped {
                if let Some(opened) = frame.opened {
                    let ply = line.count;
                    self.notes.push(Note::Variation { ply, start: opened.start, end: token.end });
                }
            }
        }
    }

    // ------------------------------------------------------------------------------------- other tokens

    fn other(&mut self, facts: &mut Facts, token: Token) {
        match token.kind {
            Kind::Comment | Kind::LineComment | Kind::InnerBraceComment | Kind::NestedComment | Kind::OpenComment => {
                self.comment(facts, token);
            }
            Kind::Dots => self.frame().dots.push(token),
            Kind::Nag | Kind::Suffix => self.nag(facts, token),
            Kind::BadNag => {
                facts.add("P111", token, &self.frame().line.here());
            }
            Kind::EnPassant => self.en_passant_mark(facts, token),
            Kind::Result => {
                // A result inside a variation ends nothing.
                let finding = facts.add("P108", token, &self.frame().line.here()).severity(Severity::Info);
                finding.with("reason", "in-variation").with("count", 1i32);
            }
            Kind::Symbol => {
                facts.add("P110", token, &self.frame().line.here()).with("reason", "stray-symbol");
            }
            _ => {}
        }
    }

    fn comment(&mut self, facts: &mut Facts, token: Token) {
        let mainline = self.frames.len() == 1;
        let line = &self.frames.last().expect("the mainline is always there").line;
        let trouble = match token.kind {
            Kind::OpenComment => Some(("never-closed", Severity::Error)),
            Kind::NestedComment => Some(("nested", Severity::Error)),
            Kind::InnerBraceComment => Some(("inner-brace", Severity::Warning)),
            _ => None,
        };
        if let Some((reason, severity)) = trouble {
            let finding = facts.add("P102", token, &line.here()).severity(severity);
            finding.with("reason", reason).with("count", token.end - token.start);
        }
        if line.stopped && (line.bad.is_some() || line.unjudged > 0) {
            return; // it belongs to a move that was not judged; the movetext keeps it
        }
        if line.count > 0 && memchr::memmem::find(facts.bytes(token), b"[%").is_some() {
            let place = line.here();
            check_commands(facts, token, &place);
        }
        if mainline {
            self.notes.push(Note::Comment { ply: line.count, token });
        }
    }

    fn nag(&mut self, facts: &mut Facts, token: Token) {
        let bytes = facts.bytes(token);
        let number: u32 = if token.kind == Kind::Nag {
            bytes[1..].iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0'))
        } else {
            match bytes {
                [b'!', b'!', ..] => 3,
                [b'?', b'?', ..] => 4,
                [b'!', b'?', ..] => 5,
                [b'?', b'!', ..] => 6,
                [b'!', ..] => 1,
                _ => 2,
            }
        };
        let mainline = self.frames.len() == 1;
        let frame = self.frames.last_mut().expect("the mainline is always there");
        if number > 255 {
            facts.add("P111", token, &frame.line.here());
        } else if frame.line.count > 0 && !frame.line.stopped {
            if frame.nags_of != frame.line.count {
                (frame.nags_of, frame.nags) = (frame.line.count, [0; 4]);
            }
            let (word, mask) = ((number / 64) as usize & 3, 1u64 << (number % 64));
            if frame.nags[word] & mask == 0 {
                frame.nags[word] |= mask;
                if mainline {
                    let ply = frame.line.count;
                    self.notes.push(Note::Nag { ply, number: number as u8 });
                }
            }
        }
    }

    fn en_passant_mark(&mut self, facts: &mut Facts, token: Token) {
        let frame = self.frames.last().expect("the mainline is always there");
        if frame.line.stopped {
            return;
        }
        let place = frame.line.here();
        let san = match (&frame.line.path, &frame.last) {
            (Some(_), Some((token, true, san))) => Some(san.clone().unwrap_or_else(|| facts.text(*token).into_owned())),
            (None, _) if self.plies.last().is_some_and(|ply| ply.mv.kind == MoveKind::EnPassant) => {
                Some(self.standard_text(facts, frame.line.count - 1))
            }
            _ => None,
        };
        match san {
            Some(san) => facts.add("N404", token, &place).with("expected", san),
            None => facts.add("P110", token, &place).with("reason", "stray-symbol"),
        };
    }

    /// The standard text of a mainline move.
    fn standard_text(&self, facts: &Facts, index: u32) -> String {
        match self.sans.iter().rev().find(|(at, _)| *at == index) {
            Some((_, san)) => san.clone(),
            None => facts.text(self.plies[index as usize].token).into_owned(),
        }
    }
}

/// Notes the first position in which neither side has the material to mate.
fn dead(board: &Board, index: u32, first_dead: &mut Option<u32>) {
    if first_dead.is_none() && board.occupied().count_ones() <= 16 && board.is_insufficient_material() {
        *first_dead = Some(index);
    }
}

fn chain<'a>(frames: &'a [Frame], homes: &'a Homes) -> Chain<'a> {
    let mut lines: Vec<(&Past, u32)> = Vec::with_capacity(frames.len());
    let mut cut = u32::MAX;
    for at in (0..frames.len()).rev() {
        lines.push((&frames[at].past, cut));
        cut = cut.min(frames[at].line.first_ply);
    }
    lines.reverse();
    Chain { homes, lines }
}

/// Reports commands in a comment that cannot be read.
fn check_commands(facts: &mut Facts, token: Token, place: &Place) {
    let text = facts.text(token);
    let mut faults = Vec::new();
    comments::read_commands(&text, &mut comments::Annotations::default(), |fault| faults.push(fault));
    // Places are counted on from one fault to the next, or many faults would take quadratic time.
    let (mut read, mut at) = (0, token.start);
    for fault in faults {
        let start = at + facts.encoding.length(&text[read..fault.start]) as u32;
        let end = start + facts.encoding.length(fault.text) as u32;
        (read, at) = (fault.start + fault.text.len(), end);
        let span = Token { kind: token.kind, start, end };
        facts.add(fault.code, span, place).token(fault.text).with("tag", fault.tag).with("reason", fault.reason);
    }
}

/// Tokens that stand anywhere and mean nothing. (White space is not among the tokens of a region.)
pub fn is_filler(kind: Kind) -> bool {
    matches!(kind, Kind::Space | Kind::Nul | Kind::Bom | Kind::Invisible | Kind::Escape)
}

pub fn is_comment(kind: Kind) -> bool {
    matches!(kind, Kind::Comment | Kind::LineComment | Kind::InnerBraceComment | Kind::NestedComment | Kind::OpenComment)
}
