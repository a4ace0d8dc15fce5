//! Whether a colour can still mate by any series of legal moves (FIDE 5.2.2, 6.9): yes, no or unknown, and how that was found.
//!
//! The idea is that of M. Ambrona, A Practical Algorithm for Chess Unwinnability (FUN 2022): what cannot be seen by material or by
//! playing the few moves that there are is mostly seen by asking where each man can ever get to. A `No` is a proof, a `Yes` comes
//! with a line that mates, and everything else is `Unknown`. Draws by repetition or by counting moves are left out of account.
//!
//! `quick` is the counterpart of `chesstools/reference/winnable.py`: the same answer, method and number of nodes for every position.

pub mod cover;
pub mod dead;
pub mod helpmate;
pub mod lines;
pub mod packed;
#[cfg(feature = "python")]
pub mod python;
pub mod reach;
pub mod spread;

use crate::board::Board;
use crate::types::{Color, Move, MoveList};

/// The longest forced line that is followed, in plies.
pub const FORCED_PLIES: usize = 100;
/// With more positions than this side by side, `quick` gives up going through all lines.
pub const WIDTH: usize = 12;
/// `quick` goes through all lines of at most so many positions.
pub const POSITIONS: u32 = 150;
/// With at most so many legal moves, `quick` also asks where the men can get to after each of them.
pub const REPLIES: usize = 10;
/// How many positions `full` looks at unless told otherwise.
pub const FULL_NODES: u32 = 300_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Yes,
    No,
    Unknown,
}

impl Verdict {
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Yes => "yes",
            Verdict::No => "no",
            Verdict::Unknown => "unknown",
        }
    }
}

/// What an answer rests on, in the order of how much it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// The men that are left cannot mate.
    Material,
    /// The game is over on the board.
    Terminal,
    /// There is one legal move at a time, and these lead to the end, in a circle, or to men that cannot mate.
    Forced,
    /// All lines were gone through.
    Search,
    /// No man can ever get to where it would be needed.
    SemiStatic,
    /// A line that mates was found.
    Mate,
}

impl Method {
    pub const fn name(self) -> &'static str {
        match self {
            Method::Material => "material",
            Method::Terminal => "terminal",
            Method::Forced => "forced",
            Method::Search => "search",
            Method::SemiStatic => "semi-static",
            Method::Mate => "mate",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub verdict: Verdict,
    /// None where the verdict is `Unknown`.
    pub method: Option<Method>,
    /// For `Yes`, moves that end in mate; empty where the mate is on the board, and for all other verdicts.
    pub line: Vec<Move>,
    /// The positions of which the legal moves were listed.
    pub nodes: u32,
}

impl Answer {
    pub(crate) fn no(method: Method, nodes: u32) -> Answer {
        Answer { verdict: Verdict::No, method: Some(method), line: Vec::new(), nodes }
    }

    pub(crate) fn yes(method: Method, line: Vec<Move>, nodes: u32) -> Answer {
        Answer { verdict: Verdict::Yes, method: Some(method), line, nodes }
    }

    pub(crate) fn unknown(nodes: u32) -> Answer {
        Answer { verdict: Verdict::Unknown, method: None, line: Vec::new(), nodes }
    }

    pub fn is_no(&self) -> bool {
        self.verdict == Verdict::No
    }
}

/// How much is looked at before the answer is `Unknown`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// What takes some microseconds.
    #[default]
    Quick,
    /// So many positions.
    Full(u32),
}

impl Depth {
    /// Whether `winner` can still mate.
    pub fn ask(self, board: &Board, winner: Color) -> Answer {
        match self {
            Depth::Quick => quick(board, winner),
            Depth::Full(limit) => full(board, winner, limit),
        }
    }
}

/// Whether `winner` can still mate, as far as that can be told within some microseconds. Both sides have one king, and the side
/// that is not to move is not in check.
pub fn quick(board: &Board, winner: Color) -> Answer {
    let (answer, _, _) = first_steps(board, winner);
    answer
}

/// Whether `winner` can still mate, looking at up to `limit` positions.
pub fn full(board: &Board, winner: Color, limit: u32) -> Answer {
    let (answer, at, line) = first_steps(board, winner);
    match answer.verdict {
        Verdict::Unknown => helpmate::search(&at, winner, line, answer.nodes, limit),
        _ => answer,
    }
}

/// The quick answer, with the position behind the forced moves, and these.
fn first_steps(board: &Board, winner: Color) -> (Answer, Board, Vec<Move>) {
    if board.has_insufficient_material(winner) {
        return (Answer::no(Method::Material, 0), board.clone(), Vec::new());
    }
    let forced = lines::forced(board, winner);
    let lines::Forced { at, line, nodes, moves, answer } = forced;
    if let Some(answer) = answer {
        return (answer, at, line);
    }
    let answer = behind_forced(&at, winner, &line, &moves, nodes);
    (answer, at, line)
}

fn behind_forced(at: &Board, winner: Color, line: &[Move], moves: &MoveList, mut nodes: u32) -> Answer {
    match lines::through_all(at, winner, moves, &mut nodes) {
        lines::Through::Mate(rest) => return Answer::yes(Method::Mate, [line, &rest].concat(), nodes),
        lines::Through::Nothing => return Answer::no(Method::Search, nodes),
        lines::Through::TooMany => {}
    }
    if !reach::could_mate(at, winner) {
        return Answer::no(Method::SemiStatic, nodes);
    }
    if moves.len() <= REPLIES && moves.iter().all(|&mv| !could_mate_behind(at, mv, winner)) {
        return Answer::no(Method::SemiStatic, nodes);
    }
    Answer::unknown(nodes)
}

/// Whether nothing speaks against a mate behind a move.
fn could_mate_behind(board: &Board, mv: Move, winner: Color) -> bool {
    let mut board = board.clone();
    board.play(mv);
    !board.has_insufficient_material(winner) && reach::could_mate(&board, winner)
}
