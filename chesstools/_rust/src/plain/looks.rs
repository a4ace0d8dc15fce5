//! What is looked at beside the loop over moves: mates, positions that may have stood before, high clocks.

use super::position::{passed_square, Position};
use super::{Reading, CLOCK_LOOKS};
use crate::board::Board;
use crate::record::Detail;
use crate::replay::Replay;
use crate::scout::Sides;
use crate::types::{Color, Role, NO_SQUARE};

impl Replay {
    /// After a move: None if it is marked as mate and is none. Notes its details where plies are wanted.
    #[inline(never)]
    pub(super) fn look_closer(
        &mut self,
        reading: &Reading,
        turn: Color,
        role: Option<Role>,
        captured: Option<Role>,
    ) -> Option<()> {
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
    pub(super) fn has_mate_sign(&self, text: &[u8]) -> bool {
        self.plies.last().is_some_and(|ply| text[ply.end as usize - 1] == b'#')
    }

    /// The position may have stood before, or one that stood twice may come back.
    #[cold]
    #[inline(never)]
    pub(super) fn look_again(&mut self, reading: &mut Reading, turn: Color) {
        let (segment, position) = (self.segment(reading), &reading.position);
        let long = self.plies.len() as u32 - segment >= reading.wanted.fifty_from;
        self.scout.look(&self.plies, segment, Sides { turn, by_color: position.by_color() }, position.hash, long);
        if self.scout.expects_more() {
            reading.places[1] = 0;
        }
    }

    /// Where the halfmove clock may run high before it is looked at again, `Scout` sees all from here on.
    pub(super) fn look_at_clock(&mut self, reading: &mut Reading) {
        let segment = self.segment(reading);
        if self.plies.len() as u32 - segment >= reading.wanted.fifty_from - CLOCK_LOOKS {
            self.scout.expect_from(segment);
            reading.places[1] = 0;
        }
    }

    /// The index of the last capture or pawn move.
    pub(super) fn segment(&self, reading: &Reading) -> u32 {
        match reading.places[1] {
            0 => self.scout.expects_since(),
            place => place - self.scout.first_place,
        }
    }

    /// The position with its counters, as they are after the moves so far.
    pub(super) fn plain_board(&self, reading: &Reading, turn: Color) -> Board {
        let plies = self.plies.len() as u32;
        let ep = self.passed_square(&reading.position);
        reading.position.board(turn, plies - self.segment(reading), plies / 2 + 1, ep)
    }

    /// The square behind a pawn that has just made a double step, else `NO_SQUARE`.
    pub(super) fn passed_square(&self, position: &Position) -> u8 {
        self.plies.last().map_or(NO_SQUARE, |ply| passed_square(position.man_on(ply.mv.to), ply.mv))
    }
}
