//! Which positions have stood since the last capture or pawn move, and where.
//!
//! One table and one list of indices are used again from game to game: to go over a game takes no memory of its own.

use crate::attacks::bit;
use crate::board::Board;
use crate::profile::{CastlingKey, EpKey, Profile};
use crate::scout::diagram_key;
use crate::types::{Bb, Color, MoveList, NO_SQUARE};

/// What stands where, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagram {
    pub by_role: [Bb; 6],
    pub by_color: [Bb; 2],
    pub turn: Color,
}

/// All that makes two positions the same (FIDE 9.2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    pub diagram: Diagram,
    pub castling: Bb,
    pub en_passant: u8,
}

impl Key {
    pub fn of(board: &Board, profile: &Profile) -> Key {
        Key {
            diagram: Diagram { by_role: board.by_role, by_color: board.by_color, turn: board.turn },
            castling: match profile.castling_key {
                CastlingKey::Rights => board.castling,
                CastlingKey::AvailableNow => castling_now(board),
            },
            en_passant: match profile.ep_key {
                EpKey::Legal => board.legal_ep().unwrap_or(NO_SQUARE),
                EpKey::Pseudo if board.ep_capturers() == 0 => NO_SQUARE,
                EpKey::Pseudo | EpKey::Fen => board.ep,
            },
        }
    }
}

/// The rooks with which each side could castle now, if it were to move.
fn castling_now(board: &Board) -> Bb {
    if board.castling == 0 {
        return 0;
    }
    let mut board = board.clone();
    let mut moves = MoveList::new();
    for side in [Color::White, Color::Black] {
        board.turn = side;
        board.castling_moves(&mut moves);
    }
    moves.iter().fold(0, |found, mv| found | bit(mv.to))
}

/// How often a position has stood up to some index, and where to find these indices (`Positions::indices`).
#[derive(Clone, Copy, Debug)]
pub struct Stood {
    pub times: u32,
    /// The first of them, as a place in `Positions::links`.
    first: u32,
}

/// An index at which a position stood, and the places of the ones before and behind.
#[derive(Clone, Copy, Debug)]
struct Link {
    index: u32,
    before: u32,
    behind: u32,
}

/// A position that has stood since the last capture or pawn move.
#[derive(Clone, Debug)]
pub struct Entry {
    pub key: Key,
    pub stood: Stood,
    /// A finding speaks of its diagram.
    pub reported: bool,
    /// The last index at which it stood, as a place in `Positions::links`.
    last: u32,
    hash: u64,
    /// The entry before with the same slot.
    next: u32,
}

/// No entry, no link.
const NONE: u32 = u32::MAX;

/// The fewest slots.
const SLOTS: usize = 32;

/// The positions since the last capture or pawn move.
#[derive(Debug, Default)]
pub struct Positions {
    pub entries: Vec<Entry>,
    /// The last entry for each value of the low bits of a hash; as many as entries at least.
    slots: Vec<u32>,
    /// Of the whole game, as what was found earlier still leads here.
    links: Vec<Link>,
}

impl Positions {
    /// Forgets the game before.
    pub fn clear(&mut self) {
        self.clear_entries();
        self.links.clear();
    }

    /// No earlier position can come back.
    pub fn clear_entries(&mut self) {
        for entry in self.entries.drain(..) {
            let slot = entry.hash as usize & (self.slots.len() - 1);
            self.slots[slot] = NONE;
        }
    }

    /// Takes in the position with that index; gives its place in `entries`.
    pub fn add(&mut self, board: &Board, index: u32, profile: &Profile) -> usize {
        let (key, hash) = (Key::of(board, profile), diagram_key(board));
        let known = self.with_hash(hash).find(|at| self.entries[*at].key == key);
        let at = known.unwrap_or_else(|| self.add_entry(key, hash));
        let place = self.links.len() as u32;
        let Entry { stood, last, .. } = &mut self.entries[at];
        self.links.push(Link { index, before: *last, behind: NONE });
        match self.links.get_mut(*last as usize) {
            Some(link) => link.behind = place,
            None => stood.first = place,
        }
        stood.times += 1;
        *last = place;
        at
    }

    fn add_entry(&mut self, key: Key, hash: u64) -> usize {
        if self.entries.len() == self.slots.len() {
            self.grow();
        }
        let at = self.entries.len();
        let slot = hash as usize & (self.slots.len() - 1);
        let next = std::mem::replace(&mut self.slots[slot], at as u32);
        self.entries.push(Entry { key, stood: Stood { times: 0, first: NONE }, reported: false, last: NONE, hash, next });
        at
    }

