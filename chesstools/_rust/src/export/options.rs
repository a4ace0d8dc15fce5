//! What is wanted of an export; see `docs/conversion.md`.

use crate::normal_form::EnPassant;
use crate::types::Role;

/// What games are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Pgn,
    JsonLines,
    /// The mainline of one game a line.
    Moves,
    Fen,
    Epd,
}

/// How moves are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    San,
    Lan,
    Uci,
}

/// Which positions of a game are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Positions {
    Final,
    Every,
    /// The one after so many plies.
    After(u32),
}

/// Parts of a game that are kept, where the format can hold them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    pub comments: bool,
    pub nags: bool,
    pub variations: bool,
    /// The commands `[%clk …]` and `[%emt …]` in comments.
    pub clocks: bool,
    /// All commands in comments.
    pub commands: bool,
    /// Nothing but the mainline: neither what means nothing nor what stands behind the marker.
    pub bare: bool,
}

/// The tag pairs of PGN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagOptions {
    /// Whether only the roster is kept, and what the moves need.
    pub seven: bool,
    /// Whether the roster comes first and is filled.
    pub roster: bool,
    /// Whether they are sorted.
    pub sorted: bool,
}

impl TagOptions {
    /// Whether all tags are written as they were read.
    pub fn are_as_read(&self) -> bool {
        !(self.seven || self.roster || self.sorted)
    }
}

/// The letters of the men, king first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letters([String; 6]);

impl Letters {
    /// Of king, queen, rook, bishop, knight and pawn.
    pub fn new(letters: [String; 6]) -> Letters {
        Letters(letters)
    }

    pub fn are_english(&self) -> bool {
        self.0 == ["K", "Q", "R", "B", "N", "P"]
    }

    pub fn of(&self, role: Role) -> &str {
        &self.0[5 - role as usize]
    }
}

#[derive(Clone, Debug)]
pub struct Options {
    pub format: Format,
    pub notation: Notation,
    /// None for English ones.
    pub letters: Option<Letters>,
    /// Most signs of a line of movetext; `usize::MAX` for lines of any length.
    pub width: usize,
    pub keep: Keep,
    pub tags: TagOptions,
    pub positions: Positions,
    /// When the en passant square is written.
    pub ep: EnPassant,
    /// Whether keys of positions are wanted, to tell those that were written before.
    pub keys: bool,
}

impl Options {
    /// Whether the last position of a game is all that is written of it.
    pub fn wants_last(&self) -> bool {
        matches!(self.format, Format::Fen | Format::Epd) && self.positions == Positions::Final
    }
}
