//! What one thread does: chunks in, rows out. It knows of no other thread, and keeps its buffers from chunk to chunk.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_schema::{ArrowError, SchemaRef};

use crate::chunk::Chunk;
use crate::counts::Counts;
use crate::export::exporter::{Exporter, Written};
use crate::export::options::Options;
use crate::export::work::work as export;
use crate::game::{Judge, Judged, Outcome};
use crate::lexer::Token;
use crate::openings::Openings;
use crate::optional::Optional;
use crate::profile_choice::ProfileChoice;
use crate::region::Lines;
use crate::rows::{Batches, Rows, Tables};
use crate::segment::{Buffers, Region, Segmenter, Start};
use crate::types::Finding;
use crate::winnable::Depth;

/// What is wanted of a source.
#[derive(Clone)]
pub struct Job {
    pub source: String,
    pub schemas: Tables<Option<SchemaRef>>,
    pub choice: ProfileChoice,
    /// The findings that are wanted, by code.
    pub codes: HashSet<String>,
    /// The names of openings, where something asks for them.
    pub openings: Option<Arc<Openings>>,
    /// How much is looked at to know whether a side can still mate.
    pub depth: Depth,
    /// Games and quarantined regions in one piece at most.
    pub batch_games: u64,
    /// How games are written; then nothing is judged.
    pub export: Option<Arc<Options>>,
}

/// A place behind a region, as in `chesstools/step.py`; the number of the next game is known only in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub offset: u64,
    pub line: u64,
    pub glued: bool,
    pub too_long: bool,
}

/// What became of consecutive regions.
// A piece is made once for many games; a box would save nothing.
#[allow(clippy::large_enum_variant)]
pub enum Piece {
    /// Games are numbered from 0.
    Judged { batches: Batches, counts: Counts, end: Place },
    /// Games that the readable engine must judge or write.
    Elsewhere { games: Vec<Copied>, end: Place },
    /// Games that were written.
    Written(Written),
}

/// A game region on its own, with its tokens counted from the beginning of the stream.
pub struct Copied {
    pub offset: u64,
    pub line: u64,
    pub data: Vec<u8>,
    pub base: u64,
    pub tokens: Vec<Token>,
    pub terminator: Option<usize>,
    pub glued: Vec<Token>,
    pub too_long: bool,
}

impl Copied {
    pub fn of(region: &Region) -> Copied {
        Copied {
            offset: region.offset(),
            line: region.line,
            data: region.data().to_vec(),
            base: region.base,
            tokens: region.tokens.to_vec(),
            terminator: region.terminator,
            glued: region.glued.to_vec(),
            too_long: region.too_long,
        }
    }
}

pub struct Worker {
    job: Job,
    judge: Judge,
    rows: Rows,
    buffers: Buffers,
    exporter: Option<Exporter>,
}

impl Worker {
    /// Fails where the schemas are not those that this module makes.
    pub fn new(job: Job) -> Result<Worker, ArrowError> {
        let wants_texts = job.schemas.games.is_some() || job.schemas.plies.is_some() || job.schemas.compared.is_some();
        let optional = Optional::of(&job.codes, job.openings.as_ref(), job.depth);
        let judge = Judge::new(job.choice.clone(), wants_texts, job.schemas.plies.is_some(), optional);
        let rows = Rows::new(job.schemas.clone(), &job.source)?;
        let exporter = job.export.clone().map(|options| Exporter::new(options, job.source.clone()));
        Ok(Worker { job, judge, rows, buffers: Buffers::default(), exporter })
    }

    /// Judges or writes what belongs to the chunk.
    pub fn work(&mut self, chunk: &Chunk) -> Result<Vec<Piece>, ArrowError> {
        if let Some(exporter) = &mut self.exporter {
            return Ok(export(exporter, chunk, &mut self.buffers));
        }
        let mut pieces =
            Pieces { rows: &mut self.rows, job: &self.job, counts: Counts::default(), games: Vec::new(), done: Vec::new() };
        let mut segmenter = Segmenter::new(&chunk.data, chunk.base, chunk.start, &mut self.buffers);
        let mut end = segmenter.position();
        // Behind plain games the line of `end` is not counted before it is wanted.
        let mut lines = Lines::from(&chunk.data, end);
        while end.at < chunk.end {
            if let Some(at) = pieces.add_plain(&mut self.judge, chunk, end, &mut lines) {
                end.at = at;
            } else {
                if end.at != segmenter.position().at {
                    end.line = lines.at(end.at);
                    segmenter.go_on(end);
                }
                let Some(region) = segmenter.next_region() else { break };
                pieces.add(&mut self.judge, &region, place(chunk, end, &mut lines))?;
                end = segmenter.position();
                lines = Lines::from(&chunk.data, end);
            }
            if pieces.is_full() {
                pieces.end(place(chunk, end, &mut lines))?;
            }
        }
        pieces.end(place(chunk, end, &mut lines))?;
        Ok(pieces.done)
    }
}

