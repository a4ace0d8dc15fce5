//! Positions in which one rule decides.

use _core::board::Board;
use _core::types::{Bb, Color, Move, MoveList, Role, NO_SQUARE};

fn board(fen: &str) -> Board {
    Board::from_fen(fen, false).expect(fen)
}

fn chess960(fen: &str) -> Board {
    Board::from_fen(fen, true).expect(fen)
}

fn legal(board: &Board) -> Vec<String> {
    listed(board, !0, !0)
}

fn listed(board: &Board, from: Bb, to: Bb) -> Vec<String> {
    let mut moves = MoveList::new();
    board.legal_moves(from, to, &mut moves);
    moves.iter().map(|&mv| board.uci(mv).to_string()).collect()
}

fn after(board: &Board, uci: &str) -> Board {
    let mut next = board.clone();
    next.play(board.from_uci(uci).expect(uci));
    next
}

#[test]
fn moves_are_listed_from_h8_to_a1() {
    let board = board("4k3/8/8/8/8/8/4P2P/R3K3 w Q - 0 1");
    let expected =
        ["e1f2", "e1d2", "e1f1", "e1d1", "a1a8", "a1a7", "a1a6", "a1a5", "a1a4", "a1a3", "a1a2", "a1d1", "a1c1", "a1b1", "e1c1"];
    assert_eq!(legal(&board)[..15], expected);
    assert_eq!(legal(&board)[15..], ["h2h3", "e2e3", "h2h4", "e2e4"]);
}

#[test]
fn the_target_of_castling_is_the_square_of_the_rook() {
    let board = board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    assert_eq!(listed(&board, 1 << 4, 1 << 7), ["e1g1"]);
    assert!(listed(&board, 1 << 4, 1 << 6).is_empty());
    assert_eq!(after(&board, "e1g1").fen(), "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1");
    assert_eq!(after(&board, "e1h1").fen(), "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1");
    assert_eq!(after(&board, "e1c1").fen(), "4k3/8/8/8/8/8/8/2KR3R b - - 1 1");
}

#[test]
fn castling_can_be_the_only_move() {
    let board = chess960("1k3r2/8/8/8/8/7p/7P/6KR w K - 0 1");
    assert_eq!(legal(&board), ["g1h1"]);
    assert!(board.has_legal_move());
    assert_eq!(after(&board, "g1h1").fen(), "1k3r2/8/8/8/8/7p/7P/5RK1 b - - 1 1");
}

#[test]
fn castling_may_not_uncover_an_attack() {
    // The rook on b1 shields the king until it castles itself away.
    assert!(!legal(&chess960("4k3/8/8/8/8/8/8/rR1K4 w Q - 0 1")).contains(&"d1b1".to_owned()));
    assert!(legal(&chess960("4k3/8/8/8/8/8/8/1R1K4 w Q - 0 1")).contains(&"d1b1".to_owned()));
    // The rook may pass an attacked square, the king may not.
    assert!(legal(&board("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1")).contains(&"e1c1".to_owned()));
    assert!(!legal(&board("3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1")).contains(&"e1c1".to_owned()));
}

#[test]
fn inner_rooks_have_letters_of_files() {
    let board = chess960("1r1k1r1r/8/8/8/8/8/8/RR3KRR w BGfq - 0 1");
    assert_eq!(board.castling_xfen(), "GBfq");
    assert_eq!(Board::from_fen(&board.fen(), true), Some(board));
}

#[test]
fn rights_end_with_king_and_rooks() {
    let start = board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert_eq!(after(&start, "e1e2").castling_xfen(), "kq");
    assert_eq!(after(&start, "a1a2").castling_xfen(), "Kkq");
    assert_eq!(after(&start, "a1a8").castling_xfen(), "Kk");
    assert_eq!(after(&start, "h1h8").castling_xfen(), "Qq");
}

