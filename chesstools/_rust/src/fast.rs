//! The fast path: a move in standard notation, resolved from its target backwards and made on the board.
//!
//! It takes only text that is exactly what the standard would write, for a move that is legal; everything else it refuses
//! without touching the board, and the careful path decides. It may be narrow, it may never be wrong.
//!
//! What makes it fast: the token is one eight-byte word, read from its end (check mark, square, capture sign, hint, letter);
//! no list of moves is made; legality is tested exactly only where a move can fail (king moves, checks, men on a line
//! between their king and an enemy slider); whether the move gives check is told from the man that moves, and exactly only
//! where it leaves a line to the enemy king; colour is a constant in each of two copies.

use crate::attacks::{behind, between, bit, squares, FILE_A, PSEUDO_SOURCES};
use crate::board::{code, Board};
use crate::types::{Bb, Color, Move, MoveKind, Role, NO_SQUARE};
use crate::zobrist::{MEN, WHITE_TO_MOVE};

/// A move that was made.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    pub mv: Move,
    pub role: Option<Role>,
    pub captured: Option<Role>,
    pub check: bool,
    pub mate: bool,
}

/// By the first letter of a move: the role, 6 for castling, 7 for anything else.
static ROLES: [u8; 256] = {
    let mut table = [7; 256];
    let mut file = b'a';
    while file <= b'h' {
        table[file as usize] = Role::Pawn as u8;
        file += 1;
    }
    table[b'N' as usize] = Role::Knight as u8;
    table[b'B' as usize] = Role::Bishop as u8;
    table[b'R' as usize] = Role::Rook as u8;
    table[b'Q' as usize] = Role::Queen as u8;
    table[b'K' as usize] = Role::King as u8;
    table[b'O' as usize] = 6;
    table
};

/// A token of at most eight bytes as one number, its first byte lowest; 0 for a longer one. `from` counts in `data`.
#[inline(always)]
pub fn word(data: &[u8], from: usize, length: usize) -> u64 {
    if length > 8 {
        return 0;
    }
    match data.get(from..from + 8) {
        Some(bytes) => u64::from_le_bytes(bytes.try_into().expect("eight bytes")),
        None => {
            let mut bytes = [0; 8];
            bytes[..length].copy_from_slice(&data[from..from + length]);
            u64::from_le_bytes(bytes)
        }
    }
}

#[inline(always)]
fn byte(word: u64, at: usize) -> u8 {
    (word >> (8 * (at & 7))) as u8
}

/// Makes the move that the token says; `word` holds its bytes. `checkers` are the men that give check before it, and
/// afterwards those after it. Where it gives None, nothing was changed.
#[inline(always)]
pub fn play(board: &mut Board, checkers: &mut Bb, word: u64, length: usize) -> Option<Made> {
    match board.turn {
        Color::White => play_as::<true>(board, checkers, word, length),
        Color::Black => play_as::<false>(board, checkers, word, length),
    }
}

/// The same, not inlined: for the rarer callers, so that the hot code stays small.
#[inline(never)]
pub fn play_apart(board: &mut Board, checkers: &mut Bb, word: u64, length: usize) -> Option<Made> {
    play(board, checkers, word, length)
}

