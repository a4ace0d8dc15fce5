//! Counts of move trees that many programs agree on.

use std::path::Path;

use _core::board::Board;
use _core::types::MoveList;

fn perft(board: &Board, depth: u32) -> u64 {
    let mut moves = MoveList::new();
    board.legal_moves(!0, !0, &mut moves);
    if depth <= 1 {
        return if depth == 0 { 1 } else { moves.len() as u64 };
    }
    moves.into_iter().fold(0, |nodes, mv| {
        let mut next = board.clone();
        next.play(mv);
        nodes + perft(&next, depth - 1)
    })
}

/// The same, with everything that is kept from move to move compared with what can be computed afresh.
fn perft_checked(board: &Board, depth: u32) -> u64 {
    let mut fresh = board.clone();
    fresh.refresh_hash();
    assert_eq!(fresh, *board, "{}", board.fen());
    assert_eq!(board.clean_rights(board.castling), board.castling, "{}", board.fen());
    assert!(!board.was_into_check());
    let mut moves = MoveList::new();
    board.legal_moves(!0, !0, &mut moves);
    assert_eq!(board.has_legal_move(), !moves.is_empty(), "{}", board.fen());
    if depth == 0 {
        return 1;
    }
    moves.into_iter().fold(0, |nodes, mv| {
        assert!(board.is_legal(mv), "{} {}", board.fen(), board.uci(mv));
        let mut next = board.clone();
        next.play(mv);
        nodes + perft_checked(&next, depth - 1)
    })
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// FEN, whether it is Chess960, and the number of nodes at depth 1, 2, …
const TREES: &[(&str, bool, &[u64])] = &[
    (START, false, &[20, 400, 8902, 197_281]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", false, &[48, 2039, 97_862]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", false, &[14, 191, 2812, 43_238]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", false, &[6, 264, 9467]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", false, &[44, 1486, 62_379]),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", false, &[46, 2079, 89_890]),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", true, &[21, 528, 12_189]),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", true, &[21, 807, 18_002]),
    ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", true, &[20, 479, 10_471]),
    ("qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", true, &[22, 593, 13_440]),
    ("1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9", true, &[29, 502, 14_569]),
];

#[test]
fn known_trees() {
    for &(fen, chess960, counts) in TREES {
        let board = Board::from_fen(fen, chess960).expect(fen);
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&board, depth), count, "{fen} depth {depth}");
        }
        let depth = counts.len() as u32 - 1;
        assert_eq!(perft_checked(&board, depth), counts[counts.len() - 2], "{fen}");
    }
}

#[test]
fn start_is_the_start() {
    assert_eq!(Board::start(false), Board::from_fen(START, false).unwrap());
    assert_eq!(Board::start(true), Board::from_fen(START, true).unwrap());
    assert_eq!(Board::start(false).fen(), START);
    assert_eq!(Board::start(false).position_key(), 0x463b_9618_1691_fc9c);
}

/// The large collection, where it is at hand, up to a number of nodes for each position.
#[test]
fn collection() {
    let Some(text) = collection_text() else { return };
    let limit = std::env::var("PERFT_NODES").ok().and_then(|text| text.parse().ok()).unwrap_or(2_000);
    let mut lines = 0;
    // Each line of the file ends in NUL.
    for line in text.lines().map(|line| line.trim_end_matches('\0')).filter(|line| !line.trim().is_empty()) {
        let mut parts = line.split(';');
        let fen = parts.next().unwrap().trim();
        let board = Board::from_fen(fen, true).expect(fen);
        lines += 1;
        for (depth, part) in (1..).zip(parts) {
            let count: u64 = part.split_ascii_whitespace().nth(1).unwrap().parse().unwrap();
            if count > limit {
                break;
            }
            assert_eq!(perft(&board, depth), count, "{fen} depth {depth}");
        }
    }
    assert!(lines > 6000);
}

fn collection_text() -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    let packed = root.join("../shared/corpus/perft.epd.zst");
    let output = std::process::Command::new("zstd").arg("-dcq").arg(packed.canonicalize().ok()?).output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).ok())?
}
