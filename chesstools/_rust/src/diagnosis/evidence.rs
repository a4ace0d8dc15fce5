//! What is said of an assumption about a game that stops: the evidence of M391.

use super::{Change, Found, Search};
use crate::san;
use crate::types::{Color, Move};

/// What is said of an assumption.
#[derive(Default)]
pub struct Evidence {
    pub reason: &'static str,
    pub index: Option<usize>,
    pub side: Option<Color>,
    pub found: Option<String>,
    pub expected: Option<String>,
}

impl Search<'_> {
    /// What is said of an assumption.
    pub(super) fn evidence(&self, found: &Found) -> Evidence {
        let move_at = |index: usize, mv: Move| {
            let board = self.board(index).expect("it was tried there");
            self.numbered(index, &san::san(board, mv), 0)
        };
        match &found.change {
            Change::Meant(index, slip, mv) => Evidence {
                reason: slip.name(),
                index: Some(*index),
                found: Some(self.named(*index, 1, 0)),
                expected: Some(move_at(*index, *mv)),
                ..Evidence::default()
            },
            Change::LeftOut(index, many) => Evidence {
                reason: "left-out",
                index: Some(*index),
                found: Some(self.named(*index, *many, 0)),
                ..Evidence::default()
            },
            Change::Missing(index, mv) => Evidence {
                reason: "missing",
                index: Some(*index),
                found: Some(self.named(*index, 1, 1)),
                expected: Some(move_at(*index, *mv)),
                ..Evidence::default()
            },
            Change::Transposed(one, other) => Evidence {
                reason: "transposed",
                index: Some(*one),
                found: Some(self.named(*one, 1, 0)),
                expected: Some(self.named(*other, 1, 0)),
                ..Evidence::default()
            },
            Change::Started(start) => {
                Evidence { reason: start.reason, side: start.side, expected: start.shown(), ..Evidence::default() }
            }
        }
    }

    /// A move with its number, `shift` plies later than the position at `index` would have it.
    fn numbered(&self, index: usize, text: &str, shift: i64) -> String {
        let bad = self.boards.last().expect("the position before the bad move is there");
        // The board counts from the number that its FEN gives.
        let plies = 2 * (i64::from(bad.fullmove) - 1) + i64::from(bad.turn == Color::Black) + index as i64
            - self.score.bad() as i64
            + shift;
        format!("{}{} {text}", plies.div_euclid(2) + 1, if plies.rem_euclid(2) == 0 { "." } else { "..." })
    }

    /// Some moves as they are written, with the number of the first.
    fn named(&self, first: usize, many: usize, shift: i64) -> String {
        let texts: Vec<_> = (first..first + many).map(|index| self.score.text(index)).collect();
        self.numbered(first, &texts.join(" "), shift)
    }
}
