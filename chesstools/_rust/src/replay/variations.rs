//! Variations: each is a line of its own, from the position before the move that it replaces.

use super::line::{Frame, Line};
use super::{Replay, MAX_VARIATION_DEPTH};
use crate::board::Board;
use crate::export::events::Event;
use crate::facts::Facts;
use crate::lexer::Token;
use crate::record::Note;

impl Replay {
    /// `next` is the index of the token behind the bracket.
    pub(super) fn open(&mut self, facts: &mut Facts, token: Token, next: usize) {
        if self.too_deep > 0 || self.frames.len() > MAX_VARIATION_DEPTH {
            if self.too_deep == 0 {
                self.note(Event::Open(0));
                if let Some(events) = &mut self.events {
                    events.begin_rest(next, self.frames.len() + 1);
                }
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
        self.note(Event::Open(ply));
        let line = Line { path: Some(step), first_ply: ply, stopped: board.is_none(), ..Line::default() };
        self.frames.push(Frame::new(line, board, Some(token), shift));
    }

    /// The position before the last move of a line. Moves are made again from the last place where this was asked.
    pub(super) fn before_last(&mut self, depth: usize) -> Option<Board> {
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

    /// `at` is the index of the token.
    pub(super) fn close(&mut self, facts: &mut Facts, token: Token, at: usize) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            if self.too_deep == 0 {
                self.note_end(at, self.frames.len() + 1);
            }
        } else if self.frames.len() == 1 {
            self.note(Event::Unread(token));
            let place = self.frame().line.here();
            facts.add("P103", token, &place).with("found", ")").with("reason", "stray");
        } else {
            self.note_end(at, self.frames.len());
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

    /// Notes that the line of that depth ends at the token `at`.
    fn note_end(&mut self, at: usize, depth: usize) {
        if let Some(events) = &mut self.events {
            events.end_line(self.frames[0].line.count, at, depth);
        }
    }
}
