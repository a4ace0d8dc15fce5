//! Texts that repeat as an Arrow dictionary, so that whoever stores them need not compare them again.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, Int32Array, StringArray};
use arrow_schema::ArrowError;
use xxhash_rust::xxh3::xxh3_64;

use crate::short::SHORT;

/// The same texts with each different one held once, in the order in which they first come.
pub fn dictionary_of(texts: &StringArray) -> Result<ArrayRef, ArrowError> {
    let mut words = Words { words: Vec::new(), slots: vec![FREE; FIRST_SLOTS] };
    let data = texts.value_data();
    let places = texts.value_offsets().windows(2).map(|ends| (ends[0] as usize, ends[1] as usize)).enumerate();
    let mut number = |(row, (start, end))| words.number(data, start, end, || texts.value(row));
    let numbers: Vec<i32> = match texts.nulls().filter(|nulls| nulls.null_count() > 0) {
        None => places.map(number).collect(),
        Some(nulls) => places.zip(nulls).map(|(place, valid)| if valid { number(place) } else { 0 }).collect(),
    };
    let numbers = Int32Array::try_new(numbers.into(), texts.nulls().cloned())?;
    let words = StringArray::from_iter_values(words.words);
    Ok(Arc::new(DictionaryArray::<Int32Type>::try_new(numbers, Arc::new(words))?))
}

/// The different texts so far, and a hash table of them.
struct Words<'t> {
    words: Vec<&'t str>,
    /// Twice as many as words at least; a power of two.
    slots: Vec<Slot>,
}

/// A word, or nothing while `number` is `FREE`.
#[derive(Clone, Copy)]
struct Slot {
    /// The text itself if it is short, else a hash of it.
    key: u64,
    length: u32,
    number: i32,
}

const FREE: Slot = Slot { key: 0, length: 0, number: -1 };
const FIRST_SLOTS: usize = 1 << 10;

/// An odd number without a pattern: the upper half of a product with it depends on all bits of the other factor.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl<'t> Words<'t> {
    /// The number of the text that stands in `data` from `start` to `end`, and that `text` gives.
    #[inline(always)]
    fn number(&mut self, data: &[u8], start: usize, end: usize, text: impl Fn() -> &'t str) -> i32 {
        let length = (end - start) as u32;
        let key = match data.get(start..).and_then(|data| data.first_chunk()) {
            Some(bytes) if end - start < SHORT => u64::from_le_bytes(*bytes) & !(u64::MAX << (8 * length)),
            Some(bytes) if end - start == SHORT => u64::from_le_bytes(*bytes),
            _ => rare_key(&data[start..end]),
        };
        let at = self.find(key, length, |number| self.words[number as usize] == text());
        match self.slots[at].number {
            ..0 => self.add(Slot { key, length, number: self.words.len() as i32 }, at, text()),
            number => number,
        }
    }

    /// The slot of the word, or the free one where it belongs. Of long words `is_same` says whether a number is theirs.
    #[inline(always)]
    fn find(&self, key: u64, length: u32, is_same: impl Fn(i32) -> bool) -> usize {
        let last = self.slots.len() - 1;
        let spread = (key ^ u64::from(length) << 59).wrapping_mul(SPREAD);
        let mut at = (spread >> 32) as usize & last;
        loop {
            let slot = self.slots[at];
            let alike = slot.key == key && slot.length == length;
            if slot.number < 0 || alike && (length as usize <= SHORT || is_same(slot.number)) {
                return at;
            }
            at = (at + 1) & last;
        }
    }

    #[cold]
    fn add(&mut self, slot: Slot, at: usize, text: &'t str) -> i32 {
        self.words.push(text);
        self.slots[at] = slot;
        if self.words.len() * 2 > self.slots.len() {
            let free = vec![FREE; self.slots.len() * 4];
            for old in std::mem::replace(&mut self.slots, free) {
                if old.number >= 0 {
                    let at = self.find(old.key, old.length, |_| false);
                    self.slots[at] = old;
                }
            }
        }
        slot.number
    }
}

/// The key of a long text, or of a short one at the very end of all texts.
#[cold]
fn rare_key(text: &[u8]) -> u64 {
    match text.len() {
        ..=SHORT => text.iter().rev().fold(0, |key, &byte| key << 8 | u64::from(byte)),
        _ => xxh3_64(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::cast::AsArray;

    #[test]
    fn every_text_comes_back_and_stands_there_once() {
        let long = "x".repeat(300);
        let numbers: Vec<String> = (0..5000).map(|number| format!("N{number:x}")).collect();
        let odd = ["", "e4", "e4\0", "\0", "exactly8", "more than eight", &long, "\u{bd} \u{738b}", "O-O-O"];
        let mut rows: Vec<Option<&str>> = vec![None];
        for number in &numbers {
            rows.extend([Some(number.as_str()), Some(odd[number.len() * 7 % odd.len()]), Some(odd[rows.len() % odd.len()])]);
        }
        for rows in [&rows[..], &rows[1..], &rows[..1], &[]] {
            let texts = StringArray::from(rows.to_vec());
            let array = dictionary_of(&texts).unwrap();
            let found = array.as_dictionary::<Int32Type>().downcast_dict::<StringArray>().unwrap();
            assert_eq!(found.into_iter().collect::<Vec<_>>(), rows);
            let mut words: Vec<_> = found.values().iter().collect();
            let count = words.len();
            words.sort_unstable();
            words.dedup();
            assert_eq!(words.len(), count);
        }
    }
}
