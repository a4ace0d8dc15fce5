//! Moves in UCI form.

use crate::columns::Short;
use crate::types::{Move, MoveKind};

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

/// The name of a square.
#[inline]
pub fn square_name(square: u8) -> Short {
    Short::ascii(u64::from(SQUARES[usize::from(square & 63)]), 2)
}

/// The square that the man that moves goes to: of castling the one of the king.
#[inline]
pub fn target(mv: Move) -> u8 {
    match mv.kind {
        MoveKind::CastleKingside => mv.from & 56 | 6,
        MoveKind::CastleQueenside => mv.from & 56 | 2,
        _ => mv.to,
    }
}

/// A move: castling as the king's move, in Chess960 as king takes rook; a pass is `0000`.
#[inline]
pub fn short_uci(mv: Move, chess960: bool) -> Short {
    if mv.kind == MoveKind::Plain && mv.promotion.is_none() {
        return Short::ascii(u64::from(squares(mv.from, mv.to)), 4);
    }
    rare_uci(mv, chess960)
}

#[cold]
fn rare_uci(mv: Move, chess960: bool) -> Short {
    if mv.kind == MoveKind::Null {
        return Short::of("0000");
    }
    let squares = u64::from(squares(mv.from, if chess960 { mv.to } else { target(mv) }));
    match mv.promotion {
        None => Short::ascii(squares, 4),
        Some(role) => Short::ascii(squares | u64::from(role.letter().to_ascii_lowercase()) << 32, 5),
    }
}

#[inline]
fn squares(from: u8, to: u8) -> u32 {
    u32::from(SQUARES[usize::from(from & 63)]) | u32::from(SQUARES[usize::from(to & 63)]) << 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Role;

    fn uci(mv: Move, chess960: bool) -> String {
        let text = short_uci(mv, chess960);
        String::from_utf8(text.bytes()[..text.len()].to_vec()).unwrap()
    }

    #[test]
    fn forms() {
        assert_eq!(uci(Move::plain(12, 28), false), "e2e4");
        assert_eq!(uci(Move { promotion: Some(Role::Knight), ..Move::plain(48, 56) }, false), "a7a8n");
        assert_eq!(uci(Move::NULL, false), "0000");
        let castling = Move { kind: MoveKind::CastleQueenside, ..Move::plain(60, 56) };
        assert_eq!((uci(castling, false), uci(castling, true)), ("e8c8".into(), "e8a8".into()));
    }
}
