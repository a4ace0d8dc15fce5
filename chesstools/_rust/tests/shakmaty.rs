//! Random games, compared move for move with an independent implementation of the rules.

use std::collections::BTreeSet;

use _core::board::Board;
use _core::types::{Move, MoveList, NO_SQUARE};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::{Zobrist64, ZobristHash};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};

/// The same numbers in every run: a linear congruence, upper bits only.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// Starts that soon lead to what is rare: castling in all forms, en passant with pins, promotion, double check.
const STARTS: &[(&str, bool)] = &[
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", false),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", false),
    ("4k3/pppppppp/8/2b2q2/2B2Q2/8/PPPPPPPP/4K3 w - - 0 1", false),
    ("q3r2b/1PP2PP1/4k3/3pp3/3PP3/4K3/1pp2pp1/Q3R2B b - - 3 60", false),
    ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 12 30", false),
    ("1k6/2p1p1p1/8/1P1P1P1r/R1p1p1p1/8/1P1P1P2/6K1 w - - 0 1", false),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9", true),
    ("rk2r3/8/8/8/8/8/8/RK2R3 w KQkq - 0 1", true),
    ("1r1k1r1r/8/8/3pp3/3PP3/8/8/R1R2KR1 w KCfq - 0 1", true),
    ("rkr5/pppppppp/8/8/8/8/PPPPPPPP/RKR5 w KQkq - 0 1", true),
    ("5rkr/pppp2pp/8/8/8/8/PPP2PPP/5RKR b KQkq - 0 1", true),
];

#[test]
fn random_games() {
    let mut dice = Dice(20_240_229);
    let games = std::env::var("RANDOM_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(15);
    for &(fen, chess960) in STARTS {
        for _ in 0..games {
            random_game(fen, chess960, &mut dice);
        }
    }
}

fn random_game(fen: &str, chess960: bool, dice: &mut Dice) {
    let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let mut theirs: Chess = fen.parse::<Fen>().expect(fen).into_position(mode).expect(fen);
    let mut ours = Board::from_fen(fen, chess960).expect(fen);
    for _ in 0..120 {
        let moves = compare(&ours, &theirs, mode);
        if moves.is_empty() {
            return;
        }
        let mv = pick(&ours, &moves, dice);
        let uci: UciMove = ours.uci(mv).parse().unwrap();
        theirs.play_unchecked(uci.to_move(&theirs).unwrap());
        ours.play(mv);
    }
}

/// Mostly any move; double steps and special moves more often than chance would have them.
fn pick(board: &Board, moves: &MoveList, dice: &mut Dice) -> Move {
    let wanted = |mv: &&Move| {
        let mut next = board.clone();
        next.play(**mv);
        board.is_castling(**mv) || board.is_en_passant(**mv) || next.ep != NO_SQUARE
    };
    let special: Vec<&Move> = moves.iter().filter(wanted).collect();
    match special.len() {
        0 => moves[dice.below(moves.len())],
        count if dice.below(4) == 0 => *special[dice.below(count)],
        _ => moves[dice.below(moves.len())],
    }
}

fn compare(ours: &Board, theirs: &Chess, mode: CastlingMode) -> MoveList {
    let fen = Fen::from_position(theirs, EnPassantMode::Legal).to_string();
    assert_eq!(ours.fen(), fen);
    assert_eq!(ours.position_key(), theirs.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0, "{fen}");
    let mut fresh = ours.clone();
    fresh.refresh_hash();
    assert_eq!(ours.hash, fresh.hash, "{fen}");
    assert_eq!(ours.is_check(), theirs.is_check(), "{fen}");
    assert!(!ours.was_into_check());
    let mut moves = MoveList::new();
    ours.legal_moves(!0, !0, &mut moves);
    let listed: BTreeSet<String> = moves.iter().map(|&mv| ours.uci(mv).to_string()).collect();
    let expected: BTreeSet<String> = theirs.legal_moves().iter().map(|mv| mv.to_uci(mode).to_string()).collect();
    assert_eq!(listed, expected, "{fen}");
    assert_eq!(listed.len(), moves.len(), "{fen}");
    assert_eq!(ours.has_legal_move(), !moves.is_empty(), "{fen}");
    let mut pseudo = MoveList::new();
    ours.pseudo_legal_moves(!0, !0, &mut pseudo);
    for mv in pseudo {
        assert_eq!(ours.is_legal(mv), moves.contains(&mv), "{fen} {}", ours.uci(mv));
        assert_eq!(ours.from_uci(&ours.uci(mv)), Some(mv), "{fen} {}", ours.uci(mv));
    }
    moves
}
