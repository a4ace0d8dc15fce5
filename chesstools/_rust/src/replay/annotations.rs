//! What stands between moves: comments, glyphs, marks, and signs that mean nothing.

use super::Replay;
use crate::comment_position::{may_hold_position, position_in};
use crate::comments;
use crate::export::events::Event;
use crate::facts::Facts;
use crate::lexer::{Kind, Token};
use crate::record::Note;
use crate::rows_plies::comment_text;
use crate::types::{MoveKind, Place, Severity};

impl Replay {
    pub(super) fn other(&mut self, facts: &mut Facts, token: Token) {
        match token.kind {
            Kind::Comment | Kind::LineComment | Kind::InnerBraceComment | Kind::NestedComment | Kind::OpenComment => {
                self.comment(facts, token);
            }
            Kind::Dots => self.frame().dots.push(token),
            Kind::Nag | Kind::Suffix => self.nag(facts, token),
            Kind::BadNag => {
                facts.add("P111", token, &self.frame().line.here());
                self.note(Event::Unread(token));
            }
            Kind::EnPassant => self.en_passant_mark(facts, token),
            Kind::Result => {
                // A result inside a variation ends nothing.
                let finding = facts.add("P108", token, &self.frame().line.here()).severity(Severity::Info);
                finding.with("reason", "in-variation").with("count", 1i32);
                self.note(Event::Unread(token));
            }
            Kind::Symbol => {
                facts.add("P110", token, &self.frame().line.here()).with("reason", "stray-symbol");
                self.note(Event::Unread(token));
            }
            Kind::Offer => self.note(Event::Unread(token)),
            _ => {}
        }
    }

    pub(super) fn comment(&mut self, facts: &mut Facts, token: Token) {
        let mainline = self.frames.len() == 1;
        self.note(Event::Comment(token));
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
        if may_hold_position(facts.bytes(token)) {
            self.compare_position(facts, token);
        }
    }

    /// Reports a comment that gives another position than the one on the board: the first of a game.
    #[cold]
    #[inline(never)]
    fn compare_position(&mut self, facts: &mut Facts, token: Token) {
        let text = comment_text(facts, token);
        let frame = self.frames.last().expect("the mainline is always there");
        let (false, Some(board), Some(fen)) = (self.position_differs, &frame.board, position_in(&text)) else { return };
        if !fen.is_on_board(board) {
            let place = frame.line.here();
            facts.add("F230", token, &place).with("expected", board.fen()).with("found", fen.text);
            self.position_differs = true;
        }
    }

    pub(super) fn nag(&mut self, facts: &mut Facts, token: Token) {
        let bytes = facts.bytes(token);
        let number: u32 = if token.kind == Kind::Nag {
            bytes[1..].iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0'))
        } else {
            self.suffixes += 1;
            if self.first_suffix.is_none() {
                self.first_suffix = Some((token, self.frame().line.here()));
            }
            glyph(bytes)
        };
        let mainline = self.frames.len() == 1;
        let frame = self.frames.last_mut().expect("the mainline is always there");
        if number > 255 {
            facts.add("P111", token, &frame.line.here());
            self.note(Event::Unread(token));
            return;
        }
        if frame.nags_of != frame.line.count {
            (frame.nags_of, frame.nags) = (frame.line.count, [0; 4]);
        }
        let (word, mask) = ((number / 64) as usize & 3, 1u64 << (number % 64));
        if frame.nags[word] & mask == 0 {
            frame.nags[word] |= mask;
            let (ply, stopped) = (frame.line.count, frame.line.stopped);
            if mainline && ply > 0 && !stopped {
                self.notes.push(Note::Nag { ply, number: number as u8 });
            }
            self.note(Event::Nag(number as u8));
        }
    }

    /// Annotations as suffixes: one finding a game, at the first.
    pub(super) fn report_suffixes(&mut self, facts: &mut Facts) {
        if let Some((token, place)) = self.first_suffix.take() {
            let expected = format!("${}", glyph(facts.bytes(token)));
            facts.add("N407", token, &place).with("expected", expected).with("count", self.suffixes);
        }
    }

    pub(super) fn en_passant_mark(&mut self, facts: &mut Facts, token: Token) {
        let frame = self.frames.last().expect("the mainline is always there");
        if frame.line.stopped {
            return self.note(Event::Unread(token));
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
            None => {
                let finding = facts.add("P110", token, &place).with("reason", "stray-symbol");
                self.note(Event::Unread(token));
                finding
            }
        };
    }

    /// The standard text of a mainline move.
    pub(super) fn standard_text(&self, facts: &Facts, index: u32) -> String {
        match self.sans.iter().rev().find(|(at, _)| *at == index) {
            Some((_, san)) => san.clone(),
            None => facts.text(self.plies[index as usize].token()).into_owned(),
        }
    }
}

/// The number of the glyph for an annotation such as `!?`.
fn glyph(suffix: &[u8]) -> u32 {
    match suffix {
        [b'!', b'!', ..] => 3,
        [b'?', b'?', ..] => 4,
        [b'!', b'?', ..] => 5,
        [b'?', b'!', ..] => 6,
        [b'!', ..] => 1,
        _ => 2,
    }
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
