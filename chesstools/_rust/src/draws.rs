//! Draws by repetition and by the 50- and 75-move rules: when they could be claimed, and when the game was over.
//! The counterpart of `chesstools/reference/draws.py`, which says what each term means.
//!
//! Two watches. `scout.rs` runs on every game: it compares 64-bit keys and only tells whether anything of interest may have
//! happened. `DrawWatch` then goes over such a game again and decides, comparing positions whole, never by a hash.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::attacks::bit;
use crate::board::Board;
use crate::extensions::extension_for;
use crate::profile::{CastlingKey, EpKey, Profile};
use crate::san::{standard_body, uci_target};
use crate::scout::diagram_key;
use crate::types::{Bb, Color, Move, MoveList, NO_SQUARE};

/// Occurrences that the columns first_threefold_ply and first_fivefold_ply speak of, under any profile.
pub const THREEFOLD: u32 = 3;
const FIVEFOLD: u32 = 5;

/// Plies that the columns first_fifty_ply and first_seventyfive_ply speak of, under any profile.
pub const FIFTY: u32 = 100;
const SEVENTYFIVE: u32 = 150;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Repetition,
    Fifty,
}

/// Consecutive indices of one side at which it could claim.
#[derive(Clone, Debug)]
pub struct Run {
    pub kind: Kind,
    pub side: Color,
    pub first: u32,
    pub last: u32,
    pub windows: u32,
    /// The position has appeared, or the count is full.
    pub form_b: bool,
    /// A move of the claimant will bring it about.
    pub form_a: bool,
    pub claim_moves: Vec<String>,
    pub occurrences: Vec<i32>,
    pub clock: u32,
    /// Occurrences, or moves by each side, that gave the right.
    pub limit: u32,
    /// The ending for which more than 50 moves are allowed, if it is one.
    pub extension: Option<String>,
}

/// A diagram that stood often enough for a claim, but with other rights.
#[derive(Clone, Debug)]
pub struct Visual {
    pub index: u32,
    pub occurrences: Vec<i32>,
    pub reason: &'static str,
}

/// What stands where, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Diagram {
    by_role: [Bb; 6],
    by_color: [Bb; 2],
    turn: Color,
}

/// All that makes two positions the same (FIDE 9.2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    diagram: Diagram,
    castling: Bb,
    en_passant: u8,
}

impl Key {
    fn of(board: &Board, profile: &Profile) -> Key {
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
    let mut board = board.clone();
    let mut moves = MoveList::new();
    for side in [Color::White, Color::Black] {
        board.turn = side;
        board.castling_moves(&mut moves);
    }
    moves.iter().fold(0, |found, mv| found | bit(mv.to))
}

/// A position and the indices at which it has stood.
struct Entry {
    key: Key,
    indices: Vec<i32>,
}

/// A key that is a hash already.
#[derive(Default)]
pub struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

/// Follows the mainline exactly. Call `add` once for every position, the start position first.
#[derive(Default)]
pub struct DrawWatch {
    pub runs: Vec<Run>,
    pub visual: Vec<Visual>,
    pub first_threefold: Option<u32>,
    pub first_fivefold: Option<u32>,
    pub first_fifty: Option<u32>,
    pub first_seventyfive: Option<u32>,
    /// Index at which the profile ends the game without a claim, the position having stood often enough.
    pub drawn_by_repetition: Option<u32>,
    /// Where that position stood.
    pub drawn_occurrences: Vec<i32>,
    /// The same for moves without capture or pawn move.
    pub drawn_by_moves: Option<u32>,
    /// Whether the game has ended by now, by an automatic draw or (set from outside) in a dead position.
    pub over: bool,
    /// How often the position added last has now stood.
    pub repetition: u32,
    /// Positions that cannot be ruled out to come back, by the hash of their diagram: indices in `entries`.
    seen: HashMap<u64, Vec<u32>, BuildHasherDefault<AsItIs>>,
    entries: Vec<Entry>,
    /// Entries that a claim with a written move could build on, in the order in which they came to be so.
    repeated: Vec<u32>,
    reported: Vec<Diagram>,
    /// The last run of each kind and side, as an index in `runs`.
    open: [Option<usize>; 4],
}

impl DrawWatch {
    /// Takes in the position with that index. `once` says that its diagram is known to stand only once since the last capture or
    /// pawn move, and until the next.
    pub fn add(&mut self, board: &Board, index: u32, once: bool, profile: &Profile) {
        if board.halfmove == 0 {
            // No earlier position can come back after a capture or a pawn move.
            self.seen.clear();
            self.entries.clear();
            self.repeated.clear();
        }
        self.repetition = 1;
        if !once {
            self.add_repeated(board, index, profile);
        } else if !self.repeated.is_empty() {
            self.watch_repetition(board, index, &Key::of(board, profile), &[], profile);
        }
        if board.halfmove >= profile.fifty_from() {
            self.watch_fifty(board, index, profile);
        }
    }

