//! Making a move on the board.

use crate::attacks::{bit, BACK_RANK};
use crate::board::{code, Board};
use crate::types::{Bb, Color, Move, MoveKind, Role, NO_SQUARE};
use crate::zobrist::{MEN, WHITE_TO_MOVE};

/// By code of a man: the rank whose rights end when that man moves or is taken. Only kings have one.
static RIGHTS_OF_KING: [Bb; 16] = {
    let mut table = [0; 16];
    table[code(Color::White, Role::King) as usize] = BACK_RANK[0];
    table[code(Color::Black, Role::King) as usize] = BACK_RANK[1];
    table
};

impl Board {
    /// Makes a move that is at least pseudo-legal, or `Move::NULL`: a pass. Other moves leave nonsense, but never panic.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        match self.turn {
            Color::White => self.play_as::<true>(mv),
            Color::Black => self.play_as::<false>(mv),
        }
    }

    #[inline(always)]
    fn play_as<const WHITE: bool>(&mut self, mv: Move) {
        if mv.kind != MoveKind::Plain || mv.promotion.is_some() {
            return self.play_special(mv);
        }
        let (us, them) = if WHITE { (0, 1) } else { (1, 0) };
        let (from, to) = ((mv.from & 63) as usize, (mv.to & 63) as usize);
        let both = bit(mv.from) | bit(mv.to);
        let man = self.man_at(mv.from);
        let taken = self.man_at(mv.to);

        self.end_rights(both | RIGHTS_OF_KING[man as usize] | RIGHTS_OF_KING[taken as usize]);

        // With no man on the target square these clear a bit that is clear.
        self.by_role[index(taken)] &= !bit(mv.to);
        self.by_color[them] &= !bit(mv.to);
        self.by_role[index(man)] ^= both;
        self.by_color[us] ^= both;
        self.mailbox[from] = 0;
        self.mailbox[to] = man;
        let men = MEN[man as usize][from] ^ MEN[man as usize][to] ^ MEN[taken as usize][to];
        self.hash ^= men ^ WHITE_TO_MOVE;

        // Arithmetic, not branches: whether the next move is one of a pawn nobody can foretell.
        let pawn = man & 7 == 1;
        let keep = u32::from(!(pawn | (taken != 0))).wrapping_neg();
        self.halfmove = self.halfmove.wrapping_add(1) & keep;
        // Only a double step goes two ranks on one file.
        let double = u8::from(pawn & (from ^ to == 16)).wrapping_neg();
        self.ep = NO_SQUARE ^ (NO_SQUARE ^ ((from + to) / 2) as u8) & double;
        self.pass_turn::<WHITE>();
    }

    #[inline(always)]
    fn pass_turn<const WHITE: bool>(&mut self) {
        if WHITE {
            self.turn = Color::Black;
        } else {
            self.turn = Color::White;
            self.fullmove = self.fullmove.wrapping_add(1);
        }
    }

    #[inline(always)]
    fn end_rights(&mut self, touched: Bb) {
        if self.castling & touched != 0 {
            self.end_rights_now(touched);
        }
    }

    /// Before the men move, so that the king still tells its rooks apart.
    #[cold]
    #[inline(never)]
    fn end_rights_now(&mut self, touched: Bb) {
        self.hash ^= self.rights_key();
        self.castling &= !touched;
        self.hash ^= self.rights_key();
    }

    /// Castling, en passant, promotion and the pass.
    #[cold]
    #[inline(never)]
    fn play_special(&mut self, mv: Move) {
        let us = self.turn;
        self.ep = NO_SQUARE;
        self.halfmove = self.halfmove.wrapping_add(1);
        self.hash ^= WHITE_TO_MOVE;
        match mv.kind {
            MoveKind::Null => {}
            MoveKind::CastleKingside | MoveKind::CastleQueenside => {
                self.end_rights(BACK_RANK[us as usize]);
                let rank = if us == Color::White { 0 } else { 56 };
                let (king, rook) = if mv.kind == MoveKind::CastleKingside { (6, 5) } else { (2, 3) };
                self.lift(mv.from);
                self.lift(mv.to);
                self.set(rank + king, code(us, Role::King));
                self.set(rank + rook, code(us, Role::Rook));
            }
            MoveKind::EnPassant => {
                let man = self.lift(mv.from);
                self.lift(mv.to ^ 8);
                self.set(mv.to, man);
                self.halfmove = 0;
            }
            MoveKind::Plain => {
                self.end_rights(bit(mv.from) | bit(mv.to) | RIGHTS_OF_KING[self.man_at(mv.to) as usize]);
                let man = self.lift(mv.from);
                self.lift(mv.to);
                self.set(mv.to, mv.promotion.map_or(man, |role| code(us, role)));
                self.halfmove = 0;
            }
        }
        self.turn = us.other();
        if us == Color::Black {
            self.fullmove = self.fullmove.wrapping_add(1);
        }
    }

    #[inline(always)]
    fn man_at(&self, square: u8) -> u8 {
        self.mailbox[(square & 63) as usize] & 15
    }

    /// Takes the man off a square, if there is one, and says which it was.
    fn lift(&mut self, square: u8) -> u8 {
        let man = self.man_at(square);
        self.mailbox[(square & 63) as usize] = 0;
        self.by_role[index(man)] &= !bit(square);
        self.by_color[usize::from(man >> 3)] &= !bit(square);
        self.hash ^= MEN[man as usize][(square & 63) as usize];
        man
    }

    /// Puts a man on an empty square.
    fn set(&mut self, square: u8, man: u8) {
        if man & 7 == 0 {
            return;
        }
        self.mailbox[(square & 63) as usize] = man;
        self.by_role[index(man)] |= bit(square);
        self.by_color[usize::from(man >> 3)] |= bit(square);
        self.hash ^= MEN[man as usize][(square & 63) as usize];
    }
}

/// Where `by_role` has the man of a code; for no man, any place.
#[inline(always)]
fn index(man: u8) -> usize {
    (man & 7).saturating_sub(1) as usize
}
