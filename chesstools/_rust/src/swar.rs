//! Eight bytes at a time in one integer. Masks have the high bit of every byte that fits; only the first one is exact.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// The eight bytes at `at`, the first one lowest.
#[inline(always)]
pub fn load(data: &[u8], at: usize) -> u64 {
    // Optimised to one load and one comparison.
    u64::from_le_bytes(data[at..at + 8].try_into().expect("eight bytes"))
}

/// Bytes below `limit`, which is at most 0x80.
#[inline(always)]
pub const fn below(word: u64, limit: u8) -> u64 {
    word.wrapping_sub(ONES * limit as u64) & !word & HIGHS
}

/// Bytes that are `byte`.
#[inline(always)]
pub const fn equal(word: u64, byte: u8) -> u64 {
    let difference = word ^ (ONES * byte as u64);
    difference.wrapping_sub(ONES) & !difference & HIGHS
}

/// Whether no byte is 0x80 or above.
#[inline(always)]
pub const fn is_ascii(word: u64) -> bool {
    word & HIGHS == 0
}

/// Bytes that are no ASCII letter.
#[inline(always)]
pub const fn no_letter(word: u64) -> u64 {
    let lower = word | (ONES * 0x20);
    below(lower, b'a') | ((lower.wrapping_add(ONES * (0x7F - b'z') as u64) | lower) & HIGHS)
}

/// The index of the first byte in two masks, the second one of the eight bytes behind; 16 where there is none.
#[inline(always)]
pub const fn first_of_two(masks: (u64, u64)) -> usize {
    let (near, far) = masks;
    if near != 0 {
        first(near)
    } else {
        8 + first(far)
    }
}

/// The index of the first byte in a mask; 8 where there is none.
#[inline(always)]
pub const fn first(mask: u64) -> usize {
    (mask.trailing_zeros() / 8) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_that_fit() {
        let bytes = *b"aZ 0\x80\xFF\"\n";
        let loaded = load(&bytes, 0);
        assert_eq!(first(below(loaded, b'!')), 2);
        assert_eq!(first(below(loaded, b' ')), 7);
        assert_eq!(first(equal(loaded, 0x80)), 4);
        assert_eq!(equal(loaded, b'#'), 0);
        assert_eq!(first(no_letter(loaded)), 2);
        for byte in 0..=255 {
            let loaded = load(&[b'z', b'A', byte, b'Z', b'a', b'[', 0xFF, b'0'], 0);
            assert_eq!(first(no_letter(loaded)), if byte.is_ascii_alphabetic() { 5 } else { 2 });
        }
        assert_eq!(first_of_two((0, equal(loaded, b'0'))), 11);
        assert_eq!(first_of_two((0, 0)), 16);
    }
}
