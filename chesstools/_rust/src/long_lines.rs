//! Lines that are longer than the standard lets them be (P112).
//! The counterpart of `chesstools/reference/long_lines.py`.

use crate::facts::Facts;
use crate::lexer::{Kind, Token};
use crate::types::Place;

/// What a line may have, without its break.
const MOST_BYTES: usize = 255;

/// Where the long lines of `data` begin and end.
fn long_lines(data: &[u8]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let ends = memchr::memchr2_iter(b'\n', b'\r', data).chain([data.len()]);
    let mut start = 0;
    let lines = ends.map(move |end| (std::mem::replace(&mut start, end + 1), end));
    lines.filter(|(start, end)| end - start > MOST_BYTES)
}

pub fn has_long_line(data: &[u8]) -> bool {
    long_lines(data).next().is_some()
}

/// Reports the long lines of a game: one finding, at the first of them, however many there are.
///
/// A line that several games share counts for each of them with what belongs to it.
pub fn report_long_lines(facts: &mut Facts) {
    let mut lines = long_lines(facts.data());
    let Some((start, end)) = lines.next() else { return };
    let (count, longest) = lines.fold((1, end - start), |(count, longest), (start, end)| (count + 1, longest.max(end - start)));
    let place = |at| facts.start() + at as u32;
    let first = Token { kind: Kind::Word, start: place(start), end: place(end) };
    facts.add("P112", first, &Place::default()).with("count", count).with("limit", MOST_BYTES).with("longest", longest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_do_not_count() {
        let (short, long) = ("x".repeat(255), "y".repeat(256));
        let text = format!("{short}\r\n{long}\r{short}\n\n{long}z");
        let lines: Vec<usize> = long_lines(text.as_bytes()).map(|(start, end)| end - start).collect();
        assert_eq!(lines, [256, 257]);
        assert!(!has_long_line(format!("{short}\n").as_bytes()));
        assert!(!has_long_line(b""));
    }
}
