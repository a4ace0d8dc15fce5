//! Rows of the table plies. A game fills column after column: tight loops, and nothing to decide where it has no comments.

use std::borrow::Cow;

use arrow_array::types::{Int16Type, Int32Type, Int64Type, UInt64Type};

use crate::columns::{Flags, Lists, Numbers, Short, Texts, SHORT};
use crate::comments::{self, Annotations};
use crate::facts::Facts;
use crate::lexer::{Kind, Token};
use crate::record::{GameRecord, Note, Ply};
use crate::rows::table;
use crate::types::{Move, MoveKind, Role};
use crate::uci::{short_uci, square_name, target};

table! {
    /// One row for each replayed mainline ply.
    PlyColumns {
        game_index: Numbers<Int64Type>,
        ply: Numbers<Int32Type>,
        san: Texts,
        san_standard: Texts,
        uci: Texts,
        role: Texts,
        from_square: Texts,
        to_square: Texts,
        captured: Texts,
        promotion: Texts,
        check: Flags,
        mate: Flags,
        castling: Texts,
        en_passant: Flags,
        position_key: Numbers<UInt64Type>,
        halfmove_clock: Numbers<Int32Type>,
        repetition: Numbers<Int32Type>,
        clock_ms: Numbers<Int64Type>,
        elapsed_ms: Numbers<Int64Type>,
        eval_cp: Numbers<Int32Type>,
        eval_mate: Numbers<Int32Type>,
        eval_depth: Numbers<Int16Type>,
        nags: Lists<Numbers<Int32Type>>,
        comment: Texts,
        variations: Texts,
    }
}

#[derive(Default)]
pub struct PlyRows {
    pub columns: PlyColumns,
}

impl PlyRows {
    pub fn add(&mut self, game: &GameRecord) {
        self.add_numbers(game);
        self.add_texts(game);
        self.add_squares(game);
        self.add_kinds(game);
        if game.notes.iter().all(|note| ply_of(note) == 0) {
            self.add_no_notes(game.plies.len());
        } else {
            self.add_notes(game);
        }
    }

    fn add_numbers(&mut self, game: &GameRecord) {
        let (columns, plies) = (&mut self.columns, game.plies);
        columns.game_index.extend(plies.iter().map(|_| game.game_index));
        columns.ply.extend((0..plies.len()).map(|index| index as i32 + 1));
        columns.position_key.extend(game.details.iter().map(|detail| detail.key));
        columns.halfmove_clock.extend(game.details.iter().map(|detail| detail.halfmove as i32));
        columns.repetition.extend(game.details.iter().map(|detail| detail.repetition.max(1) as i32));
    }

    fn add_texts(&mut self, game: &GameRecord) {
        let columns = &mut self.columns;
        let data = game.facts.data();
        // Almost every move is written in a few bytes, with some text behind it, so that all of them are copied alike.
        let written = |ply: &Ply| {
            let start = (ply.start - game.facts.start()) as usize;
            let length = (ply.end - ply.start) as usize;
            let bytes = data.get(start..start + SHORT).and_then(|bytes| bytes.try_into().ok());
            bytes.map_or(Short::EMPTY, |bytes| Short::new(bytes, length))
        };
        let is_short = |ply: &Ply| written(ply).len() == (ply.end - ply.start) as usize;
        let others = game.plies.iter().rposition(is_short).map_or(0, |last| last + 1);
        let (short, others) = game.plies.split_at(others);
        if short.iter().all(is_short) {
            columns.san.extend(short.iter().map(written));
            others.iter().for_each(|ply| columns.san.push(&game.facts.text(ply.token())));
        } else {
            game.plies.iter().for_each(|ply| columns.san.push(&game.facts.text(ply.token())));
        }
        if game.sans.is_empty() {
            columns.san_standard.extend_from(&columns.san);
        } else {
            let mut sans = game.sans.iter().peekable();
            for (index, ply) in game.plies.iter().enumerate() {
                match sans.next_if(|(other, _)| *other as usize == index) {
                    Some((_, standard)) => columns.san_standard.push(standard),
                    None => columns.san_standard.push(&game.facts.text(ply.token())),
                }
            }
        }
    }

    fn add_squares(&mut self, game: &GameRecord) {
        let (columns, plies) = (&mut self.columns, game.plies.iter());
        let chess960 = game.rules == Some("chess960");
        columns.uci.extend(plies.clone().map(|ply| short_uci(ply.mv, chess960)));
        if game.plies.iter().any(|ply| ply.mv.kind == MoveKind::Null) {
            columns.from_square.extend_options(plies.clone().map(|ply| square(ply.mv, ply.mv.from)));
            columns.to_square.extend_options(plies.map(|ply| square(ply.mv, target(ply.mv))));
        } else {
            columns.from_square.extend(plies.clone().map(|ply| square_name(ply.mv.from)));
            columns.to_square.extend(plies.map(|ply| square_name(target(ply.mv))));
        }
    }

