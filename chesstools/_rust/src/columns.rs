//! Columns of a table while they are filled: values are written straight into the buffers that Arrow will hold.
//!
//! A column gives its buffers away when it is finished, and makes new ones as large as the last.

use std::sync::Arc;

use arrow_array::builder::BooleanBufferBuilder;
use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{ArrayRef, BooleanArray, ListArray, MapArray, PrimitiveArray, StringArray, StructArray};
use arrow_buffer::{Buffer, NullBuffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType};

/// A column that can be finished.
pub trait Column {
    /// The rows so far as an array of the type `kind`; the column is empty afterwards.
    fn finish(&mut self, kind: &DataType) -> Result<ArrayRef, ArrowError>;
}

/// Takes the contents and leaves an empty vector that has room for as much again.
fn take<T>(values: &mut Vec<T>) -> Vec<T> {
    let room = values.len() + values.len() / 8;
    std::mem::replace(values, Vec::with_capacity(room))
}

/// Whole and other numbers.
pub struct Numbers<T: ArrowPrimitiveType> {
    values: Vec<T::Native>,
    nulls: NullBufferBuilder,
}

impl<T: ArrowPrimitiveType> Default for Numbers<T> {
    fn default() -> Self {
        Numbers { values: Vec::new(), nulls: NullBufferBuilder::new(0) }
    }
}

impl<T: ArrowPrimitiveType> Numbers<T> {
    #[inline]
    pub fn push(&mut self, value: T::Native) {
        self.values.push(value);
        self.nulls.append_non_null();
    }

    #[inline]
    pub fn push_option(&mut self, value: Option<T::Native>) {
        self.values.push(value.unwrap_or_default());
        self.nulls.append(value.is_some());
    }

    /// One value for each of several rows, none of them null.
    #[inline]
    pub fn extend(&mut self, values: impl ExactSizeIterator<Item = T::Native>) {
        self.nulls.append_n_non_nulls(values.len());
        self.values.extend(values);
    }

    pub fn push_nulls(&mut self, count: usize) {
        self.values.resize(self.values.len() + count, T::Native::default());
        self.nulls.append_n_nulls(count);
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
pub struct Flags {
    values: BooleanBufferBuilder,
    nulls: NullBufferBuilder,
}

impl Default for Flags {
    fn default() -> Self {
        Flags { values: BooleanBufferBuilder::new(0), nulls: NullBufferBuilder::new(0) }
    }
}

impl Flags {
    #[inline]
    pub fn push(&mut self, value: bool) {
        self.values.append(value);
        self.nulls.append_non_null();
    }

    #[inline]
    pub fn push_option(&mut self, value: Option<bool>) {
        self.values.append(value.unwrap_or(false));
        self.nulls.append(value.is_some());
    }
}

impl Column for Flags {
    fn finish(&mut self, _: &DataType) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(BooleanArray::new(self.values.finish(), self.nulls.finish())))
    }
}

/// Texts of any length.
pub struct Texts {
    bytes: Vec<u8>,
    /// Where each text begins, and where the last one ends.
    offsets: Vec<i32>,
    nulls: NullBufferBuilder,
}

impl Default for Texts {
    fn default() -> Self {
        Texts { bytes: Vec::new(), offsets: vec![0], nulls: NullBufferBuilder::new(0) }
    }
}

impl Texts {
    #[inline]
    pub fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.end();
    }

    #[inline]
    pub fn push_option(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.push(text),
            None => self.push_null(),
        }
    }

    /// A text of fixed length, which costs no more than a store.
    #[inline]
    pub fn push_ascii<const N: usize>(&mut self, text: [u8; N]) {
        debug_assert!(text.is_ascii());
        self.bytes.extend_from_slice(&text);
        self.end();
    }

    /// A text that `write` adds to the bytes it is given.
    #[inline]
    pub fn push_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.end();
    }

    #[inline]
    pub fn push_null(&mut self) {
        self.offsets.push(self.bytes.len() as i32);
        self.nulls.append_null();
    }

    pub fn push_nulls(&mut self, count: usize) {
        self.offsets.resize(self.offsets.len() + count, self.bytes.len() as i32);
        self.nulls.append_n_nulls(count);
    }

    /// Adds to the text that is pushed next; `join` then ends it.
    #[inline]
    pub fn add(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Adds to the text that is pushed next, behind a blank if it has begun already.
    pub fn add_word(&mut self, text: &str) {
        if self.has_begun() {
            self.bytes.push(b' ');
        }
        self.add(text);
    }

    /// Pushes what was added; null where that is nothing.
    pub fn join(&mut self) {
        if self.has_begun() {
            self.end();
        } else {
            self.push_null();
        }
    }

    fn has_begun(&self) -> bool {
        self.bytes.len() as i32 > self.offsets[self.offsets.len() - 1]
    }

    #[inline]
    fn end(&mut self) {
        self.offsets.push(self.bytes.len() as i32);
        self.nulls.append_non_null();
    }

    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn array(&mut self) -> Result<StringArray, ArrowError> {
        let bytes = Buffer::from_vec(take(&mut self.bytes));
        let offsets = take_offsets(&mut self.offsets);
        StringArray::try_new(offsets, bytes, self.nulls.finish())
    }
}

impl Column for Texts {
    fn finish(&mut self, _: &DataType) -> Result<ArrayRef, ArrowError> {
        Ok(Arc::new(self.array()?))
    }
}

fn take_offsets(offsets: &mut Vec<i32>) -> OffsetBuffer<i32> {
    let taken = take(offsets);
    offsets.push(0);
    OffsetBuffer::new(ScalarBuffer::from(taken))
}

