//! What a worker does with a chunk where games are exported: the way of `worker.rs`, without rows.

use super::exporter::{escape_lines, Exporter, Written};
use super::left::Left;
use crate::chunk::Chunk;
use crate::game::Outcome;
use crate::region::{Buffers, Lines, Start};
use crate::segment::Segmenter;
use crate::worker::{Copied, Piece, Place};

/// So many bytes of text make a piece.
const MOST_TEXT: usize = 4 << 20;

/// Games for the readable engine in one piece at most: they take about half a second.
const MOST_ELSEWHERE: usize = 250;

/// Writes what belongs to the chunk.
pub fn work(exporter: &mut Exporter, chunk: &Chunk, buffers: &mut Buffers) -> Vec<Piece> {
    let mut pieces = Pieces::default();
    let mut segmenter = Segmenter::new(&chunk.data, chunk.base, chunk.start, buffers);
    let mut end = segmenter.position();
    let mut lines = Lines::from(&chunk.data, end);
    while end.at < chunk.end {
        let is_plain = !(end.glued || end.too_long);
        let before = end;
        let next = if is_plain { exporter.plain_game(&chunk.data, chunk.base, end.at, &mut pieces.written) } else { None };
        if let Some(at) = next {
            pieces.put_in_front(|| place(chunk, before, &mut lines));
            end.at = at;
        } else {
            if end.at != segmenter.position().at {
                end.line = lines.at(end.at);
                segmenter.go_on(end);
            }
            let Some(region) = segmenter.next_region() else { break };
            if !region.is_game {
                pieces.written.left.outside += u64::from(region.tokens.iter().any(|token| !token.kind.is_filler()));
                pieces.written.left.escape_lines += escape_lines(&region);
            } else if exporter.game(&region, &mut pieces.written) == Outcome::Elsewhere {
                pieces.end_written();
                pieces.games.push(Copied::of(&region));
            } else {
                pieces.put_in_front(|| place(chunk, before, &mut lines));
            }
            end = segmenter.position();
            lines = Lines::from(&chunk.data, end);
        }
        if pieces.written.text.len() >= MOST_TEXT || pieces.games.len() >= MOST_ELSEWHERE {
            pieces.end(|| place(chunk, end, &mut lines));
        }
    }
    pieces.end(|| place(chunk, end, &mut lines));
    pieces.done
}

fn place(chunk: &Chunk, at: Start, lines: &mut Lines) -> Place {
    Place { offset: chunk.base + at.at as u64, line: lines.at(at.at), glued: at.glued, too_long: at.too_long }
}

/// The pieces that a chunk becomes. Games that wait stand before all that was written since the last piece.
#[derive(Default)]
struct Pieces {
    written: Written,
    /// Games for the readable engine.
    games: Vec<Copied>,
    done: Vec<Piece>,
}

impl Pieces {
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

    fn end(&mut self, end: impl FnOnce() -> Place) {
        self.put_in_front(end);
        self.end_written();
    }
}
