//! The number of the next move as text, so that the number that is written need not be read, only compared.

use crate::limits::ROOM;
use crate::swar;

/// The number of a move as the standard writes it before a move of White (`12.`) and of Black (`12...`).
pub struct Number {
    /// By colour: the bytes, the first one lowest, and those of the eight that they fill.
    text: [u64; 2],
    mask: [u64; 2],
    /// 1 in the place of the last digit.
    one: u64,
    digits: usize,
    pub value: u32,
}

/// Larger numbers do not fit.
const MOST: u32 = 99_999;

impl Number {
    pub fn new(value: u32) -> Number {
        let mut number = Number { text: [0; 2], mask: [0; 2], one: 1, digits: 1, value };
        number.write();
        number
    }

    /// Writes the number anew.
    fn write(&mut self) {
        if self.value > MOST {
            // Nothing is like that.
            (self.text, self.mask) = ([1; 2], [0; 2]);
            return;
        }
        let mut text = u64::from_le_bytes(*b"...\0\0\0\0\0");
        let mut rest = self.value;
        self.digits = 0;
        while rest > 0 || self.digits == 0 {
            text = text << 8 | u64::from(b'0' + (rest % 10) as u8);
            rest /= 10;
            self.digits += 1;
        }
        self.one = 1 << (8 * (self.digits - 1));
        self.mask = [self.digits + 1, self.digits + 3].map(|length| !0 >> (64 - 8 * length));
        self.text = self.mask.map(|mask| text & mask);
    }

    /// Goes on to the next number.
    #[inline(always)]
    pub fn advance(&mut self) {
        self.value += 1;
        if self.text[0] & (self.one * 15) == self.one * 9 {
            return self.write_apart();
        }
        self.text[0] = self.text[0].wrapping_add(self.one);
        self.text[1] = self.text[1].wrapping_add(self.one);
    }

    #[cold]
    #[inline(never)]
    fn write_apart(&mut self) {
        self.write();
    }

    /// Whether `text` begins with the number and the dots of a side (0 or 8).
    #[inline(always)]
    pub fn begins<const SIDE: usize>(&self, text: &[u8; ROOM]) -> bool {
        swar::load(text, 0) & self.mask[SIDE >> 3] == self.text[SIDE >> 3]
    }

    #[inline(always)]
    pub fn length<const SIDE: usize>(&self) -> usize {
        self.digits + if SIDE == 0 { 1 } else { 3 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_in_text() {
        let mut number = Number::new(1);
        for next in 1..MOST + 20 {
            if next > 1 {
                number.advance();
            }
            for dots in [".", "..."] {
                let text = format!("{next}{dots}Nf3");
                let mut ahead = [b' '; ROOM];
                ahead[..text.len()].copy_from_slice(text.as_bytes());
                let (begins, length) = match dots {
                    "." => (number.begins::<0>(&ahead), number.length::<0>()),
                    _ => (number.begins::<8>(&ahead), number.length::<8>()),
                };
                assert_eq!(begins, next <= MOST, "{text}");
                assert!(next > MOST || length == text.len() - 3);
                ahead[0] = b'a';
                assert!(!number.begins::<0>(&ahead) && !number.begins::<8>(&ahead));
            }
        }
    }
}