    fn add_kinds(&mut self, game: &GameRecord) {
        let (columns, plies, details) = (&mut self.columns, game.plies.iter(), game.details.iter());
        columns.role.extend_options(details.clone().map(|detail| role(detail.role)));
        columns.captured.extend_options(details.clone().map(|detail| role(detail.captured)));
        let promotion = |(index, ply): (usize, &Ply)| ply.mv.promotion.map(|role| (index, role.name()));
        columns.promotion.extend_few(plies.len(), plies.clone().enumerate().filter_map(promotion));
        let castling = |(index, ply): (usize, &Ply)| match ply.mv.kind {
            MoveKind::CastleKingside => Some((index, "kingside")),
            MoveKind::CastleQueenside => Some((index, "queenside")),
            _ => None,
        };
        columns.castling.extend_few(plies.len(), plies.clone().enumerate().filter_map(castling));
        columns.check.extend(details.clone().map(|detail| detail.check));
        columns.mate.extend(details.map(|detail| detail.mate));
        columns.en_passant.extend(plies.map(|ply| ply.mv.kind == MoveKind::EnPassant));
    }

    fn add_no_notes(&mut self, plies: usize) {
        let columns = &mut self.columns;
        columns.clock_ms.push_nulls(plies);
        columns.elapsed_ms.push_nulls(plies);
        columns.eval_cp.push_nulls(plies);
        columns.eval_mate.push_nulls(plies);
        columns.eval_depth.push_nulls(plies);
        columns.nags.push_nulls(plies);
        columns.comment.push_nulls(plies);
        columns.variations.push_nulls(plies);
    }

    fn add_notes(&mut self, game: &GameRecord) {
        let facts = game.facts;
        let by_engines = comments::written_by_engine_match(game.tags);
        let black_first = game.start_fen.and_then(|fen| fen.split(' ').nth(1)) == Some("b");
        let mut notes = game.notes.iter().skip_while(|note| ply_of(note) == 0).peekable();
        for ply in 1..=game.plies.len() as u32 {
            let mut said = Annotations::default();
            while let Some(note) = notes.next_if(|note| ply_of(note) == ply) {
                match *note {
                    Note::Comment { token, .. } => {
                        let text = comment_text(facts, token);
                        if text.is_empty() {
                            continue;
                        }
                        comments::read_commands(&facts.text(token), &mut said, |_| {});
                        if text.contains('=') {
                            comments::read_tcec(&text, &mut said);
                        }
                        if by_engines {
                            comments::read_engine(&text, &mut said, (ply % 2 == 1) != black_first);
                        }
                        self.columns.comment.add_word(&text);
                    }
                    Note::Nag { number, .. } => self.columns.nags.items.push(i32::from(number)),
                    Note::Variation { start, end, .. } => self.columns.variations.add_word(&facts.between(start, end)),
                }
            }
            self.add_said(&said);
        }
    }

    fn add_said(&mut self, said: &Annotations) {
        let columns = &mut self.columns;
        columns.clock_ms.push_option(said.clock_ms);
        columns.elapsed_ms.push_option(said.elapsed_ms);
        columns.eval_cp.push_option(said.eval_cp);
        columns.eval_mate.push_option(said.eval_mate);
        columns.eval_depth.push_option(said.eval_depth);
        columns.nags.join();
        columns.comment.join();
        columns.variations.join();
    }
}

const ROLES: [Short; 6] =
    [Short::of("pawn"), Short::of("knight"), Short::of("bishop"), Short::of("rook"), Short::of("queen"), Short::of("king")];

#[inline]
fn role(role: Option<Role>) -> Short {
    role.map_or(Short::EMPTY, |role| ROLES[role as usize])
}

/// The name of `square`; empty for a pass.
#[inline]
fn square(mv: Move, square: u8) -> Short {
    if mv.kind == MoveKind::Null {
        Short::EMPTY
    } else {
        square_name(square)
    }
}

fn ply_of(note: &Note) -> u32 {
    match *note {
        Note::Comment { ply, .. } | Note::Nag { ply, .. } | Note::Variation { ply, .. } => ply,
    }
}

/// What a comment says: its text without the signs around it and without line breaks.
pub fn comment_text<'a>(facts: &Facts<'a>, token: Token) -> Cow<'a, str> {
    let end = match token.kind {
        Kind::OpenComment | Kind::LineComment => token.end,
        _ => token.end - 1,
    };
    match facts.between(token.start + 1, end) {
        Cow::Borrowed(text) => comments::normalise(text),
        Cow::Owned(text) => Cow::Owned(comments::normalise(&text).into_owned()),
    }
}
