//! A position: where the men stand, whose turn it is, rights and counters; and what can be read off it at once.

use crate::attacks::{self, bit};
use crate::types::{Bb, Color, Move, MoveKind, Role, NO_SQUARE};
use crate::zobrist;

/// The code of a man in the mailbox: role + 1 in bits 0 to 2, black in bit 3; 0 is an empty square.
#[inline(always)]
pub const fn code(color: Color, role: Role) -> u8 {
    (color as u8) << 3 | (role as u8 + 1)
}

/// The role of a code; None for an empty square.
#[inline(always)]
pub const fn role_of(code: u8) -> Option<Role> {
    // A table, because a `match` becomes a jump that the processor cannot foretell.
    const ROLES: [Option<Role>; 8] = {
        let [pawn, knight, bishop, rook, queen, king] = Role::ALL;
        [None, Some(pawn), Some(knight), Some(bishop), Some(rook), Some(queen), Some(king), None]
    };
    ROLES[(code & 7) as usize]
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    pub by_role: [Bb; 6],
    pub by_color: [Bb; 2],
    /// 0 where the square is empty, else `code(color, role)`.
    pub mailbox: [u8; 64],
    pub turn: Color,
    /// The squares of the rooks that may still castle; only rights that king and rook really have.
    pub castling: Bb,
    /// The square behind a pawn that has just made a double step, whether or not it can be captured; else `NO_SQUARE`.
    pub ep: u8,
    pub halfmove: u32,
    pub fullmove: u32,
    pub chess960: bool,
    /// The Polyglot key without the en passant term.
    pub hash: u64,
}

impl Board {
    /// The position at the start of a game.
    pub fn start(chess960: bool) -> Board {
        let mut board = Board::empty();
        let officers = [Role::Rook, Role::Knight, Role::Bishop, Role::Queen, Role::King, Role::Bishop, Role::Knight, Role::Rook];
        for (file, role) in (0..).zip(officers) {
            board.put(file, Color::White, role);
            board.put(file + 8, Color::White, Role::Pawn);
            board.put(file + 48, Color::Black, Role::Pawn);
            board.put(file + 56, Color::Black, role);
        }
        board.chess960 = chess960;
        board.castling = board.clean_rights(bit(0) | bit(7) | bit(56) | bit(63));
        board.refresh_hash();
        board
    }

    /// No men, White to move.
    pub fn empty() -> Board {
        let mut board = Board::empty_unhashed();
        board.refresh_hash();
        board
    }

    /// The same, its hash stale until `refresh_hash`.
    pub(crate) fn empty_unhashed() -> Board {
        Board {
            by_role: [0; 6],
            by_color: [0; 2],
            mailbox: [0; 64],
            turn: Color::White,
            castling: 0,
            ep: NO_SQUARE,
            halfmove: 0,
            fullmove: 1,
            chess960: false,
            hash: 0,
        }
    }

    /// Puts a man on a square, in place of what stands there. The hash is stale until `refresh_hash`.
    pub fn put(&mut self, square: u8, color: Color, role: Role) {
        self.remove(square);
        self.by_role[role as usize] |= bit(square);
        self.by_color[color as usize] |= bit(square);
        self.mailbox[(square & 63) as usize] = code(color, role);
    }

    /// Empties a square. The hash is stale until `refresh_hash`.
    pub fn remove(&mut self, square: u8) {
        let keep = !bit(square);
        self.by_role.iter_mut().for_each(|men| *men &= keep);
        self.by_color.iter_mut().for_each(|men| *men &= keep);
        self.mailbox[(square & 63) as usize] = 0;
    }

    /// Computes the hash from nothing: wanted after men, rights or turn were set by hand.
    pub fn refresh_hash(&mut self) {
        let men = (0..64).fold(0, |key, square| key ^ zobrist::MEN[(self.mailbox[square] & 15) as usize][square]);
        let turn = if self.turn == Color::White { zobrist::WHITE_TO_MOVE } else { 0 };
        self.hash = men ^ turn ^ self.rights_key();
    }

