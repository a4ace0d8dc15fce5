//! A stream of bytes to pieces in order: chunks are cut, judged by workers, and put in order again.
//!
//! Whoever holds a `Stream` calls `advance` and does what it asks for, so that nothing here knows of Python: give it the next
//! block, take a piece, or look whether someone wants to stop. With one job, chunks are judged inside `advance`; with several,
//! by as many threads. A packed file is unpacked by a thread of its own, and so is any file read where there are several jobs.
//! A chunk holds a permit from the moment it is cut until its pieces are taken, so that no more than a few are in memory however
//! slow the one is that takes them.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use arrow_schema::ArrowError;
use crossbeam_channel::{unbounded, Receiver, RecvTimeoutError, Sender};

use crate::chunk::Chunk;
use crate::front::{Cutter, Front, Next};
use crate::pieces::Piece;
use crate::pool::{judge, Event, Failure, Outcome, Pool};
use crate::worker::{Job, Worker};

/// What `advance` asks for or gives.
// A step is made once for many games; a box would save nothing.
#[allow(clippy::large_enum_variant)]
pub enum Advance {
    /// Give the next block, from this place on, to `feed`, or call `finish`.
    Feed(u64),
    /// The time is over and nothing is ready.
    Waiting,
    Piece(Piece),
    End,
}

pub struct Stream {
    front: Place,
    workers: Workers,
    events: Receiver<Event>,
    ready: VecDeque<Piece>,
    /// Chunks cut, and chunks whose pieces were taken.
    cut: u64,
    taken: u64,
    /// Chunks that were judged before their turn.
    early: BTreeMap<u64, Outcome>,
    permits: u64,
}

/// Where chunks are cut. There is one for a whole stream; a box would save nothing.
#[allow(clippy::large_enum_variant)]
enum Place {
    Here(Front),
    Thread(Cutter),
    /// The thread stopped with an error of this program.
    Nowhere,
}

enum Workers {
    Here(Box<Worker>),
    Threads(Pool),
}

impl Stream {
    /// `own_thread`: whether to read the file in a thread of its own, also where there is one job.
    pub fn new(job: Job, front: Front, own_thread: bool, jobs: usize) -> Result<Stream, ArrowError> {
        let worker = Worker::new(job.clone())?;
        let (send, events) = unbounded();
        let workers = if jobs > 1 { Workers::Threads(Pool::new(&job, jobs, &send)) } else { Workers::Here(Box::new(worker)) };
        // One chunk in work and one that waits for each worker, and some that wait for their turn.
        let permits = 2 * jobs + 2;
        let front = if own_thread { start_cutter(front, permits, &workers, send) } else { Place::Here(front) };
        let (ready, early) = (VecDeque::new(), BTreeMap::new());
        Ok(Stream { front, workers, events, ready, cut: 0, taken: 0, early, permits: permits as u64 })
    }

    /// The next block of the stream.
    pub fn feed(&mut self, block: &[u8]) {
        if let Place::Here(front) = &mut self.front {
            front.feed.block(block);
        }
    }

    /// The stream has ended.
    pub fn finish(&mut self) {
        if let Place::Here(front) = &mut self.front {
            front.feed.finish();
        }
    }

    /// Goes on until something is ready or asked for, or `time` is over.
    pub fn advance(&mut self, time: Duration) -> Result<Advance, Failure> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Ok(Advance::Piece(piece));
            }
            if let Some(outcome) = self.early.remove(&self.taken) {
                self.taken += 1;
                self.ready.extend(outcome.pieces?);
                self.give_back(outcome.chunk);
                continue;
            }
            // One at a time: a chunk that is judged here has many more bytes of rows than of text.
            if let Ok(event) = self.events.try_recv() {
                self.take(event)?;
                continue;
            }
            match &mut self.front {
                Place::Here(front) if self.cut - self.taken < self.permits => match front.advance() {
                    Next::Chunk(chunk) => {
                        self.submit(self.cut, chunk);
                        self.cut += 1;
                        continue;
                    }
                    Next::Block => return Ok(Advance::Feed(front.feed.end())),
                    Next::End if self.cut == self.taken => return Ok(Advance::End),
                    Next::End => {}
                },
                _ => {}
            }
            match self.events.recv_timeout(time) {
                Ok(event) => self.take(event)?,
                Err(RecvTimeoutError::Timeout) => return Ok(Advance::Waiting),
                Err(RecvTimeoutError::Disconnected) => return Err(Failure::Panic("all threads are gone".into())),
            }
        }
    }

    fn take(&mut self, event: Event) -> Result<(), Failure> {
        match event {
            Event::Cut(number, chunk) => self.submit(number, chunk),
            Event::Judged(outcome) => {
                self.early.insert(outcome.number, outcome);
            }
            Event::AllCut => {
                if let Place::Thread(cutter) = std::mem::replace(&mut self.front, Place::Nowhere) {
                    let (front, cut) = cutter.join().map_err(|panic| Failure::of_panic(&panic))?;
                    self.front = Place::Here(front);
                    self.cut = cut;
                }
            }
        }
        Ok(())
    }

    fn submit(&mut self, number: u64, chunk: Chunk) {
        match &mut self.workers {
            Workers::Threads(pool) => pool.submit(number, chunk),
            Workers::Here(worker) => {
                self.early.insert(number, judge(worker, number, chunk));
            }
        }
    }

    fn give_back(&mut self, chunk: Chunk) {
        match &mut self.front {
            Place::Here(front) => front.feed.recycle(chunk),
            Place::Thread(cutter) => cutter.permit(chunk),
            Place::Nowhere => {}
        }
    }
}

fn start_cutter(front: Front, permits: usize, workers: &Workers, events: Sender<Event>) -> Place {
    let ended = events.clone();
    let chunks = match workers {
        Workers::Threads(pool) => Some(pool.chunks()),
        Workers::Here(_) => None,
    };
    let take = move |number, chunk| match &chunks {
        Some(chunks) => chunks.send((number, chunk)).is_ok(),
        None => events.send(Event::Cut(number, chunk)).is_ok(),
    };
    Place::Thread(Cutter::start(front, permits, take, move || {
        let _ = ended.send(Event::AllCut);
    }))
}

impl Drop for Stream {
    fn drop(&mut self) {
        // The workers end when no one can send them chunks, so the cutter, which can, ends first.
        let front = std::mem::replace(&mut self.front, Place::Nowhere);
        if let Workers::Threads(pool) = &mut self.workers {
            pool.stop();
        }
        if let Place::Thread(cutter) = front {
            let _ = cutter.join();
        }
    }
}
