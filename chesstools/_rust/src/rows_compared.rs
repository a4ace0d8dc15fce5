//! Rows of what games are compared with each other by: see `chesstools/duplicates.py`.

use arrow_array::types::{Int32Type, Int64Type, UInt64Type};

use crate::columns::Numbers;
use crate::columns_texts::Texts;
use crate::record::GameRecord;
use crate::rows::table;
use crate::rows_games::moves_hash;
use crate::tags::Name;

table! {
    /// One row for each game.
    ComparedColumns {
        game_index: Numbers<Int64Type>,
        byte_offset: Numbers<Int64Type>,
        byte_length: Numbers<Int64Type>,
        line: Numbers<Int64Type>,
        moves_hash: Numbers<UInt64Type>,
        white: Texts,
        black: Texts,
        ply_count: Numbers<Int32Type>,
        legal_ply_count: Numbers<Int32Type>,
        profile: Texts,
    }
}

#[derive(Default)]
pub struct ComparedRows {
    pub columns: ComparedColumns,
    moves: Vec<u8>,
}

impl ComparedRows {
    pub fn add(&mut self, game: &GameRecord) {
        let columns = &mut self.columns;
        columns.game_index.push(game.game_index);
        columns.byte_offset.push(game.byte_offset as i64);
        columns.byte_length.push(game.byte_length as i64);
        columns.line.push(game.line as i64);
        self.moves.clear();
        columns.moves_hash.push(moves_hash(game, &mut self.moves));
        columns.white.push_option(game.tags.get(Name::White));
        columns.black.push_option(game.tags.get(Name::Black));
        columns.ply_count.push(game.plies_written as i32);
        columns.legal_ply_count.push(game.plies.len() as i32);
        columns.profile.push(game.profile);
    }
}
