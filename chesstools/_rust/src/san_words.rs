//! Common moves, told fast: words of at most six bytes and a check mark before white space; and what they mean.
//!
//! Such a move is what comes before the target square (a piece, a file or a rank, an `x`), the target, and a check mark.
//! Of what comes before there are few different texts, so they are looked up; nothing here branches on a byte, as the
//! processor could not foresee it. What is accepted here is a move for `words.rs` too, with the same end.

use crate::classes::{has, is_check_mark, is_space};
use crate::limits::ROOM;
use crate::swar;

const SLOTS: usize = 1 << 10;

/// Found by trial: with it no two texts fall into the same slot (the table could not be made otherwise).
const MULTIPLIER: u32 = 0xAE65_23B3;

/// What an empty slot holds; as a text it would have a control character.
const EMPTY: u64 = 1;

/// What may stand before the target, each at the place that its bits choose: the text in the lower half, its meaning, as in
/// `Written`, in the upper one.
static BEFORE_TARGET: [u64; SLOTS] = before_target();

const fn slot(text: u32) -> usize {
    (text.wrapping_mul(MULTIPLIER) >> 22) as usize % SLOTS
}

const fn put(slots: &mut [u64; SLOTS], text: &[u8], meaning: u32) {
    // The last byte highest.
    let mut number = 0;
    let mut at = 0;
    while at < text.len() {
        number = number >> 8 | (text[at] as u32) << 24;
        at += 1;
    }
    assert!(slots[slot(number)] == EMPTY, "two texts in one slot");
    slots[slot(number)] = number as u64 | (meaning as u64) << 32;
}

const fn before_target() -> [u64; SLOTS] {
    let mut slots = [EMPTY; SLOTS];
    put(&mut slots, b"", 1 | ZEROES | PUSH << BEFORE_ROW);
    let mut at = 0;
    while at < 8 {
        let row = PAWN_TAKES + at as u32;
        put(&mut slots, &[ORIGINS[at], b'x'], 1 | TAKES | ZEROES | row << BEFORE_ROW);
        at += 1;
    }
    let mut piece = 0;
    while piece < 5 {
        let letter = PIECES[piece];
        let role = piece as u32 + 2;
        put(&mut slots, &[letter], role | role << BEFORE_ROW);
        put(&mut slots, &[letter, b'x'], role | TAKES | ZEROES | role << BEFORE_ROW);
        let mut at = 0;
        while at < 16 {
            let meaning = role | (at as u32 + 1) << BEFORE_ORIGIN | NOWHERE << BEFORE_ROW;
            put(&mut slots, &[letter, ORIGINS[at]], meaning);
            put(&mut slots, &[letter, ORIGINS[at], b'x'], meaning | TAKES | ZEROES);
            at += 1;
        }
        piece += 1;
    }
    slots
}

const ORIGINS: &[u8; 16] = b"abcdefgh12345678";

/// The number of a piece is 2 and its place here; that of a pawn is 1.
const PIECES: &[u8; 5] = b"NBRQK";

/// In a meaning: a man is taken. These bits are compared with those of the man on the target, see `plain::position`.
pub const TAKES: u32 = 0b0101_0000;
/// In a meaning: no earlier position can come back.
const ZEROES: u32 = 0b1000_0000;
/// Bits of a meaning below where the man comes from: 0 is not said, 1 to 8 a file, 9 to 16 a rank.
const BEFORE_ORIGIN: u32 = 8;
/// Bits of a meaning below the number of a row of squares where such a man may come from, see `plain::position`: that of the
/// piece, 2 to 6, or one of these.
const BEFORE_ROW: u32 = 28;
pub const PUSH: u32 = 0;
/// Moves of pieces that are told from others of their kind are not for the shortest way.
pub const NOWHERE: u32 = 1;
/// The first of eight, by the file that a pawn comes from.
pub const PAWN_TAKES: u32 = 8;

/// By origin as in a meaning: the squares that are meant.
static SQUARES: [u64; 32] = {
    let mut table = [!0; 32];
    let mut at = 0;
    while at < 8 {
        table[at + 1] = 0x0101_0101_0101_0101 << at;
        table[at + 9] = 0xff << (8 * at);
        at += 1;
    }
    table
};

/// A common move as it is written, its check mark apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    meaning: u32,
    to: u8,
}

impl Written {
    /// The target square.
    #[inline(always)]
    pub const fn to(self) -> u8 {
        self.to
    }

    /// The number of the man without its colour: 1 for a pawn to 6 for the king.
    #[inline(always)]
    pub const fn role(self) -> usize {
        (self.meaning & 7) as usize
    }

    /// Whether a pawn moves or a man is taken.
    #[inline(always)]
    pub const fn zeroes(self) -> bool {
        self.meaning & ZEROES != 0
    }

    /// Where a man is taken, the bits of `TAKES` (and others outside of them).
    #[inline(always)]
    pub const fn takes(self) -> u8 {
        self.meaning as u8
    }

    /// 64 times the number of the row of squares that it may come from, see `BEFORE_ROW`, and the target square: below 1024.
    #[inline(always)]
    pub const fn row_and_target(self) -> usize {
        const { assert!(BEFORE_ROW == 28) };
        ((self.meaning & 0xF << BEFORE_ROW) >> (BEFORE_ROW - 6)) as usize | (self.to & 63) as usize
    }

    const fn origin(self) -> u32 {
        self.meaning >> BEFORE_ORIGIN & 31
    }

