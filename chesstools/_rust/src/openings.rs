//! Openings by position: the deepest named position that a game passed. The counterpart of `chesstools/openings/`, which says
//! where the names come from and hands them over.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::board::Board;
use crate::types::{Bb, Move};

/// A named position.
pub struct Entry {
    pub eco: String,
    pub name: String,
    pub shape: Shape,
}

/// Where a game was named last.
#[derive(Clone, Copy)]
pub struct Opening<'o> {
    pub entry: &'o Entry,
    /// The ply after which the position stood, from 1.
    pub ply: u32,
}

/// All named positions. Where one stands twice the first counts.
pub struct Openings {
    entries: Vec<Entry>,
    by_key: HashMap<u64, u32, BuildHasherDefault<Same>>,
    /// By the number of a code: the positions that bear it.
    of_code: Vec<Vec<u32>>,
    /// No named position is deeper than this, in plies.
    depth: u32,
    start: Board,
    start_shape: Shape,
}

impl Openings {
    /// None where a position or a code cannot be read. `entries`: position, code, name, all codes of the position.
    pub fn of<'e>(entries: impl Iterator<Item = (&'e str, String, String, Vec<String>)>) -> Option<Openings> {
        let start = Board::start(false);
        let mut table = Openings {
            entries: Vec::new(),
            by_key: HashMap::default(),
            of_code: vec![Vec::new(); CODES],
            depth: 0,
            start_shape: Shape::of(&start),
            start,
        };
        for (fen, eco, name, codes) in entries {
            let board = Board::from_fen(fen, false)?;
            let index = table.entries.len() as u32;
            table.by_key.entry(board.position_key()).or_insert(index);
            for code in codes {
                table.of_code[number_of(&code)?].push(index);
            }
            table.depth = table.depth.max(2 * board.fullmove.checked_sub(1)? + board.turn as u32);
            table.entries.push(Entry { eco, name, shape: Shape::of(&board) });
        }
        Some(table)
    }

    /// Whether a game that begins there has an opening.
    pub fn begin_at(&self, board: &Board) -> bool {
        board.position_key() == self.start.position_key()
    }

    /// The shape of the usual array.
    pub fn start_shape(&self) -> &Shape {
        &self.start_shape
    }

    /// The opening of a game from the usual array; None where none of its positions has a name.
    pub fn classify(&self, moves: impl Iterator<Item = Move>) -> Option<Opening<'_>> {
        let mut found = None;
        for (board, ply) in self.positions(moves).zip(1..) {
            if let Some(&index) = self.by_key.get(&board.position_key()) {
                found = Some(Opening { entry: &self.entries[index as usize], ply });
            }
        }
        found
    }

    /// The positions of a game from the usual array that are no deeper than the named ones, behind its first move.
    pub fn positions(&self, moves: impl Iterator<Item = Move>) -> impl Iterator<Item = Board> {
        let mut board = self.start.clone();
        moves.take(self.depth as usize).map(move |mv| {
            board.play(mv);
            board.clone()
        })
    }

    /// The positions of a code.
    pub fn of_code(&self, code: usize) -> impl Iterator<Item = &Entry> {
        self.of_code[code].iter().map(|&index| &self.entries[index as usize])
    }
}

/// From A00 to E99.
const CODES: usize = 500;

/// The number of a code, from 0; None for a text that is none.
pub fn number_of(code: &str) -> Option<usize> {
    match *code.as_bytes() {
        [volume @ b'A'..=b'E', tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => {
            let [volume, tens, ones] = [volume - b'A', tens - b'0', ones - b'0'].map(usize::from);
            Some(100 * volume + 10 * tens + ones)
        }
        _ => None,
    }
}

/// Which man stands on each square: the three bits of its role and one for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape([Bb; 4]);

impl Shape {
    pub fn of(board: &Board) -> Shape {
        let [pawns, knights, bishops, rooks, queens, kings] = board.by_role;
        Shape([pawns | bishops | queens, knights | bishops | kings, rooks | queens | kings, board.by_color[0]])
    }

    /// The squares on which two of them are not the same.
    #[inline]
    pub fn differs(&self, other: &Shape) -> Bb {
        (0..4).fold(0, |squares, plane| squares | self.0[plane] ^ other.0[plane])
    }
}

/// Keys of positions are hashes already.
#[derive(Default)]
pub struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0 << 8 | u64::from(byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Three positions: 1. d4, 1. d4 d5 2. c4, and the same after 1. c4 d5 2. d4 under another name, which does not count.
    pub fn few() -> Openings {
        let queens_gambit = "rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2";
        let entry = |fen, eco: &str, name: &str| (fen, eco.to_owned(), name.to_owned(), vec![eco.to_owned()]);
        let entries = [
            entry("rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1", "A40", "Queen's Pawn Game"),
            entry(queens_gambit, "D06", "Queen's Gambit"),
            entry(queens_gambit, "A10", "English Opening"),
            entry("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "B20", "Sicilian Defense"),
        ];
        Openings::of(entries.into_iter()).expect("all can be read")
    }

    pub fn moves(texts: &str) -> Vec<Move> {
        let mut board = Board::start(false);
        let parse = |text| {
            let mv = board.from_uci(text).expect("a move");
            board.play(mv);
            mv
        };
        texts.split_whitespace().map(parse).collect()
    }

    fn named(texts: &str) -> Option<(String, u32)> {
        few().classify(moves(texts).into_iter()).map(|opening| (opening.entry.name.clone(), opening.ply))
    }

    #[test]
    fn the_deepest_named_position_counts_however_it_was_reached() {
        assert_eq!(named(""), None);
        assert_eq!(named("e2e4"), None);
        assert_eq!(named("d2d4"), Some(("Queen's Pawn Game".to_owned(), 1)));
        assert_eq!(named("d2d4 d7d5 g1f3"), Some(("Queen's Pawn Game".to_owned(), 1)));
        assert_eq!(named("c2c4 d7d5 d2d4 e7e6"), Some(("Queen's Gambit".to_owned(), 3)));
        assert_eq!(named("g1f3 g8f6 f3g1 f6g8 d2d4"), None, "deeper than any named position");
        assert_eq!(few().depth, 3);
    }

    #[test]
    fn codes() {
        assert_eq!([number_of("A00"), number_of("B07"), number_of("E99")], [Some(0), Some(107), Some(499)]);
        assert!(["F00", "A0", "A000", "a00", "A0x", "", "½"].iter().all(|text| number_of(text).is_none()));
        assert_eq!(few().of_code(10).map(|entry| &*entry.name).collect::<Vec<_>>(), ["English Opening"]);
        assert!(Openings::of([("x", String::new(), String::new(), Vec::new())].into_iter()).is_none());
    }

    #[test]
    fn shapes() {
        let board = Board::start(false);
        let [one, other] = ["d2d4", "d2d4 d7d5 c2c4"].map(|texts| few().positions(moves(texts).into_iter()).last());
        let (Some(one), Some(other)) = (one, other) else { panic!("no position") };
        assert_eq!(Shape::of(&one).differs(&Shape::of(&board)), 1 << 11 | 1 << 27);
        assert_eq!(Shape::of(&other).differs(&Shape::of(&one)), 1 << 10 | 1 << 26 | 1 << 35 | 1 << 51);
    }
}
