//! Where a game starts and by which rules: from the tags FEN, SetUp and Variant. The counterpart of
//! `chesstools/reference/start.py`; games by other rules than standard chess and Chess960 are left to that.

use std::sync::LazyLock;

use crate::board::Board;
use crate::facts::Facts;
use crate::fen::read_fen;
use crate::tags::{Name, Tags};
use crate::text::words;
use crate::types::{Color, Place};

/// The rules that a game is played by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    Standard,
    Chess960,
    /// A variant that only the readable engine knows.
    Other(&'static str),
}

impl Rules {
    /// The name, as in the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Rules::Standard => "standard",
            Rules::Chess960 => "chess960",
            Rules::Other(name) => name,
        }
    }
}

pub struct Start {
    /// None where no game can be played: the FEN does not allow it, or the variant is not known (or not known here).
    pub board: Option<Board>,
    /// None where the variant is not known.
    pub rules: Option<Rules>,
    /// The start position as it can be shown, where no game can be played from it.
    pub only_shown: Option<Board>,
    /// Whether the position comes from a FEN tag; else it is the usual array.
    pub from_fen: bool,
}

impl Start {
    /// The start position as it can be shown.
    pub fn shown(&self) -> Option<&Board> {
        self.board.as_ref().or(self.only_shown.as_ref())
    }

    fn without_board(rules: Option<Rules>) -> Start {
        Start { board: None, rules, only_shown: None, from_fen: false }
    }
}

/// The usual array: most games start from it.
pub static ARRAY: LazyLock<Board> = LazyLock::new(|| Board::start(false));

/// The same as text.
pub const ARRAY_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const STANDARD: [&str; 10] = ["", "?", "-", "standard", "normal", "chess", "from position", "fromposition", "regular", "none"];

/// Variants by all their names, the first of which is the one in the tables.
const VARIANTS: [&[&str]; 10] = [
    &["standard", "chess", "classical", "normal", "illegal", "from position"],
    &["suicide", "suicide chess"],
    &["giveaway", "giveaway chess", "give away", "give away chess"],
    &["antichess", "anti chess", "anti"],
    &["atomic", "atom", "atomic chess"],
    &["kingofthehill", "king of the hill", "koth"],
    &["racingkings", "racing kings", "racing", "race"],
    &["horde", "horde chess"],
    &["3check", "three-check", "three check", "threecheck", "three check chess", "3-check", "3 check"],
    &["crazyhouse", "crazy house", "house", "zh"],
];

/// The start position, with findings on the FEN and Variant tags. Tag order does not matter.
///
/// Where the rules are `Rules::Other`, nothing has been reported and the game is for the readable engine.
pub fn read_start(facts: &mut Facts, tags: &Tags) -> Start {
    let variant = tags.tag(Name::Variant);
    let (rules, named) = match variant {
        None => (Some(Rules::Standard), false),
        Some(tag) => {
            let name = words(&tag.value.replace('_', " ")).collect::<Vec<_>>().join(" ").to_lowercase();
            (rules_of(&name), !name.is_empty())
        }
    };
    let chess960 = rules == Some(Rules::Chess960);
    match (rules, variant) {
        (None, Some(tag)) => {
            facts.add("F221", tag.token, &Place::default()).with("found", &tag.value);
            return Start::without_board(None);
        }
        (Some(Rules::Other(_)), _) => return Start::without_board(rules),
        _ => (),
    }
    let Some(fen) = tags.tag(Name::Fen) else {
        let board = Board { chess960, ..ARRAY.clone() };
        return Start { board: Some(board), rules, only_shown: None, from_fen: false };
    };
    let setup = read_fen(&fen.value, chess960);
    for problem in setup.problems {
        let shown = problem.token.as_deref().unwrap_or(&fen.value);
        let finding = facts.add(problem.code, fen.token, &Place::default()).token(shown).with_all(problem.evidence);
        if let Some(severity) = problem.severity {
            finding.severity(severity);
        }
    }
    let chess960 = chess960 || setup.board.as_ref().is_some_and(|board| board.chess960);
    let rules = if chess960 { Rules::Chess960 } else { Rules::Standard };
    if let (Some(board), false) = (&setup.board, named) {
        check_array(facts, tags, board);
    }
    Start { board: setup.board, rules: Some(rules), only_shown: setup.only_shown, from_fen: true }
}

/// The rules that a Variant tag names, written in lower case with single blanks; None where no one knows them.
fn rules_of(name: &str) -> Option<Rules> {
    if is_chess960(name) {
        return Some(Rules::Chess960);
    }
    if STANDARD.contains(&name) {
        return Some(Rules::Standard);
    }
    // Chess960 start positions exist for other variants too.
    let name = name.strip_suffix("960").map_or(name, |name| name.strip_suffix(' ').unwrap_or(name));
    let names = VARIANTS.iter().find(|names| names.contains(&name))?;
    Some(if names[0] == "standard" { Rules::Standard } else { Rules::Other(names[0]) })
}

/// `name` without one `sign` at its beginning.
fn skip(name: &str, sign: char) -> &str {
    name.strip_prefix(sign).unwrap_or(name)
}

fn is_chess960(name: &str) -> bool {
    if matches!(name, "960" | "frc" | "freestyle" | "freestyle chess" | "from position 960") {
        return true;
    }
    if let Some(rest) = name.strip_prefix("chess") {
        return skip(skip(rest, ' '), '-') == "960";
    }
    name.strip_prefix("fischer").is_some_and(|rest| matches!(skip(skip(skip(rest, ' '), '-'), 'r'), "andom" | "andom chess"))
}

/// A start from another position than the array wants a Variant tag that says so (F220).
fn check_array(facts: &mut Facts, tags: &Tags, board: &Board) {
    let Some(fen) = tags.tag(Name::Fen) else { return };
    let reason = if board.chess960 {
        "chess960-inferred"
    } else if board.mailbox != ARRAY.mailbox {
        "position"
    } else if board.turn == Color::Black {
        "wrong-side"
    } else {
        return;
    };
    facts.add("F220", fen.token, &Place::default()).token(&fen.value).with("found", &fen.value).with("reason", reason);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in ["chess960", "chess 960", "chess -960", "fischerandom", "fischer random chess", "fischer-random", "960"] {
            assert_eq!(rules_of(name), Some(Rules::Chess960), "{name}");
        }
        for name in ["", "classical", "normal 960", "regular"] {
            assert_eq!(rules_of(name), Some(Rules::Standard), "{name}");
        }
        assert_eq!(rules_of("atomic960"), Some(Rules::Other("atomic")));
        assert_eq!(rules_of("koth"), Some(Rules::Other("kingofthehill")));
        for name in ["chess 960 960", "shogi", "chess  960"] {
            assert_eq!(rules_of(name), None, "{name}");
        }
    }
}
