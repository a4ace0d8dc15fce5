//! Where along a game neither side could mate any more (FIDE 5.2.2). The counterpart of `chesstools/reference/dead.py`.
//!
//! Once dead, always dead: so the last position is asked first, and where that is dead, halving finds the first one.

use crate::board::Board;
use crate::types::{Bb, Color, MoveList, Role};
use crate::winnable::{Depth, Method, Verdict};

/// With at most so many men it is worth counting legal moves.
pub const FEW_MEN: u32 = 8;
/// With more legal moves than this, and no wall of pawns, a position is hardly ever dead.
const FEW_MOVES: usize = 3;

/// The first position after which neither side could mate, as far as that is proved, and what the proof rests on.
///
/// `material` is the first position that was dead for lack of men; `board` is the position after `count` plies, the last one, and
/// `at` gives the others.
pub fn first_dead(
    material: Option<u32>,
    count: u32,
    board: &Board,
    at: impl Fn(u32) -> Board,
    depth: Depth,
) -> Option<(u32, Method)> {
    let known = material.map(|index| (index, Method::Material));
    let (last, dead) = match material {
        None => (count, proof(board, depth)),
        Some(0) => return known,
        Some(index) => {
            let before = at(index - 1);
            (index - 1, proof(&before, depth))
        }
    };
    let Some(mut method) = dead else { return known };
    let (mut low, mut high) = (0, last);
    while low < high {
        let middle = (low + high) / 2;
        match is_dead(&at(middle), depth) {
            Some(found) => (high, method) = (middle, found),
            None => low = middle + 1,
        }
    }
    Some((high, method))
}

/// Whether a last position is dead, as far as that is asked and proved.
pub fn is_proved_dead(board: &Board, depth: Depth) -> bool {
    proof(board, depth).is_some()
}

/// What the proof rests on that a last position is dead; None where it may not be.
fn proof(board: &Board, depth: Depth) -> Option<Method> {
    if may_be_dead(board) {
        is_dead(board, depth)
    } else {
        None
    }
}

/// Whether it is worth asking: only bishops and pawns that block each other, or few men with few moves. Over positions are not dead.
fn may_be_dead(board: &Board) -> bool {
    let [_, knights, _, rooks, queens, _] = board.by_role;
    let [white, black] = [board.men(Color::White, Role::Pawn), board.men(Color::Black, Role::Pawn)];
    if has_wall(knights | rooks | queens, white, black) {
        return board.has_legal_move();
    }
    if board.occupied().count_ones() > FEW_MEN {
        return false;
    }
    let mut moves = MoveList::new();
    let kings = board.by_role[Role::King as usize];
    // Safe squares for the king take the longest to find.
    board.legal_moves(!kings, !0, &mut moves);
    if moves.len() <= FEW_MOVES {
        board.legal_moves(kings, !0, &mut moves);
    }
    (1..=FEW_MOVES).contains(&moves.len())
}

/// Whether there are pawns that block each other, and only bishops beside. `movers` are knights, rooks and queens.
#[inline(always)]
pub fn has_wall(movers: Bb, white_pawns: Bb, black_pawns: Bb) -> bool {
    movers == 0 && white_pawns << 8 & black_pawns != 0
}

/// If neither side can mate: the method of the two proofs that says more.
fn is_dead(board: &Board, depth: Depth) -> Option<Method> {
    let proof = |color| {
        let answer = depth.ask(board, color);
        if answer.verdict == Verdict::No {
            answer.method
        } else {
            None
        }
    };
    let white = proof(Color::White)?;
    let black = proof(Color::Black)?;
    Some(white.max(black))
}
