//! What the source says about the end of a game: the Termination tags, and the last comment.
//! The counterpart of `chesstools/reference/said.py`, which tells what is read and what is not.

use crate::facts::Facts;
use crate::lexer::Token;
use crate::tags::{Name, Tags};
use crate::text::trim;
use crate::types::Color;
use crate::values::parse_termination;

/// A clause of more characters than this is prose.
const MAX_CLAUSE: usize = 200;

/// For whom a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Won(Color),
    Draw,
    BothLose,
    Unfinished,
}

/// The names of White and of Black; empty where there is none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Players<'t>(pub [&'t str; 2]);

impl<'t> Players<'t> {
    pub fn of(tags: &'t Tags) -> Players<'t> {
        Players([Name::White, Name::Black].map(|name| tags.get(name).unwrap_or("")))
    }
}

/// Reason, if it is given, and outcome, if it is given.
pub type Read = (Option<&'static str>, Option<Outcome>);

/// Texts that are read as a whole.
const WHOLE: &[(&str, Option<&str>, Option<Outcome>)] = &[
    ("unterminated", None, Some(Outcome::Unfinished)),
    ("draw agreed", Some("agreement"), Some(Outcome::Draw)),
    ("agreed draw", Some("agreement"), Some(Outcome::Draw)),
    ("draw by agreement", Some("agreement"), Some(Outcome::Draw)),
    ("players agreed to a draw", Some("agreement"), Some(Outcome::Draw)),
    ("stalemate", Some("stalemate"), Some(Outcome::Draw)),
    ("threefold repetition", Some("threefold"), Some(Outcome::Draw)),
    ("3-fold repetition", Some("threefold"), Some(Outcome::Draw)),
    ("3-fold rep", Some("threefold"), Some(Outcome::Draw)),
    ("fivefold repetition", Some("fivefold"), Some(Outcome::Draw)),
    ("50-move rule", Some("fifty"), Some(Outcome::Draw)),
    ("fifty moves rule", Some("fifty"), Some(Outcome::Draw)),
    ("75-move rule", Some("seventyfive"), Some(Outcome::Draw)),
    ("insufficient material", Some("dead_position"), Some(Outcome::Draw)),
    ("neither player has mating material", Some("dead_position"), Some(Outcome::Draw)),
    ("game drawn - timeout vs insufficient material", Some("timeout_v_insufficient_material"), Some(Outcome::Draw)),
    ("game drawn - insufficient material", Some("dead_position"), Some(Outcome::Draw)),
    ("game drawn because both players ran out of time", Some("time"), Some(Outcome::Draw)),
    ("tcec draw rule", Some("adjudication"), Some(Outcome::Draw)),
    ("tcec win rule", Some("adjudication"), None),
    ("tb position", Some("adjudication"), None),
    ("syzygytb", Some("adjudication"), None),
    ("time forfeit", Some("time"), None),
];

/// Clauses that say that neither side scored.
const BOTH_LOSE: &[&str] = &[
    "both players lose",
    "both players lost",
    "both players forfeit",
    "both players forfeited",
    "both lose",
    "both lost",
    "both forfeit",
    "lost by both",
    "lost for both",
    "double forfeit",
    "0-0",
];

const DRAWN_BY: &[&str] = &["draw by ", "drawn by ", "game drawn by ", "the game was drawn by "];
const DRAWN_BY_WHAT: &[(&str, &str)] = &[
    ("stalemate", "stalemate"),
    ("repetition", "threefold"),
    ("threefold repetition", "threefold"),
    ("3-fold repetition", "threefold"),
    ("fivefold repetition", "fivefold"),
    ("5-fold repetition", "fivefold"),
    ("50-move rule", "fifty"),
    ("the 50 move rule", "fifty"),
    ("fifty moves rule", "fifty"),
    ("fifty-move rule", "fifty"),
    ("75-move rule", "seventyfive"),
    ("agreement", "agreement"),
    ("mutual agreement", "agreement"),
    ("insufficient material", "dead_position"),
    ("insufficient mating material", "dead_position"),
    ("timeout vs insufficient material", "timeout_v_insufficient_material"),
    ("adjudication", "adjudication"),
];

/// What is said behind the name of the winner.
const WINS: &[(&str, &str)] = &[
    (" wins by checkmate", "checkmate"),
    (" won by checkmate", "checkmate"),
    (" mates", "checkmate"),
    (" wins by resignation", "resignation"),
    (" won by resignation", "resignation"),
    (" wins on time", "time"),
    (" won on time", "time"),
    (" wins by adjudication", "adjudication"),
    (" won by adjudication", "adjudication"),
    (" wins by forfeit", "forfeit"),
    (" won by forfeit", "forfeit"),
    (" wins by default", "forfeit"),
    (" won by default", "forfeit"),
    (" won - game abandoned", "abandoned"),
];

/// What is said behind the name of the loser.
const LOSES: &[(&str, &str)] = &[
    (" checkmated", "checkmate"),
    (" is checkmated", "checkmate"),
    (" resigns", "resignation"),
    (" resigned", "resignation"),
    (" loses on time", "time"),
    (" lost on time", "time"),
    (" forfeits on time", "time"),
    (" forfeited on time", "time"),
    (" ran out of time", "time"),
    (" time out", "time"),
    (" forfeits", "forfeit"),
    (" forfeited", "forfeit"),
    (" forfeits by disconnection", "disconnection"),
    (" disconnects", "disconnection"),
    ("'s connection stalls", "disconnection"),
    (" left the game", "abandoned"),
    (" makes an illegal move", "rules_infraction"),
];

/// What one place of the source says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Why the game ended; None where only the outcome is given.
    pub reason: Option<&'static str>,
    pub outcome: Option<Outcome>,
    /// The words that say so.
    pub text: String,
    /// `termination` or `comment`.
    pub basis: &'static str,
    /// The tag; None for a comment.
    pub token: Option<Token>,
    /// Whether Termination says just that: normal.
    pub normal: bool,
}

/// What Termination and TerminationDetails say, in this order; nothing for one that says nothing that can be read.
pub fn read_tags_said(tags: &Tags) -> Vec<Said> {
    let mut found = Vec::new();
    let players = Players::of(tags);
    for name in [Name::Termination, Name::TerminationDetails] {
        let Some(tag) = tags.tag(name) else { continue };
        let text = trim(&tag.value);
        let words = read_termination(text, players, name);
        let Some(((reason, outcome), text)) = words else { continue };
        let normal = name == Name::Termination && reason.is_none() && outcome.is_none();
        found.push(Said { reason, outcome, text: text.to_owned(), basis: "termination", token: Some(tag.token), normal });
    }
    found
}

/// What a Termination tag says (`Termination` or `TerminationDetails`, without outer blanks).
pub fn read_termination<'t>(text: &'t str, players: Players, name: Name) -> Option<(Read, &'t str)> {
    read_sentence(text, players).or_else(|| {
        let (known, reason) = parse_termination(text);
        (known && name == Name::Termination).then_some(((reason, None), text))
    })
}