#[inline(always)]
fn play_as<const WHITE: bool>(board: &mut Board, checkers: &mut Bb, word: u64, length: usize) -> Option<Made> {
    let role = ROLES[byte(word, 0) as usize];
    if length < 2 || word == 0 {
        return None;
    }
    let sign = match byte(word, length - 1) {
        sign @ (b'+' | b'#') => sign,
        _ => 0,
    };
    let length = length - usize::from(sign != 0);
    let file = byte(word, length.wrapping_sub(2)).wrapping_sub(b'a');
    let rank = byte(word, length.wrapping_sub(1)).wrapping_sub(b'1');
    if role > 5 || length < 2 || (file | rank) > 7 {
        return play_rare(board, checkers, word, length, sign);
    }
    let to = rank * 8 + file;
    let (us, them) = if WHITE { (0, 1) } else { (1, 0) };
    let target = board.mailbox[to as usize];
    let (from, capture) = if role == Role::Pawn as u8 {
        if to >> 3 == if WHITE { 7 } else { 0 } {
            return None; // a promotion without a piece
        }
        pawn_source::<WHITE>(board, word, length, to, target)?
    } else {
        let (hint, capture) = match length {
            3 => (0, false),
            4 if byte(word, 1) == b'x' => (0, true),
            4 => (byte(word, 1), false),
            5 if byte(word, 2) == b'x' => (byte(word, 1), true),
            _ => return None, // two signs of disambiguation are for the careful path
        };
        let near = PSEUDO_SOURCES[us][role as usize & 7][to as usize] & board.by_role[role as usize & 7] & board.by_color[us];
        let from = if near & near.wrapping_sub(1) == 0 && hint == 0 {
            let from = near.trailing_zeros() as u8;
            if near == 0 || between(from, to) & board.occupied() != 0 {
                return None;
            }
            from
        } else {
            choose(board, *checkers, near, to, hint)?
        };
        (from, capture)
    };
    let enemy_king = code(if WHITE { Color::Black } else { Color::White }, Role::King);
    // Empty exactly where nothing is taken; else a man of the other side, and not its king.
    if capture != (target != 0) || (capture && (target >> 3 != them as u8 || target == enemy_king)) {
        return if capture && target == 0 && role == 0 { play_rare(board, checkers, word, length, sign) } else { None };
    }
    let king = (board.by_role[Role::King as usize] & board.by_color[us]).trailing_zeros() as u8;
    let sliders = board.straight_sliders() | board.slanted_sliders();
    let risky = from == king || *checkers != 0 || behind(king, from) & sliders & board.by_color[them] != 0;
    if risky && !board.is_safe_given(Move::plain(from, to), king, *checkers) {
        return None;
    }
    let goal = (board.by_role[Role::King as usize] & board.by_color[them]).trailing_zeros() as u8 & 63;
    let reaches = PSEUDO_SOURCES[us][role as usize & 7][goal as usize] & bit(to) != 0;
    let direct = reaches && role != Role::King as u8 && between(to, goal) & board.occupied() & !bit(from) == 0;
    let leaves_line = behind(goal, from) & sliders & board.by_color[us] != 0;
    let check = direct || (leaves_line && discovers(board, from, to, goal));
    if check != (sign != 0) {
        return None;
    }
    if check {
        return play_checking(board, checkers, Move::plain(from, to), role, target, sign);
    }
    make::<WHITE>(board, from, to, role, target);
    *checkers = 0;
    Some(Made { mv: Move::plain(from, to), role: role_at(role), captured: captured(target), check: false, mate: false })
}

#[inline(always)]
fn role_at(index: u8) -> Option<Role> {
    Some(Role::ALL[(index % 6) as usize])
}

#[inline(always)]
fn captured(man: u8) -> Option<Role> {
    crate::board::role_of(man)
}

/// Where the pawn comes from, and whether the text says that it takes.
#[inline(always)]
fn pawn_source<const WHITE: bool>(board: &Board, word: u64, length: usize, to: u8, target: u8) -> Option<(u8, bool)> {
    let own = code(if WHITE { Color::White } else { Color::Black }, Role::Pawn);
    let back = |steps: u8| if WHITE { to.wrapping_sub(8 * steps) } else { to.wrapping_add(8 * steps) };
    let one = back(1);
    if one > 63 {
        return None;
    }
    match length {
        2 => {
            if target != 0 {
                return None;
            }
            if board.mailbox[one as usize] == own {
                return Some((one, false));
            }
            let two = back(2) & 63;
            let fourth = to >> 3 == if WHITE { 3 } else { 4 };
            (fourth && board.mailbox[one as usize] == 0 && board.mailbox[two as usize] == own).then_some((two, false))
        }
        4 if byte(word, 1) == b'x' => {
            let file = byte(word, 0).wrapping_sub(b'a');
            let from = (one & 0x38) | (file & 7);
            (file.abs_diff(to & 7) == 1 && board.mailbox[from as usize] == own).then_some((from, true))
        }
        _ => None,
    }
}

/// Whether a man that leaves `from` for `to` opens a line of its own side to the king on `goal`.
#[cold]
fn discovers(board: &Board, from: u8, to: u8, goal: u8) -> bool {
    let own = board.by_color[board.turn as usize];
    let occupied = (board.occupied() & !bit(from)) | bit(to);
    let straight = crate::attacks::ROOK_LINES[(goal & 63) as usize] & bit(from) != 0;
    let sliders = if straight { board.straight_sliders() } else { board.slanted_sliders() } & own;
    squares(behind(goal, from) & sliders).any(|sniper| between(goal, sniper) & occupied == 0)
}

/// A plain move that is known to give check and marked as one: `+` must be no mate, `#` must be one.
#[inline(never)]
fn play_checking(board: &mut Board, checkers: &mut Bb, mv: Move, role: u8, target: u8, sign: u8) -> Option<Made> {
    let mut after = board.clone();
    after.play(mv);
    let mate = !after.has_legal_move();
    if mate != (sign == b'#') {
        return None;
    }
    *checkers = after.checkers();
    *board = after;
    Some(Made { mv, role: role_at(role), captured: captured(target), check: true, mate })
}

