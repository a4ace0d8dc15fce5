//! What a token means for the region that it stands in: whether it ends it, and what kind of region it is.

use crate::ahead;
use crate::classes::{is_bad_tag_name, is_blank};
use crate::lexer::{Kind, Token};
use crate::region::count_breaks;
use crate::segment::{Ended, Segmenter};

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
    pub(crate) too_long: bool,
    /// Index of the first comment behind the gap.
    pub(crate) cut: Option<usize>,
    has_event: bool,
    has_fen: bool,
    /// The name of the first tag that has one, and the last Result tag, as spans.
    first_name: (usize, usize),
    result: (usize, usize),
}

impl State {
    pub(crate) fn new(is_game: Option<bool>) -> State {
        State { is_game, ..State::default() }
    }
}

impl<'a> Segmenter<'a> {
    /// Takes in one token; the region that it ends, if it does.
    pub(crate) fn take(&mut self, token: Token) -> Option<Ended> {
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
        if text.is_empty() {
            // Without a name it neither begins a game nor ends one.
        } else if self.state.is_game.is_none() {
            self.state.is_game = Some(true);
            is_glued = std::mem::take(&mut self.begins_glued);
        } else if self.state.is_game == Some(false) {
            ended = self.split(token, true);
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
