//! A position, held so that a move that is written as the standard wants it is checked and made in as few steps as can be.
//!
//! It knows standard chess only, and no counters; `Board` knows the rest, and all that is rare goes through it. Men are numbered
//! as in `Board::mailbox`: 1 to 6 for White's pawn to king, 9 to 14 for Black's. `SIDE` is 0 where White moves, 8 where Black
//! does: a constant, so that there are two copies of what is done for every move, each with half the questions.
//!
//! Kings are looked after by two kinds of squares. `reach` tells from where a man would attack the other king on an empty board:
//! only moves to there can give check. `lines` are the squares between a king and the bishops, rooks and queens of the other
//! side that could attack it on an empty board: only men on them can be pinned, or discover a check. Both change only where a
//! king moves or a man comes into reach; so for all other moves two bits tell that kings do not matter.

use crate::attacks::{self, behind, between, bit, BACK_RANK, PAWN as PAWN_ATTACKS, PSEUDO_SOURCES, PUSH_SOURCES};
use crate::board::Board;
use crate::san_words::{Written, NOWHERE, PAWN_TAKES, PUSH, TAKES};
use crate::scout::diagram_key;
use crate::types::{Bb, Color, Move, MoveKind, NO_SQUARE};
use crate::winnable::dead::{has_wall, FEW_MEN};
use crate::zobrist::{MEN, WHITE_TO_MOVE};

pub const PAWN: usize = 1;
pub const KNIGHT: usize = 2;
pub const BISHOP: usize = 3;
pub const ROOK: usize = 4;
pub const QUEEN: usize = 5;
pub const KING: usize = 6;

/// By colour (0 or 1), and by row and target as in `Written`: where the man can come from on an empty board. Pawns do not come
/// to the last rank, where they must become something.
static SOURCES: [[Bb; 16 * 64]; 2] = {
    let mut table = [[0; 16 * 64]; 2];
    let mut color = 0;
    while color < 2 {
        let mut square = 0;
        while square < 64 {
            let mut role = KNIGHT;
            while role <= KING {
                table[color][64 * role + square] = PSEUDO_SOURCES[color][role - 1][square];
                role += 1;
            }
            assert!(NOWHERE == PAWN as u32 && PUSH < KNIGHT as u32 && PAWN_TAKES > KING as u32);
            if BACK_RANK[1 - color] >> square & 1 == 0 {
                table[color][64 * PUSH as usize + square] = PUSH_SOURCES[color][square];
                let mut file = 0;
                while file < 8 {
                    let pawns = PSEUDO_SOURCES[color][0][square] & (attacks::FILE_A << file);
                    table[color][64 * (PAWN_TAKES as usize + file) + square] = pawns;
                    file += 1;
                }
            }
            square += 1;
        }
        color += 1;
    }
    table
};

/// By colour of the man that attacks, square of a king and role: from where it is attacked on an empty board; nothing for kings.
static REACH: [[[Bb; 8]; 64]; 2] = {
    let mut table = [[[0; 8]; 64]; 2];
    let mut color = 0;
    while color < 2 {
        let mut square = 0;
        while square < 64 {
            let mut role = PAWN;
            while role < KING {
                table[color][square][role] = PSEUDO_SOURCES[color][role - 1][square];
                role += 1;
            }
            square += 1;
        }
        color += 1;
    }
    table
};

/// By colour: what the mailbox holds of its men beside the role. The lowest bit makes the number of the man; of the others two
/// for each side to move, chosen so that they are those of `TAKES` exactly where a man of the other side stands.
pub(super) const CODES: [u8; 2] = [0b0110_0000, 0b0001_1000];
pub(super) const LOOKED_AT: [u8; 2] = [0b0011_0000, 0b0100_1000];
const _: () = {
    let mut us = 0;
    while us < 2 {
        let takes = TAKES as u8 & LOOKED_AT[us];
        assert!(CODES[1 - us] & LOOKED_AT[us] == takes && takes != 0);
        assert!(CODES[us] & LOOKED_AT[us] != takes && CODES[us] & LOOKED_AT[us] != 0);
        us += 1;
    }
};

/// The corners of a rook that may castle: kingside and queenside of White, then of Black.
pub const CORNERS: [u8; 4] = [7, 0, 63, 56];
/// Where kings stand that may castle.
pub(super) const HOMES: [u8; 2] = [4, 60];