/// What `comments` say, which stand at the end; None where they say nothing of it. The last that does counts.
pub fn read_comments_said(facts: &Facts, comments: impl DoubleEndedIterator<Item = Token>, tags: &Tags) -> Option<Said> {
    let players = Players::of(tags);
    comments.rev().find_map(|token| {
        let comment = crate::rows_plies::comment_text(facts, token);
        let ((reason, outcome), text) = read_sentence(&comment, players)?;
        Some(Said { reason, outcome, text: text.to_owned(), basis: "comment", token: None, normal: false })
    })
}

/// What a text gives as a whole, or else the last of its clauses that gives a reason or an outcome; and these words.
pub fn read_sentence<'t>(text: &'t str, players: Players) -> Option<(Read, &'t str)> {
    if text.is_empty() {
        return None;
    }
    if is_short(text) {
        let whole = WHOLE.iter().find(|(words, ..)| text.eq_ignore_ascii_case(words));
        if let Some(&(_, reason, outcome)) = whole {
            return Some(((reason, outcome), text));
        }
        if let Some(read) = read_clause(text, players) {
            return Some((read, text));
        }
    }
    let ends = ['.', ',', ':', ';', '!', '?', '(', ')', '[', ']', '{', '}', '\n', '\r'];
    text.rsplit(ends).map(trim).find_map(|clause| Some((read_clause(clause, players)?, clause)))
}