/// Makes a plain move. `role` moves, `target` is the man taken, or 0.
#[inline(always)]
fn make<const WHITE: bool>(board: &mut Board, from: u8, to: u8, role: u8, target: u8) {
    let (us, them) = if WHITE { (0, 1) } else { (1, 0) };
    let both = bit(from) | bit(to);
    let man = code(if WHITE { Color::White } else { Color::Black }, Role::Pawn) + role;
    if board.castling & both != 0 || (role == Role::King as u8 && board.castling != 0) {
        board.play(Move::plain(from, to));
        return;
    }
    board.by_role[role as usize & 7] ^= both;
    board.by_color[us] ^= both;
    board.mailbox[(from & 63) as usize] = 0;
    board.mailbox[(to & 63) as usize] = man;
    let keys = &MEN[(man & 15) as usize];
    board.hash ^= keys[(from & 63) as usize] ^ keys[(to & 63) as usize] ^ WHITE_TO_MOVE;
    board.ep = NO_SQUARE;
    if target != 0 {
        board.by_role[((target & 7) - 1) as usize & 7] ^= bit(to);
        board.by_color[them] ^= bit(to);
        board.hash ^= MEN[(target & 15) as usize][(to & 63) as usize];
        board.halfmove = 0;
    } else if role == Role::Pawn as u8 {
        board.halfmove = 0;
        if from ^ to == 16 {
            board.ep = (from + to) / 2;
        }
    } else {
        board.halfmove = board.halfmove.wrapping_add(1);
    }
    if WHITE {
        board.turn = Color::Black;
    } else {
        board.turn = Color::White;
        board.fullmove = board.fullmove.wrapping_add(1);
    }
}

/// Of several men of one kind the one that can go to the target, if the text names it as shortly as the standard does.
#[inline(never)]
fn choose(board: &Board, checkers: Bb, near: Bb, to: u8, hint: u8) -> Option<u8> {
    let king = board.king(board.turn)?;
    let able = squares(near)
        .filter(|from| between(*from, to) & board.occupied() == 0)
        .filter(|from| board.is_safe_given(Move::plain(*from, to), king, checkers))
        .fold(0, |able: Bb, from| able | bit(from));
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
        // A file is written where anything is needed at all; a rank only where the file does not tell.
        b'a'..=b'h' => rivals != 0,
        _ => rivals & (FILE_A << (from & 7)) != 0,
    };
    needed.then_some(from)
}

/// Castling, promotion and en passant: moves after which lines may open in more than one place, tried on a copy.
#[inline(never)]
fn play_rare(board: &mut Board, checkers: &mut Bb, word: u64, length: usize, sign: u8) -> Option<Made> {
    let bytes = word.to_le_bytes();
    let body = bytes.get(..length)?;
    let mv = match body {
        b"O-O" => castling(board, MoveKind::CastleKingside)?,
        b"O-O-O" => castling(board, MoveKind::CastleQueenside)?,
        _ => rare_pawn(board, *checkers, body)?,
    };
    let role = board.role_at(mv.from);
    let captured = match mv.kind {
        MoveKind::Plain => board.role_at(mv.to),
        MoveKind::EnPassant => Some(Role::Pawn),
        _ => None,
    };
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
    Some(Made { mv, role, captured, check, mate })
}

fn castling(board: &Board, kind: MoveKind) -> Option<Move> {
    let mut moves = crate::types::MoveList::new();
    board.castling_moves(&mut moves);
    moves.iter().find(|mv| mv.kind == kind).copied()
}

/// A promotion, or a capture en passant.
fn rare_pawn(board: &Board, checkers: Bb, body: &[u8]) -> Option<Move> {
    let (file, rank, source, letter) = match *body {
        [file, rank, b'=', letter] => (file, rank, None, Some(letter)),
        [source, b'x', file, rank, b'=', letter] => (file, rank, Some(source), Some(letter)),
        [source, b'x', file, rank] => (file, rank, Some(source), None),
        _ => return None,
    };
    let to = crate::san::square_of(file, rank)?;
    let white = board.turn == Color::White;
    let back = if white { to.wrapping_sub(8) } else { to + 8 };
    let from = match source {
        None => back,
        Some(source @ b'a'..=b'h') => (back & 0x38) | (source - b'a'),
        Some(_) => return None,
    };
    let promotion = match letter {
        None => None,
        Some(letter @ (b'Q' | b'R' | b'B' | b'N')) => Role::from_letter(letter),
        Some(_) => return None,
    };
    let kind = if letter.is_none() { MoveKind::EnPassant } else { MoveKind::Plain };
    let mv = Move { from, to, promotion, kind };
    let pawn = from < 64 && board.men(board.turn, Role::Pawn) & bit(from) != 0;
    let takes_king = board.by_role[Role::King as usize] & bit(to) != 0;
    let king = board.king(board.turn)?;
    let legal = pawn && !takes_king && board.is_pseudo_legal(mv) && board.is_safe_given(mv, king, checkers);
    // The text says that it takes exactly if it does.
    (legal && source.is_some() == board.is_capture(mv)).then_some(mv)
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
