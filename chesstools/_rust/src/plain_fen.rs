//! A FEN that is written as it should be, read in one go. What is not plain is left to `fen.rs`, which explains it.

use crate::board::{code, Board};
use crate::fen::Fields;
use crate::types::{Color, Role};

/// By ASCII sign of the placement: the code of the man, else 0.
static MEN: [u8; 128] = {
    let mut table = [0; 128];
    let mut at = 0;
    while at < 6 {
        let role = Role::ALL[at];
        table[role.letter() as usize] = code(Color::White, role);
        table[role.letter().to_ascii_lowercase() as usize] = code(Color::Black, role);
        at += 1;
    }
    table
};

/// The six fields, and a board with the men of the first of them, its hash stale. None unless exactly one space stands between
/// fields, the placement has 8 times 8 squares and no two digits in a row, the side is w or b, the en passant field is - or a
/// square, and the counters are numbers of one to four digits.
pub fn plain_fields(text: &str) -> Option<(Fields<'_>, Board)> {
    let (board, end) = placement(text.as_bytes())?;
    let (placement, rest) = text.split_at(end);
    let turn = rest.get(1..2).filter(|turn| matches!(*turn, "w" | "b"))?;
    let (castling, rest) = rest.get(2..)?.strip_prefix(' ')?.split_once(' ')?;
    let (ep, rest) = rest.split_once(' ')?;
    let (halfmove, fullmove) = rest.split_once(' ')?;
    let is_square = |name: &[u8]| matches!(name, [b'a'..=b'h', b'1'..=b'8']);
    let is_counter = |text: &str| matches!(text.len(), 1..=4) && text.bytes().all(|sign| sign.is_ascii_digit());
    let is_plain = !castling.is_empty()
        && castling.bytes().all(|sign| sign.is_ascii_graphic())
        && (ep == "-" || is_square(ep.as_bytes()))
        && is_counter(halfmove)
        && is_counter(fullmove);
    is_plain.then_some(([placement, turn, castling, ep, halfmove, fullmove], board))
}

/// The men, and where the blank behind the placement stands.
fn placement(text: &[u8]) -> Option<(Board, usize)> {
    let mut board = Board::empty_unhashed();
    let (mut square, mut line_end) = (56_usize, 64);
    let mut after_digit = false;
    for (at, &sign) in text.iter().enumerate() {
        let man = *MEN.get(usize::from(sign))?;
        if man != 0 {
            if square >= line_end {
                return None;
            }
            board.mailbox[square & 63] = man;
            board.by_role[usize::from((man & 7) - 1) % 6] |= 1 << (square & 63);
            board.by_color[usize::from(man >> 3) & 1] |= 1 << (square & 63);
            square += 1;
            after_digit = false;
        } else if let b'1'..=b'8' = sign {
            if after_digit {
                return None;
            }
            square += usize::from(sign - b'0');
            after_digit = true;
        } else {
            if square != line_end {
                return None;
            }
            match sign {
                b'/' if line_end > 8 => (square, line_end) = (line_end - 16, line_end - 8),
                b' ' if line_end == 8 => return Some((board, at)),
                _ => return None,
            }
            after_digit = false;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_and_not() {
        let (fields, board) = plain_fields("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 12").unwrap();
        assert_eq!(fields, ["r3k2r/8/8/3pP3/8/8/8/R3K2R", "w", "KQkq", "d6", "0", "12"]);
        assert_eq!(board.board_fen(), fields[0]);
        for other in [
            "",
            "4k3/8/8/8/8/8/8/4K3",
            "4k3/8/8/8/8/8/8/4K3 w - - 0",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 12345",
            "4k3/8/8/8/8/8/8/4K3 w  - - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - hmvc 3",
            "4k3/8/8/44/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k4/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/9/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K2 w - - 0 1",
            "4k3/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K~3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - e9 0 1",
            "4k3/8/8/8/8/8/8/4K3 w ü - 0 1",
        ] {
            assert!(plain_fields(other).is_none(), "{other}");
        }
    }
}
