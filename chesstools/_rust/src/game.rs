//! One game, from its tokens to everything that is known about it.
//! The counterpart of `chesstools/reference/game.py`.

use crate::board::Board;
use crate::diagnosis::diagnose;
use crate::draws::DrawWatch;
use crate::eco::report_eco;
use crate::endings::{self, Judgement};
use crate::facts::Facts;
use crate::lexer::{Kind, Token};
use crate::long_lines::{has_long_line, report_long_lines};
use crate::numbers::report_numbers;
use crate::odd_bytes::{check_bytes, is_special};
use crate::optional::Optional;
use crate::plain::clean::{clean, Clean};
use crate::plain::tags::TagSection;
use crate::plain::Ended;
use crate::profile_choice::{Chosen, ProfileChoice};
use crate::record::GameRecord;
use crate::region::Lines;
use crate::replay::{is_filler, Line, Replay, Wanted};
use crate::segment::{Region, Start};
use crate::start::{self as setup, read_start, Rules, ARRAY_FEN};
use crate::tags::{check_ply_count, check_tags, read_plain_tags, read_tags, Tags};
use crate::types::{Color, Finding, Place};

/// What became of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Done,
    /// A variant that only the readable engine knows: nothing was recorded.
    Elsewhere,
}

/// What is known of a game that was judged.
pub enum Judged<'a> {
    /// All that there is to count, of a game of which nothing more was wanted.
    Clean(Clean),
    Game(&'a GameRecord<'a>),
}

/// A game that was replayed.
struct Replayed<'t> {
    tokens: &'t [Token],
    terminator: Option<usize>,
    line: Line,
    board: Option<Board>,
    /// The line that it begins in.
    text_line: u64,
    game_index: i64,
    chosen: Chosen,
}

/// Judges games one after the other; its buffers are used again.
pub struct Judge {
    pub(crate) choice: ProfileChoice,
    pub(crate) wanted: Wanted,
    optional: Optional,
    /// Whether start and final positions are wanted as text, and repetitions of each position.
    fens: bool,
    /// Whether clean games are only counted.
    counts_only: bool,
    pub(crate) replay: Replay,
    /// Tag pairs and odd characters among the tokens of a game.
    special: Vec<Token>,
    /// The tags of a plain game.
    section: TagSection,
    pub(crate) watch: DrawWatch,
    /// Memory for tags, between games.
    tags: Tags<'static>,
}

impl Judge {
    pub fn new(choice: impl Into<ProfileChoice>, want_games: bool, want_plies: bool, optional: Optional) -> Judge {
        let choice = choice.into();
        let wanted = Wanted { keys: want_plies, fifty_from: choice.fifty_from(), dead: choice.undated().dead_position };
        Judge {
            choice,
            wanted,
            optional,
            fens: want_games,
            counts_only: !want_games && !want_plies,
            replay: Replay::default(),
            special: Vec::new(),
            section: TagSection::default(),
            watch: DrawWatch::default(),
            tags: Tags::default(),
        }
    }

    /// Judges one game and hands the record to `sink`.
    pub fn game(&mut self, region: &Region, game_index: i64, sink: &mut dyn FnMut(Judged)) -> Outcome {
        let tokens = region.tokens;
        let mut facts = Facts::new(region.text, region.base, region.start, region.end, region.line);
        let mut tags = std::mem::take(&mut self.tags).emptied();
        self.special.clear();
        self.special.extend(tokens.iter().filter(|token| is_special(token.kind)));
        read_tags(&mut facts, &self.special, region.glued, &mut tags);
        check_tags(&mut facts, &tags, endings::first(tokens));
        let start = read_start(&mut facts, &tags);
        if let Some(Rules::Other(_)) = start.rules {
            self.tags = tags.emptied();
            return Outcome::Elsewhere;
        }
        check_bytes(&mut facts, &self.special);
        let chosen = self.choice.choose(&tags);
        let wanted = Wanted { dead: self.choice.profile(chosen).dead_position, ..self.wanted };
        let (line, board) = self.replay.run(&mut facts, tokens, region.terminator, start.board.as_ref(), wanted);
        if !self.replay.wrong_numbers.is_empty() {
            let end = region.terminator.unwrap_or(tokens.len());
            report_numbers(&mut facts, &tags, &tokens[..end], &self.replay, &line);
        }
        let text_line = region.line;
        let replayed = Replayed { tokens, terminator: region.terminator, line, board, text_line, game_index, chosen };
        self.finish(&mut facts, &tags, &start, replayed, sink);
        self.tags = tags.emptied();
        Outcome::Done
    }

