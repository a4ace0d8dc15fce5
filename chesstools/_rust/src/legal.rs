//! Whether one move is legal, without a list of moves.

use crate::attacks::{self, bit, squares, RANK_1};
use crate::board::Board;
use crate::types::{Bb, Color, Move, MoveKind, MoveList, Role};

impl Board {
    /// Whether the side to move may make this move. Any move may be asked about, also one that no man could make.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv) && self.is_safe(mv)
    }

    /// Whether a man can move like that if nobody minds a check; castling must be legal.
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        let (us, target) = (self.turn, bit(mv.to));
        let Some(role) = self.role_at(mv.from) else { return false };
        if mv.from | mv.to > 63 || self.by_color[us as usize] & bit(mv.from) == 0 {
            return false;
        }
        if mv.kind != MoveKind::Plain {
            return mv.promotion.is_none() && self.is_pseudo_legal_special(mv);
        }
        if self.by_color[us as usize] & target != 0 {
            return false;
        }
        let way = attacks::between(mv.from, mv.to);
        if role != Role::Pawn {
            // From a table by target, so that no branch depends on the kind of man.
            let sources = attacks::PSEUDO_SOURCES[us as usize][role as usize][(mv.to & 63) as usize];
            return mv.promotion.is_none() && sources & bit(mv.from) != 0 && way & self.occupied() == 0;
        }
        let last = attacks::BACK_RANK[us.other() as usize] & target != 0;
        let fits = match mv.promotion {
            None => !last,
            Some(role) => last && role != Role::Pawn && role != Role::King,
        };
        if !fits {
            return false;
        }
        if attacks::pawn(us, mv.from) & target != 0 {
            return self.by_color[us.other() as usize] & target != 0;
        }
        let pushes = attacks::PUSH_SOURCES[us as usize][(mv.to & 63) as usize] & bit(mv.from) != 0;
        pushes && (way | target) & self.occupied() == 0
    }

    #[cold]
    fn is_pseudo_legal_special(&self, mv: Move) -> bool {
        match mv.kind {
            MoveKind::EnPassant => mv.to == self.ep && self.ep_capturers() & bit(mv.from) != 0,
            MoveKind::CastleKingside | MoveKind::CastleQueenside => {
                let rank = attacks::BACK_RANK[self.turn as usize];
                let side = if mv.to < mv.from { MoveKind::CastleQueenside } else { MoveKind::CastleKingside };
                let king = self.by_role[Role::King as usize] & rank & bit(mv.from);
                side == mv.kind && king != 0 && rank & bit(mv.to) != 0 && self.can_castle(mv.from, mv.to)
            }
            MoveKind::Plain | MoveKind::Null => false,
        }
    }

    /// Whether a pseudo-legal move leaves the king of the side to move safe.
    pub fn is_safe(&self, mv: Move) -> bool {
        match self.king(self.turn) {
            Some(king) => self.is_safe_given(mv, king, self.checkers()),
            None => true,
        }
    }

    /// The same where king and checkers are known already. Exact tests only where a move can fail at all.
    #[inline]
    pub fn is_safe_given(&self, mv: Move, king: u8, checkers: Bb) -> bool {
        if mv.from == king {
            let them = self.turn.other();
            return mv.is_castling() || self.attackers(them, mv.to, self.occupied() ^ bit(king)) == 0;
        }
        if mv.kind == MoveKind::EnPassant {
            return self.is_ep_safe(mv.from);
        }
        if checkers != 0 {
            if checkers & (checkers - 1) != 0 {
                return false;
            }
            if (attacks::between(king, checkers.trailing_zeros() as u8) | checkers) & bit(mv.to) == 0 {
                return false;
            }
        }
        let sliders = self.straight_sliders() | self.slanted_sliders();
        if attacks::behind(king, mv.from) & sliders & self.by_color[self.turn.other() as usize] == 0 {
            return true;
        }
        attacks::aligned(king, mv.from, mv.to) || self.pinner(self.turn, king, mv.from) == 0
    }

    /// Whether the side to move has any legal move; stops at the first one found.
    pub fn has_legal_move(&self) -> bool {
        let (us, own) = (self.turn, self.by_color[self.turn as usize]);
        let Some(king) = self.king(us) else {
            let mut moves = MoveList::new();
            self.pseudo_legal_moves(!0, !0, &mut moves);
            return !moves.is_empty();
        };
        let checkers = self.checkers();
        let step = |target| self.attackers(us.other(), target, self.occupied() ^ bit(king)) == 0;
        if squares(attacks::king(king) & !own).any(step) {
            return true;
        }
        let targets = match checkers {
            0 => !own,
            one if one & (one - 1) == 0 => attacks::between(king, one.trailing_zeros() as u8) | one,
            _ => return false,
        };
        let others = squares(own & !bit(king)).any(|from| {
            let reach = self.reach(from) & targets;
            reach != 0 && (self.pinner(us, king, from) == 0 || squares(reach).any(|to| attacks::aligned(king, from, to)))
        });
        others || self.legal_ep().is_some() || self.can_castle_somehow(king)
    }

    /// In Chess960 castling can be the only legal move: a king on g1 need not move at all for it.
    fn can_castle_somehow(&self, king: u8) -> bool {
        squares(self.castling & attacks::BACK_RANK[self.turn as usize]).any(|rook| self.can_castle(king, rook))
    }

    /// Where the man on `from` could go, pawns included; castling and en passant left aside.
    fn reach(&self, from: u8) -> Bb {
        let (own, other) = (self.by_color[self.turn as usize], self.by_color[self.turn.other() as usize]);
        if self.by_role[Role::Pawn as usize] & bit(from) == 0 {
            return self.attacks_from(from) & !own;
        }
        let empty = !(own | other);
        let ahead = |pawns: Bb| if self.turn == Color::White { pawns << 8 } else { pawns >> 8 };
        let single = ahead(bit(from)) & empty;
        let fourth = if self.turn == Color::White { RANK_1 << 24 } else { RANK_1 << 32 };
        single | ahead(single) & empty & fourth | attacks::pawn(self.turn, from) & other
    }

    /// Whether taking en passant with the pawn on `from` leaves the king safe: two men leave the board's lines at once.
    pub(crate) fn is_ep_safe(&self, from: u8) -> bool {
        let Some(king) = self.king(self.turn) else { return true };
        let taken = bit(self.ep ^ 8);
        let occupied = self.occupied() & !taken & !bit(from) | bit(self.ep);
        self.attackers(self.turn.other(), king, occupied) & !taken == 0
    }
}
