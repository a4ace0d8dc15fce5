//! Lines that are short or few: moves that are forced, and all lines where there are not many.

use crate::board::Board;
use crate::types::{Color, Move, MoveList};
use crate::winnable::{Answer, Method, FORCED_PLIES, POSITIONS, WIDTH};

/// Where the forced moves lead.
pub struct Forced {
    pub at: Board,
    pub line: Vec<Move>,
    /// The legal moves there.
    pub moves: MoveList,
    pub nodes: u32,
    /// None where there is a choice of moves.
    pub answer: Option<Answer>,
}

/// Plays moves while there is only one.
pub fn forced(board: &Board, winner: Color) -> Forced {
    let mut forced = Forced { at: board.clone(), line: Vec::new(), moves: MoveList::new(), nodes: 0, answer: None };
    let mut seen = Vec::new();
    loop {
        forced.moves.clear();
        forced.at.legal_moves(!0, !0, &mut forced.moves);
        forced.nodes += 1;
        let plies = forced.line.len();
        match forced.moves.as_slice() {
            [] => {
                let method = if plies == 0 { Method::Terminal } else { Method::Forced };
                forced.answer = Some(if is_mate_by(&forced.at, winner) {
                    let method = if plies == 0 { Method::Terminal } else { Method::Mate };
                    Answer::yes(method, forced.line.clone(), forced.nodes)
                } else {
                    Answer::no(method, forced.nodes)
                });
                return forced;
            }
            &[only] if plies < FORCED_PLIES => {
                seen.push(forced.at.clone());
                forced.at.play(only);
                forced.line.push(only);
                if forced.at.has_insufficient_material(winner) || contains(&seen, &forced.at) {
                    forced.answer = Some(Answer::no(Method::Forced, forced.nodes));
                    return forced;
                }
            }
            _ => return forced,
        }
    }
}

/// Whether a position without legal moves is a mate by `winner`.
pub fn is_mate_by(board: &Board, winner: Color) -> bool {
    board.turn != winner && board.is_check()
}

/// What became of going through all lines.
pub enum Through {
    /// The first mate found, a shortest one.
    Mate(Vec<Move>),
    /// No line ends in a mate.
    Nothing,
    TooMany,
}

/// Goes through all lines, move by move, while they are few. `moves` are the legal ones at the beginning.
pub fn through_all(start: &Board, winner: Color, moves: &MoveList, nodes: &mut u32) -> Through {
    if moves.len() > WIDTH {
        return Through::TooMany;
    }
    // Positions, and for each where it came from and by which move.
    let mut seen = Vec::with_capacity(2 * WIDTH);
    seen.push(start.clone());
    let mut origins = Vec::with_capacity(2 * WIDTH);
    origins.push((0, Move::NULL));
    let mut moves = moves.clone();
    let mut level = 0..1;
    let first_nodes = *nodes;
    loop {
        for from in level.clone() {
            if from > 0 {
                moves.clear();
                seen[from].legal_moves(!0, !0, &mut moves);
                *nodes += 1;
            }
            if moves.is_empty() && is_mate_by(&seen[from], winner) {
                return Through::Mate(line_to(from, &origins));
            }
            if *nodes - first_nodes >= POSITIONS {
                return Through::TooMany;
            }
            for &mv in &moves {
                let mut board = seen[from].clone();
                board.play(mv);
                if board.has_insufficient_material(winner) || contains(&seen, &board) {
                    continue;
                }
                if seen.len() - level.end >= WIDTH {
                    return Through::TooMany;
                }
                seen.push(board);
                origins.push((from, mv));
            }
        }
        level = level.end..seen.len();
        if level.is_empty() {
            return Through::Nothing;
        }
    }
}

fn line_to(mut at: usize, origins: &[(usize, Move)]) -> Vec<Move> {
    let mut line = Vec::new();
    while at > 0 {
        line.push(origins[at].1);
        at = origins[at].0;
    }
    line.reverse();
    line
}

/// Whether the same position (9.2.3) is among these. The key only spares comparisons.
fn contains(boards: &[Board], board: &Board) -> bool {
    let key = board.position_key();
    boards.iter().rev().any(|other| other.position_key() == key && is_same(other, board))
}

fn is_same(one: &Board, other: &Board) -> bool {
    one.mailbox == other.mailbox && one.turn == other.turn && one.castling == other.castling && one.legal_ep() == other.legal_ep()
}
