//! However a text is fed and cut into chunks, their regions are those of the text.

use _core::chunk::Chunker;
use _core::limits::{Limits, LOOK_BEHIND};
use _core::segment::{Buffers, Region, Segmenter, Start};

/// Places are those in the stream.
fn described(region: &Region) -> String {
    let place = |at: u32| region.base + u64::from(at);
    let tokens = region.tokens.iter().chain(region.glued).map(|token| (token.kind, place(token.start), place(token.end)));
    let tokens: Vec<_> = tokens.collect();
    let flags = (region.is_game, region.too_long, region.terminator, region.glued.len());
    format!("{flags:?} {} +{} line {} {tokens:?}", region.offset(), region.end - region.start, region.line)
}

fn whole(text: &[u8], limits: Limits) -> Vec<String> {
    let mut buffers = Buffers::default();
    let mut segmenter = Segmenter::with_limits(text, 0, Start::default(), &mut buffers, limits);
    std::iter::from_fn(|| segmenter.next_region().as_ref().map(described)).collect()
}

/// The regions, and how many chunks there were.
fn chunked(text: &[u8], block_bytes: usize, chunk_bytes: usize, limits: Limits) -> (Vec<String>, usize) {
    let mut chunker = Chunker::with_limits(0, Start::default(), chunk_bytes, limits);
    let mut buffers = Buffers::default();
    let (mut regions, mut chunks) = (Vec::new(), 0);
    let mut blocks = text.chunks(block_bytes);
    loop {
        while let Some(chunk) = chunker.next_chunk() {
            chunks += 1;
            let mut segmenter = Segmenter::with_limits(&chunk.data, chunk.base, chunk.start, &mut buffers, limits);
            while segmenter.position().at < chunk.end {
                regions.push(described(&segmenter.next_region().expect("a region")));
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

fn check(text: &str, limits: Limits) -> usize {
    let wanted = whole(text.as_bytes(), limits);
    if text.len() < 2000 {
        check_starts(text.as_bytes(), limits);
    }
    let mut most = 0;
    for (block_bytes, chunk_bytes) in [(1, 30), (7, 100), (64, 10), (1000, 300), (100_000, 1)] {
        let (found, chunks) = chunked(text.as_bytes(), block_bytes, chunk_bytes, limits);
        assert_eq!(found, wanted, "blocks of {block_bytes}, chunks of {chunk_bytes}: {text}");
        most = most.max(chunks);
    }
    most
}

/// Reads anew behind each region, with no more text before it than must be looked back at.
fn check_starts(text: &[u8], limits: Limits) {
    let wanted = whole(text, limits);
    let (mut buffers, mut others) = (Buffers::default(), Buffers::default());
    let mut segmenter = Segmenter::with_limits(text, 0, Start::default(), &mut buffers, limits);
    for number in 1..=wanted.len() {
        segmenter.next_region().expect("a region");
        let mut start = segmenter.position();
        let base = start.at.saturating_sub(LOOK_BEHIND);
        start.at -= base;
        let mut later = Segmenter::with_limits(&text[base..], base as u64, start, &mut others, limits);
        let found: Vec<_> = std::iter::from_fn(|| later.next_region().as_ref().map(described)).collect();
        assert_eq!(found, wanted[number..], "{}", text.escape_ascii());
    }
}

const GAME: &str = "[Event \"a\"]\n[Site \"b\"]\n\n1. e4 e5 2. Nf3 {one} *\n\n";

#[test]
fn games_are_chunks() {
    assert_eq!(check(&GAME.repeat(50), Limits::STATED), 50);
    assert_eq!(check(&GAME.replace('\n', "\r\n").repeat(50), Limits::STATED), 50);
}

#[test]
fn doubtful_places() {
    for between in [
        "1. e4 {never closed\n\n1-0\n\n",
        "1. e4 {never closed\n\n[One \"tag\"]\n\n 1. d4 *\n\n",
        "1. e4 } *\n\n",
        "1. e4 {never closed *\n\n[Event \"}\"]\n[Site \"b\"]\n\n1. d4 *\n\n",
        "1. e4 {never closed *\n\n[Event \"a\"]\n[Site \"}\"]\n\n1. d4 *\n\n",
        "% 1-0\n\n",
        "; 1-0\n\n",
        "[Event \"a\nb\"]\n\n1. e4 (1. d4 *\n\n",
        "no game\n\n1-0\n\n",
        "1-0\n{a comment}\n\n",
        "[Event \"tags alone\"]\n\n*\n\n",
        "[Event \"a\"]\n\n",
        "1. e4 *\n[Event \"glued\"]\n[Site \"c\"]\n\n1. d4\n[Event \"glued too\"]\n\n",
        "{ {\n[Event \"quoted\"]\n[Site \"c\"]\n} }\n\n*\n\n",
        "1. e4 *\n\n\n  [Event \"a \"quoted\" name\"]\n\n1. c4 *\n\n",
    ] {
        let text = [GAME, between, GAME, between, between, GAME, GAME].concat();
        check(&text, Limits::STATED);
        check(&text.repeat(20), Limits::STATED);
    }
}

#[test]
fn limits_are_reached_in_any_chunk() {
    let limits = Limits { comment: 200, tag_line: 80, inline_tag: 40, nested_comment: 30, blank: 5, game: 400, game_tokens: 60 };
    for part in ["1. e4 {never closed ", "1. e4 e5 2. Nf3 Nc6 ", "word ", "\0\0\0\0\0\0\0", "[Event \"a\"] ", "( ", "\n\n\n\n"] {
        let text = [GAME, &part.repeat(300), "\n\n", GAME, GAME, &part.repeat(40), " *\n\n", GAME].concat();
        check(&text, limits);
    }
}
