//! What is read from a FEN and written is read again as the same board, without complaint about its form.

use _core::board::Board;
use _core::fen::read_fen;
use _core::types::NO_SQUARE;

pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for chess960 in [false, true] {
        let setup = read_fen(&text, chess960);
        let playable = setup.board.is_some();
        let Some(mut board) = setup.board.or(setup.only_shown) else { continue };
        let fen = board.fen();
        // Written only where it can be captured.
        board.ep = board.legal_ep().unwrap_or(NO_SQUARE);
        assert_eq!(Board::from_fen(&fen, board.chess960).as_ref(), Some(&board), "{text:?} became {fen}");
        let again = read_fen(&fen, board.chess960);
        for problem in &again.problems {
            let of_form = matches!(problem.code, "F201" | "F202" | "F203" | "F209" | "F210" | "F211");
            assert!(!of_form, "{text:?} became {fen}, which has {}", problem.code);
        }
        assert_eq!(again.board.is_some(), playable, "{text:?} became {fen}");
        let found = again.board.or(again.only_shown).expect("a board");
        assert_eq!(found, board, "{text:?} became {fen}");
        assert_eq!(found.position_key(), board.position_key(), "{text:?} became {fen}");
    }
}
