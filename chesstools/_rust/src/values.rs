//! Values of tags: dates, ratings, results, terminations. What cannot be read is None, never a guess.
//! The counterpart of `chesstools/reference/values.py`.

use std::borrow::Cow;

use crate::text::trim;

/// A rating above this is not one (the best engines are rated below it).
pub const MAX_ELO: i16 = 4000;

/// A date as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Date {
    pub year: Option<i16>,
    pub month: Option<i8>,
    pub day: Option<i8>,
}

impl Date {
    /// Days since 1970-01-01, where all of the date is known.
    pub fn days(self) -> Option<i32> {
        let (year, month, day) = (i32::from(self.year?), i32::from(self.month?), i32::from(self.day?));
        // Years that begin in March have their leap day at the end.
        let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
        let of_year = (153 * month + 2) / 5 + day - 1;
        Some(365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year - 719_468)
    }
}

fn days_in(year: i16, month: i8) -> i8 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The number that digits write; None where they are question marks. `Err` where they are neither.
fn digits_or_unknown(part: &[u8]) -> Result<Option<i16>, ()> {
    if part.iter().all(|&sign| sign == b'?') {
        return Ok(None);
    }
    part.iter()
        .try_fold(0, |number, sign| sign.is_ascii_digit().then(|| number * 10 + i16::from(sign - b'0')))
        .map(Some)
        .ok_or(())
}

/// A PGN date (YYYY.MM.DD with ?? for what is not known); None where it is not one, or no day of the calendar.
pub fn parse_date(text: &str) -> Option<Date> {
    let text = trim(text).as_bytes();
    if text.len() != 10 || text[4] != b'.' || text[7] != b'.' {
        return None;
    }
    let year = digits_or_unknown(&text[..4]).ok()?;
    let month = digits_or_unknown(&text[5..7]).ok()?.map(|month| month as i8);
    let day = digits_or_unknown(&text[8..]).ok()?.map(|day| day as i8);
    // An unknown year may be a leap year, an unknown month may have 31 days.
    let longest = days_in(year.unwrap_or(2000), month.unwrap_or(1));
    let possible = year != Some(0)
        && month.is_none_or(|month| (1..=12).contains(&month))
        && day.is_none_or(|day| (1..=longest).contains(&day));
    possible.then_some(Date { year, month, day })
}

/// Whether a tag value says that the value is not known: missing, empty, `?` or `-`.
pub fn is_unknown(text: Option<&str>) -> bool {
    text.is_none_or(|text| matches!(trim(text), "" | "?" | "-"))
}

/// A rating from 1 to `MAX_ELO`; None where it is not one.
pub fn parse_elo(text: &str) -> Option<i16> {
    let text = trim(text);
    if text.len() > 4 {
        return None;
    }
    let digit = |sign: u8| sign.is_ascii_digit().then(|| i16::from(sign - b'0'));
    let elo = text.bytes().try_fold(0, |number, sign| Some(10 * number + digit(sign)?))?;
    (1..=MAX_ELO).contains(&elo).then_some(elo)
}

/// A result in its standard spelling; None where it is none of the four (as `0-0`, both lose).
pub fn normalise_result(text: &str) -> Option<&'static str> {
    let text = trim(text);
    spelled(text).or_else(|| spelled(&plain_signs(text)))
}

fn spelled(text: &str) -> Option<&'static str> {
    Some(match text {
        "1-0" | "+--" => "1-0",
        "0-1" | "--+" => "0-1",
        "1/2-1/2" | "1/2" => "1/2-1/2",
        "*" => "*",
        _ => return None,
    })
}

/// `text` with `-` for all kinds of dashes and for the colon, and `1/2` for all kinds of halves.
fn plain_signs(text: &str) -> Cow<'_, str> {
    // No result is as long as that, however it is written.
    if text.len() > 32 {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(2 * text.len());
    for sign in text.chars() {
        match sign {
            '‐'..='―' | '−' | ':' | '\u{96}' | '\u{97}' => plain.push('-'),
            '½' => plain.push_str("1/2"),
            _ => plain.push(sign),
        }
    }
    Cow::Owned(plain.replace("0.5", "1/2").replace("0,5", "1/2"))
}

