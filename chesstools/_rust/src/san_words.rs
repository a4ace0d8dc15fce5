//! Common moves, told fast: words of at most seven bytes before white space; and what they mean.
//!
//! Such a move is what comes before the target square (a piece, a file or a rank, an `x`), the target, and a check sign.
//! Of what comes before there are few different texts, so they are looked up; nothing here branches on a byte, as the
//! processor could not foresee it. What is accepted here is a move for `words.rs` too, with the same end.

use crate::classes::{check_bits, has, is_space};
use crate::limits::ROOM;
use crate::swar;

const SLOTS: usize = 1 << 10;

/// Found by trial: with it no two texts fall into the same slot (the table could not be made otherwise).
const MULTIPLIER: u32 = 0xAE65_23B3;

/// What an empty slot holds; as a text it would have a control character.
const EMPTY: u32 = 1;

/// What may stand before the target, each at the place that its bits choose.
static BEFORE_TARGET: [u32; SLOTS] = before_target();

const fn slot(text: u32) -> usize {
    (text.wrapping_mul(MULTIPLIER) >> 22) as usize % SLOTS
}

/// A text of up to four bytes as a number, its last byte highest.
const fn number(text: &[u8]) -> u32 {
    let mut number = 0;
    let mut at = 0;
    while at < text.len() {
        number = number >> 8 | (text[at] as u32) << 24;
        at += 1;
    }
    number
}

const fn put(slots: &mut [u32; SLOTS], text: &[u8]) {
    let number = number(text);
    assert!(slots[slot(number)] == EMPTY, "two texts in one slot");
    slots[slot(number)] = number;
}

const fn before_target() -> [u32; SLOTS] {
    let mut slots = [EMPTY; SLOTS];
    put(&mut slots, b"");
    let mut at = 0;
    while at < 8 {
        put(&mut slots, &[ORIGINS[at], b'x']);
        at += 1;
    }
    let mut piece = 0;
    while piece < 5 {
        let letter = PIECES[piece];
        put(&mut slots, &[letter]);
        put(&mut slots, &[letter, b'x']);
        let mut at = 0;
        while at < 16 {
            put(&mut slots, &[letter, ORIGINS[at]]);
            put(&mut slots, &[letter, ORIGINS[at], b'x']);
            at += 1;
        }
        piece += 1;
    }
    slots
}

const ORIGINS: &[u8; 16] = b"abcdefgh12345678";

/// The kind of a piece is 2 and its place here.
const PIECES: &[u8; 5] = b"NBRQK";

/// In a meaning: a man is taken; a piece is told from others of its kind by file or rank; no earlier position can come back.
const TAKES: u32 = 8;
const DISTINGUISHES: u32 = 16;
const ZEROES: u32 = 32;

/// Bits of a meaning below the origin, and below the rest of `Written`.
const BEFORE_ORIGIN: u32 = 6;
const BEFORE_TO: u32 = 16;
const CHECKS: u32 = 1 << 24;
/// A king moves.
const APART: u32 = 1 << 25;

/// By the slots of `BEFORE_TARGET`: the kind of move (0 is a push of a pawn, 7 a capture of a pawn, 2 to 6 are knight to king),
/// `TAKES`, `DISTINGUISHES`, `ZEROES`, and above that where it comes from: 0 is not said, 1 to 8 a file, 9 to 16 a rank.
static MEANINGS: [u32; SLOTS] = meanings();

