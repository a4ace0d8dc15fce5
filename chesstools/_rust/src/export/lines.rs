//! Movetext as lines: pieces with a blank between, and a new line where one would get too long.

/// What parts that which must not be read together: no part of a game.
const EMPTY_COMMENT: &[u8] = b"{}";

/// Writes pieces to `out`, behind the end of a line.
pub struct Lines<'o> {
    out: &'o mut Vec<u8>,
    width: usize,
    /// Signs on the line so far.
    column: usize,
    /// Where in `out` the blank before the last piece stands, if the line may be broken there.
    blank: Option<usize>,
    /// Signs of the last piece.
    last: usize,
    /// Brackets that belong to the next piece.
    opens: usize,
    /// Whether the line ends behind the last piece, and whether no bracket can stand between.
    ends: bool,
    ends_at_once: bool,
    /// Whether the last piece is text that means nothing.
    behind_raw: bool,
}

impl<'o> Lines<'o> {
    pub fn new(out: &'o mut Vec<u8>, width: usize) -> Lines<'o> {
        Lines { out, width, column: 0, blank: None, last: 0, opens: 0, ends: false, ends_at_once: false, behind_raw: false }
    }

    /// A piece of so many signs, with which any line may begin.
    #[inline]
    pub fn piece(&mut self, text: &[u8], signs: usize) {
        let signs = signs + self.opens;
        if self.ends {
            self.end_line();
        }
        if self.column == 0 {
            self.column = signs;
            self.blank = None;
        } else if self.column + 1 + signs > self.width {
            self.out.push(b'\n');
            self.column = signs;
            self.blank = None;
        } else {
            self.blank = Some(self.out.len());
            self.out.push(b' ');
            self.column += 1 + signs;
        }
        self.put(text, signs);
    }

    /// A piece of ASCII signs, with which any line may begin.
    #[inline]
    pub fn ascii(&mut self, text: &[u8]) {
        self.piece(text, text.len());
    }

    /// An empty comment.
    pub fn empty_comment(&mut self) {
        self.ascii(EMPTY_COMMENT);
    }

    #[inline]
    fn put(&mut self, text: &[u8], signs: usize) {
        if self.opens > 0 {
            self.out.resize(self.out.len() + self.opens, b'(');
            self.opens = 0;
        }
        self.last = signs;
        self.behind_raw = false;
        self.out.extend_from_slice(text);
    }

    /// Any piece; `is_command` says that it begins with a command of a comment. Where no line may begin with it, it stays on the
    /// line of the piece before.
    pub fn text(&mut self, text: &str, is_command: bool) {
        let bytes = text.as_bytes();
        let signs = if text.is_ascii() { text.len() } else { text.chars().count() };
        let stays = matches!(bytes.first(), Some(b'[' | b']' | b'%')) && !is_command;
        if !stays || self.opens > 0 {
            return self.piece(bytes, signs);
        }
        if self.ends {
            self.end_line();
        }
        if self.column == 0 {
            self.empty_comment();
        }
        self.out.push(b' ');
        self.column += 1 + signs;
        self.blank = None;
        self.put(bytes, signs);
    }

    /// A piece of text that means nothing. No tag pair must come about by what stands beside it.
    pub fn raw(&mut self, text: &str) {
        if text.starts_with('[') && self.behind_raw && self.opens == 0 {
            self.empty_comment();
        }
        self.text(text, false);
        self.behind_raw = true;
        self.ends = text.contains('[');
        self.ends_at_once = false;
    }

    /// A comment that goes to the end of the line.
    pub fn line_comment(&mut self, text: &str) {
        self.text(text, false);
        (self.ends, self.ends_at_once) = (true, true);
    }

    /// An opening bracket, which belongs to the next piece.
    #[inline]
    pub fn open(&mut self) {
        self.opens += 1;
    }

    /// A closing bracket, which belongs to the last piece, if it can.
    #[inline]
    pub fn close(&mut self) {
        let is_apart = self.opens > 0 || self.column == 0 || (self.ends && self.ends_at_once) || self.out.ends_with(b"(=");
        if is_apart {
            return self.piece(b")", 1);
        }
        self.column += 1;
        self.last += 1;
        if self.column > self.width {
            if let Some(blank) = self.blank.take() {
                self.out[blank] = b'\n';
                self.column = self.last;
            }
        }
        self.out.push(b')');
    }

    #[cold]
    fn end_line(&mut self) {
        self.out.push(b'\n');
        (self.column, self.ends) = (0, false);
    }

    /// Ends the last line.
    pub fn end(&mut self) {
        self.end_line();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(width: usize, write: impl Fn(&mut Lines)) -> String {
        let mut out = Vec::new();
        let mut lines = Lines::new(&mut out, width);
        write(&mut lines);
        lines.end();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn lines_are_broken_at_blanks() {
        let text = lines(8, |lines| {
            ["1.", "e4", "e5", "2.", "Nf3", "toolongtoo", "x"].iter().for_each(|piece| lines.text(piece, false))
        });
        assert_eq!(text, "1. e4 e5\n2. Nf3\ntoolongtoo\nx\n");
        assert_eq!(lines(4, |lines| ["½½½½", "½"].iter().for_each(|piece| lines.text(piece, false))), "½½½½\n½\n");
    }

    #[test]
    fn brackets_belong_to_pieces() {
        let text = lines(8, |lines| {
            lines.ascii(b"1.");
            lines.open();
            lines.ascii(b"e4");
            lines.close();
            lines.close();
            lines.close();
        });
        assert_eq!(text, "1.\n(e4)))\n");
        let text = lines(80, |lines| {
            lines.open();
            lines.raw("=");
            lines.close();
            lines.open();
            lines.close();
            lines.line_comment("; x");
            lines.close();
        });
        assert_eq!(text, "(= ) () ; x\n)\n");
    }

    #[test]
    fn no_line_begins_like_a_tag_pair() {
        let text = lines(6, |lines| ["[", "]", "%", "x"].iter().for_each(|piece| lines.raw(piece)));
        assert_eq!(text, "{} [\n{} ] %\nx\n");
        assert_eq!(lines(80, |lines| ["<", "[", "[%a"].iter().for_each(|piece| lines.raw(piece))), "< {} [\n{} [%a\n");
        assert_eq!(lines(6, |lines| ["abcde", "[%b]"].iter().for_each(|piece| lines.text(piece, true))), "abcde\n[%b]\n");
    }
}
