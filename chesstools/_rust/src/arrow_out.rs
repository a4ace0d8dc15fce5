//! Record batches to Python through the C stream interface of Arrow, and schemas from there.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, Schema, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};

use crate::errors::of_arrow;

/// The schema that an object with `__arrow_c_schema__` stands for.
pub fn schema_of(object: &Bound<'_, PyAny>) -> PyResult<SchemaRef> {
    let capsule = object.call_method0("__arrow_c_schema__")?.cast_into::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(c"arrow_schema"))?.cast::<FFI_ArrowSchema>();
    // SAFETY: a capsule of this name holds such a struct, and lives until the end of this function.
    let schema = Schema::try_from(unsafe { pointer.as_ref() }).map_err(of_arrow)?;
    Ok(Arc::new(schema))
}

/// Batches of one table that wait to be taken.
pub struct Queue {
    schema: SchemaRef,
    waiting: Arc<Mutex<VecDeque<RecordBatch>>>,
}

impl Queue {
    pub fn new(schema: SchemaRef) -> Queue {
        Queue { schema, waiting: Arc::default() }
    }

    pub fn push(&self, batch: RecordBatch) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push_back(batch);
    }

    pub fn batches(&self) -> Batches {
        Batches { schema: self.schema.clone(), waiting: self.waiting.clone() }
    }
}

/// The batches of one table, for `pyarrow.RecordBatchReader.from_stream` and all else that reads Arrow streams. A batch can be
/// read as soon as the part that it belongs to was given; reading on before is the end of the stream.
#[pyclass(frozen, module = "chesstools._core")]
pub struct Batches {
    schema: SchemaRef,
    waiting: Arc<Mutex<VecDeque<RecordBatch>>>,
}

#[pymethods]
impl Batches {
    /// The C stream in a capsule. The schema is as it is, whatever is asked for.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let reader = Reader { schema: self.schema.clone(), waiting: self.waiting.clone() };
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), c"arrow_array_stream")
    }
}

struct Reader {
    schema: SchemaRef,
    waiting: Arc<Mutex<VecDeque<RecordBatch>>>,
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front().map(Ok)
    }
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
