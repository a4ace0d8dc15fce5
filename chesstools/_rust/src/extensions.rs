//! Endings for which more than 50 moves are allowed. The counterpart of `chesstools/extensions.py`.

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
