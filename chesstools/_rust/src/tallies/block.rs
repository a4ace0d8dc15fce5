//! The plies of some whole games as columns of numbers: a `Block` of `chesstools/stats/blocks.py`.

use std::ops::Range;

/// The number of no role and no wing.
pub const NONE: u8 = 255;

pub const QUEEN: u8 = 4;
pub const KING: u8 = 5;

/// Values by ply; a truth value is 0 where it is false.
pub struct Columns {
    /// The square of departure in the last six bits, the target in the six before, before these the role that is made, or 0; a
    /// null move is 0.
    pub moves: Vec<u16>,
    pub roles: Vec<u8>,
    pub captured: Vec<u8>,
    pub castling: Vec<u8>,
    pub checks: Vec<u8>,
    pub mates: Vec<u8>,
    pub en_passant: Vec<u8>,
}

/// Columns whose numbers mean something, and the games that they are made of.
pub struct Block {
    columns: Columns,
    games: Vec<(Range<usize>, bool)>,
}

impl Block {
    /// `lengths` are the numbers of plies of the games, which stand one after the other; `black` says which Black begins.
    ///
    /// None where columns and games are not of one length, for a number that stands for nothing, and for a capture by nobody.
    pub fn new(columns: Columns, lengths: &[i64], black: &[u8]) -> Option<Block> {
        let rows = columns.moves.len();
        let bytes = [&columns.roles, &columns.captured, &columns.castling, &columns.checks, &columns.mates, &columns.en_passant];
        if black.len() != lengths.len() || bytes.iter().any(|column| column.len() != rows) {
            return None;
        }
        let at_most = |column: &[u8], last: u8| column.iter().all(|&number| (number <= last) | (number == NONE));
        if !at_most(&columns.roles, KING) || !at_most(&columns.captured, KING) || !at_most(&columns.castling, 1) {
            return None;
        }
        let mut takers = columns.roles.iter().zip(&columns.captured);
        if columns.moves.iter().any(|code| code >> 12 > u16::from(QUEEN))
            || takers.any(|(&by, &man)| (by == NONE) & (man != NONE))
        {
            return None;
        }
        let (mut games, mut end) = (Vec::with_capacity(lengths.len()), 0usize);
        for (&length, &black) in lengths.iter().zip(black) {
            let first = end;
            end = end.checked_add(usize::try_from(length).ok()?)?;
            games.push((first..end, black != 0));
        }
        (end == rows).then_some(Block { columns, games })
    }

    /// How many games there are.
    pub fn size(&self) -> usize {
        self.games.len()
    }

    /// The games in their order.
    pub fn games(&self) -> impl Iterator<Item = Game<'_>> {
        self.games.iter().map(|(rows, black)| Game { columns: &self.columns, rows: rows.clone(), black: *black })
    }
}

/// One of the games of a block.
pub struct Game<'a> {
    columns: &'a Columns,
    rows: Range<usize>,
    black: bool,
}

impl<'a> Game<'a> {
    /// How many plies it has.
    pub fn length(&self) -> usize {
        self.rows.len()
    }

    /// Its plies in their order.
    pub fn plies(&self) -> impl Iterator<Item = Ply> + use<'a> {
        let columns = self.columns;
        let own = |column: &'a [u8]| column[self.rows.clone()].iter().copied();
        let roles = own(&columns.roles).zip(own(&columns.captured)).zip(own(&columns.castling));
        let facts = own(&columns.checks).zip(own(&columns.mates)).zip(own(&columns.en_passant));
        let rows = columns.moves[self.rows.clone()].iter().copied().zip(roles).zip(facts);
        let first = usize::from(self.black);
        rows.enumerate().map(move |(before, ((code, ((role, captured), castling)), ((check, mate), passing)))| Ply {
            number: before + 1,
            side: (before + first) & 1,
            code,
            role,
            captured,
            castling,
            check: check != 0,
            mate: mate != 0,
            en_passant: passing != 0,
        })
    }
}

/// One ply.
#[derive(Clone, Copy, Debug)]
pub struct Ply {
    /// From 1.
    pub number: usize,
    /// 0 where White moves, 1 for Black.
    pub side: usize,
    pub code: u16,
    pub role: u8,
    pub captured: u8,
    pub castling: u8,
    pub check: bool,
    pub mate: bool,
    pub en_passant: bool,
}

impl Ply {
    /// The square that it goes to, of castling the king's; of a null move a1.
    pub fn target(&self) -> usize {
        usize::from(self.code >> 6 & 63)
    }

    /// The role that is made of a pawn, 0 for none.
    pub fn promoted(&self) -> u8 {
        (self.code >> 12) as u8
    }

    /// Whether it changes which men there are.
    pub fn changes_men(&self) -> bool {
        self.captured != NONE || self.promoted() != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(moves: &[u16], role: u8, captured: u8, castling: u8) -> Columns {
        let all = |number| vec![number; moves.len()];
        Columns {
            moves: moves.to_vec(),
            roles: all(role),
            captured: all(captured),
            castling: all(castling),
            checks: all(0),
            mates: all(0),
            en_passant: all(0),
        }
    }

    #[test]
    fn sides_take_turns_from_the_one_that_begins() {
        let block = Block::new(columns(&[1, 2, 3, 4, 5], 0, NONE, NONE), &[2, 3], &[0, 1]).unwrap();
        let found: Vec<Vec<_>> =
            block.games().map(|game| game.plies().map(|ply| (ply.number, ply.side, ply.code)).collect()).collect();
        assert_eq!(found, [vec![(1, 0, 1), (2, 1, 2)], vec![(1, 1, 3), (2, 0, 4), (3, 1, 5)]]);
    }

    #[test]
    fn games_that_are_not_the_rows_are_refused() {
        for lengths in [&[1i64][..], &[3], &[2, 1], &[-1, 3], &[i64::MAX, i64::MAX]] {
            let black = vec![0; lengths.len()];
            assert!(Block::new(columns(&[1, 2], 0, NONE, NONE), lengths, &black).is_none());
        }
        assert!(Block::new(columns(&[1, 2], 0, NONE, NONE), &[2], &[]).is_none());
        assert!(Block::new(columns(&[], 0, NONE, NONE), &[], &[]).is_some());
    }

    #[test]
    fn numbers_without_meaning_are_refused() {
        assert!(Block::new(columns(&[4 << 12 | 1], KING, KING, 1), &[1], &[0]).is_some());
        assert!(Block::new(columns(&[5 << 12 | 1], 0, NONE, NONE), &[1], &[0]).is_none());
        assert!(Block::new(columns(&[1], 6, NONE, NONE), &[1], &[0]).is_none());
        assert!(Block::new(columns(&[1], 0, 6, NONE), &[1], &[0]).is_none());
        assert!(Block::new(columns(&[1], 0, NONE, 2), &[1], &[0]).is_none());
        assert!(Block::new(columns(&[1], NONE, 0, NONE), &[1], &[0]).is_none());
        let mut short = columns(&[1], 0, NONE, NONE);
        short.mates.clear();
        assert!(Block::new(short, &[1], &[0]).is_none());
    }
}
