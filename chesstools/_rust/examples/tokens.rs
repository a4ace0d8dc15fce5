//! Prints tokens and regions of many texts, one text a line, to be compared with the reference engine.
//!
//! `tokens FILE [LIMIT=NUMBER ...]`: the file holds texts, each behind its length (four bytes, little endian). A line
//! holds `kind:start:end` for each token, a `|`, and the regions. With `chunk=NUMBER` the text is also cut into chunks of
//! about that size, and it is an error if their regions are others.

use std::fmt::Write as _;
use std::io::Write as _;

use _core::chunk::Chunker;
use _core::lexer::{tokens, Token};
use _core::limits::Limits;
use _core::segment::{Buffers, Region, Segmenter, Start};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a file");
    let mut chunk = None;
    let limits = arguments.fold(Limits::STATED, |limits, setting| with(limits, &setting, &mut chunk));
    let data = std::fs::read(file).expect("readable");
    let mut rest = &data[..];
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut buffers = Buffers::default();
    let mut line = String::new();
    while let Some((length, behind)) = rest.split_first_chunk::<4>() {
        let (text, behind) = behind.split_at(u32::from_le_bytes(*length) as usize);
        line.clear();
        describe(text, limits, &mut buffers, &mut line);
        writeln!(out, "{line}").expect("written");
        if let Some(chunk) = chunk {
            check_chunks(text, limits, chunk, &line[line.find('|').unwrap_or(line.len())..]);
        }
        rest = behind;
    }
}

fn with(mut limits: Limits, setting: &str, chunk: &mut Option<usize>) -> Limits {
    let (name, number) = setting.split_once('=').expect("LIMIT=NUMBER");
    let number = number.parse().expect("a number");
    match name {
        "comment" => limits.comment = number,
        "tag_line" => limits.tag_line = number,
        "inline_tag" => limits.inline_tag = number,
        "nested_comment" => limits.nested_comment = number,
        "blank" => limits.blank = number,
        "game" => limits.game = number,
        "chunk" => *chunk = Some(number),
        "game_tokens" => limits.game_tokens = number,
        _ => panic!("no limit {name}"),
    }
    limits
}

fn list(tokens: &[Token], base: u64, line: &mut String) {
    for token in tokens {
        write!(line, "{}:{}:{} ", token.kind as u8, base + token.start as u64, base + token.end as u64).expect("written");
    }
}

fn describe(text: &[u8], limits: Limits, buffers: &mut Buffers, line: &mut String) {
    list(&tokens(text, limits), 0, line);
    let mut segmenter = Segmenter::with_limits(text, 0, Start::default(), buffers, limits);
    while let Some(region) = segmenter.next_region() {
        describe_region(&region, line);
    }
}

fn describe_region(region: &Region, line: &mut String) {
    let terminator = region.terminator.map_or(-1, |index| index as i64);
    let flags = u8::from(region.is_game) + 2 * u8::from(region.too_long);
    let (start, end) = (region.offset(), region.base + region.end as u64);
    write!(line, "|{flags} {start} {end} {} {terminator} ", region.line).expect("written");
    list(region.tokens, region.base, line);
    line.push('g');
    list(region.glued, region.base, line);
}

/// Cuts the text, fed in blocks of several sizes, and compares the regions.
fn check_chunks(text: &[u8], limits: Limits, chunk_bytes: usize, wanted: &str) {
    for block_bytes in [1, 7, 997, 1 + text.len() / 3, text.len().max(1)] {
        if block_bytes * 5000 < text.len() {
            continue;
        }
        let mut found = String::new();
        let mut buffers = Buffers::default();
        let mut chunker = Chunker::with_limits(0, Start::default(), chunk_bytes, limits);
        let mut blocks = text.chunks(block_bytes);
        let mut chunks = 0;
        loop {
            let Some(chunk) = chunker.next_chunk() else {
                match blocks.next() {
                    Some(block) => chunker.feed(block),
                    None if chunker.is_finished() => break,
                    None => chunker.finish(),
                }
                continue;
            };
            chunks += 1;
            let mut segmenter = Segmenter::with_limits(&chunk.data, chunk.base, chunk.start, &mut buffers, limits);
            while segmenter.position().at < chunk.end {
                describe_region(&segmenter.next_region().expect("a region"), &mut found);
            }
            assert_eq!(segmenter.position().at, chunk.end);
            chunker.recycle(chunk);
        }
        if found != wanted {
            eprintln!("CHUNKS {chunk_bytes} {block_bytes} {chunks}\n{}\n{found}\n{wanted}", text.escape_ascii());
        } else if std::env::var_os("COUNT").is_some() {
            eprintln!("{chunks} chunks of {} bytes", text.len());
        }
    }
}
