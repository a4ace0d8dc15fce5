//! What one thread does: chunks in, rows out. It knows of no other thread, and keeps its buffers from chunk to chunk.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_schema::{ArrowError, SchemaRef};

use crate::chunk::Chunk;
use crate::counts::Counts;
use crate::export::exporter::Exporter;
use crate::export::options::Options;
use crate::export::work::work as export;
use crate::game::{Judge, Judged, Outcome};
use crate::openings::Openings;
use crate::optional::Optional;
use crate::pieces::{Copied, Piece, Pieces, Place, MOST_ELSEWHERE};
use crate::profile_choice::ProfileChoice;
use crate::region::Lines;
use crate::rows::{Rows, Tables};
use crate::segment::{Buffers, Region, Start};
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
            return export(exporter, chunk, &mut self.buffers);
        }
        let Worker { job, judge, rows, buffers, .. } = self;
        let mut rows = RowPieces { judge, rows, job, counts: Counts::default(), games: Vec::new(), done: Vec::new() };
        rows.take_in(chunk, buffers)?;
        Ok(rows.done)
    }
}

/// Games become rows.
struct RowPieces<'w> {
    judge: &'w mut Judge,
    rows: &'w mut Rows,
    job: &'w Job,
    counts: Counts,
    /// Games for the readable engine, if those came last.
    games: Vec<Copied>,
    done: Vec<Piece>,
}

impl Pieces for RowPieces<'_> {
    fn plain(&mut self, chunk: &Chunk, at: Start, lines: &mut Lines) -> Option<usize> {
        let before = (!self.games.is_empty()).then(|| Place::of(chunk, at, lines));
        let RowPieces { judge, rows, job, counts, .. } = self;
        let number = counts.games as i64;
        let next = judge.plain_game(&chunk.data, chunk.base, at.at, lines, number, &mut sink(rows, job, counts))?;
        if let Some(before) = before {
            self.put_in_front(before);
        }
        Some(next)
    }

    fn region(&mut self, region: &Region, before: Place) -> Result<(), ArrowError> {
        if !region.is_game {
            if !self.games.is_empty() {
                self.end(before)?;
            }
            let findings = self.judge.quarantine(region);
            self.counts.add_quarantine(region.end - region.start);
            for finding in findings.iter().filter(|finding| wants(self.job, finding)) {
                self.counts.add_finding(finding);
                self.rows.add_finding(finding, None, &self.job.choice.undated().name);
            }
            return Ok(());
        }
        let RowPieces { judge, rows, job, counts, .. } = self;
        let number = counts.games as i64;
        let outcome = judge.game(region, number, &mut sink(rows, job, counts));
        match outcome {
            Outcome::Done => self.put_in_front(before),
            Outcome::Elsewhere => {
                if self.counts.regions() > 0 {
                    self.end(before)?;
                }
                self.games.push(Copied::of(region));
            }
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        let most = self.job.batch_games;
        self.counts.regions() >= most || self.games.len() as u64 >= most.min(MOST_ELSEWHERE as u64)
    }

    fn end(&mut self, here: Place) -> Result<(), ArrowError> {
        if self.counts.regions() > 0 {
            let counts = std::mem::take(&mut self.counts);
            self.done.push(Piece::Judged { batches: self.rows.finish()?, counts, end: here });
        }
        self.put_in_front(here);
        Ok(())
    }
}

impl RowPieces<'_> {
    /// Ends the piece of games that wait, which end at `end`. Rarely the rows of a game behind them are in the next piece already.
    fn put_in_front(&mut self, end: Place) {
        if !self.games.is_empty() {
            self.done.push(Piece::Elsewhere { games: std::mem::take(&mut self.games), end });
        }
    }
}

/// What takes in the record of a game.
fn sink<'s>(rows: &'s mut Rows, job: &'s Job, counts: &'s mut Counts) -> impl FnMut(Judged) + 's {
    move |judged: Judged| {
        let game = match judged {
            Judged::Clean(clean) => return counts.add_clean(clean),
            Judged::Game(game) => game,
        };
        counts.add_game(game);
        game.findings.iter().filter(|finding| wants(job, finding)).for_each(|finding| counts.add_finding(finding));
        rows.add_game(game, |finding| wants(job, finding));
    }
}

fn wants(job: &Job, finding: &Finding) -> bool {
    job.codes.contains(finding.code)
}
