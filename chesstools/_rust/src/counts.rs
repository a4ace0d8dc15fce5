//! Counts of what was read and found: the numbers of `SourceSummary` in `chesstools/summary.py`.

use crate::plain::clean::Clean;
use crate::record::GameRecord;
use crate::severities::severity_of;
use crate::types::{Finding, Severity};

/// How often each of a few words was seen, in the order in which they were seen first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally(Vec<(&'static str, u64)>);

impl Tally {
    pub fn add(&mut self, word: &'static str) {
        match self.0.iter_mut().find(|(other, _)| *other == word) {
            Some((_, count)) => *count += 1,
            None => self.0.push((word, 1)),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.0.iter().copied()
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub games: u64,
    pub game_bytes: u64,
    pub quarantined_regions: u64,
    pub quarantined_bytes: u64,
    /// Mainline plies replayed.
    pub plies: u64,
    pub unclaimed_draws: u64,
    pub results: Tally,
    pub draws_by_reason: Tally,
    /// Selected findings by code.
    pub findings: Tally,
    /// Those of `findings` that have not the severity of their rule.
    pub other_severity: Tally,
    /// Selected findings by severity.
    pub severities: [u64; 3],
}

impl Counts {
    pub fn add_game(&mut self, game: &GameRecord) {
        self.games += 1;
        self.game_bytes += game.byte_length;
        self.plies += game.plies.len() as u64;
        self.add_result(game.ending.result.unwrap_or("?"), game.ending.reason);
        self.unclaimed_draws += u64::from(game.ending.unclaimed_draw == Some(true));
    }

    pub fn add_clean(&mut self, game: Clean) {
        self.games += 1;
        self.game_bytes += game.bytes as u64;
        self.plies += u64::from(game.plies);
        self.add_result(game.result, None);
    }

    fn add_result(&mut self, result: &'static str, reason: Option<&'static str>) {
        self.results.add(result);
        if result == "1/2-1/2" {
            self.draws_by_reason.add(reason.unwrap_or("not stated"));
        }
    }

    pub fn add_quarantine(&mut self, bytes: usize) {
        self.quarantined_regions += 1;
        self.quarantined_bytes += bytes as u64;
    }

    pub fn add_finding(&mut self, finding: &Finding) {
        self.findings.add(finding.code);
        if finding.severity != severity_of(finding.code) {
            self.other_severity.add(finding.code);
        }
        self.severities[finding.severity as usize] += 1;
    }

    /// Games and quarantined regions.
    pub fn regions(&self) -> u64 {
        self.games + self.quarantined_regions
    }

    /// Selected findings by the name of their severity, those that were found.
    pub fn severities(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        let all = [Severity::Info, Severity::Warning, Severity::Error];
        all.into_iter().map(|severity| (severity.name(), self.severities[severity as usize])).filter(|(_, count)| *count > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted() {
        let mut tally = Tally::default();
        ["1-0", "*", "1-0"].into_iter().for_each(|word| tally.add(word));
        assert_eq!(tally.iter().collect::<Vec<_>>(), [("1-0", 2), ("*", 1)]);
    }
}
