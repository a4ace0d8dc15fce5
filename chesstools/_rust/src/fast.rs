//! The fast path: a move in standard notation, resolved from its target backwards and made on the board.
//!
//! It takes only text that is exactly what the standard would write, for a move that is legal; everything else it refuses
//! without touching the board, and the careful path decides. It may be narrow, it may never be wrong.

use crate::attacks::{behind, between, bit, knight, pawn, squares, BISHOP_LINES, FILE_A, PSEUDO_SOURCES, ROOK_LINES};
use crate::board::Board;
use crate::types::{Bb, Color, Move, MoveKind, Role};

/// A move that was made.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    pub mv: Move,
    pub role: Option<Role>,
    pub captured: Option<Role>,
    pub check: bool,
    pub mate: bool,
}

/// Makes the move that `text` says. `checkers` are the men that give check before it, and afterwards those after it.
///
/// Where it gives None, nothing was changed.
#[inline]
pub fn play(board: &mut Board, checkers: &mut Bb, text: &[u8]) -> Option<Made> {
    let (body, sign) = match *text.last()? {
        sign @ (b'+' | b'#') => (&text[..text.len() - 1], sign),
        _ => (text, 0),
    };
    let (mv, role) = find(board, *checkers, body)?;
    let captured = if mv.is_castling() { None } else { board.role_at(mv.to) };
    if sign != 0 || mv.kind != MoveKind::Plain || mv.promotion.is_some() {
        return play_marked(board, checkers, mv, role, captured, sign);
    }
    if checks(board, mv, role) {
        return None;
    }
    board.play(mv);
    *checkers = 0;
    Some(Made { mv, role: Some(role), captured, check: false, mate: false })
}

/// A move with a check mark, or one after which lines may open in more than one place: tried on a copy.
#[inline(never)]
fn play_marked(board: &mut Board, checkers: &mut Bb, mv: Move, role: Role, captured: Option<Role>, sign: u8) -> Option<Made> {
    let mut after = board.clone();
    after.play(mv);
    let found = after.checkers();
    let check = found != 0;
    let mate = check && !after.has_legal_move();
    let due = match (check, mate) {
        (_, true) => b'#',
        (true, false) => b'+',
        _ => 0,
    };
    if sign != due {
        return None;
    }
    *board = after;
    *checkers = found;
    let captured = if mv.kind == MoveKind::EnPassant { Some(Role::Pawn) } else { captured };
    Some(Made { mv, role: Some(role), captured, check, mate })
}

/// Whether a plain move gives check: the man that moves, or one whose line it leaves.
#[inline(always)]
fn checks(board: &Board, mv: Move, role: Role) -> bool {
    let us = board.turn;
    let Some(target) = board.king(us.other()) else { return false };
    let occupied = (board.occupied() & !bit(mv.from)) | bit(mv.to);
    let goal = bit(target);
    let at = (mv.to & 63) as usize;
    let open = || between(mv.to, target) & occupied == 0;
    let direct = match role {
        Role::Pawn => pawn(us, mv.to) & goal != 0,
        Role::Knight => knight(mv.to) & goal != 0,
        Role::Bishop => BISHOP_LINES[at] & goal != 0 && open(),
        Role::Rook => ROOK_LINES[at] & goal != 0 && open(),
        Role::Queen => (BISHOP_LINES[at] | ROOK_LINES[at]) & goal != 0 && open(),
        Role::King => false,
    };
    if direct {
        return true;
    }
    let beyond = behind(target, mv.from);
    let sliders = (board.straight_sliders() | board.slanted_sliders()) & board.by_color[us as usize];
    if beyond & sliders == 0 {
        return false;
    }
    let straight = ROOK_LINES[(target & 63) as usize] & bit(mv.from) != 0;
    let kind = if straight { board.straight_sliders() } else { board.slanted_sliders() };
    squares(beyond & sliders & kind).any(|sniper| between(target, sniper) & occupied == 0)
}

/// The one legal move that this standard text (check marks cut off) means, if it is written as the standard writes it.
#[inline(always)]
fn find(board: &Board, checkers: Bb, body: &[u8]) -> Option<(Move, Role)> {
    match *body.first()? {
        b'a'..=b'h' => find_pawn(board, checkers, body).map(|mv| (mv, Role::Pawn)),
        b'N' => find_piece(board, checkers, body, Role::Knight),
        b'B' => find_piece(board, checkers, body, Role::Bishop),
        b'R' => find_piece(board, checkers, body, Role::Rook),
        b'Q' => find_piece(board, checkers, body, Role::Queen),
        b'K' => find_piece(board, checkers, body, Role::King),
        b'O' => find_castling(board, body).map(|mv| (mv, Role::King)),
        _ => None,
    }
}

#[inline(always)]
fn square(file: u8, rank: u8) -> Option<u8> {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    (file < 8 && rank < 8).then_some(rank * 8 + file)
}

#[inline(always)]
fn is_safe(board: &Board, mv: Move, checkers: Bb) -> bool {
    match board.king(board.turn) {
        Some(king) => board.is_safe_given(mv, king, checkers),
        None => true,
    }
}

