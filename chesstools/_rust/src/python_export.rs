//! Games written in other formats, as Python sees them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyBytes, PyDict, PyList};

use crate::export::exporter::Written;
use crate::export::options::{Format, Keep, Letters, Notation, Options, Positions, TagOptions};
use crate::normal_form::EnPassant;
use crate::pieces::Piece;
use crate::profile::Profile;
use crate::profile_choice::ProfileChoice;
use crate::python::{packed_games, position, File};
use crate::python_reading::{Position, Reading};
use crate::rows::Tables;
use crate::seen::Seen;
use crate::winnable::Depth;
use crate::worker::Job;

/// Writes the games of a stream of bytes in another format. Iterate it for the parts of the text, in order.
#[pyclass(module = "chesstools._core")]
pub struct Export {
    reading: Reading,
    next_game: i64,
}

#[pymethods]
impl Export {
    /// `options` are those of `chesstools.formats` that mean something to the format.
    #[new]
    #[pyo3(signature = (file, rest, *, source, format, options, jobs))]
    fn new(
        py: Python<'_>,
        file: Option<&Bound<'_, File>>,
        rest: Py<PyAny>,
        source: String,
        format: &str,
        options: &Bound<'_, PyDict>,
        jobs: usize,
    ) -> PyResult<Export> {
        let file = file.map_or((None, 0, false), |file| file.borrow_mut().take());
        let job = Job {
            source,
            schemas: Tables::default(),
            choice: ProfileChoice::from(Profile::fide_2023()),
            codes: HashSet::new(),
            openings: None,
            depth: Depth::Quick,
            batch_games: u64::MAX,
            export: Some(Arc::new(options_of(format, options)?)),
        };
        let reading = Reading::new(py, file, rest, (0, 1, 0, false, false), None, job, jobs)?;
        Ok(Export { reading, next_game: 0 })
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Text>> {
        let first_game = self.next_game;
        match self.reading.next(py)? {
            None => Ok(None),
            Some(Piece::Written(written)) => {
                self.next_game += written.games as i64;
                Text::of(py, first_game, &written).map(Some)
            }
            Some(Piece::Elsewhere { games, end }) => {
                self.next_game += games.len() as i64;
                let elsewhere = Some(packed_games(py, &games)?);
                let end = position(end, self.next_game);
                Ok(Some(Text { first_game, games: games.len() as u64, text: None, keys: None, left: None, elsewhere, end }))
            }
            Some(Piece::Judged { .. }) => Err(PyTypeError::new_err("games are judged by Scan")),
        }
    }

    /// Stops the threads. What was not read by then is not read.
    fn close(&mut self, py: Python<'_>) {
        self.reading.close(py);
    }
}

/// Consecutive games: their text, or (then that is None) games of variants that the readable engine must write.
#[pyclass(frozen, module = "chesstools._core")]
pub struct Text {
    /// Number of its first game.
    #[pyo3(get)]
    first_game: i64,
    #[pyo3(get)]
    games: u64,
    #[pyo3(get)]
    text: Option<Py<PyBytes>>,
    /// Keys of the positions, 16 bytes for each line, where they are wanted.
    #[pyo3(get)]
    keys: Option<Py<PyBytes>>,
    /// What was left behind, by kind.
    #[pyo3(get)]
    left: Option<Py<PyDict>>,
    /// Games as `chesstools.reference.parallel.Packed` holds them.
    #[pyo3(get)]
    elsewhere: Option<Py<PyList>>,
    /// The place behind them; known for `elsewhere` only.
    #[pyo3(get)]
    end: Position,
}

impl Text {
    fn of(py: Python<'_>, first_game: i64, written: &Written) -> PyResult<Text> {
        let text = match written.numbers.is_empty() {
            true => PyBytes::new(py, &written.text),
            false => PyBytes::new(py, &py.detach(|| numbered(first_game, written))),
        };
        let keys: Vec<u8> = written.keys.iter().flat_map(|key| key.to_be_bytes()).collect();
        Ok(Text {
            first_game,
            games: written.games,
            text: Some(text.unbind()),
            keys: Some(PyBytes::new(py, &keys).unbind()),
            left: Some(written.left.iter().into_py_dict(py)?.unbind()),
            elsewhere: None,
            end: Position::default(),
        })
    }
}

/// The text with the numbers of games in it.
fn numbered(first_game: i64, written: &Written) -> Vec<u8> {
    let mut text = Vec::with_capacity(written.text.len() + 8 * written.numbers.len());
    let mut from = 0;
    for &(at, number) in &written.numbers {
        text.extend_from_slice(&written.text[from..at]);
        text.extend_from_slice((first_game + number as i64).to_string().as_bytes());
        from = at;
    }
    text.extend_from_slice(&written.text[from..]);
    text
}

fn options_of(format: &str, given: &Bound<'_, PyDict>) -> PyResult<Options> {
    let given: HashMap<String, Bound<'_, PyAny>> = given.extract()?;
    let is_on = |name: &str, otherwise: bool| given.get(name).map_or(Ok(otherwise), |value| value.extract::<bool>());
    let word = |name: &str| given.get(name).map(|value| value.extract::<String>()).transpose();
    let unknown = |what: String| PyValueError::new_err(format!("{what:?} is unknown"));
    let notation = match word("moves")?.as_deref().unwrap_or(format) {
        "lan" => Notation::Lan,
        "uci" => Notation::Uci,
        _ => Notation::San,
    };
    let format = match format {
        "pgn" => Format::Pgn,
        "jsonl" => Format::JsonLines,
        "san" | "lan" | "uci" => Format::Moves,
        "fen" => Format::Fen,
        "epd" => Format::Epd,
        other => return Err(unknown(other.to_owned())),
    };
    let reduced = is_on("reduced", false)?;
    let keep = Keep {
        comments: is_on("comments", true)? && !reduced,
        nags: is_on("nags", true)? && !reduced,
        variations: is_on("variations", true)? && !reduced,
        clocks: is_on("clocks", true)?,
        commands: is_on("commands", true)?,
        bare: reduced,
    };
    let tags = TagOptions {
        seven: is_on("seven_tags", false)? || reduced,
        roster: is_on("roster", false)? || reduced,
        sorted: word("tag_order")?.as_deref() == Some("standard"),
    };
    let width = given.get("line_width").map_or(Ok(0), |value| value.extract::<usize>())?;
    let letters = given.get("letters").map(|value| value.extract::<Vec<String>>()).transpose()?;
    let letters = letters.and_then(|letters| <[String; 6]>::try_from(letters).ok()).map(Letters::new);
    let positions = match given.get("positions") {
        None => Positions::Final,
        Some(value) => match value.extract::<u32>() {
            Ok(plies) => Positions::After(plies),
            Err(_) => match value.extract::<String>()?.as_str() {
                "start" => Positions::After(0),
                "every" => Positions::Every,
                _ => Positions::Final,
            },
        },
    };
    let ep = match word("ep")?.as_deref() {
        Some("standard") => EnPassant::Standard,
        Some("never") => EnPassant::Never,
        _ => EnPassant::Legal,
    };
    Ok(Options {
        format,
        notation,
        letters: letters.filter(|letters| !letters.are_english()),
        width: if width == 0 { usize::MAX } else { width },
        keep,
        tags,
        positions,
        ep,
        keys: is_on("unique", false)?,
    })
}

/// Tells the lines of positions that did not stand in the text before. It remembers 16 bytes of each.
#[pyclass(module = "chesstools._core")]
#[derive(Default)]
pub struct Unique {
    seen: Seen,
}

#[pymethods]
impl Unique {
    #[new]
    fn new() -> Unique {
        Unique::default()
    }

    /// The lines of `text` whose key, of the 16 bytes for each in `keys`, is new.
    fn keep<'py>(&mut self, py: Python<'py>, text: &[u8], keys: &[u8]) -> Bound<'py, PyBytes> {
        let mut kept = Vec::new();
        let lines = text.split_inclusive(|&byte| byte == b'\n');
        for (line, key) in lines.zip(keys.chunks_exact(16)) {
            let key = key.try_into().map_or(0, u128::from_be_bytes);
            if self.seen.is_new_key(key) {
                kept.extend_from_slice(line);
            }
        }
        PyBytes::new(py, &kept)
    }
}
