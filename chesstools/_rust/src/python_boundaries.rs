//! Where regions begin, for Python: see `boundaries.rs`.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyIterator};

use crate::boundaries::{self, Advance};
use crate::pieces::Place;
use crate::python::{position, File};
use crate::python_reading::{front, Position};

/// Goes from region to region without judging them. What `file` cannot give comes from `rest`, as for `Scan`.
#[pyclass(module = "chesstools._core")]
pub struct Boundaries {
    inner: boundaries::Boundaries,
    first_game: i64,
    rest: Py<PyAny>,
    blocks: Option<Py<PyIterator>>,
}

#[pymethods]
impl Boundaries {
    #[new]
    #[pyo3(signature = (file, rest, *, start))]
    fn new(py: Python<'_>, file: Option<&Bound<'_, File>>, rest: Py<PyAny>, start: Position) -> Boundaries {
        let (file, begin, _) = file.map_or((None, 0, false), |file| file.borrow_mut().take());
        let (offset, line, first_game, glued, too_long) = start;
        let place = Place { offset, line, glued, too_long };
        let inner = boundaries::Boundaries::new(front(py, (file, begin), start, None), place);
        Boundaries { inner, first_game, rest, blocks: None }
    }

    /// The first place between two regions at `offset` or behind it, or the end of the stream. Places only come in order.
    fn until(&mut self, py: Python<'_>, offset: u64) -> PyResult<Position> {
        loop {
            let inner = &mut self.inner;
            match py.detach(|| inner.advance(offset)) {
                Advance::Here => break,
                Advance::Going => py.check_signals()?,
                Advance::Feed(offset) => {
                    let blocks = match &self.blocks {
                        Some(blocks) => blocks.bind(py).clone(),
                        None => self.rest.bind(py).call1((offset,))?.try_iter()?,
                    };
                    self.blocks = Some(blocks.clone().unbind());
                    match { blocks }.next() {
                        Some(block) => self.inner.feed(block?.cast::<PyBytes>()?.as_bytes()),
                        None => self.inner.finish(),
                    }
                }
            }
        }
        let (place, games) = self.inner.place();
        Ok(position(place, self.first_game + games as i64))
    }
}
