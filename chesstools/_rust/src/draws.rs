//! Draws by repetition and by the 50- and 75-move rules: when they could be claimed, and when the game was over.
//! The counterpart of `chesstools/reference/draws.py`, which says what each term means.
//!
//! Two watches. `scout.rs` runs on every game: it compares 64-bit keys and only tells whether anything of interest may have
//! happened. `DrawWatch` then goes over such a game again and decides, comparing positions whole, never by a hash.

use crate::board::Board;
use crate::extensions::extension_for;
use crate::profile::Profile;
use crate::runs::{Kind, Occurrences, Run, Visual, MAX_OCCURRENCES};
use crate::san::{push_body, uci_target};
use crate::scout::diagram_key;
use crate::stood::{Diagram, Entry, Key, Positions, Stood};
use crate::types::{Move, MoveKind, MoveList};

/// Occurrences that the columns first_threefold_ply and first_fivefold_ply speak of, under any profile.
pub const THREEFOLD: u32 = 3;
const FIVEFOLD: u32 = 5;

/// Plies that the columns first_fifty_ply and first_seventyfive_ply speak of, under any profile.
pub const FIFTY: u32 = 100;
const SEVENTYFIVE: u32 = 150;

/// Positions are compared one by one with what a move leads to while there are no more than this.
const FEW: usize = 64;

/// Follows the mainline exactly, one game after the other. Call `add` for every position, the start position first; positions up
/// to the first one that does not stand only once may be left out where `clear_stretch` is called in their place.
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
    pub drawn_occurrences: Occurrences,
    /// The same for moves without capture or pawn move.
    pub drawn_by_moves: Option<u32>,
    /// Whether the game has ended by now, by an automatic draw or (set from outside) in a dead position.
    pub over: bool,
    /// How often the position added last has now stood.
    pub repetition: u32,
    /// Those that cannot be ruled out to come back.
    positions: Positions,
    /// Entries of `positions` that a claim with a written move could build on, in the order in which they came to be so.
    repeated: Vec<u32>,
    /// Moves that bring about a position often enough, and where it stood before.
    announced: Vec<(Move, Stood)>,
    /// The last run of each kind and side, as an index in `runs`.
    open: [Option<usize>; 4],
}

impl DrawWatch {
    /// Forgets the game before, but not its memory.
    pub fn clear(&mut self) {
        let DrawWatch { mut runs, mut visual, mut positions, mut repeated, announced, .. } = std::mem::take(self);
        runs.clear();
        visual.clear();
        positions.clear();
        repeated.clear();
        *self = DrawWatch { runs, visual, positions, repeated, announced, ..DrawWatch::default() };
    }

    /// After a capture or a pawn move no earlier position can come back.
    pub fn clear_stretch(&mut self) {
        self.positions.clear_entries();
        self.repeated.clear();
    }

    /// Takes in the position with that index. `once` says that its diagram is known to stand only once since the last capture or
    /// pawn move, and until the next.
    #[inline]
    pub fn add(&mut self, board: &Board, index: u32, once: bool, profile: &Profile) {
        if board.halfmove == 0 {
            self.clear_stretch();
        }
        self.repetition = 1;
        // Without a legal move mate or stalemate has ended the game before any claim.
        let counts = board.halfmove >= profile.fifty_from() && board.has_legal_move();
        if counts {
            self.count_moves(board.halfmove, index, profile);
        }
        if !once {
            self.add_repeated(board, index, profile);
        } else if !self.repeated.is_empty() {
            self.watch_repetition(board, index, None, profile);
        }
        if counts {
            self.watch_fifty(board, index, profile);
        }
    }

