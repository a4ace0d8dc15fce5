//! Where games begin and end. Games and quarantined regions together are the whole input, byte for byte.
//!
//! The counterpart of `chesstools/reference/segment.py`: the same decisions, token by token.

use crate::ahead;
use crate::classes::{is_bad_tag_name, is_blank};
use crate::lexer::{Kind, Lexer, Token};
use crate::limits::Limits;

/// Where in the stream reading begins, and what must be remembered of the text before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The place in the data; what stands before it is looked back at, not read.
    pub at: usize,
    pub line: u64,
    /// The next game's tags stand right behind a result, without a blank line.
    pub glued: bool,
    /// The rest of a game that went over the limit comes next.
    pub too_long: bool,
}

impl Default for Start {
    fn default() -> Start {
        Start { at: 0, line: 1, glued: false, too_long: false }
    }
}

/// Memory that is used again from chunk to chunk.
#[derive(Debug, Default)]
pub struct Buffers {
    tokens: Vec<Token>,
    glued: Vec<Token>,
}

/// A game, or a stretch of text that is none. All places count from the beginning of the chunk's data.
#[derive(Clone, Copy, Debug)]
pub struct Region<'s> {
    pub is_game: bool,
    /// The data of the chunk.
    pub text: &'s [u8],
    /// Where the data of the chunk begins in the stream.
    pub base: u64,
    pub start: usize,
    pub end: usize,
    /// The line that it begins in.
    pub line: u64,
    /// All tokens but white space.
    pub tokens: &'s [Token],
    /// Index in `tokens` of the termination marker.
    pub terminator: Option<usize>,
    /// Tag pairs that stand behind movetext without a blank line between.
    pub glued: &'s [Token],
    pub too_long: bool,
}

impl<'s> Region<'s> {
    /// Where it begins in the stream.
    pub fn offset(&self) -> u64 {
        self.base + self.start as u64
    }

    pub fn data(&self) -> &'s [u8] {
        &self.text[self.start..self.end]
    }

    pub fn bytes(&self, token: Token) -> &'s [u8] {
        &self.text[token.start as usize..token.end as usize]
    }
}

/// What is known of the region that is being read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct State {
    /// None: not known yet (only comments so far).
    pub(crate) is_game: Option<bool>,
    /// Movetext has begun.
    pub(crate) body: bool,
    pub(crate) depth: u32,
    pub(crate) terminator: Option<usize>,
    /// Behind the termination marker stood a blank line.
    gap: bool,
    /// Line breaks since the last token that is not white space.
    pub(crate) breaks: usize,
    too_long: bool,
    /// Index of the first comment behind the gap.
    cut: Option<usize>,
    has_event: bool,
    has_fen: bool,
    /// The name of the first tag that has one, and the last Result tag, as spans.
    first_name: (usize, usize),
    result: (usize, usize),
}

impl State {
    fn new(is_game: Option<bool>) -> State {
        State { is_game, ..State::default() }
    }
}

/// A region that has ended, while the tokens of the next one may stand behind its own already.
#[derive(Clone, Copy)]
struct Ended {
    is_game: bool,
    start: usize,
    end: usize,
    line: u64,
    tokens: usize,
    terminator: Option<usize>,
    glued: usize,
    too_long: bool,
}

/// Gives the regions of a chunk one by one, in order and without gaps.
///
/// ```
/// use _core::segment::{Buffers, Segmenter, Start};
/// let mut buffers = Buffers::default();
/// let mut segmenter = Segmenter::new(b"1. e4 *\n\n1. d4 *\n", 0, Start::default(), &mut buffers);
/// assert_eq!(segmenter.next_region().unwrap().data(), b"1. e4 *\n\n");
/// assert_eq!(segmenter.next_region().unwrap().data(), b"1. d4 *\n");
/// assert!(segmenter.next_region().is_none());
/// ```
pub struct Segmenter<'a> {
    pub(crate) lexer: Lexer<'a>,
    pub(crate) tokens: &'a mut Vec<Token>,
    glued: &'a mut Vec<Token>,
    /// Where reading goes on.
    pub(crate) at: usize,
    /// Where the current region begins, and its line.
    pub(crate) start: usize,
    line: u64,
    /// The next carriage return that is known, if it is not before the start.
    next_return: usize,
    begins_glued: bool,
    pub(crate) state: State,
    /// Tokens and glued tags at the front of the buffers that belong to the region given last.
    given: (usize, usize),
    /// The last token was not yet held against the limits, because a region ended at it.
    unchecked: bool,
}