fn place(chunk: &Chunk, at: Start, lines: &mut Lines) -> Place {
    Place { offset: chunk.base + at.at as u64, line: lines.at(at.at), glued: at.glued, too_long: at.too_long }
}

/// The pieces that a chunk becomes.
struct Pieces<'w> {
    rows: &'w mut Rows,
    job: &'w Job,
    counts: Counts,
    /// Games for the readable engine, if those came last.
    games: Vec<Copied>,
    done: Vec<Piece>,
}

impl Pieces<'_> {
    /// Takes in a region; `before` is where it begins.
    fn add(&mut self, judge: &mut Judge, region: &Region, before: Place) -> Result<(), ArrowError> {
        if !region.is_game {
            if !self.games.is_empty() {
                self.end(before)?;
            }
            let findings = judge.quarantine(region);
            self.counts.add_quarantine(region.end - region.start);
            for finding in findings.iter().filter(|finding| wants(self.job, finding)) {
                self.counts.add_finding(finding);
                self.rows.add_finding(finding, None, &self.job.choice.undated().name);
            }
            return Ok(());
        }
        let outcome = {
            let (number, mut sink) = self.sink();
            judge.game(region, number, &mut sink)
        };
        match outcome {
            Outcome::Done => {
                self.put_in_front(before);
                Ok(())
            }
            Outcome::Elsewhere => {
                if self.counts.regions() > 0 {
                    self.end(before)?;
                }
                self.games.push(Copied::of(region));
                Ok(())
            }
        }
    }

    /// Takes in the game that begins at `at`, if it is a plain one; gives where the next one begins.
    fn add_plain(&mut self, judge: &mut Judge, chunk: &Chunk, at: Start, lines: &mut Lines) -> Option<usize> {
        if at.glued || at.too_long {
            return None;
        }
        let before = (!self.games.is_empty()).then(|| place(chunk, at, lines));
        let next = {
            let (number, mut sink) = self.sink();
            judge.plain_game(&chunk.data, chunk.base, at.at, lines, number, &mut sink)?
        };
        if let Some(before) = before {
            self.put_in_front(before);
        }
        Some(next)
    }

    /// The number of the next game, and what takes in its record.
    fn sink(&mut self) -> (i64, impl FnMut(Judged) + '_) {
        let number = self.counts.games as i64;
        let (rows, counts, job) = (&mut *self.rows, &mut self.counts, self.job);
        let take = move |judged: Judged| {
            let game = match judged {
                Judged::Clean(clean) => return counts.add_clean(clean),
                Judged::Game(game) => game,
            };
            counts.add_game(game);
            game.findings.iter().filter(|finding| wants(job, finding)).for_each(|finding| counts.add_finding(finding));
            rows.add_game(game, |finding| wants(job, finding));
        };
        (number, take)
    }

    /// Rare: the rows of a game are in the next piece already, while games before it, which end at `before`, are waiting.
    fn put_in_front(&mut self, before: Place) {
        if !self.games.is_empty() {
            let games = std::mem::take(&mut self.games);
            self.done.push(Piece::Elsewhere { games, end: before });
        }
    }

    /// Whether it is time to end the piece that was begun.
    fn is_full(&self) -> bool {
        self.counts.regions() >= self.job.batch_games || self.games.len() as u64 >= self.job.batch_games.min(MOST_ELSEWHERE)
    }

    /// Ends the piece that was begun, if one was.
    fn end(&mut self, here: Place) -> Result<(), ArrowError> {
        if self.counts.regions() > 0 {
            let counts = std::mem::take(&mut self.counts);
            self.done.push(Piece::Judged { batches: self.rows.finish()?, counts, end: here });
        }
        if !self.games.is_empty() {
            let games = std::mem::take(&mut self.games);
            self.done.push(Piece::Elsewhere { games, end: here });
        }
        Ok(())
    }
}

/// Games for the readable engine in one piece at most: they take about half a second.
const MOST_ELSEWHERE: u64 = 250;

fn wants(job: &Job, finding: &Finding) -> bool {
    job.codes.contains(finding.code)
}
