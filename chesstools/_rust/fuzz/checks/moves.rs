//! Walks through games, with each move written well and badly. The input is a FEN, a line break, and two bytes for each move:
//! which one it is, and how its text is altered.

use _core::board::Board;
use _core::fen::read_fen;
use _core::san;
use _core::types::MoveList;

use super::step::step;

pub fn check(data: &[u8]) {
    let (first, rest) = data.split_at(data.iter().position(|byte| *byte == b'\n').map_or(0, |at| at + 1));
    let fen = String::from_utf8_lossy(first);
    let mut board = read_fen(&fen, false).board.unwrap_or_else(|| Board::start(false));
    for choice in rest.chunks_exact(2).take(200) {
        let mut moves = MoveList::new();
        board.legal_moves(!0, !0, &mut moves);
        assert_eq!(board.has_legal_move(), !moves.is_empty(), "{}", board.fen());
        if moves.is_empty() {
            return;
        }
        let mv = moves[usize::from(choice[0]) % moves.len()];
        let text = san::san(&board, mv);
        altered(&board, &text, choice[1]);
        let found = step(&mut board, text.as_bytes(), 0, text.len());
        assert_eq!(found, Some(mv), "{text} leads to {}", board.fen());
    }
    let mut moves = MoveList::new();
    board.legal_moves(!0, !0, &mut moves);
    for mv in moves {
        let text = san::san(&board, mv);
        let found = step(&mut board.clone(), text.as_bytes(), 0, text.len());
        assert_eq!(found, Some(mv), "{text} on {}", board.fen());
    }
}

/// Tries one alteration of the text of a move: a sign taken out, put in, or changed, and a check sign too much or too few.
fn altered(board: &Board, text: &str, how: u8) {
    const SIGNS: &[u8] = b"abcdefgh12345678KQRBNOx=+#-";
    let mut text = text.as_bytes().to_vec();
    let at = usize::from(how) % text.len();
    for sign in SIGNS {
        match how >> 6 {
            0 => text[at] = *sign,
            1 => text.insert(at, *sign),
            2 => text.push(*sign),
            _ => {
                text.remove(at);
            }
        }
        step(&mut board.clone(), &text, 0, text.len());
        if how >> 6 == 3 || text.len() > 12 {
            return;
        }
    }
}
