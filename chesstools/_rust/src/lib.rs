//! The native core: PGN bytes to Arrow rows, with the same verdicts as the readable engine.

pub mod attacks;
pub mod board;
pub mod board_fen;
pub mod legal;
pub mod movegen;
pub mod play;
pub mod types;
pub mod zobrist;
