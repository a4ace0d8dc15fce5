//! Games as JSON, one a line.

use super::game::{Game, Played, Sink};
use super::left::Left;
use super::options::Options;
use super::raw::joined;
use super::tag_section::in_order;
use crate::lexer::Token;
use crate::uci::short_uci;

/// Writes one game and the end of its line. The number of the game is left out: its place in `out` is given.
pub fn write(game: &Game, source: &str, options: &Options, left: &mut Left, out: &mut Vec<u8>) -> usize {
    out.extend_from_slice(b"{\"source\":");
    string(source, out);
    out.extend_from_slice(b",\"game_index\":");
    let number = out.len();
    out.extend_from_slice(b",\"tags\":[");
    for (place, tag) in game.tags.pairs.iter().enumerate() {
        out.extend_from_slice(if place > 0 { b",[" } else { b"[" });
        string(&tag.name, out);
        out.push(b',');
        string(&tag.value, out);
        out.push(b']');
    }
    out.extend_from_slice(b"],\"unread_tags\":[");
    for (place, token) in in_order(game).enumerate() {
        if place > 0 {
            out.push(b',');
        }
        string(&game.facts.text(token), out);
    }
    out.extend_from_slice(b"],\"start_fen\":");
    optional(game.start_fen, out);
    out.extend_from_slice(b",\"before\":[");
    let mut tree = Tree { game, out, lines: Vec::new(), line: State::default(), chess960: game.is_chess960(), rest: None };
    game.walk(&options.keep, left, &mut tree);
    tree.end_line();
    out.extend_from_slice(b",\"result\":");
    optional(game.marker_text().as_deref(), out);
    out.extend_from_slice(b",\"behind\":");
    optional(joined(&game.raw(game.behind, false)).as_deref(), out);
    out.extend_from_slice(b"}\n");
    number
}

/// What was written of a line.
#[derive(Clone, Copy, Default)]
struct State {
    /// Whether a move of it was.
    moves: bool,
    /// Whether something behind the last move was, or before the first.
    items: bool,
}

struct Tree<'w> {
    game: &'w Game<'w>,
    out: &'w mut Vec<u8>,
    /// Of the lines around this one.
    lines: Vec<State>,
    line: State,
    chess960: bool,
    rest: Option<String>,
}

impl Tree<'_> {
    fn item(&mut self) {
        if self.line.items {
            self.out.push(b',');
        }
        self.line.items = true;
    }

    /// Ends the moves, and writes the rest of the line.
    fn end_line(&mut self) {
        self.out.extend_from_slice(if self.line.moves { b"]}],\"rest\":" } else { b"],\"moves\":[],\"rest\":" });
        optional(self.rest.take().as_deref(), self.out);
    }
}

impl Sink for Tree<'_> {
    #[inline]
    fn played(&mut self, played: Played) {
        self.out.extend_from_slice(if self.line.moves { b"]},{\"san\":\"" } else { b"],\"moves\":[{\"san\":\"" });
        self.line = State { moves: true, items: false };
        self.out.extend_from_slice(played.san);
        self.out.extend_from_slice(b"\",\"uci\":\"");
        let uci = short_uci(played.mv, self.chess960);
        self.out.extend_from_slice(&uci.bytes()[..uci.len()]);
        self.out.extend_from_slice(b"\",\"after\":[");
    }

    fn comment(&mut self, text: &str) {
        self.item();
        self.out.extend_from_slice(b"{\"comment\":");
        string(text, self.out);
        self.out.push(b'}');
    }

    fn nag(&mut self, number: u8) {
        self.item();
        self.out.extend_from_slice(format!("{{\"nag\":{number}}}").as_bytes());
    }

    fn unread(&mut self, token: Token) {
        self.item();
        self.out.extend_from_slice(b"{\"unread\":");
        string(&self.game.facts.text(token), self.out);
        self.out.push(b'}');
    }

    fn open(&mut self) {
        self.item();
        self.out.extend_from_slice(b"{\"variation\":{\"before\":[");
        self.lines.push(std::mem::take(&mut self.line));
    }

    fn close(&mut self) {
        self.end_line();
        self.out.extend_from_slice(b"}}");
        self.line = self.lines.pop().unwrap_or_default();
    }

    fn rest(&mut self, tokens: &[Token]) {
        self.rest = joined(&self.game.raw(tokens, true));
    }
}

fn optional(text: Option<&str>, out: &mut Vec<u8>) {
    match text {
        Some(text) => string(text, out),
        None => out.extend_from_slice(b"null"),
    }
}

/// Writes a string: only what must be escaped is.
fn string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    let mut from = 0;
    for (at, &byte) in text.as_bytes().iter().enumerate() {
        if byte >= b' ' && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.extend_from_slice(&text.as_bytes()[from..at]);
        from = at + 1;
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0x08 => out.extend_from_slice(b"\\b"),
            0x0c => out.extend_from_slice(b"\\f"),
            _ => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
        }
    }
    out.extend_from_slice(&text.as_bytes()[from..]);
    out.push(b'"');
}
