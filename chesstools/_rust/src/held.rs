//! Bytes in memory that is used again without being cleared: each byte of a stream is written once, by whoever reads it.

use std::ops::Deref;

/// Some bytes that grow at their end.
///
/// ```
/// use _core::held::Held;
/// let mut held = Held::default();
/// held.add(b"1. e4");
/// held.room(9)[..3].copy_from_slice(b" e5");
/// held.took(3);
/// held.forget(3);
/// assert_eq!(&held[..], b"e4 e5");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// What stands behind `end` is left from earlier.
    memory: Vec<u8>,
    end: usize,
}

impl Held {
    pub fn add(&mut self, bytes: &[u8]) {
        self.room(bytes.len()).copy_from_slice(bytes);
        self.took(bytes.len());
    }

    /// `count` bytes behind the end, to be written to; whatever stands there now. `took` says how many were written.
    pub fn room(&mut self, count: usize) -> &mut [u8] {
        let wanted = self.end + count;
        if self.memory.len() < wanted {
            self.memory.resize(wanted, 0);
        }
        &mut self.memory[self.end..wanted]
    }

    /// The first `count` bytes of the room belong to the bytes now.
    pub fn took(&mut self, count: usize) {
        self.end = (self.end + count).min(self.memory.len());
    }

    pub fn truncate(&mut self, length: usize) {
        self.end = self.end.min(length);
    }

    /// Forgets the first `count` bytes.
    pub fn forget(&mut self, count: usize) {
        self.memory.copy_within(count..self.end, 0);
        self.end -= count;
    }
}

impl Deref for Held {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.memory[..self.end]
    }
}
