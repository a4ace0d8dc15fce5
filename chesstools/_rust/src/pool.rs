//! Threads that judge chunks.

use std::any::Any;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use arrow_schema::ArrowError;
use crossbeam_channel::{unbounded, Receiver, Sender};

use crate::chunk::Chunk;
use crate::pieces::Piece;
use crate::worker::{Job, Worker};

/// Why a chunk could not be judged: an error of this program.
#[derive(Debug)]
pub enum Failure {
    Arrow(ArrowError),
    Panic(String),
}

impl Failure {
    pub fn of_panic(panic: &Box<dyn Any + Send>) -> Failure {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Failure::Panic(text.unwrap_or_else(|| "it said nothing".into()))
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, to: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Failure::Arrow(error) => write!(to, "rows could not be built: {error}"),
            Failure::Panic(message) => write!(to, "a thread stopped: {message}"),
        }
    }
}

impl From<ArrowError> for Failure {
    fn from(error: ArrowError) -> Failure {
        Failure::Arrow(error)
    }
}

/// What became of a chunk. It comes back so that its memory can be used again.
pub struct Outcome {
    pub number: u64,
    pub chunk: Chunk,
    pub pieces: Result<Vec<Piece>, Failure>,
}

/// What threads tell.
pub enum Event {
    /// A chunk that is to be judged.
    Cut(u64, Chunk),
    Judged(Outcome),
    /// The thread that cuts chunks has ended.
    AllCut,
}

pub fn judge(worker: &mut Worker, number: u64, chunk: Chunk) -> Outcome {
    let pieces = match catch_unwind(AssertUnwindSafe(|| worker.work(&chunk))) {
        Ok(pieces) => pieces.map_err(Failure::from),
        Err(panic) => Err(Failure::of_panic(&panic)),
    };
    Outcome { number, chunk, pieces }
}

pub struct Pool {
    chunks: Option<Sender<(u64, Chunk)>>,
    threads: Vec<JoinHandle<()>>,
    stop: Arc<AtomicBool>,
}

impl Pool {
    /// `jobs` threads, which tell `events` what becomes of chunks. That a worker can be made for `job` must have been tried.
    pub fn new(job: &Job, jobs: usize, events: &Sender<Event>) -> Pool {
        let (chunks, to_judge) = unbounded();
        let stop = Arc::new(AtomicBool::new(false));
        let threads = (0..jobs)
            .map(|_| {
                let (job, to_judge, events, stop) = (job.clone(), to_judge.clone(), events.clone(), stop.clone());
                thread::spawn(move || judge_all(job, &to_judge, &events, &stop))
            })
            .collect();
        Pool { chunks: Some(chunks), threads, stop }
    }

    /// Where chunks can be sent to.
    pub fn chunks(&self) -> Sender<(u64, Chunk)> {
        self.chunks.clone().unwrap_or_else(|| unbounded().0)
    }

    pub fn submit(&self, number: u64, chunk: Chunk) {
        let _ = self.chunks().send((number, chunk));
    }

    /// What was cut and not begun is not judged any more.
    pub fn stop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.chunks = None;
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.stop();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn judge_all(job: Job, chunks: &Receiver<(u64, Chunk)>, events: &Sender<Event>, stop: &AtomicBool) {
    let Ok(mut worker) = Worker::new(job) else { return };
    while let Ok((number, chunk)) = chunks.recv() {
        if stop.load(Ordering::Relaxed) || events.send(Event::Judged(judge(&mut worker, number, chunk))).is_err() {
            return;
        }
    }
}
