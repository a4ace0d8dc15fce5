//! A FEN that is written as it should be, read in one go. What is not plain is left to `fen.rs`, which explains it.

use crate::board::{code, Board};
use crate::fen::Fields;
use crate::types::{Color, Role};

/// By sign of the placement: the code of the man, else 0.
static MEN: [u8; 256] = {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 6 {
        let role = Role::ALL[at];
        table[role.letter() as usize] = code(Color::White, role);
        table[role.letter().to_ascii_lowercase() as usize] = code(Color::Black, role);
        at += 1;
    }
    table
};

/// The six fields, and their men on `board`, which was empty; its hash is stale. None unless exactly one space stands between
/// fields, the placement has 8 times 8 squares and no two digits in a row, the side is w or b, the en passant field is - or a
/// square, and the counters are numbers of one to four digits; `board` is of no use then.
pub fn plain_fields<'t>(text: &'t str, board: &mut Board) -> Option<Fields<'t>> {
    let bytes = text.as_bytes();
    let end = placement(bytes, board)?;
    let castling = match &bytes[end..] {
        [b' ', b'w' | b'b', b' ', rest @ ..] => field(rest)?,
        _ => return None,
    };
    let at = end + 3 + castling + 1;
    let ep = match &bytes[at..] {
        [b'-', b' ', ..] => 1,
        [b'a'..=b'h', b'1'..=b'8', b' ', ..] => 2,
        _ => return None,
    };
    let counters = at + ep + 1;
    let halfmove = counter(&bytes[counters..])?;
    let last = counters + halfmove + 1;
    let fullmove = bytes.get(last..).and_then(counter)?;
    if bytes[last - 1] != b' ' || last + fullmove != bytes.len() {
        return None;
    }
    // All before is ASCII: each place is one between characters.
    let part = |from: usize, length: usize| text.get(from..from + length).unwrap_or_default();
    Some([part(0, end), part(end + 1, 1), part(end + 3, castling), part(at, ep), part(counters, halfmove), part(last, fullmove)])
}

/// The length of a field of visible signs, behind which a space stands.
fn field(text: &[u8]) -> Option<usize> {
    let length = text.iter().position(|sign| !sign.is_ascii_graphic())?;
    (length > 0 && text[length] == b' ').then_some(length)
}

/// The length of a number of one to four digits.
fn counter(text: &[u8]) -> Option<usize> {
    let length = text.iter().take(5).take_while(|sign| sign.is_ascii_digit()).count();
    matches!(length, 1..=4).then_some(length)
}

/// Puts the men on the board; where the blank behind the placement stands.
fn placement(text: &[u8], board: &mut Board) -> Option<usize> {
    let mut men = [0_u64; 16];
    let (mut square, mut line_end) = (56_usize, 64);
    let mut after_digit = false;
    let mut end = None;
    for (at, &sign) in text.iter().enumerate() {
        let man = MEN[usize::from(sign)];
        if man != 0 {
            // Beyond the end of the rank it lands somewhere, which the next / or blank tells.
            board.mailbox[square & 63] = man;
            men[usize::from(man & 15)] |= 1 << (square & 63);
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
                b' ' if line_end == 8 => {
                    end = Some(at);
                    break;
                }
                _ => return None,
            }
            after_digit = false;
        }
    }
    for (role, set) in board.by_role.iter_mut().enumerate() {
        *set = men[role + 1] | men[role + 9];
    }
    board.by_color = [men[1..7].iter().fold(0, |all, set| all | set), men[9..15].iter().fold(0, |all, set| all | set)];
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_and_not() {
        let mut board = Board::empty_unhashed();
        let fields = plain_fields("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 12", &mut board).unwrap();
        assert_eq!(fields, ["r3k2r/8/8/3pP3/8/8/8/R3K2R", "w", "KQkq", "d6", "0", "12"]);
        assert_eq!(board.board_fen(), fields[0]);
        for other in [
            "",
            "4k3/8/8/8/8/8/8/4K3",
            "4k3/8/8/8/8/8/8/4K3 w - - 0",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 12345",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1x",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1é",
            "4k3/8/8/8/8/8/8/4K3 w - - 0x1",
            "4k3/8/8/8/8/8/8/4K3 w - -",
            "4k3/8/8/8/8/8/8/4K3 w",
            "4k3/8/8/8/8/8/8/4K3 w -",
            "4k3/8/8/8/8/8/8/4K3 w - - 5",
            "4k3/8/8/8/8/8/8/4K3 w - - ",
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
            assert!(plain_fields(other, &mut Board::empty_unhashed()).is_none(), "{other}");
        }
    }
}