impl<'a> Segmenter<'a> {
    /// Reads `data`, which begins at `base` in the stream, from `start` on.
    pub fn new(data: &'a [u8], base: u64, start: Start, buffers: &'a mut Buffers) -> Segmenter<'a> {
        Segmenter::with_limits(data, base, start, buffers, Limits::STATED)
    }

    pub fn with_limits(data: &'a [u8], base: u64, start: Start, buffers: &'a mut Buffers, limits: Limits) -> Segmenter<'a> {
        buffers.tokens.clear();
        buffers.glued.clear();
        let mut state = State::new(if start.too_long { Some(false) } else { None });
        state.too_long = start.too_long;
        Segmenter {
            lexer: Lexer::with_limits(data, base, limits),
            tokens: &mut buffers.tokens,
            glued: &mut buffers.glued,
            at: start.at,
            start: start.at,
            line: start.line,
            next_return: 0,
            begins_glued: start.glued,
            state,
            given: (0, 0),
            unchecked: false,
        }
    }

    /// The place right behind the region given last, from which reading can go on.
    pub fn position(&self) -> Start {
        let glued = self.glued.len() > self.given.1;
        Start { at: self.start, line: self.line, glued, too_long: self.state.too_long }
    }

    /// Where the text ends that decided about the regions given so far; with more text behind the data, regions that end
    /// before can not become others.
    pub(crate) fn wanted(&self) -> usize {
        let limits = &self.lexer.limits;
        let short = limits.tag_line.max(limits.inline_tag).max(crate::limits::LOOK_AHEAD) + crate::limits::LOOK_AHEAD;
        self.lexer.wanted.max(self.at + short)
    }

    /// The next region, or None at the end.
    pub fn next_region(&mut self) -> Option<Region<'_>> {
        let ended = self.read_region()?;
        self.given = (ended.tokens, ended.glued);
        Some(Region {
            is_game: ended.is_game,
            text: self.lexer.data,
            base: self.lexer.base,
            start: ended.start,
            end: ended.end,
            line: ended.line,
            tokens: &self.tokens[..ended.tokens],
            terminator: ended.terminator,
            glued: &self.glued[..ended.glued],
            too_long: ended.too_long,
        })
    }

    fn read_region(&mut self) -> Option<Ended> {
        forget(self.tokens, self.given.0);
        forget(self.glued, self.given.1);
        self.given = (0, 0);
        if self.unchecked {
            self.unchecked = false;
            if self.is_over_limit() {
                return Some(self.cut_off());
            }
        }
        let end = self.lexer.data.len();
        while self.at < end {
            self.read_fast();
            if self.at == end {
                break;
            }
            let token = self.lexer.token(self.at);
            self.at = token.end as usize;
            if let Some(ended) = self.take(token) {
                self.unchecked = true;
                return Some(ended);
            }
            if self.is_over_limit() {
                return Some(self.cut_off());
            }
        }
        (end > self.start).then(|| self.close(end, self.tokens.len()))
    }

    fn is_over_limit(&self) -> bool {
        let limits = &self.lexer.limits;
        self.at - self.start > limits.game || self.tokens.len() > limits.game_tokens
    }

    // ---------------------------------------------------------------------------------------------- regions

    /// Ends the region at `end`, with so many tokens.
    fn close(&mut self, end: usize, tokens: usize) -> Ended {
        let state = &self.state;
        let ended = Ended {
            is_game: state.is_game == Some(true),
            start: self.start,
            end,
            line: self.line,
            tokens,
            terminator: state.terminator,
            glued: self.glued.len(),
            too_long: state.too_long,
        };
        self.line += self.lines_until(end);
        self.start = end;
        ended
    }

    /// Line breaks from the start of the region to `end`. Carriage returns are looked for once: mostly there are none.
    fn lines_until(&mut self, end: usize) -> u64 {
        let data = self.lexer.data;
        if self.next_return < self.start {
            self.next_return = memchr::memchr(b'\r', &data[self.start..]).map_or(usize::MAX, |found| self.start + found);
        }
        let region = &data[self.start..end];
        if self.next_return >= end {
            return memchr::memchr_iter(b'\n', region).count() as u64;
        }
        count_lines(region)
    }

    /// Ends the region here, as it has grown over the limit. If it is a game, its rest belongs to no game.
    fn cut_off(&mut self) -> Ended {
        let rest = self.state.too_long || self.state.is_game == Some(true);
        let ended = self.close(self.at, self.tokens.len());
        self.state = State::new(if rest { Some(false) } else { None });
        self.state.too_long = rest;
        ended
    }

    /// Ends the region before `token`, or before the comments that lead up to it, and starts the next one.
    ///
    /// None where there is nothing to end: the region before was cut off right here.
    fn split(&mut self, token: Token, is_game: bool) -> Option<Ended> {
        let tokens = self.state.cut.unwrap_or(self.tokens.len());
        let end = self.tokens.get(tokens).map_or(token.start, |led| led.start) as usize;
        let ended = (end > self.start).then(|| self.close(end, tokens));
        self.state = State::new(Some(is_game));
        ended
    }

    // ---------------------------------------------------------------------------------------------- tokens

    /// Takes in one token; the region that it ends, if it does.
    fn take(&mut self, token: Token) -> Option<Ended> {
        if token.kind == Kind::Space {
            self.state.breaks += count_breaks(self.bytes(token));
            return None;
        }
        if token.kind.is_filler() {
            if token.kind == Kind::Escape {
                self.state.breaks = self.state.breaks.saturating_sub(1);
            }
            self.tokens.push(token);
            return None;
        }
        if self.state.breaks >= 2 && self.state.terminator.is_some() {
            self.state.gap = true;
        }
        let ended = match token.kind {
            Kind::Tag | Kind::BadTag => self.take_tag(token),
            kind if kind.is_comment() => {
                // Behind a finished game and a blank line a comment may lead up to the next game.
                if self.state.gap && self.state.cut.is_none() {
                    self.state.cut = Some(self.tokens.len());
                }
                self.tokens.push(token);
                None
            }
            Kind::Number | Kind::Dots | Kind::Move | Kind::Null | Kind::Result => self.take_play(token),
            _ => self.take_other(token),
        };
        self.state.breaks = 0;
        ended
    }

    fn take_tag(&mut self, token: Token) -> Option<Ended> {
        let data = self.lexer.data;
        let name = tag_name(data, token);
        let text = &data[name.0..name.1];
        let blank = self.state.breaks >= 2;
        let mut ended = None;
        let mut is_glued = false;
        if self.state.is_game.is_none() {
            self.state.is_game = Some(true);
            is_glued = std::mem::take(&mut self.begins_glued);
        } else if self.state.is_game == Some(false) {
            ended = self.split(token, true);
        } else if text.is_empty() {
        } else if self.state.terminator.is_some() {
            // A comment between a result and a tag section belongs to the game before it.
            self.state.cut = None;
            ended = self.split(token, true);
            is_glued = !blank;
        } else if self.state.body {
            let opens = self.state.breaks >= 1 && (blank || text == b"Event" || ahead::tag(data, token.end as usize));
            if opens {
                ended = self.split(token, true);
            }
            is_glued = !blank || !opens;
        } else if blank && self.repeats(text) {
            ended = self.split(token, true);
        }
        if is_glued {
            self.glued.push(token);
        }
        self.note_tag(token, name);
        self.tokens.push(token);
        ended
    }

    /// Remembers what is needed of a tag pair.
    #[inline(always)]
    pub(crate) fn note_tag(&mut self, token: Token, name: (usize, usize)) {
        let state = &mut self.state;
        if state.first_name.0 == state.first_name.1 {
            state.first_name = name;
        }
        match &self.lexer.data[name.0..name.1] {
            b"Event" => state.has_event = true,
            b"FEN" => state.has_fen = true,
            b"Result" => state.result = (token.start as usize, token.end as usize),
            _ => {}
        }
    }

    /// Whether a tag of this name stands in the section already, and is one that a section begins with.
    fn repeats(&self, name: &[u8]) -> bool {
        let state = &self.state;
        let first = &self.lexer.data[state.first_name.0..state.first_name.1];
        (name == b"Event" && state.has_event) || (name == b"FEN" && state.has_fen) || name == first
    }

    fn take_play(&mut self, mut token: Token) -> Option<Ended> {
        let data = self.lexer.data;
        let behind = token.end as usize;
        // Whether a game without tags can begin here, rather than a line of prose that begins with a number.
        let doubtful = matches!(token.kind, Kind::Number | Kind::Dots);
        let starts = || !doubtful || ahead::play(data, behind);
        let mut ended = None;
        match self.state.is_game {
            None => self.state.is_game = Some(starts()),
            Some(false) => {
                if self.state.breaks >= 2 && starts() {
                    ended = self.split(token, true);
                }
            }
            Some(true) if self.state.terminator.is_some() => {
                let starts = starts();
                if self.state.gap || (starts && self.is_first_number(token)) {
                    ended = self.split(token, starts);
                } else {
                    self.tokens.push(token);
                    return None;
                }
            }
            Some(true) => {}
        }
        if self.state.is_game == Some(true) {
            self.state.body = true;
            if token.kind == Kind::Move && self.is_double_forfeit(token) {
                token.kind = Kind::Result;
            }
            if token.kind == Kind::Result && (self.state.depth == 0 || ahead::end(data, behind)) {
                // The region that has ended, if any, still has its tokens in front.
                self.state.terminator = Some(self.tokens.len() - ended.map_or(0, |ended: Ended| ended.tokens));
            }
        }
        self.tokens.push(token);
        ended
    }

    fn take_other(&mut self, token: Token) -> Option<Ended> {
        let mut ended = None;
        match self.state.is_game {
            None => self.state.is_game = Some(false),
            Some(true) if self.state.gap => ended = self.split(token, false),
            Some(true) if self.state.terminator.is_none() => {
                self.state.body = true;
                match token.kind {
                    Kind::Open => self.state.depth += 1,
                    Kind::Close => self.state.depth = self.state.depth.saturating_sub(1),
                    _ => {}
                }
            }
            Some(_) => {}
        }
        self.tokens.push(token);
        ended
    }

    fn is_first_number(&self, token: Token) -> bool {
        let text = self.bytes(token);
        let end = text.iter().rposition(|byte| !matches!(byte, b'.' | 0xE2 | 0x80 | 0xA6)).map_or(0, |last| last + 1);
        token.kind == Kind::Number && &text[..end] == b"1"
    }

    /// `0-0` is a result where the Result tag says so and the game ends there; else it is castling.
    fn is_double_forfeit(&self, token: Token) -> bool {
        let data = self.lexer.data;
        self.state.depth == 0
            && self.bytes(token) == b"0-0"
            && data[self.state.result.0..self.state.result.1].windows(5).any(|text| text == b"\"0-0\"")
            && ahead::no_result(data, token.end as usize)
    }

    fn bytes(&self, token: Token) -> &'a [u8] {
        &self.lexer.data[token.start as usize..token.end as usize]
    }
}

