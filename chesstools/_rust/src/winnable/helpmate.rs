//! A search for any line that mates, both sides helping: the most promising position first, each position once.
//!
//! What cannot lead to a mate, by material or by where men can get to, is not followed. So the search ends in one of three ways:
//! a mate, nothing left to look at (there is none), or as many positions as were asked for.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::attacks::{self, squares};
use crate::board::Board;
use crate::types::{Bb, Color, Move, MoveKind, MoveList, Role};
use crate::winnable::packed::Seen;
use crate::winnable::{lines, reach, Answer, Method};

/// How many guesses there are of what to look at first; they take turns, as each of them is blind somewhere.
const GUESSES: usize = 3;

/// How much a guess counts against the plies that were played.
const WEIGHT: u32 = 2;

/// Searches from `start`, where `line` has led; `nodes` positions have been looked at before, of `limit`.
pub fn search(start: &Board, winner: Color, line: Vec<Move>, mut nodes: u32, limit: u32) -> Answer {
    let mut seen = Seen::new();
    let mut waiting = Waiting::default();
    seen.add(start, 0, Move::NULL, 0);
    waiting.push(start, winner, 0, 0);
    let mut moves = MoveList::new();
    while let Some(place) = waiting.pop() {
        if nodes >= limit {
            return Answer::unknown(nodes);
        }
        let node = &seen.nodes[place as usize];
        let (board, plies) = (node.position.board(), node.plies + 1);
        moves.clear();
        board.legal_moves(!0, !0, &mut moves);
        nodes += 1;
        for &mv in &moves {
            let mut next = board.clone();
            next.play(mv);
            if next.has_insufficient_material(winner) {
                continue;
            }
            let Some(added) = seen.add(&next, place, mv, plies) else { continue };
            if next.turn != winner && lines::is_mate_by(&next, winner) && !next.has_legal_move() {
                return Answer::yes(Method::Mate, [line, seen.line_to(added)].concat(), nodes);
            }
            // Men that only move to and fro change little of where all can get to.
            let is_final = board.is_zeroing(mv) || mv.kind != MoveKind::Plain;
            if (is_final || plies == 1) && !reach::could_mate(&next, winner) {
                continue;
            }
            waiting.push(&next, winner, plies, added);
        }
    }
    Answer::no(Method::Search, nodes)
}

/// The positions that were not looked at yet, in the order of each guess; and for each position whether it was.
#[derive(Default)]
struct Waiting {
    queues: [BinaryHeap<Reverse<(u32, u32)>>; GUESSES],
    done: Vec<bool>,
    turn: usize,
}

impl Waiting {
    fn push(&mut self, board: &Board, winner: Color, plies: u16, place: u32) {
        let guesses = Guesses::of(board, winner);
        let plies = u32::from(plies);
        let order = [guesses.to_mate() * WEIGHT + plies, guesses.to_breakthrough() * WEIGHT + plies, plies];
        for (queue, guess) in self.queues.iter_mut().zip(order) {
            queue.push(Reverse((guess, place)));
        }
    }

    fn pop(&mut self) -> Option<u32> {
        self.turn = (self.turn + 1) % GUESSES;
        while let Some(Reverse((_, place))) = self.queues[self.turn].pop() {
            let at = place as usize;
            if self.done.len() <= at {
                self.done.resize(at + 1, false);
            }
            if !std::mem::replace(&mut self.done[at], true) {
                return Some(place);
            }
        }
        None
    }
}

/// What can be seen of how far a mate is; no more than guesses.
struct Guesses {
    /// Squares that the loser's king could go to.
    flights: u32,
    /// Between the kings.
    apart: u32,
    /// From the loser's king to where it is easily mated: to a corner where only bishops and knights are left, else to the edge.
    to_goal: u32,
    /// From the winner's nearest man but the king to the loser's king.
    nearest: u32,
    /// From the winner's king to the nearest man that it could take.
    prey: u32,
    /// From the loser's king to the nearest man that could take away a square from it.
    blocker: u32,
    /// How far the winner is from having men that can mate.
    force: u32,
    /// Men of the loser.
    others: u32,
}

