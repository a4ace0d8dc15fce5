//! Counters of a position that are written as EPD operations. Part of the counterpart of `chesstools/reference/fen.py`.

/// The EPD operations that stand for the counters, and what stands around them.
pub struct Operations<'t> {
    pub hmvc: Option<&'t str>,
    pub fmvn: Option<&'t str>,
    pub others: Vec<&'t str>,
}

impl<'t> Operations<'t> {
    /// Finds `hmvc 12;` and `fmvn 40;`, the semicolon being optional; None where there is neither.
    pub fn find(text: &'t str) -> Option<Operations<'t>> {
        let mut found = Operations { hmvc: None, fmvn: None, others: Vec::new() };
        let mut done = 0;
        let mut at = 0;
        while let Some(step) = text[at..].find(['h', 'f']) {
            at += step;
            match Operations::at(text, at) {
                Some((name, number, end)) => {
                    match name {
                        "hmvc" => found.hmvc = Some(number),
                        _ => found.fmvn = Some(number),
                    }
                    found.others.push(&text[done..at]);
                    done = end;
                    at = end;
                }
                None => at += 1,
            }
        }
        found.others.push(&text[done..]);
        (found.others.len() > 1).then_some(found)
    }

    /// Name, number and end of the operation that begins at `at`.
    fn at(text: &'t str, at: usize) -> Option<(&'t str, &'t str, usize)> {
        if at > 0 && text.as_bytes()[at - 1] != b' ' {
            return None;
        }
        let name = text.get(at..at + 4).filter(|name| matches!(*name, "hmvc" | "fmvn"))?;
        let behind = text[at + 4..].trim_start_matches(' ');
        let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 || !text[at + 4..].starts_with(' ') {
            return None;
        }
        let (number, behind) = behind.split_at(digits);
        let behind = behind.trim_start_matches(' ');
        let behind = behind.strip_prefix(';').unwrap_or(behind);
        Some((name, number, text.len() - behind.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters() {
        let found = Operations::find("p w - - hmvc  3; fmvn 40").unwrap();
        assert_eq!((found.hmvc, found.fmvn, found.others), (Some("3"), Some("40"), vec!["p w - - ", " ", ""]));
        let found = Operations::find("hmvc 1 hmvc 2;x").unwrap();
        assert_eq!((found.hmvc, found.fmvn, found.others), (Some("2"), None, vec!["", "", "x"]));
        assert!(Operations::find("p w - - xhmvc 3; hmvc; fmvn x").is_none());
    }
}
