//! The small types that everything shares: squares, colours, roles, moves, findings.

use std::borrow::Cow;

/// A set of squares; bit 0 is a1, bit 63 is h8.
pub type Bb = u64;

/// No square: what `Board::ep` holds where there is none.
pub const NO_SQUARE: u8 = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Color {
    White = 0,
    Black = 1,
}

impl Color {
    #[inline(always)]
    pub const fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// `white` or `black`, as in the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Color::White => "white",
            Color::Black => "black",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Role {
    Pawn = 0,
    Knight = 1,
    Bishop = 2,
    Rook = 3,
    Queen = 4,
    King = 5,
}

impl Role {
    pub const ALL: [Role; 6] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

    /// The letter in upper case; `P` for a pawn.
    pub const fn letter(self) -> u8 {
        b"PNBRQK"[self as usize]
    }

    /// `pawn` … `king`, as in the tables.
    pub const fn name(self) -> &'static str {
        ["pawn", "knight", "bishop", "rook", "queen", "king"][self as usize]
    }

    pub const fn from_letter(letter: u8) -> Option<Role> {
        Some(match letter {
            b'P' => Role::Pawn,
            b'N' => Role::Knight,
            b'B' => Role::Bishop,
            b'R' => Role::Rook,
            b'Q' => Role::Queen,
            b'K' => Role::King,
            _ => return None,
        })
    }
}

/// What a move is, beyond its squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MoveKind {
    /// A plain move, capture, double step or promotion.
    Plain,
    EnPassant,
    /// `to` is the square of the rook.
    CastleKingside,
    /// `to` is the square of the rook.
    CastleQueenside,
    /// A pass.
    Null,
}

/// A move; four bytes, no references.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    pub from: u8,
    pub to: u8,
    pub promotion: Option<Role>,
    pub kind: MoveKind,
}

impl Move {
    pub const NULL: Move = Move { from: 0, to: 0, promotion: None, kind: MoveKind::Null };

    #[inline(always)]
    pub const fn plain(from: u8, to: u8) -> Move {
        Move { from, to, promotion: None, kind: MoveKind::Plain }
    }

    pub const fn is_castling(self) -> bool {
        matches!(self.kind, MoveKind::CastleKingside | MoveKind::CastleQueenside)
    }
}

/// A list of moves without heap memory; no position has more than 218 (pseudo-legal: a few more).
pub type MoveList = arrayvec::ArrayVec<Move, 320>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Severity {
    Info = 0,
    Warning = 1,
    Error = 2,
}

impl Severity {
    pub const fn name(self) -> &'static str {
        ["info", "warning", "error"][self as usize]
    }
}

/// One piece of evidence.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Text(Cow<'static, str>),
    Int(i64),
    Ints(Vec<i32>),
    Texts(Vec<String>),
}

/// One departure from the Laws or the standard: the facts; the sentence is made from the catalogue in Python.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub code: &'static str,
    pub severity: Severity,
    pub ply: Option<u32>,
    pub line: u64,
    pub byte_offset: u64,
    pub byte_length: u64,
    pub variation: Option<String>,
    pub token: Option<String>,
    pub fen: Option<String>,
    /// In the order in which it was given; what is not known is not in it.
    pub evidence: Vec<(&'static str, Value)>,
}

/// The ply and the variation that a finding belongs to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    pub ply: Option<u32>,
    pub variation: Option<String>,
}
