//! Positions as Python sees them: columns of lines in, Arrow out. Nothing is decided here.

use arrow_array::RecordBatch;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrow_in::strings_of;
use crate::arrow_out::{Batches, Queue};
use crate::errors::of_arrow;
use crate::fen_rows::{check_rows, key_rows, moves_rows, new_rows, normalise_rows, understood};
use crate::normal_form::{EnPassant, Form};
use crate::perft::perft;
use crate::seen::Seen;
use crate::setup_check::Problem;
use crate::types::{MoveList, Value};

/// Code, severity where it is not that of the catalogue, token where it is not the line, evidence.
type Found<'py> = (&'static str, Option<&'static str>, Option<String>, Vec<(&'static str, Bound<'py, PyAny>)>);

/// A depth from which on one reply takes long enough to look whether the user wants to stop.
const SHALLOW: u32 = 3;

fn stream_of(batch: RecordBatch) -> Batches {
    let queue = Queue::new(batch.schema());
    queue.push(batch);
    queue.batches()
}

/// What `fen_rows::check_rows` tells.
#[pyfunction]
#[pyo3(signature = (lines, *, chess960))]
pub fn fen_check<'py>(py: Python<'py>, lines: &Bound<'py, PyAny>, chess960: bool) -> PyResult<(Batches, Vec<Found<'py>>)> {
    let lines = strings_of(lines)?;
    let (rows, problems) = py.detach(|| check_rows(&lines, chess960)).map_err(of_arrow)?;
    Ok((stream_of(rows), problems.into_iter().map(|problem| found(py, problem)).collect::<PyResult<_>>()?))
}

fn found(py: Python<'_>, problem: Problem) -> PyResult<Found<'_>> {
    let value = |value| match value {
        Value::Text(text) => text.into_owned().into_pyobject(py).map(Bound::into_any).map_err(PyErr::from),
        Value::Int(number) => number.into_pyobject(py).map(Bound::into_any).map_err(PyErr::from),
        Value::Ints(numbers) => numbers.into_pyobject(py).map(Bound::into_any),
        Value::Texts(texts) => texts.into_pyobject(py).map(Bound::into_any),
    };
    let evidence = problem.evidence.into_iter().map(|(name, content)| Ok((name, value(content)?))).collect::<PyResult<_>>()?;
    Ok((problem.code, problem.severity.map(|severity| severity.name()), problem.token, evidence))
}

/// What `fen_rows::normalise_rows` tells. `en_passant` is standard, legal or never; `castling` xfen or shredder.
#[pyfunction]
#[pyo3(signature = (lines, *, en_passant, castling, reset_counters, chess960))]
pub fn fen_normalise(
    py: Python<'_>,
    lines: &Bound<'_, PyAny>,
    en_passant: &str,
    castling: &str,
    reset_counters: bool,
    chess960: bool,
) -> PyResult<Batches> {
    let en_passant = match en_passant {
        "standard" => EnPassant::Standard,
        "legal" => EnPassant::Legal,
        "never" => EnPassant::Never,
        other => return Err(PyValueError::new_err(format!("en_passant is {other:?}"))),
    };
    let shredder = match castling {
        "xfen" => false,
        "shredder" => true,
        other => return Err(PyValueError::new_err(format!("castling is {other:?}"))),
    };
    let form = Form { en_passant, shredder, reset_counters };
    let lines = strings_of(lines)?;
    py.detach(|| normalise_rows(&lines, form, chess960)).map(stream_of).map_err(of_arrow)
}

/// What `fen_rows::key_rows` tells.
#[pyfunction]
#[pyo3(signature = (lines, *, chess960))]
pub fn fen_key(py: Python<'_>, lines: &Bound<'_, PyAny>, chess960: bool) -> PyResult<Batches> {
    let lines = strings_of(lines)?;
    py.detach(|| key_rows(&lines, chess960)).map(stream_of).map_err(of_arrow)
}

/// What `fen_rows::moves_rows` tells.
#[pyfunction]
#[pyo3(signature = (lines, *, chess960))]
pub fn fen_moves(py: Python<'_>, lines: &Bound<'_, PyAny>, chess960: bool) -> PyResult<Batches> {
    let lines = strings_of(lines)?;
    py.detach(|| moves_rows(&lines, chess960)).map(stream_of).map_err(of_arrow)
}

/// Every legal move with the number of lines of `depth` plies (at least 1) that begin with it.
///
/// Raises ValueError for a position that cannot be read in full, or that cannot be played.
#[pyfunction]
#[pyo3(signature = (line, depth, *, chess960))]
pub fn fen_perft(py: Python<'_>, line: &str, depth: u32, chess960: bool) -> PyResult<Vec<(String, u64)>> {
    let board = understood(line, chess960).ok_or_else(|| PyValueError::new_err("the position cannot be played"))?;
    let mut moves = MoveList::new();
    board.legal_moves(!0, !0, &mut moves);
    let mut counts = Vec::with_capacity(moves.len());
    for mv in moves {
        let mut after = board.clone();
        after.play(mv);
        let mut count = 0;
        if depth <= SHALLOW {
            count = perft(&after, depth.saturating_sub(1));
        } else {
            let mut replies = MoveList::new();
            after.legal_moves(!0, !0, &mut replies);
            for reply in replies {
                let mut next = after.clone();
                next.play(reply);
                count += py.detach(|| perft(&next, depth - 2));
                py.check_signals()?;
            }
        }
        counts.push((board.uci(mv).to_string(), count));
    }
    Ok(counts)
}

/// The positions that were seen so far.
#[pyclass(module = "chesstools._core")]
pub struct SeenPositions {
    seen: Seen,
    by_text: bool,
    chess960: bool,
}

#[pymethods]
impl SeenPositions {
    #[new]
    #[pyo3(signature = (*, by_text, chess960))]
    fn new(by_text: bool, chess960: bool) -> SeenPositions {
        SeenPositions { seen: Seen::default(), by_text, chess960 }
    }

    /// What `fen_rows::new_rows` tells.
    fn add(&mut self, py: Python<'_>, lines: &Bound<'_, PyAny>) -> PyResult<Batches> {
        let lines = strings_of(lines)?;
        let SeenPositions { seen, by_text, chess960 } = self;
        py.detach(|| new_rows(&lines, seen, *by_text, *chess960)).map(stream_of).map_err(of_arrow)
    }
}
