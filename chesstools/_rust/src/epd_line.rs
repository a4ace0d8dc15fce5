//! A line of a file of positions: a FEN, or an EPD with operations behind the position (PGN standard 16.2). The counterpart of
//! `chesstools/reference/epd_line.py`.

use std::borrow::Cow;

use crate::text::{is_blank, trim, words};

/// A line, taken apart.
pub struct Line<'t> {
    /// The position as a FEN; where there are no operations, the line as it stands.
    pub position: Cow<'t, str>,
    /// What stands behind the position, exactly; empty where there are no operations.
    pub rest: &'t str,
}

/// Opcodes of the standard (16.2.5), by which operations are known where no semicolon ends them; c0 to c9 and v0 to v9 besides.
const OPCODES: [&str; 25] = [
    "acd",
    "acn",
    "acs",
    "am",
    "bm",
    "ce",
    "dm",
    "draw_accept",
    "draw_claim",
    "draw_offer",
    "draw_reject",
    "eco",
    "fmvn",
    "hmvc",
    "id",
    "nic",
    "noop",
    "pm",
    "pv",
    "rc",
    "resign",
    "sm",
    "tcgs",
    "tcri",
    "tcsi",
];

impl<'t> Line<'t> {
    /// Finds operations behind four fields, or behind six whose last two are numbers. Those that are only `hmvc` and `fmvn` stay
    /// part of the position.
    pub fn split(text: &'t str) -> Line<'t> {
        Line::with_operations(text).unwrap_or(Line { position: text.into(), rest: "" })
    }

    fn with_operations(text: &'t str) -> Option<Line<'t>> {
        let text = trim(text);
        let end = fields_end(text, 4)?;
        let (fields, behind) = text.split_at(end);
        let counters = counters_end(behind);
        let rest = &behind[counters.unwrap_or(0)..];
        let operations = rest.trim_start_matches(|sign: char| sign == ';' || sign.is_ascii() && is_blank(sign as u8));
        let opcode = words(operations).next()?;
        let is_standard = || {
            let name = opcode.trim_end_matches(';');
            OPCODES.contains(&name) || matches!(name.as_bytes(), [b'c' | b'v', b'0'..=b'9'])
        };
        if !opcode.as_bytes()[0].is_ascii_alphabetic() || !(rest.contains(';') || is_standard()) {
            return None;
        }
        let mut fields: Vec<&str> = words(fields).collect();
        if let Some(end) = counters {
            fields.extend(words(&behind[..end]));
            return Some(Line { position: fields.join(" ").into(), rest });
        }
        if has_counters_only(operations) {
            return None;
        }
        let mut counters = [("hmvc", Cow::from("0")), ("fmvn", Cow::from("1"))];
        for operation in Operations(operations) {
            let mut parts = words(operation);
            let opcode = parts.next().unwrap_or_default();
            if let Some((_, counter)) = counters.iter_mut().find(|(name, _)| *name == opcode) {
                let operands: Vec<&str> = parts.collect();
                // As one field, which is told where it is no number.
                *counter = if operands.is_empty() { "?".into() } else { operands.join(",").into() };
            }
        }
        fields.extend(counters.iter().map(|(_, counter)| counter.as_ref()));
        Some(Line { position: fields.join(" ").into(), rest })
    }
}

fn has_counters_only(operations: &str) -> bool {
    crate::epd_counters::Operations::find(operations)
        .is_some_and(|counters| counters.others.iter().all(|other| trim(other).is_empty()))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|sign| sign.is_ascii_digit())
}

/// Where the first `count` fields of a text that begins with one end.
fn fields_end(text: &str, count: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    for _ in 0..count {
        at += bytes[at..].iter().position(|&byte| !is_blank(byte))?;
        at += bytes[at..].iter().position(|&byte| is_blank(byte)).unwrap_or(bytes.len() - at);
    }
    Some(at)
}

/// Where the counters end with which a text begins, if it does.
fn counters_end(text: &str) -> Option<usize> {
    let end = fields_end(text, 2)?;
    let whole = &text[..end];
    let end = whole.find(';').unwrap_or(end);
    let mut counters = words(&text[..end]);
    let are_numbers = is_number(counters.next()?) && is_number(counters.next()?) && counters.next().is_none();
    are_numbers.then_some(end)
}

/// The operations of a text, trimmed; a semicolon ends each, but not inside quotation marks, where a backslash takes the
/// meaning from the sign behind it.
struct Operations<'t>(&'t str);

impl<'t> Iterator for Operations<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        while !self.0.is_empty() {
            let (mut quoted, mut escaped) = (false, false);
            let end = self.0.bytes().position(|byte| {
                quoted ^= byte == b'"' && !escaped;
                escaped = quoted && !escaped && byte == b'\\';
                byte == b';' && !quoted
            });
            let (operation, rest) = match end {
                Some(end) => (&self.0[..end], &self.0[end + 1..]),
                None => (self.0, ""),
            };
            self.0 = rest;
            let operation = trim(operation);
            if !operation.is_empty() {
                return Some(operation);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> (String, &str) {
        let line = Line::split(text);
        (line.position.into_owned(), line.rest)
    }

    #[test]
    fn lines() {
        assert_eq!(split("p w - -  bm Nf3; id \"a;b\";"), ("p w - - 0 1".into(), "  bm Nf3; id \"a;b\";"));
        assert_eq!(split("p w - - hmvc 3; bm e4; fmvn 9"), ("p w - - 3 9".into(), " hmvc 3; bm e4; fmvn 9"));
        assert_eq!(split("p w - - 5 7; D1 20; D2 400;"), ("p w - - 5 7".into(), "; D1 20; D2 400;"));
        assert_eq!(split("p w - - 5 7 ;D1 20"), ("p w - - 5 7".into(), " ;D1 20"));
        assert_eq!(split("p w - - hmvc 3 bm e4; fmvn"), ("p w - - 3,bm,e4 ?".into(), " hmvc 3 bm e4; fmvn"));
        assert_eq!(split("p w - - bm Nf3"), ("p w - - 0 1".into(), " bm Nf3"));
    }

    #[test]
    fn no_operations() {
        for plain in [
            "",
            "p w - -",
            "p w - - 0 1",
            "p w - - 0 1;",
            "p w - - hmvc 3; fmvn 4;",
            "p w - - hmvc 3 fmvn 4",
            "p w - - x 1",
            "p w - - 0 x; y",
            "p w",
        ] {
            assert_eq!(split(plain), (plain.to_owned(), ""));
        }
    }

    #[test]
    fn quoted_semicolons() {
        let found: Vec<&str> = Operations("c0 \"a;\\\"b;\" ;; c1 x; c2 \"open; end").collect();
        assert_eq!(found, ["c0 \"a;\\\"b;\"", "c1 x", "c2 \"open; end"]);
    }
}
