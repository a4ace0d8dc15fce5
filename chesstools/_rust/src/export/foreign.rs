//! Words that look like moves with letters of other languages. The counterpart of `looks_foreign` in
//! `chesstools/languages.py`.

/// The letters of men that English has not, each the first of its sign (`Gy` and `Кр` have two).
const FIRST: &str = "DTLSFCAHWGVJФЛСКпП王帅后後车車象马馬兵";

/// Whether a word begins with a letter of another language and a square, such as `Sf3` or `Dd1xd8+`.
pub fn looks_foreign(word: &str) -> bool {
    let mut signs = word.chars();
    let Some(first) = signs.next().filter(|first| FIRST.contains(*first)) else { return false };
    let rest = signs.as_str();
    let rest = match first {
        'G' => rest.strip_prefix('y').unwrap_or(rest),
        'К' => rest.strip_prefix('р').unwrap_or(rest),
        _ => rest,
    };
    let is_part = |byte: &&u8| matches!(byte, b'a'..=b'h' | b'1'..=b'8' | b'x' | b':' | b'-');
    let length = rest.as_bytes().iter().take(6).take_while(is_part).count();
    let bytes = rest.as_bytes();
    (2..=5).contains(&length) && matches!(bytes[length - 2..length], [b'a'..=b'h', b'1'..=b'8'])
}

#[cfg(test)]
mod tests {
    use super::looks_foreign;

    #[test]
    fn words() {
        let foreign = ["Sf3", "Dd1xd8+", "Gyf3", "Gf3", "Крe2", "Кf3!", "马f3", "Sbd7"];
        assert!(foreign.iter().all(|word| looks_foreign(word)));
        let others = ["Nf3", "Bf3", "S", "", "Sf", "Sf9", "Side", "Kyf3", "Sa1xb2c3", "Sf3a", "♘f3", "sf3"];
        assert!(!others.iter().any(|word| looks_foreign(word)));
    }
}
