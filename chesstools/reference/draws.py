"""Draws by repetition and by the 50- and 75-move rules: when they could be claimed, and when the game was over.

FIDE 9.2, 9.3 and 9.6; seed articles 10.10 to 10.12. Position index i is the position after i plies. Positions are the
same if the same side is to move, the men stand on the same squares, and castling and en passant *rights* are the same,
where an en passant right counts only if the capture is really legal (a profile may say otherwise). Positions are compared
whole, not by a hash.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import chess

from chesstools.limits import MAX_OCCURRENCES
from chesstools.profiles import Profile
from chesstools.reference.extended import extension_for
from chesstools.reference.san import standard_body

THREEFOLD, FIVEFOLD = 3, 5
"""Occurrences that the columns first_threefold_ply and first_fivefold_ply speak of, under any profile."""

FIFTY, SEVENTYFIVE = 100, 150
"""Plies that the columns first_fifty_ply and first_seventyfive_ply speak of, under any profile."""

FEW = 16
"""Positions are compared one by one with what a move leads to while there are no more than this."""

Key = tuple[int, ...]


def diagram(board: chess.Board) -> Key:
    """What stands where, and who is to move."""
    white, black = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
    return (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings, white, black, board.turn)


def rights(board: chess.Board, profile: Profile | None = None) -> tuple[int, int]:
    """What of castling counts, and the en passant square where it counts (else -1). Without a profile: as FIDE has it."""
    square = board.ep_square
    if square is None:
        counts = False
    elif profile is None or profile.ep_key == "legal":
        counts = board.has_legal_en_passant()
    else:
        counts = profile.ep_key == "fen" or board.has_pseudo_legal_en_passant()
    by_rights = profile is None or profile.castling_key == "rights"
    castling = board.clean_castling_rights() if by_rights else _castling_now(board)
    return castling, square if square is not None and counts else -1


def _castling_now(board: chess.Board) -> int:
    """The squares to which each side could castle now, if it were to move."""
    board = board.copy(stack=False)
    found = 0
    for board.turn in chess.COLORS:
        for move in board.generate_castling_moves():
            found |= chess.BB_SQUARES[move.to_square]
    return found


def position(board: chess.Board, profile: Profile | None = None) -> Key:
    """All that makes two positions the same (9.2.3)."""
    return diagram(board) + rights(board, profile)


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Indices at which a position stood up to some index."""

    indices: list[int]
    """The list grows on where the position comes back later."""
    times: int
    """So many of `indices` are meant."""
    coming: int | None = None
    """One more that a written move brings about."""

    def evidence(self) -> dict[str, object]:
        """For a finding: the first of them, and how many there are in all where these are not all."""
        coming = [] if self.coming is None else [self.coming]
        first = (self.indices[: min(self.times, MAX_OCCURRENCES)] + coming)[:MAX_OCCURRENCES]
        count = self.times + len(coming)
        return {"occurrences": first, "stood": count if count > len(first) else None}


@dataclass(slots=True)
class Run:
    """Consecutive indices of one side at which it could claim: first, last, and how."""

    kind: str
    """``repetition`` or ``fifty``."""
    side: chess.Color
    first: int
    last: int
    windows: int = 0
    complete: int | None = None
    """The last index at which the position had appeared, or the count was full (form B)."""
    announced: bool = False
    """A move of the claimant will bring it about (form A)."""
    claim_moves: list[str] = field(default_factory=list)
    """In standard notation without check marks, up to `MAX_OCCURRENCES`."""
    occurrences: Occurrences | None = None
    clock: int = 0
    limit: int = 0
    """Occurrences, or moves by each side, that gave the right."""
    extension: str | None = None
    """The ending for which more than 50 moves are allowed, if it is one."""


@dataclass(slots=True)
class Visual:
    """A diagram that stood often enough for a claim, but with other rights (D605)."""

    index: int
    occurrences: Occurrences
    reason: str


