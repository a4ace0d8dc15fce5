//! A position, held so that a move that is written as the standard wants it is checked and made in as few steps as can be.
//!
//! It knows standard chess only, and no counters; `Board` knows the rest, and all that is rare goes through it. Men are numbered
//! as in `Board::mailbox`: 1 to 6 for White's pawn to king, 9 to 14 for Black's. `SIDE` is 0 where White moves, 8 where Black
//! does: a constant, so that there are two copies of what is done for every move, each with half the questions.

use crate::attacks::{self, behind, between, bit, BACK_RANK, PAWN as PAWN_ATTACKS, PSEUDO_SOURCES, PUSH_SOURCES};
use crate::board::Board;
use crate::san_words::Written;
use crate::types::{Bb, Color, Move, MoveKind, NO_SQUARE};
use crate::zobrist::{MEN, WHITE_TO_MOVE};

pub const PAWN: usize = 1;
pub const KNIGHT: usize = 2;
pub const BISHOP: usize = 3;
pub const ROOK: usize = 4;
pub const QUEEN: usize = 5;
pub const KING: usize = 6;

/// By colour (0 or 8) and kind of move as in `Written`, and by target: where the man can come from on an empty board. Pushes
/// and captures of pawns leave out the last rank, where a pawn must become something. In the place that no kind has (1) are
/// the squares from which a pawn attacks, the last rank too.
static SOURCES: [[Bb; 64]; 16] = {
    let mut table = [[0; 64]; 16];
    let mut color = 0;
    while color < 2 {
        let mut square = 0;
        while square < 64 {
            if BACK_RANK[1 - color] >> square & 1 == 0 {
                table[8 * color][square] = PUSH_SOURCES[color][square];
                table[8 * color + 7][square] = PSEUDO_SOURCES[color][0][square];
            }
            square += 1;
        }
        let mut role = 0;
        while role < 6 {
            table[8 * color + role + 1] = PSEUDO_SOURCES[color][role];
            role += 1;
        }
        color += 1;
    }
    table
};

/// By kind of move: the man without its colour.
const MAN: [u8; 8] = [1, 1, 2, 3, 4, 5, 6, 1];

/// By colour and by number of the man on the target: 8 where it can be taken, 0 where there is none, and else what nothing fits.
static FITS: [[u8; 16]; 2] = {
    let mut table = [[255; 16]; 2];
    let mut man = PAWN;
    while man <= KING {
        table[1][man] = 8;
        table[0][man | 8] = 8;
        man += 1;
    }
    table[0][0] = 0;
    table[1][0] = 0;
    table
};

/// By number of a man: all squares for bishops, rooks and queens.
static SLIDES: [Bb; 16] = {
    let mut table = [0; 16];
    let mut man = BISHOP;
    while man <= QUEEN {
        table[man] = !0;
        table[man | 8] = !0;
        man += 1;
    }
    table
};

/// The corners of a rook that may castle, by their bits in `Position::rights`.
pub const CORNERS: [u8; 4] = [7, 0, 63, 56];

/// By square: the rights that stay when a man leaves it or comes to it.
static KEPT: [u8; 64] = {
    let mut table = [0b1111; 64];
    table[7] = 0b1110;
    table[0] = 0b1101;
    table[4] = 0b1100;
    table[63] = 0b1011;
    table[56] = 0b0111;
    table[60] = 0b0011;
    table
};

