//! Filling in a finding: its token, its position, its evidence.

use std::borrow::Cow;

use crate::runs::Occurrences;
use crate::text::first_chars;
use crate::types::{Finding, Severity, Value};

/// Tokens are cut to this many characters in findings; the span is exact all the same.
pub const MAX_TOKEN_CHARS: usize = 200;

/// What `Facts::add` gives back, to be filled.
impl Finding {
    /// One that nobody reads.
    pub(crate) fn unread(code: &'static str) -> Finding {
        Finding {
            code,
            severity: Severity::Info,
            ply: None,
            line: 0,
            byte_offset: 0,
            byte_length: 0,
            variation: None,
            token: None,
            fen: None,
            evidence: Vec::new(),
        }
    }

    /// What is shown as the token, in place of the text of the span.
    pub fn token(&mut self, text: impl AsRef<str>) -> &mut Finding {
        self.token = Some(first_chars(text.as_ref(), MAX_TOKEN_CHARS).to_owned());
        self
    }

    /// The position before the move.
    pub fn fen(&mut self, fen: String) -> &mut Finding {
        self.fen = Some(fen);
        self
    }

    pub fn severity(&mut self, severity: Severity) -> &mut Finding {
        self.severity = severity;
        self
    }

    /// One more piece of evidence.
    pub fn with(&mut self, name: &'static str, value: impl Into<Value>) -> &mut Finding {
        self.evidence.push((name, value.into()));
        self
    }

    /// The same for a word that is always there.
    pub fn with_word(&mut self, name: &'static str, word: &'static str) -> &mut Finding {
        self.evidence.push((name, Value::Text(Cow::Borrowed(word))));
        self
    }

    /// One more piece of evidence, where it is known.
    pub fn with_known<V: Into<Value>>(&mut self, name: &'static str, value: Option<V>) -> &mut Finding {
        if let Some(value) = value {
            self.evidence.push((name, value.into()));
        }
        self
    }

    /// Where a position stood, and how often in all where not all of it is listed.
    pub fn with_occurrences(&mut self, occurrences: Occurrences) -> &mut Finding {
        self.with("occurrences", occurrences.first).with_known("stood", occurrences.all)
    }

    /// More evidence.
    pub fn with_all(&mut self, evidence: Vec<(&'static str, Value)>) -> &mut Finding {
        self.evidence.extend(evidence);
        self
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned().into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text.into())
    }
}

impl From<&Cow<'_, str>> for Value {
    fn from(text: &Cow<'_, str>) -> Value {
        Value::Text(text.to_string().into())
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Int(number)
    }
}

impl From<i32> for Value {
    fn from(number: i32) -> Value {
        Value::Int(i64::from(number))
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Value {
        Value::Int(i64::from(number))
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Value {
        Value::Int(number as i64)
    }
}

impl From<Vec<i32>> for Value {
    fn from(numbers: Vec<i32>) -> Value {
        Value::Ints(numbers)
    }
}

impl From<Vec<String>> for Value {
    fn from(texts: Vec<String>) -> Value {
        Value::Texts(texts)
    }
}
