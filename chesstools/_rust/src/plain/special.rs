//! Castling, promotions and captures en passant in a plain game: rare, so that they need not be fast.

use super::position::{Position, CORNERS, KING, ROOK};
use crate::attacks::{between, bit};
use crate::board::Board;
use crate::fast::{self, Made};
use crate::types::{Move, MoveKind, Role};
use crate::zobrist::{MEN, WHITE_TO_MOVE};

impl Position {
    /// Makes the move that a word of `length` bytes says, as `play` does, if it is a special one. `word` holds its bytes; `board`
    /// is the position as a board, wanted for all but castling.
    #[inline(never)]
    pub fn play_special(&mut self, side: usize, word: u64, length: usize, board: Option<Board>) -> Option<Made> {
        let bytes = word.to_le_bytes();
        let (body, check) = match bytes.get(..length)? {
            [body @ .., b'+' | b'#'] => (body, true),
            body => (body, false),
        };
        match body {
            b"O-O" => self.castle(side, 0, check),
            b"O-O-O" => self.castle(side, 1, check),
            _ => {
                let mut board = board?;
                let mut checkers = board.checkers();
                let made = fast::play_apart(&mut board, &mut checkers, word, length)?;
                *self = Position::of(&board);
                Some(made)
            }
        }
    }

    /// Castles; `wing` is 0 for the king's, 1 for the queen's.
    fn castle(&mut self, side: usize, wing: usize, checks: bool) -> Option<Made> {
        let us = side >> 3 & 1;
        let right = 2 * us + wing;
        if self.in_check || self.rights >> right & 1 == 0 {
            return None;
        }
        let (king, rook) = (self.kings[us], CORNERS[right]);
        let (king_to, rook_to) = if wing == 0 { (king + 2, king + 1) } else { (king - 2, king - 1) };
        if between(king, rook) & self.occupied != 0 {
            return None;
        }
        let without = self.occupied ^ bit(king);
        if [rook_to, king_to].iter().any(|&square| self.attackers(side ^ 8, square, without) != 0) {
            return None;
        }
        for (man, from, to) in [(side | KING, king, king_to), (side | ROOK, rook, rook_to)] {
            let (man, at, goal) = (man & 15, usize::from(from & 63), usize::from(to & 63));
            self.men[man] ^= bit(from) | bit(to);
            self.occupied ^= bit(from) | bit(to);
            self.mailbox[at] = 0;
            self.mailbox[goal] = man as u8;
            self.hash ^= MEN[man][at] ^ MEN[man][goal];
        }
        self.sliders[us] ^= bit(rook) | bit(rook_to);
        self.kings[us] = king_to;
        self.rights &= !(0b11 << (2 * us));
        self.hash ^= WHITE_TO_MOVE;
        let check = self.attackers(side, self.kings[us ^ 1], self.occupied) != 0;
        self.in_check = check;
        if check != checks {
            return None;
        }
        let kind = if wing == 0 { MoveKind::CastleKingside } else { MoveKind::CastleQueenside };
        let mv = Move { from: king, to: rook, promotion: None, kind };
        Some(Made { mv, role: Some(Role::King), captured: None, check, mate: false })
    }
}
