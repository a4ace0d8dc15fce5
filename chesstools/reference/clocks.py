"""Clocks: the time used for each ply, and clock times against the time control and the result.

Nothing is imputed. What is derived comes from two clock times of one player in a row, and only where the time control says
all that can have been added between them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from chesstools.reference.allowance import Allowance, Span

SLACK_MS = 3000
"""Gains up to this are let pass: most clocks are shown in whole seconds, and programs give back what was lost on the way."""

ROUNDING_MS = 1000
"""Times used are shown in whole seconds by some: each may be off by less than this."""

EARLY_MOVES = 1
"""Clocks that count moves are one ahead where a player pressed once too often: a new period may begin so many moves early."""

MANY_ZEROS = 20
"""So many times of zero in a row are more than rounding: nobody makes these moves in what is left of a second."""

BERSERK_PART = 2
"""On Lichess a player may give up half of his time, and with it the increment. Where a first clock time is no more than the base
divided by this, it is not known whether increments were added."""


@dataclass(slots=True)
class Seen:
    """What was seen of a clock: at which ply first, and how often."""

    ply: int
    before_ms: int | None
    after_ms: int
    allowed_ms: int | None = None
    made: int | None = None
    """Moves made in the period, and due in it."""
    due: int | None = None
    count: int = 1


@dataclass(slots=True)
class Player:
    """One side's clock while the game goes on."""

    moves: int = 0
    period: int = 0
    """The number of the period that the next move belongs to, from 0."""
    end: int | None = None
    """The number of the move that completes it."""
    time_ms: int = 0
    """The time of all periods up to it."""
    credited_ms: int = 0
    """How much of that was seen to be on the clock."""
    gains_ms: int = 0
    """Most that all moves added."""
    first_ms: int | None = None
    last_ms: int | None = None
    last_move: int = 0
    """The number of the move at which `last_ms` was shown,"""
    last_gains_ms: int = 0
    """and `gains_ms` then."""
    zeros: int = 0
    used_ms: int = 0
    """What is stated to have been used, all together."""