    pub(crate) fn rights_key(&self) -> u64 {
        [Color::White, Color::Black].into_iter().fold(0, |key, color| match self.king(color) {
            Some(king) => key ^ zobrist::rights_key(color, king, self.castling),
            None => key,
        })
    }

    #[inline(always)]
    pub fn occupied(&self) -> Bb {
        self.by_color[0] | self.by_color[1]
    }

    #[inline(always)]
    pub fn men(&self, color: Color, role: Role) -> Bb {
        self.by_color[color as usize] & self.by_role[role as usize]
    }

    #[inline(always)]
    pub fn role_at(&self, square: u8) -> Option<Role> {
        role_of(self.mailbox[(square & 63) as usize])
    }

    #[inline(always)]
    pub fn color_at(&self, square: u8) -> Option<Color> {
        match self.mailbox[(square & 63) as usize] {
            0 => None,
            man if man & 8 == 0 => Some(Color::White),
            _ => Some(Color::Black),
        }
    }

    /// The square of the king; the last one where a position that cannot be played has more.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Option<u8> {
        match self.men(color, Role::King) {
            0 => None,
            kings => Some(63 - kings.leading_zeros() as u8),
        }
    }

    #[inline(always)]
    pub(crate) fn straight_sliders(&self) -> Bb {
        self.by_role[Role::Rook as usize] | self.by_role[Role::Queen as usize]
    }

    #[inline(always)]
    pub(crate) fn slanted_sliders(&self) -> Bb {
        self.by_role[Role::Bishop as usize] | self.by_role[Role::Queen as usize]
    }

    /// The men of `color` that attack `square` if the squares of `occupied` block the view. Pinned men attack too.
    #[inline]
    pub fn attackers(&self, color: Color, square: u8, occupied: Bb) -> Bb {
        let all = (attacks::king(square) & self.by_role[Role::King as usize])
            | (attacks::knight(square) & self.by_role[Role::Knight as usize])
            | (attacks::pawn(color.other(), square) & self.by_role[Role::Pawn as usize])
            | (attacks::rook(square, occupied) & self.straight_sliders())
            | (attacks::bishop(square, occupied) & self.slanted_sliders());
        all & self.by_color[color as usize]
    }

    /// What the man on `square` attacks; nothing for an empty square.
    pub fn attacks_from(&self, square: u8) -> Bb {
        let Some(role) = self.role_at(square) else { return 0 };
        match role {
            Role::Pawn => attacks::PAWN[usize::from(self.mailbox[(square & 63) as usize] >> 3 & 1)][(square & 63) as usize],
            Role::Knight => attacks::knight(square),
            Role::Bishop => attacks::bishop(square, self.occupied()),
            Role::Rook => attacks::rook(square, self.occupied()),
            Role::Queen => attacks::bishop(square, self.occupied()) | attacks::rook(square, self.occupied()),
            Role::King => attacks::king(square),
        }
    }

    /// The men that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bb {
        self.king(self.turn).map_or(0, |king| self.attackers(self.turn.other(), king, self.occupied()))
    }

    #[inline]
    pub fn is_check(&self) -> bool {
        self.checkers() != 0
    }

    /// Whether the side that has just moved left its king in check.
    pub fn was_into_check(&self) -> bool {
        self.king(self.turn.other()).is_some_and(|king| self.attackers(self.turn, king, self.occupied()) != 0)
    }

    /// Whether `square`, if a man of `color` stood there, would be pinned to the king of that colour.
    pub fn is_pinned(&self, color: Color, square: u8) -> bool {
        let Some(king) = self.king(color) else { return false };
        self.pinner(color, king, square) != 0
    }

    /// The sliders that look at the king of `color` through `square` and nothing else.
    pub(crate) fn pinner(&self, color: Color, king: u8, square: u8) -> Bb {
        let beyond = attacks::behind(king, square);
        if beyond == 0 || attacks::between(king, square) & self.occupied() != 0 {
            return 0;
        }
        let straight = attacks::ROOK_LINES[(king & 63) as usize] & bit(square) != 0;
        let sliders = if straight { self.straight_sliders() } else { self.slanted_sliders() };
        let snipers = beyond & sliders & self.by_color[color.other() as usize];
        attacks::squares(snipers)
            .filter(|&sniper| attacks::between(square, sniper) & self.occupied() == 0)
            .fold(0, |found, sniper| found | bit(sniper))
    }

    /// Those of the rights `rooks` that king and rook really have; standard castling needs both on their own squares.
    pub fn clean_rights(&self, rooks: Bb) -> Bb {
        let mut clean = 0;
        for color in [Color::White, Color::Black] {
            let rank = attacks::BACK_RANK[color as usize];
            let mut rooks = rooks & rank & self.men(color, Role::Rook);
            let mut king = self.men(color, Role::King) & rank;
            if !self.chess960 {
                rooks &= attacks::FILE_A | attacks::FILE_H;
                king &= 1 << 4 | 1 << 60;
            }
            if king == 0 || rooks == 0 {
                continue;
            }
            let king = king.ilog2();
            let first = rooks.trailing_zeros();
            let last = rooks.ilog2();
            if !self.chess960 || first < king {
                clean |= 1 << first;
            }
            if !self.chess960 || last > king {
                clean |= 1 << last;
            }
        }
        clean
    }

    /// The en passant square, if a capture there is legal.
    pub fn legal_ep(&self) -> Option<u8> {
        if self.ep == NO_SQUARE {
            return None;
        }
        attacks::squares(self.ep_capturers()).any(|from| self.is_ep_safe(from)).then_some(self.ep)
    }

    /// A key of the position: equal for positions that are the same under FIDE 9.2.3.
    pub fn position_key(&self) -> u64 {
        match self.legal_ep() {
            Some(square) => self.hash ^ zobrist::EN_PASSANT[(square & 7) as usize],
            None => self.hash,
        }
    }

    /// Whether neither side has the material to win, whatever the other does.
    pub fn is_insufficient_material(&self) -> bool {
        self.has_insufficient_material(Color::White) && self.has_insufficient_material(Color::Black)
    }

    /// By material alone, bishops by the colour of their squares; `false` if there is any doubt.
    pub fn has_insufficient_material(&self, color: Color) -> bool {
        let [pawns, knights, bishops, rooks, queens, kings] = self.by_role;
        let own = self.by_color[color as usize];
        if own & (pawns | rooks | queens) != 0 {
            return false;
        }
        if own & knights != 0 {
            return own.count_ones() <= 2 && self.by_color[color.other() as usize] & !kings & !queens == 0;
        }
        if own & bishops != 0 {
            let one_colour = bishops & attacks::DARK_SQUARES == 0 || bishops & attacks::LIGHT_SQUARES == 0;
            return one_colour && pawns == 0 && knights == 0;
        }
        true
    }

    #[inline]
    pub fn is_en_passant(&self, mv: Move) -> bool {
        mv.kind == MoveKind::EnPassant
    }

    #[inline]
    pub fn is_castling(&self, mv: Move) -> bool {
        mv.is_castling()
    }

    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        (bit(mv.from) ^ bit(mv.to)) & self.by_color[self.turn.other() as usize] != 0 || mv.kind == MoveKind::EnPassant
    }

    /// Whether a move is a capture or a pawn move.
    #[inline]
    pub fn is_zeroing(&self, mv: Move) -> bool {
        let touched = bit(mv.from) ^ bit(mv.to);
        touched & (self.by_role[Role::Pawn as usize] | self.by_color[self.turn.other() as usize]) != 0
    }
}
