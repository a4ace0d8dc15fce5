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

/// Searches from `start`, where `line` has led; `nodes` positions have been looked at before, of `limit`.
pub fn search(start: &Board, winner: Color, line: Vec<Move>, mut nodes: u32, limit: u32) -> Answer {
    let mut seen = Seen::new();
    let mut waiting = BinaryHeap::new();
    seen.add(start, 0, Move::NULL, 0);
    waiting.push((Reverse(0), Reverse(0)));
    let mut moves = MoveList::new();
    while let Some((_, Reverse(place))) = waiting.pop() {
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
            waiting.push((Reverse(distance(&next, winner) + u32::from(plies)), Reverse(added)));
        }
    }
    Answer::no(Method::Search, nodes)
}

/// How far from a mate a position looks; no more than a guess that says what to look at first.
fn distance(board: &Board, winner: Color) -> u32 {
    let loser = winner.other();
    let (Some(king), Some(hunter)) = (board.king(loser), board.king(winner)) else { return 0 };
    let own = board.by_color[winner as usize];
    let heavy = own & (board.by_role[Role::Queen as usize] | board.by_role[Role::Rook as usize]);
    let officers = own & !heavy & !board.by_role[Role::Pawn as usize] & !board.by_role[Role::King as usize];
    let force = if heavy != 0 {
        0
    } else {
        let promotion = nearest_promotion(board, winner);
        let strong = if officers.count_ones() >= 2 { 8 } else { 20 };
        strong.min(4 + 3 * promotion)
    };
    let occupied = board.occupied() & !board.men(loser, Role::King);
    let flights = squares(attacks::king(king) & !board.by_color[loser as usize])
        .filter(|&square| board.attackers(winner, square, occupied) == 0)
        .count() as u32;
    force * 4 + flights * 3 + apart(king, hunter) * 2 + to_edge(king) * 3
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