    /// A position that may stand more than once.
    fn add_repeated(&mut self, board: &Board, index: u32, profile: &Profile) {
        let at = self.positions.add(board, index, profile);
        let stood = self.positions.entries[at].stood;
        let count = stood.times;
        self.repetition = count;
        if count == THREEFOLD {
            self.first_threefold.get_or_insert(index);
        }
        if count == FIVEFOLD {
            self.first_fivefold.get_or_insert(index);
        }
        if self.draws(at, index, profile) {
            if self.drawn_by_repetition.is_none() {
                self.drawn_by_repetition = Some(index);
                self.drawn_occurrences = Occurrences::of(self.positions.indices(stood), count);
            }
            self.over = true;
        }
        if let Some(claim) = profile.threefold_claim {
            if count + 1 == claim {
                self.repeated.push(at as u32);
            }
            self.watch_repetition(board, index, Some(stood), profile);
            if count < claim {
                self.watch_diagram(at, index, claim);
            }
        }
    }

    /// Whether the position `at`, which stands at `index`, ends the game without a claim.
    fn draws(&self, at: usize, index: u32, profile: &Profile) -> bool {
        let times = self.positions.entries[at].stood.times;
        let Some(limit) = profile.automatic_repetition().filter(|limit| times >= *limit) else { return false };
        if profile.threefold_automatic || !profile.fivefold_consecutive {
            return true;
        }
        // A position can come back after four plies at the earliest: then each side goes to and fro.
        let first = self.positions.latest(at).nth(limit as usize - 1);
        first.is_some_and(|first| index - first == 4 * (limit - 1))
    }

    /// Indices at which the position of a run has stood, the one to come among them; empty for the 50-move rule.
    pub fn occurrences(&self, run: &Run) -> Occurrences {
        run.stood.map_or(Occurrences::default(), |(stood, announced)| {
            let indices = self.positions.indices(stood).chain(announced);
            Occurrences::of(indices, stood.times + u32::from(announced.is_some()))
        })
    }

    /// The run that this index belongs to, as a place in `runs`: the one it continues, or a new one.
    fn window(&mut self, kind: Kind, board: &Board, index: u32, limit: u32, extension: Option<&str>) -> usize {
        let side = board.turn;
        let slot = 2 * usize::from(kind == Kind::Fifty) + side as usize;
        let at = match self.open[slot] {
            Some(at) if self.runs[at].last + 2 == index && self.runs[at].extension.as_deref() == extension => at,
            _ => {
                self.runs.push(Run::new(kind, side, index, limit, extension));
                self.runs.len() - 1
            }
        };
        self.open[slot] = Some(at);
        let run = &mut self.runs[at];
        run.last = index;
        run.windows += 1;
        run.clock = board.halfmove;
        at
    }

    /// `stood` tells where the position has stood so far, this time included; None where it stands once.
    fn watch_repetition(&mut self, board: &Board, index: u32, stood: Option<Stood>, profile: &Profile) {
        let Some(claim) = profile.threefold_claim.filter(|_| !self.over) else { return };
        let appeared = stood.filter(|stood| stood.times >= claim);
        self.announced.clear();
        if profile.threefold_announced {
            self.announce(board, profile);
        }
        if appeared.is_none() && self.announced.is_empty() {
            return;
        }
        let at = self.window(Kind::Repetition, board, index, claim, None);
        let run = &mut self.runs[at];
        if let Some(stood) = appeared {
            run.complete = Some(index);
            run.stood = Some((stood, None));
        }
        for &(mv, before) in &self.announced {
            run.claim(board, mv);
            run.stood.get_or_insert((before, Some(index + 1)));
        }
    }

    /// Finds legal moves that bring about a position often enough, in the order in which these positions came to be repeated.
    fn announce(&mut self, board: &Board, profile: &Profile) {
        let claim = profile.threefold_claim.unwrap_or(THREEFOLD);
        if self.repeated.len() > FEW {
            return self.announce_among_many(board, claim, profile);
        }
        for target in &self.repeated {
            let entry = &self.positions.entries[*target as usize];
            let Some(mv) = single_step(board, &entry.key.diagram) else { continue };
            if board.is_zeroing(mv) || !board.is_legal(mv) {
                continue;
            }
            let mut after = board.clone();
            after.play(mv);
            if Key::of(&after, profile) == entry.key {
                self.announced.push((mv, entry.stood));
            }
        }
    }

