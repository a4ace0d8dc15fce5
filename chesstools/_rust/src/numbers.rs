//! Move numbers that are not the ones due: wrong ones (N420), and jumps that say that moves are missing (N421).
//! The counterpart of `chesstools/reference/numbers.py`.

use crate::comments::{read_commands, read_tcec, Annotations};
use crate::facts::Facts;
use crate::lexer::{Kind, Token};
use crate::record::Note;
use crate::replay::{Line, Replay};
use crate::rows_plies::comment_text;
use crate::tags::{Name, Tags};
use crate::time_control::TimeControl;
use crate::types::Severity;

/// Who has less time left than this need not record his moves ...
const NEED_NOT_RECORD_MS: i64 = 300_000;
/// ... unless so much time is added for each move (FIDE 8.4; seed article 11.2).
const MUST_RECORD_INCREMENT_S: f64 = 30.0;

/// Reports the wrong numbers of the mainline, which was replayed from `tokens` up to the termination marker.
///
/// Where a number skips some, at least one later number goes on from it, and all moves are legal, moves seem to be missing.
#[cold]
pub fn report_numbers(facts: &mut Facts, tags: &Tags, tokens: &[Token], replay: &Replay, line: &Line) {
    let wrong = &replay.wrong_numbers;
    let starts = numbers(tokens);
    for (index, one) in wrong.iter().enumerate() {
        let end = wrong.get(index + 1).map_or(u32::MAX, |next| next.token.start);
        let later = starts.partition_point(|start| *start < end) - starts.partition_point(|start| *start <= one.token.start);
        if one.skipped <= 0 || one.shift <= replay.base_shift || later == 0 || line.stopped {
            one.report(facts);
            continue;
        }
        let clock = clock_before(facts, &replay.notes, one.place.ply.unwrap_or(1));
        let hurried = clock.filter(|clock| *clock < NEED_NOT_RECORD_MS && !must_record(tags));
        let finding = facts.add("N421", one.token, &one.place).token(&one.text);
        if hurried.is_some() {
            finding.severity(Severity::Info);
        }
        finding.with("expected", one.expected.as_str()).with("found", one.text.as_str()).with("count", one.skipped);
        finding.with_known("clock", hurried.map(shown));
    }
}

/// Where the move numbers of the mainline stand.
fn numbers(tokens: &[Token]) -> Vec<u32> {
    let mut depth = 0u32;
    let mut starts = Vec::new();
    for token in tokens {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            Kind::Number if depth == 0 => starts.push(token.start),
            _ => {}
        }
    }
    starts
}

/// The shorter of the times that the players had left before this ply, in milliseconds; None where none is known.
fn clock_before(facts: &Facts, notes: &[Note], ply: u32) -> Option<i64> {
    let clock = |ply: u32| {
        let mut said = Annotations::default();
        let first = notes.partition_point(|note| note.ply() < ply);
        for note in notes[first..].iter().take_while(|note| note.ply() == ply) {
            let Note::Comment { token, .. } = *note else { continue };
            let text = comment_text(facts, token);
            if text.is_empty() {
                continue;
            }
            read_commands(&facts.text(token), &mut said, |_| {});
            if text.contains('=') {
                read_tcec(&text, &mut said);
            }
        }
        said.clock_ms
    };
    (ply.saturating_sub(2).max(1)..ply).filter_map(clock).min()
}

fn must_record(tags: &Tags) -> bool {
    let control = tags.get(Name::TimeControl).and_then(TimeControl::parse);
    control.and_then(|control| control.one_for_all()).is_some_and(|period| period.increment >= MUST_RECORD_INCREMENT_S)
}

/// A time as H:MM:SS; below zero as none.
fn shown(milliseconds: i64) -> String {
    let seconds = milliseconds.max(0) / 1000;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
