//! Comments as servers write them behind every move, such as `{ [%eval 0.17] [%clk 0:03:00] }`: told to be right by a few
//! comparisons of eight bytes.

use crate::swar::{equal, first, load};

/// How much of a comment is looked at by `as_lichess`.
const LOOKED_AT: usize = 48;

/// The length of a comment that holds only commands in their most usual form, with or without a blank between them.
#[inline(always)]
pub fn only_commands(text: &[u8]) -> Option<usize> {
    text.first_chunk().and_then(as_lichess).or_else(|| any_commands(text))
}

/// The length of `{ [%eval 0.17] [%clk 0:03:00] }`, or of a comment with a clock alone.
#[inline(always)]
fn as_lichess(text: &[u8; LOOKED_AT]) -> Option<usize> {
    const EVALUATION: u64 = u64::from_le_bytes(*b" [%eval ");
    const CLOCK: u64 = u64::from_le_bytes(*b" [%clk \0");
    let mut at = 1;
    if load(text, at) == EVALUATION {
        let value = at + 8 + usize::from(text[at + 8] == b'-');
        at = value + decimals(load(text, value))?;
    }
    // No evaluation is so long that this changes it. The compiler sees that nothing is looked at behind the end.
    let at = at & 31;
    let is_right = load(text, at) & (!0 >> 8) == CLOCK && is_clock(load(text, at + 7)) && text[at + 15..at + 17] == *b" }";
    (text[0] == b'{' && is_right).then_some(at + 17)
}

/// Whether this is a time below ten hours, without decimals, and its bracket: `0:03:00]`.
#[inline(always)]
fn is_clock(word: u64) -> bool {
    const LIKE: u64 = u64::from_le_bytes(*b"0:00:00]");
    // Added to the value of a digit that is too large, this gives 16 or more: above 9, or above 5 for tens.
    const MORE: u64 = u64::from_le_bytes([6, 0, 10, 6, 0, 10, 6, 0]);
    const WRONG: u64 = u64::from_le_bytes([0xF0, 0xFF, 0xF0, 0xF0, 0xFF, 0xF0, 0xF0, 0xFF]);
    let values = word ^ LIKE;
    (values | values.wrapping_add(MORE)) & WRONG == 0
}

/// The length of what this begins with, if it is a number of pawns with two decimals, and its bracket: `1.25]`.
#[inline(always)]
fn decimals(word: u64) -> Option<usize> {
    const LIKE: u64 = u64::from_le_bytes(*b"000.00]\0");
    const MORE: u64 = u64::from_le_bytes([6, 6, 6, 0, 6, 6, 0, 0]);
    const WRONG: u64 = u64::from_le_bytes([0xF0, 0xF0, 0xF0, 0xFF, 0xF0, 0xF0, 0xFF, 0]);
    // Up to three digits stand before the point; those that are missing are taken as 0.
    let digits = first(equal(word, b'.'));
    if !(1..=3).contains(&digits) {
        return None;
    }
    let values = (word << (8 * (3 - digits)) | (0x30_3030 >> (8 * digits))) ^ LIKE;
    ((values | values.wrapping_add(MORE)) & WRONG == 0).then_some(digits + 4)
}

/// As `only_commands`, one sign after the other, and with some rarer forms.
#[inline(never)]
fn any_commands(text: &[u8]) -> Option<usize> {
    let mut rest = text.strip_prefix(b"{")?;
    loop {
        rest = rest.strip_prefix(b" ").unwrap_or(rest);
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

/// What follows a time below ten hours, perhaps with tenths, and its bracket.
fn clock(text: &[u8]) -> Option<&[u8]> {
    let (&word, behind) = text.split_first_chunk::<8>()?;
    if is_clock(u64::from_le_bytes(word)) {
        return Some(behind);
    }
    let [time @ .., b'.'] = word else { return None };
    let [h, a, b, c, d, e, f] = time;
    let is_time = is_clock(u64::from_le_bytes([h, a, b, c, d, e, f, b']']));
    match behind {
        [b'0'..=b'9', b']', behind @ ..] if is_time => Some(behind),
        _ => None,
    }
}

/// What follows an evaluation and its bracket: `-1.25]`, `0.5]`, `#-3]`.
fn evaluation(text: &[u8]) -> Option<&[u8]> {
    let (is_mate, text) = text.strip_prefix(b"#").map_or((false, text), |behind| (true, behind));
    let text = text.strip_prefix(b"-").unwrap_or(text);
    let digits = text.iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
    match &text[digits..] {
        [b']', behind @ ..] if is_mate && digits > 0 => Some(behind),
        [b'.', b'0'..=b'9', b']', behind @ ..] if !is_mate && digits > 0 => Some(behind),
        [b'.', b'0'..=b'9', b'0'..=b'9', b']', behind @ ..] if !is_mate && digits > 0 => Some(behind),
        _ => None,
    }
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
            ("{[%clk 0:03:00.1]}", Some(18)),
            ("{ [%clk 0:03:00.12] }", None),
            ("{ [%clk 0:60:00.1] }", None),
            ("{ [%eval 1.2] [%clk 0:03:00] }", Some(30)),
            ("{ [%eval #-12] [%clk 0:03:00] }", Some(31)),
            ("{ [%eval -999.99] [%clk 0:03:00] }", Some(34)),
            ("{ [%eval #] }", None),
            ("{ [%eval #1.0] }", None),
            ("{ [%eval .12] }", None),
            ("{ [%eval 12] }", None),
            ("{ [%clk 0:0::00] }", None),
            ("{ [%clk\u{7f}0:03:00] }", None),
            ("{ [%eval 1234.20] }", None),
            ("{[%clk 0:03:00]}", Some(16)),
            ("{ [%clk 0:03:00] good }", None),
            ("{ [%clk 0:03:00]", None),
        ] {
            assert_eq!(only_commands(text.as_bytes()), length, "{text}");
        }
    }

    #[test]
    fn every_byte_is_looked_at() {
        for form in [
            "{ [%eval 0.17] [%clk 0:03:00] } 1... e5 { [%clk 0:03:00] }",
            "{ [%eval -90.17] [%clk 9:03:00] } 1... e5 { [%clk 0:03:00] }",
            "{ [%clk 0:03:00] } 1... e5 { [%eval 0.17] [%clk 0:03:00] }",
            "{ [%eval #-3] [%clk 0:03:00.5] }",
            "{[%eval 1.5][%clk 0:03:00]}",
        ] {
            let wanted = form.find('}').unwrap() + 1;
            assert_eq!(only_commands(form.as_bytes()), Some(wanted), "{form}");
            for place in 0..wanted {
                for byte in 0..128u8 {
                    let mut text = form.as_bytes().to_vec();
                    text[place] = byte;
                    let Some(length) = only_commands(&text) else { continue };
                    let text = std::str::from_utf8(&text[..length]).unwrap();
                    assert!(
                        text.starts_with('{') && text.ends_with('}') && !text[1..length - 1].contains(['{', '}', '\n']),
                        "{text}"
                    );
                    let mut into = Annotations::default();
                    read_commands(text, &mut into, |fault| panic!("{fault:?}"));
                    let has = |name: &str| text.contains(name);
                    assert_eq!(into.clock_ms.is_some(), has("%clk"), "{text}");
                    assert_eq!(into.eval_cp.is_some() || into.eval_mate.is_some(), has("%eval"), "{text}");
                }
            }
        }
    }
}
