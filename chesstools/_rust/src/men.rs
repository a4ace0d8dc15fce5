//! Which man moves and which is taken at every ply, told apart by the square on which it stands at the start: what
//! `chesstools/stats/replay.py` works out with arrays, game by game here.

/// The number of no man. Men are numbered by their squares: 0 to 15 on a1 to h2, 16 to 31 on a7 to h8.
pub const NOBODY: u8 = 32;

/// What stands in the column of castling where a move is none.
const NO_WING: u8 = 255;

/// Which man stands on each square.
pub struct Board([u8; 64]);

impl Board {
    /// The usual array.
    pub fn array() -> Board {
        let mut board = [NOBODY; 64];
        for man in 0..16 {
            board[usize::from(man)] = man;
            board[usize::from(man) + 48] = man + 16;
        }
        Board(board)
    }

    /// The man that moves and the man that is taken, whether or not they can.
    pub fn play(&mut self, code: u16, castling: u8, en_passant: bool) -> (u8, u8) {
        if code == 0 {
            return (NOBODY, NOBODY);
        }
        let Board(board) = self;
        let (from, to) = (usize::from(code & 63), usize::from(code >> 6 & 63));
        let mover = std::mem::replace(&mut board[from], NOBODY);
        let mut taken = std::mem::replace(&mut board[to], mover);
        if en_passant {
            taken = std::mem::replace(&mut board[from & 56 | to & 7], NOBODY);
        }
        if castling != NO_WING {
            let (corner, beside) = if to & 7 == 6 { (to + 1, to - 1) } else { (to.saturating_sub(2), (to + 1) & 63) };
            board[beside] = std::mem::replace(&mut board[corner], NOBODY);
        }
        (mover, taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(from: u16, to: u16) -> u16 {
        from | to << 6
    }

    #[test]
    fn en_passant_takes_the_man_beside() {
        // 1. e4 Nf6 2. e5 d5 3. exd6: the pawn of e2 takes that of d7.
        let mut board = Board::array();
        for (from, to, mover) in [(12, 28, 12), (62, 45, 30), (28, 36, 12), (51, 35, 19)] {
            assert_eq!(board.play(code(from, to), NO_WING, false), (mover, NOBODY));
        }
        assert_eq!(board.play(code(36, 43), NO_WING, true), (12, 19));
    }

    #[test]
    fn castling_moves_the_rook_and_a_null_move_nobody() {
        // O-O, a null move, and the rook goes from f1 to e1.
        let mut board = Board::array();
        assert_eq!(board.play(code(4, 6), 0, false).0, 4);
        assert_eq!(board.play(0, NO_WING, false), (NOBODY, NOBODY));
        assert_eq!(board.play(code(5, 4), NO_WING, false).0, 7);
    }
}
