//! One token on one board: what the fast path accepts, the careful path accepts too, and both come to the same.

use _core::board::Board;
use _core::fast;
use _core::san::{self, Resolved};
use _core::types::{Bb, Move, MoveKind, Role};

/// Plays the token `text[start..end]`, if it is a legal move, on `board`; the move.
///
/// The fast path sees the text around the token as well, as it does in a chunk.
pub fn step(board: &mut Board, text: &[u8], start: usize, end: usize) -> Option<Move> {
    let token = &text[start..end];
    let mut fast_board = board.clone();
    let before: Bb = board.checkers();
    let mut checkers = before;
    let made = fast::play(&mut fast_board, &mut checkers, fast::word(text, start, token.len()), token.len());
    let context = || format!("{} on {}", token.escape_ascii(), board.fen());
    if made.is_none() {
        assert_eq!((&fast_board, checkers), (&*board, before), "changed by what was refused: {}", context());
    }
    let Some(Resolved::Move(mv)) = san::read(token).map(|written| san::resolve(board, &written)) else {
        assert!(made.is_none(), "only the fast path takes {}", context());
        return None;
    };
    assert!(board.is_legal(mv), "{}", context());
    let mut after = board.clone();
    after.play(mv);
    let mut fresh = after.clone();
    fresh.refresh_hash();
    assert_eq!(fresh, after, "the hash is stale: {}", context());
    assert!(!after.was_into_check(), "{}", context());
    if let Some(made) = made {
        let role = board.role_at(mv.from);
        let captured = match mv.kind {
            MoveKind::EnPassant => Some(Role::Pawn),
            _ if mv.is_castling() => None,
            _ => board.role_at(mv.to),
        };
        let mate = after.is_check() && !after.has_legal_move();
        assert_eq!((made.mv, made.role, made.captured), (mv, role, captured), "{}", context());
        assert_eq!((made.check, made.mate), (after.is_check(), mate), "{}", context());
        assert_eq!(checkers, after.checkers(), "{}", context());
        assert_eq!(fast_board, after, "{}", context());
        assert_eq!(token.escape_ascii().to_string(), san::san(board, mv), "not as the standard has it: {}", context());
    }
    *board = after;
    Some(mv)
}
