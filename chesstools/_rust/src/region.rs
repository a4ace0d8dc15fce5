//! What the segmenter takes and gives: places to begin at, and regions.

use crate::lexer::Token;

/// Where in the stream reading begins, and what must be remembered of the text before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The place in the data; what stands before it is looked back at, not read.
    pub at: usize,
    pub line: u64,
    /// The next game's tags stand right behind a result, without a blank line.
    pub glued: bool,
    /// The rest of a game that went over the limit comes next.
    pub too_long: bool,
}

impl Default for Start {
    fn default() -> Start {
        Start { at: 0, line: 1, glued: false, too_long: false }
    }
}

/// The lines of places in a chunk, ascending: counted on from the place asked for last, so that those between cost little.
pub struct Lines<'t> {
    text: &'t [u8],
    at: usize,
    line: u64,
}

impl<'t> Lines<'t> {
    /// The line of `start` is known.
    pub fn from(text: &'t [u8], start: Start) -> Lines<'t> {
        Lines { text, at: start.at, line: start.line }
    }

    /// The line of the place `at`, where a region begins, not before that of the last time.
    pub fn at(&mut self, at: usize) -> u64 {
        self.line += count_lines(&self.text[self.at..at]);
        self.at = at;
        self.line
    }
}

/// Memory that is used again from chunk to chunk.
#[derive(Debug, Default)]
pub struct Buffers {
    pub(crate) tokens: Vec<Token>,
    pub(crate) glued: Vec<Token>,
}

/// A game, or a stretch of text that is none. All places count from the beginning of the chunk's data.
#[derive(Clone, Copy, Debug)]
pub struct Region<'s> {
    pub is_game: bool,
    /// The data of the chunk.
    pub text: &'s [u8],
    /// Where the data of the chunk begins in the stream.
    pub base: u64,
    pub start: usize,
    pub end: usize,
    /// The line that it begins in.
    pub line: u64,
    /// All tokens but white space.
    pub tokens: &'s [Token],
    /// Index in `tokens` of the termination marker.
    pub terminator: Option<usize>,
    /// Tag pairs that stand behind movetext without a blank line between.
    pub glued: &'s [Token],
    pub too_long: bool,
}

impl<'s> Region<'s> {
    /// Where it begins in the stream.
    pub fn offset(&self) -> u64 {
        self.base + self.start as u64
    }

    pub fn data(&self) -> &'s [u8] {
        &self.text[self.start..self.end]
    }

    pub fn bytes(&self, token: Token) -> &'s [u8] {
        &self.text[token.start as usize..token.end as usize]
    }
}

/// Line breaks in `data`, each of LF, CR and CRLF being one.
pub fn count_lines(data: &[u8]) -> u64 {
    let feeds = memchr::memchr_iter(b'\n', data).count();
    let returns = memchr::memchr_iter(b'\r', data).filter(|&at| data.get(at + 1) != Some(&b'\n')).count();
    (feeds + returns) as u64
}

/// As `count_lines`, for a few bytes.
pub(crate) fn count_breaks(space: &[u8]) -> usize {
    let mut before = 0;
    let mut breaks = 0;
    for &byte in space {
        breaks += usize::from(byte == b'\r' || (byte == b'\n' && before != b'\r'));
        before = byte;
    }
    breaks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_breaks() {
        for (text, lines) in [("", 0), ("a\nb", 1), ("a\r\nb\rc\n", 3), ("\n\r", 2), ("\r\r\n\n", 3)] {
            assert_eq!(count_lines(text.as_bytes()), lines);
            assert_eq!(count_breaks(text.as_bytes()) as u64, lines);
        }
    }
}
