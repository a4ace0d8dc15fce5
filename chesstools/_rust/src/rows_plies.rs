//! Rows of the table plies. A game fills column after column: tight loops, and nothing to decide where it has no comments.

use std::borrow::Cow;

use arrow_array::types::{Int16Type, Int32Type, Int64Type, UInt64Type};

use crate::clocks::Clocks;
use crate::columns::{Flags, Numbers};
use crate::columns_nested::Lists;
use crate::columns_texts::Texts;
use crate::columns_words::{Moves, Vocabulary, Words, NO_WORD};
use crate::comments::{self, Annotations};
use crate::facts::Facts;
use crate::lexer::{Kind, Token};
use crate::record::{GameRecord, Note, Ply};
use crate::rows::table;
use crate::types::{Move, MoveKind, Role};
use crate::uci::{code, target, SQUARE_NAMES};

table! {
    /// One row for each replayed mainline ply.
    PlyColumns {
        game_index: Numbers<Int64Type>,
        ply: Numbers<Int32Type>,
        san: Texts,
        san_standard: Texts,
        uci: Moves,
        role: Words<Roles>,
        from_square: Words<Squares>,
        to_square: Words<Squares>,
        captured: Words<Roles>,
        promotion: Words<Roles>,
        check: Flags,
        mate: Flags,
        castling: Words<Sides>,
        en_passant: Flags,
        position_key: Numbers<UInt64Type>,
        halfmove_clock: Numbers<Int32Type>,
        repetition: Numbers<Int32Type>,
        clock_ms: Numbers<Int64Type>,
        elapsed_ms: Numbers<Int64Type>,
        used_ms: Numbers<Int64Type>,
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
    /// Castling, promotions and the like of the game at hand, by index.
    rare: Vec<(usize, Move)>,
}

impl PlyRows {
    pub fn add(&mut self, game: &GameRecord) {
        self.add_numbers(game);
        self.add_texts(game);
        self.add_squares(game);
        self.add_kinds(game);
        if game.notes.iter().all(|note| note.ply() == 0) {
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
        let start = game.facts.start();
        let place = |ply: &Ply| ((ply.start - start) as usize, (ply.end - ply.start) as usize);
        if !columns.san.extend_short(data, game.plies.iter().map(place)) {
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
        columns.uci.extend(plies.clone().map(|ply| code(ply.mv, chess960)));
        columns.from_square.extend(plies.clone().map(|ply| square(ply.mv, ply.mv.from)));
        columns.to_square.extend(plies.map(|ply| square(ply.mv, target(ply.mv))));
    }

    fn add_kinds(&mut self, game: &GameRecord) {
        let (columns, details) = (&mut self.columns, game.details.iter());
        columns.role.extend(details.clone().map(|detail| role(detail.role)));
        columns.captured.extend(details.clone().map(|detail| role(detail.captured)));
        columns.check.extend(details.clone().map(|detail| detail.check));
        columns.mate.extend(details.map(|detail| detail.mate));
        let (count, plies) = (game.plies.len(), game.plies.iter().enumerate());
        self.rare.clear();
        self.rare.extend(plies.filter(|(_, ply)| is_rare(ply.mv)).map(|(index, ply)| (index, ply.mv)));
        let rare = self.rare.iter();
        columns.promotion.extend_few(count, rare.clone().filter_map(|(index, mv)| Some((*index, mv.promotion? as i8))));
        let castling = |(index, mv): &(usize, Move)| match mv.kind {
            MoveKind::CastleKingside => Some((*index, 0)),
            MoveKind::CastleQueenside => Some((*index, 1)),
            _ => None,
        };
        columns.castling.extend_few(count, rare.clone().filter_map(castling));
        let mut done = 0;
        for (index, _) in rare.filter(|(_, mv)| mv.kind == MoveKind::EnPassant) {
            columns.en_passant.push_many(false, index - done);
            columns.en_passant.push(true);
            done = index + 1;
        }
        columns.en_passant.push_many(false, count - done);
    }

    fn add_no_notes(&mut self, plies: usize) {
        let columns = &mut self.columns;
        columns.clock_ms.push_nulls(plies);
        columns.elapsed_ms.push_nulls(plies);
        columns.used_ms.push_nulls(plies);
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
        let mut clocks = Clocks::new(game.allowance, game.white_first);
        let mut notes = game.notes.iter().skip_while(|note| note.ply() == 0).peekable();
        for ply in 1..=game.plies.len() as u32 {
            let mut said = Annotations::default();
            while let Some(note) = notes.next_if(|note| note.ply() == ply) {
                match *note {
                    Note::Comment { token, .. } => {
                        let text = comment_text(facts, token);
                        comments::read_comment(&facts.text(token), &text, by_engines, clocks.is_white(ply), &mut said);
                        self.columns.comment.add_word(&text);
                    }
                    Note::Nag { number, .. } => self.columns.nags.items.push(i32::from(number)),
                    Note::Variation { start, end, .. } => self.columns.variations.add_word(&facts.between(start, end)),
                }
            }
            self.columns.used_ms.push_option(clocks.add(said.clock_ms, said.elapsed_ms));
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

pub struct Roles;

impl Vocabulary for Roles {
    const WORDS: &'static [&'static str] = &["pawn", "knight", "bishop", "rook", "queen", "king"];
}

pub struct Squares;

impl Vocabulary for Squares {
    const WORDS: &'static [&'static str] = &SQUARE_NAMES;
}

pub struct Sides;

impl Vocabulary for Sides {
    const WORDS: &'static [&'static str] = &["kingside", "queenside"];
}

/// Whether a move is more than a man that goes from one square to another.
#[inline]
fn is_rare(mv: Move) -> bool {
    mv.kind != MoveKind::Plain || mv.promotion.is_some()
}

#[inline]
fn role(role: Option<Role>) -> i8 {
    role.map_or(NO_WORD, |role| role as i8)
}

/// `square`, unless the move is a pass.
#[inline]
fn square(mv: Move, square: u8) -> i8 {
    if mv.kind == MoveKind::Null {
        NO_WORD
    } else {
        (square & 63) as i8
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
