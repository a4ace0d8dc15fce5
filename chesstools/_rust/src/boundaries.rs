//! Where regions begin, without judging them: what a plan must know of a source before it can be judged in stretches.

use crate::chunk::Chunk;
use crate::front::{Front, Next};
use crate::pieces::Place;
use crate::segment::{Buffers, Segmenter, Start};

/// What `Boundaries::advance` asks for or gives.
pub enum Advance {
    /// Give the next block, from this place on, to `feed`, or call `finish`.
    Feed(u64),
    /// Some text was read; call again.
    Going,
    /// The place that was asked for.
    Here,
}

/// Goes from region to region and counts games.
pub struct Boundaries {
    front: Front,
    chunk: Option<Chunk>,
    /// Where the next region begins in the chunk.
    start: Start,
    place: Place,
    games: u64,
    buffers: Buffers,
}

impl Boundaries {
    /// `front` reads from `place` on.
    pub fn new(front: Front, place: Place) -> Boundaries {
        Boundaries { front, chunk: None, start: Start::default(), place, games: 0, buffers: Buffers::default() }
    }

    /// Where the next region begins, or the end; and how many games stand before it.
    pub fn place(&self) -> (Place, u64) {
        (self.place, self.games)
    }

    /// The next block of the stream.
    pub fn feed(&mut self, block: &[u8]) {
        self.front.feed.block(block);
    }

    /// The stream has ended.
    pub fn finish(&mut self) {
        self.front.feed.finish();
    }

    /// Reads on, a chunk at most, up to the first region that begins at `offset` or behind it, or to the end.
    pub fn advance(&mut self, offset: u64) -> Advance {
        if self.place.offset >= offset {
            return Advance::Here;
        }
        if let Some(chunk) = self.chunk.take() {
            self.read(&chunk, offset);
            if self.start.at < chunk.end {
                self.chunk = Some(chunk);
                return Advance::Here;
            }
            self.front.feed.recycle(chunk);
            return Advance::Going;
        }
        match self.front.advance() {
            Next::Chunk(chunk) => {
                self.start = chunk.start;
                self.chunk = Some(chunk);
                Advance::Going
            }
            Next::Block => Advance::Feed(self.front.feed.end()),
            Next::End => Advance::Here,
        }
    }

    fn read(&mut self, chunk: &Chunk, offset: u64) {
        let mut segmenter = Segmenter::new(&chunk.data, chunk.base, self.start, &mut self.buffers);
        while self.start.at < chunk.end && self.place.offset < offset {
            let Some(region) = segmenter.next_region() else { break };
            self.games += u64::from(region.is_game);
            self.start = segmenter.position();
            let Start { at, line, glued, too_long } = self.start;
            self.place = Place { offset: chunk.base + at as u64, line, glued, too_long };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feed::Feed;

    #[test]
    fn games_are_counted_up_to_a_place() {
        let game = "[Event \"a\"]\n\n1. e4 {[Event} e5 *\n\n";
        let text = game.repeat(200_000);
        let mut boundaries = Boundaries::new(
            Front::new(Feed::new(0, Start::default()), None, 0, None),
            Place { offset: 0, line: 1, glued: false, too_long: false },
        );
        let mut blocks = text.as_bytes().chunks(100_000);
        for number in [0, 1, 2, 150_000, 199_999, 200_000, 200_001] {
            let offset = (number * game.len()) as u64;
            loop {
                match boundaries.advance(offset) {
                    Advance::Here => break,
                    Advance::Going => {}
                    Advance::Feed(_) => match blocks.next() {
                        Some(block) => boundaries.feed(block),
                        None => boundaries.finish(),
                    },
                }
            }
            let number = number.min(200_000) as u64;
            let (place, games) = boundaries.place();
            assert_eq!((games, place.line, place.offset), (number, 1 + 4 * number, number * game.len() as u64));
        }
    }
}
