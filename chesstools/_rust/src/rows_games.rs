//! Rows of the table games.

use arrow_array::types::{Date32Type, Float64Type, Int16Type, Int32Type, Int64Type, Int8Type, UInt64Type};
use xxhash_rust::xxh3::{xxh3_128, xxh3_64};

use crate::columns::{Flags, Numbers};
use crate::columns_nested::{Lists, TextMaps};
use crate::columns_periods::Periods;
use crate::columns_texts::Texts;
use crate::record::{GameRecord, Note};
use crate::rows::table;
use crate::rows_plies::comment_text;
use crate::short::SHORT;
use crate::start::ARRAY_FEN;
use crate::tags::{Name, ROSTER};
use crate::time_control::TimeControl;
use crate::types::Severity;
use crate::uci::short_uci;
use crate::values::{parse_date, parse_elo};

table! {
    /// One row for each game.
    GameColumns {
        game_index: Numbers<Int64Type>,
        byte_offset: Numbers<Int64Type>,
        byte_length: Numbers<Int64Type>,
        line: Numbers<Int64Type>,
        game_id: Texts,
        moves_hash: Numbers<UInt64Type>,
        event: Texts,
        site: Texts,
        date: Texts,
        date_value: Numbers<Date32Type>,
        year: Numbers<Int16Type>,
        month: Numbers<Int8Type>,
        day: Numbers<Int8Type>,
        round: Texts,
        white: Texts,
        black: Texts,
        result: Texts,
        result_value: Texts,
        termination_marker: Texts,
        white_elo_text: Texts,
        white_elo: Numbers<Int16Type>,
        black_elo_text: Texts,
        black_elo: Numbers<Int16Type>,
        white_title: Texts,
        black_title: Texts,
        eco: Texts,
        opening: Texts,
        variant: Texts,
        rules: Texts,
        time_control: Texts,
        time_base_s: Numbers<Float64Type>,
        time_increment_s: Numbers<Float64Type>,
        time_stages: Lists<Texts>,
        time_control_kind: Texts,
        time_periods: Lists<Periods>,
        utc_date: Texts,
        utc_time: Texts,
        annotator: Texts,
        termination: Texts,
        tags: TextMaps,
        unread_tags: Lists<Texts>,
        encoding: Texts,
        movetext: Texts,
        comment: Texts,
        ply_count: Numbers<Int32Type>,
        legal_ply_count: Numbers<Int32Type>,
        start_fen: Texts,
        final_fen: Texts,
        final_status: Texts,
        end_reason: Texts,
        end_basis: Texts,
        first_threefold_ply: Numbers<Int32Type>,
        first_fivefold_ply: Numbers<Int32Type>,
        first_fifty_ply: Numbers<Int32Type>,
        first_seventyfive_ply: Numbers<Int32Type>,
        first_dead_ply: Numbers<Int32Type>,
        white_repetition_first_ply: Numbers<Int32Type>,
        white_repetition_last_ply: Numbers<Int32Type>,
        black_repetition_first_ply: Numbers<Int32Type>,
        black_repetition_last_ply: Numbers<Int32Type>,
        white_fifty_first_ply: Numbers<Int32Type>,
        white_fifty_last_ply: Numbers<Int32Type>,
        black_fifty_first_ply: Numbers<Int32Type>,
        black_fifty_last_ply: Numbers<Int32Type>,
        first_automatic_draw_ply: Numbers<Int32Type>,
        plies_past_automatic_draw: Numbers<Int32Type>,
        unclaimed_draw: Flags,
        errors: Numbers<Int32Type>,
        warnings: Numbers<Int32Type>,
        infos: Numbers<Int32Type>,
        codes: Lists<Texts>,
        profile: Texts,
        profile_reason: Texts,
    }
}

/// Between the parts of a game of which its identity is made.
const SEPARATOR: u8 = 0x1f;

#[derive(Default)]
pub struct GameRows {
    pub columns: GameColumns,
    /// What the identity of a game is the hash of.
    identity: Vec<u8>,
    codes: Vec<&'static str>,
}

impl GameRows {
    pub fn add(&mut self, game: &GameRecord) {
        self.add_place(game);
        self.add_players(game);
        self.add_setting(game);
        self.add_text(game);
        self.add_end(game);
        self.add_findings(game);
    }