    /// A position that may stand more than once.
    fn add_repeated(&mut self, board: &Board, index: u32, profile: &Profile) {
        let key = Key::of(board, profile);
        let hash = diagram_key(board);
        let same_look = self.seen.entry(hash).or_default();
        let known = same_look.iter().copied().find(|at| self.entries[*at as usize].key == key);
        let at = known.unwrap_or_else(|| {
            let at = self.entries.len() as u32;
            same_look.push(at);
            self.entries.push(Entry { key, indices: Vec::new() });
            at
        });
        let entry = &mut self.entries[at as usize];
        entry.indices.push(index as i32);
        let count = entry.indices.len() as u32;
        self.repetition = count;
        if count == THREEFOLD {
            self.first_threefold.get_or_insert(index);
        }
        if count == FIVEFOLD {
            self.first_fivefold.get_or_insert(index);
        }
        if draws_by_repetition(&entry.indices, profile) {
            if self.drawn_by_repetition.is_none() {
                self.drawn_by_repetition = Some(index);
                self.drawn_occurrences.clone_from(&entry.indices);
            }
            self.over = true;
        }
        if let Some(claim) = profile.threefold_claim {
            if count + 1 == claim {
                self.repeated.push(at);
            }
            // Lent, as copying them each time would take quadratic time. No claim looks at this entry: its side is not the one.
            let indices = std::mem::take(&mut self.entries[at as usize].indices);
            self.watch_repetition(board, index, &key, &indices, profile);
            self.entries[at as usize].indices = indices;
            self.watch_diagram(index, hash, &key, count, claim);
        }
    }

    /// The run that this index belongs to: the one it continues, or a new one.
    fn window(&mut self, kind: Kind, board: &Board, index: u32, limit: u32, extension: Option<&str>) -> &mut Run {
        let side = board.turn;
        let slot = 2 * usize::from(kind == Kind::Fifty) + side as usize;
        let at = match self.open[slot] {
            Some(at) if self.runs[at].last + 2 == index && self.runs[at].extension.as_deref() == extension => at,
            _ => {
                self.runs.push(Run {
                    kind,
                    side,
                    first: index,
                    last: index,
                    windows: 0,
                    form_b: false,
                    form_a: false,
                    claim_moves: Vec::new(),
                    occurrences: Vec::new(),
                    clock: 0,
                    limit,
                    extension: extension.map(str::to_owned),
                });
                self.runs.len() - 1
            }
        };
        self.open[slot] = Some(at);
        let run = &mut self.runs[at];
        run.last = index;
        run.windows += 1;
        run.clock = board.halfmove;
        run
    }

    /// `indices` tells where the position has stood so far, this time included; nothing where it stands once.
    fn watch_repetition(&mut self, board: &Board, index: u32, key: &Key, indices: &[i32], profile: &Profile) {
        let Some(claim) = profile.threefold_claim.filter(|_| !self.over) else { return };
        let appeared = indices.len() as u32 >= claim;
        let announced = if profile.threefold_announced { self.moves_to_repetition(board, key, profile) } else { Vec::new() };
        if !appeared && announced.is_empty() {
            return;
        }
        let run = self.window(Kind::Repetition, board, index, claim, None);
        if appeared {
            run.form_b = true;
            run.occurrences = indices.to_vec();
        }
        for (text, before) in announced {
            run.form_a = true;
            if !run.claim_moves.contains(&text) {
                run.claim_moves.push(text);
            }
            if run.occurrences.is_empty() {
                run.occurrences = before;
                run.occurrences.push(index as i32 + 1);
            }
        }
    }

    /// Legal moves that bring about a position often enough, with the indices where it stood before.
    fn moves_to_repetition(&self, board: &Board, key: &Key, profile: &Profile) -> Vec<(String, Vec<i32>)> {
        let mut found = Vec::new();
        for target in &self.repeated {
            let Entry { key: target, indices } = &self.entries[*target as usize];
            let Some(mv) = single_step(key, target) else { continue };
            if board.is_zeroing(mv) || !board.is_legal(mv) {
                continue;
            }
            let mut after = board.clone();
            after.play(mv);
            if Key::of(&after, profile) == *target {
                found.push((standard_body(board, mv), indices.clone()));
            }
        }
        found
    }

