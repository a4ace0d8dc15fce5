//! Malformed tag pairs: what can still be read of them, and what is wrong with each. Part of the counterpart of
//! `chesstools/reference/tags.py`.

use std::borrow::Cow;

use crate::facts::Facts;
use crate::lexer::Token;
use crate::tags::unescaped;
use crate::text::{is_blank, trim};
use crate::types::Place;

type Pair<'a> = (Cow<'a, str>, Cow<'a, str>);

/// Name and value of a malformed tag pair, as far as they can be told; the form is reported in any case.
pub fn read<'a>(facts: &mut Facts<'a>, token: Token) -> Option<Pair<'a>> {
    let text = facts.text(token);
    let (reason, pair) = tell(&text);
    let owned = pair.map(|(name, value)| (Cow::Owned(name.to_owned()), Cow::Owned(value.into_owned())));
    facts.add("P104", token, &Place::default()).with("reason", reason);
    owned
}

fn tell(text: &str) -> (&'static str, Option<(&str, Cow<'_, str>)>) {
    if let Some((name, value)) = quoted(text) {
        if value.contains(['\r', '\n']) {
            ("line-break", Some((name, Cow::Owned(on_one_line(value)))))
        } else if !is_plain_name(name) {
            ("bad-name", Some((name, Cow::Borrowed(value))))
        } else if value.ends_with('\\') && !value.contains('"') {
            ("trailing-backslash", Some((name, Cow::Borrowed(value))))
        } else {
            ("unescaped-quote", Some((name, unescaped(value))))
        }
    } else if let Some((name, value)) = bare(text) {
        ("no-quotes", Some((name, Cow::Borrowed(value))))
    } else if !text.ends_with(']') {
        ("no-bracket", open(text).map(|(name, value)| (name, Cow::Borrowed(value))))
    } else if skip_spaces(text.strip_prefix('[').unwrap_or("")).starts_with(['"', ']']) {
        ("no-name", None)
    } else {
        ("bad-name", None)
    }
}

/// Whether a name has only the signs that names may have.
fn is_plain_name(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn skip_spaces(text: &str) -> &str {
    text.trim_start_matches([' ', '\t'])
}

/// The name behind the bracket, of whatever signs a name could have, and what stands behind it and spaces.
fn name_and_rest(text: &str) -> Option<(&str, &str)> {
    let text = skip_spaces(text.strip_prefix('[')?);
    let ends = |sign: char| sign.is_ascii() && (is_blank(sign as u8) || "[]\"{}();$%".contains(sign));
    let (name, rest) = text.split_at(text.find(ends).unwrap_or(text.len()));
    (!name.is_empty()).then(|| (name, skip_spaces(rest)))
}

/// `[name "value"]`, whatever stands in the value.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = name_and_rest(text)?;
    let inside = rest.strip_prefix('"')?.strip_suffix(']')?.trim_end_matches([' ', '\t']);
    Some((name, inside.strip_suffix('"')?))
}

/// `[Name value]`, with quotes at one end of the value at most.
fn bare(text: &str) -> Option<(&str, &str)> {
    let text = skip_spaces(text.strip_prefix('[')?).strip_suffix(']')?;
    let (name, rest) = text.split_at(text.find([' ', '\t'])?);
    let value = skip_spaces(rest);
    let named = name.starts_with(|sign: char| sign.is_ascii_alphabetic()) && is_plain_name(name);
    (named && !value.is_empty() && !value.contains(['\r', '\n'])).then(|| (name, trim(value).trim_matches('"')))
}

/// `[Name "value`: the bracket at the end is missing, and a quote may be; nothing else stands there.
fn open(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = name_and_rest(text)?;
    let rest = rest.strip_prefix('"')?;
    let (value, behind) = rest.split_once('"').unwrap_or((trim(rest), ""));
    (is_plain_name(name) && skip_spaces(behind).is_empty() && !rest.contains(['\r', '\n'])).then_some((name, value))
}

/// The lines of a value, without blanks at their ends, with one space between.
fn on_one_line(value: &str) -> String {
    let mut joined = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find(['\r', '\n']) {
        joined.push_str(trim(&rest[..at]));
        joined.push(' ');
        let behind = &rest[at..];
        rest = behind.strip_prefix("\r\n").unwrap_or(&behind[1..]);
    }
    joined + trim(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons() {
        let told = |text| {
            let (reason, pair) = tell(text);
            let (name, value) = pair.unwrap_or(("", "".into()));
            format!("{reason}: {name}={value}")
        };
        assert_eq!(told("[White \"A \"B\" C\"]"), "unescaped-quote: White=A \"B\" C");
        assert_eq!(told("[White \"A \r\n\n B\"]"), "line-break: White=A  B");
        assert_eq!(told("[Whi-te \"A\"]"), "bad-name: Whi-te=A");
        assert_eq!(told("[White \"A\\\"]"), "trailing-backslash: White=A\\");
        assert_eq!(told("[White A, B ]"), "no-quotes: White=A, B");
        assert_eq!(told("[White \"A"), "no-bracket: White=A");
        assert_eq!(told("[White \"A\" "), "no-bracket: White=A");
        assert_eq!(told("[White \"A\"] B"), "no-bracket: =");
        assert_eq!(told("[ \"A\"]"), "no-name: =");
        assert_eq!(told("[]"), "no-name: =");
    }
}
