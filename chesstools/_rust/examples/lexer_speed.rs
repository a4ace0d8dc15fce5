//! `lexer_speed FILE [RUNS]`: how fast tokens and regions are found, cutting into chunks included or not.

use std::time::Instant;

use _core::chunk::{Chunk, Chunker};
use _core::segment::{Buffers, Segmenter};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let data = std::fs::read(arguments.next().expect("a file")).expect("readable");
    let runs: usize = arguments.next().map_or(5, |text| text.parse().expect("a number"));
    let megabytes = data.len() as f64 / 1e6;
    let (mut cutting, mut reading) = (f64::MAX, f64::MAX);
    let (mut games, mut tokens) = (0, 0);
    for _ in 0..runs {
        let clock = Instant::now();
        let chunks = cut(&data);
        cutting = cutting.min(clock.elapsed().as_secs_f64());
        (games, tokens) = (0, 0);
        let clock = Instant::now();
        let mut buffers = Buffers::default();
        for chunk in &chunks {
            let mut segmenter = Segmenter::new(&chunk.data, chunk.base, chunk.start, &mut buffers);
            while segmenter.position().at < chunk.end {
                let region = segmenter.next_region().expect("a region");
                games += usize::from(region.is_game);
                tokens += region.tokens.len();
            }
        }
        reading = reading.min(clock.elapsed().as_secs_f64());
    }
    println!("{megabytes:.1} MB, {games} games, {tokens} tokens without white space");
    println!("cutting {:.0} MB/s", megabytes / cutting);
    println!("reading {:.0} MB/s, {:.2} ns per token", megabytes / reading, reading * 1e9 / tokens as f64);
}

fn cut(data: &[u8]) -> Vec<Chunk> {
    let mut chunker = Chunker::new();
    let mut chunks = Vec::new();
    for block in data.chunks(1 << 20) {
        chunker.feed(block);
        chunks.extend(std::iter::from_fn(|| chunker.next_chunk()));
    }
    chunker.finish();
    chunks.extend(std::iter::from_fn(|| chunker.next_chunk()));
    chunks
}