#[derive(Clone, Debug)]
pub struct Position {
    /// By number of the man; the first one is of no use, so that taking nothing needs no branch.
    pub(super) men: [Bb; 16],
    /// By square: the role and a code of the colour; 0 where it is empty.
    pub(super) mailbox: [u8; 64],
    pub(super) occupied: Bb,
    /// Squares from which a move may matter to a king: those of kings and `lines` of both, or all in check.
    guarded: Bb,
    /// By colour of the king: `between` it and its possible attackers, and perhaps squares that were so once.
    lines: [Bb; 2],
    /// By colour of a man and by its role: from where it attacks the other king on an empty board; nothing for kings.
    pub(super) reach: [[Bb; 8]; 2],
    /// Squares that moves began or ended on, and corners without rights: rights to castle are lost there.
    touched: Bb,
    /// Key of the men, see `scout::diagram_key`.
    pub hash: u64,
    /// By colour.
    pub(super) kings: [u8; 2],
    /// Whether the side to move is in check.
    pub in_check: bool,
}

/// A move that was made: where from, which man (its number), and which one was taken (0 for none). Where to is written.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub from: u8,
    pub man: u8,
    pub taken: u8,
}

impl Position {
    /// The men of a board of standard chess that a game can be played from.
    pub fn of(board: &Board) -> Position {
        let man = |number: usize| match number & 7 {
            role @ 1..=6 => board.by_role[role - 1] & board.by_color[number >> 3],
            _ => 0,
        };
        let code = |man: u8| if man == 0 { 0 } else { man & 7 | CODES[usize::from(man >> 3 & 1)] };
        let lost = CORNERS.into_iter().map(bit).filter(|corner| board.castling & corner == 0);
        let mut position = Position {
            men: std::array::from_fn(man),
            mailbox: board.mailbox.map(code),
            occupied: board.occupied(),
            guarded: 0,
            lines: [0; 2],
            reach: [[0; 8]; 2],
            touched: lost.fold(0, |lost, corner| lost | corner),
            hash: diagram_key(board),
            kings: [Color::White, Color::Black].map(|color| board.king(color).unwrap_or(0)),
            in_check: board.is_check(),
        };
        position.look_around();
        position
    }

    /// The men of a side by role, from 1; the rest means nothing.
    #[inline]
    pub fn men_of(&self, side: Color) -> [Bb; 8] {
        std::array::from_fn(|role| self.men[role + 8 * side as usize])
    }

    /// The same as a board, with what a position does not know.
    pub fn board(&self, turn: Color, halfmove: u32, fullmove: u32, ep: u8) -> Board {
        let rights = (0..4).filter(|right| self.may_castle(*right));
        let mut board = Board {
            by_role: std::array::from_fn(|role| self.men[role + 1] | self.men[role + 9]),
            by_color: self.by_color(),
            mailbox: self.mailbox.map(|man| man & 15),
            turn,
            castling: rights.fold(0, |rooks, right| rooks | bit(CORNERS[right])),
            ep,
            halfmove,
            fullmove,
            chess960: false,
            hash: if turn == Color::White { self.hash ^ WHITE_TO_MOVE } else { self.hash },
        };
        if board.castling != 0 {
            board.hash ^= board.rights_key();
        }
        board
    }

    pub fn by_color(&self) -> [Bb; 2] {
        let white = self.men[1..7].iter().fold(0, |all, men| all | men);
        [white, self.occupied & !white]
    }

    /// The number of the man on a square; 0 where there is none.
    pub fn man_on(&self, square: u8) -> u8 {
        self.mailbox[usize::from(square & 63)] & 15
    }

    /// Whether a right to castle is left, by its place in `CORNERS`.
    pub(super) fn may_castle(&self, right: usize) -> bool {
        self.touched & (bit(CORNERS[right & 3]) | bit(HOMES[right >> 1 & 1])) == 0
    }

    /// Makes the move that is written, if it is legal and written exactly as the standard has it, its check mark included:
    /// `checks` says whether there is one. If not, nothing is changed. Castling, promotions and captures en passant are not taken.
    #[inline(always)]
    pub fn play<const SIDE: usize>(&mut self, written: Written, checks: bool) -> Option<Step> {
        let (us, to, role) = (SIDE >> 3, written.to(), written.role());
        let taken = self.mailbox[usize::from(to)];
        if (taken ^ written.takes()) & LOOKED_AT[us] != 0 {
            return None;
        }
        let mut near = SOURCES[us][written.row_and_target()] & self.men[SIDE | role];
        if near == 0 || near & (near - 1) != 0 {
            near = self.choose::<SIDE>(near, written);
            if near == 0 {
                return None;
            }
        }
        let from = near.trailing_zeros() as u8;
        if between(from, to) & self.occupied != 0 {
            return None;
        }
        let may_matter = self.guarded & near != 0 || self.reach[us][role] & bit(to) != 0 || checks;
        if may_matter && !self.mind_kings::<SIDE>(from, to, role, checks) {
            return None;
        }
        Some(self.make::<SIDE>(from, to, role, taken))
    }

