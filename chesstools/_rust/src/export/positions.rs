//! Positions of games: FEN or EPD, one a line.

use std::fmt::Write;

use super::count_all::CountAll;
use super::game::{Game, Played, Sink};
use super::left::Left;
use super::options::{Format, Options, Positions};
use crate::board::Board;
use crate::fen_rows::MOST_SIGNS;
use crate::lexer::Token;
use crate::normal_form::{push_four, push_sameness, EnPassant};
use crate::seen::key_of;
use crate::tags::Name;
use crate::values::is_unknown;

/// Writes the positions that are wanted, each with the end of its line. Adds the key of each to `keys`, if they are wanted.
pub fn write(game: &Game, options: &Options, left: &mut Left, out: &mut Vec<u8>, keys: &mut Vec<u128>) {
    let mut count = Count(CountAll::default());
    game.walk(&CountAll::KEEP, left, &mut count);
    count.0.add_to(game, left);
    let plies = game.plies.len() as u32;
    if options.positions != Positions::Every {
        left.moves += u64::from(plies);
    }
    let Some(start) = game.start else { return };
    let id = if options.format == Format::Epd { id(game) } else { None };
    let mut line = String::with_capacity(MOST_SIGNS);
    let mut put = |board: &Board| {
        line.clear();
        push_four(board, options.ep, &mut line);
        if options.keys {
            keys.push(key(board, &line, options.ep));
        }
        let (halfmove, fullmove) = (board.halfmove, board.fullmove);
        // Writing to a string cannot fail.
        _ = match options.format {
            Format::Epd => write!(line, " hmvc {halfmove}; fmvn {fullmove};"),
            _ => write!(line, " {halfmove} {fullmove}"),
        };
        if let Some(id) = &id {
            _ = write!(line, " id \"{id}\";");
        }
        line.push('\n');
        out.extend_from_slice(line.as_bytes());
    };
    let moves = |count: u32| game.plies[..count as usize].iter().map(|ply| ply.mv);
    match options.positions {
        Positions::Final => game.last.iter().for_each(put),
        Positions::After(count) if count > plies => {}
        Positions::After(count) => {
            let mut board = start.clone();
            board.pass_over(moves(count));
            put(&board);
        }
        Positions::Every => {
            let mut board = start.clone();
            put(&board);
            for mv in moves(plies) {
                board.play(mv);
                put(&board);
            }
        }
    }
}

/// What tells a position from others, whatever is shown as its en passant square in the four fields of `shown`.
fn key(board: &Board, shown: &str, ep: EnPassant) -> u128 {
    if ep == EnPassant::Legal {
        return key_of(shown.as_bytes());
    }
    let mut text = String::with_capacity(MOST_SIGNS);
    push_sameness(board, &mut text);
    key_of(text.as_bytes())
}

/// What a position is called after the game it comes from; None where nothing is known of that.
fn id(game: &Game) -> Option<String> {
    let known = |name| game.tags.get(name).filter(|value| !is_unknown(Some(value)));
    let (white, black) = (known(Name::White), known(Name::Black));
    let players = (white.is_some() || black.is_some()).then(|| format!("{} - {}", white.unwrap_or("?"), black.unwrap_or("?")));
    let date = known(Name::Date).filter(|date| !date.starts_with("????"));
    let parts = [players.as_deref(), known(Name::Event), date];
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", ").replace('"', "'"))
}

struct Count(CountAll);

impl Sink for Count {
    fn played(&mut self, _: Played) {}

    fn rest(&mut self, tokens: &[Token]) {
        self.0.rest(tokens);
    }
}