@dataclass(slots=True)
class Clocks:
    """Goes along with the mainline: `add` takes what the source says of each ply, and gives the time used for it."""

    allowance: Allowance | None
    white_first: bool = True
    ply: int = 0
    fine: bool = False
    """Whether a time has parts of seconds, so that zero means zero."""
    many_zeros: bool = False
    risen: Seen | None = None
    missed: Seen | None = None
    negative: Seen | None = None
    zero: Seen | None = None
    _players: tuple[Player, Player] = field(default_factory=lambda: (Player(), Player()))

    def __post_init__(self) -> None:
        if self.allowance is not None:
            for player in self._players:
                player.end = self.allowance.spans[0].moves
                player.time_ms = player.credited_ms = self.allowance.start_ms

    def is_white(self, ply: int) -> bool:
        """Whether White made this ply."""
        return (ply % 2 == 1) == self.white_first

    def player(self, *, white: bool) -> Player:
        """The clock of one side."""
        return self._players[0 if white else 1]

    def add(self, clock_ms: int | None, elapsed_ms: int | None) -> int | None:
        """Take the next ply: the time left and the time used as stated. Gives the time used, as stated or derived."""
        self.ply += 1
        player = self.player(white=self.is_white(self.ply))
        self._look_back(player)
        player.moves += 1
        span = None
        if self.allowance is not None:
            span = self.allowance.span(player.period)
            player.gains_ms += span.gain_ms
            if player.end is not None and player.moves >= player.end:
                player.period += 1
                following = self.allowance.span(player.period)
                player.end = None if following.moves is None else player.end + following.moves
                player.time_ms += following.time_ms
        used = elapsed_ms
        if elapsed_ms is not None:
            player.used_ms += elapsed_ms
        if clock_ms is not None:
            if self.allowance is not None and span is not None:
                derived = self._compare(player, self.allowance, span, clock_ms)
                used = derived if elapsed_ms is None else elapsed_ms
            self.fine = self.fine or clock_ms % 1000 != 0
            player.first_ms = clock_ms if player.first_ms is None else player.first_ms
            player.last_ms, player.last_move, player.last_gains_ms = clock_ms, player.moves, player.gains_ms
        elif elapsed_ms is not None and player.first_ms is None and span is not None and span.moves is not None:
            self._compare_used(player)
        return used

    def _compare(self, player: Player, allowance: Allowance, span: Span, clock_ms: int) -> int | None:
        """A clock time against the one before. Gives the time used, where that can be told."""
        before = player.last_ms
        if before is None:
            before = allowance.start_ms
        elif allowance.is_per_move:
            before = max(before, allowance.start_ms)
        gain = player.gains_ms - player.last_gains_ms
        # The time of the next period may be there, whether or not it can be told.
        due_ms = player.time_ms
        if player.end is not None and player.moves >= player.end - EARLY_MOVES:
            due_ms += allowance.span(player.period + 1).time_ms
        pending_ms = due_ms - player.credited_ms
        allowed = gain + SLACK_MS
        if clock_ms - before > allowed:
            if clock_ms - before <= allowed + max(pending_ms, 0):
                player.credited_ms = due_ms
            elif player.end is not None and pending_ms <= 0 and self._came_early(player, allowance, before, clock_ms):
                player.credited_ms = player.time_ms + allowance.span(player.period + 1).time_ms
            elif before > 0 or player.last_ms is not None:
                self.risen = _again(self.risen, Seen(self.ply, before, clock_ms, gain))
            return None
        follows = player.last_ms is not None and player.last_move == player.moves - 1
        if not follows or pending_ms > 0 or allowance.is_per_move or not span.is_added:
            return None
        if gain > 0 and not self._has_increments(player):
            return None
        used = before + gain - clock_ms
        return used if used >= 0 else None

    def _came_early(self, player: Player, allowance: Allowance, before: int, clock_ms: int) -> bool:
        """Whether the time of the next period came before the moves of this one were made, as its own was over."""
        bonus = allowance.span(player.period + 1).time_ms
        gain = player.gains_ms - player.last_gains_ms
        if 2 * (clock_ms - before) < bonus or clock_ms > bonus + gain + SLACK_MS:
            return False
        self._miss(player, player.moves - 1, before, clock_ms, None)
        return True

    def _compare_used(self, player: Player) -> None:
        """Times used, where no clock is shown, against all that was given for them."""
        # `time_ms` holds the next period already where this move completed one: that makes the test milder by one move.
        given = player.time_ms + player.gains_ms
        if player.used_ms > given + ROUNDING_MS * player.moves and player.end is not None:
            self._miss(player, player.moves - 1, None, player.used_ms, given)

    def _miss(self, player: Player, moves: int, before: int | None, after: int, allowed: int | None) -> None:
        made, due = self._in_period(player, moves)
        if self.missed is None and due is not None:
            self.missed = Seen(self.ply, before, after, allowed, made, due)

    def _in_period(self, player: Player, moves: int) -> tuple[int | None, int | None]:
        """Moves made in the period when `moves` were made in all, and due in it; None where it is the rest of the game."""
        if self.allowance is None or player.end is None:
            return None, None
        due = self.allowance.span(player.period).moves
        return (None, None) if due is None else (max(moves - (player.end - due), 0), due)

    def _look_back(self, player: Player) -> None:
        """The player is about to move again: his clock must not have run out with the move before."""
        shown = player.last_ms
        if shown is None or shown > 0 or player.last_move != player.moves:
            player.zeros = 0
            return
        if shown == 0 and player.credited_ms < player.time_ms:
            return  # it was the last move of a period, and the time of the next one is not on the clock yet
        made, due = self._in_period(player, player.moves)
        seen = Seen(self.ply - 2, None, shown, None, made, due)
        if shown < 0:
            player.zeros = 0
            self.negative = _again(self.negative, seen)
            return
        self.zero = _again(self.zero, seen)
        player.zeros += 1
        if player.zeros >= MANY_ZEROS:
            self.many_zeros = True
        if self.allowance is not None:
            span = self.allowance.span(player.period)
            if span.gain_ms > 0 and span.is_added and self._has_increments(player):
                self.many_zeros = True

    def _has_increments(self, player: Player) -> bool:
        start = 0 if self.allowance is None else self.allowance.start_ms
        return player.first_ms is not None and BERSERK_PART * player.first_ms > start


def _again(before: Seen | None, seen: Seen) -> Seen:
    """What was seen first, and once more."""
    if before is None:
        return seen
    before.count += 1
    return before
