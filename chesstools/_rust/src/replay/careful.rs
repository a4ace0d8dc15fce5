//! Moves that the fast path did not take: legal ones in an unusual form, passes, and bad tokens with their reasons.

use super::line::chain;
use super::{Replay, Wanted};
use crate::board::Board;
use crate::facts::Facts;
use crate::fast;
use crate::illegal;
use crate::lexer::{Kind, Token};
use crate::notation::check_form;
use crate::past::{self, Homes};
use crate::san::{self, Resolved, Written};
use crate::text::Encoding;
use crate::types::{Color, Move, MoveKind, Role, Severity, Value};

impl Replay {
    /// A move that the fast path did not take: any legal one in an unusual form, a pass, or a bad token.
    #[cold]
    #[inline(never)]
    pub(super) fn careful(&mut self, facts: &mut Facts, token: Token, numbered: Option<Color>, wanted: Wanted) {
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

    pub(super) fn null(&mut self, facts: &mut Facts, token: Token, wanted: Wanted) {
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
    pub(super) fn bad(
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
            if token.kind == Kind::Word {
                facts.add("P110", token, &place).fen(board.fen()).with("reason", "unknown-word");
            }
            return; // that the game went on is reported with the count of the moves that follow
        }
        if facts.is_mute() {
            return;
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
        self.frame().line.wrong_side = code == "M301";
        let choices = illegal::alternatives(&board, &written, &facts.text(token));
        let nearest = choices.first().cloned();
        let finding = facts.add(code, token, &place).fen(board.fen()).with_all(vec![side]).with_all(reasons);
        finding.with_known("legal_alternatives", (!choices.is_empty()).then_some(choices)).with_known("nearest", nearest);
    }

    /// The reason why the token is not legal, with what the lines so far remember.
    pub(super) fn explain(&mut self, board: &Board, written: &Written, ply: u32, numbered: Option<Color>) -> illegal::Reason {
        let start = self.start.as_ref().expect("there is a board");
        let homes = *self.homes.get_or_insert_with(|| Homes::of(start));
        for depth in 0..self.frames.len() {
            self.remember(depth, &homes);
        }
        illegal::explain(board, written, &chain(&self.frames, &homes), ply, numbered)
    }

    /// Brings the past of one frame up to its last move.
    pub(super) fn remember(&mut self, depth: usize, homes: &Homes) {
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
}