    #[cold]
    fn grow(&mut self) {
        let count = (2 * self.slots.len()).max(SLOTS);
        self.slots.clear();
        self.slots.resize(count, NONE);
        for (at, entry) in (0..).zip(&mut self.entries) {
            let slot = entry.hash as usize & (count - 1);
            entry.next = std::mem::replace(&mut self.slots[slot], at);
        }
    }

    /// The entries with that hash, as places in `entries`.
    fn with_hash(&self, hash: u64) -> impl Iterator<Item = usize> + '_ {
        let first = self.slots.get(hash as usize & self.slots.len().wrapping_sub(1)).copied().unwrap_or(NONE);
        let follow = |at: u32| Some(at).filter(|at| *at != NONE);
        let all = std::iter::successors(follow(first), move |at| follow(self.entries[*at as usize].next));
        all.map(|at| at as usize).filter(move |at| self.entries[*at].hash == hash)
    }

    /// The position that has the key, and the hash of its diagram, if it has stood.
    pub fn find(&self, key: &Key, hash: u64) -> Option<&Entry> {
        self.with_hash(hash).map(|at| &self.entries[at]).find(|entry| entry.key == *key)
    }

    /// The entries with the diagram of the one in place `at`, that one among them.
    pub fn alike(&self, at: usize) -> impl Iterator<Item = &Entry> + '_ {
        let Entry { hash, key, .. } = &self.entries[at];
        self.with_hash(*hash).map(|at| &self.entries[at]).filter(move |entry| entry.key.diagram == key.diagram)
    }

    /// The indices at which a position stood, in order.
    pub fn indices(&self, stood: Stood) -> impl Iterator<Item = u32> + '_ {
        self.follow(stood.first, |link| link.behind).take(stood.times as usize)
    }

    /// The same for all times up to now, the last one first.
    pub fn latest(&self, at: usize) -> impl Iterator<Item = u32> + '_ {
        self.follow(self.entries[at].last, |link| link.before)
    }

    fn follow(&self, from: u32, next: fn(&Link) -> u32) -> impl Iterator<Item = u32> + '_ {
        let link = |at: u32| self.links.get(at as usize);
        std::iter::successors(link(from), move |one| link(next(one))).map(|link| link.index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Move;

    /// Knights go to and fro: four positions, each of which comes back every fourth ply.
    #[test]
    fn indices_of_each_position() {
        let profile = Profile::fide_2023();
        let mut positions = Positions::default();
        for game in 0..2 {
            let mut board = Board::start(false);
            for index in 0..20 {
                let at = positions.add(&board, index, &profile);
                assert_eq!(at, index as usize % 4, "game {game}");
                let stood = positions.entries[at].stood;
                assert_eq!(stood.times, index / 4 + 1);
                let mut expected: Vec<u32> = (0..stood.times).map(|round| index - 4 * round).collect();
                assert_eq!(positions.latest(at).collect::<Vec<_>>(), expected);
                expected.reverse();
                assert_eq!(positions.indices(stood).collect::<Vec<_>>(), expected);
                assert_eq!(positions.find(&Key::of(&board, &profile), diagram_key(&board)).unwrap().stood.times, stood.times);
                let (from, to) = [(6, 21), (62, 45), (21, 6), (45, 62)][index as usize % 4];
                board.play(Move::plain(from, to));
            }
            positions.clear();
        }
    }

    /// More positions than slots, and what was found before the last capture is still known.
    #[test]
    fn many_positions() {
        let profile = Profile::fide_2023();
        let mut positions = Positions::default();
        let (mut board, mut found) = (Board::empty(), Vec::new());
        for round in 0..2 {
            for index in 0..2000_u32 {
                // Kings and rooks anywhere.
                board.mailbox = [0; 64];
                for (man, square) in [(6, index % 8), (14, 8 + index / 8 % 8), (4, 16 + index / 64 % 8), (12, 24 + index / 512)] {
                    board.mailbox[square as usize] = man;
                }
                board.pass_over(std::iter::repeat_n(Move::NULL, 16));
                assert_eq!(positions.add(&board, 2000 * round + index, &profile), index as usize);
            }
            found.push(positions.entries[77].stood);
            assert_eq!(positions.alike(77).count(), 1);
            positions.clear_entries();
        }
        let found: Vec<Vec<u32>> = found.into_iter().map(|stood| positions.indices(stood).collect()).collect();
        assert_eq!(found, [[77], [2077]]);
    }
}
