//! The mainline of one game a line.

use super::count_all::CountAll;
use super::game::{Game, Played, Sink};
use super::left::Left;
use super::move_form::MoveForm;
use super::options::Options;
use crate::lexer::Token;

/// Writes the moves of a game and the end of the line.
pub fn write(game: &Game, options: &Options, left: &mut Left, out: &mut Vec<u8>) {
    if let (Some(_), Some(fen)) = (game.start, game.start_fen) {
        out.extend_from_slice(b"fen ");
        out.extend_from_slice(fen.as_bytes());
        out.extend_from_slice(if game.plies.is_empty() { b" moves" } else { b" moves " });
    }
    let mut list =
        List { form: MoveForm::of(options), chess960: game.is_chess960(), is_first: true, out, counts: CountAll::default() };
    game.walk(&CountAll::KEEP, left, &mut list);
    list.counts.add_to(game, left);
    out.push(b'\n');
}

struct List<'w> {
    form: MoveForm<'w>,
    chess960: bool,
    is_first: bool,
    out: &'w mut Vec<u8>,
    counts: CountAll,
}

impl Sink for List<'_> {
    #[inline]
    fn played(&mut self, played: Played) {
        if !self.is_first {
            self.out.push(b' ');
        }
        self.is_first = false;
        let (text, _) = self.form.write(&played, self.chess960);
        self.out.extend_from_slice(text);
    }

    fn rest(&mut self, tokens: &[Token]) {
        self.counts.rest(tokens);
    }
}
