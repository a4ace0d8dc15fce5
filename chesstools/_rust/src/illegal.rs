//! Why a move is not legal: the exact reason, in the order in which the Laws exclude it.
//! The counterpart of `chesstools/reference/illegal.py`. Nothing here is on the fast path.

use std::borrow::Cow;

use crate::attacks;
use crate::board::Board;
use crate::past::Chain;
use crate::san::{self, names, source_mask, square_name, standard_body, Castling, Promotion, Resolved, Written};
use crate::types::{Bb, Color, Move, MoveKind, MoveList, Role, Value, NO_SQUARE};

/// Legal moves offered as evidence for one illegal move.
pub const MAX_ALTERNATIVES: usize = 8;

pub type Evidence = Vec<(&'static str, Value)>;
pub type Reason = (&'static str, Evidence);

fn text(value: impl Into<String>) -> Value {
    Value::Text(Cow::Owned(value.into()))
}

fn with_names(code: &'static str, name: &'static str, squares: Bb) -> Reason {
    (code, names(squares).map(|found| (name, text(found))).into_iter().collect())
}

/// Code and evidence for a token that means no legal move of `board`.
///
/// `numbered` is the side that the move number before the token speaks of.
pub fn explain(board: &Board, written: &Written, past: &Chain, ply: u32, numbered: Option<Color>) -> Reason {
    wrong_side(board, written, numbered)
        .or_else(|| written.castling.map(|castling| explain_castling(board, castling, past)))
        .or_else(|| written.drop.then(|| ("M302", vec![("reason", text("no-man"))])))
        .or_else(|| no_such_man(board, written))
        .or_else(|| target(board, written))
        .or_else(|| promotion(board, written))
        .or_else(|| king_left_in_check(board, written))
        .or_else(|| (role_of(board, written) == Some(Role::Pawn)).then(|| pawn(board, written, past, ply)))
        .unwrap_or_else(|| piece(board, written))
}

/// Legal moves that may have been meant: by the same man or to the same square, the most similar text first.
pub fn alternatives(board: &Board, written: &Written, token: &str) -> Vec<String> {
    let wanted: Vec<char> = token.trim_end_matches(['+', '#', '!', '?']).chars().collect();
    let mut moves = MoveList::new();
    board.legal_moves(!0, !0, &mut moves);
    let mut found: Vec<(usize, bool, String)> = moves
        .iter()
        .filter(|mv| {
            let same_role = written.role.is_some() && board.role_at(mv.from) == written.role;
            same_role || (written.castling.is_none() && san::uci_target(board, **mv) == written.to)
        })
        .map(|mv| standard_body(board, *mv))
        .map(|body| (distance(&body, &wanted), !body.ends_with("=Q"), body))
        .collect();
    found.sort();
    found.dedup();
    found.into_iter().take(MAX_ALTERNATIVES).map(|(_, _, body)| body).collect()
}

/// Edit distance of two short texts.
fn distance(one: &str, other: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, left) in one.chars().enumerate() {
        let mut previous = row[0];
        row[0] = i + 1;
        for (j, right) in other.iter().enumerate() {
            let replaced = previous + usize::from(left != *right);
            previous = row[j + 1];
            row[j + 1] = (row[j + 1] + 1).min(row[j] + 1).min(replaced);
        }
    }
    row[other.len()]
}

fn role_of(board: &Board, written: &Written) -> Option<Role> {
    written.role.or_else(|| {
        let mask = source_mask(board, written);
        (mask != 0).then(|| board.role_at(mask.trailing_zeros() as u8)).flatten()
    })
}

fn wrong_side(board: &Board, written: &Written, numbered: Option<Color>) -> Option<Reason> {
    let numbered = numbered.filter(|side| *side != board.turn)?;
    let mut other = board.clone();
    other.turn = board.turn.other();
    other.ep = NO_SQUARE;
    if other.was_into_check() || matches!(san::resolve(&other, written), Resolved::None) {
        return None;
    }
    Some(("M301", vec![("expected", text(board.turn.name())), ("found", text(numbered.name()))]))
}

fn explain_castling(board: &Board, castling: Castling, past: &Chain) -> Reason {
    let side = board.turn;
    let kingside = castling == Castling::Kingside;
    let home = past.homes.kings[side as usize];
    let rook = past.homes.rooks[side as usize][usize::from(!kingside)];
    let lost = |square: u8| if square == NO_SQUARE { None } else { past.loss(square) };
    for (code, square) in [("M321", home), ("M322", rook)] {
        if let Some(loss) = lost(square) {
            let how = if loss.captured && code == "M322" { "captured" } else { "moved" };
            return (code, vec![("first_ply", Value::Int(loss.ply.into())), ("reason", text(how))]);
        }
    }
    let king = board.king(side);
    let backrank = if side == Color::White { 0 } else { 56 };
    let (Some(king), true, true) = (king, rook != NO_SQUARE, home != NO_SQUARE) else {
        let corner = 1u64 << (backrank + if kingside { 7 } else { 0 });
        let at_home = king == Some(backrank + 4);
        let rook_at_home = board.men(side, Role::Rook) & corner != 0;
        let code = if at_home && !rook_at_home { "M322" } else { "M321" };
        return (code, vec![("reason", text("start-position"))]);
    };
    let row = king & 0x38;
    let king_to = row + if kingside { 6 } else { 2 };
    let rook_to = row + if kingside { 5 } else { 3 };
    let bit = |square: u8| 1u64 << square;
    let crossed = (attacks::between(king, king_to) | bit(king_to)) & !bit(king);
    let way = crossed | attacks::between(rook, rook_to) | bit(rook_to);
    let blockers = board.occupied() & way & !bit(king) & !bit(rook);
    if blockers != 0 {
        return with_names("M326", "blocker", blockers);
    }
    if board.is_check() {
        return with_names("M323", "attacker", board.checkers());
    }
    let without_king = board.occupied() & !bit(king);
    let mut path: Vec<u8> = (0..64).filter(|square| crossed & bit(*square) != 0).collect();
    path.sort_by_key(|square| square_distance(king, *square));
    for square in path {
        let attackers = board.attackers(side.other(), square, without_king);
        if attackers != 0 {
            let code = if square == king_to { "M325" } else { "M324" };
            let mut reason = with_names(code, "attacker", attackers);
            reason.1.insert(0, ("square", text(square_name(square))));
            return reason;
        }
    }
    with_names("M309", "attacker", board.attackers(side.other(), king_to, without_king & !bit(rook)))
}

fn square_distance(one: u8, other: u8) -> u8 {
    (one & 7).abs_diff(other & 7).max((one >> 3).abs_diff(other >> 3))
}

fn no_such_man(board: &Board, written: &Written) -> Option<Reason> {
    if source_mask(board, written) != 0 {
        return None;
    }
    let reason = match written.role {
        None => {
            let square = written.rank.unwrap_or(0) * 8 + written.file.unwrap_or(0);
            if san::is_own(board, square, board.turn.other()) {
                "only-other-colour"
            } else {
                "no-man"
            }
        }
        Some(role) if board.men(board.turn, role) != 0 => "wrong-file-or-rank",
        Some(role) if board.men(board.turn.other(), role) != 0 => "only-other-colour",
        Some(_) => "no-man",
    };
    Some(("M302", vec![("reason", text(reason))]))
}

fn target(board: &Board, written: &Written) -> Option<Reason> {
    let bit = 1u64 << written.to;
    if board.by_color[board.turn as usize] & bit != 0 {
        return Some(("M305", Vec::new()));
    }
    (board.men(board.turn.other(), Role::King) & bit != 0).then(|| ("M311", Vec::new()))
}

/// A move of the men meant to the target that breaks no rule but that of the king's safety. Castling is none; of several
/// men the one on the first square counts.
fn pseudo_legal(board: &Board, written: &Written) -> Option<Move> {
    let mut moves = MoveList::new();
    board.pseudo_legal_moves(source_mask(board, written), 1 << written.to, &mut moves);
    moves.iter().filter(|mv| !mv.is_castling()).min_by_key(|mv| mv.from).copied()
}

fn promotion(board: &Board, written: &Written) -> Option<Reason> {
    let first = pseudo_legal(board, written)?;
    match (first.promotion, written.promotion) {
        (Some(_), Promotion::None | Promotion::Sign) => Some(("M341", Vec::new())),
        (Some(_), Promotion::Letter(b'N' | b'B' | b'R' | b'Q')) => None,
        (Some(_), Promotion::Letter(letter)) => Some(("M342", vec![("found", text((letter as char).to_string()))])),
        (None, Promotion::Letter(_)) => Some(("M343", Vec::new())),
        (None, _) => None,
    }
}

fn king_left_in_check(board: &Board, written: &Written) -> Option<Reason> {
    let mv = pseudo_legal(board, written)?;
    let king = board.king(board.turn);
    let mut after = board.clone();
    after.play(mv);
    let other = board.turn.other();
    let attackers = after.king(board.turn).map_or(0, |square| after.attackers(other, square, after.occupied()));
    if attackers == 0 {
        return Some(("M303", Vec::new())); // only a variant's own rules can forbid it
    }
    if Some(mv.from) == king {
        return Some(with_names("M308", "attacker", attackers));
    }
    if board.is_check() {
        return Some(with_names("M310", "checkers", board.checkers()));
    }
    let code = if board.is_pinned(board.turn, mv.from) {
        "M307"
    } else if mv.kind == MoveKind::EnPassant {
        "M336"
    } else {
        "M309"
    };
    Some(with_names(code, "attacker", attackers))
}

fn pawn(board: &Board, written: &Written, past: &Chain, ply: u32) -> Reason {
    let white = board.turn == Color::White;
    let to = i16::from(written.to);
    let mask = source_mask(board, written);
    let on_file = mask & (san::FILE_A << (written.to & 7));
    if written.is_capture() || on_file == 0 {
        return pawn_capture(board, mask, written.to, past, ply);
    }
    let forward = if white { 8 } else { -8 };
    // The nearest pawn behind the target.
    let behind = (0..64i16)
        .filter(|square| on_file & (1 << square) != 0 && (to - square) * forward > 0)
        .min_by_key(|square| (to - square) * forward);
    let Some(nearest) = behind else { return ("M331", Vec::new()) };
    let steps = (to - nearest) / forward;
    let way = attacks::between(nearest as u8, written.to) | 1 << written.to;
    let blockers = board.occupied() & way;
    if steps <= 2 && blockers != 0 {
        return with_names("M332", "blocker", blockers);
    }
    (if steps == 2 { "M333" } else { "M303" }, Vec::new())
}

fn pawn_capture(board: &Board, mask: Bb, to: u8, past: &Chain, ply: u32) -> Reason {
    if mask & attacks::pawn(board.turn.other(), to) == 0 {
        return ("M303", Vec::new());
    }
    let white = board.turn == Color::White;
    let passed = if white { to.wrapping_sub(8) } else { to + 8 } & 63;
    let rank = if white { 5 } else { 2 };
    if to >> 3 == rank && board.men(board.turn.other(), Role::Pawn) & (1 << passed) != 0 {
        let evidence = past.double_step(passed).map_or_else(Vec::new, |first| {
            vec![("first_ply", Value::Int(first.into())), ("count", Value::Int(i64::from(ply) - i64::from(first) - 1))]
        });
        return ("M335", evidence);
    }
    ("M334", Vec::new())
}

fn piece(board: &Board, written: &Written) -> Reason {
    let (diagonal, straight) = match role_of(board, written) {
        Some(Role::Bishop) => (true, false),
        Some(Role::Rook) => (false, true),
        Some(Role::Queen) => (true, true),
        _ => return ("M303", Vec::new()),
    };
    let mut mask = source_mask(board, written);
    while mask != 0 {
        let square = mask.trailing_zeros() as u8;
        mask &= mask - 1;
        let files = (square & 7).abs_diff(written.to & 7);
        let ranks = (square >> 3).abs_diff(written.to >> 3);
        if (diagonal && files == ranks) || (straight && (files == 0 || ranks == 0)) {
            return with_names("M306", "blocker", board.occupied() & attacks::between(square, written.to));
        }
    }
    ("M303", Vec::new())
}
