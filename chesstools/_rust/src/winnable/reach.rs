//! Where each man can ever get to, whoever moves when: a set of squares that grows until it holds no more. It may be too large,
//! never too small.
//!
//! A man may step onto a square if what stands there now can move away or be taken. A pawn that stays on its file cannot pass
//! another one that does. A king keeps off what a man attacks that can neither move nor be taken. All of this only ever allows
//! more as the sets grow, so that the order of steps does not matter, and what is true of every game is: by induction over its
//! moves, each of them was allowed here.

use arrayvec::ArrayVec;

use crate::attacks::{self, bit, squares, FILE_A, RANK_1, RANK_8};
use crate::board::Board;
use crate::types::{Bb, Color, Role, NO_SQUARE};
use crate::winnable::cover;
use crate::winnable::spread::{around, knight, pawn_captures, pawn_push, slanted, straight};

/// A man of the position, and what has been found of it so far.
pub struct Man {
    pub home: Bb,
    pub color: Color,
    pub role: Role,
    /// Where it may stand as what it is.
    pub squares: Bb,
    /// Where it may stand promoted.
    pub promoted: Bb,
    /// Whether it may be taken.
    pub taken: bool,
}

impl Man {
    /// Where it may stand.
    #[inline(always)]
    pub fn reach(&self) -> Bb {
        self.squares | self.promoted
    }

    /// Whether it stands where it stands to the end.
    fn is_fixed(&self) -> bool {
        !self.taken && self.reach() == self.home
    }

    /// Whether it stays on the file, as a pawn, while it is on the board.
    fn keeps_file(&self, file: Bb) -> bool {
        self.squares & !file == 0
    }
}

pub struct Reach {
    pub men: ArrayVec<Man, 32>,
}

/// Whether `winner` could mate for all that can be said of where men can get to. If not, it cannot.
pub fn could_mate(board: &Board, winner: Color) -> bool {
    let Some(mut reach) = Reach::of(board) else { return true };
    loop {
        let grew = reach.grow();
        if cover::is_possible(&reach, winner) {
            return true;
        }
        if !grew {
            return false;
        }
    }
}

impl Reach {
    /// All men where they stand. None for positions that are not asked about: with castling rights, or with too many men.
    pub fn of(board: &Board) -> Option<Reach> {
        if board.castling != 0 || board.occupied().count_ones() > 32 {
            return None;
        }
        let mut men = ArrayVec::new();
        for square in squares(board.occupied()) {
            let (Some(color), Some(role)) = (board.color_at(square), board.role_at(square)) else { continue };
            let home = bit(square);
            men.push(Man { home, color, role, squares: home, promoted: 0, taken: false });
        }
        let mut reach = Reach { men };
        reach.en_passant(board);
        Some(reach)
    }

    /// The capture en passant that may be made at once: no pawn will stand on that square, and yet one is taken there.
    fn en_passant(&mut self, board: &Board) {
        let capturers = board.ep_capturers();
        if board.ep == NO_SQUARE || capturers == 0 {
            return;
        }
        for man in &mut self.men {
            if man.home & capturers != 0 {
                man.squares |= bit(board.ep);
            } else if man.home == bit(board.ep ^ 8) {
                man.taken = true;
            }
        }
    }

    /// Lets every man go one round further. Tells whether anything changed.
    fn grow(&mut self) -> bool {
        let stands = self.stands();
        let mut takes = [0; 2];
        for man in &self.men {
            takes[man.color as usize] |= man.promoted | Self::captures(man, stands[man.color.other() as usize]);
        }
        let mut grew = false;
        let mut held = [0; 2];
        let mut homes = [0; 2];
        let mut guarded = [0; 2];
        for man in &mut self.men {
            let other = man.color.other() as usize;
            if man.role != Role::King {
                homes[man.color as usize] |= man.home;
                if !man.taken && man.reach() & takes[other] != 0 {
                    man.taken = true;
                    grew = true;
                }
            }
            if man.is_fixed() {
                held[man.color as usize] |= man.home;
                guarded[other] |= fixed_attacks(man);
            }
        }
        let free = !(held[0] | held[1]);
        let all: [Bb; 2] = [free | homes[1], free | homes[0]];
        for at in 0..self.men.len() {
            let man = &self.men[at];
            let us = man.color as usize;
            let (squares, promoted) = match man.role {
                Role::Pawn => self.pawn(at, free, all[us], stands[man.color.other() as usize]),
                Role::King => (flood(man.squares, all[us] & !guarded[us], around), 0),
                role => (officer(role, man.squares, all[us]), 0),
            };
            let man = &mut self.men[at];
            grew |= squares != man.squares || promoted != man.promoted;
            (man.squares, man.promoted) = (squares, promoted);
        }
        grew
    }

