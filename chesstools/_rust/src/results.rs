//! The two places of a game's result, the Result tag and the termination marker.
//! The counterpart of `chesstools/reference/results.py`.

use crate::endings::{last, Judgement, DRAW};
use crate::facts::Facts;
use crate::lexer::Token;
use crate::record::Ending;
use crate::replay::{is_comment, is_filler};
use crate::tags::Name;
use crate::text::trim;
use crate::types::Place;
use crate::values::normalise_result;

impl Judgement<'_, '_> {
    /// The two places of the result: each one of four tokens (E541), and the same (E542); text behind it (P108).
    pub fn results(&self, facts: &mut Facts, marker: Option<Token>, ending: &mut Ending) {
        let nowhere = Place::default();
        let tag = self.tags.tag(Name::Result).map(|tag| &*tag.value);
        let mut marked = None;
        match marker {
            None => {
                let finding = facts.add("P109", last(self.tokens), &nowhere);
                finding.with_known("expected", tag);
            }
            Some(marker) => {
                let text = facts.text(marker);
                marked = normalise_result(&text);
                if !is_standard(&text) {
                    facts.add("E541", marker, &nowhere).with("place", "marker").with_known("expected", marked);
                }
                if let Some(tag) = tag.filter(|tag| *tag != text && !trim(tag).is_empty() && !same_result(tag, &text)) {
                    facts.add("E542", marker, &nowhere).with("expected", tag).with("found", &text);
                }
                self.behind(facts);
            }
        }
        let value = tag.and_then(normalise_result);
        if let Some(tag) = tag.filter(|tag| !is_standard(tag)) {
            let token = self.tags.token(Name::Result).expect("the tag is there");
            facts.add("E541", token, &nowhere).token(tag).with("place", "tag").with_known("expected", value);
        }
        ending.result = match value {
            None | Some("*") => marked.or(value),
            _ => value,
        };
    }

    /// Text behind the termination marker (P108).
    fn behind(&self, facts: &mut Facts) {
        let behind = &self.tokens[self.terminator.map_or(0, |at| at + 1)..];
        let mut solid = behind.iter().filter(|token| !is_filler(token.kind) && !is_comment(token.kind));
        if let Some(first) = solid.next() {
            let count = 1 + solid.count();
            facts.add("P108", *first, &Place::default()).with("count", count);
        }
    }
}

fn is_standard(text: &str) -> bool {
    matches!(text, "1-0" | "0-1" | DRAW | "*")
}

fn same_result(tag: &str, marker: &str) -> bool {
    match (normalise_result(tag), normalise_result(marker)) {
        (None, None) => trim(tag) == marker,
        (one, other) => one == other,
    }
}
