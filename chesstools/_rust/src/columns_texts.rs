//! Columns of texts.

use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray};
use arrow_buffer::Buffer;
use arrow_schema::{ArrowError, DataType};

use crate::bits::Nulls;
use crate::columns::{take, take_offsets, Column};
use crate::repeated::dictionary_of;
use crate::short::{Short, SHORT};

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

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::cast::AsArray;

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
}
