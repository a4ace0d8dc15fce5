//! Common moves, told fast: words of at most seven bytes before white space.
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
    let origins = b"abcdefgh12345678";
    let mut at = 0;
    while at < 8 {
        put(&mut slots, &[origins[at], b'x']);
        at += 1;
    }
    let pieces = b"KQRBN";
    let mut piece = 0;
    while piece < 5 {
        let letter = pieces[piece];
        put(&mut slots, &[letter]);
        put(&mut slots, &[letter, b'x']);
        let mut at = 0;
        while at < 16 {
            put(&mut slots, &[letter, origins[at]]);
            put(&mut slots, &[letter, origins[at], b'x']);
            at += 1;
        }
        piece += 1;
    }
    slots
}

/// The length of the common move that `text` begins with. None where there is none, or where white space does not follow.
#[inline(always)]
pub fn common_move(text: &[u8; ROOM]) -> Option<usize> {
    const SQUARE_A1: u32 = 0x3161;
    let start = swar::load(text, 0);
    // Where the next token begins depends on this alone, and not on what follows.
    let ends = swar::below(start, b'!');
    let zeros = ends.trailing_zeros();
    let length = (zeros / 8) as usize;
    // The word, its last byte highest.
    let word = start << (71_u32.wrapping_sub(zeros) & 63);
    // Without a check sign.
    let word = word << check_bits((word >> 56) as u8);
    let is_target = ((word >> 48) as u32).wrapping_sub(SQUARE_A1) & 0xF8F8 == 0;
    let before = word << 16;
    let is_origin = u64::from(BEFORE_TARGET[slot((before >> 32) as u32)]) << 32 == before;
    (is_target & is_origin & is_space(text[length])).then_some(length)
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
