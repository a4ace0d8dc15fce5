//! Texts of a few ASCII signs, held in a number.

/// Most bytes of a `Short`.
pub const SHORT: usize = 8;

/// A few ASCII signs that are copied without looking at their number.
#[derive(Clone, Copy, Debug)]
pub struct Short {
    /// All ASCII.
    bytes: u64,
    /// At most `SHORT`.
    length: u8,
}

impl Short {
    pub const EMPTY: Short = Short { bytes: 0, length: 0 };

    /// The first `length` of some bytes, up to the first that is not ASCII.
    #[inline]
    pub const fn new(bytes: [u8; SHORT], length: usize) -> Short {
        let bytes = u64::from_le_bytes(bytes);
        let other = ((bytes & 0x8080_8080_8080_8080).trailing_zeros() / 8) as usize;
        let length = if length < other { length } else { other };
        Short { bytes: bytes & 0x7f7f_7f7f_7f7f_7f7f, length: length as u8 }
    }

    /// The first `length` of some bytes that are ASCII; of others, the lower seven bits.
    #[inline]
    pub const fn ascii(bytes: u64, length: usize) -> Short {
        let length = if length < SHORT { length } else { SHORT };
        Short { bytes: bytes & 0x7f7f_7f7f_7f7f_7f7f, length: length as u8 }
    }

    pub const fn of(text: &str) -> Short {
        let (mut bytes, mut at) = ([0; SHORT], 0);
        while at < text.len() && at < SHORT {
            bytes[at] = text.as_bytes()[at];
            at += 1;
        }
        Short::new(bytes, at)
    }

    #[inline]
    pub fn bytes(self) -> [u8; SHORT] {
        self.bytes.to_le_bytes()
    }

    #[inline]
    pub fn len(self) -> usize {
        usize::from(self.length)
    }

    pub fn is_empty(self) -> bool {
        self.length == 0
    }
}
