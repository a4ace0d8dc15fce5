//! Blocks of any size in, chunks out: the same chunks whatever the blocks were.

use crate::chunk::{Chunk, Chunker};
use crate::limits::Limits;
use crate::segment::Start;

/// Text of one chunk: it takes a worker some milliseconds, and the rows of its plies take some 20 MB.
const CHUNK_BYTES: usize = 1 << 20;

/// The chunker looks at its data only where that has come to a multiple of `CHUNK_BYTES` in the stream, or to the end.
pub struct Feed {
    chunker: Chunker,
    /// Where the data that the chunker has ends in the stream.
    given: u64,
    /// What it is given next: `waiting[at..]`.
    waiting: Vec<u8>,
    at: usize,
    finished: bool,
}

impl Feed {
    /// The first block begins at `base` in the stream, not more than `LOOK_BEHIND` bytes before `start`.
    pub fn new(base: u64, start: Start) -> Feed {
        let chunker = Chunker::with_limits(base, start, CHUNK_BYTES, Limits::STATED);
        Feed { chunker, given: base, waiting: Vec::new(), at: 0, finished: false }
    }

    /// Takes in the next block.
    pub fn block(&mut self, block: &[u8]) {
        let now = if self.at == self.waiting.len() { block.len().min(self.wanted()) } else { 0 };
        self.chunker.feed(&block[..now]);
        self.given += now as u64;
        if now < block.len() {
            self.waiting.drain(..self.at);
            self.at = 0;
            self.waiting.extend_from_slice(&block[now..]);
        }
    }

    /// No block comes any more.
    pub fn finish(&mut self) {
        self.finished = true;
        if self.at == self.waiting.len() {
            self.chunker.finish();
        }
    }

    /// Whether `finish` was called.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// The next chunk; None where another block is wanted or, behind `finish`, at the end.
    pub fn next_chunk(&mut self) -> Option<Chunk> {
        loop {
            let last = self.at == self.waiting.len();
            if self.wanted() == CHUNK_BYTES || (last && self.finished) {
                if let Some(chunk) = self.chunker.next_chunk() {
                    return Some(chunk);
                }
            }
            if last {
                return None;
            }
            let count = self.wanted().min(self.waiting.len() - self.at);
            self.chunker.feed(&self.waiting[self.at..self.at + count]);
            self.at += count;
            self.given += count as u64;
            if self.finished {
                self.finish();
            }
        }
    }

    /// Takes back the memory of a chunk that is done with.
    pub fn recycle(&mut self, chunk: Chunk) {
        self.chunker.recycle(chunk);
    }

    /// How much more data the chunker gets before it looks again.
    fn wanted(&self) -> usize {
        CHUNK_BYTES - (self.given % CHUNK_BYTES as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunks(data: &[u8], block: usize, base: u64, start: Start) -> Vec<(u64, u64)> {
        let mut feed = Feed::new(base, start);
        let mut found = Vec::new();
        let mut blocks = data.chunks(block);
        loop {
            while let Some(chunk) = feed.next_chunk() {
                found.push((chunk.base + chunk.start.at as u64, chunk.base + chunk.end as u64));
            }
            match blocks.next() {
                Some(block) => feed.block(block),
                None if feed.is_finished() => return found,
                None => feed.finish(),
            }
        }
    }

    #[test]
    fn blocks_and_starts_change_nothing() {
        let mut data = Vec::new();
        while data.len() < 5 * CHUNK_BYTES {
            let number = data.len();
            data.extend_from_slice(format!("[Event \"{number}\"]\n\n1. e4 {{[Event}} e5 *\n\n").as_bytes());
        }
        let whole = chunks(&data, data.len(), 0, Start::default());
        assert!((5..=6).contains(&whole.len()), "{whole:?}");
        for block in [1000, 1 << 16, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES] {
            assert_eq!(chunks(&data, block, 0, Start::default()), whole);
        }
        // From the second game of the second chunk on.
        let begin = whole[1].0 as usize + data[whole[1].0 as usize..].windows(4).position(|text| text == b"*\n\n[").unwrap() + 3;
        let start = Start { at: 100, ..Start::default() };
        let found = chunks(&data[begin - 100..], 777, begin as u64 - 100, start);
        assert_eq!(found[0], (begin as u64, whole[1].1));
        assert_eq!(found[1..], whole[2..]);
    }
}
