//! Cuts a stream of blocks into chunks of whole games, for workers that know nothing of each other.

use std::io::{self, Read};

use crate::held::Held;
use crate::limits::{Limits, LOOK_BEHIND};
use crate::safe_place::{self, Found};
use crate::segment::{count_lines, Buffers, Segmenter, Start};

/// Text of a chunk, if the stream has that much and games are not larger. So much stays in the cache of a core while it is
/// cut, read and judged.
pub const CHUNK_BYTES: usize = 1 << 20;

/// Some whole regions of the stream.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// The text, with some of what stands before it and behind it.
    pub data: Held,
    /// Where `data` begins in the stream.
    pub base: u64,
    /// Where the first region begins.
    pub start: Start,
    /// Where the last region ends. What stands behind it in `data` belongs to the next chunk.
    pub end: usize,
}

/// Takes in blocks of any size, and gives chunks: their regions, one chunk after the other, are those of the stream.
///
/// ```
/// use _core::chunk::Chunker;
/// let mut chunker = Chunker::new();
/// chunker.feed(b"1. e4 *");
/// assert!(chunker.next_chunk().is_none());
/// chunker.finish();
/// assert_eq!(chunker.next_chunk().unwrap().data[..], *b"1. e4 *");
/// ```
///
/// A chunk is cut at a safe place (see `safe_place.rs`), which costs next to nothing. Where none comes, the segmenter is
/// run to find where regions end; the chunk then holds the text behind its end that decided so.
#[derive(Debug)]
pub struct Chunker {
    data: Held,
    base: u64,
    /// Where the next chunk begins.
    start: Start,
    /// Before this place there is no safe one, behind the first `size` bytes.
    searched: Option<usize>,
    /// With less data than this it is of no use to look again where regions end.
    wanted: usize,
    finished: bool,
    chunk_bytes: usize,
    limits: Limits,
    buffers: Buffers,
    spare: Vec<Held>,
}

impl Default for Chunker {
    fn default() -> Chunker {
        Chunker::new()
    }
}

/// The end of a chunk: the data that it needs, and how the next one begins.
struct Cut {
    seen: usize,
    next: Start,
}

impl Chunker {
    pub fn new() -> Chunker {
        Chunker::starting(0, Start::default())
    }

    /// The data begins at `base` in the stream. `LOOK_BEHIND` bytes before `start` are enough (or all there are).
    pub fn starting(base: u64, start: Start) -> Chunker {
        Chunker::with_limits(base, start, CHUNK_BYTES, Limits::STATED)
    }

    pub fn with_limits(base: u64, start: Start, chunk_bytes: usize, limits: Limits) -> Chunker {
        Chunker {
            data: Held::default(),
            base,
            start,
            searched: None,
            wanted: 0,
            finished: false,
            chunk_bytes,
            limits,
            buffers: Buffers::default(),
            spare: Vec::new(),
        }
    }

    /// Takes in the next block.
    pub fn feed(&mut self, block: &[u8]) {
        self.data.add(block);
    }

    /// Takes in the next `count` bytes of a reader, and tells how many there were; fewer only at its end. What stands before
    /// an error is kept.
    pub fn feed_from(&mut self, reader: &mut dyn Read, count: usize) -> (usize, io::Result<()>) {
        let room = self.data.room(count);
        let mut taken = 0;
        let mut outcome = Ok(());
        // A reader that is asked when nothing is wanted any more would read ahead, and copy later.
        while taken < count {
            match reader.read(&mut room[taken..]) {
                Ok(0) => break,
                Ok(more) => taken += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            }
        }
        self.data.took(taken);
        (taken, outcome)
    }

    /// No block comes any more.
    pub fn finish(&mut self) {
        self.finished = true;
    }

    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// Takes back the memory of a chunk that is done with.
    pub fn recycle(&mut self, chunk: Chunk) {
        if self.spare.len() < 4 {
            self.spare.push(chunk.data);
        }
    }

