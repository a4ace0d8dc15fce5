//! One game as it is exported: its tags, and what stands behind them in the order of the text.

use std::borrow::Cow;

use super::comment_text::{cleaned, Cut};
use super::events::{Event, Moved};
use super::foreign::looks_foreign;
use super::left::Left;
use super::options::Keep;
use crate::board::Board;
use crate::facts::Facts;
use crate::lexer::{Kind, Token};
use crate::record::Ply;
use crate::rows_plies::comment_text;
use crate::tags::Tags;
use crate::text::Encoding;
use crate::types::{Color, Move};

pub struct Game<'g> {
    pub facts: &'g Facts<'g>,
    pub tags: &'g Tags<'g>,
    /// Lines that look like tag pairs.
    pub unread_tags: &'g [Token],
    /// All tokens; none of a plain game, which has no rest and nothing behind its marker.
    pub tokens: &'g [Token],
    pub marker: Option<Token>,
    /// The tokens behind the marker.
    pub behind: &'g [Token],
    /// The start position; None where no game can be played.
    pub start: Option<&'g Board>,
    /// The position behind the last of `plies`, where there is a start; None too for a plain game where it is not written.
    pub last: Option<Board>,
    /// The start position as it can be shown; None for the usual one and where there is none.
    pub start_fen: Option<&'g str>,
    pub plies: &'g [Ply],
    /// Standard notation of those plies whose text is not that, by index, ascending.
    pub sans: &'g [(u32, String)],
    pub events: &'g [Event],
    pub moved: &'g [Moved],
}

/// A move and how the standard writes it.
#[derive(Clone, Copy)]
pub struct Played<'g> {
    pub san: &'g [u8],
    pub mv: Move,
    /// Half-moves to it from White's move 0, which a FEN may begin with.
    pub half: u64,
}

/// Takes in what stands in a game; formats that hold only moves leave out the rest.
pub trait Sink {
    fn played(&mut self, played: Played);
    /// `text` is not empty.
    fn comment(&mut self, _text: &str) {}
    fn nag(&mut self, _number: u8) {}
    fn unread(&mut self, _token: Token) {}
    fn open(&mut self) {}
    fn close(&mut self) {}
    /// What cannot be played, up to the end of the line.
    fn rest(&mut self, tokens: &[Token]);
}

impl<'g> Game<'g> {
    pub fn is_chess960(&self) -> bool {
        self.start.is_some_and(|board| board.chess960)
    }

    /// The termination marker as it stood. Its dashes and halves are in their own encoding, whatever the rest of the game is in.
    pub fn marker_text(&self) -> Option<Cow<'g, str>> {
        self.marker.map(|token| {
            let bytes = self.facts.bytes(token);
            Encoding::of(bytes).decode(bytes)
        })
    }

    /// Half-moves to the start from White's move 0.
    pub fn first_half(&self) -> u64 {
        let first = |board: &Board| u64::from(board.fullmove) * 2 + u64::from(board.turn == Color::Black);
        self.start.map_or(2, first)
    }

    /// Hands the parts that are kept to `sink`, and counts the others.
    pub fn walk(&self, keep: &Keep, left: &mut Left, sink: &mut impl Sink) {
        let cut = Cut::of(keep);
        let first = self.first_half();
        let (mut played, mut sans, mut moved) = (0, self.sans.iter().peekable(), self.moved.iter());
        let mut halves: Vec<u64> = Vec::new();
        // How many variations are open that are not kept.
        let mut dropped = 0u32;
        for &event in self.events {
            match event {
                Event::Mainline(count) => {
                    for index in played..count {
                        let ply = self.plies[index as usize];
                        let san = match sans.next_if(|(at, _)| *at == index) {
                            Some((_, san)) => san.as_bytes(),
                            None => self.facts.bytes(ply.token()),
                        };
                        sink.played(Played { san, mv: ply.mv, half: first + u64::from(index) });
                    }
                    played = count;
                }
                Event::Move => {
                    let (Some(one), Some(half)) = (moved.next(), halves.last_mut()) else { continue };
                    if dropped == 0 {
                        let san = one.san.as_ref().map_or_else(|| self.facts.bytes(one.token), |san| san.as_bytes());
                        sink.played(Played { san, mv: one.mv, half: *half });
                    }
                    *half += 1;
                }
                Event::Open(ply) => {
                    halves.push(first + u64::from(ply.max(1) - 1));
                    if keep.variations {
                        sink.open();
                    } else {
                        dropped += 1;
                        left.variations += 1;
                    }
                }
                Event::Close => {
                    halves.pop();
                    if keep.variations {
                        sink.close();
                    } else {
                        dropped -= 1;
                    }
                }
                _ if dropped > 0 => {}
                Event::Comment(token) => self.hand_comment(token, cut, keep, left, sink),
                Event::Nag(number) if keep.nags => sink.nag(number),
                Event::Nag(_) => left.nags += 1,
                Event::Unread(_) if keep.bare => left.unread += 1,
                Event::Unread(token) => sink.unread(token),
                Event::Rest(from, to) => {
                    let tokens = &self.tokens[from as usize..to as usize];
                    if halves.is_empty() {
                        left.foreign += u64::from(self.has_foreign(tokens));
                    }
                    sink.rest(tokens);
                }
            }
        }
    }

    /// Whether one of the tokens looks like a move in another language.
    fn has_foreign(&self, tokens: &[Token]) -> bool {
        let is_word = |token: &&Token| matches!(token.kind, Kind::Move | Kind::Word);
        tokens.iter().filter(is_word).any(|token| looks_foreign(&self.facts.text(*token)))
    }

    fn hand_comment(&self, token: Token, cut: Cut, keep: &Keep, left: &mut Left, sink: &mut impl Sink) {
        let text = comment_text(self.facts, token);
        if text.is_empty() {
            return;
        }
        if !keep.comments {
            left.comments += 1;
            return;
        }
        let text: Cow<str> = match cut {
            Cut::Nothing => text,
            _ => cleaned(text, cut, &mut left.commands),
        };
        if !text.is_empty() {
            sink.comment(&text);
        }
    }
}
