//! Which man moves and which is taken at every ply, told apart by the square on which it stands at the start: what
//! `chesstools/stats/replay.py` works out with arrays, game by game here.

/// The number of no man. Men are numbered by their squares: 0 to 15 on a1 to h2, 16 to 31 on a7 to h8.
pub const NOBODY: u8 = 32;

/// What stands in the column of castling where a move is none.
const NO_WING: u8 = 255;

/// The plies of some games, one after the other: columns as in `chesstools/stats/blocks.py`.
pub struct Plies<'a> {
    /// The square of departure in the last six bits, the target in the six before; 0 for a null move.
    pub moves: &'a [u16],
    pub castling: &'a [u8],
    pub en_passant: &'a [u8],
}

/// The man that moves and the man that is taken at each ply, `NOBODY` where there is none, and for the plies of other games.
/// `games` are the row of the first ply and the number of plies of games that begin with the usual array.
///
/// None where the columns are not of one length, or a game does not lie in them.
pub fn follow(plies: &Plies, games: impl Iterator<Item = (usize, usize)>) -> Option<(Vec<u8>, Vec<u8>)> {
    let rows = plies.moves.len();
    let (mut movers, mut taken) = (vec![NOBODY; rows], vec![NOBODY; rows]);
    for (first, length) in games {
        let own = first..first.checked_add(length)?;
        let moves = plies.moves.get(own.clone())?;
        let (castling, passing) = (plies.castling.get(own.clone())?, plies.en_passant.get(own.clone())?);
        let (movers, taken) = (movers.get_mut(own.clone())?, taken.get_mut(own)?);
        let mut board = Board::array();
        for (ply, &code) in moves.iter().enumerate() {
            (movers[ply], taken[ply]) = board.play(code, castling[ply], passing[ply] != 0);
        }
    }
    Some((movers, taken))
}

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
        let moves = [code(12, 28), code(62, 45), code(28, 36), code(51, 35), code(36, 43)];
        let plies = Plies { moves: &moves, castling: &[NO_WING; 5], en_passant: &[0, 0, 0, 0, 1] };
        let (movers, taken) = follow(&plies, [(0, 5)].into_iter()).unwrap();
        assert_eq!(movers, [12, 30, 12, 19, 12]);
        assert_eq!(taken, [NOBODY, NOBODY, NOBODY, NOBODY, 19]);
    }

    #[test]
    fn castling_moves_the_rook_and_a_null_move_nobody() {
        // O-O, a null move, and the rook goes from f1 to e1.
        let moves = [code(4, 6), 0, code(5, 4)];
        let plies = Plies { moves: &moves, castling: &[0, NO_WING, NO_WING], en_passant: &[0; 3] };
        let (movers, _) = follow(&plies, [(0, 3)].into_iter()).unwrap();
        assert_eq!(movers, [4, NOBODY, 7]);
    }

    #[test]
    fn games_that_do_not_lie_in_the_columns_are_refused() {
        let plies = Plies { moves: &[0], castling: &[NO_WING], en_passant: &[0] };
        assert!(follow(&plies, [(0, 2)].into_iter()).is_none());
        assert!(follow(&plies, [(1, usize::MAX)].into_iter()).is_none());
    }
}