    fn add_place(&mut self, game: &GameRecord) {
        let columns = &mut self.columns;
        columns.game_index.push(game.game_index);
        columns.byte_offset.push(game.byte_offset as i64);
        columns.byte_length.push(game.byte_length as i64);
        columns.line.push(game.line as i64);
        let (id, moves) = identity(game, &mut self.identity);
        columns.game_id.push_ascii(hexadecimal(id));
        columns.moves_hash.push(moves);
    }

    fn add_players(&mut self, game: &GameRecord) {
        let (columns, tags) = (&mut self.columns, game.tags);
        columns.event.push_option(tags.get(Name::Event));
        columns.site.push_option(tags.get(Name::Site));
        columns.date.push_option(tags.get(Name::Date));
        let date = tags.get(Name::Date).and_then(parse_date).unwrap_or_default();
        columns.date_value.push_option(date.days());
        columns.year.push_option(date.year);
        columns.month.push_option(date.month);
        columns.day.push_option(date.day);
        columns.round.push_option(tags.get(Name::Round));
        columns.white.push_option(tags.get(Name::White));
        columns.black.push_option(tags.get(Name::Black));
        columns.white_elo_text.push_option(tags.get(Name::WhiteElo));
        columns.white_elo.push_option(tags.get(Name::WhiteElo).and_then(parse_elo));
        columns.black_elo_text.push_option(tags.get(Name::BlackElo));
        columns.black_elo.push_option(tags.get(Name::BlackElo).and_then(parse_elo));
        columns.white_title.push_option(tags.get(Name::WhiteTitle));
        columns.black_title.push_option(tags.get(Name::BlackTitle));
    }

    fn add_setting(&mut self, game: &GameRecord) {
        let (columns, tags) = (&mut self.columns, game.tags);
        columns.eco.push_option(tags.get(Name::Eco));
        columns.opening.push_option(tags.get(Name::Opening));
        columns.variant.push_option(tags.get(Name::Variant));
        columns.rules.push_option(game.rules);
        let control = tags.get(Name::TimeControl);
        columns.time_control.push_option(control);
        let control = control.and_then(TimeControl::parse);
        let one = control.as_ref().and_then(TimeControl::one_for_all);
        columns.time_base_s.push_option(one.map(|period| period.seconds));
        columns.time_increment_s.push_option(one.map(|period| period.increment));
        columns.time_control_kind.push_option(control.as_ref().map(|control| control.kind.name()));
        if let Some(control) = control.filter(TimeControl::has_periods) {
            control.stages().for_each(|stage| columns.time_stages.items.push(stage));
            control.periods().for_each(|period| columns.time_periods.items.push(period));
        }
        columns.time_stages.join();
        columns.time_periods.join();
        columns.utc_date.push_option(tags.get(Name::UtcDate));
        columns.utc_time.push_option(tags.get(Name::UtcTime));
        columns.annotator.push_option(tags.get(Name::Annotator));
        columns.termination.push_option(tags.get(Name::Termination));
    }

    fn add_text(&mut self, game: &GameRecord) {
        let (columns, facts) = (&mut self.columns, game.facts);
        for tag in &game.tags.pairs {
            columns.tags.add(&tag.name, &tag.value);
        }
        columns.tags.push();
        game.tags.unread.iter().for_each(|&token| columns.unread_tags.items.push(&facts.text(token)));
        columns.unread_tags.join();
        columns.encoding.push(facts.encoding.name());
        columns.movetext.push(&facts.between(game.movetext.0, game.movetext.1));
        for note in game.notes {
            match *note {
                Note::Comment { ply: 0, token } => columns.comment.add_word(&comment_text(facts, token)),
                Note::Nag { ply: 0, .. } | Note::Variation { ply: 0, .. } => {}
                _ => break,
            }
        }
        columns.comment.join();
        columns.ply_count.push(game.plies_written as i32);
        columns.legal_ply_count.push(game.plies.len() as i32);
        columns.start_fen.push_option(game.start_fen);
        columns.final_fen.push_option(game.final_fen);
    }

