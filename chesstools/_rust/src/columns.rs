//! Columns of a table while they are filled: values are written straight into the buffers that Arrow will hold.
//!
//! A column gives its buffers away when it is finished, and makes new ones as large as the last. Tables with many rows fill
//! several rows of a column at once, which leaves next to nothing to decide for each value.

use std::sync::Arc;

use arrow_array::types::ArrowPrimitiveType;
use arrow_array::{Array, ArrayRef, BooleanArray, ListArray, MapArray, PrimitiveArray, StringArray, StructArray};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType};

use crate::bits::{Bits, Nulls};
use crate::repeated::dictionary_of;

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
}

impl Flags {
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

/// Most bytes of a `Short`.
pub const SHORT: usize = 8;

/// A few ASCII signs that are copied without looking at their number.
#[derive(Clone, Copy, Debug)]
pub struct Short {
    /// All ASCII.
    bytes: u64,
    /// At most `SHORT`.
    length: u8,
}

impl Short {
    pub const EMPTY: Short = Short { bytes: 0, length: 0 };

    /// The first `length` of some bytes, up to the first that is not ASCII.
    #[inline]
    pub const fn new(bytes: [u8; SHORT], length: usize) -> Short {
        let bytes = u64::from_le_bytes(bytes);
        let other = ((bytes & 0x8080_8080_8080_8080).trailing_zeros() / 8) as usize;
        let length = if length < other { length } else { other };
        Short { bytes: bytes & 0x7f7f_7f7f_7f7f_7f7f, length: length as u8 }
    }

    /// The first `length` of some bytes that are ASCII; of others, the lower seven bits.
    #[inline]
    pub const fn ascii(bytes: u64, length: usize) -> Short {
        let length = if length < SHORT { length } else { SHORT };
        Short { bytes: bytes & 0x7f7f_7f7f_7f7f_7f7f, length: length as u8 }
    }

    pub const fn of(text: &str) -> Short {
        let (mut bytes, mut at) = ([0; SHORT], 0);
        while at < text.len() && at < SHORT {
            bytes[at] = text.as_bytes()[at];
            at += 1;
        }
        Short::new(bytes, at)
    }

    #[inline]
    pub fn bytes(self) -> [u8; SHORT] {
        self.bytes.to_le_bytes()
    }

    #[inline]
    pub fn len(self) -> usize {
        usize::from(self.length)
    }

    pub fn is_empty(self) -> bool {
        self.length == 0
    }
}

/// Texts of any length.
pub struct Texts {
    bytes: Vec<u8>,
    /// Where each text begins, and where the last one ends.
    offsets: Vec<i32>,
    nulls: Nulls,
}

impl Default for Texts {
    fn default() -> Self {
        Texts { bytes: Vec::new(), offsets: vec![0], nulls: Nulls::default() }
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

    /// A text of fixed length.
    #[inline]
    pub fn push_ascii<const N: usize>(&mut self, text: [u8; N]) {
        debug_assert!(text.is_ascii());
        self.bytes.extend_from_slice(&text);
        self.end();
    }

    /// One short text for each of several rows, none of them null. Each costs two stores.
    #[inline]
    pub fn extend(&mut self, texts: impl ExactSizeIterator<Item = Short>) {
        self.nulls.push_many(true, texts.len());
        self.extend_bytes(texts);
    }

    /// The same where an empty text is null.
    #[inline]
    pub fn extend_options(&mut self, texts: impl ExactSizeIterator<Item = Short> + Clone) {
        self.nulls.extend(texts.clone().map(|text| !text.is_empty()));
        self.extend_bytes(texts);
    }

    /// A text for each place (start and length) in `data`, if all of them are a few ASCII signs with some bytes behind them;
    /// else there is none.
    #[inline]
    pub fn extend_short(&mut self, data: &[u8], places: impl ExactSizeIterator<Item = (usize, usize)>) -> bool {
        let (begin, row, count) = (self.bytes.len(), self.offsets.len(), places.len());
        let mut at = begin;
        self.bytes.resize(begin + count * SHORT, 0);
        self.offsets.resize(row + count, 0);
        let mut are_short = true;
        for ((start, length), offset) in places.zip(&mut self.offsets[row..]) {
            let from = data.get(start..).and_then(|data| data.first_chunk());
            let (Some(&bytes), Some(place)) = (from, self.bytes[at..].first_chunk_mut()) else {
                are_short = false;
                break;
            };
            let text = Short::new(bytes, length);
            are_short &= text.len() == length;
            *place = bytes;
            at += text.len();
            *offset = at as i32;
        }
        if are_short {
            self.bytes.truncate(at);
            self.nulls.push_many(true, count);
        } else {
            self.bytes.truncate(begin);
            self.offsets.truncate(row);
        }
        are_short
    }

    #[inline]
    fn extend_bytes(&mut self, texts: impl ExactSizeIterator<Item = Short>) {
        let mut at = self.bytes.len();
        self.bytes.resize(at + texts.len() * SHORT, 0);
        let row = self.offsets.len();
        self.offsets.resize(row + texts.len(), 0);
        for (text, offset) in texts.zip(&mut self.offsets[row..]) {
            if let Some(place) = self.bytes[at..].first_chunk_mut() {
                *place = text.bytes();
            }
            at += text.len();
            *offset = at as i32;
        }
        self.bytes.truncate(at);
    }

    /// As many texts as `other` has more than this column: the same ones. Neither may have nulls there.
    pub fn extend_from(&mut self, other: &Texts) {
        let rows = self.offsets.len()..other.offsets.len();
        let (first, begin) = (other.offsets[rows.start - 1], self.bytes.len() as i32);
        self.bytes.extend_from_slice(&other.bytes[first as usize..]);
        self.nulls.push_many(true, rows.len());
        self.offsets.extend(other.offsets[rows].iter().map(|offset| offset - first + begin));
    }

    #[inline]
    pub fn push_null(&mut self) {
        self.offsets.push(self.bytes.len() as i32);
        self.nulls.push(false);
    }

    pub fn push_nulls(&mut self, count: usize) {
        self.offsets.resize(self.offsets.len() + count, self.bytes.len() as i32);
        self.nulls.push_many(false, count);
    }

    /// One text for each of `count` rows, at the given indices, ascending; all others are null.
    pub fn extend_few<'t>(&mut self, count: usize, texts: impl Iterator<Item = (usize, &'t str)>) {
        let mut done = 0;
        for (index, text) in texts {
            self.push_nulls(index - done);
            self.push(text);
            done = index + 1;
        }
        self.push_nulls(count - done);
    }

