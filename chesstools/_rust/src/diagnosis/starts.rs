//! Other arrays that a game may have begun from, and other ways in which its board may have stood.
//! The counterpart of `chesstools/reference/diagnosis_starts.py`.

use std::sync::LazyLock;

use crate::board::Board;
use crate::types::{Color, Role};

type Array = [Role; 8];

const ARRAY: Array = [Role::Rook, Role::Knight, Role::Bishop, Role::Queen, Role::King, Role::Bishop, Role::Knight, Role::Rook];

/// The number of the usual array among those of Chess960.
const STANDARD_960: usize = 518;

/// A position to begin from, and by what all squares are changed there. `side` is the one whose men stand otherwise.
#[derive(Clone, Debug)]
pub struct OtherStart {
    pub reason: &'static str,
    pub board: Board,
    pub side: Option<Color>,
    pub mask: u8,
}

impl OtherStart {
    /// The position as FEN, where it is not the usual array.
    pub fn shown(&self) -> Option<String> {
        (self.mask == 0 && self.reason != "black-begins").then(|| self.board.fen())
    }
}

static USUAL: LazyLock<Board> = LazyLock::new(|| Board::start(false));

/// Whether a game that starts here starts as usual.
pub fn is_array(board: &Board) -> bool {
    board.turn == Color::White && board.mailbox == USUAL.mailbox
}

/// What can have happened to the board before the first move (seed articles 8.5-8.7), the likeliest first.
pub static OTHER_STARTS: LazyLock<Vec<OtherStart>> = LazyLock::new(other_starts);

/// The 959 other arrays of Chess960, by number.
pub static CHESS960_STARTS: LazyLock<Vec<OtherStart>> = LazyLock::new(chess960_starts);

fn other_starts() -> Vec<OtherStart> {
    let exchanges = [("king-queen", Role::King, Role::Queen), ("knight-bishop", Role::Knight, Role::Bishop)];
    let exchanged = exchanges.into_iter().flat_map(|(reason, one, other)| {
        let wrong = ARRAY.map(|role| {
            if role == one {
                other
            } else if role == other {
                one
            } else {
                role
            }
        });
        let start = |white: &Array, black: &Array, side| OtherStart { reason, board: board(white, black), side, mask: 0 };
        [start(&wrong, &ARRAY, Some(Color::White)), start(&ARRAY, &wrong, Some(Color::Black)), start(&wrong, &wrong, None)]
    });
    let turned = [("files-mirrored", 7), ("ranks-mirrored", 56), ("board-turned", 63)]
        .into_iter()
        .map(|(reason, mask)| OtherStart { reason, board: USUAL.clone(), side: None, mask });
    let black_begins = Board { turn: Color::Black, ..USUAL.clone() };
    let black_begins = OtherStart { reason: "black-begins", board: black_begins, side: None, mask: 0 };
    exchanged.chain(turned).chain([black_begins]).collect()
}

fn chess960_starts() -> Vec<OtherStart> {
    let start = |number| {
        let array = array_960(number);
        OtherStart { reason: "chess960", board: board(&array, &array), side: None, mask: 0 }
    };
    (0..960).filter(|number| *number != STANDARD_960).map(start).collect()
}

/// The array of Chess960 with this number below 960.
fn array_960(number: usize) -> Array {
    let mut array = [None; 8];
    array[number % 4 * 2 + 1] = Some(Role::Bishop);
    array[number / 4 % 4 * 2] = Some(Role::Bishop);
    put(&mut array, number / 16 % 6, Role::Queen);
    // Pairs of the five squares that are left, in the order of their first, then of their second one.
    let pairs: Vec<(usize, usize)> = (0..5).flat_map(|one| (one + 1..5).map(move |other| (one, other))).collect();
    let (one, other) = pairs[number / 96 % 10];
    put(&mut array, other, Role::Knight);
    put(&mut array, one, Role::Knight);
    for role in [Role::Rook, Role::King, Role::Rook] {
        put(&mut array, 0, role);
    }
    array.map(|role| role.expect("all squares are filled"))
}

/// Puts a man on the free square with this number.
fn put(array: &mut [Option<Role>; 8], number: usize, role: Role) {
    let free = array.iter_mut().filter(|square| square.is_none()).nth(number);
    *free.expect("there are so many") = Some(role);
}

/// A position before the first move. Castling is as in Chess960: the king need not stand on the e-file.
fn board(white: &Array, black: &Array) -> Board {
    let mut board = Board::start(true);
    for (file, (own, other)) in (0..).zip(white.iter().zip(black)) {
        board.put(file, Color::White, *own);
        board.put(file + 56, Color::Black, *other);
    }
    board.castling = board.clean_rights(!0);
    board.refresh_hash();
    board
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_arrays() {
        let letters = |number| array_960(number).map(|role| role.letter() as char).iter().collect::<String>();
        assert_eq!([0, 518, 534, 959].map(letters), ["BBQNNRKR", "RNBQKBNR", "RNBKQBNR", "RKRNNQBB"]);
    }

    #[test]
    fn rights_of_other_arrays() {
        let rights: Vec<u32> = OTHER_STARTS.iter().map(|start| start.board.castling.count_ones()).collect();
        assert_eq!(rights, [4; 10]);
        assert_eq!(CHESS960_STARTS.iter().filter(|start| start.board.castling.count_ones() == 4).count(), 959);
    }
}
