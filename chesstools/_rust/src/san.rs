//! Move text: what a token says, which move it means on a board, and how the standard would write it.
//! The counterpart of `chesstools/reference/san.py`.

use crate::board::Board;
use crate::types::{Bb, Color, Move, MoveList, Role};

/// Castling as a token writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Castling {
    Kingside,
    Queenside,
}

/// Why the form of a move is not the standard's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Standard,
    /// A doubled check sign only.
    CheckMark,
    Other,
}

/// The letter behind a pawn move to the last rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promotion {
    None,
    /// `=` without a letter.
    Sign,
    /// Any letter, in upper case.
    Letter(u8),
}

/// What a move token says. `role` None: the token names squares only, as UCI does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    pub role: Option<Role>,
    pub to: u8,
    pub file: Option<u8>,
    pub rank: Option<u8>,
    /// 0, `-`, `x` or `:`.
    pub mark: u8,
    pub promotion: Promotion,
    pub castling: Option<Castling>,
    pub drop: bool,
    /// The first check sign: 0, `+` or `#`.
    pub check: u8,
    pub form: Form,
}

impl Written {
    const EMPTY: Written = Written {
        role: None,
        to: 0,
        file: None,
        rank: None,
        mark: 0,
        promotion: Promotion::None,
        castling: None,
        drop: false,
        check: 0,
        form: Form::Standard,
    };

    pub fn is_capture(&self) -> bool {
        matches!(self.mark, b'x' | b':')
    }
}

fn check_form(signs: usize) -> Form {
    if signs <= 1 {
        Form::Standard
    } else {
        Form::CheckMark
    }
}

/// Reads a token of kind MOVE. None where it has the shape of no move.
pub fn read(text: &[u8]) -> Option<Written> {
    let body_end = text.len() - text.iter().rev().take_while(|byte| matches!(byte, b'+' | b'#')).count();
    let (body, signs) = text.split_at(body_end);
    let check = signs.first().copied().unwrap_or(0);
    match body.first()? {
        b'O' | b'o' | b'0' => return read_castling(body, check, signs.len()),
        _ if body.contains(&b'@') => return read_drop(body, check),
        _ => {}
    }
    read_plain(body, check, signs.len())
}

fn read_castling(body: &[u8], check: u8, signs: usize) -> Option<Written> {
    let castling = match body.iter().filter(|byte| matches!(byte, b'O' | b'o' | b'0')).count() {
        2 => Castling::Kingside,
        3 => Castling::Queenside,
        _ => return None,
    };
    let standard = matches!((castling, body), (Castling::Kingside, b"O-O") | (Castling::Queenside, b"O-O-O"));
    let form = if standard { check_form(signs) } else { Form::Other };
    Some(Written { role: Some(Role::King), castling: Some(castling), check, form, ..Written::EMPTY })
}

fn read_drop(body: &[u8], check: u8) -> Option<Written> {
    let (role, form, square) = match body {
        [b'@', file, rank] => (Role::Pawn, Form::Other, (file, rank)),
        [letter, b'@', file, rank] => (Role::from_letter(*letter)?, Form::Standard, (file, rank)),
        _ => return None,
    };
    Some(Written { role: Some(role), to: square_of(*square.0, *square.1)?, drop: true, check, form, ..Written::EMPTY })
}

/// The square with this file letter and rank digit.
pub fn square_of(file: u8, rank: u8) -> Option<u8> {
    (file.wrapping_sub(b'a') < 8 && rank.wrapping_sub(b'1') < 8).then(|| (rank - b'1') * 8 + (file - b'a'))
}

/// The role of a figurine: U+2654 to U+265F.
fn figurine(bytes: &[u8]) -> Option<Role> {
    match bytes {
        [0xe2, 0x99, last @ 0x94..=0x9f, ..] => {
            Some([Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn][((last - 0x94) % 6) as usize])
        }
        _ => None,
    }
}

