//! Bits in the order in which Arrow wants them: truth values, and which rows are null.

use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};

#[derive(Default)]
pub struct Bits {
    words: Vec<u64>,
    length: usize,
}

impl Bits {
    #[inline]
    pub fn push(&mut self, bit: bool) {
        let at = self.length % 64;
        if at == 0 {
            self.words.push(u64::from(bit));
        } else if let Some(last) = self.words.last_mut() {
            *last |= u64::from(bit) << at;
        }
        self.length += 1;
    }

    /// The same bit `count` times.
    #[inline]
    pub fn push_many(&mut self, bit: bool, count: usize) {
        let at = self.length % 64;
        if at > 0 && bit {
            if let Some(last) = self.words.last_mut() {
                let ones = if count >= 64 { u64::MAX } else { (1 << count) - 1 };
                *last |= ones << at;
            }
        }
        self.length += count;
        // Bits behind the last one are zero, as everything that adds some relies on.
        self.words.resize(self.length.div_ceil(64), if bit { u64::MAX } else { 0 });
        let rest = self.length % 64;
        if rest > 0 && bit {
            if let Some(last) = self.words.last_mut() {
                *last &= (1 << rest) - 1;
            }
        }
    }

    #[inline]
    pub fn extend(&mut self, bits: impl Iterator<Item = bool>) {
        let mut at = self.length % 64;
        let mut word = if at == 0 { 0 } else { self.words.pop().unwrap_or(0) };
        self.length -= at;
        for bit in bits {
            word |= u64::from(bit) << at;
            at += 1;
            if at == 64 {
                self.words.push(word);
                self.length += 64;
                (word, at) = (0, 0);
            }
        }
        if at > 0 {
            self.words.push(word);
            self.length += at;
        }
    }

    /// The bits so far; empty afterwards.
    pub fn finish(&mut self) -> BooleanBuffer {
        let room = self.words.len() + self.words.len() / 8;
        let words = std::mem::replace(&mut self.words, Vec::with_capacity(room));
        BooleanBuffer::new(Buffer::from_vec(words), 0, std::mem::take(&mut self.length))
    }
}

/// Which rows hold a value. While all or none do, there is nothing but their number.
#[derive(Default)]
pub struct Nulls {
    /// Empty unless some rows are null and others are not.
    valid: Bits,
    kind: Kind,
    length: usize,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Empty,
    AllValid,
    AllNull,
    Mixed,
}

impl Nulls {
    #[inline]
    pub fn push(&mut self, valid: bool) {
        let alike = if valid { Kind::AllValid } else { Kind::AllNull };
        if self.kind == alike {
            self.length += 1;
        } else {
            self.push_other(valid);
        }
    }

    fn push_other(&mut self, valid: bool) {
        if self.kind == Kind::Mixed {
            self.valid.push(valid);
            self.length += 1;
        } else {
            self.push_many(valid, 1);
        }
    }

    #[inline]
    pub fn push_many(&mut self, valid: bool, count: usize) {
        if count == 0 {
            return;
        }
        match (self.kind, valid) {
            (Kind::AllValid, true) | (Kind::AllNull, false) => {}
            (Kind::Empty, true) => self.kind = Kind::AllValid,
            (Kind::Empty, false) => self.kind = Kind::AllNull,
            _ => {
                self.mix();
                self.valid.push_many(valid, count);
            }
        }
        self.length += count;
    }

    #[inline]
    pub fn extend(&mut self, valid: impl ExactSizeIterator<Item = bool>) {
        self.mix();
        self.length += valid.len();
        self.valid.extend(valid);
    }

    #[cold]
    fn mix(&mut self) {
        if self.kind != Kind::Mixed {
            self.valid.push_many(self.kind == Kind::AllValid, self.length);
            self.kind = Kind::Mixed;
        }
    }

    /// None where no row is null; empty afterwards.
    pub fn finish(&mut self) -> Option<NullBuffer> {
        let length = std::mem::take(&mut self.length);
        match std::mem::take(&mut self.kind) {
            Kind::Empty | Kind::AllValid => None,
            Kind::AllNull => Some(NullBuffer::new_null(length)),
            Kind::Mixed => Some(NullBuffer::new(self.valid.finish())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_in_every_way() {
        let mut bits = Bits::default();
        let mut wanted = Vec::new();
        for round in 0..40 {
            let some: Vec<bool> = (0..round * 7 % 150).map(|at| (at * round) % 3 == 0).collect();
            bits.extend(some.iter().copied());
            bits.push_many(round % 2 == 0, round);
            bits.push(true);
            wanted.extend(some.into_iter().chain((0..round).map(|_| round % 2 == 0)).chain([true]));
        }
        assert_eq!(bits.finish().iter().collect::<Vec<_>>(), wanted);
        assert_eq!(bits.finish().len(), 0);
    }

    #[test]
    fn nulls_are_there_only_where_some_row_is_null() {
        let mut nulls = Nulls::default();
        nulls.push(true);
        nulls.push_many(true, 99);
        assert!(nulls.finish().is_none());
        nulls.push_many(true, 3);
        nulls.push(false);
        nulls.extend([true, false].into_iter());
        let found = nulls.finish().unwrap();
        assert_eq!(found.iter().collect::<Vec<_>>(), [true, true, true, false, true, false]);
        nulls.push_many(false, 70);
        nulls.push(false);
        assert_eq!(nulls.finish().map(|nulls| (nulls.len(), nulls.null_count())), Some((71, 71)));
    }
}
