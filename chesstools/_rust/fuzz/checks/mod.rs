//! What holds for any bytes, one check a file. Fuzzing runs them on what it invents, `tests/seeds.rs` on the seeds.

// Each target uses one of them.
#![allow(dead_code)]

pub mod chunks;
pub mod export;
pub mod fen;
pub mod fen_lines;
pub mod judge;
pub mod lexer;
pub mod moves;
pub mod plain;
pub mod step;

/// Panics where bytes are found for which it does not hold.
pub type Check = fn(&[u8]);

/// By name, as the folders of seeds are called.
pub const ALL: [(&str, Check); 8] = [
    ("chunks", chunks::check),
    ("export", export::check),
    ("fen", fen::check),
    ("fen_lines", fen_lines::check),
    ("judge", judge::check),
    ("lexer", lexer::check),
    ("moves", moves::check),
    ("plain", plain::check),
];
