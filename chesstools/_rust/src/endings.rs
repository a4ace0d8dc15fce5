//! The end of a game: result against board, moves after the end, draws that nobody claimed, and why it ended.
//! The counterpart of `chesstools/reference/endings.py`.

use crate::board::Board;
use crate::comments::{self, Annotations};
use crate::draws::{DrawWatch, Kind, Run, Visual, FIFTY, THREEFOLD};
use crate::facts::Facts;
use crate::lexer::Token;
use crate::profile::{DeadPosition, Profile};
use crate::record::{Ending, Note};
use crate::replay::{is_comment, is_filler, Line, Replay};
use crate::said::{read_comments_said, read_tags_said, Said};
use crate::tags::{Name, Tags};
use crate::text::trim;
use crate::types::{Color, Place, Severity};
use crate::values::{normalise_result, parse_termination};
use crate::verdicts::{is_drawn_on_time, Case};
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
        if let (true, Some(bad)) = (line.over, line.bad) {
            let code = if status == "checkmate" { "E511" } else { "E512" };
            let place = Place { ply: Some(line.next_ply()), variation: None };
            facts.add(code, bad, &place).fen(board.fen()).with("count", 1 + line.unjudged);
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
fn last(tokens: &[Token]) -> Token {
    *tokens.iter().rev().find(|token| !is_filler(token.kind)).expect("a game has a token that is not filler")
}

fn is_standard(text: &str) -> bool {
    matches!(text, "1-0" | "0-1" | DRAW | "*")
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
    /// The two places of the result: each one of four tokens (E541), and the same (E542); text behind it (P108).
    fn results(&self, facts: &mut Facts, marker: Option<Token>, ending: &mut Ending) {
        let nowhere = Place::default();
        let tag = self.tags.tag(Name::Result).map(|tag| &*tag.value);
        let mut marked = None;
        match marker {
            None => {
                let finding = facts.add("P109", last(self.tokens), &nowhere);
                finding.with_known("expected", tag);
            }
            Some(marker) => {
                let text = facts.text(marker);
                marked = normalise_result(&text);
                if !is_standard(&text) {
                    facts.add("E541", marker, &nowhere).with("place", "marker").with_known("expected", marked);
                }
                if let Some(tag) = tag.filter(|tag| *tag != text && !trim(tag).is_empty() && !same_result(tag, &text)) {
                    facts.add("E542", marker, &nowhere).with("expected", tag).with("found", &text);
                }
                self.behind(facts);
            }
        }
        let value = tag.and_then(normalise_result);
        if let Some(tag) = tag.filter(|tag| !is_standard(tag)) {
            let token = self.tags.token(Name::Result).expect("the tag is there");
            facts.add("E541", token, &nowhere).token(tag).with("place", "tag").with_known("expected", value);
        }
        ending.result = match value {
            None | Some("*") => marked.or(value),
            _ => value,
        };
    }

    /// Text behind the termination marker (P108).
    fn behind(&self, facts: &mut Facts) {
        let behind = &self.tokens[self.terminator.map_or(0, |at| at + 1)..];
        let mut solid = behind.iter().filter(|token| !is_filler(token.kind) && !is_comment(token.kind));
        if let Some(first) = solid.next() {
            let count = 1 + solid.count();
            facts.add("P108", *first, &Place::default()).with("count", count);
        }
    }

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
    fn played_on(&self, facts: &mut Facts, code: &'static str, index: u32, limit: Option<u32>) {
        if let Some(following) = self.replay.plies.get(index as usize) {
            let finding = facts.add(code, following.token(), &at_ply(index + 1)).with("first_ply", index);
            finding.with("count", self.replay.plies.len() - index as usize).with_known("limit", limit);
        }
    }

    fn draws(&self, facts: &mut Facts, watch: &DrawWatch, ending: &mut Ending, end: Token, judged: bool) {
        let profile = self.profile;
        if let Some(index) = watch.drawn_by_repetition {
            self.played_on(facts, "E514", index, profile.automatic_repetition());
        }
        if let Some(index) = watch.drawn_by_moves {
            self.played_on(facts, "E515", index, profile.automatic_moves().map(|plies| plies / 2));
        }
        let automatic = self.automatic(watch);
        let first = automatic.iter().filter_map(|(index, name)| index.map(|index| (index, *name))).min();
        if let (true, Some((first, name)), Some(_)) = (judged, first, decisive(ending.result)) {
            let finding = facts.add("E516", end, &Place::default()).with("first_ply", first).with("reason", name);
            finding.with("expected", DRAW).with_known("found", ending.result);
        }
        let last = self.replay.plies.len() as u32;
        let result = ending.result.filter(|_| judged);
        ending.unclaimed_draw = Some(false);
        for run in &watch.runs {
            let effect = effect(run, last, result);
            if effect == "decisive_against_claimant" {
                ending.unclaimed_draw = Some(true);
            }
            self.report_run(facts, watch, run, effect);
        }
        if watch.visual.is_empty() {
            return;
        }
        let possible = watch.runs.iter().any(|run| run.kind == Kind::Repetition && run.last == last);
        let supported = possible || watch.drawn_by_repetition == Some(last);
        let unsupported_claim = !supported && self.certain && self.claims_repetition(facts, last);
        for visual in &watch.visual {
            self.report_visual(facts, visual, unsupported_claim);
        }
    }

    /// Where the game was drawn without a claim, and what that is called.
    fn automatic(&self, watch: &DrawWatch) -> [(Option<u32>, &'static str); 2] {
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

    fn report_run(&self, facts: &mut Facts, watch: &DrawWatch, run: &Run, effect: &'static str) {
        let repetition = run.kind == Kind::Repetition;
        let code = if repetition { "D601" } else { "D611" };
        let warning = self.certain && effect == "decisive_against_claimant";
        let forms = match (run.form_a, run.form_b) {
            (true, true) => "AB",
            (true, false) => "A",
            _ => "B",
        };
        let finding = facts.add(code, self.token_at(run.first), &at_position(run.first));
        finding.severity(if warning { Severity::Warning } else { Severity::Info });
        finding.with_word("side", run.side.name()).with("first_ply", run.first).with("last_ply", run.last);
        finding.with("count", run.windows).with("limit", run.limit).with_word("effect", effect);
        finding.with_known("occurrences", repetition.then(|| watch.occurrences(run)));
        finding.with_word("forms", forms);
        finding.with_known("claim_moves", (!run.claim_moves.is_empty()).then_some(&*run.claim_moves));
        finding.with_known("clock", (!repetition).then_some(run.clock)).with_known("extension", run.extension.as_deref());
    }

    fn report_visual(&self, facts: &mut Facts, visual: &Visual, unsupported_claim: bool) {
        let finding = facts.add("D605", self.token_at(visual.index), &at_position(visual.index));
        finding.severity(if unsupported_claim { Severity::Warning } else { Severity::Info });
        finding.with("first_ply", visual.index).with("occurrences", visual.occurrences.clone()).with("reason", visual.reason);
    }

    /// Whether the source says that the game was drawn by repetition.
    fn claims_repetition(&self, facts: &Facts, last: u32) -> bool {
        if parse_termination(self.tags.get(Name::Termination).unwrap_or("")).1 == Some("threefold") {
            return true;
        }
        let comments = self.replay.notes.iter().filter_map(|note| match note {
            Note::Comment { ply, token } if *ply == last && last > 0 => Some(*token),
            _ => None,
        });
        let said: Vec<String> = comments.map(|token| comment_text(facts, token)).filter(|text| !text.is_empty()).collect();
        let said = said.join(" ").to_lowercase();
        said.contains("repetition") || said.contains("threefold")
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
    fn comments_at(&self, ply: u32) -> impl DoubleEndedIterator<Item = Token> + '_ {
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

    /// Why the game ended, and what that rests on: the first of these that tells.
    ///
    /// The board (mate, stalemate, dead position, fivefold, 75 moves); Termination and TerminationDetails; the last comment; again
    /// the board, by a claim that the last position bears out; what Lichess calls normal where only one thing is left; the loser's
    /// clock.
    fn reason(&self, facts: &Facts, ending: &Ending, judged: bool, said: &[Said]) -> Option<(&'static str, &'static str)> {
        let last = self.last();
        let drawn = ending.result == Some(DRAW);
        match ending.status.filter(|_| judged) {
            Some("dead") => return Some(("dead_position", "board")),
            Some("none") | None => {}
            Some(status) => return Some((status, "board")),
        }
        let watch = self.watch.filter(|_| judged && drawn);
        let ended = watch.and_then(|watch| self.automatic(watch).into_iter().find(|(index, _)| *index == Some(last)));
        if let Some((_, reason)) = ended {
            return Some((reason, "board"));
        }
        if let Some((reason, basis)) = said.iter().find_map(|words| Some((words.reason?, words.basis))) {
            let could_not_win = watch.and(self.board).filter(|_| reason == "time");
            let could_not_win = could_not_win.is_some_and(|board| is_drawn_on_time(board, self.profile, self.depth));
            let reason = if could_not_win { "timeout_v_insufficient_material" } else { reason };
            return Some((reason, basis));
        }
        let run = watch.and_then(|watch| watch.runs.iter().find(|run| run.last == last && is_complete(watch, run)));
        if let Some(run) = run {
            return Some((if run.kind == Kind::Repetition { "threefold" } else { "fifty" }, "board"));
        }
        if !judged {
            return None;
        }
        let winner = decisive(ending.result);
        if said.iter().any(|words| words.normal) && self.is_from_lichess() {
            // Its other words are for time, rules and games that were left; and it knows no claims with a written move.
            let left = if drawn { Some("agreement") } else { winner.map(|_| "resignation") };
            return left.map(|reason| (reason, "termination"));
        }
        let out_of_time = said.is_empty() && winner.is_some_and(|winner| self.is_out_of_time(facts, winner.other()));
        out_of_time.then_some(("time", "clock"))
    }

    fn is_from_lichess(&self) -> bool {
        self.tags.get(Name::Site).is_some_and(|site| site.contains("lichess.org"))
    }

    /// Whether the clock behind the last move of `side` shows nothing left.
    fn is_out_of_time(&self, facts: &Facts, side: Color) -> bool {
        let Some(board) = self.board else { return false };
        let ply = self.last().saturating_sub(u32::from(board.turn == side));
        if ply == 0 {
            return false;
        }
        let mut read = Annotations::default();
        for token in self.comments_at(ply) {
            let text = crate::rows_plies::comment_text(facts, token);
            if text.is_empty() {
                continue;
            }
            comments::read_commands(&facts.text(token), &mut read, |_| {});
            if text.contains('=') {
                comments::read_tcec(&text, &mut read);
            }
        }
        read.clock_ms.is_some_and(|clock| clock <= 0)
    }
}

/// Whether at its last index the position has stood often enough, or the count is full, without a further move.
fn is_complete(watch: &DrawWatch, run: &Run) -> bool {
    match run.kind {
        Kind::Repetition => watch.stood_at_last(run),
        Kind::Fifty => run.clock >= 2 * run.limit,
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

fn same_result(tag: &str, marker: &str) -> bool {
    match (normalise_result(tag), normalise_result(marker)) {
        (None, None) => trim(tag) == marker,
        (one, other) => one == other,
    }
}

fn effect(run: &Run, last: u32, result: Option<&str>) -> &'static str {
    match (result, decisive(result)) {
        (Some(DRAW), _) if run.last == last => "ended_here",
        (Some(DRAW), _) => "drawn_later",
        (_, Some(winner)) if winner == run.side => "decisive_for_claimant",
        (_, Some(_)) => "decisive_against_claimant",
        _ => "unfinished",
    }
}

/// The text inside a comment, as the tables hold it.
pub fn comment_text(facts: &Facts, token: Token) -> String {
    use crate::lexer::Kind as TokenKind;
    let end = match token.kind {
        TokenKind::LineComment | TokenKind::OpenComment => token.end,
        _ => (token.end - 1).max(token.start + 1),
    };
    crate::comments::normalise(&facts.between(token.start + 1, end)).into_owned()
}