    /// Adds to the text that is pushed next; `join` then ends it.
    #[inline]
    pub fn add(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Adds to the text that is pushed next, behind a blank if it has begun already; an empty text adds nothing.
    pub fn add_word(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
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
        self.nulls.push(true);
    }

    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rows so far; the column is empty afterwards.
    pub fn array(&mut self) -> StringArray {
        let offsets = take_offsets(&mut self.offsets, self.bytes.len());
        let bytes = Buffer::from_vec(take(&mut self.bytes));
        let nulls = self.nulls.finish();
        debug_assert!(StringArray::try_new(offsets.clone(), bytes.clone(), nulls.clone()).is_ok());
        // SAFETY: only whole texts and ASCII signs are added, and each offset is where one ends; see `take_offsets` for their
        // order. (Looking at every text again takes as long as all else that is done for a row of plies.)
        unsafe { StringArray::new_unchecked(offsets, bytes, nulls) }
    }
}

impl Column for Texts {
    /// Texts, or a dictionary of them, as `kind` wants.
    fn finish(&mut self, kind: &DataType) -> Result<ArrayRef, ArrowError> {
        match kind {
            DataType::Dictionary(..) => dictionary_of(&self.array()),
            _ => Ok(Arc::new(self.array())),
        }
    }
}

/// Offsets that were pushed in order: each was the length of something that only grows, up to `length`.
fn take_offsets(offsets: &mut Vec<i32>, length: usize) -> OffsetBuffer<i32> {
    assert!(length <= i32::MAX as usize, "a column of one batch is larger than 2 GiB");
    let taken = take(offsets);
    offsets.push(0);
    debug_assert!(taken.first() == Some(&0) && taken.is_sorted() && taken.last() == Some(&(length as i32)));
    // SAFETY: offsets begin with 0, which `Default` and the line above push, and no length was cut to fit into its type.
    unsafe { OffsetBuffer::new_unchecked(ScalarBuffer::from(taken)) }
}

/// Lists of values that are not null themselves. `items` takes the values of the list that is pushed next.
pub struct Lists<C> {
    pub items: C,
    offsets: Vec<i32>,
    nulls: Nulls,
}

impl<C: Default> Default for Lists<C> {
    fn default() -> Self {
        Lists { items: C::default(), offsets: vec![0], nulls: Nulls::default() }
    }
}

impl<C: Column + Length> Lists<C> {
    /// Pushes the items that were added.
    #[inline]
    pub fn push(&mut self) {
        self.offsets.push(self.items.length() as i32);
        self.nulls.push(true);
    }

    #[inline]
    pub fn push_null(&mut self) {
        self.offsets.push(self.items.length() as i32);
        self.nulls.push(false);
    }

    pub fn push_nulls(&mut self, count: usize) {
        self.offsets.resize(self.offsets.len() + count, self.items.length() as i32);
        self.nulls.push_many(false, count);
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
        let offsets = take_offsets(&mut self.offsets, items.len());
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
        let pairs: Vec<ArrayRef> = vec![Arc::new(self.keys.array()), Arc::new(self.values.array())];
        let entries = StructArray::try_new(fields.clone(), pairs, None::<NullBuffer>)?;
        let offsets = take_offsets(&mut self.offsets, entries.len());
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