    /// The same by trying all moves: to look at every position at every move would take time that grows with its square.
    fn announce_among_many(&mut self, board: &Board, claim: u32, profile: &Profile) {
        let mut moves = MoveList::new();
        board.legal_moves(!0, !0, &mut moves);
        // What was a right to castle is none afterwards, so castling brings nothing back.
        for &mv in moves.iter().filter(|mv| mv.kind == MoveKind::Plain && !board.is_zeroing(**mv)) {
            let mut after = board.clone();
            after.play(mv);
            let entry = self.positions.find(&Key::of(&after, profile), diagram_key(&after));
            self.announced.extend(entry.filter(|entry| entry.stood.times + 1 >= claim).map(|entry| (mv, entry.stood)));
        }
        self.announced.sort_by_key(|(_, stood)| self.positions.indices(*stood).nth(claim as usize - 2));
    }

    /// The position `at` stands for the last time at `index`, not often enough: perhaps its diagram does.
    fn watch_diagram(&mut self, at: usize, index: u32, claim: u32) {
        if self.positions.alike(at).nth(1).is_none() {
            return;
        }
        let same: Vec<&Entry> = self.positions.alike(at).collect();
        let all = same.iter().map(|entry| entry.stood.times).sum();
        if all < claim || same.iter().any(|entry| entry.reported) {
            return;
        }
        let mut occurrences: Vec<u32> =
            same.iter().flat_map(|entry| self.positions.indices(entry.stood).take(MAX_OCCURRENCES)).collect();
        occurrences.sort_unstable();
        let castling = same.iter().any(|entry| entry.key.castling != same[0].key.castling);
        let en_passant = same.iter().any(|entry| entry.key.en_passant != same[0].key.en_passant);
        let reason = match (castling, en_passant) {
            (true, true) => "both",
            (true, false) => "castling",
            _ => "en-passant",
        };
        self.visual.push(Visual { index, occurrences: Occurrences::of(occurrences.into_iter(), all), reason });
        self.positions.entries[at].reported = true;
    }

    fn count_moves(&mut self, clock: u32, index: u32, profile: &Profile) {
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
    }

    fn watch_fifty(&mut self, board: &Board, index: u32, profile: &Profile) {
        let clock = board.halfmove;
        let Some(claim) = profile.fifty_claim.filter(|_| !self.over) else { return };
        if board.occupied().count_ones() < profile.fifty_min_men.unwrap_or(0) {
            return;
        }
        let extension = extension_for(board, &profile.fifty_extensions);
        let limit = extension.map_or(claim, |extension| 2 * extension.moves);
        let complete = clock >= limit;
        let announced = match profile.fifty_announced {
            Some(from) if clock + claim >= limit + from => first_quiet(board),
            _ => None,
        };
        if !complete && announced.is_none() {
            return;
        }
        let extension = extension.map(|extension| extension.material.as_str());
        let at = self.window(Kind::Fifty, board, index, limit / 2, extension);
        let run = &mut self.runs[at];
        run.complete = complete.then_some(index).or(run.complete);
        if let Some(mv) = announced {
            run.form_a = true;
            if run.claim_moves.is_empty() && !complete {
                push_body(board, mv, &mut run.claim_moves);
            }
        }
    }
}

/// The first move, by its squares, that is neither capture nor pawn move.
fn first_quiet(board: &Board) -> Option<Move> {
    let mut moves = MoveList::new();
    board.legal_moves(!0, !0, &mut moves);
    let quiet = moves.iter().filter(|mv| !board.is_zeroing(**mv));
    quiet.min_by_key(|mv| (mv.from, uci_target(board, **mv))).copied()
}

/// The move that leads from a position to a diagram if they differ by one man of the side to move (castling apart).
#[inline]
fn single_step(board: &Board, target: &Diagram) -> Option<Move> {
    let side = board.turn as usize;
    if target.turn == board.turn || target.by_color[1 - side] != board.by_color[1 - side] {
        return None;
    }
    let (now, then) = (board.by_color[side], target.by_color[side]);
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
