//! Men followed through games, as Python sees them: buffers of numbers in, bytes out.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::men::{follow, Plies};

/// What `men::follow` tells, a byte for each ply. `first` and `lengths` name the games that begin with the usual array.
#[pyfunction]
pub fn follow_men<'py>(
    py: Python<'py>,
    moves: PyBuffer<u16>,
    castling: PyBuffer<u8>,
    en_passant: PyBuffer<u8>,
    first: PyBuffer<i64>,
    lengths: PyBuffer<i64>,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let (moves, castling, en_passant) = (moves.to_vec(py)?, castling.to_vec(py)?, en_passant.to_vec(py)?);
    let games: Vec<_> = first.to_vec(py)?.into_iter().zip(lengths.to_vec(py)?).collect();
    let place = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
    let found = py.detach(|| {
        let plies = Plies { moves: &moves, castling: &castling, en_passant: &en_passant };
        follow(&plies, games.into_iter().map(|(first, length)| (place(first), place(length))))
    });
    let (movers, taken) = found.ok_or_else(|| PyValueError::new_err("a game does not lie in these plies"))?;
    Ok((PyBytes::new(py, &movers), PyBytes::new(py, &taken)))
}
