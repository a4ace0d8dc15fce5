//! A board as text: FEN, with X-FEN castling letters; and moves as UCI writes them.

use arrayvec::ArrayString;

use crate::attacks::{squares_down, BACK_RANK};
use crate::board::Board;
use crate::types::{Bb, Color, Move, MoveKind, Role, NO_SQUARE};

/// Signs of a FEN, in all but unheard-of ones.
const MOST_SIGNS: usize = 96;

/// The sign of each code of the mailbox; 0 for an empty square.
const SIGNS: [u8; 16] = *b"\0PNBRQK\0\0pnbrqk\0";

impl Board {
    /// The FEN; the en passant square only where a capture is legal.
    pub fn fen(&self) -> String {
        let mut text = String::with_capacity(MOST_SIGNS);
        self.push_placement(&mut text);
        text.push_str(if self.turn == Color::White { " w " } else { " b " });
        self.push_castling(&mut text);
        match self.legal_ep() {
            Some(square) => {
                text.push(' ');
                text.push_str(&square_name(square));
                text.push(' ');
            }
            None => text.push_str(" - "),
        }
        push_number(&mut text, self.halfmove);
        text.push(' ');
        push_number(&mut text, self.fullmove);
        text
    }

    /// The first field of the FEN.
    pub fn board_fen(&self) -> String {
        let mut text = String::with_capacity(MOST_SIGNS);
        self.push_placement(&mut text);
        text
    }

    /// The castling field: K and Q (k, q) for the outermost rook of a side, the letter of its file for an inner rook.
    pub fn castling_xfen(&self) -> String {
        let mut text = String::with_capacity(4);
        self.push_castling(&mut text);
        text
    }

    pub(crate) fn push_placement(&self, text: &mut String) {
        let mut signs = [0; 72];
        let mut at = 0;
        for rank in (0..8).rev() {
            let mut empty = b'0';
            for &man in &self.mailbox[rank * 8..rank * 8 + 8] {
                let sign = SIGNS[usize::from(man & 15)];
                if sign == 0 {
                    empty += 1;
                    continue;
                }
                if empty > b'0' {
                    signs[at] = empty;
                    at += 1;
                    empty = b'0';
                }
                signs[at] = sign;
                at += 1;
            }
            if empty > b'0' {
                signs[at] = empty;
                at += 1;
            }
            if rank > 0 {
                signs[at] = b'/';
                at += 1;
            }
        }
        text.push_str(std::str::from_utf8(&signs[..at]).unwrap_or_default());
    }