    /// Before a move that may matter to a king: whether it leaves its own king safe and gives check just where `checks` says so.
    /// If so, what depends on kings is brought up to date for it.
    #[inline(never)]
    fn mind_kings<const SIDE: usize>(&mut self, from: u8, to: u8, role: usize, checks: bool) -> bool {
        let is_right = self.is_safe::<SIDE>(from, to, role) && self.gives_check::<SIDE>(from, to, role) == checks;
        if is_right {
            self.follow_kings::<SIDE>(to, role, checks);
        }
        is_right
    }

    /// Whether a move gives check.
    #[inline(always)]
    pub(super) fn gives_check<const SIDE: usize>(&self, from: u8, to: u8, role: usize) -> bool {
        let (us, them) = (SIDE >> 3, SIDE >> 3 ^ 1);
        let goal = self.kings[them];
        self.reach[us][role & 7] & bit(to) != 0 && between(to, goal) & self.occupied & !bit(from) == 0
            || self.lines[them] & bit(from) != 0 && self.opens(SIDE, goal, from, to)
    }

    /// Brings up to date what depends on kings for a move to `to`.
    #[inline(always)]
    pub(super) fn follow_kings<const SIDE: usize>(&mut self, to: u8, role: usize, checks: bool) {
        let (us, them) = (SIDE >> 3, SIDE >> 3 ^ 1);
        if self.reach[us][role & 7] & bit(to) != 0 {
            self.lines[them] |= between(to, self.kings[them]);
        }
        if role == KING {
            self.kings[us] = to;
            self.reach[them] = REACH[them][usize::from(to & 63)];
            self.lines[us] = self.lines_to(us);
        }
        self.in_check = checks;
        self.set_guards();
    }

    #[inline(always)]
    fn set_guards(&mut self) {
        let kings = bit(self.kings[0]) | bit(self.kings[1]);
        self.guarded = if self.in_check { !0 } else { self.lines[0] | self.lines[1] | kings };
    }

    #[inline(always)]
    pub(super) fn make<const SIDE: usize>(&mut self, from: u8, to: u8, role: usize, taken: u8) -> Step {
        let (at, goal) = (usize::from(from & 63), usize::from(to & 63));
        let (man, taken) = (SIDE | role & 7, usize::from(taken & 15));
        let (left, reached) = (bit(from), bit(to));
        let both = left | reached;
        self.men[man] ^= both;
        self.men[taken] ^= reached;
        self.mailbox[at] = 0;
        self.mailbox[goal] = role as u8 | CODES[SIDE >> 3];
        self.occupied = (self.occupied ^ left) | reached;
        self.touched |= both;
        self.hash ^= MEN[man][at] ^ MEN[man][goal] ^ MEN[taken][goal];
        Step { from, man: man as u8, taken: taken as u8 }
    }

    /// Of several men of one kind (or where it is written which one it is) the one that can go to the target, if the text names
    /// it as shortly as the standard does. `near` are those that could come from anywhere on an empty board, where none is named.
    #[inline(never)]
    fn choose<const SIDE: usize>(&self, near: Bb, written: Written) -> Bb {
        let (to, role) = (written.to(), written.role());
        let near = if written.distinguishes() {
            PSEUDO_SOURCES[SIDE >> 3][role - 1][usize::from(to)] & self.men[SIDE | role]
        } else {
            near
        };
        let able = attacks::squares(near)
            .filter(|&from| between(from, to) & self.occupied == 0 && self.is_safe::<SIDE>(from, to, role))
            .fold(0, |able: Bb, from| able | bit(from));
        let chosen = able & written.origins();
        if chosen == 0 || chosen & (chosen - 1) != 0 {
            return 0;
        }
        let rivals = able & !chosen;
        // A file is written where anything is needed at all, a rank only where the file does not tell.
        let same_file = attacks::FILE_A << (chosen.trailing_zeros() & 7);
        let needed = if written.names_file() { rivals != 0 } else { rivals & same_file != 0 };
        if needed || !written.distinguishes() {
            chosen
        } else {
            0
        }
    }

