//! Making many moves of which only the last position is wanted: on the mailbox alone, the rest found anew at the end.

use crate::attacks::{bit, BACK_RANK};
use crate::board::{code, Board};
use crate::plain::position::passed_square;
use crate::types::{Bb, Color, Move, MoveKind, Role};
use crate::zobrist::{MEN, WHITE_TO_MOVE};

/// Below so many moves it is faster to make each of them whole.
const FEW: usize = 16;

impl Board {
    /// Makes moves as `play` would, one after the other, in less time.
    pub fn pass_over(&mut self, moves: impl DoubleEndedIterator<Item = Move> + ExactSizeIterator + Clone) {
        let count = moves.len();
        if count < FEW {
            return moves.for_each(|mv| self.play(mv));
        }
        let kings = [Color::White, Color::Black].map(|color| self.king(color));
        let last = moves.clone().next_back();
        let mut lost = 0;
        for mv in moves {
            self.make_on_mailbox(mv, &mut lost);
        }
        if let Some(last) = last {
            self.ep = passed_square(self.mailbox[usize::from(last.to & 63)], last);
        }
        for (king, rank) in kings.into_iter().zip(BACK_RANK) {
            if king.is_some_and(|king| lost & bit(king) != 0) {
                lost |= rank;
            }
        }
        self.castling &= !lost;
        let black = self.turn == Color::Black;
        self.fullmove = self.fullmove.wrapping_add((count as u32 + u32::from(black)) / 2);
        self.turn = if count % 2 == 0 { self.turn } else { self.turn.other() };
        self.read_mailbox();
    }

    /// Makes a move on the mailbox and counts it in the clock; adds to `lost` where men left or came.
    #[inline(always)]
    fn make_on_mailbox(&mut self, mv: Move, lost: &mut Bb) {
        let (from, to) = (usize::from(mv.from & 63), usize::from(mv.to & 63));
        let (man, taken) = (self.mailbox[from], self.mailbox[to]);
        if mv.kind != MoveKind::Plain || mv.promotion.is_some() {
            self.make_special_on_mailbox(mv, man);
        } else {
            self.mailbox[from] = 0;
            self.mailbox[to] = man;
            let zeroes = man & 7 == code(Color::White, Role::Pawn) || taken != 0;
            self.halfmove = if zeroes { 0 } else { self.halfmove.wrapping_add(1) };
        }
        *lost |= bit(mv.from) | bit(mv.to);
    }

    #[cold]
    #[inline(never)]
    fn make_special_on_mailbox(&mut self, mv: Move, man: u8) {
        let (from, to) = (usize::from(mv.from & 63), usize::from(mv.to & 63));
        let color = if man & 8 == 0 { Color::White } else { Color::Black };
        match mv.kind {
            MoveKind::Null => self.halfmove = self.halfmove.wrapping_add(1),
            MoveKind::Plain | MoveKind::EnPassant => {
                self.mailbox[from] = 0;
                self.mailbox[to] = mv.promotion.map_or(man, |role| code(color, role));
                if mv.kind == MoveKind::EnPassant {
                    self.mailbox[to ^ 8] = 0;
                }
                self.halfmove = 0;
            }
            MoveKind::CastleKingside | MoveKind::CastleQueenside => {
                let rank = if color == Color::White { 0 } else { 56 };
                let (king, rook) = if mv.kind == MoveKind::CastleKingside { (6, 5) } else { (2, 3) };
                (self.mailbox[from], self.mailbox[to]) = (0, 0);
                self.mailbox[rank + king] = code(color, Role::King);
                self.mailbox[rank + rook] = code(color, Role::Rook);
                self.halfmove = self.halfmove.wrapping_add(1);
            }
        }
    }

    /// Finds sets of men and the hash from the mailbox.
    fn read_mailbox(&mut self) {
        (self.by_role, self.by_color) = ([0; 6], [0; 2]);
        let mut hash = 0;
        for (square, &man) in (0..).zip(&self.mailbox) {
            if man != 0 {
                self.by_role[usize::from((man & 7) - 1)] |= bit(square);
                self.by_color[usize::from(man >> 3)] |= bit(square);
                hash ^= MEN[usize::from(man & 15)][usize::from(square)];
            }
        }
        self.hash = hash ^ if self.turn == Color::White { WHITE_TO_MOVE } else { 0 } ^ self.rights_key();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::MoveList;

    /// A walk through legal moves and passes, all in one go and one by one.
    #[test]
    fn like_one_by_one() {
        let mut dice: u64 = 7;
        for round in 0..400 {
            let start = Board::start(round % 2 == 1);
            let (mut board, mut walk) = (start.clone(), Vec::new());
            for ply in 0..120 {
                let mut moves = MoveList::new();
                board.legal_moves(!0, !0, &mut moves);
                dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                if moves.is_empty() {
                    break;
                }
                // Castling, captures en passant and promotions whenever they are there.
                let rare = moves.iter().find(|mv| mv.kind != MoveKind::Plain || mv.promotion.is_some());
                let any = moves[(dice >> 33) as usize % moves.len()];
                let pass = ply % 31 == 30 && !board.is_check();
                walk.push(if pass { Move::NULL } else { rare.copied().unwrap_or(any) });
                board.play(walk[ply]);
            }
            for cut in [0, 1, FEW + 1, FEW + 2, walk.len() / 2, walk.len()].map(|cut| cut.min(walk.len())) {
                let mut twice = start.clone();
                twice.pass_over(walk[..cut].iter().copied());
                twice.pass_over(walk[cut..].iter().copied());
                assert_eq!(twice, board);
            }
        }
    }
}
