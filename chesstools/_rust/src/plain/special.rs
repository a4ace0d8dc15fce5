//! Castling, promotions and captures en passant in a plain game.

use super::position::{Position, CODES, CORNERS, HOMES, KING, LOOKED_AT, PAWN, ROOK};
use crate::attacks::{between, bit};
use crate::board::role_of;
use crate::fast::Made;
use crate::san_words::TAKES;
use crate::types::{Move, MoveKind, Role};
use crate::zobrist::MEN;

impl Position {
    /// Makes the move that a word of `length` bytes says, as `play` does, if it is a special one. `word` holds its bytes; `ep` is
    /// the square behind a pawn that has just made a double step. Where it gives None, something may have been changed.
    #[inline(never)]
    pub fn play_special<const SIDE: usize>(&mut self, word: u64, length: usize, ep: u8) -> Option<Made> {
        let bytes = word.to_le_bytes();
        let (body, check) = match bytes.get(..length)? {
            [body @ .., b'+' | b'#'] => (body, true),
            body => (body, false),
        };
        match *body {
            [b'O', b'-', b'O'] => self.castle::<SIDE>(0, check),
            [b'O', b'-', b'O', b'-', b'O'] => self.castle::<SIDE>(1, check),
            [file, rank, b'=', letter] => self.promote::<SIDE>(file, [file, rank], letter, check),
            [origin, b'x', file, rank, b'=', letter] if origin != file => {
                self.promote::<SIDE>(origin, [file, rank], letter, check)
            }
            [origin, b'x', file, rank] => self.take_in_passing::<SIDE>(origin, [file, rank], ep, check),
            _ => None,
        }
    }

    /// Castles; `wing` is 0 for the king's, 1 for the queen's.
    fn castle<const SIDE: usize>(&mut self, wing: usize, check: bool) -> Option<Made> {
        let (us, them) = (SIDE >> 3, SIDE >> 3 ^ 1);
        let right = 2 * us + wing;
        if self.in_check || !self.may_castle(right) {
            return None;
        }
        let (king, rook) = (HOMES[us], CORNERS[right & 3]);
        let (king_to, rook_to) = if wing == 0 { (king + 2, king + 1) } else { (king - 2, king - 1) };
        if between(king, rook) & self.occupied != 0 {
            return None;
        }
        let without = self.occupied ^ bit(king);
        if [rook_to, king_to].iter().any(|&square| self.attackers(SIDE ^ 8, square, without) != 0) {
            return None;
        }
        self.make::<SIDE>(king, king_to, KING, 0);
        self.make::<SIDE>(rook, rook_to, ROOK, 0);
        let reaches = self.reach[us][ROOK] & bit(rook_to) != 0;
        // On the back rank and on the file of the king, no other man can see the king of the other side now.
        if check != (reaches && between(rook_to, self.kings[them]) & self.occupied == 0) {
            return None;
        }
        self.follow_kings::<SIDE>(rook_to, ROOK, check);
        self.follow_kings::<SIDE>(king_to, KING, check);
        let kind = if wing == 0 { MoveKind::CastleKingside } else { MoveKind::CastleQueenside };
        let mv = Move { from: king, to: rook, promotion: None, kind };
        Some(Made { mv, role: Some(Role::King), captured: None, check, mate: false })
    }

    /// Promotes the pawn that comes from the file `origin`.
    fn promote<const SIDE: usize>(&mut self, origin: u8, target: [u8; 2], letter: u8, check: bool) -> Option<Made> {
        let us = SIDE >> 3;
        let (from, to) = self.pawn_move::<SIDE>(origin, target)?;
        let promotion = Role::from_letter(letter).filter(|role| !matches!(role, Role::Pawn | Role::King))?;
        let role = promotion as usize + 1;
        let taken = self.mailbox[usize::from(to & 63)];
        let expected = if origin == target[0] { 0 } else { TAKES as u8 };
        if to >> 3 != [7, 0][us] || (taken ^ expected) & LOOKED_AT[us] != 0 || !self.is_safe::<SIDE>(from, to, PAWN) {
            return None;
        }
        if self.gives_check::<SIDE>(from, to, role) != check {
            return None;
        }
        self.follow_kings::<SIDE>(to, role, check);
        self.make::<SIDE>(from, to, PAWN, taken);
        let goal = usize::from(to & 63);
        self.men[SIDE | PAWN] ^= bit(to);
        self.men[SIDE | role] ^= bit(to);
        self.mailbox[goal] = role as u8 | CODES[us];
        self.hash ^= MEN[SIDE | PAWN][goal] ^ MEN[SIDE | role][goal];
        let mv = Move { from, to, promotion: Some(promotion), kind: MoveKind::Plain };
        Some(Made { mv, role: Some(Role::Pawn), captured: role_of(taken), check, mate: false })
    }

    /// Captures en passant.
    fn take_in_passing<const SIDE: usize>(&mut self, origin: u8, target: [u8; 2], ep: u8, check: bool) -> Option<Made> {
        let (us, them) = (SIDE >> 3, SIDE >> 3 ^ 1);
        let (from, to) = self.pawn_move::<SIDE>(origin, target)?;
        if to != ep || from & 7 == to & 7 {
            return None;
        }
        self.make::<SIDE>(from, to, PAWN, 0);
        // The pawn that is taken stands beside.
        let beside = to ^ 8;
        self.men[SIDE ^ 8 | PAWN] ^= bit(beside);
        self.mailbox[usize::from(beside & 63)] = 0;
        self.occupied ^= bit(beside);
        self.hash ^= MEN[SIDE ^ 8 | PAWN][usize::from(beside & 63)];
        let is_safe = self.attackers(SIDE ^ 8, self.kings[us], self.occupied) == 0;
        if !is_safe || check != (self.attackers(SIDE, self.kings[them], self.occupied) != 0) {
            return None;
        }
        self.follow_kings::<SIDE>(to, PAWN, check);
        let mv = Move { from, to, promotion: None, kind: MoveKind::EnPassant };
        Some(Made { mv, role: Some(Role::Pawn), captured: Some(Role::Pawn), check, mate: false })
    }

    /// From where to where an own pawn goes one rank on, from the file `origin` to the same or the next one.
    fn pawn_move<const SIDE: usize>(&self, origin: u8, [file, rank]: [u8; 2]) -> Option<(u8, u8)> {
        let (origin, file, rank) = (origin.wrapping_sub(b'a'), file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
        let before = if SIDE == 0 { rank.wrapping_sub(1) } else { rank.wrapping_add(1) };
        if origin > 7 || file > 7 || rank > 7 || before > 7 || origin.abs_diff(file) > 1 {
            return None;
        }
        let (from, to) = (8 * before + origin, 8 * rank + file);
        (self.men[SIDE | PAWN] & bit(from) != 0).then_some((from, to))
    }
}
