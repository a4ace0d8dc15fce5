//! Blanks as PGN knows them (ASCII ones; Unicode has more, and they are content), and bytes to text.
//! The counterpart of `chesstools/reference/text.py`.

use std::borrow::Cow;

/// Whether a byte is a blank: space, tab, line feed, carriage return, vertical tab, form feed.
#[inline(always)]
pub const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c)
}

/// `text` without blanks at its ends.
#[inline]
pub fn trim(text: &str) -> &str {
    let bytes = text.as_bytes();
    let Some(start) = bytes.iter().position(|&byte| !is_blank(byte)) else { return "" };
    let end = bytes.iter().rposition(|&byte| !is_blank(byte)).map_or(start, |last| last + 1);
    &text[start..end]
}

/// The parts of `text` between blanks.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|sign: char| sign.is_ascii() && is_blank(sign as u8)).filter(|word| !word.is_empty())
}

/// `words` with one space between them.
pub fn joined_words(text: &str) -> Cow<'_, str> {
    let trimmed = trim(text);
    let bytes = trimmed.as_bytes();
    let other = bytes.iter().enumerate().any(|(at, &byte)| is_blank(byte) && (byte != b' ' || bytes[at + 1] == b' '));
    if !other {
        return Cow::Borrowed(trimmed);
    }
    let mut joined = String::with_capacity(trimmed.len());
    for word in words(trimmed) {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    Cow::Owned(joined)
}

/// The first `count` characters of `text`.
pub fn first_chars(text: &str, count: usize) -> &str {
    match text.char_indices().nth(count) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

/// How bytes are read: UTF-8 if they are that, else Windows-1252, else Latin-1 (which fits any bytes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    Cp1252,
    Latin1,
}

impl Encoding {
    /// The encoding of a text that belongs together. Most texts are ASCII, and that is told at the speed of memory.
    pub fn of(data: &[u8]) -> Encoding {
        if std::str::from_utf8(data).is_ok() {
            Encoding::Utf8
        } else if data.iter().any(|byte| matches!(byte, 0x81 | 0x8d | 0x8f | 0x90 | 0x9d)) {
            Encoding::Latin1
        } else {
            Encoding::Cp1252
        }
    }

    /// `utf-8`, `cp1252` or `latin-1`, as in the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Cp1252 => "cp1252",
            Encoding::Latin1 => "latin-1",
        }
    }

    /// The characters of `data`, a part of a text in this encoding; what is cut in two is U+FFFD.
    pub fn decode(self, data: &[u8]) -> Cow<'_, str> {
        match self {
            Encoding::Utf8 => String::from_utf8_lossy(data),
            Encoding::Latin1 => match std::str::from_utf8(data) {
                Ok(text) if data.is_ascii() => Cow::Borrowed(text),
                _ => Cow::Owned(data.iter().map(|&byte| char::from(byte)).collect()),
            },
            Encoding::Cp1252 => match std::str::from_utf8(data) {
                Ok(text) if data.is_ascii() => Cow::Borrowed(text),
                _ => Cow::Owned(data.iter().map(|&byte| cp1252(byte)).collect()),
            },
        }
    }

    /// How many bytes `text` has in the source.
    pub fn length(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            _ => text.chars().count(),
        }
    }
}

/// The characters that Windows-1252 has where Latin-1 has controls; five places are empty and mean U+FFFD.
const CP1252: [char; 32] = [
    '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž', '\u{fffd}', '\u{fffd}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{fffd}', 'ž', 'Ÿ',
];

fn cp1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => CP1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// Where the first bytes stand that are no UTF-8: from the first wrong one to the one behind the last that belongs to it.
///
/// What is cut off by the end of the data belongs together up to there.
pub fn utf8_error(data: &[u8]) -> Option<(usize, usize)> {
    let error = std::str::from_utf8(data).err()?;
    let start = error.valid_up_to();
    Some((start, error.error_len().map_or(data.len(), |length| start + length)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_are_ascii() {
        assert_eq!(trim(" \ta\u{a0} \n"), "a\u{a0}");
        assert_eq!(words(" a\u{b}b \u{2003}").collect::<Vec<_>>(), ["a", "b", "\u{2003}"]);
        assert_eq!(joined_words(" a b"), "a b");
        assert_eq!(joined_words("a \tb\u{c}"), "a b");
        assert_eq!(joined_words(" "), "");
    }

    #[test]
    fn encodings() {
        assert_eq!(Encoding::of("Müller".as_bytes()), Encoding::Utf8);
        assert_eq!(Encoding::of(b"M\xfcller"), Encoding::Cp1252);
        assert_eq!(Encoding::of(b"M\xfcller\x81"), Encoding::Latin1);
        assert_eq!(Encoding::Cp1252.decode(b"\x80M\xfcller"), "€Müller");
        assert_eq!(Encoding::Latin1.decode(b"\x80\xfc"), "\u{80}ü");
        assert_eq!(Encoding::Utf8.decode(b"a\xe2\x80"), "a\u{fffd}");
        assert_eq!(Encoding::Cp1252.length("€Mü"), 3);
    }

    #[test]
    fn errors_of_utf8() {
        assert_eq!(utf8_error("½".as_bytes()), None);
        assert_eq!(utf8_error(b"ab\xe2\x80"), Some((2, 4)));
        assert_eq!(utf8_error(b"ab\xe2\x80 "), Some((2, 4)));
        assert_eq!(utf8_error(b"\xfc"), Some((0, 1)));
    }
}
