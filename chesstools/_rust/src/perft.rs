//! How many lines of legal moves a position has: the usual proof that moves are found right.

use crate::board::Board;
use crate::types::MoveList;

/// Lines of `depth` plies; 1 for none.
pub fn perft(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = MoveList::new();
    board.legal_moves(!0, !0, &mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves
        .iter()
        .map(|&mv| {
            let mut after = board.clone();
            after.play(mv);
            perft(&after, depth - 1)
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start() {
        let board = Board::start(false);
        assert_eq!([0, 1, 2, 3].map(|depth| perft(&board, depth)), [1, 20, 400, 8902]);
    }
}