class DrawWatch:
    """Follows the mainline. Call `add` once for every position, the start position first."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.runs: list[Run] = []
        self.visual: list[Visual] = []
        self.first_threefold: int | None = None
        self.first_fivefold: int | None = None
        self.first_fifty: int | None = None
        self.first_seventyfive: int | None = None
        self.drawn_by_repetition: int | None = None
        """Index at which the profile ends the game without a claim, the position having stood often enough."""
        self.drawn_occurrences: Occurrences | None = None
        """Where that position stood."""
        self.drawn_by_moves: int | None = None
        """The same for moves without capture or pawn move."""
        self.repetition = 1
        """How often the position added last has now stood."""
        self.over = False
        """Whether the game has ended by now, by an automatic draw or (set from outside) in a dead position."""
        self._seen: dict[Key, list[int]] = {}
        self._repeated: dict[Key, list[int]] = {}
        """Those of `_seen` that a claim with a written move could build on."""
        self._diagrams: dict[Key, tuple[list[int], set[int], set[int]]] = {}
        """Where each diagram stood, with which castling rights and en passant squares."""
        self._reported: set[Key] = set()
        self._open: dict[tuple[str, chess.Color], Run] = {}
        counts = (FIFTY, profile.fifty_claim, profile.fifty_announced, profile.automatic_moves)
        self._fifty_from = min(count for count in counts if count is not None)

    def add(self, board: chess.Board, index: int) -> None:
        """Take in the position with that index."""
        if board.halfmove_clock == 0:
            # No earlier position can come back after a capture or a pawn move.
            self._seen.clear()
            self._repeated.clear()
            self._diagrams.clear()
        key = position(board, self.profile)
        indices = self._seen.setdefault(key, [])
        indices.append(index)
        self.repetition = len(indices)
        if len(indices) == THREEFOLD and self.first_threefold is None:
            self.first_threefold = index
        if len(indices) == FIVEFOLD and self.first_fivefold is None:
            self.first_fivefold = index
        if self._draws_by_repetition(indices):
            if self.drawn_by_repetition is None:
                self.drawn_by_repetition, self.drawn_occurrences = index, Occurrences(indices, len(indices))
            self.over = True
        counts = board.halfmove_clock >= self._fifty_from and any(board.generate_legal_moves())  # else mate has ended the game
        if counts:
            self._count_moves(board, index)
        claim = self.profile.threefold_claim
        if claim is not None:
            if len(indices) == claim - 1:
                self._repeated[key] = indices
            self._watch_repetition(board, index, key, indices, claim)
            self._watch_diagram(board, index, key, indices, claim)
        if counts:
            self._watch_fifty(board, index)

    def _draws_by_repetition(self, indices: list[int]) -> bool:
        limit = self.profile.automatic_repetition
        if limit is None or len(indices) < limit:
            return False
        if self.profile.threefold_automatic or not self.profile.fivefold_consecutive:
            return True
        # A position can come back after four plies at the earliest: then each side goes to and fro.
        return indices[-1] - indices[-limit] == 4 * (limit - 1)

    def _window(self, kind: str, board: chess.Board, index: int, limit: int, extension: str | None = None) -> Run:
        """The run that this index belongs to: the one it continues, or a new one."""
        side = board.turn
        run = self._open.get((kind, side))
        if run is None or run.last != index - 2 or run.extension != extension:
            run = self._open[kind, side] = Run(kind, side, index, index, limit=limit, extension=extension)
            self.runs.append(run)
        run.last = index
        run.windows += 1
        run.clock = board.halfmove_clock
        return run

    def _watch_repetition(self, board: chess.Board, index: int, key: Key, indices: list[int], claim: int) -> None:
        appeared = len(indices) >= claim
        if self.over:
            return
        announced = self._moves_to_repetition(board, key, claim) if self.profile.threefold_announced else []
        if not appeared and not announced:
            return
        run = self._window("repetition", board, index, claim)
        if appeared:
            run.complete = index
            run.occurrences = Occurrences(indices, len(indices))
        for move, before in announced:
            run.announced = True
            text = standard_body(board, move)
            if text not in run.claim_moves and len(run.claim_moves) < MAX_OCCURRENCES:
                run.claim_moves.append(text)
            run.occurrences = run.occurrences or Occurrences(before, len(before), index + 1)

    def _moves_to_repetition(self, board: chess.Board, key: Key, claim: int) -> list[tuple[chess.Move, list[int]]]:
        """Legal moves that bring about a position often enough, with the indices where it stood before.

        They come in the order in which these positions came to be repeated. Of few positions each is looked at; where there are
        many each move is tried, as time would else grow with their square.
        """
        few = len(self._repeated) <= FEW
        moves = _single_steps(key, self._repeated) if few else list(board.generate_legal_moves())
        found: dict[chess.Move, list[int]] = {}
        for move in moves:
            # What was a right to castle is none afterwards, so castling brings nothing back.
            if board.is_zeroing(move) or board.is_castling(move) or not board.is_legal(move):
                continue
            board.push(move)
            indices = self._repeated.get(position(board, self.profile))
            board.pop()
            if indices is not None:
                found[move] = indices
        return sorted(found.items(), key=lambda item: item[1][claim - 2])

    def _watch_diagram(self, board: chess.Board, index: int, key: Key, indices: list[int], claim: int) -> None:
        look = key[:9]
        same_look, castling, en_passant = self._diagrams.setdefault(look, ([], set(), set()))
        same_look.append(index)
        castling.add(key[9])
        en_passant.add(key[10])
        if len(same_look) >= claim and len(indices) < claim and look not in self._reported:
            self._reported.add(look)
            both = len(castling) > 1 and len(en_passant) > 1
            reason = "both" if both else "castling" if len(castling) > 1 else "en-passant"
            self.visual.append(Visual(index, Occurrences(same_look, len(same_look)), reason))

    def _count_moves(self, board: chess.Board, index: int) -> None:
        clock, automatic = board.halfmove_clock, self.profile.automatic_moves
        if clock >= FIFTY and self.first_fifty is None:
            self.first_fifty = index
        if clock >= SEVENTYFIVE and self.first_seventyfive is None:
            self.first_seventyfive = index
        if automatic is not None and clock >= automatic:
            self.drawn_by_moves = index if self.drawn_by_moves is None else self.drawn_by_moves
            self.over = True

    def _watch_fifty(self, board: chess.Board, index: int) -> None:
        clock, profile = board.halfmove_clock, self.profile
        if self.over or profile.fifty_claim is None or chess.popcount(board.occupied) < (profile.fifty_min_men or 0):
            return
        extension = extension_for(board, profile.fifty_extensions)
        limit = profile.fifty_claim if extension is None else 2 * extension.moves
        complete = clock >= limit
        announced = None
        if profile.fifty_announced is not None and clock >= limit - (profile.fifty_claim - profile.fifty_announced):
            quiet = (move for move in board.generate_legal_moves() if not board.is_zeroing(move))
            announced = min(quiet, key=lambda move: (move.from_square, move.to_square), default=None)
        if not complete and announced is None:
            return
        run = self._window("fifty", board, index, limit // 2, None if extension is None else extension.material)
        if complete:
            run.complete = index
        if announced is not None:
            run.announced = True
            if not run.claim_moves and not complete:
                run.claim_moves.append(standard_body(board, announced))


def _single_steps(key: Key, targets: Iterable[Key]) -> Iterator[chess.Move]:
    """Moves that lead from a position to those that differ by one man of the side to move; not all of them are legal."""
    turn = key[8]
    own, other = (6, 7) if turn == chess.WHITE else (7, 6)
    for target in targets:
        if target[8] == turn or target[other] != key[other]:
            continue
        changed = target[own] ^ key[own]
        source, goal = changed & key[own], changed & target[own]
        if chess.popcount(source) == chess.popcount(goal) == 1:
            yield chess.Move(chess.lsb(source), chess.lsb(goal))


def watched(start: chess.Board, moves: Iterable[chess.Move], profile: Profile, dead: int) -> DrawWatch:
    """The watch over a game that was dead from position `dead` on."""
    watch, board = DrawWatch(profile), start.copy(stack=False)
    for index, move in enumerate((None, *moves)):
        if move is not None:
            board.push(move)
        watch.over = watch.over or index >= dead
        watch.add(board, index)
    return watch
