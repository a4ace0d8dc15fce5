//! However a text is fed and cut into chunks, its regions are the same; and reading can begin anew behind each of them.

use _core::chunk::Chunker;
use _core::lexer::{Kind, Token};
use _core::limits::{Limits, LOOK_BEHIND};
use _core::segment::{Buffers, Region, Segmenter, Start};

/// The sizes follow from the length of the text, so that any text is an input.
pub fn check(data: &[u8]) {
    for limits in [Limits::STATED, super::lexer::SMALL] {
        let wanted = whole(data, limits);
        let length = data.len();
        for (block_bytes, chunk_bytes) in [(1 + length % 13, 1 + length % 61), (1 + length % 127, 1 + length % 17)] {
            let (found, _) = chunked(data, block_bytes, chunk_bytes, limits);
            assert_eq!(found, wanted, "blocks of {block_bytes}, chunks of {chunk_bytes}: {}", data.escape_ascii());
        }
        if length < 500 {
            check_starts(data, limits);
        }
    }
}

/// All that is known of a region. Places are those in the stream.
#[derive(Debug, PartialEq)]
pub struct Seen {
    is_game: bool,
    too_long: bool,
    offset: u64,
    length: usize,
    line: u64,
    terminator: Option<usize>,
    tokens: Vec<(Kind, u64, u64)>,
    glued: Vec<(Kind, u64, u64)>,
}

impl Seen {
    fn of(region: &Region) -> Seen {
        let place = |at: u32| region.base + u64::from(at);
        let placed = |token: &Token| (token.kind, place(token.start), place(token.end));
        Seen {
            is_game: region.is_game,
            too_long: region.too_long,
            offset: region.offset(),
            length: region.end - region.start,
            line: region.line,
            terminator: region.terminator,
            tokens: region.tokens.iter().map(placed).collect(),
            glued: region.glued.iter().map(placed).collect(),
        }
    }
}

/// The regions of a text in one piece.
pub fn whole(text: &[u8], limits: Limits) -> Vec<Seen> {
    let mut buffers = Buffers::default();
    let mut segmenter = Segmenter::with_limits(text, 0, Start::default(), &mut buffers, limits);
    std::iter::from_fn(|| segmenter.next_region().as_ref().map(Seen::of)).collect()
}

/// The regions of a text in chunks, and how many chunks there were.
pub fn chunked(text: &[u8], block_bytes: usize, chunk_bytes: usize, limits: Limits) -> (Vec<Seen>, usize) {
    let mut chunker = Chunker::with_limits(0, Start::default(), chunk_bytes, limits);
    let mut buffers = Buffers::default();
    let (mut regions, mut chunks) = (Vec::new(), 0);
    let mut blocks = text.chunks(block_bytes);
    loop {
        while let Some(chunk) = chunker.next_chunk() {
            chunks += 1;
            let mut segmenter = Segmenter::with_limits(&chunk.data, chunk.base, chunk.start, &mut buffers, limits);
            while segmenter.position().at < chunk.end {
                regions.push(Seen::of(&segmenter.next_region().expect("a region")));
            }
            chunker.recycle(chunk);
        }
        match blocks.next() {
            Some(block) => chunker.feed(block),
            None if chunker.is_finished() => return (regions, chunks),
            None => chunker.finish(),
        }
    }
}

/// Reads anew behind each region, with no more text before it than must be looked back at.
pub fn check_starts(text: &[u8], limits: Limits) {
    let wanted = whole(text, limits);
    let (mut buffers, mut others) = (Buffers::default(), Buffers::default());
    let mut segmenter = Segmenter::with_limits(text, 0, Start::default(), &mut buffers, limits);
    for number in 1..=wanted.len() {
        segmenter.next_region().expect("a region");
        let mut start = segmenter.position();
        let base = start.at.saturating_sub(LOOK_BEHIND);
        start.at -= base;
        let mut later = Segmenter::with_limits(&text[base..], base as u64, start, &mut others, limits);
        let found: Vec<_> = std::iter::from_fn(|| later.next_region().as_ref().map(Seen::of)).collect();
        assert_eq!(found, wanted[number..], "{}", text.escape_ascii());
    }
}
