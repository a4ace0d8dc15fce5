//! What is impossible about a position: what no game could have led to (FIDE 3.10.3), found by counting and by looking at the
//! last move, not by search. The counterpart of `chesstools/reference/setup_check.py`.

use crate::attacks::{aligned, squares, DARK_SQUARES, LIGHT_SQUARES};
use crate::board::Board;
use crate::board_fen::square_name;
use crate::double_check::explains_double_check;
use crate::types::{Bb, Color, Role, Severity, Value, NO_SQUARE};

/// A code and its evidence.
pub struct Problem {
    pub code: &'static str,
    pub evidence: Vec<(&'static str, Value)>,
    /// What is shown as the token; None is the FEN text.
    pub token: Option<String>,
    /// Where it is not that of the catalogue.
    pub severity: Option<Severity>,
}

impl Problem {
    pub fn new(code: &'static str, evidence: Vec<(&'static str, Value)>) -> Problem {
        Problem { code, evidence, token: None, severity: None }
    }
}

const SIDES: [Color; 2] = [Color::White, Color::Black];
const FIRST_AND_LAST_RANK: Bb = 0xff00_0000_0000_00ff;

/// `White` or `Black`, in a sentence.
fn title(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// `1 pawn`, `2 pawns`.
pub fn many(count: u32, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

/// Kings (F203), pawns on the first or last rank (F204), too many men (F205), too many promoted ones (F207).
pub fn problems_of_men(board: &Board, chess960: bool, problems: &mut Vec<Problem>) {
    for side in SIDES {
        let kings = board.men(side, Role::King);
        if !kings.is_power_of_two() {
            let kings = kings.count_ones();
            let reason = format!("{} has {}", title(side), many(kings, "king", "kings"));
            let evidence = vec![("side", side.name().into()), ("count", kings.into()), ("reason", reason.into())];
            problems.push(Problem::new("F203", evidence));
        }
    }
    let misplaced = board.by_role[Role::Pawn as usize] & FIRST_AND_LAST_RANK;
    if misplaced != 0 {
        let square = square_name(misplaced.trailing_zeros() as u8);
        let reason = format!("a pawn stands on {square}");
        problems.push(Problem::new("F204", vec![("found", square.as_str().into()), ("reason", reason.into())]));
    }
    for side in SIDES {
        let pawns = board.men(side, Role::Pawn).count_ones();
        let men = board.by_color[side as usize].count_ones();
        let promoted = if may_have_promoted(board, side) { promoted_men(board, side, chess960) } else { 0 };
        let (code, count, reason) = if pawns > 8 {
            ("F205", pawns, many(pawns, "pawn", "pawns"))
        } else if men > 16 {
            ("F205", men, many(men, "man", "men"))
        } else if promoted + pawns > 8 {
            let what = format!("{} and {}", many(pawns, "pawn", "pawns"), many(promoted, "promoted man", "promoted men"));
            ("F207", promoted, what)
        } else {
            continue;
        };
        let reason = format!("{} has {reason}", title(side));
        let evidence = vec![("side", side.name().into()), ("count", count.into()), ("reason", reason.into())];
        problems.push(Problem::new(code, evidence));
    }
}

/// Where each bishop of White comes from, with the squares of that colour and the pawns that have shut it in until they move.
const BISHOP_HOMES: [(Bb, Bb, Bb); 2] = [(1 << 2, DARK_SQUARES, 1 << 9 | 1 << 11), (1 << 5, LIGHT_SQUARES, 1 << 12 | 1 << 14)];

/// For a side, where its bishops come from.
fn bishop_homes(side: Color) -> [(Bb, Bb, Bb); 2] {
    BISHOP_HOMES.map(|(home, colour, pawns)| match side {
        Color::White => (home, colour, pawns),
        Color::Black => (home.swap_bytes(), colour.swap_bytes(), pawns.swap_bytes()),
    })
}

/// Whether some men may have been promoted, told without counting; `promoted_men` is 0 where not.
fn may_have_promoted(board: &Board, side: Color) -> bool {
    let men = |role| board.men(side, role);
    let less_one = |men: Bb| men & men.wrapping_sub(1);
    let bishops = bishop_homes(side).into_iter().fold(0, |found, (home, colour, pawns)| {
        let bishops = men(Role::Bishop) & colour;
        found | if men(Role::Pawn) & pawns == pawns { bishops & !home } else { less_one(bishops) }
    });
    bishops | less_one(men(Role::Queen)) | less_one(less_one(men(Role::Rook))) | less_one(less_one(men(Role::Knight))) != 0
}

/// Men that must have been promoted: above one queen, two rooks, two knights, one bishop on each colour.
///
/// A bishop that pawns have shut in never left its home, so that another one on its colour was promoted (not in Chess960, where
/// bishops begin elsewhere).
fn promoted_men(board: &Board, side: Color, chess960: bool) -> u32 {
    let usual = [(Role::Queen, 1), (Role::Rook, 2), (Role::Knight, 2)];
    let others: u32 = usual.into_iter().map(|(role, usual)| board.men(side, role).count_ones().saturating_sub(usual)).sum();
    let bishops = bishop_homes(side).into_iter().map(|(home, colour, pawns)| {
        let bishops = board.men(side, Role::Bishop) & colour;
        if !chess960 && board.men(side, Role::Pawn) & pawns == pawns {
            (bishops & !home).count_ones()
        } else {
            bishops.count_ones().saturating_sub(1)
        }
    });
    others + bishops.sum::<u32>()
}

/// The side not to move in check (F206); checks that no single move can have given (F212), or hardly (F213). Both sides have one
/// king.
pub fn problems_of_checks(board: &Board, problems: &mut Vec<Problem>) {
    if board.was_into_check() {
        let side = board.turn.other();
        let reason = format!("{} is in check but it is not their move", title(side));
        problems.push(Problem::new("F206", vec![("side", side.name().into()), ("reason", reason.into())]));
        return;
    }
    let checkers = board.checkers();
    let steppers = checkers & (board.by_role[Role::Pawn as usize] | board.by_role[Role::Knight as usize]);
    let reason = if checkers.count_ones() > 2 {
        "more than two men give check"
    } else if steppers.count_ones() > 1 {
        "two knights or pawns give check at once"
    } else if checkers != 0 && is_impossible_check(board, checkers) {
        "no last move can have given this check"
    } else {
        return problem_of_double_check(board, checkers, problems);
    };
    let names: Vec<String> = squares(checkers).map(|square| square_name(square).to_string()).collect();
    let evidence = vec![("side", board.turn.name().into()), ("found", names.join(",").into()), ("reason", reason.into())];
    problems.push(Problem::new("F212", evidence));
}

/// Two men that give check, where no move can be seen that led to it (F213). Not for Chess960, where castling might.
fn problem_of_double_check(board: &Board, checkers: Bb, problems: &mut Vec<Problem>) {
    let Some(king) = board.king(board.turn) else { return };
    if board.chess960 || checkers.count_ones() != 2 || explains_double_check(board, king, checkers) {
        return;
    }
    let men: Vec<String> = squares(checkers)
        .map(|square| format!("the {} on {}", board.role_at(square).map_or("pawn", Role::name), square_name(square)))
        .collect();
    let reason = format!("{} give check at once", men.join(" and "));
    problems.push(Problem::new("F213", vec![("side", board.turn.name().into()), ("reason", reason.into())]));
}

/// Whether no move can have given check by these one or two men.
fn is_impossible_check(board: &Board, checkers: Bb) -> bool {
    let Some(king) = board.king(board.turn) else { return false };
    let last = 63 - checkers.leading_zeros() as u8;
    if board.ep != NO_SQUARE {
        // The last move was a double step: by the pawn itself, or by a man behind it that was attacking before.
        let (pushed_to, pushed_from) = (board.ep ^ 8, board.ep ^ 24);
        let before = board.occupied() & !(1 << pushed_to) | 1 << pushed_from;
        return checkers.count_ones() > 1 || (last != pushed_to && board.attackers(board.turn.other(), king, before) != 0);
    }
    checkers.count_ones() == 2 && aligned(checkers.trailing_zeros() as u8, last, king)
}

/// A halfmove clock that the move number or the en passant square does not allow (F208).
pub fn problems_of_counters(board: &Board, problems: &mut Vec<Problem>) {
    let (clock, number) = (board.halfmove, board.fullmove);
    let played = 2 * (number.max(1) - 1) + u32::from(board.turn == Color::Black);
    let (found, reason) = if number < 1 {
        (number.to_string(), "the move number is below 1".to_owned())
    } else if clock > played {
        let reason = format!("the halfmove clock is {clock} but only {} can have been played", many(played, "ply", "plies"));
        (format!("{clock} {number}"), reason)
    } else if clock != 0 && board.ep != NO_SQUARE {
        let reason = format!("the halfmove clock is {clock} although a pawn has just moved two squares");
        (format!("{clock} {number}"), reason)
    } else {
        return;
    };
    problems.push(Problem::new("F208", vec![("found", found.into()), ("reason", reason.into())]));
}

/// Squares of the first rank with the pawn squares that shut them in; c1 and f1 are where bishops come from.
const SHUT_IN: [(u8, Bb); 6] =
    [(0, 1 << 9), (1, 1 << 8 | 1 << 10), (3, 1 << 10 | 1 << 12), (4, 1 << 11 | 1 << 13), (6, 1 << 13 | 1 << 15), (7, 1 << 14)];

/// A bishop behind own pawns that never moved, where it cannot have come (F214). Not for Chess960.
pub fn problems_of_bishops(board: &Board, problems: &mut Vec<Problem>) {
    if board.by_role[Role::Bishop as usize] & FIRST_AND_LAST_RANK == 0 {
        return;
    }
    for side in SIDES {
        for (square, pawns) in SHUT_IN {
            let (square, pawns) = if side == Color::White { (square, pawns) } else { (square ^ 56, pawns.swap_bytes()) };
            let bishop = board.men(side, Role::Bishop) & 1 << square;
            if bishop != 0 && board.men(side, Role::Pawn) & pawns == pawns {
                let name = square_name(square);
                let reason = format!("the bishop on {name} cannot have got behind pawns that never moved");
                let evidence = vec![("side", side.name().into()), ("found", name.as_str().into()), ("reason", reason.into())];
                problems.push(Problem::new("F214", evidence));
            }
        }
    }
}

/// Pawns that need more captures than the other side has lost men (F215).
pub fn problems_of_pawns(board: &Board, problems: &mut Vec<Problem>) {
    for side in SIDES {
        // One on the first or last rank has come from nowhere; F204 has said so.
        let pawns = board.men(side, Role::Pawn) & !FIRST_AND_LAST_RANK;
        let behind_others = doubled(pawns, side);
        if behind_others == 0 {
            continue; // as nearly always: each can have stayed on its file
        }
        let others = board.by_color[side.other() as usize].count_ones();
        if pawns.count_ones() > 8 || others > 16 {
            continue; // F205 has said so
        }
        let missing = 16 - others;
        if can_do_with(pawns, behind_others, side, missing) {
            continue;
        }
        let needed = captures_needed(pawns, side);
        if needed.is_some_and(|needed| needed <= missing) {
            continue;
        }
        let want = match needed {
            Some(needed) => many(needed, "capture", "captures"),
            None => "more captures than pawns can make".to_owned(),
        };
        let lacks = many(missing, "man", "men");
        let reason = format!("the pawns of {} need {want}, but the other side lacks {lacks}", title(side));
        let mut evidence = vec![("side", Value::from(side.name()))];
        evidence.extend(needed.map(|needed| ("count", needed.into())));
        evidence.extend([("limit", missing.into()), ("reason", reason.into())]);
        problems.push(Problem::new("F215", evidence));
    }
}

/// Whether a simple choice of home files shows that so many captures are enough. It may miss a better choice, so `false` tells
/// nothing.
fn can_do_with(pawns: Bb, others: Bb, side: Color, limit: u32) -> bool {
    // Those that have a man of theirs behind them on the file; the last one of each file can have stayed on it.
    let others = if side == Color::White { others } else { others.swap_bytes() };
    let mut used = pawns | pawns >> 32;
    used |= used >> 16;
    used |= used >> 8;
    let mut captures = 0;
    // From the home rank on: who has stepped least has the fewest home files to choose from.
    for square in squares(others) {
        let (file, steps) = (u32::from(square & 7), u32::from(square >> 3) - 1);
        let is_free = |home: u32| home < 8 && used & 1 << home == 0;
        let nearest = (1..=steps)
            .find_map(|by| [file.wrapping_sub(by), file + by].into_iter().find(|&home| is_free(home)).map(|home| (home, by)));
        let Some((home, by)) = nearest else { return false };
        used |= 1 << home;
        captures += by;
    }
    captures <= limit
}

/// The pawns that have one of their own behind them on their file.
fn doubled(pawns: Bb, side: Color) -> Bb {
    let pawns_up = if side == Color::White { pawns } else { pawns.swap_bytes() };
    let mut before = pawns_up << 8;
    before |= before << 8;
    before |= before << 16;
    before |= before << 32;
    let doubled = pawns_up & before;
    if side == Color::White {
        doubled
    } else {
        doubled.swap_bytes()
    }
}

/// The least number of captures that brings pawns from eight home files to these squares; None if there is no way.
///
/// A pawn changes its file by one with every capture and never more often than it steps forward.
fn captures_needed(pawns: Bb, side: Color) -> Option<u32> {
    const NO_WAY: u32 = u32::MAX;
    // By the home files that are used, as bits.
    let mut best = [NO_WAY; 256];
    best[0] = 0;
    for square in squares(pawns) {
        let (file, rank) = (i32::from(square & 7), i32::from(square >> 3));
        let steps = if side == Color::White { rank - 1 } else { 6 - rank };
        let mut following = [NO_WAY; 256];
        for used in (0..256).filter(|&used| best[used] != NO_WAY) {
            for home in (file - steps).max(0)..=(file + steps).min(7) {
                let both = used | 1 << home;
                if both != used {
                    following[both] = following[both].min(best[used] + home.abs_diff(file));
                }
            }
        }
        best = following;
    }
    best.into_iter().min().filter(|&captures| captures != NO_WAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures() {
        // Doubled on the e file: one of them has captured.
        assert_eq!(captures_needed(1 << 12 | 1 << 20, Color::White), Some(1));
        // Two pawns on a2 and a3 and b2: a3 came from c2 in two captures, for which it has not stepped far enough.
        assert_eq!(captures_needed(1 << 8 | 1 << 9 | 1 << 16, Color::White), None);
        let pawns = 1 << 12 | 1 << 20;
        assert_eq!((doubled(pawns, Color::White), doubled(pawns, Color::Black)), (1 << 20, 1 << 12));
        assert!(can_do_with(pawns, 1 << 20, Color::White, 1) && !can_do_with(pawns, 1 << 20, Color::White, 0));
        assert_eq!(captures_needed(0, Color::Black), Some(0));
        assert_eq!(captures_needed(0x00ff_0000_0000_0000, Color::Black), Some(0));
    }
}
