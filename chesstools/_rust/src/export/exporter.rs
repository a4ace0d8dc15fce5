//! Reads games one after the other, replays them, and writes each as it is wanted. Nothing is judged.

use std::sync::Arc;

use super::events::Event;
use super::game::Game;
use super::left::Left;
use super::options::{Format, Options};
use super::{json, moves, pgn, positions};
use crate::facts::Facts;
use crate::game::Outcome;
use crate::lexer::{Kind, Token};
use crate::plain::tags::TagSection;
use crate::profile::DeadPosition;
use crate::record::Note;
use crate::region::Region;
use crate::replay::{Replay, Wanted};
use crate::start::{read_start, Rules, Start, ARRAY, ARRAY_FEN};
use crate::tags::{read_plain_tags, read_tags, Tags};

/// Draws are of no interest here; a larger number looks at positions later.
const WANTED: Wanted = Wanted { keys: false, fifty_from: 100, dead: DeadPosition::AnySeries };

/// Games that were written.
#[derive(Default)]
pub struct Written {
    pub text: Vec<u8>,
    /// Where in the text the number of a game is to be put, counted from the first one; JSON only.
    pub numbers: Vec<(usize, u64)>,
    /// Of each line of the text, if they are wanted.
    pub keys: Vec<u128>,
    pub left: Left,
    pub games: u64,
}

/// Writes games; its buffers are used again.
pub struct Exporter {
    options: Arc<Options>,
    source: String,
    replay: Replay,
    section: TagSection,
    /// Tag pairs among the tokens of a game.
    special: Vec<Token>,
    /// Events of a plain game.
    events: Vec<Event>,
    tags: Tags<'static>,
}

impl Exporter {
    pub fn new(options: Arc<Options>, source: String) -> Exporter {
        Exporter {
            options,
            source,
            replay: Replay::default(),
            section: TagSection::default(),
            special: Vec::new(),
            events: Vec::new(),
            tags: Tags::default(),
        }
    }

    /// Writes the game of a region. Those that only the readable engine knows are not written.
    pub fn game(&mut self, region: &Region, into: &mut Written) -> Outcome {
        let tokens = region.tokens;
        let mut facts = Facts::of(region).mute();
        let mut tags = std::mem::take(&mut self.tags).emptied();
        self.special.clear();
        self.special.extend(tokens.iter().filter(|token| token.kind.is_tag()));
        read_tags(&mut facts, &self.special, &[], &mut tags);
        let start = read_start(&mut facts, &tags);
        if let Some(Rules::Other(_)) = start.rules {
            self.tags = tags.emptied();
            return Outcome::Elsewhere;
        }
        self.replay.events.get_or_insert_default();
        let (_, last) = self.replay.run(&mut facts, tokens, region.terminator, start.board.as_ref(), WANTED);
        let read = tags.pairs.iter().map(|tag| tag.token.start);
        let mut read = read.peekable();
        self.special.retain(|token| read.next_if_eq(&token.start).is_none());
        into.left.escape_lines += escape_lines(region);
        into.left.open_comments += tokens.iter().filter(|token| token.kind == Kind::OpenComment).count() as u64;
        into.left.renumbered += u64::from(self.replay.wrong_numbers.iter().any(|wrong| wrong.skipped != 0));
        let start_fen = start_fen(&start);
        let events = self.replay.events.take().unwrap_or_default();
        let game = Game {
            facts: &facts,
            tags: &tags,
            unread_tags: &self.special,
            tokens,
            marker: region.terminator.map(|at| tokens[at]),
            behind: region.terminator.map_or(&[], |at| &tokens[at + 1..]),
            start: start.board.as_ref(),
            last,
            start_fen: start_fen.as_deref(),
            plies: &self.replay.plies,
            sans: &self.replay.sans,
            events: &events.list,
            moved: &events.moves,
        };
        write(&game, &self.options, &self.source, into);
        self.replay.events = Some(events);
        self.tags = tags.emptied();
        Outcome::Done
    }

    /// Writes the game that begins at `at`, if it is plain; gives where the next one begins. If it is not, nothing has happened.
    pub fn plain_game(&mut self, text: &[u8], base: u64, at: usize, into: &mut Written) -> Option<usize> {
        let first = self.section.read(text, at)?;
        let ended = self.replay.run_plain(text, at, first, WANTED)?;
        let mut facts = Facts::new(text, base, at, ended.end, 1).mute();
        let mut tags = std::mem::take(&mut self.tags).emptied();
        read_plain_tags(&mut facts, &self.section.tokens, self.section.names(), &mut tags);
        self.events.clear();
        let mut plies = 0;
        for note in &self.replay.notes {
            if let Note::Comment { ply, token } = *note {
                if ply > plies {
                    self.events.push(Event::Mainline(ply));
                    plies = ply;
                }
                self.events.push(Event::Comment(token));
            }
        }
        if ended.plies > plies {
            self.events.push(Event::Mainline(ended.plies));
        }
        let game = Game {
            facts: &facts,
            tags: &tags,
            unread_tags: &[],
            tokens: &[],
            marker: Some(ended.marker),
            behind: &[],
            start: Some(&ARRAY),
            last: self.options.wants_last().then(|| ended.board(&self.replay)),
            start_fen: None,
            plies: &self.replay.plies,
            sans: &[],
            events: &self.events,
            moved: &[],
        };
        write(&game, &self.options, &self.source, into);
        self.tags = tags.emptied();
        Some(ended.end)
    }
}

/// How many lines of a region are no part of what it says.
pub fn escape_lines(region: &Region) -> u64 {
    region.tokens.iter().filter(|token| token.kind == Kind::Escape).count() as u64
}

/// The start position as it can be shown, unless it is the usual one.
fn start_fen(start: &Start) -> Option<String> {
    let usual = !start.from_fen && start.board.as_ref().is_some_and(|board| !board.chess960);
    let fen = start.shown().filter(|_| !usual)?.fen();
    (fen != ARRAY_FEN).then_some(fen)
}

fn write(game: &Game, options: &Options, source: &str, into: &mut Written) {
    let Written { text, numbers, keys, left, games } = into;
    match options.format {
        Format::Pgn => pgn::write(game, options, left, text),
        Format::JsonLines => numbers.push((json::write(game, source, options, left, text), *games)),
        Format::Moves => moves::write(game, options, left, text),
        Format::Fen | Format::Epd => positions::write(game, options, left, text, keys),
    }
    *games += 1;
}
