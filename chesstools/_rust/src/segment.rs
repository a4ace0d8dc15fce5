//! Where games begin and end. Games and quarantined regions together are the whole input, byte for byte.
//!
//! The counterpart of `chesstools/reference/segment.py`: the same decisions, token by token (`segment_tokens.rs`). What is
//! frequent inside a game is read at once (`segment_fast.rs`).

use crate::lexer::{Lexer, Token};
use crate::limits::{Limits, LOOK_AHEAD};
use crate::segment_tokens::State;

pub use crate::region::{count_lines, Buffers, Region, Start};

/// A region that has ended, while the tokens of the next one may stand behind its own already.
#[derive(Clone, Copy)]
pub(crate) struct Ended {
    is_game: bool,
    start: usize,
    end: usize,
    line: u64,
    pub(crate) tokens: usize,
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
    pub(crate) glued: &'a mut Vec<Token>,
    /// Where reading goes on.
    pub(crate) at: usize,
    /// Where the current region begins, and its line.
    pub(crate) start: usize,
    line: u64,
    /// The next carriage return that is known, if it is not before the start.
    next_return: usize,
    pub(crate) begins_glued: bool,
    pub(crate) state: State,
    /// Before this place there is nothing (more) to be read fast.
    pub(crate) not_before: usize,
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
            not_before: 0,
            given: (0, 0),
            unchecked: false,
        }
    }

    /// The place right behind the region given last, or where reading began; from there it can go on.
    pub fn position(&self) -> Start {
        let glued = self.glued.len() > self.given.1 || self.begins_glued;
        Start { at: self.start, line: self.line, glued, too_long: self.state.too_long }
    }

    /// Reads on at another place, where a region begins.
    pub fn go_on(&mut self, start: Start) {
        self.tokens.clear();
        self.glued.clear();
        self.given = (0, 0);
        self.unchecked = false;
        (self.at, self.start, self.line) = (start.at, start.at, start.line);
        self.begins_glued = start.glued;
        self.state = State::new(if start.too_long { Some(false) } else { None });
        self.state.too_long = start.too_long;
    }

    /// Where the text ends that decided about the regions given so far; with more text behind the data, regions that end
    /// before can not become others.
    pub(crate) fn wanted(&self) -> usize {
        let limits = &self.lexer.limits;
        let short = limits.tag_line.max(limits.inline_tag).max(LOOK_AHEAD) + LOOK_AHEAD;
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
    pub(crate) fn split(&mut self, token: Token, is_game: bool) -> Option<Ended> {
        let tokens = self.state.cut.unwrap_or(self.tokens.len());
        let end = self.tokens.get(tokens).map_or(token.start, |led| led.start) as usize;
        let ended = (end > self.start).then(|| self.close(end, tokens));
        self.state = State::new(Some(is_game));
        ended
    }
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
