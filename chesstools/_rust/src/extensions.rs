//! Endings for which more than 50 moves are allowed, and which one of them a position is.
//! The counterpart of `chesstools/extensions.py` and `chesstools/reference/extended.py`.

use crate::attacks::{self, bit, DARK_SQUARES, LIGHT_SQUARES};
use crate::board::Board;
use crate::types::{Color, Role};

/// An ending and the moves that are allowed in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extension {
    /// As in `KRBvKR`.
    pub material: String,
    /// How many queens, rooks, bishops, knights and pawns each of the two sides has.
    pub sides: [[u8; 5]; 2],
    /// Moves by each side.
    pub moves: u32,
    pub condition: Condition,
}

/// What must be so beside the men.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    Always,
    PawnOnSeventh,
    /// For a black pawn on each file the lowest rank that it may stand on, 0 being the first.
    PawnBlocked([u8; 8]),
    /// Square of White's pawn (with the rook), of Black's (with the bishop), and whether the bishop is on light squares.
    RookPawns(Vec<(u8, u8, bool)>),
}

const ROLES: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// The first of `extensions` that fits the men and where they stand.
pub fn extension_for<'e>(board: &Board, extensions: &'e [Extension]) -> Option<&'e Extension> {
    if extensions.is_empty() {
        return None;
    }
    let count = |side: Color| ROLES.map(|role| board.men(side, role).count_ones() as u8);
    let men = [count(Color::White), count(Color::Black)];
    extensions.iter().find(|extension| {
        [Color::White, Color::Black].into_iter().any(|first| {
            let [one, other] = extension.sides;
            men[first as usize] == one && men[first.other() as usize] == other && extension.stands_so(board, first)
        })
    })
}

impl Extension {
    /// Whether the condition holds where `first` has the men named first.
    fn stands_so(&self, board: &Board, first: Color) -> bool {
        let pawns = |side: Color| board.men(side, Role::Pawn);
        match &self.condition {
            Condition::Always => true,
            Condition::PawnOnSeventh => pawns(Color::White) & RANK_7 | pawns(Color::Black) & RANK_2 != 0,
            Condition::PawnBlocked(line) => is_blocked(board, line),
            Condition::RookPawns(squares) => squares.iter().any(|&(own, other, light)| {
                let mirror = if first == Color::Black { 56 } else { 0 };
                let light = light != (first == Color::Black);
                let bishops = board.by_role[Role::Bishop as usize];
                pawns(first) & bit(own ^ mirror) != 0
                    && pawns(first.other()) & bit(other ^ mirror) != 0
                    && bishops & if light { LIGHT_SQUARES } else { DARK_SQUARES } != 0
            }),
        }
    }
}

const RANK_2: u64 = 0xff << 8;
const RANK_7: u64 = 0xff << 48;

/// Whether the only pawn has not come too far, and before it stands a knight that the king cannot take.
fn is_blocked(board: &Board, line: &[u8; 8]) -> bool {
    let pawn = board.by_role[Role::Pawn as usize].trailing_zeros() as u8;
    let Some(owner) = board.color_at(pawn) else { return false };
    let other = owner.other();
    // As if the pawn were black: mirrored for a white one.
    let (rank, before) = if owner == Color::Black { (pawn >> 3, pawn.wrapping_sub(8)) } else { (7 - (pawn >> 3), pawn + 8) };
    if before > 63 || rank < line[usize::from(pawn & 7)] || board.men(other, Role::Knight) & bit(before) == 0 {
        return false;
    }
    let can_take = attacks::king(before) & board.men(owner, Role::King) != 0;
    !can_take || board.attackers(other, before, board.occupied()) != 0
}