    pub(crate) fn push_castling(&self, text: &mut String) {
        let before = text.len();
        for color in [Color::White, Color::Black] {
            let Some(king) = self.king(color) else { continue };
            let rank = BACK_RANK[color as usize];
            for rook in squares_down(self.castling & rank) {
                let queenside = rook & 7 < king & 7;
                let others = self.men(color, Role::Rook) & rank & !(1 << rook);
                let inner = squares_down(others).any(|other| (other < rook) == queenside);
                let letter = match (inner, queenside) {
                    (true, _) => b'a' + (rook & 7),
                    (false, true) => b'q',
                    (false, false) => b'k',
                };
                text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter } as char);
            }
        }
        if text.len() == before {
            text.push('-');
        }
    }

    /// A board from FEN text that a program wrote: six fields, nothing wrong with them. For text of unknown origin there
    /// is the careful reader, which says what is wrong.
    pub fn from_fen(text: &str, chess960: bool) -> Option<Board> {
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        let &[placement, turn, castling, ep, halfmove, fullmove] = fields.as_slice() else { return None };
        let mut board = Board::empty();
        board.chess960 = chess960;
        let ranks: Vec<&str> = placement.split('/').collect();
        if ranks.len() != 8 {
            return None;
        }
        for (rank, men) in (0..8).rev().zip(ranks) {
            let mut file = 0;
            for sign in men.bytes() {
                if sign.is_ascii_digit() {
                    file = (file + (sign - b'0')).min(8);
                    continue;
                }
                let color = if sign.is_ascii_uppercase() { Color::White } else { Color::Black };
                let role = Role::from_letter(sign.to_ascii_uppercase()).filter(|_| file < 8)?;
                board.put(rank * 8 + file, color, role);
                file += 1;
            }
        }
        board.turn = if turn == "w" { Color::White } else { Color::Black };
        let rights =
            castling.bytes().filter(|&letter| letter != b'-').fold(0, |rights, letter| rights | board.rook_meant(letter));
        board.castling = board.clean_rights(rights);
        board.ep = if ep == "-" { NO_SQUARE } else { square_of(ep.as_bytes())? };
        board.halfmove = halfmove.parse().ok()?;
        board.fullmove = fullmove.parse().ok()?;
        board.refresh_hash();
        Some(board)
    }

    /// The rook that a castling letter means: K and Q the outermost one on that side of the king, others the one on that file.
    fn rook_meant(&self, letter: u8) -> Bb {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rooks = self.men(color, Role::Rook) & BACK_RANK[color as usize];
        if rooks == 0 {
            return 0;
        }
        match letter.to_ascii_uppercase() {
            b'K' => 1 << rooks.ilog2(),
            b'Q' => 1 << rooks.trailing_zeros(),
            file => rooks & 0x0101_0101_0101_0101 << (file.wrapping_sub(b'A') & 7),
        }
    }

    /// The move as UCI writes it: castling as the king's two steps, in Chess960 as king takes rook.
    pub fn uci(&self, mv: Move) -> ArrayString<5> {
        let mut text = ArrayString::new();
        if mv.kind == MoveKind::Null {
            text.push_str("0000");
            return text;
        }
        let to = match mv.kind {
            MoveKind::CastleKingside if !self.chess960 => mv.from & 56 | 6,
            MoveKind::CastleQueenside if !self.chess960 => mv.from & 56 | 2,
            _ => mv.to,
        };
        text.push_str(&square_name(mv.from));
        text.push_str(&square_name(to));
        if let Some(role) = mv.promotion {
            text.push(role.letter().to_ascii_lowercase() as char);
        }
        text
    }

    /// The move that UCI text means on this board; whether it is legal is not asked.
    pub fn from_uci(&self, text: &str) -> Option<Move> {
        if text == "0000" {
            return Some(Move::NULL);
        }
        let text = text.as_bytes();
        let (from, to) = (square_of(text.get(0..2)?)?, square_of(text.get(2..4)?)?);
        let promotion = match text.get(4..)? {
            [] => None,
            [letter] => Some(Role::from_letter(letter.to_ascii_uppercase())?),
            _ => return None,
        };
        Some(Move { promotion, ..self.move_between(from, to) })
    }

    /// The move of the man on `from` to `to`, with its kind. Castling may be given by the square of the rook, or in standard
    /// chess by the king's two steps.
    pub fn move_between(&self, from: u8, to: u8) -> Move {
        let plain = Move::plain(from, to);
        match self.role_at(from) {
            Some(Role::King) => {
                let rook = match (self.chess960, from, to) {
                    (false, 4 | 60, 6 | 62) if from & 56 == to & 56 => from + 3,
                    (false, 4 | 60, 2 | 58) if from & 56 == to & 56 => from - 4,
                    _ => to,
                };
                let own_rook = self.role_at(rook) == Some(Role::Rook) && self.color_at(rook) == self.color_at(from);
                match own_rook {
                    true if rook < from => Move { to: rook, kind: MoveKind::CastleQueenside, ..plain },
                    true => Move { to: rook, kind: MoveKind::CastleKingside, ..plain },
                    false => plain,
                }
            }
            Some(Role::Pawn) if to == self.ep && self.ep_capturers() & 1 << (from & 63) != 0 => {
                Move { kind: MoveKind::EnPassant, ..plain }
            }
            _ => plain,
        }
    }
}

/// Appends a number. Counters of a game are small.
pub(crate) fn push_number(text: &mut String, number: u32) {
    if number >= 10 {
        push_number(text, number / 10);
    }
    text.push((b'0' + (number % 10) as u8) as char);
}

/// `a1` … `h8`.
pub fn square_name(square: u8) -> ArrayString<2> {
    let mut text = ArrayString::new();
    text.push((b'a' + (square & 7)) as char);
    text.push((b'1' + (square >> 3 & 7)) as char);
    text
}

/// The square of a name like `e4`.
pub fn square_of(name: &[u8]) -> Option<u8> {
    match *name {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some((rank - b'1') * 8 + file - b'a'),
        _ => None,
    }
}
