//! Measures answers on a file of positions with the colours that can mate: `winnable_vectors FILE [NODES]`.

use std::time::Instant;

use _core::fen::read_fen;
use _core::types::Color;
use _core::winnable::{full, quick, Verdict};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).expect("a file of positions");
    let limit = args.get(2).and_then(|text| text.parse::<u32>().ok());
    let show = args.len() > 3;
    let mut counts = std::collections::BTreeMap::new();
    let begin = Instant::now();
    let mut slowest = 0.0f64;
    for line in text.lines() {
        let (mark, fen) = line.split_once(' ').expect("two letters and a FEN");
        let board = read_fen(fen, false).board.expect("a FEN");
        for (color, letter) in [(Color::White, 'W'), (Color::Black, 'B')] {
            let now = Instant::now();
            let answer = match limit {
                None => quick(&board, color),
                Some(limit) => full(&board, color, limit),
            };
            slowest = slowest.max(now.elapsed().as_secs_f64());
            let can = mark.contains(letter);
            if (answer.verdict == Verdict::Yes && !can) || (answer.verdict == Verdict::No && can) {
                println!("WRONG {mark} {} {:?} {fen}", color.name(), answer);
            }
            if show && answer.verdict == Verdict::Unknown {
                println!("{} {} {fen}", if can { "can" } else { "CANNOT" }, color.name());
            }
            let method = answer.method.map_or("", |method| method.name());
            *counts.entry((can, answer.verdict.name(), method)).or_insert(0) += 1;
        }
    }
    let total: u32 = counts.iter().filter(|((can, _, _), _)| !can).map(|(_, count)| count).sum();
    let proved: u32 = counts.iter().filter(|((can, verdict, _), _)| !can && *verdict == "no").map(|(_, count)| count).sum();
    println!("{counts:#?}");
    println!("proved {proved} of {total}: {:.2} %", 100.0 * f64::from(proved) / f64::from(total));
    println!("{:.2} s, slowest {slowest:.3} s", begin.elapsed().as_secs_f64());
}
