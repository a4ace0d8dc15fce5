//! Consecutive games of a chunk become pieces: rows, text, or games for the readable engine.

use arrow_schema::ArrowError;

use crate::chunk::Chunk;
use crate::counts::Counts;
use crate::export::exporter::Written;
use crate::lexer::Token;
use crate::region::Lines;
use crate::rows::Batches;
use crate::segment::{Buffers, Region, Segmenter, Start};

/// Games for the readable engine in one piece at most: they take about half a second.
pub const MOST_ELSEWHERE: usize = 250;

/// A place behind a region, as in `chesstools/step.py`; the number of the next game is known only in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub offset: u64,
    pub line: u64,
    pub glued: bool,
    pub too_long: bool,
}

impl Place {
    /// The place `at` in a chunk.
    pub fn of(chunk: &Chunk, at: Start, lines: &mut Lines) -> Place {
        Place { offset: chunk.base + at.at as u64, line: lines.at(at.at), glued: at.glued, too_long: at.too_long }
    }
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

/// What judges or writes the regions of a chunk, and makes pieces of them.
pub trait Pieces {
    /// Takes in the game that begins at `at`, if it is a plain one; gives where the next one begins.
    fn plain(&mut self, chunk: &Chunk, at: Start, lines: &mut Lines) -> Option<usize>;

    /// Takes in a region; `before` is where it begins.
    fn region(&mut self, region: &Region, before: Place) -> Result<(), ArrowError>;

    /// Whether it is time to end the piece that was begun.
    fn is_full(&self) -> bool;

    /// Ends the piece that was begun, if one was.
    fn end(&mut self, here: Place) -> Result<(), ArrowError>;

    /// Hands over all that belongs to the chunk.
    fn take_in(&mut self, chunk: &Chunk, buffers: &mut Buffers) -> Result<(), ArrowError> {
        let mut segmenter = Segmenter::new(&chunk.data, chunk.base, chunk.start, buffers);
        let mut end = segmenter.position();
        // Behind plain games the line of `end` is not counted before it is wanted.
        let mut lines = Lines::from(&chunk.data, end);
        while end.at < chunk.end {
            let next = if end.glued || end.too_long { None } else { self.plain(chunk, end, &mut lines) };
            if let Some(at) = next {
                end.at = at;
            } else {
                if end.at != segmenter.position().at {
                    end.line = lines.at(end.at);
                    segmenter.go_on(end);
                }
                let Some(region) = segmenter.next_region() else { break };
                self.region(&region, Place::of(chunk, end, &mut lines))?;
                end = segmenter.position();
                lines = Lines::from(&chunk.data, end);
            }
            if self.is_full() {
                self.end(Place::of(chunk, end, &mut lines))?;
            }
        }
        self.end(Place::of(chunk, end, &mut lines))
    }
}
