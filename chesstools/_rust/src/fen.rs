//! FEN text to a board, with all that is wrong about it at once. What can be mended without a guess is mended and reported; a
//! text that no game can be played from gives no board. The counterpart of `chesstools/reference/fen.py`, for standard chess and
//! Chess960.

use crate::board::Board;
use crate::castling_field::Castling;
use crate::epd_counters::Operations;
use crate::epd_line::Line;
use crate::plain_fen::plain_fields;
use crate::setup_check::{self, many, Problem};
use crate::start::ARRAY;
use crate::text::{first_chars, trim, words};
use crate::types::{Bb, Color, Role, Severity};

/// What a FEN says: the problems found, and the board where there is one to play from.
pub struct Setup {
    pub problems: Vec<Problem>,
    pub board: Option<Board>,
    /// The position as it can be shown (with one king each), where no game can be played from it.
    pub only_shown: Option<Board>,
    /// Whether every field could be read: none was replaced by what it is by default.
    pub is_read: bool,
}

/// Reads a FEN (PGN standard 16.1; X-FEN and Shredder-FEN castling letters too).
///
/// `chess960` says that the game is known to be Chess960; otherwise it is taken for that only where the castling rights can mean
/// nothing else.
pub fn read_fen(text: &str, chess960: bool) -> Setup {
    let mut setup = read_unhashed(text, chess960);
    if let Some(board) = setup.board.as_mut().or(setup.only_shown.as_mut()) {
        board.refresh_hash();
    }
    for problem in &mut setup.problems {
        if !problem.evidence.iter().any(|(name, _)| *name == "found") {
            problem.evidence.push(("found", text.into()));
        }
    }
    setup
}

/// The same for many positions that are only looked at: the boards have no hash, and the text is left out where it would be
/// the evidence `found`.
pub fn read_unhashed(text: &str, chess960: bool) -> Setup {
    let mut board = Board::empty_unhashed();
    let plain = plain_fields(text, &mut board);
    read_given(text, plain, board, chess960)
}

/// The same of a line of a file, where EPD operations may stand behind the position.
pub fn read_line(text: &str, chess960: bool) -> (Setup, Line<'_>) {
    let mut board = Board::empty_unhashed();
    let plain = plain_fields(text, &mut board);
    if plain.is_some() {
        return (read_given(text, plain, board, chess960), Line { position: text.into(), rest: "" });
    }
    let line = Line::split(text);
    let setup = read_unhashed(&line.position, chess960);
    (setup, line)
}

/// The same where a text that is plain was taken apart already, and its men put on `board`.
fn read_given<'t>(text: &'t str, plain: Option<Fields<'t>>, mut board: Board, chess960: bool) -> Setup {
    let mut reader = Reader { text, problems: Vec::new(), shredder: false, is_read: true };
    let has_board = reader.read(plain, &mut board, chess960).is_some();
    let mut problems = reader.problems;
    let mut setup = Setup { problems: Vec::new(), board: None, only_shown: None, is_read: reader.is_read && has_board };
    if has_board {
        let before = problems.len();
        let chess960 = board.chess960 || reader.shredder;
        problems_of_position(&board, chess960, &mut problems);
        let has = |code| problems[before..].iter().any(|problem| problem.code == code);
        let kings = !has("F203");
        let playable = kings && !has("F204") && !has("F206");
        if playable {
            setup.board = Some(board);
        } else if kings {
            setup.only_shown = Some(board);
        }
    }
    setup.problems = problems;
    setup
}

/// All that can be said of the position, whatever else is wrong with it.
fn problems_of_position(board: &Board, chess960: bool, problems: &mut Vec<Problem>) {
    let before = problems.len();
    setup_check::problems_of_men(board, chess960, problems);
    if !problems[before..].iter().any(|problem| problem.code == "F203") {
        setup_check::problems_of_checks(board, problems);
    }
    setup_check::problems_of_counters(board, problems);
    if !chess960 {
        setup_check::problems_of_bishops(board, problems);
    }
    setup_check::problems_of_pawns(board, problems);
}

/// The six fields; those that are missing are filled in.
pub(crate) type Fields<'t> = [&'t str; 6];
const DEFAULTS: Fields = ["", "w", "-", "-", "0", "1"];
/// Where the rooks stand at the start of a game.
const ALL_CORNERS: Bb = 1 | 1 << 7 | 1 << 56 | 1 << 63;

/// Reads the six fields one after the other, noting problems.
struct Reader<'t> {
    text: &'t str,
    problems: Vec<Problem>,
    /// Whether the castling field names files of inner rooks: a Chess960 position, whatever else is wrong with it.
    shredder: bool,
    /// Whether no field was replaced by what it is by default because it could not be read.
    is_read: bool,
}

impl<'t> Reader<'t> {
    fn note(&mut self, code: &'static str, reason: impl Into<String>) -> &mut Problem {
        self.problems.push(Problem::new(code, vec![("reason", reason.into().into())]));
        let last = self.problems.len() - 1;
        &mut self.problems[last]
    }

