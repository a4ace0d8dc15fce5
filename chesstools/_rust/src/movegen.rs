//! Lists of moves, in a fixed order: h8 before a1, as python-chess lists them.
//!
//! The order is part of what is promised, because "the first move that is no capture" goes into a finding. Replay of
//! valid games never comes here.

use crate::attacks::{self, bit, squares_down};
use crate::board::Board;
use crate::types::{Bb, Color, Move, MoveKind, MoveList, Role, NO_SQUARE};

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// No position has so many moves that the list overflows; if one had, the rest would be left out.
fn push(out: &mut MoveList, mv: Move) {
    let _ = out.try_push(mv);
}

impl Board {
    /// The legal moves from a square of `from` to a square of `to`. The target of castling is the square of the rook.
    pub fn legal_moves(&self, from: Bb, to: Bb, out: &mut MoveList) {
        let Some(king) = self.king(self.turn) else { return self.pseudo_legal_moves(from, to, out) };
        let checkers = self.checkers();
        let mut moves = MoveList::new();
        if checkers == 0 {
            self.pseudo_legal_moves(from, to, &mut moves);
        } else {
            if from & bit(king) != 0 {
                let steps = attacks::king(king) & !self.by_color[self.turn as usize] & to;
                squares_down(steps).for_each(|target| push(&mut moves, Move::plain(king, target)));
            }
            if checkers & (checkers - 1) == 0 {
                self.answers(king, checkers, from & !self.by_role[Role::King as usize], to, &mut moves);
            }
        }
        moves.into_iter().filter(|&mv| self.is_safe_given(mv, king, checkers)).for_each(|mv| push(out, mv));
    }

    /// Pseudo-legal moves of other men than the king that take or block the only man giving check.
    fn answers(&self, king: u8, checker: Bb, from: Bb, to: Bb, out: &mut MoveList) {
        let targets = attacks::between(king, checker.trailing_zeros() as u8) | checker;
        self.pseudo_legal_moves(from, targets & to, out);
        if self.ep != NO_SQUARE && targets & bit(self.ep) == 0 && checker == bit(self.ep ^ 8) {
            self.en_passant_moves(from, to, out);
        }
    }

    /// Moves that the men can make if nobody minds a check; castling only where it is legal.
    pub fn pseudo_legal_moves(&self, from: Bb, to: Bb, out: &mut MoveList) {
        let own = self.by_color[self.turn as usize];
        for origin in squares_down(own & !self.by_role[Role::Pawn as usize] & from) {
            for target in squares_down(self.attacks_from(origin) & !own & to) {
                push(out, Move::plain(origin, target));
            }
        }
        if from & self.by_role[Role::King as usize] != 0 {
            self.castling_moves_within(from, to, out);
        }
        self.pawn_moves(from, to, out);
    }

    fn pawn_moves(&self, from: Bb, to: Bb, out: &mut MoveList) {
        let us = self.turn;
        let pawns = self.men(us, Role::Pawn) & from;
        for origin in squares_down(pawns) {
            for target in squares_down(attacks::pawn(us, origin) & self.by_color[us.other() as usize] & to) {
                push_pawn(out, origin, target);
            }
        }
        let empty = !self.occupied();
        let (single, double, step) = match us {
            Color::White => {
                let single = pawns << 8 & empty;
                (single, single << 8 & empty & 0xff << 24, 8u8)
            }
            Color::Black => {
                let single = pawns >> 8 & empty;
                (single, single >> 8 & empty & 0xff << 32, 8u8.wrapping_neg())
            }
        };
        for target in squares_down(single & to) {
            push_pawn(out, target.wrapping_sub(step), target);
        }
        for target in squares_down(double & to) {
            push(out, Move::plain(target.wrapping_sub(step).wrapping_sub(step), target));
        }
        self.en_passant_moves(from, to, out);
    }

    /// Pseudo-legal captures en passant.
    fn en_passant_moves(&self, from: Bb, to: Bb, out: &mut MoveList) {
        if self.ep == NO_SQUARE || bit(self.ep) & to == 0 {
            return;
        }
        for origin in squares_down(self.ep_capturers() & from) {
            push(out, Move { from: origin, to: self.ep, promotion: None, kind: MoveKind::EnPassant });
        }
    }

    /// The pawns that could take en passant if nobody minds a check.
    pub fn ep_capturers(&self) -> Bb {
        if self.ep == NO_SQUARE || self.occupied() & bit(self.ep) != 0 {
            return 0;
        }
        let rank = if self.turn == Color::White { 0xff << 32 } else { 0xff << 24 };
        attacks::pawn(self.turn.other(), self.ep) & self.men(self.turn, Role::Pawn) & rank
    }

    /// The legal castlings, the one with the rook nearer to the h-file first.
    pub fn castling_moves(&self, out: &mut MoveList) {
        self.castling_moves_within(!0, !0, out);
    }

    fn castling_moves_within(&self, from: Bb, to: Bb, out: &mut MoveList) {
        let rank = attacks::BACK_RANK[self.turn as usize];
        let kings = self.men(self.turn, Role::King) & rank & from;
        if kings == 0 {
            return;
        }
        let king = kings.trailing_zeros() as u8;
        for rook in squares_down(self.castling & rank & to) {
            if self.can_castle(king, rook) {
                let kind = if rook < king { MoveKind::CastleQueenside } else { MoveKind::CastleKingside };
                push(out, Move { from: king, to: rook, promotion: None, kind });
            }
        }
    }

    /// Whether king and rook may castle: the right is there, no man in the way, no square of the king's way attacked.
    pub fn can_castle(&self, king: u8, rook: u8) -> bool {
        let rank = king & 56;
        let (king_to, rook_to) = if rook < king { (rank + 2, rank + 3) } else { (rank + 6, rank + 5) };
        let others = self.occupied() & !(bit(king) | bit(rook));
        let way = attacks::between(king, king_to) | bit(king_to);
        if self.castling & bit(rook) == 0 || others & (way | attacks::between(rook, rook_to) | bit(rook_to)) != 0 {
            return false;
        }
        // On the way the king's own square gives no cover, but the rook still does; after castling only where it stands then.
        let them = self.turn.other();
        let attacked = |square, occupied| self.attackers(them, square, occupied) != 0;
        let before = self.occupied() ^ bit(king);
        !attacks::squares(attacks::between(king, king_to) | bit(king)).any(|square| attacked(square, before))
            && !attacked(king_to, others | bit(rook_to))
    }
}

fn push_pawn(out: &mut MoveList, from: u8, to: u8) {
    if bit(to) & (attacks::RANK_1 | attacks::RANK_8) == 0 {
        return push(out, Move::plain(from, to));
    }
    for role in PROMOTIONS {
        push(out, Move { promotion: Some(role), ..Move::plain(from, to) });
    }
}