#[inline(always)]
fn find_pawn(board: &Board, checkers: Bb, body: &[u8]) -> Option<Move> {
    let (to, from_file, promotion) = match *body {
        [file, rank] => (square(file, rank)?, None, None),
        [from, b'x', file, rank] => (square(file, rank)?, Some(from - b'a'), None),
        [file, rank, b'=', letter] => (square(file, rank)?, None, Some(letter)),
        [from, b'x', file, rank, b'=', letter] => (square(file, rank)?, Some(from - b'a'), Some(letter)),
        _ => return None,
    };
    let us = board.turn;
    let white = us == Color::White;
    let last = to >> 3 == if white { 7 } else { 0 };
    let promotion = match promotion {
        None if !last => None,
        Some(letter @ (b'Q' | b'R' | b'B' | b'N')) if last => Role::from_letter(letter),
        _ => return None,
    };
    let pawns = board.men(us, Role::Pawn);
    let target = bit(to);
    let back = |square: u8, steps: u8| if white { square.wrapping_sub(8 * steps) } else { square.wrapping_add(8 * steps) };
    let mut mv = match from_file {
        None => {
            if board.occupied() & target != 0 {
                return None;
            }
            let one = back(to, 1);
            if one > 63 {
                return None;
            }
            if pawns & bit(one) != 0 {
                Move::plain(one, to)
            } else {
                let two = back(to, 2);
                let fourth = to >> 3 == if white { 3 } else { 4 };
                if !fourth || board.occupied() & bit(one) != 0 || pawns & bit(two) == 0 {
                    return None;
                }
                Move::plain(two, to)
            }
        }
        Some(file) => {
            let from = (back(to, 1) & 0x38) | (file & 7);
            if file > 7 || back(to, 1) > 63 || pawns & bit(from) == 0 || pawn(us, from) & target == 0 {
                return None;
            }
            let them = board.by_color[us.other() as usize] & !board.by_role[Role::King as usize];
            if them & target != 0 {
                Move::plain(from, to)
            } else if to == board.ep && board.occupied() & target == 0 && board.ep_capturers() & bit(from) != 0 {
                Move { from, to, promotion: None, kind: MoveKind::EnPassant }
            } else {
                return None;
            }
        }
    };
    mv.promotion = promotion;
    is_safe(board, mv, checkers).then_some(mv)
}

#[inline(always)]
fn find_piece(board: &Board, checkers: Bb, body: &[u8], role: Role) -> Option<(Move, Role)> {
    let (hint, capture, to) = match *body {
        [_, file, rank] => (0, false, square(file, rank)?),
        [_, b'x', file, rank] => (0, true, square(file, rank)?),
        [_, hint, file, rank] => (hint, false, square(file, rank)?),
        [_, hint, b'x', file, rank] => (hint, true, square(file, rank)?),
        _ => return None, // two signs of disambiguation are for the careful path
    };
    let us = board.turn;
    let target = bit(to);
    if board.by_color[us as usize] & target != 0 || board.by_role[Role::King as usize] & target != 0 {
        return None;
    }
    if (board.by_color[us.other() as usize] & target != 0) != capture {
        return None;
    }
    let near = PSEUDO_SOURCES[us as usize][role as usize][(to & 63) as usize] & board.men(us, role);
    if near == 0 {
        return None;
    }
    if near & (near - 1) == 0 && hint == 0 {
        let from = near.trailing_zeros() as u8;
        if between(from, to) & board.occupied() != 0 {
            return None;
        }
        let mv = Move::plain(from, to);
        return is_safe(board, mv, checkers).then_some((mv, role));
    }
    choose(board, checkers, near, to, hint).map(|mv| (mv, role))
}

/// Of several men of one kind the one that can go to the target, if the text names it as shortly as the standard does.
#[inline(never)]
fn choose(board: &Board, checkers: Bb, near: Bb, to: u8, hint: u8) -> Option<Move> {
    let mut able: Bb = 0;
    for from in squares(near) {
        if between(from, to) & board.occupied() == 0 && is_safe(board, Move::plain(from, to), checkers) {
            able |= bit(from);
        }
    }
    let chosen = match hint {
        0 => able,
        b'a'..=b'h' => able & (FILE_A << (hint - b'a')),
        b'1'..=b'8' => able & (0xff << (8 * (hint - b'1'))),
        _ => return None,
    };
    if chosen == 0 || chosen & (chosen - 1) != 0 {
        return None;
    }
    let from = chosen.trailing_zeros() as u8;
    let rivals = able & !chosen;
    let needed = match hint {
        0 => true,
        // A file is written where it is needed at all; a rank only where the file does not tell.
        b'a'..=b'h' => rivals != 0,
        _ => rivals & (FILE_A << (from & 7)) != 0,
    };
    needed.then_some(Move::plain(from, to))
}

#[inline(never)]
fn find_castling(board: &Board, body: &[u8]) -> Option<Move> {
    let kind = match body {
        b"O-O" => MoveKind::CastleKingside,
        b"O-O-O" => MoveKind::CastleQueenside,
        _ => return None,
    };
    let mut moves = crate::types::MoveList::new();
    board.castling_moves(&mut moves);
    moves.iter().find(|mv| mv.kind == kind).copied()
}

/// The side that a move number speaks of (None where it has no dots), if the number is the right one for the board.
#[inline]
pub fn number(text: &[u8], board: &Board, shift: i64) -> Option<Option<Color>> {
    let mut value: i64 = 0;
    let mut at = 0;
    while let Some(digit) = text.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
        value = value * 10 + i64::from(digit);
        at += 1;
    }
    if value != i64::from(board.fullmove) + shift {
        return None;
    }
    match text[at..] {
        [] => Some(None),
        [b'.'] if board.turn == Color::White => Some(Some(Color::White)),
        [b'.', b'.', ..] if text[at..].iter().all(|byte| *byte == b'.') => Some(Some(Color::Black)),
        _ => None,
    }
}

/// Whether a comment may hold a command, such as `[%clk 0:01:02]`.
#[inline]
pub fn has_command(comment: &[u8]) -> bool {
    memchr::memchr(b'%', comment).is_some()
}
