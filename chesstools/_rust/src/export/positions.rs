//! Positions of games: FEN or EPD, one a line.

use xxhash_rust::xxh3::xxh3_128;

use super::count_all::CountAll;
use super::game::{Game, Played, Sink};
use super::left::Left;
use super::options::{EpField, Format, Options, Positions};
use crate::board::Board;
use crate::board_fen::square_name;
use crate::lexer::Token;
use crate::tags::Name;
use crate::types::{Color, NO_SQUARE};
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
    let mut put = |board: &Board| {
        if options.keys {
            keys.push(xxh3_128(key(board).as_bytes()));
        }
        push_fields(board, options.ep, out);
        let (halfmove, fullmove) = (board.halfmove, board.fullmove);
        match options.format {
            Format::Epd => out.extend_from_slice(format!(" hmvc {halfmove}; fmvn {fullmove};").as_bytes()),
            _ => out.extend_from_slice(format!(" {halfmove} {fullmove}").as_bytes()),
        }
        if let Some(id) = &id {
            out.extend_from_slice(format!(" id \"{id}\";").as_bytes());
        }
        out.push(b'\n');
    };
    let mut board = start.clone();
    if options.positions == Positions::Every {
        put(&board);
        for ply in game.plies {
            board.play(ply.mv);
            put(&board);
        }
        return;
    }
    let after = match options.positions {
        Positions::After(count) if count > plies => return,
        Positions::After(count) => count,
        _ => plies,
    };
    game.plies[..after as usize].iter().for_each(|ply| board.play(ply.mv));
    put(&board);
}

/// The first four fields.
fn push_fields(board: &Board, ep: EpField, out: &mut Vec<u8>) {
    out.extend_from_slice(board.board_fen().as_bytes());
    out.extend_from_slice(if board.turn == Color::White { b" w " } else { b" b " });
    out.extend_from_slice(board.castling_xfen().as_bytes());
    out.push(b' ');
    let square = match ep {
        EpField::Legal => board.legal_ep(),
        EpField::Standard => Some(board.ep).filter(|&ep| ep != NO_SQUARE),
        EpField::Never => None,
    };
    match square {
        Some(square) => out.extend_from_slice(square_name(square).as_bytes()),
        None => out.push(b'-'),
    }
}

/// What makes a position another: men, turn, rights, and where a capture en passant is legal.
fn key(board: &Board) -> String {
    let mut key = Vec::new();
    push_fields(board, EpField::Legal, &mut key);
    String::from_utf8(key).unwrap_or_default()
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

    fn comment(&mut self, _: &str) {}

    fn nag(&mut self, _: u8) {}

    fn unread(&mut self, _: Token) {}

    fn open(&mut self) {}

    fn close(&mut self) {}

    fn rest(&mut self, tokens: &[Token]) {
        self.0.rest(tokens);
    }
}
