//! Which profile a game gets: the one that was asked for, or by its Site, Mode, Event and Date tags.
//! The counterpart of `chesstools/profile_choice.py`.

use crate::profile::Profile;
use crate::tags::{Name, Tags};
use crate::values::parse_date;

/// The profile of a game, as a place in `ProfileChoice::profiles`, and why it is that one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    pub profile: usize,
    pub reason: &'static str,
}

impl Chosen {
    /// Whether it is known that these rules were in force.
    pub fn certain(self) -> bool {
        !matches!(self.reason, "date-unknown" | "date-incomplete")
    }
}

/// A profile, and the tags that choose it.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub profile: Profile,
    pub sites: Vec<String>,
    pub modes: Vec<String>,
    pub events: Vec<String>,
    /// What it was before some days, as places in `candidates`; the earliest day first.
    pub earlier: Vec<(u32, usize)>,
}

/// Chooses a profile for each game.
#[derive(Clone, Debug)]
pub struct ProfileChoice {
    candidates: Vec<Candidate>,
    dates: Option<Dates>,
    /// The tags of the game before and what they hinted at: most games have the same.
    before: [String; 3],
    hinted: Option<Chosen>,
}

/// What the date of a game chooses, as places in `candidates`; days are written as 20230101.
#[derive(Clone, Debug)]
pub struct Dates {
    /// First days, in order.
    pub editions: Vec<(u32, usize)>,
    pub undated: usize,
    pub earlier: usize,
}

impl From<Profile> for Candidate {
    /// No tag chooses it.
    fn from(profile: Profile) -> Candidate {
        Candidate { profile, sites: Vec::new(), modes: Vec::new(), events: Vec::new(), earlier: Vec::new() }
    }
}

impl From<Profile> for ProfileChoice {
    /// Every game gets this one.
    fn from(profile: Profile) -> ProfileChoice {
        ProfileChoice { candidates: vec![profile.into()], dates: None, before: Default::default(), hinted: None }
    }
}

impl ProfileChoice {
    /// Every game gets the first of `candidates`, or what that was before some day.
    pub fn option(candidates: Vec<Candidate>) -> ProfileChoice {
        ProfileChoice { candidates, dates: None, before: Default::default(), hinted: None }
    }

    /// Each game gets one of `candidates`.
    pub fn automatic(candidates: Vec<Candidate>, dates: Dates) -> ProfileChoice {
        ProfileChoice { candidates, dates: Some(dates), before: Default::default(), hinted: None }
    }

    pub fn profile(&self, chosen: Chosen) -> &Profile {
        &self.candidates[chosen.profile].profile
    }

    /// The profile of what nothing is known of.
    pub fn undated(&self) -> &Profile {
        &self.candidates[self.dates.as_ref().map_or(0, |dates| dates.undated)].profile
    }

    /// The least halfmove clock at which the 50-move rule can matter under any of the profiles.
    pub fn fifty_from(&self) -> u32 {
        self.candidates.iter().map(|candidate| candidate.profile.fifty_from()).min().unwrap_or(0)
    }

    /// The profile of the game with these tags, as it was on its day.
    pub fn choose(&mut self, tags: &Tags) -> Chosen {
        if self.dates.is_none() {
            return self.as_it_was(Chosen { profile: 0, reason: "option" }, tags);
        }
        let now = [Name::Site, Name::Mode, Name::Event].map(|name| tags.get(name).unwrap_or(""));
        if now != self.before {
            self.hinted = self.hint(now);
            for (before, now) in self.before.iter_mut().zip(now) {
                before.clear();
                before.push_str(now);
            }
        }
        let chosen = self.hinted.unwrap_or_else(|| self.by_date(days(tags)));
        self.as_it_was(chosen, tags)
    }

    /// Where several days are possible the latest one counts, and where none is known the profile as it is now.
    fn as_it_was(&self, chosen: Chosen, tags: &Tags) -> Chosen {
        let earlier = &self.candidates[chosen.profile].earlier;
        if earlier.is_empty() {
            return chosen;
        }
        let Some((_, latest)) = days(tags) else { return chosen };
        let was = earlier.iter().find(|(before, _)| latest < *before);
        was.map_or(chosen, |(_, profile)| Chosen { profile: *profile, ..chosen })
    }

