//! `export_speed FILE pgn|jsonl|san|uci|fen`: writes all games of a file, to nowhere. For callgrind and the like.

use std::sync::Arc;
use std::time::Instant;

use _core::export::exporter::{Exporter, Written};
use _core::export::options::{Format, Keep, Notation, Options, Positions, TagOptions};
use _core::normal_form::EnPassant;
use _core::region::{Buffers, Start};
use _core::segment::Segmenter;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a file");
    let (format, notation) = match arguments.next().as_deref() {
        Some("pgn") => (Format::Pgn, Notation::San),
        Some("jsonl") => (Format::JsonLines, Notation::San),
        Some("san") => (Format::Moves, Notation::San),
        Some("uci") => (Format::Moves, Notation::Uci),
        _ => (Format::Fen, Notation::San),
    };
    let options = Options {
        format,
        notation,
        letters: None,
        width: 80,
        keep: Keep { comments: true, nags: true, variations: true, clocks: true, commands: true, bare: false },
        tags: TagOptions { seven: false, roster: false, sorted: false },
        positions: Positions::Final,
        ep: EnPassant::Legal,
        keys: false,
    };
    let data = std::fs::read(&file).expect("readable");
    let mut buffers = Buffers::default();
    let mut segmenter = Segmenter::new(&data, 0, Start::default(), &mut buffers);
    let mut exporter = Exporter::new(Arc::new(options), file.clone());
    let (mut written, mut plain, mut bytes) = (Written::default(), 0, 0);
    let clock = Instant::now();
    let mut at = segmenter.position();
    loop {
        if written.text.len() > 1 << 20 {
            bytes += written.text.len();
            written.text.clear();
            written.numbers.clear();
        }
        if let Some(next) = exporter.plain_game(&data, 0, at.at, &mut written) {
            plain += 1;
            at.at = next;
            continue;
        }
        if at.at != segmenter.position().at {
            segmenter.go_on(at);
        }
        let Some(region) = segmenter.next_region() else { break };
        if region.is_game {
            exporter.game(&region, &mut written);
        }
        at = segmenter.position();
    }
    let seconds = clock.elapsed().as_secs_f64();
    println!("{file}: {} games ({plain} plain), {} bytes written", written.games, bytes + written.text.len());
    println!("{:.1} MB/s", data.len() as f64 / 1e6 / seconds);
}
