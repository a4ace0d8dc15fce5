//! A stream as Python drives it: blocks are asked for where they are wanted, and nobody waits for long without looking whether the
//! user wants to stop.

use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyIterator};

use crate::errors::{of_arrow, of_failure};
use crate::feed::Feed;
use crate::file::Unpacked;
use crate::front::Front;
use crate::limits::LOOK_BEHIND;
use crate::pieces::Piece;
use crate::segment::Start;
use crate::stream::{Advance, Stream};
use crate::worker::Job;

/// How long nobody looks whether the user wants to stop.
const PATIENCE: Duration = Duration::from_millis(100);

/// Offset, line, number of the next game, glued, too long: a `chesstools.step.Position`.
pub type Position = (u64, u64, i64, bool, bool);

/// The pieces of a stream. What the file cannot give comes from `rest`: called with a place in the stream, it gives the blocks from
/// there on.
pub struct Reading {
    stream: Option<Stream>,
    rest: Py<PyAny>,
    blocks: Option<Py<PyIterator>>,
}

/// What reads from `start` to `stop`: `file`, which begins at `begin` in the stream, or whoever is asked when it has no more.
pub fn front(py: Python<'_>, (file, begin): (Option<Unpacked>, u64), start: Position, stop: Option<u64>) -> Front {
    let (at, line, _, glued, too_long) = start;
    // What is not there to be looked back at is not needed: a plan begins at such places only.
    let base = at.saturating_sub(LOOK_BEHIND as u64).max(begin);
    let start = Start { at: (at - base) as usize, line, glued, too_long };
    py.detach(|| Front::new(Feed::new(base, start), file, base - begin, stop))
}

impl Reading {
    /// `file` are the bytes, as far as the core reads them itself, where they begin in the stream and whether they are packed.
    /// Regions from `stop` on, where one begins, are not read.
    pub fn new(
        py: Python<'_>,
        (file, begin, is_packed): (Option<Unpacked>, u64, bool),
        rest: Py<PyAny>,
        start: Position,
        stop: Option<u64>,
        job: Job,
        jobs: usize,
    ) -> PyResult<Reading> {
        let has_thread = file.is_some() && (is_packed || jobs > 1);
        let front = front(py, (file, begin), start, stop);
        let stream = Stream::new(job, front, has_thread, jobs).map_err(of_arrow)?;
        Ok(Reading { stream: Some(stream), rest, blocks: None })
    }

    /// The next piece, None at the end.
    pub fn next(&mut self, py: Python<'_>) -> PyResult<Option<Piece>> {
        while let Some(stream) = &mut self.stream {
            match py.detach(|| stream.advance(PATIENCE)).map_err(of_failure)? {
                Advance::Piece(piece) => return Ok(Some(piece)),
                Advance::Waiting => py.check_signals()?,
                Advance::End => self.close(py),
                Advance::Feed(offset) => {
                    let blocks = match &self.blocks {
                        Some(blocks) => blocks.bind(py).clone(),
                        None => self.rest.bind(py).call1((offset,))?.try_iter()?,
                    };
                    self.blocks = Some(blocks.clone().unbind());
                    match { blocks }.next() {
                        Some(block) => stream.feed(block?.cast::<PyBytes>()?.as_bytes()),
                        None => stream.finish(),
                    }
                }
            }
        }
        Ok(None)
    }

    /// Stops the threads. What was not read by then is not read.
    pub fn close(&mut self, py: Python<'_>) {
        let stream = self.stream.take();
        py.detach(|| drop(stream));
    }
}