/// The span of the name in a tag pair; an empty one where it has none.
fn tag_name(data: &[u8], token: Token) -> (usize, usize) {
    let text = &data[..token.end as usize];
    let at = token.start as usize + 1;
    let start = text[at..].iter().position(|&byte| !is_blank(byte)).map_or(text.len(), |length| at + length);
    let end = text[start..].iter().position(|&byte| !is_bad_tag_name(byte)).map_or(text.len(), |length| start + length);
    (start, end)
}

/// Removes what stands at the front; hardly ever more than one item is left.
fn forget(tokens: &mut Vec<Token>, given: usize) {
    if let [.., last] = tokens[given..] {
        if tokens.len() == given + 1 {
            tokens.clear();
            tokens.push(last);
            return;
        }
        tokens.drain(..given);
    } else {
        tokens.clear();
    }
}

/// As `count_lines`, for a few bytes.
fn count_breaks(space: &[u8]) -> usize {
    let mut before = 0;
    let mut breaks = 0;
    for &byte in space {
        breaks += usize::from(byte == b'\r' || (byte == b'\n' && before != b'\r'));
        before = byte;
    }
    breaks
}

/// Line breaks in `data`, each of LF, CR and CRLF being one.
pub fn count_lines(data: &[u8]) -> u64 {
    let feeds = memchr::memchr_iter(b'\n', data).count();
    let returns = memchr::memchr_iter(b'\r', data).filter(|&at| data.get(at + 1) != Some(&b'\n')).count();
    (feeds + returns) as u64
}