    /// Makes the board the one that the text describes; None where placement or side cannot be read.
    fn read(&mut self, plain: Option<Fields<'t>>, board: &mut Board, chess960: bool) -> Option<()> {
        let fields = match plain {
            Some(fields) => fields,
            None => {
                let fields = self.fields()?;
                *board = self.placement(fields[0])?;
                fields
            }
        };
        board.turn = match fields[1] {
            "w" => Color::White,
            "b" => Color::Black,
            other => {
                self.note("F201", format!("the side to move is “{other}”, not w or b"));
                return None;
            }
        };
        self.rights(board, fields[2], chess960);
        self.en_passant(board, fields[3]);
        board.halfmove = self.counter(fields[4], "halfmove clock", 0);
        board.fullmove = self.counter(fields[5], "move number", 1);
        Some(())
    }

    fn fields(&mut self) -> Option<Fields<'t>> {
        let trimmed = trim(self.text);
        let operations = Operations::find(trimmed);
        let parts: Vec<&str> = if let Some(operations) = &operations {
            self.note("F202", "the counters are EPD operations (hmvc, fmvn)");
            let counters = [operations.hmvc.unwrap_or("0"), operations.fmvn.unwrap_or("1")];
            operations.others.iter().flat_map(|part| words(part)).take(4).chain(counters).collect()
        } else if trimmed.ends_with(';') {
            self.note("F202", "a semicolon stands at the end");
            words(trimmed.trim_end_matches([';', ' '])).collect()
        } else {
            words(trimmed).collect()
        };
        if parts.len() > 6 {
            self.note("F201", format!("{} instead of 6", many(parts.len() as u32, "field", "fields")));
            return None;
        }
        if parts.is_empty() {
            self.note("F201", "it is empty");
            return None;
        }
        if parts.len() < 6 {
            self.note("F202", format!("{} instead of 6", many(parts.len() as u32, "field", "fields")));
        } else if operations.is_none() && !trimmed.ends_with(';') && trimmed != parts.join(" ") {
            self.note("F202", "more than one blank between fields");
        }
        let mut fields = DEFAULTS;
        fields[..parts.len()].copy_from_slice(&parts);
        Some(fields)
    }

    fn placement(&mut self, placement: &str) -> Option<Board> {
        // Some programs mark promoted men with it.
        if has_mark_without_man(placement) {
            self.note("F202", "a “~” stands where no man stands before it");
        }
        let ranks: Vec<&str> = placement.split('/').collect();
        let mut bad = ranks.len() != 8;
        if bad {
            self.note("F201", format!("{} instead of 8", many(ranks.len() as u32, "rank", "ranks")));
        }
        let mut board = Board::empty();
        for (rank, text) in (0..8).rev().zip(&ranks) {
            let number = rank + 1;
            let unknown = text.chars().find(|&sign| !matches!(sign, '1'..='8' | '~') && man(sign).is_none());
            let squares = self::squares(text);
            if let Some(sign) = unknown {
                self.note("F201", format!("rank {number} has the sign “{sign}”"));
                bad = true;
            } else if squares != 8 {
                self.note("F201", format!("rank {number} has {} instead of 8", many(squares as u32, "square", "squares")));
                bad = true;
            } else if has_digits_in_a_row(text) {
                // That can mean one thing only.
                self.note("F201", format!("rank {number} has two digits in a row"));
            }
            if !bad {
                put_rank(&mut board, rank, text);
            }
        }
        (!bad).then_some(board)
    }

    fn rights(&mut self, board: &mut Board, letters: &str, chess960: bool) {
        board.chess960 = chess960;
        let known = |letter: u8| matches!(letter.to_ascii_lowercase(), b'k' | b'q' | b'a'..=b'h');
        if letters != "-" && (letters.is_empty() || !letters.bytes().all(known)) {
            self.note("F201", format!("the castling rights are “{letters}”"));
            self.is_read = false;
            return;
        }
        self.shredder = letters.bytes().any(|letter| matches!(letter.to_ascii_lowercase(), b'b'..=b'g'));
        if letters == "-" && !stands_as_at_the_start(board) {
            return;
        }
        let castling = Castling::read(board, letters, chess960);
        board.chess960 = castling.chess960;
        board.castling = board.clean_rights(castling.rooks);
        if !castling.dropped.is_empty() {
            let expected = board.castling_xfen();
            let note = self.note("F209", format!("no king and rook stand ready for {}", castling.dropped));
            note.evidence.push(("expected", expected.into()));
        } else if board.castling != ALL_CORNERS && stands_as_at_the_start(board) {
            // Rooks may have moved and come back, but hardly so that all men stand at home again.
            let missing: String = [('K', 7), ('Q', 0), ('k', 63), ('q', 56)]
                .into_iter()
                .filter(|&(_, rook)| board.castling & 1 << rook == 0)
                .map(|(letter, _)| letter)
                .collect();
            if !missing.is_empty() {
                let note = self.note("F209", format!("all men stand as at the start of a game, but {missing} is left out"));
                note.evidence.push(("expected", "KQkq".into()));
                note.severity = Some(Severity::Info);
            }
        }
    }

    fn en_passant(&mut self, board: &mut Board, name: &str) {
        if name == "-" {
            return;
        }
        let &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] = name.as_bytes() else {
            self.note("F201", format!("the en passant square is “{name}”"));
            self.is_read = false;
            return;
        };
        let square = (rank - b'1') * 8 + file - b'a';
        let (wanted, pawn, home) = match board.turn {
            Color::White => (5, square.wrapping_sub(8), square.wrapping_add(8)),
            Color::Black => (2, square.wrapping_add(8), square.wrapping_sub(8)),
        };
        let (code, reason) = if square >> 3 != wanted {
            ("F210", format!("no pawn can have passed {name} with that side to move"))
        } else if board.men(board.turn.other(), Role::Pawn) & 1 << pawn == 0 {
            ("F210", format!("no pawn stands in front of {name}"))
        } else if board.occupied() & (1 << square | 1 << home) != 0 {
            ("F210", format!("the way of the pawn over {name} was not free"))
        } else {
            board.ep = square;
            if board.legal_ep().is_some() {
                return;
            }
            ("F211", format!("no pawn can capture on {name}"))
        };
        self.note(code, reason).token = Some(name.to_owned());
    }

    fn counter(&mut self, text: &str, what: &str, default: u32) -> u32 {
        if text.is_empty() || !text.bytes().all(|sign| sign.is_ascii_digit()) {
            self.note("F201", format!("the {what} is “{text}”, not a number"));
        } else if text.len() > 4 {
            self.note("F201", format!("the {what} is {}, which is out of range", first_chars(text, 40)));
        } else if let Ok(number) = text.parse() {
            return number;
        }
        self.is_read = false;
        default
    }
}

