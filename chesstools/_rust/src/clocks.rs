//! Clocks: the time used for each ply, and clock times against the time control.
//! The counterpart of `chesstools/reference/clocks.py`, where it is explained.

use crate::allowance::{Allowance, Span};

/// Gains up to this are let pass.
pub const SLACK_MS: i64 = 3000;
/// Each time used may be off by less than this.
const ROUNDING_MS: i64 = 1000;
/// A new period may begin so many moves early.
const EARLY_MOVES: u32 = 1;
/// So many times of zero in a row are more than rounding.
pub const MANY_ZEROS: u32 = 20;
/// With no more than this part of the time at the start it is not known whether increments were added.
const BERSERK_PART: i64 = 2;

/// What was seen of a clock: at which ply first, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    pub ply: u32,
    pub before_ms: Option<i64>,
    pub after_ms: i64,
    pub allowed_ms: Option<i64>,
    /// Moves made in the period, and due in it.
    pub made: Option<u32>,
    pub due: Option<u32>,
    pub count: u32,
}

impl Seen {
    pub fn at(ply: u32, after_ms: i64) -> Seen {
        Seen { ply, before_ms: None, after_ms, allowed_ms: None, made: None, due: None, count: 1 }
    }
}

/// One side's clock while the game goes on.
#[derive(Clone, Copy, Debug, Default)]
struct Player {
    moves: u32,
    /// The number of the period that the next move belongs to, from 0, and of the move that completes it.
    period: u32,
    end: Option<u32>,
    /// The time of all periods up to it, and how much of that was seen to be on the clock.
    time_ms: i64,
    credited_ms: i64,
    /// Most that all moves added.
    gains_ms: i64,
    first_ms: Option<i64>,
    last_ms: Option<i64>,
    /// The number of the move at which `last_ms` was shown, and `gains_ms` then.
    last_move: u32,
    last_gains_ms: i64,
    zeros: u32,
    used_ms: i64,
}

/// Goes along with the mainline.
#[derive(Clone, Debug)]
pub struct Clocks<'c> {
    allowance: Option<&'c Allowance>,
    white_first: bool,
    ply: u32,
    /// Whether a time has parts of seconds, so that zero means zero.
    pub fine: bool,
    pub many_zeros: bool,
    pub risen: Option<Seen>,
    pub missed: Option<Seen>,
    pub negative: Option<Seen>,
    pub zero: Option<Seen>,
    players: [Player; 2],
}

