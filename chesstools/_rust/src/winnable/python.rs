//! The answers as Python sees them.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::board::Board;
use crate::fen::read_fen;
use crate::san::san;
use crate::types::{Color, Move};
use crate::winnable::{full, quick};

/// Verdict, method, line in standard notation, positions looked at.
type Told = (&'static str, Option<&'static str>, Vec<String>, u32);

/// Whether a colour can still mate: `quick`, or with `limit` a search of at most so many positions.
///
/// Raises ValueError for a FEN that no game can be played from.
#[pyfunction]
#[pyo3(signature = (fen, *, chess960, white, limit))]
pub fn winnable(py: Python<'_>, fen: &str, chess960: bool, white: bool, limit: Option<u32>) -> PyResult<Told> {
    let board = read_fen(fen, chess960).board.ok_or_else(|| PyValueError::new_err("the position cannot be played"))?;
    let color = if white { Color::White } else { Color::Black };
    let answer = py.detach(|| match limit {
        None => quick(&board, color),
        Some(limit) => full(&board, color, limit),
    });
    let method = answer.method.map(|method| method.name());
    Ok((answer.verdict.name(), method, sans(board, &answer.line), answer.nodes))
}

fn sans(mut board: Board, line: &[Move]) -> Vec<String> {
    let mut texts = Vec::with_capacity(line.len());
    for &mv in line {
        texts.push(san(&board, mv));
        board.play(mv);
    }
    texts
}
