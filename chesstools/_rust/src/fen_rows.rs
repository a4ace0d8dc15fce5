//! Many positions at once: a column of lines in, a table with a row for each out. The counterpart of
//! `chesstools/reference/fen_rows.py`.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Int32Builder, ListBuilder, StringBuilder, UInt64Builder};
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_schema::ArrowError;

use crate::board::Board;
use crate::fen::{read_line, Setup};
use crate::normal_form::{normalise, push_sameness, Form, CHANGES};
use crate::san::san;
use crate::seen::Seen;
use crate::setup_check::Problem;
use crate::text::trim;
use crate::types::{MoveList, Value};

/// Room for the text of a position.
pub(crate) const MOST_SIGNS: usize = 96;

/// Columns `read` (every field could be read), `playable`, and `problems`: places in the list of problems, which holds each once.
/// Null for a null.
pub fn check_rows(lines: &StringArray, chess960: bool) -> Result<(RecordBatch, Vec<Problem>), ArrowError> {
    let mut read = BooleanBuilder::with_capacity(lines.len());
    let mut playable = BooleanBuilder::with_capacity(lines.len());
    let mut found = ListBuilder::new(Int32Builder::new());
    let mut distinct = Distinct::default();
    for line in lines {
        let Some(line) = line else {
            read.append_null();
            playable.append_null();
            found.append_null();
            continue;
        };
        let (setup, _) = read_line(line, chess960);
        read.append_value(setup.is_read);
        playable.append_value(setup.board.is_some());
        for problem in setup.problems {
            found.values().append_value(distinct.place(problem));
        }
        found.append(true);
    }
    let columns: [(&str, ArrayRef); 3] =
        [("read", Arc::new(read.finish())), ("playable", Arc::new(playable.finish())), ("problems", Arc::new(found.finish()))];
    Ok((RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true)))?, distinct.problems))
}

/// Problems, each once.
#[derive(Default)]
struct Distinct {
    problems: Vec<Problem>,
    places: HashMap<String, i32>,
    words: String,
}

impl Distinct {
    fn place(&mut self, problem: Problem) -> i32 {
        const END: char = '\0';
        self.words.clear();
        self.words.push_str(problem.code);
        for word in [problem.token.as_deref(), problem.severity.map(|severity| severity.name())] {
            self.words.push(END);
            self.words.push_str(word.unwrap_or_default());
        }
        for (name, value) in &problem.evidence {
            self.words.push(END);
            self.words.push_str(name);
            self.words.push(END);
            match value {
                Value::Text(text) => self.words.push_str(text),
                // Writing to a string cannot fail.
                other => _ = write!(self.words, "{other:?}"),
            }
        }
        if let Some(&place) = self.places.get(&self.words) {
            return place;
        }
        let place = self.problems.len() as i32;
        self.places.insert(self.words.clone(), place);
        self.problems.push(problem);
        place
    }
}

/// Columns `fen` (the line in that form) and `changes` (names of what was changed); null for a position that cannot be read in
/// full, or that cannot be played, and for a null.
pub fn normalise_rows(lines: &StringArray, form: Form, chess960: bool) -> Result<RecordBatch, ArrowError> {
    let mut fens = StringBuilder::with_capacity(lines.len(), lines.value_data().len());
    let mut changes = ListBuilder::new(StringBuilder::new());
    for line in lines {
        let normal = line.and_then(|line| normalise(line, form, chess960));
        fens.append_option(normal.as_ref().map(|(fen, _)| fen));
        if let Some((_, bits)) = &normal {
            let made = CHANGES.iter().enumerate().filter(|(at, _)| bits >> at & 1 != 0);
            made.for_each(|(_, name)| changes.values().append_value(name));
        }
        changes.append(normal.is_some());
    }
    let columns: [(&str, ArrayRef); 2] = [("fen", Arc::new(fens.finish())), ("changes", Arc::new(changes.finish()))];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true)))
}

/// Columns `position_key` and `position` (what tells it from others under FIDE 9.2.3); null for a position that cannot be read in
/// full, or that cannot be played, and for a null.
pub fn key_rows(lines: &StringArray, chess960: bool) -> Result<RecordBatch, ArrowError> {
    let mut keys = UInt64Builder::with_capacity(lines.len());
    let mut positions = StringBuilder::with_capacity(lines.len(), lines.value_data().len());
    let mut text = String::with_capacity(MOST_SIGNS);
    for line in lines {
        let Some(mut board) = line.and_then(|line| understood(line, chess960)) else {
            keys.append_null();
            positions.append_null();
            continue;
        };
        board.refresh_hash();
        keys.append_value(board.position_key());
        text.clear();
        push_sameness(&board, &mut text);
        positions.append_value(&text);
    }
    let columns: [(&str, ArrayRef); 2] = [("position_key", Arc::new(keys.finish())), ("position", Arc::new(positions.finish()))];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true)))
}

/// The board of a position that can be read in full and played.
pub fn understood(line: &str, chess960: bool) -> Option<Board> {
    let (Setup { board, is_read, .. }, _) = read_line(line, chess960);
    board.filter(|_| is_read)
}

/// Columns `san` and `uci`: the legal moves, in the order of python-chess; null for a position that cannot be read in full, or that
/// cannot be played, and for a null.
pub fn moves_rows(lines: &StringArray, chess960: bool) -> Result<RecordBatch, ArrowError> {
    let mut sans = ListBuilder::new(StringBuilder::new());
    let mut ucis = ListBuilder::new(StringBuilder::new());
    for line in lines {
        let board = line.and_then(|line| understood(line, chess960));
        if let Some(board) = &board {
            let mut moves = MoveList::new();
            board.legal_moves(!0, !0, &mut moves);
            for mv in moves {
                sans.values().append_value(san(board, mv));
                ucis.values().append_value(board.uci(mv));
            }
        }
        sans.append(board.is_some());
        ucis.append(board.is_some());
    }
    let columns: [(&str, ArrayRef); 2] = [("san", Arc::new(sans.finish())), ("uci", Arc::new(ucis.finish()))];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true)))
}

/// Column `is_new`: whether a position was not seen before, by what tells it from others under FIDE 9.2.3 (`by_text`: by its text).
/// What cannot be read in full or played is told by its text; a null is always new. Column `is_understood`: whether it can be read
/// in full and played; null where that was not looked at (`by_text`, and nulls).
pub fn new_rows(lines: &StringArray, seen: &mut Seen, by_text: bool, chess960: bool) -> Result<RecordBatch, ArrowError> {
    let mut new = BooleanBuilder::with_capacity(lines.len());
    let mut is_understood = BooleanBuilder::with_capacity(lines.len());
    let mut text = String::with_capacity(MOST_SIGNS);
    for line in lines {
        let Some(line) = line else {
            new.append_value(true);
            is_understood.append_null();
            continue;
        };
        let board = if by_text { None } else { understood(line, chess960) };
        is_understood.append_option((!by_text).then_some(board.is_some()));
        match &board {
            Some(board) => {
                text.clear();
                push_sameness(board, &mut text);
                new.append_value(seen.is_new(text.as_bytes()));
            }
            None => {
                // A sign that no position begins with: such a text is the same as no position.
                text.clear();
                text.push('=');
                text.push_str(trim(line));
                new.append_value(seen.is_new(text.as_bytes()));
            }
        }
    }
    let columns: [(&str, ArrayRef); 2] =
        [("is_new", Arc::new(new.finish())), ("is_understood", Arc::new(is_understood.finish()))];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true)))
}
