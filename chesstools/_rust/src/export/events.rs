//! What a game consists of behind its tags, in the order of the text: noted by the replay where games are exported.

use crate::lexer::{Kind, Token};
use crate::types::Move;

/// A part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The mainline has been played up to so many plies.
    Mainline(u32),
    /// The next move of a variation, of those in `Events::moves`.
    Move,
    Comment(Token),
    /// Each number once behind one move.
    Nag(u8),
    /// A token that means nothing.
    Unread(Token),
    /// A variation begins, with this ply of the game.
    Open(u32),
    Close,
    /// What stands from one index of the tokens to another means nothing, as a token in front could not be played.
    Rest(u32, u32),
}

/// A move of a variation.
#[derive(Clone, Debug)]
pub struct Moved {
    pub token: Token,
    pub mv: Move,
    /// In standard notation, where the token is not.
    pub san: Option<String>,
}

/// The events of one game. The memory is used again.
#[derive(Debug, Default)]
pub struct Events {
    pub list: Vec<Event>,
    pub moves: Vec<Moved>,
    /// How many plies of the mainline are in the list.
    listed: u32,
    /// Where the rest of a line began, and how deep that line is, while it lasts.
    rest: Option<(u32, usize)>,
}

impl Events {
    pub fn clear(&mut self) {
        self.list.clear();
        self.moves.clear();
        (self.listed, self.rest) = (0, None);
    }

    /// Adds an event behind `plies` plies of the mainline, unless it stands in the rest of a line.
    pub fn add(&mut self, plies: u32, event: Event) {
        if self.rest.is_none() {
            self.push(plies, event);
        }
    }

    fn push(&mut self, plies: u32, event: Event) {
        if plies > self.listed {
            self.list.push(Event::Mainline(plies));
            self.listed = plies;
        }
        self.list.push(event);
    }

    /// Adds a move of a variation.
    pub fn add_move(&mut self, plies: u32, moved: Moved) {
        if self.rest.is_none() {
            self.push(plies, Event::Move);
            self.moves.push(moved);
        }
    }

    /// From the token at `from` on the line of that depth cannot be replayed.
    pub fn begin_rest(&mut self, from: usize, depth: usize) {
        self.rest.get_or_insert((from as u32, depth));
    }

    /// The line of that depth ends at the token `to`.
    pub fn end_line(&mut self, plies: u32, to: usize, depth: usize) {
        let ended = self.rest.take_if(|(_, of)| *of == depth);
        if let Some((from, _)) = ended {
            self.push(plies, Event::Rest(from, to as u32));
        }
        if depth > 1 {
            self.add(plies, Event::Close);
        }
    }

    /// The mainline ends at the token `to`.
    pub fn end(&mut self, plies: u32, to: usize) {
        self.end_line(plies, to, 1);
        if plies > self.listed {
            self.list.push(Event::Mainline(plies));
            self.listed = plies;
        }
    }
}

/// Where the move numbers and dots begin that stand right before the token at `at`, else `at`.
pub fn number_before(tokens: &[Token], at: usize) -> usize {
    let mut first = at;
    for (index, token) in tokens[..at].iter().enumerate().rev() {
        match token.kind {
            Kind::Number | Kind::Dots => first = index,
            kind if kind.is_filler() || kind.is_tag() => {}
            _ => break,
        }
    }
    first
}
