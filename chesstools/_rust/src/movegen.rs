//! Lists of moves, in a fixed order: h8 before a1, as python-chess lists them.
//!
//! The order is part of what is promised, because "the first move that is no capture" goes into a finding. Replay of
//! valid games never comes here.

use crate::attacks::{self, bit, squares_down, RANK_1, RANK_8};
use crate::board::Board;
use crate::types::{Bb, Color, Move, MoveKind, MoveList, Role, NO_SQUARE};

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

impl Board {
    /// The legal moves from a square of `from` to a square of `to`. The target of castling is the square of the rook.
    pub fn legal_moves(&self, from: Bb, to: Bb, out: &mut MoveList) {
        let Some(king) = self.king(self.turn) else { return self.pseudo_legal_moves(from, to, out) };
        let checkers = self.checkers();
        let safe = if checkers == 0 { !(bit(king) | self.blockers(king) | self.ep_capturers()) } else { 0 };
        let add = &mut |mv: Move| {
            if bit(mv.from) & safe != 0 || self.is_safe_given(mv, king, checkers) {
                push(out, mv);
            }
        };
        if checkers == 0 {
            return self.each_pseudo_legal(from, to, add);
        }
        if from & bit(king) != 0 {
            let steps = attacks::king(king) & !self.by_color[self.turn as usize] & to;
            squares_down(steps).for_each(|target| add(Move::plain(king, target)));
        }
        if checkers & (checkers - 1) == 0 {
            // Other men must take the only man giving check, or step between.
            let from = from & !self.by_role[Role::King as usize];
            let targets = attacks::between(king, checkers.trailing_zeros() as u8) | checkers;
            self.each_pseudo_legal(from, targets & to, add);
            if self.ep != NO_SQUARE && targets & bit(self.ep) == 0 && checkers == bit(self.ep ^ 8) {
                self.each_en_passant(from, to, add);
            }
        }
    }

    /// The men that stand alone between the king on `king`, which is to move, and an enemy slider.
    fn blockers(&self, king: u8) -> Bb {
        let at = (king & 63) as usize;
        let straight = attacks::ROOK_LINES[at] & self.straight_sliders();
        let slanted = attacks::BISHOP_LINES[at] & self.slanted_sliders();
        let snipers = (straight | slanted) & self.by_color[self.turn.other() as usize];
        attacks::squares(snipers)
            .map(|sniper| attacks::between(king, sniper) & self.occupied())
            .filter(|men| men.is_power_of_two())
            .fold(0, |blockers, man| blockers | man)
    }

    /// Moves that the men can make if nobody minds a check; castling only where it is legal.
    pub fn pseudo_legal_moves(&self, from: Bb, to: Bb, out: &mut MoveList) {
        self.each_pseudo_legal(from, to, &mut |mv| push(out, mv));
    }

    #[inline(always)]
    fn each_pseudo_legal(&self, from: Bb, to: Bb, add: &mut impl FnMut(Move)) {
        let own = self.by_color[self.turn as usize];
        let from = if to.is_power_of_two() { from & self.may_reach(to.trailing_zeros() as u8) } else { from };
        for origin in squares_down(own & !self.by_role[Role::Pawn as usize] & from) {
            squares_down(self.attacks_from(origin) & !own & to).for_each(|target| add(Move::plain(origin, target)));
        }
        if from & self.by_role[Role::King as usize] != 0 {
            self.each_castling(from, to, add);
        }
        let pawns = self.men(self.turn, Role::Pawn) & from;
        if pawns != 0 {
            self.each_pawn_move(pawns, to, add);
            self.each_en_passant(pawns, to, add);
        }
    }

    /// The men of the side to move that could go to `target` on an empty board, and its king, which may castle.
    fn may_reach(&self, target: u8) -> Bb {
        let at = (target & 63) as usize;
        let sources = &attacks::PSEUDO_SOURCES[self.turn as usize];
        let men = self.by_role.iter().zip(sources).fold(0, |men, (role, sources)| men | role & sources[at]);
        let pushes = attacks::PUSH_SOURCES[self.turn as usize][at] & self.by_role[Role::Pawn as usize];
        (men | pushes | self.by_role[Role::King as usize]) & self.by_color[self.turn as usize]
    }

    #[inline(always)]
    fn each_pawn_move(&self, pawns: Bb, to: Bb, add: &mut impl FnMut(Move)) {
        let us = self.turn;
        let (empty, enemies) = (!self.occupied(), self.by_color[us.other() as usize]);
        let (single, double, step) = match us {
            Color::White => {
                let single = pawns << 8 & empty;
                (single, single << 8 & empty & RANK_1 << 24, 8u8)
            }
            Color::Black => {
                let single = pawns >> 8 & empty;
                (single, single >> 8 & empty & RANK_1 << 32, 8u8.wrapping_neg())
            }
        };
        let singles = squares_down(single & to).map(|target| (target.wrapping_sub(step), target));
        let captures = squares_down(pawns)
            .flat_map(|origin| squares_down(attacks::pawn(us, origin) & enemies & to).map(move |target| (origin, target)));
        for (origin, target) in captures.chain(singles) {
            if bit(target) & (RANK_1 | RANK_8) == 0 {
                add(Move::plain(origin, target));
            } else {
                PROMOTIONS.into_iter().for_each(|role| add(Move { promotion: Some(role), ..Move::plain(origin, target) }));
            }
        }
        for target in squares_down(double & to) {
            add(Move::plain(target.wrapping_sub(step).wrapping_sub(step), target));
        }
    }

    /// Pseudo-legal captures en passant.
    #[inline(always)]
    fn each_en_passant(&self, from: Bb, to: Bb, add: &mut impl FnMut(Move)) {
        if self.ep == NO_SQUARE || bit(self.ep) & to == 0 {
            return;
        }
        for origin in squares_down(self.ep_capturers() & from) {
            add(Move { from: origin, to: self.ep, promotion: None, kind: MoveKind::EnPassant });
        }
    }

    /// The pawns that could take en passant if nobody minds a check.
    pub fn ep_capturers(&self) -> Bb {
        if self.ep == NO_SQUARE || self.occupied() & bit(self.ep) != 0 {
            return 0;
        }
        let rank = if self.turn == Color::White { RANK_1 << 32 } else { RANK_1 << 24 };
        attacks::pawn(self.turn.other(), self.ep) & self.men(self.turn, Role::Pawn) & rank
    }

    /// The legal castlings, the one with the rook nearer to the h-file first.
    pub fn castling_moves(&self, out: &mut MoveList) {
        self.each_castling(!0, !0, &mut |mv| push(out, mv));
    }

    #[inline(always)]
    fn each_castling(&self, from: Bb, to: Bb, add: &mut impl FnMut(Move)) {
        let rank = attacks::BACK_RANK[self.turn as usize];
        let kings = self.men(self.turn, Role::King) & rank & from;
        let rooks = self.castling & rank & to;
        if kings == 0 || rooks == 0 {
            return;
        }
        let king = kings.trailing_zeros() as u8;
        for rook in squares_down(rooks) {
            if self.can_castle(king, rook) {
                let kind = if rook < king { MoveKind::CastleQueenside } else { MoveKind::CastleKingside };
                add(Move { from: king, to: rook, promotion: None, kind });
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

/// No position has so many moves that the list overflows; if one had, the rest would be left out.
#[inline(always)]
fn push(out: &mut MoveList, mv: Move) {
    let _ = out.try_push(mv);
}