const fn meanings() -> [u32; SLOTS] {
    let mut table = [0; SLOTS];
    table[slot(number(b""))] = ZEROES;
    let mut at = 0;
    while at < 8 {
        table[slot(number(&[ORIGINS[at], b'x']))] = 7 | TAKES | ZEROES | (at as u32 + 1) << BEFORE_ORIGIN;
        at += 1;
    }
    let mut piece = 0;
    while piece < 5 {
        let letter = PIECES[piece];
        let kind = if letter == b'K' { 6 | APART } else { piece as u32 + 2 };
        table[slot(number(&[letter]))] = kind;
        table[slot(number(&[letter, b'x']))] = kind | TAKES | ZEROES;
        let mut at = 0;
        while at < 16 {
            let origin = DISTINGUISHES | (at as u32 + 1) << BEFORE_ORIGIN;
            table[slot(number(&[letter, ORIGINS[at]]))] = kind | origin;
            table[slot(number(&[letter, ORIGINS[at], b'x']))] = kind | TAKES | ZEROES | origin;
            at += 1;
        }
        piece += 1;
    }
    table
}

/// By origin as in `MEANINGS`: the squares that are meant.
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

/// A common move as it is written, in one number: its meaning, its target square and whether it has a check mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written(u32);

impl Written {
    /// The target square.
    #[inline(always)]
    pub const fn to(self) -> u8 {
        (self.0 >> BEFORE_TO & 63) as u8
    }

    /// Whether it ends with a check mark, `+` or `#`.
    #[inline(always)]
    pub const fn checks(self) -> bool {
        self.0 & CHECKS != 0
    }

    /// Whether it is a move of the king, has a check mark, or tells a piece from others of its kind.
    #[inline(always)]
    pub const fn is_apart(self) -> bool {
        self.0 & (CHECKS | DISTINGUISHES | APART) != 0
    }

    /// Whether a pawn moves or a man is taken.
    #[inline(always)]
    pub const fn zeroes(self) -> bool {
        self.0 & ZEROES != 0
    }

    /// 0 is a push of a pawn, 7 a capture of a pawn, 2 to 6 are knight to king.
    #[inline(always)]
    pub const fn kind(self) -> usize {
        (self.0 & 7) as usize
    }

    /// 8 where a man is taken, else 0.
    #[inline(always)]
    pub const fn takes(self) -> u8 {
        (self.0 & TAKES) as u8
    }

    /// Whether a piece is told from others of its kind.
    #[inline(always)]
    pub const fn distinguishes(self) -> bool {
        self.0 & DISTINGUISHES != 0
    }

    #[inline(always)]
    pub const fn names_file(self) -> bool {
        matches!(self.0 >> BEFORE_ORIGIN & 31, 1..=8)
    }

    /// The squares that it can come from by what is written: one file, one rank, or all.
    #[inline(always)]
    pub fn origins(self) -> u64 {
        SQUARES[(self.0 >> BEFORE_ORIGIN & 31) as usize]
    }
}

/// The common move that `text` begins with, and its length. None where there is none, or where white space does not follow.
#[inline(always)]
pub fn common(text: &[u8; ROOM]) -> Option<(Written, usize)> {
    let start = swar::load(text, 0);
    // Where the next token begins depends on this alone, and not on what follows.
    let zeros = swar::below(start, b'!').trailing_zeros();
    let length = (zeros / 8) as usize;
    // The word, its last byte highest.
    let word = start << (71_u32.wrapping_sub(zeros) & 63);
    let bits = check_bits((word >> 56) as u8);
    // Without a check sign.
    let word = word << bits;
    let square = ((word >> 48) as u32).wrapping_sub(SQUARE_A1);
    let before = word << 16;
    let slot = slot((before >> 32) as u32);
    let is_origin = u64::from(BEFORE_TARGET[slot]) << 32 == before;
    let fits = (square & 0xF8F8 == 0) & is_origin & is_space(text[length]);
    let to = (square | square >> 5) & 63;
    fits.then(|| (Written(MEANINGS[slot] | to << BEFORE_TO | bits << 21), length))
}

/// `a1` as a number, its last byte highest.
const SQUARE_A1: u32 = 0x3161;

/// The length of the common move that `text` begins with. None where there is none, or where white space does not follow.
#[inline(always)]
pub fn common_move(text: &[u8; ROOM]) -> Option<usize> {
    common(text).map(|(_, length)| length)
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
