//! Tallies of plies, as Python sees them: a block of plies once, then buffers of numbers that are counted in.

use std::cell::Cell;

use arrow_array::Array;
use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrow_in::{numbers_of, strings_of};
use crate::tallies::block::{Block as Plies, Columns};
use crate::tallies::words::move_of;
use crate::tallies::{activity, kings, material, survival};

/// The plies of some whole games.
#[pyclass(frozen)]
pub struct Block(Plies);

#[pymethods]
impl Block {
    /// Columns are moves, then roles, captured roles, castling, checks, mates, en passant.
    #[new]
    fn new(
        py: Python<'_>,
        moves: PyBuffer<u16>,
        columns: [PyBuffer<u8>; 6],
        lengths: PyBuffer<i64>,
        black: PyBuffer<u8>,
    ) -> PyResult<Block> {
        let [roles, captured, castling, checks, mates, en_passant] = columns;
        let columns = Columns {
            moves: moves.to_vec(py)?,
            roles: roles.to_vec(py)?,
            captured: captured.to_vec(py)?,
            castling: castling.to_vec(py)?,
            checks: checks.to_vec(py)?,
            mates: mates.to_vec(py)?,
            en_passant: en_passant.to_vec(py)?,
        };
        let (lengths, black) = (lengths.to_vec(py)?, black.to_vec(py)?);
        let block = py.detach(|| Plies::new(columns, &lengths, &black));
        block.map(Block).ok_or_else(|| PyValueError::new_err("these numbers are not the plies of these games"))
    }
}

/// What `kings::follow` tells, as columns of numbers of 8 bits, but those of moves of 32.
#[pyfunction]
pub fn follow_kings<'py>(
    py: Python<'py>,
    block: &Block,
    homes: PyBuffer<u8>,
    queens: PyBuffer<i64>,
    squares: PyBuffer<i64>,
) -> PyResult<[Bound<'py, PyBytes>; 6]> {
    let (homes, queens) = (homes.to_vec(py)?, queens.to_vec(py)?);
    let found = kings::follow(&block.0, &homes, &queens, cells(py, &squares)?).ok_or_else(misfit)?;
    let wide = |numbers: &[i32]| numbers.iter().flat_map(|number| number.to_ne_bytes()).collect::<Vec<_>>();
    let (castled, moves) = (wide(&found.castled), wide(&found.moves));
    Ok([&found.wings, &castled, &moves, &found.squares, &found.ranks, &found.ranks_with_queen]
        .map(|column| PyBytes::new(py, column)))
}

/// Counts what `activity::Counts` names, in their order.
#[pyfunction]
pub fn count_activity(py: Python<'_>, block: &Block, arrays: [PyBuffer<i64>; 6]) -> PyResult<()> {
    let [moves, captures, en_passant, checks, mates, promotions] = &arrays;
    let counts = activity::Counts {
        moves: cells(py, moves)?,
        captures: cells(py, captures)?,
        en_passant: cells(py, en_passant)?,
        checks: cells(py, checks)?,
        mates: cells(py, mates)?,
        promotions: cells(py, promotions)?,
    };
    activity::count(&block.0, &counts).ok_or_else(misfit)
}

/// Counts what `material::Counts` names, in their order. `starts` are those of `material::Starts` one after the other, and so are
/// `changes`. Returns the imbalances: their kinds, and six counts of each, as numbers of 64 bits.
#[pyfunction]
pub fn count_material<'py>(
    py: Python<'py>,
    block: &Block,
    results: PyBuffer<u8>,
    starts: [PyBuffer<i64>; 4],
    changes: [PyBuffer<i64>; 2],
    arrays: [PyBuffer<i64>; 4],
    with_queens: PyBuffer<f64>,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let results = results.to_vec(py)?;
    let vectors = |buffers: &[PyBuffer<i64>]| buffers.iter().map(|buffer| buffer.to_vec(py)).collect::<PyResult<Vec<_>>>();
    let (starts, changes) = (vectors(&starts)?, vectors(&changes)?);
    let [kinds, ended, begun, over] = &arrays;
    let counts = material::Counts {
        kinds: cells(py, kinds)?,
        ended: cells(py, ended)?,
        begun: cells(py, begun)?,
        over: cells(py, over)?,
        with_queens: cells(py, &with_queens)?,
    };
    let starts =
        material::Starts { results: &results, leads: &starts[0], surpluses: &starts[1], queens: [&starts[2], &starts[3]] };
    let changes = material::Changes { leads: &changes[0], surpluses: &changes[1] };
    let found = material::count(&block.0, &starts, &changes, &counts).ok_or_else(misfit)?;
    let (kinds, rows): (Vec<_>, Vec<_>) = found.into_counts().unzip();
    let wide = |numbers: &[i64]| PyBytes::new(py, &numbers.iter().flat_map(|number| number.to_ne_bytes()).collect::<Vec<_>>());
    Ok((wide(&kinds), wide(rows.as_flattened())))
}

/// Counts what `survival::Counts` names, in their order.
#[pyfunction]
pub fn count_survival(
    py: Python<'_>,
    block: &Block,
    results: PyBuffer<u8>,
    from_array: PyBuffer<u8>,
    arrays: [PyBuffer<i64>; 6],
) -> PyResult<()> {
    let (results, from_array) = (results.to_vec(py)?, from_array.to_vec(py)?);
    let [ended, lost, left, takes, moves, promotions] = &arrays;
    let counts = survival::Counts {
        ended: cells(py, ended)?,
        lost: cells(py, lost)?,
        left: cells(py, left)?,
        takes: cells(py, takes)?,
        moves: cells(py, moves)?,
        promotions: cells(py, promotions)?,
    };
    survival::count(&block.0, &results, &from_array, &counts).ok_or_else(misfit)
}

/// `words::move_of` of each word, as numbers of 16 bits.
#[pyfunction]
pub fn moves_of<'py>(py: Python<'py>, words: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    let words = strings_of(words)?;
    let moves: Vec<_> = words.iter().flat_map(|word| word.map_or(0, move_of).to_ne_bytes()).collect();
    Ok(PyBytes::new(py, &moves))
}

/// Put the number at each place of a column where that stands in `rows`; where the place is null, the row is left as it is.
/// Raises ValueError for a place that is none, and for other rows than places.
#[pyfunction]
pub fn put_numbers(py: Python<'_>, places: &Bound<'_, PyAny>, numbers: PyBuffer<u8>, rows: PyBuffer<u8>) -> PyResult<()> {
    let (places, numbers, rows) = (numbers_of(places)?, numbers.to_vec(py)?, cells(py, &rows)?);
    if places.len() != rows.len() {
        return Err(misfit());
    }
    let put = |row: &Cell<u8>, place: i32| {
        let number = usize::try_from(place).ok().and_then(|place| numbers.get(place));
        number.map(|&number| row.set(number)).ok_or_else(misfit)
    };
    match places.nulls() {
        None => rows.iter().zip(places.values()).try_for_each(|(row, &place)| put(row, place)),
        Some(nulls) => nulls.valid_indices().try_for_each(|at| put(&rows[at], places.value(at))),
    }
}

/// An array to count in. Raises ValueError for one that cannot be written, or does not lie in one piece.
fn cells<'a, T: Element>(py: Python<'a>, buffer: &'a PyBuffer<T>) -> PyResult<&'a [Cell<T>]> {
    buffer.as_mut_slice(py).ok_or_else(|| PyValueError::new_err("an array to count in cannot be written"))
}

fn misfit() -> PyErr {
    PyValueError::new_err("arrays and games are not of the same length, or a number in them means nothing")
}
