//! When a player who oversteps the time, or resigns, has drawn all the same: what the opponent has cannot win (FIDE 6.9, 5.1.2).
//! The counterpart of `chesstools/reference/flags.py`.

use crate::board::Board;
use crate::profile::{FlagDraw, Profile};
use crate::types::Color;
use crate::winnable::{Depth, Method};

/// Whether a side has nothing but its king.
pub fn is_bare(board: &Board, side: Color) -> bool {
    board.by_color[side as usize].count_ones() == 1
}

/// How it is proved that `side` cannot mate by any series of legal moves; None where it is not.
pub fn why_no_mate(board: &Board, side: Color, depth: Depth) -> Option<Method> {
    let answer = depth.ask(board, side);
    answer.method.filter(|_| answer.is_no())
}

/// How it is proved that `side` does not win when the other oversteps the time; None where it is not.
pub fn why_drawn_on_time(board: &Board, side: Color, profile: &Profile, depth: Depth) -> Option<Method> {
    let by_material = |cannot: bool| cannot.then_some(Method::Material);
    if is_bare(board, side) {
        return by_material(profile.flag_draw != FlagDraw::Never);
    }
    match profile.flag_draw {
        FlagDraw::NoMate => why_no_mate(board, side, depth),
        FlagDraw::Lichess | FlagDraw::Uscf => by_material(board.has_insufficient_material(side)),
        FlagDraw::Chesscom => {
            let [_, knights, bishops, _, _, kings] = board.by_role;
            let own = board.by_color[side as usize] & !kings;
            let one_minor = own & !(knights | bishops) == 0 && own.count_ones() == 1;
            let two_knights = profile.knn_flag_draw && own & !knights == 0 && own.count_ones() == 2;
            by_material(one_minor || two_knights)
        }
        FlagDraw::BareKing | FlagDraw::Never => None,
    }
}