    /// The next chunk; None where more data is wanted or, behind `finish`, at the end.
    pub fn next_chunk(&mut self) -> Option<Chunk> {
        let begin = self.start.at;
        let size = self.size();
        if self.data.len() <= begin || (!self.finished && self.data.len() - begin < size) {
            return None;
        }
        let from = self.searched.unwrap_or(begin + size);
        match safe_place::find(&self.data, begin, from, self.chunk_bytes, self.finished, &self.limits) {
            Found::At(place) => {
                let line = self.start.line + count_lines(&self.data[begin..place]);
                let next = Start { at: place, line, glued: false, too_long: false };
                return Some(self.give(Cut { seen: place, next }));
            }
            // It is early enough to run the segmenter when the chunk is twice as large as wanted.
            Found::NotBefore(place) if !self.finished && place < begin + size + self.chunk_bytes => {
                self.searched = Some(place);
                return None;
            }
            Found::NotBefore(place) => self.searched = Some(place),
            Found::Never => self.searched = Some(usize::MAX),
        }
        if self.finished && self.data.len() - begin <= size + self.chunk_bytes {
            return Some(self.give_rest());
        }
        if !self.finished && self.data.len() < self.wanted {
            return None;
        }
        match self.read_regions() {
            Some(cut) => Some(self.give(cut)),
            None if self.finished => Some(self.give_rest()),
            None => {
                // Twice the text the next time: what is read in vain stays in proportion to the text.
                self.wanted = begin + 2 * (self.data.len() - begin);
                None
            }
        }
    }

    /// How much text the next chunk should have: up to a multiple of `chunk_bytes` in the stream, so that chunks end at the
    /// same places wherever reading began.
    fn size(&self) -> usize {
        let begin = self.base + self.start.at as u64;
        self.chunk_bytes - (begin % self.chunk_bytes as u64) as usize
    }

    /// Where a region ends, found by reading: the first such place behind `size`, or the last one that is certain.
    fn read_regions(&mut self) -> Option<Cut> {
        let size = self.size();
        let mut segmenter = Segmenter::with_limits(&self.data, self.base, self.start, &mut self.buffers, self.limits);
        let mut cut: Option<Cut> = None;
        while segmenter.next_region().is_some() {
            let seen = segmenter.wanted();
            if !self.finished && seen > self.data.len() {
                break;
            }
            let next = segmenter.position();
            cut = Some(Cut { seen: seen.min(self.data.len()), next });
            if next.at - self.start.at >= size {
                break;
            }
        }
        cut
    }

    fn give_rest(&mut self) -> Chunk {
        let end = self.data.len();
        self.give(Cut { seen: end, next: Start { at: end, ..self.start } })
    }

    fn give(&mut self, cut: Cut) -> Chunk {
        let Cut { seen, mut next } = cut;
        let first = self.start.at.saturating_sub(LOOK_BEHIND);
        let kept = next.at.saturating_sub(LOOK_BEHIND);
        let mut data = self.spare.pop().unwrap_or_default();
        data.truncate(0);
        let rest = self.data.len() - kept;
        let (data, base, moved) = if self.start.at <= LOOK_BEHIND && rest <= seen {
            // What is behind the chunk is the smaller part.
            data.add(&self.data[kept..]);
            std::mem::swap(&mut data, &mut self.data);
            data.truncate(seen);
            (data, self.base, kept)
        } else {
            data.add(&self.data[first..seen]);
            // Moved only when as much is done with, so that blocks may be as large as they like.
            let moved = if rest <= kept { kept } else { 0 };
            self.data.forget(moved);
            (data, self.base + first as u64, moved)
        };
        let skipped = (base - self.base) as usize;
        let start = Start { at: self.start.at - skipped, ..self.start };
        let end = next.at - skipped;
        self.base += moved as u64;
        next.at -= moved;
        self.start = next;
        self.searched = None;
        self.wanted = 0;
        Chunk { data, base, start, end }
    }
}
