//! What is known of one game after it was judged: what rows are made from. It borrows from the chunk and from buffers
//! that the next game uses again.

use crate::allowance::Allowance;
use crate::claims;
use crate::draws::DrawWatch;
use crate::facts::Facts;
use crate::lexer::{Kind, Token};
use crate::tags::Tags;
use crate::types::{Finding, Move, Role};

/// One replayed mainline move; ply n is at index n - 1.
#[derive(Clone, Copy, Debug)]
pub struct Ply {
    /// Where its token begins and ends.
    pub start: u32,
    pub end: u32,
    pub mv: Move,
    /// Key of the men after it, see `scout::diagram_key`.
    pub key: u64,
}

impl Ply {
    #[inline(always)]
    pub fn token(&self) -> Token {
        Token { kind: Kind::Move, start: self.start, end: self.end }
    }
}

/// What the rows of plies tell of a move beyond its text and squares.
#[derive(Clone, Copy, Debug)]
pub struct Detail {
    /// None for a pass.
    pub role: Option<Role>,
    pub captured: Option<Role>,
    pub check: bool,
    pub mate: bool,
    /// After the move.
    pub halfmove: u32,
    /// How often the position after the move has now stood; 1 where the game is not judged for draws.
    pub repetition: u32,
    /// Key of the position after the move.
    pub key: u64,
}

/// What stands between the moves of the mainline, in the order of the text. `ply` is the move it stands behind, 0 before
/// the first.
#[derive(Clone, Copy, Debug)]
pub enum Note {
    Comment {
        ply: u32,
        token: Token,
    },
    Nag {
        ply: u32,
        number: u8,
    },
    /// From the opening to behind the closing bracket, counted as tokens are.
    Variation {
        ply: u32,
        start: u32,
        end: u32,
    },
}

impl Note {
    /// The move it stands behind, 0 before the first.
    #[inline]
    pub fn ply(&self) -> u32 {
        match *self {
            Note::Comment { ply, .. } | Note::Nag { ply, .. } | Note::Variation { ply, .. } => ply,
        }
    }
}

/// How a game ended, as far as it can be told; see `chesstools/reference/endings.py`.
#[derive(Clone, Debug, Default)]
pub struct Ending {
    pub result: Option<&'static str>,
    pub marker: Option<Token>,
    pub status: Option<&'static str>,
    pub reason: Option<&'static str>,
    pub basis: Option<&'static str>,
    pub unclaimed_draw: Option<bool>,
}

/// First plies of draws (columns of games).
#[derive(Clone, Copy, Debug, Default)]
pub struct Firsts {
    pub threefold: Option<u32>,
    pub fivefold: Option<u32>,
    pub fifty: Option<u32>,
    pub seventyfive: Option<u32>,
    pub dead: Option<u32>,
    /// Where the game was drawn without a claim.
    pub automatic: Option<u32>,
    /// Claims of White by repetition, of Black by repetition, of White by the 50-move rule, of Black by it.
    pub claims: [Span; 4],
}

/// First and last index at which something was possible; None where it never was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub first: Option<u32>,
    pub last: Option<u32>,
}

/// One judged game.
pub struct GameRecord<'a> {
    pub facts: &'a Facts<'a>,
    pub tags: &'a Tags<'a>,
    pub game_index: i64,
    pub byte_offset: u64,
    pub byte_length: u64,
    pub line: u64,
    /// `standard` or `chess960`; None where the variant is not known.
    pub rules: Option<&'static str>,
    pub start_fen: Option<&'a str>,
    pub final_fen: Option<&'a str>,
    pub plies: &'a [Ply],
    /// One for each of `plies` where plies are wanted, else none.
    pub details: &'a [Detail],
    /// Standard notation of those plies whose text is not that, by index in `plies`, ascending.
    pub sans: &'a [(u32, String)],
    pub notes: &'a [Note],
    /// The bad token and the unjudged ones.
    pub rest: &'a [Token],
    /// Mainline plies as written, judged or not.
    pub plies_written: u32,
    /// Everything behind the tag section, without outer blanks, counted as tokens are.
    pub movetext: (u32, u32),
    /// What the time control gives, where there are comments and clocks can be judged by it.
    pub allowance: Option<&'a Allowance>,
    /// Whether White made the first move.
    pub white_first: bool,
    pub ending: &'a Ending,
    /// None where claims to a draw are not judged.
    pub watch: Option<&'a DrawWatch>,
    pub first_dead: Option<u32>,
    pub findings: &'a [Finding],
    pub profile: &'a str,
    /// Why it is that one.
    pub profile_reason: &'static str,
}

impl GameRecord<'_> {
    /// What the columns of games tell of draws: nobody else asks for it.
    pub fn firsts(&self) -> Firsts {
        let known = |first: fn(&DrawWatch) -> Option<u32>| self.watch.and_then(first);
        Firsts {
            threefold: known(|watch| watch.first_threefold),
            fivefold: known(|watch| watch.first_fivefold),
            fifty: known(|watch| watch.first_fifty),
            seventyfive: known(|watch| watch.first_seventyfive),
            dead: self.first_dead,
            automatic: claims::first_automatic(self.watch, self.first_dead),
            claims: claims::spans(self.watch),
        }
    }
}
