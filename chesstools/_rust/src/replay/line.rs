//! A line as far as it was replayed, and what is remembered of it while it is.

use crate::board::Board;
use crate::lexer::Token;
use crate::past::{Chain, Homes, Past};
use crate::types::{Bb, Move, Place};

/// A line as far as it was replayed, and what stands behind a bad token.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// None for the mainline.
    pub path: Option<String>,
    pub first_ply: u32,
    pub count: u32,
    pub stopped: bool,
    /// Stopped because the game was over on the board.
    pub over: bool,
    pub unjudged: u32,
    pub bad: Option<Token>,
    pub first_unjudged: Option<Token>,
    /// Whether the number before the bad token gives it to the side that is not to move.
    pub wrong_side: bool,
}

impl Line {
    #[inline]
    pub fn next_ply(&self) -> u32 {
        self.first_ply + self.count
    }

    pub fn plies_written(&self) -> u32 {
        self.count + u32::from(self.bad.is_some()) + self.unjudged
    }

    #[inline]
    pub(super) fn place(&self, ply: u32) -> Place {
        Place { ply: (ply != 0).then_some(ply), variation: self.path.clone() }
    }

    /// The place of the last move.
    pub(super) fn here(&self) -> Place {
        self.place(self.next_ply().saturating_sub(1))
    }
}

/// A line that is being replayed.
pub struct Frame {
    pub line: Line,
    /// The position at its end; None where it cannot be replayed.
    pub board: Option<Board>,
    /// The position in which a variation begins; the mainline begins at `Replay::start`.
    pub(super) first: Option<Board>,
    /// A position of the line, and how many of its moves lead there: from here moves are made again where one is taken back.
    pub(super) checkpoint: Option<Board>,
    pub(super) checkpoint_at: u32,
    pub(super) opened: Option<Token>,
    pub(super) number: Option<Token>,
    pub(super) dots: Vec<Token>,
    /// By how much the numbers as written run ahead of the board's.
    pub(super) shift: i64,
    /// Moves of a variation; those of the mainline are in `Replay::plies`.
    pub(super) moves: Vec<Move>,
    /// The men that give check to the side to move.
    pub(super) checkers: Bb,
    /// Of a variation's last move: its token, whether it was en passant, and its standard text where that is not the token's.
    pub(super) last: Option<(Token, bool, Option<String>)>,
    /// The glyphs of the move that is `nags_of` plies into the line.
    pub(super) nags: [u64; 4],
    pub(super) nags_of: u32,
    /// How many variations the move has that is `variations_of` plies into the line.
    pub(super) variations: u32,
    pub(super) variations_of: u32,
    pub(super) past: Past,
    pub(super) past_at: u32,
    pub(super) past_board: Option<Board>,
}

impl Frame {
    pub(super) fn new(line: Line, board: Option<Board>, opened: Option<Token>, shift: i64) -> Frame {
        Frame {
            checkpoint: None,
            past_board: None,
            first: if line.path.is_some() { board.clone() } else { None },
            checkers: board.as_ref().map_or(0, Board::checkers),
            board,
            checkpoint_at: 0,
            opened,
            number: None,
            dots: Vec::new(),
            shift,
            moves: Vec::new(),
            last: None,
            nags: [0; 4],
            nags_of: 0,
            variations: 0,
            variations_of: 0,
            past: Past::default(),
            past_at: 0,
            line,
        }
    }
}

pub(super) fn chain<'a>(frames: &'a [Frame], homes: &'a Homes) -> Chain<'a> {
    let mut lines: Vec<(&Past, u32)> = Vec::with_capacity(frames.len());
    let mut cut = u32::MAX;
    for at in (0..frames.len()).rev() {
        lines.push((&frames[at].past, cut));
        cut = cut.min(frames[at].line.first_ply);
    }
    lines.reverse();
    Chain { homes, lines }
}
