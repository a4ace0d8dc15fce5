//! The number of the next move as text, so that the number that is written need not be read, only compared.

use crate::limits::ROOM;
use crate::swar;

/// The number of a move as the standard writes it before a move of White (`12.`), and what follows it in a game: a blank, or
/// nothing.
pub struct Number {
    /// The bytes, the first one lowest, and those of the eight that they fill.
    text: u64,
    mask: u64,
    /// 1 in the place of the last digit.
    one: u64,
    /// The bytes up to the move.
    length: usize,
    digits: usize,
    blank: bool,
    /// The next number with another last digit but one, and how far it is.
    ten: u32,
    left: u32,
}

/// Larger numbers do not fit.
const MOST: u32 = 99_999;

/// `...` below a number.
const DOTS: u64 = 0x2E_2E2E;

impl Number {
    /// The number 1; `blank` says that a blank follows numbers.
    pub fn first(blank: bool) -> Number {
        let mut number = Number { text: 0, mask: 0, one: 0, length: 0, digits: 0, blank, ten: 10, left: 9 };
        number.write(1);
        number
    }

    fn write(&mut self, value: u32) {
        if value > MOST {
            // Nothing is like that.
            (self.text, self.mask, self.one) = (1, 0, 0);
            return;
        }
        let mut text = if self.blank { u64::from_le_bytes(*b". \0\0\0\0\0\0") } else { u64::from(b'.') };
        let mut rest = value;
        self.digits = 0;
        while rest > 0 || self.digits == 0 {
            text = text << 8 | u64::from(b'0' + (rest % 10) as u8);
            rest /= 10;
            self.digits += 1;
        }
        self.one = 1 << (8 * (self.digits - 1));
        self.length = self.digits + 1 + usize::from(self.blank);
        self.mask = !0 >> (64 - 8 * self.length);
        self.text = text;
    }

    /// Goes on to the next number. True for each tenth one.
    #[inline(always)]
    pub fn advance(&mut self) -> bool {
        self.text = self.text.wrapping_add(self.one);
        self.left -= 1;
        let tenth = self.left == 0;
        if tenth {
            self.carry();
        }
        tenth
    }

    #[cold]
    #[inline(never)]
    fn carry(&mut self) {
        let tens = self.one >> 8;
        if tens != 0 && self.text & (tens * 15) != tens * 9 {
            self.text = (self.text - self.one * 10) + tens;
        } else {
            self.write(self.ten);
        }
        self.ten += 10;
        self.left = 10;
    }

    /// Whether `text` begins with the number of a move of White.
    #[inline(always)]
    pub fn begins(&self, text: &[u8; ROOM]) -> bool {
        swar::load(text, 0) & self.mask == self.text
    }

    /// How long the number is for which `begins` is true, at most 7.
    #[inline(always)]
    pub fn length(&self) -> usize {
        self.length & 7
    }

    /// The length of the number of a move of a side (0 or 8) that `text` begins with, without a blank.
    #[inline(always)]
    pub fn length_before<const SIDE: usize>(&self, text: &[u8; ROOM]) -> Option<usize> {
        let bits = 8 * self.digits;
        let length = self.digits + if SIDE == 0 { 1 } else { 3 };
        let expected = self.text & !(!0 << bits) | DOTS << bits;
        let differs = (swar::load(text, 0) ^ expected) << (64 - 8 * length);
        (differs == 0 && self.mask != 0).then_some(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_in_text() {
        for blank in [false, true] {
            let mut number = Number::first(blank);
            for next in 1..MOST + 20 {
                if next > 1 {
                    number.advance();
                }
                let ahead = |text: &str| {
                    let mut ahead = [b' '; ROOM];
                    ahead[..text.len()].copy_from_slice(text.as_bytes());
                    ahead
                };
                let fits = next <= MOST;
                let (white, black) = (ahead(&format!("{next}. Nf3")), ahead(&format!("{next}...Nf3")));
                let digits = next.to_string().len();
                assert_eq!(number.begins(&white), fits, "{next}");
                assert!(!fits || number.length() == digits + 1 + usize::from(blank));
                assert_eq!(number.begins(&black), fits && !blank, "{next}");
                assert_eq!(number.length_before::<0>(&white), fits.then_some(digits + 1));
                assert_eq!(number.length_before::<8>(&white), None);
                assert_eq!(number.length_before::<8>(&black), fits.then_some(digits + 3));
                for text in [format!("{}.", next + 1), format!("{next},"), format!("1{next}..."), format!("{next}:")] {
                    let other = ahead(&text);
                    let found = [number.length_before::<0>(&other), number.length_before::<8>(&other)];
                    assert!(!number.begins(&other) && found == [None; 2], "{next} {text}");
                }
            }
        }
    }
}
