//! Times quick answers on positions, one FEN a line: `winnable_speed FILE`.

use std::time::Instant;

use _core::fen::read_fen;
use _core::types::Color;
use _core::winnable::{quick, Verdict};

fn main() {
    let name = std::env::args().nth(1).expect("a file of FENs");
    let text = std::fs::read_to_string(name).expect("a file that can be read");
    let boards: Vec<_> = text.lines().filter_map(|fen| read_fen(fen, false).board).collect();
    let mut counts = [0u64; 3];
    let mut nodes = 0u64;
    let begin = Instant::now();
    for board in &boards {
        for color in [Color::White, Color::Black] {
            let answer = quick(board, color);
            nodes += u64::from(answer.nodes);
            counts[match answer.verdict {
                Verdict::Yes => 0,
                Verdict::No => 1,
                Verdict::Unknown => 2,
            }] += 1;
        }
    }
    let answers = boards.len() as f64 * 2.0;
    let seconds = begin.elapsed().as_secs_f64();
    println!("{} positions, {answers} answers: yes {}, no {}, unknown {}", boards.len(), counts[0], counts[1], counts[2]);
    println!("{:.2} µs and {:.2} positions looked at for an answer", seconds * 1e6 / answers, nodes as f64 / answers);
}
