//! How a legal move is written: move numbers, forms other than SAN, capture, check and disambiguation marks.
//! The counterpart of `chesstools/reference/notation.py`.

use crate::board::Board;
use crate::facts::Facts;
use crate::lexer::Token;
use crate::san::{Form, Written};
use crate::types::{Color, Place};

/// A move number other than the one that was due; see `numbers.rs`.
pub struct WrongNumber {
    pub token: Token,
    pub place: Place,
    pub text: String,
    pub expected: String,
    /// Numbers that it skips; negative where it goes back, 0 where only the dots are wrong.
    pub skipped: i64,
    /// By how much the numbers from here on run ahead of the board's.
    pub shift: i64,
}

impl WrongNumber {
    /// Reports it as a wrong number (N420).
    pub fn report(&self, facts: &mut Facts) {
        let finding = facts.add("N420", self.token, &self.place).token(&self.text);
        finding.with("expected", self.expected.as_str()).with("found", self.text.as_str());
    }
}

/// Compares a move number (with the dots behind it) with the board; a wrong one is told once and then counted from.
///
/// `shift` is by how much the numbers as written run ahead of the board's. Gives the side that the number speaks of, and what
/// is wrong.
pub fn check_number(
    facts: &Facts,
    board: &Board,
    token: Token,
    dots: &[Token],
    shift: i64,
    place: Place,
) -> (Option<Color>, Option<WrongNumber>) {
    let mut text = facts.text(token).into_owned();
    for token in dots {
        text.push_str(&facts.text(*token));
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number: i64 = text[..digits].parse().unwrap_or(0);
    let points: usize = text[digits..].chars().map(|sign| if sign == '…' { 3 } else { 1 }).sum();
    let side = match points {
        0 => None,
        1 => Some(Color::White),
        _ => Some(Color::Black),
    };
    let fullmove = i64::from(board.fullmove);
    let due = fullmove + shift;
    let wrong_dots = side == Some(Color::White) && board.turn == Color::Black;
    if number == due && !wrong_dots {
        return (side, None);
    }
    let expected = format!("{due}{}", if board.turn == Color::White { "." } else { "..." });
    let skipped = if wrong_dots { 0 } else { number - due };
    (side, Some(WrongNumber { token, place, text, expected, skipped, shift: number - fullmove }))
}

/// Reports how the text of a legal move departs from the standard's. `body` is the standard text without check marks.
#[allow(clippy::too_many_arguments)]
pub fn check_form(
    facts: &mut Facts,
    token: Token,
    text: &[u8],
    written: &Written,
    body: &str,
    expected: &str,
    check: bool,
    mate: bool,
    place: &Place,
) {
    let mut add = |code| {
        facts.add(code, token, place).with("expected", expected);
    };
    if written.form != Form::Standard {
        add("N404");
    }
    if written.form != Form::Other && written.castling.is_none() && !written.drop {
        let end = text.len() - text.iter().rev().take_while(|byte| matches!(byte, b'+' | b'#')).count();
        let plain = &text[..end];
        if plain != body.as_bytes() {
            if plain.contains(&b'x') != body.contains('x') {
                add("N403");
            }
            if without_x(plain) != without_x(body.as_bytes()) {
                add("N402");
            }
        }
    }
    let mark = if written.form == Form::CheckMark && check { b'+' } else { written.check };
    if (mark == b'#' && !mate) || (mark == b'+' && !check) {
        add("N405");
    } else if written.role.is_some() && ((mate && mark != b'#') || (check && mark == 0)) {
        add("N406");
    }
}

fn without_x(text: &[u8]) -> Vec<u8> {
    text.iter().copied().filter(|byte| *byte != b'x').collect()
}
