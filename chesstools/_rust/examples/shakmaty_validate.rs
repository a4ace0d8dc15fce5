//! The speed peer: what `validate` is measured against. It replays every mainline with pgn-reader and shakmaty and tells
//! whether all moves are legal, as the example `validate` that pgn-reader publishes does; no more (no places, no draws, no
//! results, no tags but FEN).
//!
//! `cargo run --release --example shakmaty_validate -- games.pgn` prints games, plies, and games with an illegal move.

use std::fs::File;
use std::io;
use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

#[derive(Default)]
struct Peer {
    games: u64,
    plies: u64,
    bad: u64,
}

impl Visitor for Peer {
    type Tags = Option<Chess>;
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Option<Chess>> {
        self.games += 1;
        ControlFlow::Continue(None)
    }

    fn tag(&mut self, start: &mut Option<Chess>, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(value.as_bytes()).ok();
            match fen.and_then(|fen| fen.into_position(CastlingMode::Chess960).ok()) {
                Some(position) => *start = Some(position),
                None => return self.give_up(),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Option<Chess>) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(start.unwrap_or_default())
    }

    fn begin_variation(&mut self, _: &mut Chess) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        match san.san.to_move(position) {
            Ok(mv) => position.play_unchecked(mv),
            Err(_) => return self.give_up(),
        }
        self.plies += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: Chess) {}
}

impl Peer {
    fn give_up<T>(&mut self) -> ControlFlow<(), T> {
        self.bad += 1;
        ControlFlow::Break(())
    }
}

fn main() -> io::Result<()> {
    for path in std::env::args().skip(1) {
        let mut peer = Peer::default();
        let mut reader = Reader::new(File::open(&path)?);
        while reader.read_game(&mut peer)?.is_some() {}
        println!("{path}: {} games, {} plies, {} with an illegal move", peer.games, peer.plies, peer.bad);
    }
    Ok(())
}