    /// Judges the game that begins at `at` and hands the record to `sink`, if it is plain; gives where the next one begins.
    /// If it is not, nothing has happened. `lines` counts the lines of `text`.
    pub fn plain_game(
        &mut self,
        text: &[u8],
        base: u64,
        at: usize,
        lines: &mut Lines,
        game_index: i64,
        sink: &mut dyn FnMut(Judged),
    ) -> Option<usize> {
        let first = self.section.read(text, at)?;
        let ended = self.replay.run_plain(text, at, first, self.wanted)?;
        let may_be_clean = self.counts_only && self.optional.eco.is_none();
        if may_be_clean && !(self.optional.long_lines && has_long_line(&text[at..ended.end])) {
            if let Some(clean) = clean(&self.replay, text, at, &mut self.section, &ended, self.optional.depth) {
                sink(Judged::Clean(clean));
                return Some(ended.end);
            }
        }
        let begin = Start { at, line: lines.at(at), glued: false, too_long: false };
        self.finish_plain(text, base, begin, game_index, first, &ended, sink);
        Some(ended.end)
    }

    /// Judges the end of a plain game and hands the record to `sink`. `first` is the place of what stands first behind its tags.
    #[allow(clippy::too_many_arguments)]
    #[inline(never)]
    fn finish_plain(
        &mut self,
        text: &[u8],
        base: u64,
        at: Start,
        game_index: i64,
        first: usize,
        ended: &Ended,
        sink: &mut dyn FnMut(Judged),
    ) {
        let Ended { marker, end, plies, few_men, .. } = *ended;
        // Only what stands first behind the tags, and what ends the game, is asked for.
        let mut tokens = std::mem::take(&mut self.special);
        tokens.clear();
        tokens.extend_from_slice(&self.section.tokens);
        if first < marker.start as usize {
            tokens.push(Token::new(Kind::Symbol, first, first + 1));
        }
        let terminator = Some(tokens.len());
        tokens.push(marker);
        let mut facts = Facts::new(text, base, at.at, end, at.line);
        let mut tags = std::mem::take(&mut self.tags).emptied();
        read_plain_tags(&mut facts, &tokens, self.section.names(), &mut tags);
        check_tags(&mut facts, &tags, tokens[0]);
        let start = read_start(&mut facts, &tags);
        check_bytes(&mut facts, &tokens);
        let chosen = self.choice.choose(&tags);
        if few_men {
            self.replay.look_for_dead(&Board::start(false), self.choice.profile(chosen).dead_position);
        }
        let line = Line { first_ply: 1, count: plies, ..Line::default() };
        let board = Some(ended.board(&self.replay));
        let replayed = Replayed { tokens: &tokens, terminator, line, board, text_line: at.line, game_index, chosen };
        self.finish(&mut facts, &tags, &start, replayed, sink);
        self.tags = tags.emptied();
        self.special = tokens;
    }

