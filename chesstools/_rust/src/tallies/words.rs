//! Words of columns as numbers: what `chesstools/stats/columns.py` makes of them.

/// A move in UCI form as a number: see `block::Columns`. 0 for what is no move from square to square.
pub fn move_of(uci: &str) -> u16 {
    let word = uci.as_bytes();
    let square = |at: usize| match word.get(at..at + 2)? {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some(u16::from(file - b'a') + 8 * u16::from(rank - b'1')),
        _ => None,
    };
    let made = match word.get(4..) {
        Some(b"") => 0,
        Some(b"n") => 1,
        Some(b"b") => 2,
        Some(b"r") => 3,
        Some(b"q") => 4,
        _ => return 0, // antichess knows promotion to a king
    };
    match (square(0), square(2)) {
        (Some(start), Some(target)) => start | target << 6 | made << 12,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_go_from_square_to_square() {
        assert_eq!(move_of("b1c3"), 1 | 18 << 6);
        assert_eq!(move_of("a7b8q"), 48 | 57 << 6 | 4 << 12);
        for word in ["", "e", "e2", "e2e", "0000", "Q@e4", "a7a8k", "e2e4nn", "e2e9", "é2e4", "e2e4é"] {
            assert_eq!(move_of(word), 0, "{word}");
        }
    }
}
