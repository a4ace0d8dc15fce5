//! Errors of the core as Python exceptions. What is wrong with the data is a finding and never comes here.

use arrow_schema::ArrowError;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::PyErr;

use crate::stream::Failure;

/// A chunk could not be judged: an error of this program.
pub fn of_failure(failure: Failure) -> PyErr {
    PyRuntimeError::new_err(format!("The native engine failed: {failure}. Please report this; --engine reference still works."))
}

/// A table could not be built: too much for the memory, or an error of this program.
pub fn of_arrow(error: ArrowError) -> PyErr {
    match error {
        ArrowError::MemoryError(message) => PyMemoryError::new_err(message),
        error => of_failure(Failure::Arrow(error)),
    }
}
