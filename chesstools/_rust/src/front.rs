//! What comes before the workers: blocks, from a file or from whoever holds the stream, become chunks.

use std::io::{self, Read};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{unbounded, Sender};

use crate::chunk::Chunk;
use crate::feed::Feed;
use crate::file::Unpacked;

/// Cuts chunks where it is called.
pub struct Front {
    pub feed: Feed,
    file: Option<Unpacked>,
    /// Where the regions begin that are not wanted any more.
    stop: u64,
    stopped: bool,
}

pub enum Next {
    Chunk(Chunk),
    /// There is no file (any more): the data from `Feed::end` on must be given to the feed.
    Block,
    End,
}

impl Front {
    /// `file` has no more before the first byte that the feed wants than `skip` bytes. At `stop`, if there is one, a region begins
    /// that is not wanted.
    pub fn new(feed: Feed, mut file: Option<Unpacked>, skip: u64, stop: Option<u64>) -> Front {
        if let Some(bytes) = &mut file {
            let skipped = io::copy(&mut bytes.take(skip), &mut io::sink());
            if skipped.ok() != Some(skip) {
                file = None;
            }
        }
        Front { feed, file, stop: stop.unwrap_or(u64::MAX), stopped: false }
    }

    pub fn advance(&mut self) -> Next {
        if self.stopped {
            return Next::End;
        }
        loop {
            if let Some(mut chunk) = self.feed.next_chunk() {
                // What stands behind the stop is still there to be looked at.
                if chunk.base + chunk.end as u64 >= self.stop {
                    chunk.end = self.stop.saturating_sub(chunk.base) as usize;
                    self.stopped = true;
                }
                return Next::Chunk(chunk);
            }
            if self.feed.is_finished() {
                return Next::End;
            }
            match &mut self.file {
                None => return Next::Block,
                Some(file) => {
                    if self.feed.read(file).is_err() {
                        self.file = None;
                    }
                }
            }
        }
    }
}

/// A thread that reads a file and cuts chunks. It needs a permit for each, and ends where `Front::next` gives no chunk.
pub struct Cutter {
    thread: JoinHandle<(Front, u64)>,
    permits: Sender<Option<Chunk>>,
}

impl Cutter {
    /// Starts with `permits` permits. `take` takes each chunk with its number, and tells whether to go on; `ended` is called at
    /// the end in any case.
    pub fn start(
        mut front: Front,
        permits: usize,
        take: impl Fn(u64, Chunk) -> bool + Send + 'static,
        ended: impl FnOnce() + Send + 'static,
    ) -> Cutter {
        let (give, permitted) = unbounded();
        for _ in 0..permits {
            let _ = give.send(None);
        }
        let work = move || {
            let mut cut = 0;
            while let Ok(spare) = permitted.recv() {
                if let Some(chunk) = spare {
                    front.feed.recycle(chunk);
                }
                let Next::Chunk(chunk) = front.advance() else { break };
                if !take(cut, chunk) {
                    break;
                }
                cut += 1;
            }
            (front, cut)
        };
        let thread = thread::spawn(move || {
            let outcome = catch_unwind(AssertUnwindSafe(work));
            ended();
            outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        Cutter { thread, permits: give }
    }

    /// Gives back the permit of a chunk, and its memory.
    pub fn permit(&self, chunk: Chunk) {
        let _ = self.permits.send(Some(chunk));
    }

    /// The front as the thread leaves it, and the number of chunks that it cut.
    pub fn join(self) -> thread::Result<(Front, u64)> {
        drop(self.permits);
        self.thread.join()
    }
}
