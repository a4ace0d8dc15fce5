//! What must be remembered of the moves so far, to say when a right was lost.
//! The counterpart of `chesstools/reference/past.py`.

use crate::board::Board;
use crate::types::{Bb, Color, Move, MoveKind, Role, NO_SQUARE};

/// The ply at which a castling man left its square or was captured there.
#[derive(Clone, Copy, Debug)]
pub struct Loss {
    pub square: u8,
    pub ply: u32,
    pub captured: bool,
}

/// Castling men of the start position and what became of them; double steps of pawns.
///
/// It is worked out from the moves only when a reason is asked for, so that legal games pay nothing for it.
#[derive(Clone, Debug)]
pub struct Past {
    /// Home of each king that has a castling right at the start, by colour.
    pub kings: [u8; 2],
    /// Home of each rook with a right, by colour and side (0 king's side, 1 queen's side).
    pub rooks: [[u8; 2]; 2],
    losses: Vec<Loss>,
    /// Ply of the double step by which the pawn on a square came there; 0 for none.
    double_steps: [u32; 64],
    homes: Bb,
}

impl Past {
    /// The past of a start position: nothing has happened yet.
    pub fn of(board: &Board) -> Past {
        let mut past =
            Past { kings: [NO_SQUARE; 2], rooks: [[NO_SQUARE; 2]; 2], losses: Vec::new(), double_steps: [0; 64], homes: 0 };
        for color in [Color::White, Color::Black] {
            let Some(king) = board.king(color) else { continue };
            let backrank: Bb = if color == Color::White { 0xff } else { 0xff << 56 };
            let mut rights = board.castling & backrank;
            while rights != 0 {
                let rook = rights.trailing_zeros() as u8;
                rights &= rights - 1;
                past.kings[color as usize] = king;
                past.rooks[color as usize][usize::from(rook < king)] = rook;
                past.homes |= 1 << king | 1 << rook;
            }
        }
        past
    }

    /// Takes in the move `ply`, about to be made on `board`.
    pub fn add(&mut self, board: &Board, mv: Move, ply: u32) {
        if mv.kind == MoveKind::Null {
            return;
        }
        let to = crate::san::uci_target(board, mv);
        self.lose(mv.from, ply, false);
        self.lose(to, ply, true);
        let pawn = board.role_at(mv.from) == Some(Role::Pawn);
        self.double_steps[(to & 63) as usize] = if pawn && mv.from.abs_diff(to) == 16 { ply } else { 0 };
    }

    fn lose(&mut self, square: u8, ply: u32, captured: bool) {
        if self.homes & (1 << square) != 0 && self.loss(square).is_none() {
            self.losses.push(Loss { square, ply, captured });
        }
    }

    pub fn loss(&self, square: u8) -> Option<Loss> {
        self.losses.iter().find(|loss| loss.square == square).copied()
    }

    pub fn double_step(&self, square: u8) -> Option<u32> {
        let ply = self.double_steps[(square & 63) as usize];
        (ply != 0).then_some(ply)
    }
}
