//! The native core: PGN bytes to Arrow rows, with the same verdicts as the readable engine.

pub mod attacks;
pub mod board;
pub mod board_fen;
pub mod fen;
pub mod legal;
pub mod movegen;
pub mod play;
pub mod scan;
pub mod setup_check;
pub mod severities;
pub mod text;
pub mod types;
pub mod values;
pub mod zobrist;
