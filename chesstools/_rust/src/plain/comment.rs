//! Comments as Lichess writes them behind every move, such as `{ [%eval 0.17] [%clk 0:03:00] }`: told to be right by a few
//! comparisons of eight bytes.

/// The length of a comment that holds only commands in their most usual form, a blank before each and one at the end.
#[inline(always)]
pub fn only_commands(text: &[u8]) -> Option<usize> {
    let mut rest = text.strip_prefix(b"{")?;
    loop {
        rest = rest.strip_prefix(b" ")?;
        if let Some(behind) = rest.strip_prefix(b"[%clk ") {
            rest = clock(behind)?;
        } else if let Some(behind) = rest.strip_prefix(b"[%eval ") {
            rest = evaluation(behind)?;
        } else {
            let behind = rest.strip_prefix(b"}")?;
            return Some(text.len() - behind.len());
        }
    }
}

/// What follows a time below ten hours, without decimals, and its bracket: `0:03:00]`.
#[inline(always)]
fn clock(text: &[u8]) -> Option<&[u8]> {
    const LIKE: u64 = u64::from_le_bytes(*b"0:00:00]");
    // Added to the value of a digit that is too large, this gives 16 or more: above 9, or above 5 for tens.
    const MORE: u64 = u64::from_le_bytes([6, 0, 10, 6, 0, 10, 6, 0]);
    const WRONG: u64 = u64::from_le_bytes([0xF0, 0xFF, 0xF0, 0xF0, 0xFF, 0xF0, 0xF0, 0xFF]);
    let (word, behind) = text.split_first_chunk::<8>()?;
    let values = u64::from_le_bytes(*word) ^ LIKE;
    ((values | values.wrapping_add(MORE)) & WRONG == 0).then_some(behind)
}

/// What follows an evaluation in pawns with two decimals, and its bracket: `-1.25]`.
#[inline(always)]
fn evaluation(text: &[u8]) -> Option<&[u8]> {
    const LIKE: u64 = u64::from_le_bytes(*b"\0\0\0.00]\0");
    const MORE: u64 = u64::from_le_bytes([0, 0, 0, 0, 6, 6, 0, 0]);
    const WRONG: u64 = u64::from_le_bytes([0, 0, 0, 0xFF, 0xF0, 0xF0, 0xFF, 0]);
    let text = text.strip_prefix(b"-").unwrap_or(text);
    let word = u64::from_le_bytes(*text.first_chunk::<8>()?);
    // Up to three digits stand before the point.
    let digits = match word.to_le_bytes() {
        [b'0'..=b'9', b'.', ..] => 1,
        [b'0'..=b'9', b'0'..=b'9', b'.', ..] => 2,
        [b'0'..=b'9', b'0'..=b'9', b'0'..=b'9', b'.', ..] => 3,
        _ => return None,
    };
    let values = (word << (8 * (3 - digits))) ^ LIKE;
    ((values | values.wrapping_add(MORE)) & WRONG == 0).then(|| &text[digits + 4..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comments::{read_commands, Annotations};

    #[test]
    fn what_is_taken_is_right() {
        for (text, length) in [
            ("{ [%clk 0:03:00] } e5", Some(18)),
            ("{ [%eval 0.17] [%clk 9:59:59] }", Some(31)),
            ("{ [%eval -103.00] }", Some(19)),
            ("{ }", Some(3)),
            ("{ [%clk 0:60:00] }", None),
            ("{ [%clk 0:03:00.1] }", None),
            ("{ [%clk 0:0::00] }", None),
            ("{ [%clk\u{7f}0:03:00] }", None),
            ("{ [%eval 1.2] }", None),
            ("{ [%eval 1234.20] }", None),
            ("{[%clk 0:03:00]}", None),
            ("{ [%clk 0:03:00] good }", None),
            ("{ [%clk 0:03:00]", None),
        ] {
            assert_eq!(only_commands(text.as_bytes()), length, "{text}");
        }
    }

    #[test]
    fn every_byte_of_a_clock_is_looked_at() {
        for place in 0..8 {
            for byte in 0..128u8 {
                let mut text = *b"{ [%clk 0:03:00] }";
                text[8 + place] = byte;
                let Some(length) = only_commands(&text) else { continue };
                let text = std::str::from_utf8(&text[..length]).unwrap();
                let mut into = Annotations::default();
                read_commands(text, &mut into, |fault| panic!("{fault:?}"));
                assert!(into.clock_ms.is_some(), "{text}");
            }
        }
    }
}