#[derive(Clone, Debug)]
pub struct Position {
    /// By number of the man; the first one is of no use, so that taking nothing needs no branch.
    pub men: [Bb; 16],
    pub occupied: Bb,
    /// By colour: bishops, rooks and queens.
    pub sliders: [Bb; 2],
    /// Key of the men and the side to move, without rights.
    pub hash: u64,
    pub mailbox: [u8; 64],
    /// By colour.
    pub kings: [u8; 2],
    /// Castling rights: kingside and queenside of White, then of Black.
    pub rights: u8,
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
        let rights = (0..4).filter(|&right| board.castling & bit(CORNERS[right]) != 0);
        let sliders = board.straight_sliders() | board.slanted_sliders();
        Position {
            men: std::array::from_fn(man),
            occupied: board.occupied(),
            sliders: board.by_color.map(|men| men & sliders),
            hash: board.hash ^ board.rights_key(),
            mailbox: board.mailbox,
            kings: [Color::White, Color::Black].map(|color| board.king(color).unwrap_or(0)),
            rights: rights.fold(0, |rights, right| rights | 1 << right),
            in_check: board.is_check(),
        }
    }

    /// The same as a board, with what a position does not know.
    pub fn board(&self, turn: Color, halfmove: u32, fullmove: u32, ep: u8) -> Board {
        let rights = (0..4).filter(|right| self.rights >> right & 1 != 0);
        let mut board = Board {
            by_role: std::array::from_fn(|role| self.men[role + 1] | self.men[role + 9]),
            by_color: self.by_color(),
            mailbox: self.mailbox,
            turn,
            castling: rights.fold(0, |rooks, right| rooks | bit(CORNERS[right])),
            ep,
            halfmove,
            fullmove,
            chess960: false,
            hash: self.hash,
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

    /// Makes the move that is written, if it is of the only man that could go there and neither king is concerned, as most
    /// moves are. If not, nothing is changed, and `play_apart` decides.
    #[inline(always)]
    pub fn play<const SIDE: usize>(&mut self, written: Written) -> Option<Step> {
        let to = written.to();
        let kind = written.kind();
        let man = SIDE as u8 | MAN[kind];
        let taken = self.mailbox[usize::from(to)] & 15;
        if written.is_apart() || self.in_check {
            return None;
        }
        let near = SOURCES[SIDE | kind][usize::from(to)] & self.men[usize::from(man)] & written.origins();
        let from = near.trailing_zeros() as u8 & 63;
        let king = self.kings[SIDE >> 3] & 63;
        let goal = self.kings[(SIDE >> 3) ^ 1] & 63;
        let odd = FITS[SIDE >> 3][usize::from(taken)] != written.takes() || near == 0 || near & near.wrapping_sub(1) != 0;
        if odd || between(from, to) & self.occupied != 0 {
            return None;
        }
        // The man stands between its king and a slider of the other side; or it gives check, or may discover one.
        let risky = behind(king, from) & self.sliders[(SIDE >> 3) ^ 1] | behind(goal, from) & self.sliders[SIDE >> 3];
        let reaches = SOURCES[usize::from(man)][usize::from(goal)] >> to & 1 != 0;
        if risky != 0 || reaches {
            return None;
        }
        self.make::<SIDE>(from, to, man, taken);
        Some(Step { from, man, taken })
    }

    /// Makes the move that is written, if it is legal and written exactly as the standard has it, its check mark included (`#`
    /// counts as `+` here). If not, nothing is changed. Castling, promotions and captures en passant are not taken.
    pub fn play_apart<const SIDE: usize>(&mut self, written: Written) -> Option<Step> {
        let to = written.to();
        let kind = written.kind();
        let man = SIDE as u8 | MAN[kind];
        let taken = self.mailbox[usize::from(to)] & 15;
        if FITS[SIDE >> 3][usize::from(taken)] != written.takes() {
            return None;
        }
        let all = SOURCES[SIDE | kind][usize::from(to)] & self.men[usize::from(man)];
        let near = all & written.origins();
        let from = if near & near.wrapping_sub(1) == 0 && !written.distinguishes() {
            let from = near.trailing_zeros() as u8 & 63;
            if near == 0 || between(from, to) & self.occupied != 0 {
                return None;
            }
            from
        } else {
            self.choose::<SIDE>(all, written)?
        };
        let king = self.kings[SIDE >> 3] & 63;
        let risky = self.in_check | (kind == KING) || behind(king, from) & self.sliders[(SIDE >> 3) ^ 1] != 0;
        if risky && !self.is_safe::<SIDE>(from, to) {
            return None;
        }
        let goal = self.kings[(SIDE >> 3) ^ 1] & 63;
        let reaches = SOURCES[usize::from(man)][usize::from(goal)] >> to & 1 != 0;
        let check = reaches && between(to, goal) & self.occupied & !bit(from) == 0
            || behind(goal, from) & self.sliders[SIDE >> 3] != 0 && self.discovers::<SIDE>(from, to);
        if check != written.checks() {
            return None;
        }
        if kind == KING {
            self.kings[SIDE >> 3] = to;
        }
        self.in_check = check;
        self.make::<SIDE>(from, to, man, taken);
        Some(Step { from, man, taken })
    }

    #[inline(always)]
    fn make<const SIDE: usize>(&mut self, from: u8, to: u8, man: u8, taken: u8) {
        let (at, goal) = (usize::from(from & 63), usize::from(to & 63));
        let (man, taken) = (usize::from(man & 15), usize::from(taken & 15));
        let (left, reached) = (bit(from), bit(to));
        let both = left | reached;
        self.men[man] ^= both;
        self.men[taken] ^= reached;
        self.mailbox[at] = 0;
        self.mailbox[goal] = man as u8;
        self.occupied = self.occupied & !left | reached;
        self.sliders[SIDE >> 3] ^= both & SLIDES[man];
        self.sliders[(SIDE >> 3) ^ 1] &= !reached;
        self.hash ^= MEN[man][at] ^ MEN[man][goal] ^ MEN[taken][goal] ^ WHITE_TO_MOVE;
        if self.rights != 0 {
            self.rights &= KEPT[at] & KEPT[goal];
        }
    }

    /// Of several men of one kind the one that can go to the target, if the text names it as shortly as the standard does.
    #[inline(never)]
    fn choose<const SIDE: usize>(&self, near: Bb, written: Written) -> Option<u8> {
        let able = attacks::squares(near)
            .filter(|&from| between(from, written.to()) & self.occupied == 0 && self.is_safe::<SIDE>(from, written.to()))
            .fold(0, |able: Bb, from| able | bit(from));
        let chosen = able & written.origins();
        if chosen == 0 || chosen & (chosen - 1) != 0 {
            return None;
        }
        let from = chosen.trailing_zeros() as u8;
        let rivals = able & !chosen;
        // A file is written where anything is needed at all, a rank only where the file does not tell.
        let needed = if written.names_file() { rivals != 0 } else { rivals & (attacks::FILE_A << (from & 7)) != 0 };
        (needed || !written.distinguishes()).then_some(from)
    }

    /// Whether a move leaves its own king safe. (Not for captures en passant.)
    #[inline(never)]
    fn is_safe<const SIDE: usize>(&self, from: u8, to: u8) -> bool {
        let king = self.kings[SIDE >> 3];
        let king = if from == king { to } else { king };
        let occupied = self.occupied & !bit(from) | bit(to);
        self.attackers(SIDE ^ 8, king, occupied) & !bit(to) == 0
    }

    /// The men of a side (0 or 8) that attack `square`, if the squares of `occupied` block the view.
    pub fn attackers(&self, side: usize, square: u8, occupied: Bb) -> Bb {
        let side = side & 8;
        let square = square & 63;
        let at = usize::from(square);
        let men = |kind: usize| self.men[side | kind];
        let leaps =
            PAWN_ATTACKS[(side >> 3) ^ 1][at] & men(PAWN) | attacks::KNIGHT[at] & men(KNIGHT) | attacks::KING[at] & men(KING);
        let straight = attacks::ROOK_LINES[at] & (men(ROOK) | men(QUEEN));
        let slanted = attacks::BISHOP_LINES[at] & (men(BISHOP) | men(QUEEN));
        let seen = attacks::squares(straight | slanted).filter(|&man| between(man, square) & occupied == 0);
        seen.fold(leaps, |all, man| all | bit(man))
    }

    /// Whether a man that leaves `from` for `to` opens a line of its own side to the other king.
    #[cold]
    #[inline(never)]
    fn discovers<const SIDE: usize>(&self, from: u8, to: u8) -> bool {
        let goal = self.kings[(SIDE >> 3) ^ 1];
        let straight = attacks::ROOK_LINES[usize::from(goal & 63)] & bit(from) != 0;
        let men = self.men[SIDE | if straight { ROOK } else { BISHOP }] | self.men[SIDE | QUEEN];
        let occupied = self.occupied & !bit(from) | bit(to);
        attacks::squares(behind(goal, from) & men).any(|sniper| between(goal, sniper) & occupied == 0)
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
