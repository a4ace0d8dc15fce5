//! Positions that were seen, in little memory; two are the same only if all of it is.

use crate::attacks::bit;
use crate::board::Board;
use crate::types::{Bb, Color, Move, Role, NO_SQUARE};

/// A position without its counters: all that makes it the same as another (9.2.3).
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Packed {
    /// Per square the number of the role (from 1) in three bits, and whether the man is black.
    planes: [Bb; 4],
    /// Rooks that may castle, by file: of White in the low byte.
    rights: u16,
    /// Where a legal capture en passant goes.
    ep: u8,
    turn: Color,
    chess960: bool,
}

impl Packed {
    pub fn of(board: &Board) -> Packed {
        let mut planes = [0; 4];
        for role in Role::ALL {
            let number = role as usize + 1;
            for (plane, set) in planes.iter_mut().enumerate().take(3) {
                if number >> plane & 1 != 0 {
                    *set |= board.by_role[role as usize];
                }
            }
        }
        planes[3] = board.by_color[Color::Black as usize];
        let rights = (board.castling & 0xff) as u16 | ((board.castling >> 56) as u16) << 8;
        let ep = board.legal_ep().unwrap_or(NO_SQUARE);
        Packed { planes, rights, ep, turn: board.turn, chess960: board.chess960 }
    }

    pub fn board(&self) -> Board {
        let mut board = Board::empty();
        let occupied = self.planes[0] | self.planes[1] | self.planes[2];
        for square in crate::attacks::squares(occupied) {
            let number = (0..3).fold(0, |number, plane| number | usize::from(self.planes[plane] & bit(square) != 0) << plane);
            let color = if self.planes[3] & bit(square) == 0 { Color::White } else { Color::Black };
            if let Some(&role) = Role::ALL.get(number.wrapping_sub(1)) {
                board.put(square, color, role);
            }
        }
        board.castling = Bb::from(self.rights & 0xff) | Bb::from(self.rights >> 8) << 56;
        board.ep = self.ep;
        board.turn = self.turn;
        board.chess960 = self.chess960;
        board.refresh_hash();
        board
    }
}

/// A position of a search, and how it was come by.
pub struct Node {
    pub position: Packed,
    pub parent: u32,
    pub mv: Move,
    pub plies: u16,
}

/// The positions of a search, each once.
pub struct Seen {
    pub nodes: Vec<Node>,
    /// Places in `nodes`, by the low bits of the key; the length is a power of two.
    table: Vec<u32>,
}

const EMPTY: u32 = u32::MAX;

impl Seen {
    pub fn new() -> Seen {
        Seen { nodes: Vec::new(), table: vec![EMPTY; 1 << 10] }
    }

    /// Adds a position and gives its place; None if it was there already.
    pub fn add(&mut self, board: &Board, parent: u32, mv: Move, plies: u16) -> Option<u32> {
        if self.nodes.len() * 2 >= self.table.len() {
            self.enlarge();
        }
        let position = Packed::of(board);
        let mut at = board.position_key() as usize & (self.table.len() - 1);
        while self.table[at] != EMPTY {
            if self.nodes[self.table[at] as usize].position == position {
                return None;
            }
            at = (at + 1) & (self.table.len() - 1);
        }
        let place = self.nodes.len() as u32;
        self.table[at] = place;
        self.nodes.push(Node { position, parent, mv, plies });
        Some(place)
    }

    fn enlarge(&mut self) {
        let length = self.table.len() * 4;
        self.table = vec![EMPTY; length];
        for (place, node) in (0..).zip(&self.nodes) {
            let mut at = node.position.board().position_key() as usize & (length - 1);
            while self.table[at] != EMPTY {
                at = (at + 1) & (length - 1);
            }
            self.table[at] = place;
        }
    }

    /// The moves that lead from the first position to that at `place`.
    pub fn line_to(&self, mut place: u32) -> Vec<Move> {
        let mut line = Vec::new();
        while place != 0 {
            let node = &self.nodes[place as usize];
            line.push(node.mv);
            place = node.parent;
        }
        line.reverse();
        line
    }
}

impl Default for Seen {
    fn default() -> Seen {
        Seen::new()
    }
}
