//! The castling field of a FEN: as the standard has it, as X-FEN and as Shredder-FEN. Part of the counterpart of
//! `chesstools/reference/fen.py`.

use crate::attacks::{bit, BACK_RANK, FILE_A};
use crate::board::Board;
use crate::types::{Bb, Color, Role};

/// What the castling letters mean.
pub struct Castling {
    /// The squares of the rooks.
    pub rooks: Bb,
    pub chess960: bool,
    /// The letters that fit no king and rook.
    pub dropped: String,
}

impl Castling {
    /// Letters that cannot be meant in standard chess make it Chess960 only if all of them fit there, and if the kings concerned
    /// stand on one file, as they did at the start.
    pub fn read(board: &Board, letters: &str, chess960: bool) -> Castling {
        let (mut rooks, mut standard) = (0, 0);
        let (mut dropped, mut dropped_standard) = (String::new(), String::new());
        let mut king_files = 0u8;
        for letter in letters.chars().filter(|&letter| letter != '-') {
            let side = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            let (home, corners) = match side {
                Color::White => (4, 1 | 1 << 7),
                Color::Black => (60, 1 << 56 | 1 << 63),
            };
            let rook = castling_rook(board, letter.to_ascii_uppercase() as u8, side);
            let king = board.king(side);
            match king {
                Some(king) if rook != 0 => {
                    rooks |= rook;
                    king_files |= 1 << (king & 7);
                }
                _ => dropped.push(letter),
            }
            if rook & corners != 0 && king == Some(home) {
                standard |= rook;
            } else {
                dropped_standard.push(letter);
            }
        }
        let only_960 = !dropped_standard.is_empty() && dropped.is_empty() && king_files.count_ones() == 1;
        if chess960 || only_960 {
            Castling { rooks, chess960: true, dropped }
        } else {
            Castling { rooks: standard, chess960: false, dropped: dropped_standard }
        }
    }
}

/// The rook that a castling letter means: K and Q the outermost one on that side of the king, A-H the one on that file.
fn castling_rook(board: &Board, letter: u8, side: Color) -> Bb {
    let backrank = BACK_RANK[side as usize];
    let rooks = board.men(side, Role::Rook) & backrank;
    let Some(king) = board.king(side).filter(|&king| backrank & bit(king) != 0) else { return 0 };
    match letter {
        b'K' if rooks >> king == 0 => 0,
        b'K' => 1 << (63 - rooks.leading_zeros()),
        b'Q' => rooks & rooks.wrapping_neg() & (bit(king) - 1),
        _ => rooks & FILE_A << (letter - b'A'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters() {
        let mut board = Board::empty();
        board.put(5, Color::White, Role::King);
        board.put(6, Color::White, Role::Rook);
        let castling = Castling::read(&board, "K", false);
        assert_eq!((castling.rooks, castling.chess960, castling.dropped.as_str()), (1 << 6, true, ""));
        let castling = Castling::read(&board, "KQ", false);
        assert_eq!((castling.rooks, castling.chess960, castling.dropped.as_str()), (0, false, "KQ"));
        let castling = Castling::read(&board, "GA", true);
        assert_eq!((castling.rooks, castling.chess960, castling.dropped.as_str()), (1 << 6, true, "A"));
    }
}
