//! Whether a mate could be put together from the squares that men can get to.
//!
//! For a mate on some square a man must give check there, and each square around it must be attacked by the winner, or taken up by
//! a man of the loser: a man of its own for each such square. Nothing else of a mate is asked for.

use arrayvec::ArrayVec;

use crate::attacks::{self, bit, squares};
use crate::types::{Bb, Color, Role};
use crate::winnable::reach::{Man, Reach};
use crate::winnable::spread::{knight, pawn_captures, slanted, step, straight, DIRECTIONS};

/// Whether the squares that were found so far allow a mate by `winner`.
pub fn is_possible(reach: &Reach, winner: Color) -> bool {
    let attack = Attack::of(reach, winner);
    let mut kings = [0; 2];
    let mut blockers: ArrayVec<Bb, 32> = ArrayVec::new();
    let mut stands = 0;
    for man in &reach.men {
        if man.role == Role::King {
            kings[usize::from(man.color != winner)] |= man.reach();
        } else if man.color != winner {
            blockers.push(man.reach());
            stands |= man.reach();
        }
    }
    let [own, other] = kings;
    let near = attacks_of_king(own) | stands;
    squares(other & attack.all).any(|king| {
        let open = attacks::king(king) & !attack.around(king);
        open & !near == 0 && can_close(king, open, own, &blockers)
    })
}

/// Whether the winner's king, from a square of `own`, and one blocker a square can deal with the squares of `open` around `king`.
fn can_close(king: u8, open: Bb, own: Bb, blockers: &[Bb]) -> bool {
    if open == 0 || can_block(open, blockers) {
        return true;
    }
    let near = own & !attacks::king(king) & !bit(king) & attacks_of_king(open);
    squares(near).any(|square| can_block(open & !attacks::king(square), blockers))
}

/// Whether each square of `open` can have a blocker of its own.
fn can_block(open: Bb, blockers: &[Bb]) -> bool {
    let mut used: [Option<u8>; 32] = [None; 32];
    squares(open).all(|square| place(square, blockers, &mut used, &mut 0))
}

/// Finds a blocker for a square; others may have to change theirs.
fn place(square: u8, blockers: &[Bb], used: &mut [Option<u8>; 32], tried: &mut u32) -> bool {
    for (at, reach) in blockers.iter().enumerate() {
        if reach & bit(square) == 0 || *tried & 1 << at != 0 {
            continue;
        }
        *tried |= 1 << at;
        let free = match used[at] {
            None => true,
            Some(earlier) => place(earlier, blockers, used, tried),
        };
        if free {
            used[at] = Some(square);
            return true;
        }
    }
    false
}

/// The squares around those of `set`, as a king attacks them.
fn attacks_of_king(set: Bb) -> Bb {
    straight(set) | slanted(set)
}

/// What the men of one side can ever attack, its king left aside.
struct Attack {
    all: Bb,
    /// Where men may stand that attack along ranks and files, and along diagonals.
    straight: Bb,
    slanted: Bb,
}

impl Attack {
    fn of(reach: &Reach, color: Color) -> Attack {
        let mut attack = Attack { all: 0, straight: 0, slanted: 0 };
        let mut knights = 0;
        for man in reach.men.iter().filter(|man| man.color == color) {
            let Man { role, squares, promoted, .. } = *man;
            match role {
                Role::Pawn => {
                    attack.all |= pawn_captures(squares, color);
                    attack.straight |= promoted;
                    attack.slanted |= promoted;
                    knights |= promoted;
                }
                Role::Knight => knights |= squares,
                Role::Bishop => attack.slanted |= squares,
                Role::Rook => attack.straight |= squares,
                Role::Queen => {
                    attack.straight |= squares;
                    attack.slanted |= squares;
                }
                Role::King => {}
            }
        }
        // The squares that a slider passes are among those where it may stand, so single steps are enough.
        attack.all |= knight(knights) | straight(attack.straight) | slanted(attack.slanted);
        attack
    }

    /// What can be attacked while the other king stands on `king`: squares behind it too, as it gives no cover.
    fn around(&self, king: u8) -> Bb {
        let here = bit(king);
        (0..DIRECTIONS).fold(self.all, |all, direction| {
            let sliders = if direction % 2 == 0 { self.straight } else { self.slanted };
            let behind = if step(sliders, direction) & here != 0 { step(here, direction) } else { 0 };
            all | behind
        })
    }
}
