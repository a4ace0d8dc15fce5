//! Positions that are dead for lack of material, by the rule of a profile.
//! The counterpart of `chesstools/reference/material.py`, which says what each rule means.

use crate::attacks::{DARK_SQUARES, LIGHT_SQUARES};
use crate::board::Board;
use crate::profile::DeadPosition;
use crate::types::{Color, Role};

impl DeadPosition {
    /// Whether the men that are left end the game.
    pub fn is_dead(self, board: &Board) -> bool {
        let [pawns, knights, bishops, rooks, queens, _] = board.by_role;
        if pawns | rooks | queens != 0 {
            return false;
        }
        if matches!(self, DeadPosition::AnySeries | DeadPosition::Lichess) {
            return board.is_insufficient_material();
        }
        let minor = |side: Color| (board.men(side, Role::Knight) | board.men(side, Role::Bishop)).count_ones();
        let (white, black) = (minor(Color::White), minor(Color::Black));
        if self == DeadPosition::Chesscom {
            let two_knights = bishops == 0 && matches!((white, black), (2, 0) | (0, 2));
            return two_knights || white <= 1 && black <= 1;
        }
        let one_colour = bishops & LIGHT_SQUARES == 0 || bishops & DARK_SQUARES == 0;
        white + black <= 1 || white == 1 && black == 1 && knights == 0 && one_colour
    }
}
