//! Positions that were seen before, each held as a hash of 128 bits of its text: two that differ would have to come together in
//! all of them to be taken for one, which is not to be expected before 10^18 positions.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use xxhash_rust::xxh3::xxh3_128;

/// The texts that were seen. At most about 40 bytes for each.
#[derive(Default)]
pub struct Seen(HashSet<u128, BuildHasherDefault<Low>>);

impl Seen {
    /// Whether the text is new; it is seen from now on.
    pub fn is_new(&mut self, text: &[u8]) -> bool {
        self.is_new_key(key_of(text))
    }

    /// The same for the key of a text.
    pub fn is_new_key(&mut self, key: u128) -> bool {
        self.0.insert(key)
    }
}

/// What stands for a text.
pub fn key_of(text: &[u8]) -> u128 {
    xxh3_128(text)
}

/// What is hashed is a hash already.
#[derive(Default)]
struct Low(u64);

impl Hasher for Low {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, &byte| hash.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u128(&mut self, hash: u128) {
        self.0 = hash as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn once() {
        let mut seen = Seen::default();
        assert!(seen.is_new(b"a") && seen.is_new(b"b") && !seen.is_new(b"a"));
    }
}