impl Guesses {
    fn of(board: &Board, winner: Color) -> Guesses {
        let loser = winner.other();
        let king = board.king(loser).unwrap_or(0);
        let hunter = board.king(winner).unwrap_or(0);
        let kings = board.by_role[Role::King as usize];
        let own = board.by_color[winner as usize] & !kings;
        let others = board.by_color[loser as usize] & !kings;
        let pawns = board.by_role[Role::Pawn as usize];
        let heavy = own & (board.by_role[Role::Queen as usize] | board.by_role[Role::Rook as usize]);
        let light = own & !heavy & !pawns;
        let force = match (heavy, own & pawns) {
            (0, 0) => 1,
            (0, _) => (if light.count_ones() >= 2 { 4 } else { 12 }).min(2 + nearest_promotion(board, winner)),
            _ => 0,
        };
        let view = board.occupied() & !board.men(loser, Role::King);
        let flights = squares(attacks::king(king) & !board.by_color[loser as usize])
            .filter(|&square| board.attackers(winner, square, view) == 0)
            .count() as u32;
        let nearest_to = |at: u8, men: Bb| squares(men).map(|square| apart(square, at)).min();
        let is_light_only = heavy | own & pawns == 0;
        let blocker = match (is_light_only, nearest_to(king, others & !pawns)) {
            (false, _) => 0,
            (true, Some(distance)) => distance,
            (true, None) => 6 + nearest_promotion(board, loser),
        };
        let to_goal = if is_light_only { to_corner(king, light, board) } else { to_edge(king) };
        Guesses {
            flights,
            apart: apart(king, hunter),
            to_goal,
            nearest: nearest_to(king, own).unwrap_or(8),
            prey: nearest_to(hunter, others).unwrap_or(0),
            blocker,
            force,
            others: others.count_ones(),
        }
    }

    /// A king without squares, and men near it.
    fn to_mate(&self) -> u32 {
        self.force * 8 + self.flights * 3 + self.apart * 2 + self.to_goal * 3 + self.nearest + self.blocker * 2
    }

    /// Men that can mate, and few that are in the way.
    fn to_breakthrough(&self) -> u32 {
        self.force * 4 + self.others * 6 + self.prey * 2 + self.blocker
    }
}

/// From a square to the nearest corner that the winner's officers can attack.
fn to_corner(square: u8, officers: Bb, board: &Board) -> u32 {
    let bishops = officers & board.by_role[Role::Bishop as usize];
    let corners = match (officers == bishops, bishops & attacks::DARK_SQUARES, bishops & attacks::LIGHT_SQUARES) {
        (true, 0, _) => [7, 56, 7, 56],
        (true, _, 0) => [0, 63, 0, 63],
        _ => [0, 7, 56, 63],
    };
    corners.into_iter().map(|corner| apart(square, corner)).min().unwrap_or(0)
}

fn nearest_promotion(board: &Board, color: Color) -> u32 {
    let pawns = board.men(color, Role::Pawn);
    let ranks = |pawns: Bb| match color {
        Color::White => 7 - (63 - pawns.leading_zeros()) / 8,
        Color::Black => pawns.trailing_zeros() / 8,
    };
    if pawns == 0 {
        10
    } else {
        ranks(pawns)
    }
}

fn apart(one: u8, other: u8) -> u32 {
    let (files, ranks) = ((one & 7).abs_diff(other & 7), (one >> 3).abs_diff(other >> 3));
    u32::from(files.max(ranks))
}

fn to_edge(square: u8) -> u32 {
    let from_edge = |number: u8| u32::from(number.min(7 - number));
    from_edge(square & 7).min(from_edge(square >> 3))
}
