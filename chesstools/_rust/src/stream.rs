//! A stream of bytes to pieces in order: chunks are cut here, judged by workers, and put in order again.
//!
//! Whoever holds a `Stream` calls `advance` and does what it asks for, so that nothing here knows of Python: give it the next
//! block, take a piece, or look whether someone wants to stop. With one job all work is done inside `advance`, and no thread is
//! started. With several, a chunk holds a permit from the moment it is cut until its pieces are taken, so that no more than
//! a few are in memory however slow the one that takes them is.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use arrow_schema::ArrowError;
use crossbeam_channel::{bounded, unbounded, Receiver, RecvTimeoutError, Sender};

use crate::chunk::Chunk;
use crate::feed::Feed;
use crate::segment::Start;
use crate::worker::{Job, Piece, Worker};

/// What `advance` asks for or gives.
// A step is made once for many games; a box would save nothing.
#[allow(clippy::large_enum_variant)]
pub enum Advance {
    /// Give the next block to `feed`, or call `finish`.
    Feed,
    /// The time is over and nothing is ready.
    Waiting,
    Piece(Piece),
    End,
}

/// Why a chunk could not be judged: an error of this program.
#[derive(Debug)]
pub enum Failure {
    Arrow(ArrowError),
    Panic(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, to: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Failure::Arrow(error) => write!(to, "rows could not be built: {error}"),
            Failure::Panic(message) => write!(to, "a worker stopped: {message}"),
        }
    }
}

impl From<ArrowError> for Failure {
    fn from(error: ArrowError) -> Failure {
        Failure::Arrow(error)
    }
}

/// What became of a chunk. It comes back so that its memory can be used again.
struct Outcome {
    number: u64,
    chunk: Chunk,
    pieces: Result<Vec<Piece>, Failure>,
}

pub struct Stream {
    feed: Feed,
    ready: VecDeque<Piece>,
    workers: Workers,
}

enum Workers {
    Here(Box<Worker>),
    Threads(Pool),
}

impl Stream {
    /// The first block begins at `base` in the stream, not more than `LOOK_BEHIND` bytes before `start`.
    pub fn new(job: Job, base: u64, start: Start, jobs: usize) -> Result<Stream, ArrowError> {
        let worker = Worker::new(job.clone())?;
        let workers = if jobs > 1 { Workers::Threads(Pool::new(job, jobs)) } else { Workers::Here(Box::new(worker)) };
        Ok(Stream { feed: Feed::new(base, start), ready: VecDeque::new(), workers })
    }

    /// The next block of the stream.
    pub fn feed(&mut self, block: &[u8]) {
        self.feed.block(block);
    }

    /// The stream has ended.
    pub fn finish(&mut self) {
        self.feed.finish();
    }

    /// Goes on until something is ready or asked for, or `time` is over.
    pub fn advance(&mut self, time: Duration) -> Result<Advance, Failure> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Ok(Advance::Piece(piece));
            }
            match &mut self.workers {
                Workers::Here(worker) => match self.feed.next_chunk() {
                    Some(chunk) => {
                        self.ready.extend(worker.work(&chunk)?);
                        self.feed.recycle(chunk);
                    }
                    None if self.feed.is_finished() => return Ok(Advance::End),
                    None => return Ok(Advance::Feed),
                },
                Workers::Threads(pool) => {
                    if let Some(outcome) = pool.next_in_order() {
                        self.ready.extend(outcome.pieces?);
                        self.feed.recycle(outcome.chunk);
                        continue;
                    }
                    if pool.has_permit() {
                        match self.feed.next_chunk() {
                            Some(chunk) => {
                                pool.submit(chunk);
                                continue;
                            }
                            None if !self.feed.is_finished() => return Ok(Advance::Feed),
                            None if pool.is_idle() => return Ok(Advance::End),
                            None => {}
                        }
                    }
                    if !pool.wait(time) {
                        return Ok(Advance::Waiting);
                    }
                }
            }
        }
    }
}

/// Threads that judge chunks.
struct Pool {
    jobs: usize,
    chunks: Option<Sender<(u64, Chunk)>>,
    outcomes: Receiver<Outcome>,
    threads: Vec<JoinHandle<()>>,
    stop: Arc<AtomicBool>,
    /// Chunks cut, and chunks whose pieces were taken.
    cut: u64,
    taken: u64,
    waiting: BTreeMap<u64, Outcome>,
}

impl Pool {
    fn new(job: Job, jobs: usize) -> Pool {
        // As many as there are permits, so that no thread ever waits to put something in.
        let (chunks, to_judge) = bounded(permits(jobs));
        let (done, outcomes) = unbounded();
        let stop = Arc::new(AtomicBool::new(false));
        let threads = (0..jobs)
            .map(|_| {
                let (job, to_judge, done, stop) = (job.clone(), to_judge.clone(), done.clone(), stop.clone());
                std::thread::spawn(move || judge_all(job, &to_judge, &done, &stop))
            })
            .collect();
        Pool { jobs, chunks: Some(chunks), outcomes, threads, stop, cut: 0, taken: 0, waiting: BTreeMap::new() }
    }

    fn has_permit(&self) -> bool {
        self.cut - self.taken < permits(self.jobs) as u64
    }

    fn is_idle(&self) -> bool {
        self.cut == self.taken
    }

    fn submit(&mut self, chunk: Chunk) {
        if let Some(chunks) = &self.chunks {
            // Workers stop only when this end is gone.
            let _ = chunks.send((self.cut, chunk));
            self.cut += 1;
        }
    }

    /// The pieces of the chunk that comes next, if they are there.
    fn next_in_order(&mut self) -> Option<Outcome> {
        while let Ok(outcome) = self.outcomes.try_recv() {
            self.waiting.insert(outcome.number, outcome);
        }
        let outcome = self.waiting.remove(&self.taken)?;
        self.taken += 1;
        Some(outcome)
    }

    /// Waits until a chunk was judged; whether that was in time.
    fn wait(&mut self, time: Duration) -> bool {
        match self.outcomes.recv_timeout(time) {
            Ok(outcome) => {
                self.waiting.insert(outcome.number, outcome);
                true
            }
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => {
                let pieces = Err(Failure::Panic("all workers are gone".into()));
                self.waiting.insert(self.taken, Outcome { number: self.taken, chunk: Chunk::default(), pieces });
                true
            }
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // What was cut and not begun is not judged any more.
        self.stop.store(true, Ordering::Relaxed);
        self.chunks = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Chunks in memory at most: one in work and one waiting for each worker, and some that wait for their turn.
const fn permits(jobs: usize) -> usize {
    2 * jobs + 2
}

fn judge_all(job: Job, chunks: &Receiver<(u64, Chunk)>, done: &Sender<Outcome>, stop: &AtomicBool) {
    // That a worker can be made was tried by `Stream::new`.
    let Ok(mut worker) = Worker::new(job) else { return };
    while let Ok((number, chunk)) = chunks.recv() {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let pieces = match catch_unwind(AssertUnwindSafe(|| worker.work(&chunk))) {
            Ok(pieces) => pieces.map_err(Failure::from),
            Err(panic) => Err(Failure::Panic(message_of(&panic))),
        };
        if done.send(Outcome { number, chunk, pieces }).is_err() {
            return;
        }
    }
}

fn message_of(panic: &Box<dyn std::any::Any + Send>) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}
