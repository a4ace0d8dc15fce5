//! The core as Python sees it: arguments in, Arrow out. Nothing is decided here.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyBytes, PyDict, PyList, PyTuple};

use crate::arrow_out::{schema_of, Batches, Queue};
use crate::counts::Counts;
use crate::errors::of_arrow;
use crate::file::{Told, Unpacked};
use crate::lexer::Token;
use crate::limits::NAMED;
use crate::pieces::{Copied, Piece, Place};
use crate::python_boundaries::Boundaries;
use crate::python_export::{Export, Text, Unique};
use crate::python_fen::{self, SeenPositions};
use crate::python_profiles::choice_of;
use crate::python_reading::{Position, Reading};
use crate::rows::Tables;
use crate::winnable::Depth;
use crate::worker::Job;

/// A local file that the core reads by itself, and what is told of its bytes as stored.
#[pyclass(module = "chesstools._core")]
pub struct File {
    told: Arc<Told>,
    bytes: Option<(Unpacked, bool)>,
    /// Where the bytes begin in the stream.
    begin: u64,
}

#[pymethods]
impl File {
    /// None for what Python must read: a pipe, an archive, UTF-16, a few bytes, or what cannot be opened.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf, with_hash: bool) -> Option<File> {
        let told = Arc::<Told>::default();
        let bytes = py.detach(|| Unpacked::open(&path, with_hash, told.clone())).ok()??;
        Some(File { told, bytes: Some(bytes), begin: 0 })
    }

    /// The bytes from the stored byte `entry` on, which stands at `begin` in the stream: any place in a plain file, or where a
    /// member, stream or frame of a packed one begins. None for what Python must read.
    #[staticmethod]
    fn open_at(py: Python<'_>, path: PathBuf, entry: u64, begin: u64) -> Option<File> {
        let told = Arc::<Told>::default();
        let bytes = py.detach(|| Unpacked::open_at(&path, entry, told.clone())).ok()??;
        Some(File { told, bytes: Some(bytes), begin })
    }

    #[getter]
    fn stored_bytes_read(&self) -> u64 {
        self.told.stored_bytes_read()
    }

    /// What a reader should know of the text: nothing, as Python reads files of which there is something to say.
    #[getter]
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// xxh3_128 of the bytes as stored, in hexadecimal; None unless it is wanted and all of them were read.
    fn hash(&self) -> Option<String> {
        self.told.hash().map(|hash| format!("{hash:032x}"))
    }
}

impl File {
    /// The bytes, once, where they begin in the stream and whether they are packed.
    pub fn take(&mut self) -> (Option<Unpacked>, u64, bool) {
        self.bytes.take().map_or((None, self.begin, false), |(bytes, is_packed)| (Some(bytes), self.begin, is_packed))
    }
}

/// The names of openings, read once for all scans.
#[pyclass(frozen, module = "chesstools._core")]
struct Openings(Arc<crate::openings::Openings>);

#[pymethods]
impl Openings {
    /// `entries` are those of `chesstools.openings.Table`. Raises ValueError for one that cannot be read.
    #[new]
    fn new(entries: Vec<(String, String, String, Vec<String>)>) -> PyResult<Openings> {
        let rows = entries.iter().map(|(fen, eco, name, codes)| (&**fen, eco.clone(), name.clone(), codes.clone()));
        let table = crate::openings::Openings::of(rows).ok_or_else(|| PyValueError::new_err("an entry cannot be read"))?;
        Ok(Openings(Arc::new(table)))
    }
}

/// Judges a stream of bytes. Iterate it: each `Part` stands for rows that wait in the streams of `batches`.
///
/// What `file` cannot give comes from `rest`: called with a place in the stream, it gives the blocks from there on.
#[pyclass(module = "chesstools._core")]
struct Scan {
    reading: Reading,
    next_game: i64,
    queues: Tables<Option<Queue>>,
}

