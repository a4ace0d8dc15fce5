//! Where and how a plain game ended.

use super::MAX_SPACE;
use crate::board::Board;
use crate::classes::is_space;
use crate::lexer::Token;
use crate::lexer_tags::plain_tag;
use crate::limits::Limits;
use crate::replay::Replay;
use crate::types::Color;
use crate::winnable::dead::is_proved_dead;
use crate::winnable::Depth;

/// How a plain game ended.
pub struct Ended {
    pub marker: Token,
    /// Where the next game begins.
    pub end: usize,
    pub plies: u32,
    /// Whether neither pawns nor rooks nor queens are left. Where some are, no position before was dead.
    pub few_men: bool,
    pub(super) turn: Color,
    pub(super) halfmove: u32,
    pub(super) ep: u8,
}

impl Ended {
    /// The final position, which `replay` keeps until the next game.
    pub fn board(&self, replay: &Replay) -> Board {
        replay.position.board(self.turn, self.halfmove, self.plies / 2 + 1, self.ep)
    }

    /// Whether there is a legal move in the final position.
    pub fn has_legal_move(&self, replay: &Replay) -> bool {
        replay.position.can_push(self.turn) || self.board(replay).has_legal_move()
    }

    /// Whether it can be told that no series of moves leads from the final position to mate.
    #[inline(always)]
    pub fn is_dead(&self, replay: &Replay, depth: Depth) -> bool {
        replay.position.may_be_dead() && is_proved_dead(&self.board(replay), depth)
    }
}

/// Where the next game begins behind a result that ends at `at`: at a tag pair, with a blank line before it.
pub fn next_game(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let space = rest.iter().take(MAX_SPACE).position(|&byte| !is_space(byte))?;
    let tag = &rest[space..];
    let begins =
        crate::region::count_breaks(&rest[..space]) >= 2 && plain_tag(&tag[..tag.len().min(Limits::STATED.inline_tag)]).is_some();
    begins.then_some(at + space)
}
