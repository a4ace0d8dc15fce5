//! What a worker does with a chunk where games are exported: the way of `worker.rs`, without rows.

use arrow_schema::ArrowError;

use super::exporter::{escape_lines, Exporter, Written};
use super::left::Left;
use crate::chunk::Chunk;
use crate::game::Outcome;
use crate::pieces::{Copied, Piece, Pieces, Place, MOST_ELSEWHERE};
use crate::region::{Buffers, Lines, Region, Start};

/// So many bytes of text make a piece.
const MOST_TEXT: usize = 4 << 20;

/// Writes what belongs to the chunk.
pub fn work(exporter: &mut Exporter, chunk: &Chunk, buffers: &mut Buffers) -> Result<Vec<Piece>, ArrowError> {
    let mut texts = TextPieces { exporter, written: Written::default(), games: Vec::new(), done: Vec::new() };
    texts.take_in(chunk, buffers)?;
    Ok(texts.done)
}

/// Games become text. Those that wait stand before all that was written since the last piece.
struct TextPieces<'w> {
    exporter: &'w mut Exporter,
    written: Written,
    /// Games for the readable engine.
    games: Vec<Copied>,
    done: Vec<Piece>,
}

impl Pieces for TextPieces<'_> {
    fn plain(&mut self, chunk: &Chunk, at: Start, lines: &mut Lines) -> Option<usize> {
        let next = self.exporter.plain_game(&chunk.data, chunk.base, at.at, &mut self.written)?;
        self.put_in_front(|| Place::of(chunk, at, lines));
        Some(next)
    }

    fn region(&mut self, region: &Region, before: Place) -> Result<(), ArrowError> {
        if !region.is_game {
            self.written.left.outside += u64::from(region.tokens.iter().any(|token| !token.kind.is_filler()));
            self.written.left.escape_lines += escape_lines(region);
        } else if self.exporter.game(region, &mut self.written) == Outcome::Elsewhere {
            self.end_written();
            self.games.push(Copied::of(region));
        } else {
            self.put_in_front(|| before);
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.written.text.len() >= MOST_TEXT || self.games.len() >= MOST_ELSEWHERE
    }

    fn end(&mut self, here: Place) -> Result<(), ArrowError> {
        self.put_in_front(|| here);
        self.end_written();
        Ok(())
    }
}

impl TextPieces<'_> {
    /// Ends the piece of games that wait, now that another was written behind them.
    fn put_in_front(&mut self, end: impl FnOnce() -> Place) {
        if !self.games.is_empty() {
            self.done.push(Piece::Elsewhere { games: std::mem::take(&mut self.games), end: end() });
        }
    }

    fn end_written(&mut self) {
        let Left { outside, escape_lines, .. } = self.written.left;
        if self.written.games + outside + escape_lines > 0 {
            self.done.push(Piece::Written(std::mem::take(&mut self.written)));
        }
    }
}
