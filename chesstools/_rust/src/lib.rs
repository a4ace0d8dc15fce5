//! The native core: PGN bytes to Arrow rows, with the same verdicts as the readable engine.

pub mod types;