/// Lists of values that are not null themselves. `items` takes the values of the list that is pushed next.
pub struct Lists<C> {
    pub items: C,
    offsets: Vec<i32>,
    nulls: NullBufferBuilder,
}

impl<C: Default> Default for Lists<C> {
    fn default() -> Self {
        Lists { items: C::default(), offsets: vec![0], nulls: NullBufferBuilder::new(0) }
    }
}

impl<C: Column + Length> Lists<C> {
    /// Pushes the items that were added.
    #[inline]
    pub fn push(&mut self) {
        self.offsets.push(self.items.length() as i32);
        self.nulls.append_non_null();
    }

    #[inline]
    pub fn push_null(&mut self) {
        self.offsets.push(self.items.length() as i32);
        self.nulls.append_null();
    }

    pub fn push_nulls(&mut self, count: usize) {
        self.offsets.resize(self.offsets.len() + count, self.items.length() as i32);
        self.nulls.append_n_nulls(count);
    }

    /// Pushes the items that were added; null where there are none.
    #[inline]
    pub fn join(&mut self) {
        let begun = self.items.length() as i32 > self.offsets[self.offsets.len() - 1];
        if begun {
            self.push();
        } else {
            self.push_null();
        }
    }
}

impl<C: Column> Column for Lists<C> {
    fn finish(&mut self, kind: &DataType) -> Result<ArrayRef, ArrowError> {
        let DataType::List(item) = kind else { return Err(other_type(kind)) };
        let items = self.items.finish(item.data_type())?;
        let offsets = take_offsets(&mut self.offsets);
        Ok(Arc::new(ListArray::try_new(item.clone(), offsets, items, self.nulls.finish())?))
    }
}

/// A column that tells how many rows it has.
pub trait Length {
    fn length(&self) -> usize;
}

impl Length for Texts {
    fn length(&self) -> usize {
        self.len()
    }
}

impl<T: ArrowPrimitiveType> Length for Numbers<T> {
    fn length(&self) -> usize {
        self.len()
    }
}

/// Maps from text to text, in the order in which the pairs were added; never null.
pub struct TextMaps {
    keys: Texts,
    values: Texts,
    offsets: Vec<i32>,
}

impl Default for TextMaps {
    fn default() -> Self {
        TextMaps { keys: Texts::default(), values: Texts::default(), offsets: vec![0] }
    }
}

impl TextMaps {
    /// A pair of the map that is pushed next.
    #[inline]
    pub fn add(&mut self, key: &str, value: &str) {
        self.keys.push(key);
        self.values.push(value);
    }

    /// Pushes the pairs that were added.
    #[inline]
    pub fn push(&mut self) {
        self.offsets.push(self.keys.len() as i32);
    }
}

impl Column for TextMaps {
    fn finish(&mut self, kind: &DataType) -> Result<ArrayRef, ArrowError> {
        let DataType::Map(entry, sorted) = kind else { return Err(other_type(kind)) };
        let DataType::Struct(fields) = entry.data_type() else { return Err(other_type(kind)) };
        let pairs: Vec<ArrayRef> = vec![Arc::new(self.keys.array()?), Arc::new(self.values.array()?)];
        let entries = StructArray::try_new(fields.clone(), pairs, None::<NullBuffer>)?;
        let offsets = take_offsets(&mut self.offsets);
        Ok(Arc::new(MapArray::try_new(entry.clone(), offsets, entries, None, *sorted)?))
    }
}

fn other_type(kind: &DataType) -> ArrowError {
    ArrowError::SchemaError(format!("a column has the type {kind}, which this module does not make"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int32Type;
    use arrow_array::Array;
    use arrow_schema::Field;

    #[test]
    fn texts_and_nulls() {
        let mut texts = Texts::default();
        texts.push("a½");
        texts.push_null();
        texts.add_word("one");
        texts.add_word("two");
        texts.join();
        texts.join();
        texts.push_ascii(*b"e4");
        texts.push_nulls(2);
        let array = texts.finish(&DataType::Utf8).unwrap();
        let found: Vec<Option<&str>> = array.as_string::<i32>().iter().collect();
        assert_eq!(found, [Some("a½"), None, Some("one two"), None, Some("e4"), None, None]);
        texts.push("again");
        assert_eq!(texts.finish(&DataType::Utf8).unwrap().as_string::<i32>().value(0), "again");
    }

    #[test]
    fn numbers_and_lists() {
        let mut lists = Lists::<Numbers<Int32Type>>::default();
        lists.items.push(1);
        lists.items.extend([2, 3].into_iter());
        lists.join();
        lists.join();
        lists.push();
        let array = lists.finish(&DataType::List(Arc::new(Field::new("item", DataType::Int32, true)))).unwrap();
        let list = array.as_list::<i32>();
        assert_eq!(list.value(0).as_primitive::<Int32Type>().values(), &[1, 2, 3]);
        assert_eq!((list.is_null(1), list.is_null(2), list.value(2).len()), (true, false, 0));
        assert!(lists.finish(&DataType::Utf8).is_err());
    }

    #[test]
    fn maps_keep_order_and_doubles() {
        let mut maps = TextMaps::default();
        maps.add("b", "1");
        maps.add("b", "2");
        maps.push();
        maps.push();
        let pair = vec![Field::new("key", DataType::Utf8, false), Field::new("value", DataType::Utf8, true)];
        let kind = DataType::Map(Arc::new(Field::new("entries", DataType::Struct(pair.into()), false)), false);
        let array = maps.finish(&kind).unwrap();
        assert_eq!((array.as_map().value(0).len(), array.as_map().value(1).len()), (2, 0));
    }
}