    fn add_end(&mut self, game: &GameRecord) {
        let (columns, ending, firsts) = (&mut self.columns, game.ending, game.firsts());
        columns.result.push_option(game.tags.get(Name::Result));
        columns.result_value.push_option(ending.result);
        match ending.marker {
            Some(marker) => columns.termination_marker.push(&game.facts.text(marker)),
            None => columns.termination_marker.push_null(),
        }
        columns.final_status.push_option(ending.status);
        columns.end_reason.push_option(ending.reason);
        columns.end_basis.push_option(ending.basis);
        columns.first_threefold_ply.push_option(firsts.threefold.map(|ply| ply as i32));
        columns.first_fivefold_ply.push_option(firsts.fivefold.map(|ply| ply as i32));
        columns.first_fifty_ply.push_option(firsts.fifty.map(|ply| ply as i32));
        columns.first_seventyfive_ply.push_option(firsts.seventyfive.map(|ply| ply as i32));
        columns.first_dead_ply.push_option(firsts.dead.map(|ply| ply as i32));
        let [white_repetition, black_repetition, white_fifty, black_fifty] = firsts.claims;
        for (span, first, last) in [
            (white_repetition, &mut columns.white_repetition_first_ply, &mut columns.white_repetition_last_ply),
            (black_repetition, &mut columns.black_repetition_first_ply, &mut columns.black_repetition_last_ply),
            (white_fifty, &mut columns.white_fifty_first_ply, &mut columns.white_fifty_last_ply),
            (black_fifty, &mut columns.black_fifty_first_ply, &mut columns.black_fifty_last_ply),
        ] {
            first.push_option(span.first.map(|ply| ply as i32));
            last.push_option(span.last.map(|ply| ply as i32));
        }
        columns.first_automatic_draw_ply.push_option(firsts.automatic.map(|ply| ply as i32));
        columns.plies_past_automatic_draw.push_option(firsts.automatic.map(|ply| game.plies.len() as i32 - ply as i32));
        columns.unclaimed_draw.push_option(ending.unclaimed_draw);
    }

    fn add_findings(&mut self, game: &GameRecord) {
        let columns = &mut self.columns;
        let mut counts = [0; 3];
        self.codes.clear();
        for finding in game.findings {
            counts[finding.severity as usize] += 1;
            self.codes.push(finding.code);
        }
        columns.errors.push(counts[Severity::Error as usize]);
        columns.warnings.push(counts[Severity::Warning as usize]);
        columns.infos.push(counts[Severity::Info as usize]);
        self.codes.sort_unstable();
        self.codes.dedup();
        self.codes.iter().for_each(|code| columns.codes.items.push(code));
        columns.codes.push();
        columns.profile.push(game.profile);
        columns.profile_reason.push(game.profile_reason);
    }
}

/// What a game is told by: a hash of its roster tags, its moves and what stands behind a bad move; and one of its moves alone.
fn identity(game: &GameRecord, buffer: &mut Vec<u8>) -> (u128, u64) {
    buffer.clear();
    for name in ROSTER {
        buffer.extend_from_slice(game.tags.get(name).unwrap_or("").as_bytes());
        buffer.push(SEPARATOR);
    }
    let moves = moves_hash(game, buffer);
    buffer.push(SEPARATOR);
    for (number, &token) in game.rest.iter().enumerate() {
        if number > 0 {
            buffer.push(b' ');
        }
        buffer.extend_from_slice(game.facts.text(token).as_bytes());
    }
    (xxh3_128(buffer), moves)
}

/// Hash of the moves of a game (start position, empty for the array, and the replayed mainline in UCI), which are added to
/// `buffer`.
pub fn moves_hash(game: &GameRecord, buffer: &mut Vec<u8>) -> u64 {
    let moves = buffer.len();
    let start = game.start_fen.filter(|&fen| fen != ARRAY_FEN).unwrap_or("");
    buffer.extend_from_slice(start.as_bytes());
    buffer.push(b'|');
    let chess960 = game.rules == Some("chess960");
    // Room for all at once, as six bytes are the most that a move takes with the blank behind it.
    let mut at = buffer.len();
    buffer.resize(at + game.plies.len() * 6 + SHORT, 0);
    for ply in game.plies {
        let text = short_uci(ply.mv, chess960);
        if let Some(place) = buffer[at..].first_chunk_mut() {
            *place = text.bytes();
        }
        at += text.len();
        buffer[at] = b' ';
        at += 1;
    }
    buffer.truncate(at - usize::from(!game.plies.is_empty()));
    xxh3_64(&buffer[moves..])
}

fn hexadecimal(number: u128) -> [u8; 32] {
    let mut digits = [0; 32];
    for (at, digit) in digits.iter_mut().enumerate() {
        *digit = b"0123456789abcdef"[(number >> (124 - 4 * at)) as usize & 15];
    }
    digits
}