#[test]
fn en_passant_is_kept_always_and_counts_only_if_legal() {
    // No pawn can take: the square is kept, but not shown and not in the key.
    let opened = after(&Board::start(false), "e2e4");
    assert_eq!(opened.ep, 20);
    assert_eq!(opened.legal_ep(), None);
    assert_eq!(opened.position_key(), opened.hash);
    // Both pawns would leave the rank of the king at once.
    let pinned = after(&board("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1"), "e2e4");
    assert!(!legal(&pinned).contains(&"d4e3".to_owned()));
    assert_eq!(pinned.legal_ep(), None);
    // The pawn that gives check may be taken en passant.
    let check = after(&board("8/8/8/2k5/4p3/8/3P4/4K3 w - - 0 1"), "d2d4");
    assert!(check.is_check());
    assert_eq!(check.legal_ep(), Some(19));
    assert_eq!(check.fen(), "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1");
    assert_ne!(check.position_key(), check.hash);
    assert_eq!(after(&check, "e4d3").fen(), "8/8/8/2k5/8/3p4/8/4K3 w - - 0 2");
    assert_eq!(after(&check, "0000").ep, NO_SQUARE);
}

#[test]
fn pins_and_double_checks() {
    let pinned = board("4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1");
    assert!(pinned.is_pinned(Color::White, 12));
    assert!(!pinned.is_pinned(Color::Black, 12));
    assert!(listed(&pinned, 1 << 12, !0).is_empty());
    let double = board("4k3/8/8/8/7b/8/3P4/r3K2R w K - 0 1");
    assert_eq!(double.checkers().count_ones(), 2);
    assert_eq!(legal(&double), ["e1e2"]);
    // A king does not hide behind itself.
    assert!(!legal(&board("4k3/8/8/8/8/8/8/r3K3 w - - 0 1")).contains(&"e1f1".to_owned()));
}

#[test]
fn material() {
    let dead = ["8/8/4k3/8/8/4K3/8/8", "8/8/4k3/8/8/4KN2/8/8", "8/8/4kb2/8/8/4K3/5B2/8"];
    let alive = ["8/8/4kn2/8/8/4KN2/8/8", "8/8/4kb2/8/8/4KB2/8/8", "8/8/4kp2/8/8/4K3/8/8", "8/8/4k3/8/8/4KNN1/8/8"];
    assert!(dead.iter().all(|men| board(&format!("{men} w - - 0 1")).is_insufficient_material()));
    assert!(!alive.iter().any(|men| board(&format!("{men} w - - 0 1")).is_insufficient_material()));
}

#[test]
fn promotion_and_counters() {
    let start = board("3r1k2/2P5/8/8/8/8/8/4K3 w - - 7 40");
    let mut moves = MoveList::new();
    start.legal_moves(1 << 50, !0, &mut moves);
    assert_eq!(moves.len(), 8);
    assert!(moves.iter().all(|&mv| start.is_zeroing(mv)));
    assert_eq!(moves.iter().filter(|&&mv| start.is_capture(mv)).count(), 4);
    assert_eq!(moves[0].promotion, Some(Role::Queen));
    assert_eq!(after(&start, "c7d8n").fen(), "3N1k2/8/8/8/8/8/8/4K3 b - - 0 40");
    assert!(!start.is_legal(start.from_uci("c7c8").unwrap()));
    assert!(!start.is_legal(start.from_uci("c7c8k").unwrap()));
    assert!(!start.is_legal(Move::NULL));
    assert_eq!(after(&after(&start, "e1e2"), "f8f7").fen(), "3r4/2P2k2/8/8/8/8/4K3/8 w - - 9 41");
}

/// Whatever is asked or played, nothing panics, also where it makes no sense.
#[test]
fn nonsense_is_survived() {
    let mut dice: u64 = 7;
    let mut roll = || {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 40) as u8
    };
    let mut board = Board::start(true);
    for round in 0..200_000u32 {
        if round % 64 == 0 {
            board = if round % 128 == 0 { Board::start(false) } else { Board::empty() };
        }
        let promotion = Role::ALL.get(usize::from(roll() & 31)).copied();
        let mv = Move { promotion, ..board.move_between(roll() & 63, roll() & 63) };
        board.is_legal(mv);
        board.has_legal_move();
        board.fen();
        board.play(mv);
    }
}
