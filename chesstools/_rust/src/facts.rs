//! Collects the findings of one region: codes, places and evidence, no sentences.
//! The counterpart of `chesstools/reference/facts.py`.

use std::borrow::Cow;

use crate::evidence::MAX_TOKEN_CHARS;
use crate::lexer::Token;
use crate::region::count_lines;
use crate::segment::Region;
use crate::severities::severity_of;
use crate::text::{first_chars, Encoding};
use crate::types::{Finding, Place, Severity};

/// The lines of the first few findings near the beginning are counted each by itself; for more a table is made.
const FEW: usize = 4;
const NEAR: usize = 2048;

/// The findings of one region, with places worked out from tokens.
///
/// A region without findings costs one look at its bytes (whether they are UTF-8) and no memory.
pub struct Facts<'a> {
    /// The bytes that tokens are counted from.
    chunk: &'a [u8],
    /// Where `chunk` begins in the stream.
    base: u64,
    /// Where the region begins and ends in `chunk`.
    start: usize,
    end: usize,
    /// The line that the region begins in.
    line: u64,
    pub encoding: Encoding,
    /// The region as text, where it is UTF-8.
    utf8: Option<&'a str>,
    line_starts: Option<Vec<usize>>,
    /// A place in the region, not inside of a line break, and the line breaks before it.
    counted: (usize, u64),
    findings: Vec<Finding>,
    /// Nobody wants to know: one finding is filled again and again.
    is_mute: bool,
}

impl<'a> Facts<'a> {
    /// For a region as the segmenter gives it.
    pub fn of(region: &Region<'a>) -> Facts<'a> {
        Facts::new(region.text, region.base, region.start, region.end, region.line)
    }

    /// For the region `chunk[start..end]`, which begins in `line`; `chunk` begins at `base` in the stream.
    pub fn new(chunk: &'a [u8], base: u64, start: usize, end: usize, line: u64) -> Facts<'a> {
        let data = &chunk[start..end];
        let utf8 = std::str::from_utf8(data).ok();
        let encoding = if utf8.is_some() { Encoding::Utf8 } else { Encoding::of(data) };
        Facts {
            chunk,
            base,
            start,
            end,
            line,
            encoding,
            utf8,
            line_starts: None,
            counted: (0, 0),
            findings: Vec::new(),
            is_mute: false,
        }
    }

    /// The same for somebody who does not want the findings: none is kept, their places and tokens are not worked out.
    pub fn mute(mut self) -> Facts<'a> {
        self.is_mute = true;
        self
    }

    pub fn is_mute(&self) -> bool {
        self.is_mute
    }

    /// The bytes of the region.
    #[inline]
    pub fn data(&self) -> &'a [u8] {
        &self.chunk[self.start..self.end]
    }

    /// Where the region begins, counted as tokens are.
    #[inline]
    pub fn start(&self) -> u32 {
        self.start as u32
    }

    /// Where the region ends, counted as tokens are.
    #[inline]
    pub fn end(&self) -> u32 {
        self.end as u32
    }

