//! Classes of bytes, and the few characters of more than one byte that the lexer knows.

const SPACE: u8 = 1;
const DIGIT: u8 = 2;
const PIECE_OR_FILE: u8 = 4;
const CHECK: u8 = 8;
const ENDS_WORD: u8 = 128;
const TAG_NAME: u8 = 16;
const NO_WORD: u8 = 32;
const BAD_TAG_NAME: u8 = 64;

static CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        let mut class = 0;
        if matches!(b, b' ' | b'\t'..=b'\r') {
            class |= SPACE | ENDS_WORD | NO_WORD;
        }
        if b.is_ascii_digit() {
            class |= DIGIT;
        }
        if matches!(b, b'a'..=b'h' | b'K' | b'Q' | b'R' | b'B' | b'N') {
            class |= PIECE_OR_FILE;
        }
        if matches!(b, b'+' | b'#') {
            class |= CHECK;
        }
        if matches!(b, 0 | b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'$' | b'"' | b'<' | b'>') {
            class |= ENDS_WORD | NO_WORD;
        }
        if b == 0xA0 {
            class |= ENDS_WORD;
        }
        if matches!(b, b'!' | b'?' | 0x80..) {
            class |= NO_WORD;
        }
        if b.is_ascii_alphanumeric() || b == b'_' {
            class |= TAG_NAME;
        }
        if !matches!(b, b' ' | b'\t'..=b'\r' | b'[' | b']' | b'"' | b'{' | b'}' | b'(' | b')' | b';' | b'$' | b'%') {
            class |= BAD_TAG_NAME;
        }
        table[byte] = class;
        byte += 1;
    }
    table
}

/// White space as regular expressions over bytes know it: blank, tab, line breaks, form feed, vertical tab.
#[inline(always)]
pub fn is_space(byte: u8) -> bool {
    CLASSES[byte as usize] & SPACE != 0
}

/// A letter that a move may begin with: of a piece, or of a file.
#[inline(always)]
pub fn is_piece_or_file(byte: u8) -> bool {
    CLASSES[byte as usize] & PIECE_OR_FILE != 0
}

/// `+` or `#`, the signs of check and mate.
#[inline(always)]
pub fn is_check_mark(byte: u8) -> bool {
    CLASSES[byte as usize] & CHECK != 0
}

#[inline(always)]
pub fn is_digit(byte: u8) -> bool {
    CLASSES[byte as usize] & DIGIT != 0
}

/// A blank or a tab.
#[inline(always)]
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

#[inline(always)]
pub fn is_line_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// A byte of a tag name.
#[inline(always)]
pub fn is_tag_name(byte: u8) -> bool {
    CLASSES[byte as usize] & TAG_NAME != 0
}

/// A byte that may stand in the name of a malformed tag.
#[inline(always)]
pub fn is_bad_tag_name(byte: u8) -> bool {
    CLASSES[byte as usize] & BAD_TAG_NAME != 0
}

/// An ASCII byte that a word may hold.
#[inline(always)]
pub fn is_ascii_word(byte: u8) -> bool {
    CLASSES[byte as usize] & NO_WORD == 0
}

/// The first place behind `at` that holds no blank or tab.
#[inline]
pub fn skip_blanks(data: &[u8], at: usize) -> usize {
    data[at..].iter().position(|&byte| !is_blank(byte)).map_or(data.len(), |length| at + length)
}

/// Whether `data` goes on with `text` at `at`.
#[inline]
pub fn has(data: &[u8], at: usize, text: &[u8]) -> bool {
    data.get(at..at + text.len()) == Some(text)
}

/// Whether a word ends before `at`.
#[inline]
pub fn ends_word(data: &[u8], at: usize) -> bool {
    match data.get(at) {
        None => true,
        Some(&byte) if CLASSES[byte as usize] & ENDS_WORD != 0 => true,
        Some(0x80..) => is_bom(data, at) || wide_invisible(data, at) > 0,
        Some(_) => false,
    }
}

/// Whether a byte order mark stands at `at`.
pub fn is_bom(data: &[u8], at: usize) -> bool {
    has(data, at, b"\xEF\xBB\xBF")
}

/// Length of an invisible character in UTF-8 at `at`; 0 where there is none.
fn wide_invisible(data: &[u8], at: usize) -> usize {
    let third = data.get(at + 2).copied().unwrap_or(0);
    match (data[at], data.get(at + 1).copied().unwrap_or(0)) {
        (0xC2, 0xA0) => 2,
        (0xE2, 0x80) if matches!(third, 0x80..=0x8F | 0xA8..=0xAF) => 3,
        (0xE2, 0x81) if third == 0xA0 => 3,
        (0xE3, 0x80) if third == 0x80 => 3,
        _ => 0,
    }
}

/// Length of what is invisible at `at`: a character in UTF-8, or a run of no-break spaces in Latin-1; 0 where there is none.
pub fn invisible(data: &[u8], at: usize) -> usize {
    match data[at] {
        0xA0 if at == 0 || data[at - 1] < 0x80 => {
            let most = &data[at..data.len().min(at + crate::limits::MAX_PARTS)];
            most.iter().position(|&byte| byte != 0xA0).unwrap_or(most.len())
        }
        0xC2 | 0xE2 | 0xE3 => wide_invisible(data, at),
        _ => 0,
    }
}

/// Length of a dot or an ellipsis at `at`; 0 where there is none.
#[inline]
pub fn dot(data: &[u8], at: usize) -> usize {
    match data.get(at) {
        Some(b'.') => 1,
        Some(0xE2) if has(data, at, b"\xE2\x80\xA6") => 3,
        _ => 0,
    }
}

/// Length of a chess figure at `at`; 0 where there is none.
pub fn figure(data: &[u8], at: usize) -> usize {
    let is_figure = has(data, at, b"\xE2\x99") && matches!(data.get(at + 2), Some(0x94..=0x9F));
    3 * usize::from(is_figure)
}
