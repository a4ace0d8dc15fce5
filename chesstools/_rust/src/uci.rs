//! Moves in UCI form.

use crate::short::Short;
use crate::types::{Move, MoveKind, Role};

/// The names of the squares, a1 to h8, each as the number that its two signs are in little-endian order.
const SQUARES: [u16; 64] = {
    let mut names = [0; 64];
    let mut square = 0;
    while square < 64 {
        names[square] = u16::from_le_bytes([b'a' + (square as u8 & 7), b'1' + (square as u8 >> 3)]);
        square += 1;
    }
    names
};

/// The names of the squares, a1 to h8.
#[rustfmt::skip]
pub const SQUARE_NAMES: [&str; 64] = [
    "a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1",
    "a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2",
    "a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3",
    "a4", "b4", "c4", "d4", "e4", "f4", "g4", "h4",
    "a5", "b5", "c5", "d5", "e5", "f5", "g5", "h5",
    "a6", "b6", "c6", "d6", "e6", "f6", "g6", "h6",
    "a7", "b7", "c7", "d7", "e7", "f7", "g7", "h7",
    "a8", "b8", "c8", "d8", "e8", "f8", "g8", "h8",
];

/// The square that the man that moves goes to: of castling the one of the king.
#[inline]
pub fn target(mv: Move) -> u8 {
    match mv.kind {
        MoveKind::CastleKingside => mv.from & 56 | 6,
        MoveKind::CastleQueenside => mv.from & 56 | 2,
        _ => mv.to,
    }
}

/// A move as a number, for `text`: its squares and what it promotes to; castling as the king's move, in Chess960 as king takes
/// rook.
#[inline]
pub fn code(mv: Move, chess960: bool) -> u16 {
    if mv.kind == MoveKind::Plain && mv.promotion.is_none() {
        return u16::from(mv.from & 63) | u16::from(mv.to & 63) << 6;
    }
    rare_code(mv, chess960)
}

const PASS: u16 = 7 << 12;

/// All codes are below.
pub const CODES: u16 = 8 << 12;

#[cold]
fn rare_code(mv: Move, chess960: bool) -> u16 {
    if mv.kind == MoveKind::Null {
        return PASS;
    }
    let to = if chess960 { mv.to } else { target(mv) };
    let promotion = mv.promotion.map_or(0, |role| role as u16 + 1);
    u16::from(mv.from & 63) | u16::from(to & 63) << 6 | promotion << 12
}

/// The move with this number; a pass is `0000`.
#[inline]
pub fn text(code: u16) -> Short {
    let name = |square: u16| u64::from(SQUARES[usize::from(square & 63)]);
    let squares = name(code) | name(code >> 6) << 16;
    if code < 1 << 12 {
        return Short::ascii(squares, 4);
    }
    match Role::ALL.get(usize::from(code >> 12) - 1) {
        Some(role) => Short::ascii(squares | u64::from(role.letter().to_ascii_lowercase()) << 32, 5),
        None => Short::of("0000"),
    }
}

/// A move as text.
#[inline]
pub fn short_uci(mv: Move, chess960: bool) -> Short {
    text(code(mv, chess960))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uci(mv: Move, chess960: bool) -> String {
        let text = short_uci(mv, chess960);
        String::from_utf8(text.bytes()[..text.len()].to_vec()).unwrap()
    }

    #[test]
    fn forms() {
        assert_eq!(uci(Move::plain(12, 28), false), "e2e4");
        for square in 0..64 {
            assert_eq!(uci(Move::plain(square, square), false), SQUARE_NAMES[usize::from(square)].repeat(2));
        }
        assert_eq!(uci(Move { promotion: Some(Role::Knight), ..Move::plain(48, 56) }, false), "a7a8n");
        assert_eq!(uci(Move::NULL, false), "0000");
        let castling = Move { kind: MoveKind::CastleQueenside, ..Move::plain(60, 56) };
        assert_eq!((uci(castling, false), uci(castling, true)), ("e8c8".into(), "e8a8".into()));
    }
}