    /// The bytes of one token.
    #[inline]
    pub fn bytes(&self, token: Token) -> &'a [u8] {
        &self.chunk[token.start as usize..token.end as usize]
    }

    /// The characters of one token.
    #[inline]
    pub fn text(&self, token: Token) -> Cow<'a, str> {
        self.between(token.start, token.end)
    }

    /// The characters from `start` to `end`, counted as tokens are.
    #[inline]
    pub fn between(&self, start: u32, end: u32) -> Cow<'a, str> {
        let (start, end) = (start as usize, end as usize);
        // A token may end inside a character where a limit cut it.
        match self.utf8.and_then(|text| text.get(start - self.start..end - self.start)) {
            Some(text) => Cow::Borrowed(text),
            None => self.encoding.decode(&self.chunk[start..end]),
        }
    }

    /// Where `at`, counted as tokens are, stands in the stream.
    #[inline]
    pub fn offset_of(&self, at: u32) -> u64 {
        self.base + u64::from(at)
    }

    /// The line of `at`, counted as tokens are. A line ends with LF, CR or CRLF.
    pub fn line_of(&mut self, at: u32) -> u64 {
        let data = &self.chunk[self.start..self.end];
        let inside = at as usize - self.start;
        if self.findings.len() < FEW && inside < NEAR {
            let is_in_break = inside > 0 && data[inside - 1] == b'\r' && data.get(inside) == Some(&b'\n');
            if is_in_break {
                return self.line + count_lines(&data[..inside - 1]);
            }
            // Findings mostly come in the order of the text.
            let (at, breaks) = if inside < self.counted.0 { (0, 0) } else { self.counted };
            self.counted = (inside, breaks + count_lines(&data[at..inside]));
            return self.line + self.counted.1;
        }
        let is_end = |at: &usize| data[*at] == b'\n' || data.get(at + 1) != Some(&b'\n');
        let starts = self
            .line_starts
            .get_or_insert_with(|| memchr::memchr2_iter(b'\n', b'\r', data).filter(is_end).map(|at| at + 1).collect());
        self.line + starts.partition_point(|&start| start <= inside) as u64
    }

    /// Adds a finding at `span`. Its token is the text there, its severity the one of the catalogue, until told otherwise:
    ///
    /// `facts.add("P105", token, &Place::default()).token(name).with("expected", first).with("found", value);`
    pub fn add(&mut self, code: &'static str, span: Token, place: &Place) -> &mut Finding {
        if self.is_mute {
            self.findings.clear();
            self.findings.push(Finding::unread(code));
            return &mut self.findings[0];
        }
        let finding = Finding {
            code,
            severity: severity_of(code),
            ply: place.ply,
            line: self.line_of(span.start),
            byte_offset: self.offset_of(span.start),
            byte_length: u64::from(span.end - span.start),
            variation: place.variation.clone(),
            token: Some(self.beginning(span)),
            fen: None,
            // Most findings have no more evidence than that.
            evidence: Vec::with_capacity(12),
        };
        self.findings.push(finding);
        let last = self.findings.len() - 1;
        &mut self.findings[last]
    }

    /// What is shown of a token: decoding all of a long one would take time for nothing.
    fn beginning(&self, span: Token) -> String {
        let most = (MAX_TOKEN_CHARS + 1) as u32 * 4;
        let end = span.end.min(span.start + most);
        // A character that is cut in two here stands behind those that are shown.
        let text = self.encoding.decode(&self.chunk[span.start as usize..end as usize]);
        first_chars(&text, MAX_TOKEN_CHARS).to_owned()
    }

    /// How many findings there are so far.
    pub fn count(&self) -> usize {
        self.findings.len()
    }

    /// Codes of the findings so far at exactly this place, in the order in which they were added.
    pub fn codes_at(&self, span: Token) -> impl Iterator<Item = &'static str> + '_ {
        let place = (self.offset_of(span.start), u64::from(span.end - span.start));
        self.findings.iter().filter(move |one| (one.byte_offset, one.byte_length) == place).map(|one| one.code)
    }

    /// Gives the findings with that code at exactly this place another severity.
    pub fn lower(&mut self, code: &str, span: Token, severity: Severity) {
        let place = (self.offset_of(span.start), u64::from(span.end - span.start));
        let meant = self.findings.iter_mut().filter(|one| one.code == code && (one.byte_offset, one.byte_length) == place);
        meant.for_each(|one| one.severity = severity);
    }

    /// Where the first bytes stand that are not UTF-8, counted from the start of the region; None if all are.
    pub fn utf8_fault(&self) -> Option<(usize, usize)> {
        if self.utf8.is_some() {
            return None;
        }
        crate::text::utf8_error(self.data())
    }

    /// All findings in the order of the text (then by code, then by ply).
    pub fn finish(mut self) -> Vec<Finding> {
        self.take()
    }

    /// The same, leaving none behind.
    pub fn take(&mut self) -> Vec<Finding> {
        let mut findings = std::mem::take(&mut self.findings);
        if self.is_mute {
            findings.clear();
        }
        findings.sort_by(|one, other| {
            let key = |finding: &Finding| (finding.byte_offset, finding.code, finding.ply.unwrap_or(0));
            key(one).cmp(&key(other))
        });
        findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::Kind;

    fn word(start: u32, end: u32) -> Token {
        Token { kind: Kind::Word, start, end }
    }

    #[test]
    fn places() {
        let chunk = b"..one\r\ntwo\rthree\nfour";
        let mut facts = Facts::new(chunk, 100, 2, chunk.len(), 7);
        let lines = |facts: &mut Facts| [2, 5, 6, 7, 10, 11, 17].map(|at| facts.line_of(at));
        assert_eq!(lines(&mut facts), [7, 7, 7, 8, 8, 9, 10]);
        for _ in 0..FEW {
            facts.add("P110", word(2, 5), &Place::default());
        }
        assert_eq!(lines(&mut facts), [7, 7, 7, 8, 8, 9, 10]);
        facts.take();
        facts.add("P110", word(7, 10), &Place::default()).with("reason", "stray-symbol");
        facts.add("N402", word(2, 5), &Place { ply: Some(3), variation: None });
        let findings = facts.finish();
        assert_eq!(findings[0].code, "N402");
        assert_eq!(findings[0].severity, Severity::Info);
        assert_eq!((findings[1].byte_offset, findings[1].line, findings[1].byte_length), (107, 8, 3));
        assert_eq!(findings[1].token.as_deref(), Some("two"));
    }

    #[test]
    fn mute() {
        let mut facts = Facts::new(b"one", 0, 0, 3, 1).mute();
        facts.add("P110", word(0, 3), &Place::default()).with("reason", "stray-symbol").token("x");
        facts.add("N402", word(0, 1), &Place::default());
        assert!(facts.take().is_empty());
    }

    #[test]
    fn long_tokens_are_cut() {
        let chunk = "½".repeat(500);
        let mut facts = Facts::new(chunk.as_bytes(), 0, 0, chunk.len(), 1);
        let token = facts.add("P110", word(0, 1000), &Place::default()).token.clone();
        assert_eq!(token, Some("½".repeat(200)));
        let token = facts.add("P110", word(0, 2), &Place::default()).token("x".repeat(201)).token.clone();
        assert_eq!(token, Some("x".repeat(200)));
    }
}
