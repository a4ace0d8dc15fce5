//! Columns from Python through the C interface of Arrow.

use arrow_array::cast::AsArray;
use arrow_array::ffi::{from_ffi, FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::{make_array, Array, ArrayRef, Int32Array, StringArray};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods, PyTuple};

use crate::errors::of_arrow;

/// The strings of an object with `__arrow_c_array__`; its memory is shared, not copied. Raises TypeError for other types.
pub fn strings_of(object: &Bound<'_, PyAny>) -> PyResult<StringArray> {
    let array = array_of(object)?;
    let strings = array.as_string_opt().cloned();
    strings.ok_or_else(|| PyTypeError::new_err(format!("a column of strings is wanted, not of {}", array.data_type())))
}

/// The same of whole numbers of 32 bits.
pub fn numbers_of(object: &Bound<'_, PyAny>) -> PyResult<Int32Array> {
    let array = array_of(object)?;
    let numbers = array.as_primitive_opt().cloned();
    numbers.ok_or_else(|| PyTypeError::new_err(format!("a column of numbers of 32 bits is wanted, not of {}", array.data_type())))
}

fn array_of(object: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let capsules = object.call_method0("__arrow_c_array__")?.cast_into::<PyTuple>()?;
    let schema = capsules.get_item(0)?.cast_into::<PyCapsule>()?;
    let array = capsules.get_item(1)?.cast_into::<PyCapsule>()?;
    let schema = schema.pointer_checked(Some(c"arrow_schema"))?.cast::<FFI_ArrowSchema>();
    let array = array.pointer_checked(Some(c"arrow_array"))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of these names hold such structs, and live until the end of this function; what is taken out of the second
    // leaves it released, as its capsule expects.
    let data = unsafe { from_ffi(FFI_ArrowArray::from_raw(array.as_ptr()), schema.as_ref()) }.map_err(of_arrow)?;
    Ok(make_array(data))
}
