//! Checks every line of a file as a position and counts what is found: for instruction counts and profiles, without Python.
//!
//! `cargo run --release --example fen_speed positions.fen`

use std::time::Instant;

use _core::fen_rows::check_rows;
use arrow_array::StringArray;

/// Lines that are checked in one go, as many as Python gives.
const ROWS: usize = 16_384;

fn main() {
    let path = std::env::args().nth(1).expect("the name of a file");
    let text = std::fs::read_to_string(path).expect("a file of UTF-8 text");
    let lines: Vec<&str> = text.lines().collect();
    let parts: Vec<StringArray> = lines.chunks(ROWS).map(|part| StringArray::from(part.to_vec())).collect();
    let begin = Instant::now();
    let found: usize = parts.iter().map(|part| check_rows(part, false).expect("rows").1.len()).sum();
    let seconds = begin.elapsed().as_secs_f64();
    println!("{} positions, {found} distinct findings in parts, {:.0} positions/s", lines.len(), lines.len() as f64 / seconds);
}
