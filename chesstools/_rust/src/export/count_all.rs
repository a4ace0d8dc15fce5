//! What formats leave behind that hold only the mainline, or only positions.

use super::game::Game;
use super::left::Left;
use super::options::Keep;
use crate::lexer::Token;

/// Counts what no filter counts.
#[derive(Default)]
pub struct CountAll {
    tails: u64,
}

impl CountAll {
    /// Nothing but moves.
    pub const KEEP: Keep = Keep { comments: false, nags: false, variations: false, clocks: true, commands: true, bare: true };

    pub fn rest(&mut self, tokens: &[Token]) {
        self.tails += u64::from(!tokens.is_empty());
    }

    /// Adds what stands outside of the mainline too.
    pub fn add_to(&self, game: &Game, left: &mut Left) {
        left.tails += self.tails;
        left.tags += (game.tags.pairs.len() + game.unread_tags.len()) as u64;
        left.results += u64::from(game.marker.is_some());
        left.behind += u64::from(!game.raw(game.behind, false).is_empty());
    }
}
