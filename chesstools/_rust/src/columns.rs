//! Columns of a table while they are filled: values are written straight into the buffers that Arrow will hold.
//!
//! A column gives its buffers away when it is finished, and makes new ones as large as the last. Tables with many rows fill
//! several rows of a column at once, which leaves next to nothing to decide for each value.

use std::sync::Arc;

use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{ArrayRef, BooleanArray, PrimitiveArray};
use arrow_buffer::{OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType};

use crate::bits::{Bits, Nulls};

/// A column that can be finished.
pub trait Column {
    /// The rows so far as an array of the type `kind`; the column is empty afterwards.
    fn finish(&mut self, kind: &DataType) -> Result<ArrayRef, ArrowError>;
}

/// Takes the contents and leaves an empty vector that has room for as much again.
pub(crate) fn take<T>(values: &mut Vec<T>) -> Vec<T> {
    let room = values.len() + values.len() / 8;
    std::mem::replace(values, Vec::with_capacity(room))
}

/// Offsets that were pushed in order: each was the length of something that only grows, up to `length`.
pub(crate) fn take_offsets(offsets: &mut Vec<i32>, length: usize) -> OffsetBuffer<i32> {
    assert!(length <= i32::MAX as usize, "a column of one batch is larger than 2 GiB");
    let taken = take(offsets);
    offsets.push(0);
    debug_assert!(taken.first() == Some(&0) && taken.is_sorted() && taken.last() == Some(&(length as i32)));
    // SAFETY: offsets begin with 0, which `Default` and the line above push, and no length was cut to fit into its type.
    unsafe { OffsetBuffer::new_unchecked(ScalarBuffer::from(taken)) }
}

/// Whole and other numbers.
pub struct Numbers<T: ArrowPrimitiveType> {
    values: Vec<T::Native>,
    nulls: Nulls,
}

impl<T: ArrowPrimitiveType> Default for Numbers<T> {
    fn default() -> Self {
        Numbers { values: Vec::new(), nulls: Nulls::default() }
    }
}

impl<T: ArrowPrimitiveType> Numbers<T> {
    #[inline]
    pub fn push(&mut self, value: T::Native) {
        self.values.push(value);
        self.nulls.push(true);
    }

    #[inline]
    pub fn push_option(&mut self, value: Option<T::Native>) {
        self.values.push(value.unwrap_or_default());
        self.nulls.push(value.is_some());
    }

    /// One value for each of several rows, none of them null.
    #[inline]
    pub fn extend(&mut self, values: impl ExactSizeIterator<Item = T::Native>) {
        self.nulls.push_many(true, values.len());
        self.values.extend(values);
    }

    pub fn push_nulls(&mut self, count: usize) {
        self.values.resize(self.values.len() + count, T::Native::default());
        self.nulls.push_many(false, count);
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

impl<T: ArrowPrimitiveType> Column for Numbers<T> {
    fn finish(&mut self, _: &DataType) -> Result<ArrayRef, ArrowError> {
        let values = ScalarBuffer::from(take(&mut self.values));
        Ok(Arc::new(PrimitiveArray::<T>::try_new(values, self.nulls.finish())?))
    }
}

/// Truth values.
#[derive(Default)]
pub struct Flags {
    values: Bits,
    nulls: Nulls,
}

impl Flags {
    #[inline]
    pub fn push(&mut self, value: bool) {
        self.values.push(value);
        self.nulls.push(true);
    }

    #[inline]
    pub fn push_option(&mut self, value: Option<bool>) {
        self.values.push(value.unwrap_or(false));
        self.nulls.push(value.is_some());
    }

    /// One value for each of several rows, none of them null.
    #[inline]
    pub fn extend(&mut self, values: impl ExactSizeIterator<Item = bool>) {
        self.nulls.push_many(true, values.len());
        self.values.extend(values);
    }

    /// The same value for each of `count` rows.
    pub fn push_many(&mut self, value: bool, count: usize) {
        self.values.push_many(value, count);
        self.nulls.push_many(true, count);
    }
}

impl Column for Flags {
    fn finish(&mut self, _: &DataType) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(BooleanArray::new(self.values.finish(), self.nulls.finish())))
    }
}
