//! How bad findings are by default. The catalogue (`chesstools/rules.toml`) is the source; a test compares.

use crate::types::Severity;

/// The default severity of an active code.
pub fn severity_of(code: &str) -> Severity {
    match code {
        "P112" | "P113" | "T125" | "T126" | "F211" | "F221" | "M390" | "M391" | "N402" | "N403" | "N404" | "N406" | "N407"
        | "D601" | "D602" | "D603" | "D605" | "D611" | "D612" | "D620" | "E543" | "C705" | "A801" | "A802" | "A803" | "G950"
        | "G951" => Severity::Info,
        "P101" | "P105" | "P106" | "P107" | "P109" | "P111" | "T120" | "T121" | "T122" | "T123" | "T124" | "F202" | "F208"
        | "F213" | "F220" | "F230" | "N405" | "N420" | "N421" | "E513" | "E514" | "E515" | "E520" | "E525" | "E533" | "E534"
        | "D621" | "C701" | "C702" | "C703" | "C704" | "C706" | "A860" => Severity::Warning,
        _ => Severity::Error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Code, severity and whether it is active, of every rule in the catalogue.
    fn catalogue() -> Vec<(String, String, bool)> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../rules.toml");
        let text = std::fs::read_to_string(path).expect("the catalogue stands beside the crate");
        let mut rules = Vec::new();
        // Tables of rules are `[X000]`; their keys come before those of tables inside them. Long text cannot begin a line with
        // either key and a quote behind it.
        for line in text.lines() {
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                if name.len() == 4 && name[1..].bytes().all(|sign| sign.is_ascii_digit()) {
                    rules.push((name.to_owned(), String::new(), false));
                }
            } else if let (Some(value), Some(rule)) = (line.strip_prefix("severity = "), rules.last_mut()) {
                rule.1 = value.trim_matches('"').to_owned();
            } else if let ("active = true", Some(rule)) = (line, rules.last_mut()) {
                rule.2 = true;
            }
        }
        rules
    }

    #[test]
    fn as_in_the_catalogue() {
        let rules = catalogue();
        assert!(rules.iter().filter(|rule| rule.2).count() > 80);
        for (code, severity, _) in rules.iter().filter(|rule| rule.2) {
            assert_eq!(severity_of(code).name(), severity, "{code}");
        }
    }
}
