//! The end of a game: result against board, moves after the end, draws that nobody claimed, and why it ended.
//! The counterpart of `chesstools/reference/endings.py`.

use crate::board::Board;
use crate::draws::{DrawWatch, FIFTY, THREEFOLD};
use crate::facts::Facts;
use crate::lexer::{Kind, Token};
use crate::profile::{DeadPosition, Profile};
use crate::record::{Ending, Note};
use crate::replay::{is_comment, is_filler, Line, Replay};
use crate::said::{read_comments_said, read_tags_said, Said};
use crate::tags::{Name, Tags};
use crate::types::{Color, Place};
use crate::verdicts::Case;
use crate::winnable::Depth;

pub const DRAW: &str = "1/2-1/2";

/// All that the end of a game is judged by.
pub struct Judgement<'j, 'a> {
    pub tags: &'j Tags<'a>,
    pub tokens: &'j [Token],
    pub terminator: Option<usize>,
    pub replay: &'j Replay,
    pub line: &'j Line,
    /// The start position; None where no game could be played.
    pub start: Option<&'j Board>,
    /// The final position; None where no game could be played.
    pub board: Option<&'j Board>,
    /// None where claims to a draw are not judged.
    pub watch: Option<&'j DrawWatch>,
    pub profile: &'j Profile,
    /// Whether it is known which Laws were in force: if not, what could be claimed is for information only.
    pub certain: bool,
    /// How much is looked at to know whether a side can still mate.
    pub depth: Depth,
}

/// Reports what is wrong with the end of a game that was replayed.
pub fn judge(facts: &mut Facts, game: &Judgement) -> Ending {
    let mut ending = Ending::default();
    let marker = game.terminator.map(|at| game.tokens[at]);
    ending.marker = marker;
    game.results(facts, marker, &mut ending);
    let end = marker.or_else(|| game.tags.token(Name::Result)).unwrap_or_else(|| last(game.tokens));
    let line = game.line;
    let judged = game.board.is_some() && (!line.stopped || line.over);
    if let Some(board) = game.board {
        let status = status(board, game);
        ending.status = Some(status);
        // A word behind the end is no move: it is reported as an unknown token.
        let mut behind = game.replay.rest.iter().filter(|token| line.over && token.kind != Kind::Word);
        if let Some(&first) = behind.next() {
            let code = if status == "checkmate" { "E511" } else { "E512" };
            let place = Place { ply: Some(line.next_ply()), variation: None };
            facts.add(code, first, &place).fen(board.fen()).with("count", 1 + behind.count() as u32);
        }
        if judged {
            game.board_against_result(facts, board, &ending, end);
        }
        if let Some(dead) = game.replay.first_dead {
            game.played_on_when_dead(facts, dead);
        }
    }
    let said = game.said(facts);
    let watch = game.watch.filter(|_| game.board.is_some());
    if let Some(watch) = watch {
        game.draws(facts, watch, &mut ending, end, judged);
        game.automatic_draws(facts, watch);
        game.lapses(facts, watch);
        if judged && ending.result == Some(DRAW) {
            game.fitting(facts, watch, end);
            game.unsupported(facts, watch, &said, end);
        }
    }
    let automatic = watch.filter(|_| judged).and_then(|watch| game.first_automatic(watch));
    if let Some((reason, basis)) = game.reason(facts, &ending, judged, &said) {
        ending.reason = Some(reason);
        ending.basis = Some(basis);
    }
    game.check_end(facts, &Case { ending: &ending, said: &said, end, judged, automatic });
    ending
}

/// The last token that is not filler.
pub fn last(tokens: &[Token]) -> Token {
    *tokens.iter().rev().find(|token| !is_filler(token.kind)).expect("a game has a token that is not filler")
}

/// Who won; None where nobody did.
pub fn decisive(result: Option<&str>) -> Option<Color> {
    match result {
        Some("1-0") => Some(Color::White),
        Some("0-1") => Some(Color::Black),
        _ => None,
    }
}

fn status(board: &Board, game: &Judgement) -> &'static str {
    if !board.has_legal_move() {
        if board.is_check() {
            "checkmate"
        } else {
            "stalemate"
        }
    } else if game.profile.dead_position.is_dead(board) || game.is_dead() {
        "dead"
    } else {
        "none"
    }
}

fn at_ply(ply: u32) -> Place {
    Place { ply: (ply != 0).then_some(ply), variation: None }
}

