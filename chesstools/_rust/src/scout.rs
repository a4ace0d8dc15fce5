//! Watches every game for draws at little cost, so that only those games are gone over again in which there may be some.

use crate::board::Board;
use crate::record::Ply;
use crate::types::{Bb, Color};
use crate::zobrist::WHITE_TO_MOVE;

/// Whose men stand where, and who is to move.
#[derive(Clone, Copy, Debug)]
pub struct Sides {
    pub turn: Color,
    pub by_color: [Bb; 2],
}

/// From a capture or pawn move (or the start) to the next.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    /// The index of its first position.
    pub first: u32,
    /// Whether the halfmove clock ran high.
    pub long: bool,
}

/// Watches every game at little cost, and tells whether `DrawWatch` has to look at it.
///
/// It sees each repeated position by a 64-bit key of the men (rights and turn apart), so two different positions can look the
/// same to it, but never the other way round: `DrawWatch` decides.
pub struct Scout {
    /// Key of the first position of the game.
    first_key: u64,
    /// For the low bits of a key: the last place (counted over all games) with such a key, so that nothing needs clearing.
    last_place: Box<[u32; SLOTS]>,
    /// Place of the game's first position, above 0.
    pub first_place: u32,
    /// Index of the last capture or pawn move on a board that was added.
    segment: u32,
    /// Positions that stood twice in the segment: with a written move they could come a third time.
    twice: Vec<Sides>,
    /// The segment of `twice`.
    twice_since: u32,
    /// Some position may have stood twice.
    pub repeated: bool,
    /// Something may have happened that a finding or a column speaks of.
    pub interesting: bool,
    /// The stretches in which positions stood twice or more or the clock ran high.
    pub stretches: Vec<Stretch>,
    /// Keys of positions that stood twice or more, outside of stretches where the clock ran high; in no order, not each once.
    repeated_keys: Vec<u64>,
    /// The low six bits of these keys, each as a place in this.
    repeated_bits: u64,
}

const SLOTS: usize = 2048;

impl Default for Scout {
    fn default() -> Scout {
        Scout {
            first_key: 0,
            last_place: vec![0; SLOTS].into_boxed_slice().try_into().expect("the length is SLOTS"),
            first_place: 1,
            segment: 0,
            twice: Vec::new(),
            twice_since: 0,
            repeated: false,
            interesting: false,
            stretches: Vec::new(),
            repeated_keys: Vec::new(),
            repeated_bits: 0,
        }
    }
}

/// Key of the men, without rights and whoever moves.
#[inline]
pub fn diagram_key(board: &Board) -> u64 {
    let key = if board.castling == 0 { board.hash } else { board.hash ^ board.rights_key() };
    match board.turn {
        Color::White => key ^ WHITE_TO_MOVE,
        Color::Black => key,
    }
}

impl Scout {
    /// Starts a game; `key` is that of its first position. The one before had `positions`.
    pub fn begin(&mut self, key: u64, positions: usize) {
        let next = self.first_place as usize + positions;
        if next > u32::MAX as usize / 2 {
            self.last_place.fill(0);
            self.first_place = 1;
        } else {
            self.first_place = next as u32;
        }
        self.first_key = key;
        self.twice.clear();
        self.twice_since = 0;
        self.segment = 0;
        self.repeated = false;
        self.interesting = false;
        self.stretches.clear();
        self.repeated_keys.clear();
    }

    /// Takes in the next position of a board, the last one of `plies`.
    #[inline]
    pub fn add_board(&mut self, plies: &[Ply], board: &Board, fifty_from: u32) {
        let index = plies.len() as u32;
        if board.halfmove == 0 {
            self.segment = index;
        }
        let (segment, key, long) = (self.segment, diagram_key(board), board.halfmove >= fifty_from);
        let seen = self.may_repeat(key, self.first_place + index, self.first_place + segment);
        if seen | long | self.expects_more() {
            self.look(plies, segment, Sides { turn: board.turn, by_color: board.by_color }, key, long);
        }
    }

    /// Takes in the next position, by its place and the key of its men. False only if none like it
    /// stands at the place `since` or behind it.
    #[inline(always)]
    pub fn may_repeat(&mut self, key: u64, place: u32, since: u32) -> bool {
        let slot = &mut self.last_place[key as usize & (SLOTS - 1)];
        let seen = *slot >= since;
        *slot = place;
        seen
    }

    /// Whether some position stood twice since the last capture or pawn move that was told of, so that `look` is wanted for
    /// each one until the next.
    pub fn expects_more(&self) -> bool {
        !self.twice.is_empty()
    }

    /// The index of the last capture or pawn move that was told of.
    pub fn expects_since(&self) -> u32 {
        self.twice_since
    }

    /// Tells of the last capture or pawn move, by its index.
    pub fn expect_from(&mut self, segment: u32) {
        if self.twice_since != segment {
            self.twice.clear();
            self.twice_since = segment;
        }
    }

    /// Something may have come back, or could, at the last one of `plies`: `now`, with its key. `segment` is the index of the
    /// last capture or pawn move, as no earlier position can come back; `long` says that the halfmove clock runs high.
    #[cold]
    #[inline(never)]
    pub fn look(&mut self, plies: &[Ply], segment: u32, now: Sides, key: u64, long: bool) {
        self.expect_from(segment);
        if long {
            self.interesting = true;
            self.note_stretch(segment).long = true;
            return;
        }
        // Of ply n the position stands at n - 1. The same side moves behind every second one.
        let stretch = &plies[(segment as usize).saturating_sub(1)..];
        let mut before = stretch.iter().rev().step_by(2).skip(1).filter(|ply| ply.key == key).count();
        if segment == 0 && plies.len() >= 2 && plies.len() % 2 == 0 && self.first_key == key {
            before += 1;
        }
        if before >= 1 {
            self.repeated = true;
            self.repeated_keys.push(key);
            self.note_stretch(segment);
        }
        if before == 1 {
            self.twice.push(now);
        }
        let side = now.turn as usize;
        self.interesting |= before >= 2
            || self.twice.iter().any(|target| {
                target.turn != now.turn
                    && target.by_color[1 - side] == now.by_color[1 - side]
                    && (target.by_color[side] ^ now.by_color[side]).count_ones() == 2
            });
    }

    fn note_stretch(&mut self, segment: u32) -> &mut Stretch {
        if self.stretches.last().is_none_or(|last| last.first != segment) {
            self.stretches.push(Stretch { first: segment, long: false });
        }
        let last = self.stretches.len() - 1;
        &mut self.stretches[last]
    }

    /// Makes `stands_once` ready to be asked, when the game is over.
    pub fn sort(&mut self) {
        self.repeated_keys.sort_unstable();
        self.repeated_keys.dedup();
        self.repeated_bits = self.repeated_keys.iter().fold(0, |bits, key| bits | 1 << (key & 63));
    }

    /// Whether the diagram at an index in a stretch is known to stand only once in it. (It may be one that only looks like another
    /// to this watch.)
    #[inline]
    pub fn stands_once(&self, stretch: Stretch, plies: &[Ply], index: u32) -> bool {
        let key = (index as usize).checked_sub(1).map_or(self.first_key, |at| plies[at].key);
        !stretch.long && (self.repeated_bits >> (key & 63) & 1 == 0 || self.repeated_keys.binary_search(&key).is_err())
    }
}
