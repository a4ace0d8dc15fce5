//! Games as text of another format: PGN in the export format, JSON Lines, lists of moves, positions. `docs/conversion.md` says what
//! each holds; the counterpart is `chesstools/reference/export.py`.

pub mod comment_text;
pub mod count_all;
pub mod events;
pub mod exporter;
mod foreign;
pub mod game;
pub mod json;
pub mod left;
pub mod lines;
pub mod move_form;
pub mod moves;
pub mod options;
pub mod pgn;
pub mod positions;
pub mod raw;
pub mod tag_section;
pub mod work;
