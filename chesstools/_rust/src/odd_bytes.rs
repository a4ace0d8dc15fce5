//! Bytes that do not belong into a text (P101).

use crate::facts::Facts;
use crate::lexer::{Kind, Token};
use crate::types::Place;

/// Tag pairs, and what is reported as odd bytes.
#[inline(always)]
pub fn is_special(kind: Kind) -> bool {
    const MASK: u32 = 1 << Kind::Tag as u32
        | 1 << Kind::BadTag as u32
        | 1 << Kind::Nul as u32
        | 1 << Kind::Bom as u32
        | 1 << Kind::Invisible as u32;
    MASK >> (kind as u32 & 31) & 1 != 0
}

/// Bytes that are not UTF-8, and NULs, byte order marks and invisible blanks (P101): each kind once.
pub fn check_bytes(facts: &mut Facts, tokens: &[Token]) {
    let nowhere = Place::default();
    if let Some((start, end)) = facts.utf8_fault() {
        let name = facts.encoding.name();
        let data = facts.data();
        let text = facts.encoding.decode(&data[start..end]).into_owned();
        let count = data.iter().filter(|byte| **byte >= 0x80).count();
        let base = facts.start();
        let span = Token { kind: Kind::Word, start: base + start as u32, end: base + end as u32 };
        facts.add("P101", span, &nowhere).token(text).with("found", name).with("count", count);
    }
    if !tokens.iter().any(|token| matches!(token.kind, Kind::Nul | Kind::Bom | Kind::Invisible)) {
        return;
    }
    for (kind, found) in [(Kind::Nul, "nul"), (Kind::Bom, "bom"), (Kind::Invisible, "invisible")] {
        let is_meant = |token: &&Token| token.kind == kind && !(kind == Kind::Bom && facts.offset_of(token.start) == 0);
        let Some(first) = tokens.iter().find(is_meant).copied() else { continue };
        let meant = tokens.iter().filter(is_meant);
        let count: usize =
            if kind == Kind::Nul { meant.map(|token| (token.end - token.start) as usize).sum() } else { meant.count() };
        facts.add("P101", first, &nowhere).with("found", found).with("count", count);
    }
}