    /// By colour, where men that can be taken may stand.
    pub fn stands(&self) -> [Bb; 2] {
        let mut stands = [0; 2];
        for man in &self.men {
            if man.role != Role::King {
                stands[man.color as usize] |= man.reach();
            }
        }
        stands
    }

    /// Where a man that has not been promoted may take one of those that stand on `others`.
    fn captures(man: &Man, others: Bb) -> Bb {
        match man.role {
            Role::Pawn => pawn_captures(man.squares, man.color) & others,
            _ => man.squares,
        }
    }

    /// Where a pawn may get to, and where as a promoted man.
    fn pawn(&self, at: usize, free: Bb, enter: Bb, others: Bb) -> (Bb, Bb) {
        let man = &self.men[at];
        let pushes = free & self.open_squares(at);
        let spread = |set| pawn_push(set, man.color) & pushes | pawn_captures(set, man.color) & others;
        let all = flood(man.squares, !0, spread);
        let last = match man.color {
            Color::White => RANK_8,
            Color::Black => RANK_1,
        };
        let promoted = man.promoted | all & last;
        let promoted = if promoted == 0 { 0 } else { flood(promoted, enter, |set| around(set) | knight(set)) };
        (all & !last, promoted)
    }

    /// The squares that no pawn bars to a pawn's pushes: another one on its file does while both keep to it.
    fn open_squares(&self, at: usize) -> Bb {
        let man = &self.men[at];
        let file = FILE_A << (man.home.trailing_zeros() & 7);
        if !man.keeps_file(file) {
            return !0;
        }
        let mut open = !0;
        for other in &self.men {
            let is_ahead = file & ahead(man.home, man.color) & other.home != 0;
            if other.role != Role::Pawn || !is_ahead || other.taken || other.promoted != 0 || !other.keeps_file(file) {
                continue;
            }
            // An enemy pawn comes nearer; an own one makes way as far as it can itself.
            let barrier = if other.color != man.color { other.home } else { farthest(other.squares, man.color) };
            open &= !(barrier | ahead(barrier, man.color));
        }
        open
    }
}

/// What a man that does not move attacks for ever.
fn fixed_attacks(man: &Man) -> Bb {
    match man.role {
        Role::Pawn => pawn_captures(man.home, man.color),
        Role::Knight => knight(man.home),
        Role::Bishop => slanted(man.home),
        Role::Rook => straight(man.home),
        Role::Queen | Role::King => attacks::king(man.home.trailing_zeros() as u8),
    }
}

/// Where an officer gets from `from` over the squares of `enter`.
fn officer(role: Role, from: Bb, enter: Bb) -> Bb {
    match role {
        Role::Knight => flood(from, enter, knight),
        Role::Bishop => flood(from, enter, slanted),
        Role::Rook => flood(from, enter, straight),
        _ => flood(from, enter, around),
    }
}

/// `from` with all that is reached from it by steps onto squares of `enter`.
#[inline(always)]
fn flood(from: Bb, enter: Bb, step: impl Fn(Bb) -> Bb) -> Bb {
    let mut all = from;
    loop {
        let more = all | step(all) & enter;
        if more == all {
            return all;
        }
        all = more;
    }
}

/// All ranks beyond the square of `one`, as `color` moves.
fn ahead(one: Bb, color: Color) -> Bb {
    let rank = one.trailing_zeros() & 56;
    match color {
        Color::White => (!0 << rank) << 8,
        Color::Black => (1 << rank) - 1,
    }
}

/// The square of `set` that lies farthest ahead.
fn farthest(set: Bb, color: Color) -> Bb {
    match color {
        Color::White => 1 << 63 >> set.leading_zeros(),
        Color::Black => set & set.wrapping_neg(),
    }
}