    #[inline(never)]
    fn hint(&self, [site, mode, event]: [&str; 3]) -> Option<Chosen> {
        let find = |reason, fits: &dyn Fn(&Candidate) -> bool| {
            self.candidates.iter().position(fits).map(|profile| Chosen { profile, reason })
        };
        let mode = mode.trim_matches([' ', '\t']);
        find("site", &|candidate| names_site(site, &candidate.sites))
            .or_else(|| find("mode", &|candidate| candidate.modes.iter().any(|word| mode.eq_ignore_ascii_case(word))))
            .or_else(|| find("event", &|candidate| candidate.events.iter().any(|word| has_word(event, word))))
    }

    fn by_date(&self, days: Option<(u32, u32)>) -> Chosen {
        let dates = self.dates.as_ref().expect("the choice is automatic");
        let Some((first, latest)) = days else { return Chosen { profile: dates.undated, reason: "date-unknown" } };
        let (first, latest) = (dates.on(first), dates.on(latest));
        if first != latest {
            return Chosen { profile: latest, reason: "date-incomplete" };
        }
        let reason = if first == dates.earlier { "before-1985" } else { "date" };
        Chosen { profile: first, reason }
    }
}

/// The first and the last day that the first of the tags to name a year leaves open.
fn days(tags: &Tags) -> Option<(u32, u32)> {
    let mut dates = [Name::Date, Name::UtcDate].into_iter().filter_map(|name| parse_date(tags.get(name)?));
    dates.find_map(|date| {
        let (year, month, day) = (date.year?, date.month, date.day.filter(|_| date.month.is_some()));
        let on = |month: i8, day: i8| 10_000 * year as u32 + 100 * month as u32 + day as u32;
        Some((on(month.unwrap_or(1), day.unwrap_or(1)), on(month.unwrap_or(12), day.unwrap_or(31))))
    })
}

impl Dates {
    /// The edition in force on a day.
    fn on(&self, day: u32) -> usize {
        let behind = self.editions.partition_point(|(first, _)| *first <= day);
        behind.checked_sub(1).map_or(self.earlier, |at| self.editions[at].1)
    }
}

/// Whether a Site tag names a host of `patterns`, and none of those that have `!` before them.
fn names_site(site: &str, patterns: &[String]) -> bool {
    let names = |pattern: &str| {
        finds(site, pattern, |before, behind| {
            let follows = match behind {
                [b'.', next, ..] => next.is_ascii_alphanumeric(),
                [next, ..] => is_of_host(*next),
                [] => false,
            };
            !before.is_some_and(is_of_host) && (pattern.ends_with('/') || !follows)
        })
    };
    let is_not = |pattern: &String| pattern.strip_prefix('!').is_some_and(names);
    patterns.iter().any(|pattern| !pattern.starts_with('!') && names(pattern)) && !patterns.iter().any(is_not)
}

fn is_of_host(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

/// Whether `text` holds `word` with no letters or digits around it.
fn has_word(text: &str, word: &str) -> bool {
    let is_of_word = |byte: u8| byte.is_ascii_alphanumeric();
    finds(text, word, |before, behind| !before.is_some_and(is_of_word) && !behind.first().copied().is_some_and(is_of_word))
}

/// Whether `part` stands somewhere in `text`, in capital or small letters from a to z, where what is before and behind it `fits`.
fn finds(text: &str, part: &str, fits: impl Fn(Option<u8>, &[u8]) -> bool) -> bool {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    let Some(&first) = part.first() else { return fits(None, text) };
    (0..(text.len() + 1).saturating_sub(part.len())).any(|at| {
        text[at].eq_ignore_ascii_case(&first) && text[at..at + part.len()].eq_ignore_ascii_case(part) && {
            let before = at.checked_sub(1).map(|before| text[before]);
            fits(before, &text[at + part.len()..])
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites() {
        let patterns = ["lichess.org".to_owned(), "!lichess.org/study/".to_owned()];
        for (site, expected) in [
            ("https://lichess.org/abcd1234", true),
            ("LICHESS.ORG", true),
            ("www.lichess.org.", true),
            ("lichess.org INT", true),
            ("xlichess.org", false),
            ("lichess.org.uk", false),
            ("lichess.organisation", false),
            ("https://lichess.org/study/abcd", false),
            ("", false),
        ] {
            assert_eq!(names_site(site, &patterns), expected, "{site}");
        }
    }

    #[test]
    fn words() {
        assert!(has_word("WC/iccf/12", "ICCF"));
        assert!(!has_word("ICCFX", "ICCF"));
        assert!(!has_word("ICC", "ICCF"));
        assert!(has_word("xUSCF USCF", "USCF"));
    }
}
