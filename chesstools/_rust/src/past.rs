//! What must be remembered of the moves so far, to say when a right was lost.
//! The counterpart of `chesstools/reference/past.py`.
//!
//! Legal games pay nothing for it: a line's past is worked out from its moves when a reason is asked for, and then only for
//! the moves that have come since it was last asked.

use crate::attacks::{bit, BACK_RANK};
use crate::board::Board;
use crate::types::{Bb, Color, Move, MoveKind, Role, NO_SQUARE};

/// The ply at which a castling man left its square or was captured there.
#[derive(Clone, Copy, Debug)]
pub struct Loss {
    pub square: u8,
    pub ply: u32,
    pub captured: bool,
}

/// The castling men of a start position.
#[derive(Clone, Copy, Debug)]
pub struct Homes {
    /// Home of each king that has a castling right at the start, by colour.
    pub kings: [u8; 2],
    /// Home of each rook with a right, by colour and side (0 king's side, 1 queen's side).
    pub rooks: [[u8; 2]; 2],
    all: Bb,
}

impl Homes {
    pub fn of(board: &Board) -> Homes {
        let mut homes = Homes { kings: [NO_SQUARE; 2], rooks: [[NO_SQUARE; 2]; 2], all: 0 };
        for color in [Color::White, Color::Black] {
            let Some(king) = board.king(color) else { continue };
            for rook in crate::attacks::squares(board.castling & BACK_RANK[color as usize]) {
                homes.kings[color as usize] = king;
                homes.rooks[color as usize][usize::from(rook < king)] = rook;
                homes.all |= bit(king) | bit(rook);
            }
        }
        homes
    }
}

/// What one line (the mainline or a variation) remembers.
#[derive(Clone, Debug, Default)]
pub struct Past {
    losses: Vec<Loss>,
    /// Square, ply, and whether a pawn came there by a double step; later ones behind.
    steps: Vec<(u8, u32, bool)>,
}

/// The pasts of a line and of the lines it leaves: the mainline first, each with the ply from which the next goes its own way.
pub struct Chain<'a> {
    pub homes: &'a Homes,
    /// A past and the first ply that no longer counts.
    pub lines: Vec<(&'a Past, u32)>,
}

impl Chain<'_> {
    /// How the man at this home was lost for castling; None if it was not.
    pub fn loss(&self, home: u8) -> Option<Loss> {
        self.lines.iter().find_map(|(past, cut)| past.losses.iter().find(|loss| loss.square == home && loss.ply < *cut).copied())
    }

    /// The ply of the double step by which the pawn on this square came there; None if it came otherwise.
    pub fn double_step(&self, square: u8) -> Option<u32> {
        let own = |past: &Past, cut: u32| past.steps.iter().rev().find(|step| step.0 == square && step.1 < cut).copied();
        let last = self.lines.iter().rev().find_map(|(past, cut)| own(past, *cut))?;
        last.2.then_some(last.1)
    }
}

/// Takes in the move `ply`, about to be made on `board`, in the past of the last line of the chain.
pub fn add(board: &Board, mv: Move, ply: u32, chain: &Chain) -> Past {
    let mut news = Past::default();
    if mv.kind == MoveKind::Null {
        return news;
    }
    let to = crate::san::uci_target(board, mv);
    for (square, captured) in [(mv.from, false), (to, true)] {
        if chain.homes.all & bit(square) != 0 && chain.loss(square).is_none() {
            news.losses.push(Loss { square, ply, captured });
        }
    }
    if board.role_at(mv.from) == Some(Role::Pawn) && mv.from.abs_diff(to) == 16 {
        news.steps.push((to, ply, true));
    } else if chain.double_step(to).is_some() {
        news.steps.push((to, ply, false));
    }
    news
}

impl Past {
    pub fn extend(&mut self, news: Past) {
        self.losses.extend(news.losses);
        self.steps.extend(news.steps);
    }
}