impl Judgement<'_, '_> {
    fn board_against_result(&self, facts: &mut Facts, board: &Board, ending: &Ending, end: Token) {
        let Some(result) = ending.result.filter(|result| *result != "*") else { return };
        let (code, due) = match ending.status {
            Some("checkmate") => ("E501", if board.turn == Color::White { "0-1" } else { "1-0" }),
            Some("stalemate") => ("E502", DRAW),
            Some("dead") => ("E503", DRAW),
            _ => return,
        };
        if result == due {
            return;
        }
        let dead = self.replay.first_dead.filter(|_| code == "E503");
        let finding = facts.add(code, end, &Place::default()).fen(board.fen());
        finding.with("expected", due).with("found", result).with_known("first_ply", dead);
        finding.with_known("method", dead.and(self.replay.dead_method));
    }

    /// Whether the game was dead at some time under a rule by which it stays so.
    fn is_dead(&self) -> bool {
        self.profile.dead_position == DeadPosition::AnySeries && self.replay.first_dead.is_some()
    }

    /// Reports the plies that were played after the position `index`, in which neither side could mate.
    fn played_on_when_dead(&self, facts: &mut Facts, index: u32) {
        if let Some(following) = self.replay.plies.get(index as usize) {
            let finding = facts.add("E513", following.token(), &at_ply(index + 1)).with("first_ply", index);
            finding.with("count", self.replay.plies.len() - index as usize).with_known("method", self.replay.dead_method);
        }
    }

    /// Reports the plies that were played after the game had ended at position `index`.
    pub fn played_on(&self, facts: &mut Facts, code: &'static str, index: u32, limit: Option<u32>) {
        if let Some(following) = self.replay.plies.get(index as usize) {
            let finding = facts.add(code, following.token(), &at_ply(index + 1)).with("first_ply", index);
            finding.with("count", self.replay.plies.len() - index as usize).with_known("limit", limit);
        }
    }

    /// Where the game was drawn without a claim, and what that is called.
    pub fn automatic(&self, watch: &DrawWatch) -> [(Option<u32>, &'static str); 2] {
        let repetition = if self.profile.automatic_repetition() == Some(THREEFOLD) { "threefold" } else { "fivefold" };
        let moves = if self.profile.automatic_moves() == Some(FIFTY) { "fifty" } else { "seventyfive" };
        [(watch.drawn_by_repetition, repetition), (watch.drawn_by_moves, moves)]
    }

    /// What the first of these is called.
    fn first_automatic(&self, watch: &DrawWatch) -> Option<&'static str> {
        let known = self.automatic(watch).into_iter();
        known.filter_map(|(index, name)| Some((index?, name))).min().map(|(_, name)| name)
    }

    /// The move that leads to position `index`; for the start position the FEN tag, or the first token of the game.
    pub fn token_at(&self, index: u32) -> Token {
        match index {
            0 => self.tags.token(Name::Fen).unwrap_or_else(|| first(self.tokens)),
            _ => self.replay.plies[index as usize - 1].token(),
        }
    }

    /// What the source says about the end: its tags, then its last comment.
    fn said(&self, facts: &Facts) -> Vec<Said> {
        let mut said = read_tags_said(self.tags);
        let comments = if self.replay.rest.is_empty() {
            read_comments_said(facts, self.comments_at(self.last()), self.tags)
        } else {
            // Comments on moves that were not judged are not gathered: those around the result are about the game.
            let end = self.terminator.unwrap_or(self.tokens.len());
            let is_apart = |token: &&Token| !is_filler(token.kind) && !is_comment(token.kind);
            let begin = self.tokens[..end].iter().rposition(|token| is_apart(&token)).map_or(0, |at| at + 1);
            let around = self.tokens[begin..].iter().filter(|token| is_comment(token.kind)).copied();
            read_comments_said(facts, around, self.tags)
        };
        said.extend(comments);
        said
    }

    /// The comments behind that ply.
    pub fn comments_at(&self, ply: u32) -> impl DoubleEndedIterator<Item = Token> + '_ {
        let notes = &self.replay.notes;
        let begin = notes.iter().rposition(|note| note.ply() < ply).map_or(0, |at| at + 1);
        notes[begin..].iter().filter_map(move |note| match note {
            Note::Comment { ply: at, token } if *at == ply => Some(*token),
            _ => None,
        })
    }

    /// How many plies were replayed: the index of the last position.
    pub fn last(&self) -> u32 {
        self.replay.plies.len() as u32
    }
}

/// Claims and repetitions are placed by the index of their position, 0 for the start.
pub fn at_position(index: u32) -> Place {
    Place { ply: Some(index), variation: None }
}

/// The first token that is not filler.
pub fn first(tokens: &[Token]) -> Token {
    *tokens.iter().find(|token| !is_filler(token.kind)).expect("a game has a token that is not filler")
}