    /// Whether a piece is told from others of its kind.
    #[inline(always)]
    pub const fn distinguishes(self) -> bool {
        self.origin() != 0
    }

    /// Whether its file tells it from others.
    pub const fn names_file(self) -> bool {
        matches!(self.origin(), 1..=8)
    }

    /// The squares that a piece can come from by what is written: one file, one rank, or all.
    #[inline(always)]
    pub fn origins(self) -> u64 {
        SQUARES[self.origin() as usize]
    }
}

/// The common move that `text` begins with, and its length without a check mark. None where there is none. What follows is
/// not looked at; it is no letter and no digit.
#[inline(always)]
pub fn common(text: &[u8; WORD]) -> Option<(Written, usize)> {
    /// Letters and digits have one of these two bits, white space and check marks neither.
    const EITHER: u64 = 0x4040_4040_4040_4040;
    let start = swar::load(text, 0);
    // Where the next token begins depends on this alone, and not on what follows.
    let zeros = (!(start | start << 2) & EITHER).trailing_zeros();
    let length = (zeros / 8) as usize;
    // The word, its last byte highest. (Of eight bytes without an end this makes what is in no slot.)
    let word = start << (70_u32.wrapping_sub(zeros) & 63);
    let before = (word >> 16) as u32;
    let entry = BEFORE_TARGET[slot(before)];
    let square = ((word >> 48) as u32).wrapping_sub(SQUARE_A1);
    let to = ((square | square >> 5) & 63) as u8;
    (entry as u32 == before && square & 0xF8F8 == 0).then_some((Written { meaning: (entry >> 32) as u32, to }, length))
}

/// What `common` looks at, and the byte behind.
pub const WORD: usize = 16;

/// `a1` as a number, its last byte highest.
const SQUARE_A1: u32 = 0x3161;

/// The length of the common move that `text` begins with. None where there is none, or where white space does not follow.
#[inline(always)]
pub fn common_move(text: &[u8; ROOM]) -> Option<usize> {
    let (_, length) = common(text.first_chunk()?)?;
    let length = length + usize::from(is_check_mark(text[length]));
    is_space(text[length]).then_some(length)
}

/// The end of a longer move, of a promotion or of a castling, before white space or another sign. None where there is none, or
/// where it takes a closer look.
pub fn longer_move(data: &[u8], at: usize) -> Option<usize> {
    let byte = |at: usize| data.get(at).copied().unwrap_or(0);
    let mut end = at + usize::from(matches!(byte(at), b'K' | b'Q' | b'R' | b'B' | b'N'));
    if byte(at) == b'O' {
        end = castling_end(data, at)?;
    } else {
        // Where it comes from, as far as that is written, and where it goes.
        let square = end;
        while matches!(byte(end), b'a'..=b'h' | b'1'..=b'8' | b'x') && end < square + 6 {
            end += 1;
        }
        let (from, target) = data[square..end].split_last_chunk::<2>()?;
        let from = from.strip_suffix(b"x").unwrap_or(from);
        let is_square = |square: &[u8]| matches!(square, [b'a'..=b'h', b'1'..=b'8']);
        if !is_square(target) || !(matches!(from, [] | [b'a'..=b'h' | b'1'..=b'8']) || is_square(from)) {
            return None;
        }
        if byte(end) == b'=' && matches!(byte(end + 1), b'Q' | b'R' | b'B' | b'N') {
            end += 2;
        }
    }
    end += usize::from(matches!(byte(end), b'+' | b'#'));
    let ends = matches!(byte(end), b' ' | b'\t'..=b'\r' | b'!' | b'?' | b')' | b'{' | b'}' | b';' | b'$' | b'[' | b']');
    ends.then_some(end)
}

/// The end of `O-O` or `O-O-O`.
fn castling_end(data: &[u8], at: usize) -> Option<usize> {
    let long = has(data, at, b"O-O-O");
    (long || has(data, at, b"O-O")).then_some(at + if long { 5 } else { 3 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words;

    /// All words of up to four bytes that matter, and some longer ones.
    #[test]
    fn is_right_where_it_accepts() {
        let alphabet = b"abchxKNPo1289+#=O-! ";
        let mut accepted = 0;
        let mut check = |word: &[u8]| {
            for end in b" \n\0\"." {
                let mut text = [b'.'; ROOM];
                text[..word.len()].copy_from_slice(word);
                text[word.len()] = *end;
                if let Some(length) = common_move(&text) {
                    assert_eq!(words::word(&text, 0), (crate::lexer::Kind::Move, length), "{}", text.escape_ascii());
                    accepted += 1;
                }
            }
        };
        for number in 0..alphabet.len().pow(5) {
            let letter = |place: u32| alphabet[number / alphabet.len().pow(place) % alphabet.len()];
            check(&[letter(0), letter(1), letter(2), letter(3), letter(4)][..1 + number % 5]);
        }
        for word in ["Nbxd2+", "Nbxd2#", "R1xe4+", "Qh4xe1", "Qh4e1+", "exd8=Q", "exd8=Q+", "axb1+", "Nf3++", "O-O-O"] {
            check(word.as_bytes());
        }
        assert!(accepted > 1000);
        for (text, length) in [("Nbxd2+ a", Some(6)), ("e4 Nf6  ", Some(2)), ("exd8=Q+ ", None)] {
            let mut padded = [b' '; ROOM];
            padded[..8].copy_from_slice(text.as_bytes());
            assert_eq!(common_move(&padded), length);
        }
    }
}