impl<'c> Clocks<'c> {
    pub fn new(allowance: Option<&'c Allowance>, white_first: bool) -> Clocks<'c> {
        let player = allowance.map_or_else(Player::default, |allowance| Player {
            end: allowance.first.moves,
            time_ms: allowance.start_ms(),
            credited_ms: allowance.start_ms(),
            ..Player::default()
        });
        Clocks {
            allowance,
            white_first,
            ply: 0,
            fine: false,
            many_zeros: false,
            risen: None,
            missed: None,
            negative: None,
            zero: None,
            players: [player; 2],
        }
    }

    /// Whether White made this ply.
    pub fn is_white(&self, ply: u32) -> bool {
        (ply % 2 == 1) == self.white_first
    }

    /// The last ply at which a side's clock is shown, 0 where there is none, and the time.
    pub fn last(&self, white: bool) -> (u32, i64) {
        let player = &self.players[usize::from(!white)];
        let first = if white == self.white_first { 1 } else { 2 };
        player.last_ms.map_or((0, 0), |clock| (first + 2 * (player.last_move - 1), clock))
    }

    /// Takes the next ply: the time left and the time used as stated. Gives the time used, as stated or derived.
    pub fn add(&mut self, clock_ms: Option<i64>, elapsed_ms: Option<i64>) -> Option<i64> {
        self.ply += 1;
        let side = usize::from(!self.is_white(self.ply));
        self.look_back(side);
        let player = &mut self.players[side];
        player.moves += 1;
        let mut span = None;
        if let Some(allowance) = self.allowance {
            let current = allowance.span(player.period);
            span = Some(current);
            player.gains_ms += current.gain_ms;
            if let Some(end) = player.end.filter(|&end| player.moves >= end) {
                player.period += 1;
                let following = allowance.span(player.period);
                player.end = following.moves.map(|moves| end + moves);
                player.time_ms += following.time_ms;
            }
        }
        player.used_ms += elapsed_ms.unwrap_or(0);
        if let Some(clock_ms) = clock_ms {
            let mut derived = None;
            if let (Some(allowance), Some(span)) = (self.allowance, span) {
                derived = self.compare(side, allowance, span, clock_ms);
            }
            self.fine |= clock_ms % 1000 != 0;
            let player = &mut self.players[side];
            player.first_ms = player.first_ms.or(Some(clock_ms));
            player.last_ms = Some(clock_ms);
            player.last_move = player.moves;
            player.last_gains_ms = player.gains_ms;
            return elapsed_ms.or(derived);
        }
        let counts = elapsed_ms.is_some() && player.first_ms.is_none();
        if counts && span.is_some_and(|span| span.moves.is_some()) {
            self.compare_used(side);
        }
        elapsed_ms
    }

    /// A clock time against the one before. Gives the time used, where that can be told.
    fn compare(&mut self, side: usize, allowance: &Allowance, span: Span, clock_ms: i64) -> Option<i64> {
        let player = self.players[side];
        let before = match player.last_ms {
            None => allowance.start_ms(),
            Some(last) if allowance.is_per_move() => last.max(allowance.start_ms()),
            Some(last) => last,
        };
        let gain = player.gains_ms - player.last_gains_ms;
        // The time of the next period may be there, whether or not it can be told.
        let following = || allowance.span(player.period + 1).time_ms;
        let is_near = player.end.is_some_and(|end| player.moves + EARLY_MOVES >= end);
        let due_ms = player.time_ms + if is_near { following() } else { 0 };
        let pending_ms = due_ms - player.credited_ms;
        let allowed = gain + SLACK_MS;
        if clock_ms - before > allowed {
            if clock_ms - before <= allowed + pending_ms.max(0) {
                self.players[side].credited_ms = due_ms;
            } else if player.end.is_some() && pending_ms <= 0 && self.came_early(side, allowance, before, clock_ms) {
                self.players[side].credited_ms = player.time_ms + following();
            } else if before > 0 || player.last_ms.is_some() {
                let seen = Seen { before_ms: Some(before), allowed_ms: Some(gain), ..Seen::at(self.ply, clock_ms) };
                again(&mut self.risen, seen);
            }
            return None;
        }
        let follows = player.last_ms.is_some() && player.last_move == player.moves - 1;
        if !follows || pending_ms > 0 || allowance.is_per_move() || !span.is_added {
            return None;
        }
        if gain > 0 && !self.has_increments(side) {
            return None;
        }
        Some(before + gain - clock_ms).filter(|&used| used >= 0)
    }

    /// Whether the time of the next period came before the moves of this one were made, as its own was over.
    fn came_early(&mut self, side: usize, allowance: &Allowance, before: i64, clock_ms: i64) -> bool {
        let player = self.players[side];
        let bonus = allowance.span(player.period + 1).time_ms;
        let gain = player.gains_ms - player.last_gains_ms;
        if 2 * (clock_ms - before) < bonus || clock_ms > bonus + gain + SLACK_MS {
            return false;
        }
        self.miss(side, Seen { before_ms: Some(before), ..Seen::at(self.ply, clock_ms) });
        true
    }

    /// Times used, where no clock is shown, against all that was given for them.
    fn compare_used(&mut self, side: usize) {
        let player = self.players[side];
        // `time_ms` holds the next period already where this move completed one: that makes the test milder by one move.
        let given = player.time_ms + player.gains_ms;
        if player.used_ms > given + ROUNDING_MS * i64::from(player.moves) && player.end.is_some() {
            self.miss(side, Seen { allowed_ms: Some(given), ..Seen::at(self.ply, player.used_ms) });
        }
    }

    fn miss(&mut self, side: usize, seen: Seen) {
        let (made, due) = self.in_period(side, self.players[side].moves - 1);
        if self.missed.is_none() && due.is_some() {
            self.missed = Some(Seen { made, due, ..seen });
        }
    }

    /// Moves made in the period when `moves` were made in all, and due in it; None where it is the rest of the game.
    fn in_period(&self, side: usize, moves: u32) -> (Option<u32>, Option<u32>) {
        let player = &self.players[side];
        let due = self.allowance.and_then(|allowance| allowance.span(player.period).moves);
        match (player.end, due) {
            (Some(end), Some(due)) => (Some(moves.saturating_sub(end - due)), Some(due)),
            _ => (None, None),
        }
    }

    /// The player is about to move again: his clock must not have run out with the move before.
    #[inline]
    fn look_back(&mut self, side: usize) {
        let player = &mut self.players[side];
        match player.last_ms.filter(|&shown| shown <= 0 && player.last_move == player.moves) {
            None => player.zeros = 0,
            Some(shown) => self.look_at_end(side, shown),
        }
    }

    #[cold]
    fn look_at_end(&mut self, side: usize, shown: i64) {
        let player = self.players[side];
        if shown == 0 && player.credited_ms < player.time_ms {
            return; // it was the last move of a period, and the time of the next one is not on the clock yet
        }
        let (made, due) = self.in_period(side, player.moves);
        let seen = Seen { made, due, ..Seen::at(self.ply - 2, shown) };
        if shown < 0 {
            self.players[side].zeros = 0;
            again(&mut self.negative, seen);
            return;
        }
        again(&mut self.zero, seen);
        self.players[side].zeros += 1;
        let span = self.allowance.map(|allowance| allowance.span(player.period));
        let adds = span.is_some_and(|span| span.gain_ms > 0 && span.is_added) && self.has_increments(side);
        self.many_zeros |= adds || self.players[side].zeros >= MANY_ZEROS;
    }

    fn has_increments(&self, side: usize) -> bool {
        let start = self.allowance.map_or(0, Allowance::start_ms);
        self.players[side].first_ms.is_some_and(|first| BERSERK_PART * first > start)
    }
}

/// What was seen first, and once more.
fn again(before: &mut Option<Seen>, seen: Seen) {
    match before {
        Some(before) => before.count += 1,
        None => *before = Some(seen),
    }
}