#[pymethods]
impl Scan {
    #[new]
    #[pyo3(signature = (file, rest, *, start, stop=None, source, schemas, choice, codes, openings, nodes, batch_games, jobs))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        file: Option<&Bound<'_, File>>,
        rest: Py<PyAny>,
        start: Position,
        stop: Option<u64>,
        source: String,
        schemas: &Bound<'_, PyDict>,
        choice: &Bound<'_, PyAny>,
        codes: HashSet<String>,
        openings: Option<&Bound<'_, Openings>>,
        nodes: Option<u32>,
        batch_games: Option<u64>,
        jobs: usize,
    ) -> PyResult<Scan> {
        let schemas = Tables {
            games: schemas.get_item("games")?.map(|schema| schema_of(&schema)).transpose()?,
            plies: schemas.get_item("plies")?.map(|schema| schema_of(&schema)).transpose()?,
            findings: schemas.get_item("findings")?.map(|schema| schema_of(&schema)).transpose()?,
            players: schemas.get_item("players")?.map(|schema| schema_of(&schema)).transpose()?,
            compared: schemas.get_item("compared")?.map(|schema| schema_of(&schema)).transpose()?,
        };
        let queues = Tables {
            games: schemas.games.clone().map(Queue::new),
            plies: schemas.plies.clone().map(Queue::new),
            findings: schemas.findings.clone().map(Queue::new),
            players: schemas.players.clone().map(Queue::new),
            compared: schemas.compared.clone().map(Queue::new),
        };
        let file = file.map_or((None, 0, false), |file| file.borrow_mut().take());
        let batch_games = batch_games.unwrap_or(u64::MAX);
        let depth = nodes.map_or(Depth::Quick, Depth::Full);
        let choice = choice_of(choice)?;
        let openings = openings.map(|openings| openings.get().0.clone());
        let job = Job { source, schemas, choice, codes, openings, depth, batch_games, export: None };
        let reading = Reading::new(py, file, rest, start, stop, job, jobs)?;
        Ok(Scan { reading, next_game: start.2, queues })
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Part>> {
        match self.reading.next(py)? {
            Some(piece) => self.part(py, piece).map(Some),
            None => Ok(None),
        }
    }

    /// The stream of record batches of one table (it has `__arrow_c_stream__`): after each part one batch waits in it.
    fn batches(&self, table: &str) -> PyResult<Batches> {
        let queue = match table {
            "games" => &self.queues.games,
            "plies" => &self.queues.plies,
            "findings" => &self.queues.findings,
            "players" => &self.queues.players,
            "compared" => &self.queues.compared,
            _ => &None,
        };
        queue.as_ref().map(Queue::batches).ok_or_else(|| PyKeyError::new_err(table.to_owned()))
    }

    /// Stops the threads. What was not read by then is not read.
    fn close(&mut self, py: Python<'_>) {
        self.reading.close(py);
    }
}

impl Scan {
    fn part(&mut self, py: Python<'_>, piece: Piece) -> PyResult<Part> {
        let first_game = self.next_game;
        match piece {
            Piece::Judged { batches, counts, end } => {
                self.next_game += counts.games as i64;
                let batches = py.detach(|| batches.count_from(first_game)).map_err(of_arrow)?;
                let Tables { games, plies, findings, players, compared } = &self.queues;
                for (queue, batch) in [
                    (games, batches.games),
                    (plies, batches.plies),
                    (findings, batches.findings),
                    (players, batches.players),
                    (compared, batches.compared),
                ] {
                    if let (Some(queue), Some(batch)) = (queue, batch) {
                        queue.push(batch);
                    }
                }
                Ok(Part { end: position(end, self.next_game), first_game, counts: Some(counts_of(py, &counts)?), games: None })
            }
            Piece::Elsewhere { games, end } => {
                self.next_game += games.len() as i64;
                let games = Some(packed_games(py, &games)?);
                Ok(Part { end: position(end, self.next_game), first_game, counts: None, games })
            }
            Piece::Written(_) => Err(PyTypeError::new_err("games are written by Export")),
        }
    }
}

/// Some consecutive regions: judged (then `counts` tells of them), or games of variants that the readable engine must judge.
#[pyclass(frozen, module = "chesstools._core")]
struct Part {
    /// The place behind it.
    #[pyo3(get)]
    end: Position,
    /// Number of its first game.
    #[pyo3(get)]
    first_game: i64,
    /// The fields of a `SourceSummary` but for its name.
    #[pyo3(get)]
    counts: Option<Py<PyDict>>,
    /// Games as `chesstools.reference.parallel.Packed` holds them.
    #[pyo3(get)]
    games: Option<Py<PyList>>,
}

pub fn position(place: Place, next_game: i64) -> Position {
    (place.offset, place.line, next_game, place.glued, place.too_long)
}