    /// Whether a move leaves its own king safe. (Not for captures en passant.)
    #[inline(always)]
    pub(super) fn is_safe<const SIDE: usize>(&self, from: u8, to: u8, role: usize) -> bool {
        let king = self.kings[SIDE >> 3];
        if role == KING {
            self.attackers(SIDE ^ 8, to, self.occupied & !bit(from)) & !bit(to) == 0
        } else if self.in_check {
            self.attackers(SIDE ^ 8, king, self.occupied & !bit(from) | bit(to)) & !bit(to) == 0
        } else {
            self.lines[SIDE >> 3] & bit(from) == 0 || !self.opens(SIDE ^ 8, king, from, to)
        }
    }

    /// The men of a side (0 or 8) that attack `square`, if the squares of `occupied` block the view.
    pub fn attackers(&self, side: usize, square: u8, occupied: Bb) -> Bb {
        let side = side & 8;
        let square = square & 63;
        let at = usize::from(square);
        let men = |kind: usize| self.men[side | kind];
        let leaps =
            PAWN_ATTACKS[(side >> 3) ^ 1][at] & men(PAWN) | attacks::KNIGHT[at] & men(KNIGHT) | attacks::KING[at] & men(KING);
        let seen = self.possible_attackers(side, square).filter(|&man| between(man, square) & occupied == 0);
        seen.fold(leaps, |all, man| all | bit(man))
    }

    /// The bishops, rooks and queens of a side (0 or 8) that would attack a square on an empty board.
    #[inline(always)]
    fn possible_attackers(&self, side: usize, square: u8) -> impl Iterator<Item = u8> {
        let at = usize::from(square & 63);
        let men = |kind: usize| self.men[side & 8 | kind];
        let straight = attacks::ROOK_LINES[at] & (men(ROOK) | men(QUEEN));
        let slanted = attacks::BISHOP_LINES[at] & (men(BISHOP) | men(QUEEN));
        attacks::squares(straight | slanted)
    }

    /// Whether a man that leaves `from` for `to` opens a line of a side (0 or 8) to a king of the other one, which is not taken.
    fn opens(&self, side: usize, king: u8, from: u8, to: u8) -> bool {
        let straight = attacks::ROOK_LINES[usize::from(king & 63)] & bit(from) != 0;
        let side = side & 8;
        let men = self.men[side | if straight { ROOK } else { BISHOP }] | self.men[side | QUEEN];
        let occupied = self.occupied & !bit(from) | bit(to);
        let mut snipers = attacks::squares(behind(king, from) & men & !bit(to));
        snipers.any(|sniper| between(king, sniper) & occupied == 0)
    }

    /// Finds `reach` and the lines to both kings anew.
    fn look_around(&mut self) {
        for us in 0..2 {
            self.lines[us] = self.lines_to(us);
            self.reach[us] = REACH[us][usize::from(self.kings[us ^ 1] & 63)];
        }
        self.set_guards();
    }

    fn lines_to(&self, us: usize) -> Bb {
        let king = self.kings[us & 1];
        self.possible_attackers((us << 3) ^ 8, king).fold(0, |lines, man| lines | between(king, man))
    }

    /// Whether a side that is to move has a legal move that is found at once.
    pub fn can_push(&self, turn: Color) -> bool {
        let free = |pawns: Bb| pawns & !self.guarded;
        let ahead = match turn {
            Color::White => free(self.men[PAWN]) << 8,
            Color::Black => free(self.men[8 | PAWN]) >> 8,
        };
        ahead & !self.occupied != 0
    }

    /// Whether the men are such that `winnable::dead` asks whether the position is dead.
    #[inline(always)]
    pub fn may_be_dead(&self) -> bool {
        let men = &self.men;
        let movers = men[KNIGHT] | men[8 | KNIGHT] | men[ROOK] | men[8 | ROOK] | men[QUEEN] | men[8 | QUEEN];
        has_wall(movers, men[PAWN], men[8 | PAWN]) || self.occupied.count_ones() <= FEW_MEN
    }

    /// Whether there are neither pawns nor rooks nor queens, so that the position may be dead.
    #[inline(always)]
    pub fn has_few_men(&self) -> bool {
        let men = &self.men;
        men[PAWN] | men[8 | PAWN] | men[ROOK] | men[8 | ROOK] | men[QUEEN] | men[8 | QUEEN] == 0
    }
}

/// The square behind a pawn that has just made a double step, else `NO_SQUARE`. `man` stands where the move went.
pub fn passed_square(man: u8, mv: Move) -> u8 {
    let double = man & 7 == PAWN as u8 && mv.from ^ mv.to == 16 && mv.kind == MoveKind::Plain;
    if double {
        (mv.from + mv.to) / 2
    } else {
        NO_SQUARE
    }
}
