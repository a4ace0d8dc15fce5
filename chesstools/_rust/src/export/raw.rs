//! Text that means nothing, as its tokens stood.

use super::game::Game;
use crate::lexer::{Kind, Token};
use crate::rows_plies::comment_text;

/// A part of such text; between two parts stands a blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Raw {
    /// Tokens that stood side by side.
    Text(String),
    Comment(String),
}

impl Game<'_> {
    /// The text of some tokens. `is_rest` says that brackets that it leaves open are closed; behind a result the move number 1 is
    /// left out, as it would begin a game.
    pub fn raw(&self, tokens: &[Token], is_rest: bool) -> Vec<Raw> {
        let mut parts = Vec::new();
        let mut behind = None;
        let mut depth = 0usize;
        for &token in tokens {
            match token.kind {
                kind if kind.is_filler() || kind.is_tag() => continue,
                kind if kind.is_comment() => {
                    let text = comment_text(self.facts, token);
                    if !text.is_empty() {
                        parts.push(Raw::Comment(text.into_owned()));
                    }
                    behind = None;
                    continue;
                }
                Kind::Open => depth += 1,
                Kind::Close => depth = depth.saturating_sub(1),
                _ => {}
            }
            let text = self.facts.text(token);
            if !is_rest && token.kind == Kind::Number && is_one(&text) {
                behind = None;
                continue;
            }
            match parts.last_mut() {
                Some(Raw::Text(before)) if behind == Some(token.start) => before.push_str(&text),
                _ => parts.push(Raw::Text(text.into_owned())),
            }
            behind = Some(token.end);
        }
        if is_rest && depth > 0 {
            let brackets = ")".repeat(depth);
            match parts.last_mut() {
                Some(Raw::Text(before)) if !before.ends_with("(=") => before.push_str(&brackets),
                _ => parts.push(Raw::Text(brackets)),
            }
        }
        parts
    }
}

/// Whether a move number is that of the first move.
fn is_one(text: &str) -> bool {
    text.trim_end_matches(['.', '…']) == "1"
}

/// Whether a comment can only be written up to the end of a line.
pub fn needs_line(comment: &str) -> bool {
    memchr::memchr2(b'{', b'}', comment.as_bytes()).is_some()
}

/// The parts in one text; None where there are none.
pub fn joined(parts: &[Raw]) -> Option<String> {
    let mut text = String::new();
    for (number, part) in parts.iter().enumerate() {
        if number > 0 && !text.ends_with('\n') {
            text.push(' ');
        }
        match part {
            Raw::Text(part) => text.push_str(part),
            Raw::Comment(comment) if needs_line(comment) => {
                text.push_str("; ");
                text.push_str(comment);
                text.push('\n');
            }
            Raw::Comment(comment) => {
                text.push_str("{ ");
                text.push_str(comment);
                text.push_str(" }");
            }
        }
    }
    (!parts.is_empty()).then_some(text)
}