fn counts_of(py: Python<'_>, counts: &Counts) -> PyResult<Py<PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("bytes", counts.game_bytes + counts.quarantined_bytes)?;
    dict.set_item("games", counts.games)?;
    dict.set_item("game_bytes", counts.game_bytes)?;
    dict.set_item("quarantined_regions", counts.quarantined_regions)?;
    dict.set_item("quarantined_bytes", counts.quarantined_bytes)?;
    dict.set_item("plies", counts.plies)?;
    dict.set_item("unclaimed_draws", counts.unclaimed_draws)?;
    dict.set_item("results", tally(py, counts.results.iter())?)?;
    dict.set_item("draws_by_reason", tally(py, counts.draws_by_reason.iter())?)?;
    dict.set_item("findings", tally(py, counts.findings.iter())?)?;
    dict.set_item("other_severity", tally(py, counts.other_severity.iter())?)?;
    dict.set_item("severities", tally(py, counts.severities())?)?;
    Ok(dict.unbind())
}

fn tally<'py>(py: Python<'py>, words: impl Iterator<Item = (&'static str, u64)>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (word, count) in words {
        dict.set_item(word, count)?;
    }
    Ok(dict)
}

/// Games as the readable engine takes them.
pub fn packed_games(py: Python<'_>, games: &[Copied]) -> PyResult<Py<PyList>> {
    let packed = games.iter().map(|game| packed(py, game)).collect::<PyResult<Vec<_>>>()?;
    Ok(PyList::new(py, packed)?.unbind())
}

/// The fields of `chesstools.reference.parallel.Packed`; kinds of tokens are numbers, and `glued` is a list of triples.
fn packed<'py>(py: Python<'py>, game: &Copied) -> PyResult<Bound<'py, PyTuple>> {
    let place = |at: u32| game.base + u64::from(at);
    let kinds: Vec<u8> = game.tokens.iter().map(|token| token.kind as u8).collect();
    let starts: Vec<u64> = game.tokens.iter().map(|token| place(token.start)).collect();
    let ends: Vec<u64> = game.tokens.iter().map(|token| place(token.end)).collect();
    let glued = |token: &Token| (token.kind as usize, place(token.start), place(token.end));
    let glued: Vec<(usize, u64, u64)> = game.glued.iter().map(glued).collect();
    let data = PyBytes::new(py, &game.data);
    let kinds = PyBytes::new(py, &kinds);
    (true, game.offset, game.line, data, kinds, starts, ends, game.terminator, glued, game.too_long).into_pyobject(py)
}

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<File>()?;
    module.add_class::<Openings>()?;
    module.add_class::<Scan>()?;
    module.add_class::<Boundaries>()?;
    module.add_class::<Part>()?;
    module.add_class::<Export>()?;
    module.add_class::<Text>()?;
    module.add_class::<Unique>()?;
    module.add_class::<Batches>()?;
    module.add_class::<SeenPositions>()?;
    module.add_class::<crate::python_tallies::Block>()?;
    module.add_function(wrap_pyfunction!(crate::winnable::python::winnable, module)?)?;
    module.add_function(wrap_pyfunction!(crate::python_tallies::follow_kings, module)?)?;
    module.add_function(wrap_pyfunction!(crate::python_tallies::count_activity, module)?)?;
    module.add_function(wrap_pyfunction!(crate::python_tallies::count_material, module)?)?;
    module.add_function(wrap_pyfunction!(crate::python_tallies::count_survival, module)?)?;
    module.add_function(wrap_pyfunction!(crate::python_tallies::moves_of, module)?)?;
    module.add_function(wrap_pyfunction!(crate::python_tallies::put_numbers, module)?)?;
    module.add_function(wrap_pyfunction!(python_fen::fen_check, module)?)?;
    module.add_function(wrap_pyfunction!(python_fen::fen_normalise, module)?)?;
    module.add_function(wrap_pyfunction!(python_fen::fen_key, module)?)?;
    module.add_function(wrap_pyfunction!(python_fen::fen_moves, module)?)?;
    module.add_function(wrap_pyfunction!(python_fen::fen_perft, module)?)?;
    module.add("IS_DEBUG_BUILD", cfg!(debug_assertions))?;
    module.add("LIMITS", NAMED.into_py_dict(module.py())?)?;
    Ok(())
}