    /// Judges the end of a game that was replayed, and hands the record to `sink`.
    fn finish(&mut self, facts: &mut Facts, tags: &Tags, start: &setup::Start, replayed: Replayed, sink: &mut dyn FnMut(Judged)) {
        let Replayed { tokens, terminator, line, board, text_line, game_index, chosen } = replayed;
        let start_fen = match (self.fens, start.shown()) {
            (false, _) | (_, None) => None,
            (true, Some(board)) if !start.from_fen && !board.chess960 => Some(ARRAY_FEN.to_owned()),
            (true, Some(board)) => Some(board.fen()),
        };
        let plies_written = line.plies_written();
        if plies_written > 0 {
            check_ply_count(facts, tags, plies_written);
        } else {
            facts.add("P113", endings::first(tokens), &Place::default());
        }
        report_unjudged(facts, &line, start.rules.is_some());
        if let Some(board) = &start.board {
            diagnose(facts, board, &self.replay, &line);
        }
        if let (Some(first), Some(last)) = (&start.board, &board) {
            // Before the watch over draws, as where the game was over nobody could claim anything.
            let rule = self.choice.profile(chosen).dead_position;
            self.replay.settle_dead(first, last, rule, self.optional.depth);
        }
        let watch = if self.watch(start.board.as_ref(), chosen) { Some(&self.watch) } else { None };
        let profile = self.choice.profile(chosen);
        let judgement = Judgement {
            tags,
            tokens,
            terminator,
            replay: &self.replay,
            line: &line,
            start: start.board.as_ref(),
            board: board.as_ref(),
            watch,
            profile,
            certain: chosen.certain(),
            depth: self.optional.depth,
        };
        let ending = endings::judge(facts, &judgement);
        let white_first = start.board.as_ref().is_none_or(|board| board.turn == Color::White);
        let allowance = self.judge_clocks(facts, tags, start, &ending, !line.stopped || line.over);
        let final_fen = match (self.fens, &board) {
            (false, _) => None,
            (true, Some(board)) => Some(board.fen()),
            (true, None) => start_fen.clone(),
        };
        if self.optional.long_lines {
            report_long_lines(facts);
        }
        if let Some(openings) = &self.optional.eco {
            report_eco(facts, tags, start, &self.replay.plies, openings);
        }
        let findings = facts.take();
        sink(Judged::Game(&GameRecord {
            facts,
            tags,
            game_index,
            byte_offset: facts.offset_of(facts.start()),
            byte_length: u64::from(facts.end() - facts.start()),
            line: text_line,
            rules: start.rules.map(Rules::name),
            start_fen: start_fen.as_deref(),
            final_fen: final_fen.as_deref(),
            plies: &self.replay.plies,
            details: &self.replay.details,
            sans: &self.replay.sans,
            notes: &self.replay.notes,
            rest: &self.replay.rest,
            plies_written,
            movetext: movetext(facts, tokens),
            allowance: allowance.as_ref(),
            white_first,
            ending: &ending,
            watch,
            first_dead: self.replay.first_dead,
            findings: &findings,
            profile: &profile.name,
            profile_reason: chosen.reason,
        }));
    }

    /// Findings on a region that belongs to no game: one that says so, and what is wrong with its bytes.
    pub fn quarantine(&mut self, region: &Region) -> Vec<Finding> {
        let mut facts = Facts::new(region.text, region.base, region.start, region.end, region.line);
        check_bytes(&mut facts, region.tokens);
        if let Some(first) = region.tokens.iter().find(|token| !is_filler(token.kind)) {
            let reason = if region.too_long { "too-long" } else { "no-game" };
            facts.add("P110", *first, &Place::default()).with("reason", reason).with("count", region.end - region.start);
        }
        facts.take()
    }
}

/// How much of the mainline was not judged, behind a bad token or because there is no board (M390).
fn report_unjudged(facts: &mut Facts, line: &Line, rules_known: bool) {
    let Some(first) = line.first_unjudged.filter(|_| !line.over && rules_known) else { return };
    let ply = line.first_ply + line.count + u32::from(line.bad.is_some());
    let place = Place { ply: Some(ply), variation: None };
    facts.add("M390", first, &place).with("count", line.unjudged);
}

/// Everything behind the tag section, without outer blanks.
fn movetext(facts: &Facts, tokens: &[Token]) -> (u32, u32) {
    let first = tokens.iter().find(|token| !is_filler(token.kind) && !matches!(token.kind, Kind::Tag | Kind::BadTag));
    let Some(first) = first else { return (facts.end(), facts.end()) };
    let data = facts.data();
    let mut start = (first.start - facts.start()) as usize;
    let mut end = data.len();
    while end > start && crate::text::is_blank(data[end - 1]) {
        end -= 1;
    }
    while start < end && crate::text::is_blank(data[start]) {
        start += 1;
    }
    (facts.start() + start as u32, facts.start() + end as u32)
}