/// Whether a Termination tag is one that programs write, and the reason it gives (None: it gives none).
pub fn parse_termination(text: &str) -> (bool, Option<&'static str>) {
    let text = trim(text);
    // Most tags say one of these, spelled like this.
    if text == "Normal" || text == "normal" {
        return (true, None);
    }
    match known_termination(text.as_bytes()) {
        Some("") => (true, None),
        Some(reason) => (true, Some(reason)),
        None => (false, None),
    }
}

/// The reason that a Termination tag gives; empty where programs write this to give none.
fn known_termination(text: &[u8]) -> Option<&'static str> {
    let is = |wanted: &str| text.eq_ignore_ascii_case(wanted.as_bytes());
    // The name of a player may stand before it.
    let ends = |wanted: &str| {
        let (name, rest) = text.split_at(text.len().saturating_sub(wanted.len()));
        rest.eq_ignore_ascii_case(wanted.as_bytes()) && !name.contains(&b'\n')
    };
    Some(if is("normal") || is("unterminated") {
        ""
    } else if is("abandoned") || ends(" game abandoned") {
        "abandoned"
    } else if is("adjudication") || is("gui adjudication") || is("manual adjudication") {
        "adjudication"
    } else if is("death") {
        "death"
    } else if is("emergency") {
        "emergency"
    } else if is("rules infraction") || is("illegal move") {
        "rules_infraction"
    } else if is("time forfeit") || ends(" won on time") {
        "time"
    } else if is("stalled connection") || is("disconnect") {
        "disconnection"
    } else if ends(" won by checkmate") {
        "checkmate"
    } else if ends(" won by resignation") {
        "resignation"
    } else if is("game drawn by stalemate") {
        "stalemate"
    } else if is("game drawn by repetition") || is("3-fold rep") || is("3-fold repetition") {
        "threefold"
    } else if is("game drawn by agreement") || is("game drawn by mutual agreement") {
        "agreement"
    } else if is("game drawn by 50-move rule") || is("50-move rule") || is("fifty moves rule") {
        "fifty"
    } else if is("game drawn - timeout vs insufficient material") || is("game drawn by timeout vs insufficient material") {
        "timeout_v_insufficient_material"
    } else if is("game drawn - insufficient material") || is("game drawn by insufficient material") {
        "dead_position"
    } else {
        return None;
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(parse_date("1984.??.??"), Some(Date { year: Some(1984), month: None, day: None }));
        assert_eq!(parse_date("????.02.29"), Some(Date { year: None, month: Some(2), day: Some(29) }));
        for text in ["2023.02.30", "1900.02.29", "1999.00.00", "1999.01.00", "0000.01.01", "1999.1.1", "1999.13.01", "19?9.01.01"]
        {
            assert_eq!(parse_date(text), None, "{text}");
        }
        let days = |text| parse_date(text).unwrap().days();
        assert_eq!(days("1970.01.01"), Some(0));
        assert_eq!(days("2024.02.29"), Some(19_782));
        assert_eq!(days("0001.01.01"), Some(-719_162));
        assert_eq!(days("1970.01.??"), None);
    }

    #[test]
    fn ratings() {
        assert_eq!([" 2851 ", "abc", "99999", "0", "0007", "4001"].map(parse_elo), [Some(2851), None, None, None, Some(7), None]);
    }

    #[test]
    fn results() {
        let texts = ["½-½", "0.5-0.5", "1:0", "0–1", "0-0", "1/2", "0,5–0,5"];
        let half = Some("1/2-1/2");
        assert_eq!(texts.map(normalise_result), [half, half, Some("1-0"), Some("0-1"), None, half, half]);
    }

    #[test]
    fn terminations() {
        assert_eq!(parse_termination("TIME forfeit"), (true, Some("time")));
        assert_eq!(parse_termination("Ann won on time"), (true, Some("time")));
        assert_eq!(parse_termination("unterminated"), (true, None));
        assert_eq!(parse_termination("foo"), (false, None));
        let timeout = (true, Some("timeout_v_insufficient_material"));
        assert_eq!(parse_termination("Game drawn by timeout vs insufficient material"), timeout);
    }
}