    fn watch_diagram(&mut self, index: u32, hash: u64, key: &Key, count: u32, claim: u32) {
        let look = key.diagram;
        let same: Vec<&Entry> =
            self.seen[&hash].iter().map(|at| &self.entries[*at as usize]).filter(|entry| entry.key.diagram == look).collect();
        if count >= claim || same.len() < 2 || self.reported.contains(&look) {
            return;
        }
        let mut occurrences: Vec<i32> = same.iter().flat_map(|entry| &entry.indices).copied().collect();
        if (occurrences.len() as u32) < claim {
            return;
        }
        occurrences.sort_unstable();
        let castling = same.iter().any(|entry| entry.key.castling != same[0].key.castling);
        let en_passant = same.iter().any(|entry| entry.key.en_passant != same[0].key.en_passant);
        let reason = match (castling, en_passant) {
            (true, true) => "both",
            (true, false) => "castling",
            _ => "en-passant",
        };
        self.reported.push(look);
        self.visual.push(Visual { index, occurrences, reason });
    }

    fn watch_fifty(&mut self, board: &Board, index: u32, profile: &Profile) {
        let mut moves = MoveList::new();
        board.legal_moves(!0, !0, &mut moves);
        if moves.is_empty() {
            return; // mate and stalemate end the game before any claim
        }
        let clock = board.halfmove;
        if clock >= FIFTY {
            self.first_fifty.get_or_insert(index);
        }
        if clock >= SEVENTYFIVE {
            self.first_seventyfive.get_or_insert(index);
        }
        if profile.automatic_moves().is_some_and(|automatic| clock >= automatic) {
            self.drawn_by_moves.get_or_insert(index);
            self.over = true;
        }
        let Some(claim) = profile.fifty_claim.filter(|_| !self.over) else { return };
        if board.occupied().count_ones() < profile.fifty_min_men.unwrap_or(0) {
            return;
        }
        let extension = extension_for(board, &profile.fifty_extensions);
        let limit = extension.map_or(claim, |extension| 2 * extension.moves);
        let complete = clock >= limit;
        let announced = match profile.fifty_announced {
            Some(from) if clock + claim >= limit + from => first_quiet(board, &moves),
            _ => None,
        };
        if !complete && announced.is_none() {
            return;
        }
        let text = announced.map(|mv| standard_body(board, mv));
        let extension = extension.map(|extension| extension.material.as_str());
        let run = self.window(Kind::Fifty, board, index, limit / 2, extension);
        run.form_b |= complete;
        if let Some(text) = text {
            run.form_a = true;
            if run.claim_moves.is_empty() && !complete {
                run.claim_moves.push(text);
            }
        }
    }
}

/// Whether a position that has stood at `indices` ends the game without a claim.
fn draws_by_repetition(indices: &[i32], profile: &Profile) -> bool {
    let Some(limit) = profile.automatic_repetition() else { return false };
    let Some(first) = indices.len().checked_sub(limit as usize) else { return false };
    // A position can come back after four plies at the earliest: then each side goes to and fro.
    let consecutive = || indices[indices.len() - 1] - indices[first] == 4 * (limit as i32 - 1);
    profile.threefold_automatic || !profile.fivefold_consecutive || consecutive()
}

/// The first move, by its squares, that is neither capture nor pawn move.
fn first_quiet(board: &Board, moves: &MoveList) -> Option<Move> {
    let quiet = moves.iter().filter(|mv| !board.is_zeroing(**mv));
    quiet.min_by_key(|mv| (mv.from, uci_target(board, **mv))).copied()
}

/// The move that leads from one position to another if they differ by one man of the side to move (castling apart).
fn single_step(key: &Key, target: &Key) -> Option<Move> {
    let side = key.diagram.turn as usize;
    if target.diagram.turn == key.diagram.turn || target.diagram.by_color[1 - side] != key.diagram.by_color[1 - side] {
        return None;
    }
    let (now, then) = (key.diagram.by_color[side], target.diagram.by_color[side]);
    let changed = now ^ then;
    if changed.count_ones() != 2 {
        return None;
    }
    let (source, goal) = (changed & now, changed & then);
    if source == 0 || goal == 0 {
        return None;
    }
    Some(Move::plain(source.trailing_zeros() as u8, goal.trailing_zeros() as u8))
}