/// Whether all men are on the squares of the start of a game.
fn stands_as_at_the_start(board: &Board) -> bool {
    board.mailbox == ARRAY.mailbox
}

/// The man that a letter of the placement means.
fn man(sign: char) -> Option<(Color, Role)> {
    let letter = u8::try_from(sign).ok()?;
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    Some((color, Role::from_letter(letter.to_ascii_uppercase())?))
}

/// How many squares the known signs of a rank stand for.
fn squares(rank: &str) -> u64 {
    let of = |sign: char| match sign {
        '1'..='8' => u64::from(sign as u8 - b'0'),
        _ => u64::from(man(sign).is_some()),
    };
    rank.chars().map(of).sum()
}

fn has_mark_without_man(placement: &str) -> bool {
    let mut after_man = false;
    placement.bytes().any(|sign| {
        let behind = std::mem::replace(&mut after_man, sign.is_ascii_alphabetic());
        sign == b'~' && !behind
    })
}

fn has_digits_in_a_row(rank: &str) -> bool {
    let mut after_digit = false;
    rank.bytes().filter(|&sign| sign != b'~').any(|sign| {
        let digit = sign.is_ascii_digit();
        std::mem::replace(&mut after_digit, digit) && digit
    })
}

/// Puts the men of one rank on the board; `text` is known to stand for eight squares.
fn put_rank(board: &mut Board, rank: u8, text: &str) {
    let mut square = rank * 8;
    for sign in text.chars() {
        if let '1'..='8' = sign {
            square += sign as u8 - b'0';
        } else if let Some((color, role)) = man(sign) {
            board.put(square, color, role);
            square += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<&'static str> {
        read_fen(text, false).problems.iter().map(|problem| problem.code).collect()
    }

    #[test]
    fn fields() {
        assert_eq!(codes("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), [""; 0]);
        assert_eq!(codes("4k3/8/8/8/8/8/8/4K3"), ["F202"]);
        assert_eq!(codes("4k3/8/8/8/8/8/8/4K3 w - - hmvc 3; fmvn 40;"), ["F202"]);
        assert_eq!(codes("4k3/8/8/8/8/8/8/4K3  w - - 0 1"), ["F202"]);
        assert_eq!(codes("4k3/8/8/8/8/8/8/4K3 w - - 0 1 1"), ["F201"]);
        assert_eq!(codes("4~4/8/8/8/8/8/8/4K3 w - - 0 1"), ["F202", "F201", "F203"]);
        assert_eq!(codes(""), ["F201"]);
    }

    #[test]
    fn rights() {
        let board = read_fen("4k3/8/8/8/8/8/8/5KR1 w K - 0 1", false).board.unwrap();
        assert_eq!((board.chess960, board.castling), (true, 1 << 6));
        assert_eq!(codes("4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1"), ["F209"]);
    }

    #[test]
    fn not_playable() {
        let setup = read_fen("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", false);
        assert!(setup.board.is_none() && setup.only_shown.is_some());
        let setup = read_fen("8/8/8/8/8/8/8/4K3 w - - 0 1", false);
        assert!(setup.board.is_none() && setup.only_shown.is_none());
    }
}
