//! Rows of the table findings, and of the players of games that have some.

use std::borrow::Cow;

use arrow_array::types::{Int32Type, Int64Type};

use crate::columns::Numbers;
use crate::columns_nested::{Lists, TextMaps};
use crate::columns_texts::Texts;
use crate::record::GameRecord;
use crate::rows::table;
use crate::tags::Name;
use crate::types::{Finding, Value};

table! {
    /// One row for each finding.
    FindingColumns {
        game_index: Numbers<Int64Type>,
        code: Texts,
        severity: Texts,
        ply: Numbers<Int32Type>,
        line: Numbers<Int64Type>,
        byte_offset: Numbers<Int64Type>,
        byte_length: Numbers<Int64Type>,
        variation: Texts,
        token: Texts,
        fen_before: Texts,
        side: Texts,
        expected: Texts,
        found: Texts,
        count: Numbers<Int32Type>,
        limit: Numbers<Int32Type>,
        first_ply: Numbers<Int32Type>,
        last_ply: Numbers<Int32Type>,
        occurrences: Lists<Numbers<Int32Type>>,
        effect: Texts,
        legal_alternatives: Lists<Texts>,
        evidence: TextMaps,
        profile: Texts,
    }
}

#[derive(Default)]
pub struct FindingRows {
    pub columns: FindingColumns,
}

impl FindingRows {
    /// `game_index` is None outside of games.
    pub fn add(&mut self, finding: &Finding, game_index: Option<i64>, profile: &str) {
        let columns = &mut self.columns;
        columns.game_index.push_option(game_index);
        columns.code.push(finding.code);
        columns.severity.push(finding.severity.name());
        columns.ply.push_option(finding.ply.map(|ply| ply as i32));
        columns.line.push(finding.line as i64);
        columns.byte_offset.push(finding.byte_offset as i64);
        columns.byte_length.push(finding.byte_length as i64);
        columns.variation.push_option(finding.variation.as_deref());
        columns.token.push_option(finding.token.as_deref());
        columns.fen_before.push_option(finding.fen.as_deref());
        columns.profile.push(profile);
        self.add_evidence(finding);
    }

    /// What many rules share has a column of its own, the rest is in the map.
    fn add_evidence(&mut self, finding: &Finding) {
        let columns = &mut self.columns;
        let (mut side, mut expected, mut found, mut effect) = (None, None, None, None);
        let (mut count, mut limit, mut first_ply, mut last_ply) = (None, None, None, None);
        for (name, value) in &finding.evidence {
            match (*name, value) {
                ("side", Value::Text(text)) => side = Some(&**text),
                ("expected", Value::Text(text)) => expected = Some(&**text),
                ("found", Value::Text(text)) => found = Some(&**text),
                ("effect", Value::Text(text)) => effect = Some(&**text),
                ("count", &Value::Int(number)) => count = Some(number),
                ("limit", &Value::Int(number)) => limit = Some(number),
                ("first_ply", &Value::Int(number)) => first_ply = Some(number),
                ("last_ply", &Value::Int(number)) => last_ply = Some(number),
                ("occurrences", Value::Ints(numbers)) => columns.occurrences.items.extend(numbers.iter().copied()),
                ("legal_alternatives", Value::Texts(texts)) => {
                    texts.iter().for_each(|text| columns.legal_alternatives.items.push(text));
                }
                (name, value) => columns.evidence.add(name, &shown(value)),
            }
        }
        columns.side.push_option(side);
        columns.expected.push_option(expected);
        columns.found.push_option(found);
        columns.effect.push_option(effect);
        columns.count.push_option(count.map(narrow));
        columns.limit.push_option(limit.map(narrow));
        columns.first_ply.push_option(first_ply.map(narrow));
        columns.last_ply.push_option(last_ply.map(narrow));
        columns.occurrences.join();
        columns.legal_alternatives.join();
        columns.evidence.push();
    }
}

/// Counts of bytes may be larger than the column holds; they stop at its largest number.
fn narrow(number: i64) -> i32 {
    number.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

/// Evidence as text.
fn shown(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Text(text) => Cow::Borrowed(text),
        Value::Int(number) => number.to_string().into(),
        Value::Ints(numbers) => format!("{numbers:?}").into(),
        Value::Texts(texts) => texts.join(" ").into(),
    }
}

table! {
    /// Who played: one row for each game with findings.
    PlayerColumns {
        game_index: Numbers<Int64Type>,
        white: Texts,
        black: Texts,
    }
}

#[derive(Default)]
pub struct PlayerRows {
    pub columns: PlayerColumns,
}

impl PlayerRows {
    pub fn add(&mut self, game: &GameRecord) {
        self.columns.game_index.push(game.game_index);
        self.columns.white.push_option(game.tags.get(Name::White));
        self.columns.black.push_option(game.tags.get(Name::Black));
    }
}