fn is_short(text: &str) -> bool {
    text.len() <= MAX_CLAUSE || text.len() <= 4 * MAX_CLAUSE && text.chars().count() <= MAX_CLAUSE
}

fn read_clause(clause: &str, players: Players) -> Option<Read> {
    // No phrase is shorter.
    if clause.len() < 3 || !is_short(clause) {
        return None;
    }
    let text = clause.to_ascii_lowercase();
    if BOTH_LOSE.contains(&&*text) {
        return Some((Some("both_lose"), Some(Outcome::BothLose)));
    }
    let drawn = |reason| (Some(reason), Some(Outcome::Draw));
    let by_what = DRAWN_BY.iter().filter_map(|start| text.strip_prefix(start)).find_map(|what| look_up(DRAWN_BY_WHAT, what));
    if let Some(reason) = by_what {
        return Some(drawn(reason));
    }
    // As old TCEC programs write it: "X draws against Y by 50-move rule".
    if text.contains(" draws against ") {
        if let Some(reason) = text.rsplit_once(" by ").and_then(|(_, what)| look_up(DRAWN_BY_WHAT, what)) {
            return Some(drawn(reason));
        }
    }
    read_named(&text, players)
}

/// A clause that begins with the name of a side or of a player. Where both have the same name, who won is not said.
fn read_named(text: &str, players: Players) -> Option<Read> {
    let [white, black] = players.0.map(|player| trim(player).to_ascii_lowercase());
    for (name, side) in [("white", Color::White), ("black", Color::Black), (&white, Color::White), (&black, Color::Black)] {
        let Some(rest) = text.strip_prefix(name).filter(|_| !name.is_empty()) else { continue };
        let rival = if side == Color::White { &black } else { &white };
        let no_material =
            rest.strip_prefix(" ran out of time and ").and_then(|rest| rest.strip_suffix(" has no material to mate"));
        if no_material == Some(rival) {
            return Some((Some("timeout_v_insufficient_material"), Some(Outcome::Draw)));
        }
        let told = matches!(name, "white" | "black") || white != black;
        if let Some(reason) = look_up(WINS, rest) {
            return Some((Some(reason), told.then_some(Outcome::Won(side))));
        }
        if let Some(reason) = look_up(LOSES, rest) {
            return Some((Some(reason), told.then_some(Outcome::Won(side.other()))));
        }
    }
    None
}

fn look_up(table: &[(&str, &'static str)], words: &str) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == words).map(|(_, reason)| *reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences() {
        let read = |text| read_sentence(text, Players::default());
        let drawn = |reason, text| Some(((Some(reason), Some(Outcome::Draw)), text));
        let won = |reason, side, text| Some(((Some(reason), Some(Outcome::Won(side))), text));
        assert_eq!(read("White wins on time."), won("time", Color::White, "White wins on time"));
        assert_eq!(read("BLACK resigns"), won("resignation", Color::White, "BLACK resigns"));
        assert_eq!(read("+0.31/14 1.2s, Draw by 3-fold repetition"), drawn("threefold", "Draw by 3-fold repetition"));
        assert_eq!(read("A draws against B by 50-move rule"), drawn("fifty", "A draws against B by 50-move rule"));
        assert_eq!(read("Unterminated"), Some(((None, Some(Outcome::Unfinished)), "Unterminated")));
        assert_eq!(read("rules infraction: both lose").map(|read| read.1), Some("both lose"));
        for text in ["", "a draw by repetition would be just", "then White resigns", "stalemate, or so", "Ann won on time"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read(&format!("{}, stalemate", "½".repeat(300))), None);
    }
}