fn read_plain(body: &[u8], check: u8, signs: usize) -> Option<Written> {
    let mut rest = body;
    let mut form = Form::Standard;
    let mut letter = true;
    let mut role = Role::Pawn;
    match rest[0] {
        byte @ (b'P' | b'N' | b'B' | b'R' | b'Q' | b'K' | b'p' | b'n' | b'r' | b'q' | b'k') => {
            role = Role::from_letter(byte.to_ascii_uppercase())?;
            if byte.is_ascii_lowercase() || byte == b'P' {
                form = Form::Other;
            }
            rest = &rest[1..];
        }
        _ => match figurine(rest) {
            Some(found) => {
                role = found;
                form = Form::Other;
                rest = &rest[3..];
            }
            None => letter = false,
        },
    }
    // "e.p." stands last; then comes the promotion; then, from the end backwards, the target square.
    for mark in [&b"e.p."[..], b"e.p", b"ep.", b"ep"] {
        if rest.len() > 2 && rest.ends_with(mark) {
            rest = &rest[..rest.len() - mark.len()];
            form = Form::Other;
            break;
        }
    }
    let (rest, promotion, plain) = split_promotion(rest)?;
    let [head @ .., file, rank] = rest else { return None };
    let to = square_of(*file, *rank)?;
    let (head, mark) = match head {
        [head @ .., mark @ (b'-' | b'x' | b':')] => (head, *mark),
        _ => (head, 0),
    };
    let (file, rank) = match head {
        [] => (None, None),
        [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
        [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
        _ => return None,
    };
    let squares_only = file.is_some() && rank.is_some() && !letter;
    let pawn_capture_without_file = role == Role::Pawn && matches!(mark, b'x' | b':') && file.is_none();
    if squares_only || pawn_capture_without_file || matches!(mark, b'-' | b':') || !plain {
        form = Form::Other;
    }
    if form == Form::Standard {
        form = check_form(signs);
    }
    let role = if squares_only { None } else { Some(role) };
    Some(Written { role, to, file, rank, mark, promotion, check, form, ..Written::EMPTY })
}

/// Splits off `=Q`, `Q`, `(Q)`, `/Q` or `=`; the last value says whether it has the standard's form (`=Q`, or nothing).
fn split_promotion(rest: &[u8]) -> Option<(&[u8], Promotion, bool)> {
    let letter = |byte: u8| Promotion::Letter(byte.to_ascii_uppercase());
    Some(match rest {
        [head @ .., b'(', byte, b')'] if byte.is_ascii_alphabetic() => (head, letter(*byte), false),
        [head @ .., sign @ (b'=' | b'/'), byte] if byte.is_ascii_alphabetic() => {
            (head, letter(*byte), *sign == b'=' && byte.is_ascii_uppercase())
        }
        [head @ .., b'='] => (head, Promotion::Sign, false),
        [head @ .., byte] if byte.is_ascii_alphabetic() => (head, letter(*byte), false),
        [] => return None,
        _ => (rest, Promotion::None, true),
    })
}

/// What a token comes to on a board.
// Moves go by value: the ambiguous ones are rare, and the list lives on the stack of the careful path.
#[allow(clippy::large_enum_variant)]
pub enum Resolved {
    Move(Move),
    Ambiguous(MoveList),
    None,
}

/// Squares of the men of the side to move that the token can speak of, by role, file and rank.
pub fn source_mask(board: &Board, written: &Written) -> Bb {
    let mut mask = match written.role {
        None => board.by_color[board.turn as usize],
        Some(role) => board.men(board.turn, role),
    };
    if let Some(file) = written.file {
        mask &= FILE_A << file;
    } else if written.role == Some(Role::Pawn) && !written.is_capture() {
        mask &= FILE_A << (written.to & 7); // a capture names the file the pawn came from
    }
    if let Some(rank) = written.rank {
        mask &= 0xff << (8 * rank);
    }
    mask
}

pub const FILE_A: Bb = 0x0101_0101_0101_0101;
pub const BACKRANKS: Bb = 0xff00_0000_0000_00ff;

/// The one legal move that the token means.
pub fn resolve(board: &Board, written: &Written) -> Resolved {
    let mut moves = MoveList::new();
    if let Some(castling) = written.castling {
        board.castling_moves(&mut moves);
        let kind = match castling {
            Castling::Kingside => crate::types::MoveKind::CastleKingside,
            Castling::Queenside => crate::types::MoveKind::CastleQueenside,
        };
        return moves.iter().find(|mv| mv.kind == kind).map_or(Resolved::None, |mv| Resolved::Move(*mv));
    }
    if written.drop {
        return Resolved::None; // only crazyhouse has drops, and that goes to the readable engine
    }
    let promotion = match written.promotion {
        Promotion::Letter(letter) => match Role::from_letter(letter) {
            Some(role) => Some(role),
            None => return Resolved::None,
        },
        _ => None,
    };
    let from = source_mask(board, written);
    if from == 0 {
        return Resolved::None;
    }
    board.legal_moves(from, 1 << written.to, &mut moves);
    moves.retain(|mv| mv.promotion == promotion && !mv.is_castling());
    match moves.len() {
        1 => Resolved::Move(moves[0]),
        0 => castling_by_squares(board, written),
        _ => {
            moves.sort_by_key(|mv| mv.from);
            Resolved::Ambiguous(moves)
        }
    }
}

/// Castling as UCI writes it: the king's two squares, or (Chess960) king takes own rook.
fn castling_by_squares(board: &Board, written: &Written) -> Resolved {
    let (None, Some(file), Some(rank)) = (written.role, written.file, written.rank) else { return Resolved::None };
    let mut moves = MoveList::new();
    board.castling_moves(&mut moves);
    moves
        .iter()
        .find(|mv| mv.from == rank * 8 + file && written.to == uci_target(board, **mv))
        .map_or(Resolved::None, |mv| Resolved::Move(*mv))
}

/// The target square as UCI writes it: of castling in standard chess, the king's.
pub fn uci_target(board: &Board, mv: Move) -> u8 {
    if mv.is_castling() && !board.chess960 {
        king_target(mv)
    } else {
        mv.to
    }
}

/// Where the king comes to stand: castling goes to the c- or g-file.
pub fn king_target(mv: Move) -> u8 {
    match mv.kind {
        crate::types::MoveKind::CastleKingside => (mv.from & 0x38) | 6,
        crate::types::MoveKind::CastleQueenside => (mv.from & 0x38) | 2,
        _ => mv.to,
    }
}

/// The move in standard notation, without check marks. `board` is the position before it.
pub fn standard_body(board: &Board, mv: Move) -> String {
    let mut text = String::with_capacity(8);
    push_body(board, mv, &mut text);
    text
}

/// Adds the same to `text`.
pub fn push_body(board: &Board, mv: Move, text: &mut String) {
    use crate::types::MoveKind;
    match mv.kind {
        MoveKind::Null => return text.push_str("--"),
        MoveKind::CastleKingside => return text.push_str("O-O"),
        MoveKind::CastleQueenside => return text.push_str("O-O-O"),
        _ => {}
    }
    let role = board.role_at(mv.from).unwrap_or(Role::Pawn);
    let capture = board.is_capture(mv);
    if role == Role::Pawn {
        if capture {
            text.push((b'a' + (mv.from & 7)) as char);
        }
    } else {
        text.push(role.letter() as char);
        disambiguate(board, mv, role, text);
    }
    if capture {
        text.push('x');
    }
    push_square(mv.to, text);
    if let Some(promotion) = mv.promotion {
        text.push('=');
        text.push(promotion.letter() as char);
    }
}

fn disambiguate(board: &Board, mv: Move, role: Role, text: &mut String) {
    let men = board.men(board.turn, role);
    if role == Role::King && men.count_ones() == 1 {
        return;
    }
    let others = men & !(1 << mv.from) & board.attackers(board.turn, mv.to, board.occupied());
    if others == 0 {
        return;
    }
    let mut moves = MoveList::new();
    board.legal_moves(others, 1 << mv.to, &mut moves);
    let rivals = moves.iter().filter(|other| !other.is_castling()).fold(0, |mask, other| mask | 1u64 << other.from);
    if rivals == 0 {
        return;
    }
    let file = FILE_A << (mv.from & 7);
    let rank = 0xff << (mv.from & 0x38);
    if rivals & file == 0 {
        text.push((b'a' + (mv.from & 7)) as char);
    } else if rivals & rank == 0 {
        text.push((b'1' + (mv.from >> 3)) as char);
    } else {
        push_square(mv.from, text);
    }
}

pub fn push_square(square: u8, text: &mut String) {
    text.push((b'a' + (square & 7)) as char);
    text.push((b'1' + (square >> 3)) as char);
}

pub fn square_name(square: u8) -> String {
    let mut text = String::with_capacity(2);
    push_square(square, &mut text);
    text
}

/// The names of all squares of a set, from a1 on; None for the empty set.
pub fn names(mut squares: Bb) -> Option<String> {
    let mut text = String::new();
    while squares != 0 {
        if !text.is_empty() {
            text.push(',');
        }
        push_square(squares.trailing_zeros() as u8, &mut text);
        squares &= squares - 1;
    }
    (!text.is_empty()).then_some(text)
}

/// Check marks behind a move: `#`, `+` or nothing.
pub fn check_sign(check: bool, mate: bool) -> &'static str {
    match (check, mate) {
        (_, true) => "#",
        (true, false) => "+",
        _ => "",
    }
}

/// Full standard notation, check marks included, as python-chess `Board.san`.
pub fn san(board: &Board, mv: Move) -> String {
    let mut text = standard_body(board, mv);
    let mut after = board.clone();
    after.play(mv);
    let check = after.is_check();
    text.push_str(check_sign(check, check && !after.has_legal_move()));
    text
}

/// A colour's own and the other's men; a helper for reasons.
pub fn is_own(board: &Board, square: u8, color: Color) -> bool {
    board.by_color[color as usize] & (1 << square) != 0
}
