"""What may be wrong with a game that stops: the one assumption under which the moves behind an illegal one are legal (M391).

A suggestion for a person who compares the score with its source; nothing is repaired. Assumptions are tried in a fixed order:

1. at the bad move: another man of the same kind was meant, it is mistyped, it (or it and the next one) is written twice, it has
   changed places with another. Where its number gives it to the other side, a missing move comes first;
2. men or board stood otherwise before the first move; a move is missing before the bad one, or that is one too many;
3. another man was meant by an earlier move, the nearest first; then an earlier move is mistyped or one too many;
4. a move is missing a little before;
5. the game began from an array of Chess960.

The first assumption under which the game is legal to its end is taken; where there is none, the one under which most moves are.
At most `Score.limit` plies are replayed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import chess

from chesstools.reference.diagnosis_score import PASS, Score
from chesstools.reference.diagnosis_slips import Slip, in_order, likelihood, slip
from chesstools.reference.diagnosis_starts import OtherStart, chess960_starts, is_array, other_starts
from chesstools.reference.facts import Facts, Place
from chesstools.reference.line import Line

MIN_TO_END = 6
"""A game that is legal to its end says something only if at least so many moves follow; where fewer follow, nothing is tried."""

MIN_PART = 12
"""The same for a game that stops again later."""

FAR_BACK = 100
"""An earlier move that is not the one meant is looked for so many plies back."""

NEAR_BACK = 8
"""A move that is missing or one too many is looked for so many plies back: soon the wrong side is to move."""

CHESS960_PLIES = 24
"""A game from another array does not go on for longer than this from the usual one."""

RESERVE = 4
"""A quarter of what may be tried is kept for what is tried last."""


@dataclass(slots=True)
class Found:
    """An assumption, and what it comes to."""

    reason: str
    index: int | None
    """The move concerned, by index; None where it is the start position."""
    reached: int
    """Index of the first move that is still not legal; the number of moves where all are."""
    count: int
    """Plies that are then legal as they are written, from the bad move on."""
    evidence: dict[str, object] = field(default_factory=dict)


@dataclass(slots=True)
class Search:
    """Looks for the assumption that explains most."""

    score: Score
    boards: dict[int, chess.Board]
    """Positions before the moves with these indices."""
    moves: list[chess.Move]
    """The moves up to the bad one."""
    best: Found | None = None
    rivals: int = 0
    """Other assumptions of the same kind at the same place that explain as much."""

    def run(self, start: chess.Board, wrong_side: bool) -> None:
        """Try all assumptions until one explains the whole game."""
        for group in self._groups(start, wrong_side):
            self._take(group)
            if self._is_whole(self.best) or self.score.spent:
                return

    def _groups(self, start: chess.Board, wrong_side: bool) -> Iterator[Iterable[Found]]:
        score, bad = self.score, self.score.bad
        if wrong_side:
            yield self._missing(bad)
        yield from self._slips(bad, Slip.OTHER_MAN, Slip.MISTYPED)
        yield from self._left_out(bad, twice=True)
        for one, other in ((0, 1), (-1, 0), (0, 2), (-2, 0), (-1, 1)):
            yield self._transposed(bad + one, bad + other)
        if is_array(start):
            yield self._started(other_starts())
        yield self._missing(bad)
        yield from self._left_out(bad, twice=False)
        earlier = range(bad - 1, max(bad - FAR_BACK, 0) - 1, -1)
        for index in earlier:
            yield from self._slips(index, Slip.OTHER_MAN)
        for index in earlier:
            if score.tried * RESERVE >= score.limit * (RESERVE - 1):
                break
            yield from self._slips(index, Slip.MISTYPED)
            if index >= bad - NEAR_BACK:
                yield from self._left_out(index, twice=True)
                yield from self._left_out(index, twice=False)
        for index in range(bad - 1, max(bad - NEAR_BACK, 0) - 1, -1):
            yield self._missing(index)
        if bad < CHESS960_PLIES and is_array(start):
            yield self._started(chess960_starts())

    def _take(self, group: Iterable[Found]) -> None:
        """Keep the best of a group if it is better than what is known."""
        best, rivals = None, 0
        for found in group:
            if best is None or self._worth(found) > self._worth(best):
                best, rivals = found, 0
            elif self._worth(found) == self._worth(best):
                rivals += 1
        if best is not None and self._worth(best) > self._worth(self.best):
            self.best, self.rivals = best, rivals

    def _is_whole(self, found: Found | None) -> bool:
        return found is not None and found.reached == len(self.score) and found.count >= MIN_TO_END

    def _worth(self, found: Found | None) -> int:
        """More is better: 0 is not worth a word."""
        if found is None:
            return 0
        if self._is_whole(found):
            return len(self.score)
        return found.count if found.count >= MIN_PART else 0

    # ------------------------------------------------------------------------------------------ assumptions

    def _found(self, reason: str, index: int | None, reached: int | None, behind: int, **evidence: object) -> Iterator[Found]:
        """What an assumption comes to under which the moves are as they are written from `behind` on."""
        if reached is not None:
            count = reached - max(behind, self.score.bad)
            if count > 0:
                yield Found(reason, index, reached, count, evidence)

    def _slips(self, index: int, *kinds: Slip) -> Iterator[Iterable[Found]]:
        """Another move was meant than the one at `index`."""
        board = self.boards.get(index)
        written = self.score.read(index)
        if board is None or written is None or written is PASS:
            return
        played = self.moves[index : index + 1]
        moves = [(move, slip(board, written, move)) for move in in_order(board) if move not in played]
        for kind in kinds:
            meant = [move for move, how in moves if how is kind]
            # Of equals the first one stays first.
            yield self._meant(index, kind, sorted(meant, key=lambda move: likelihood(board, written, move)), board)

    def _meant(self, index: int, kind: Slip, moves: list[chess.Move], board: chess.Board) -> Iterator[Found]:
        for move in moves:
            after = board.copy(stack=False)
            after.push(move)
            reached = self.score.replay(after, (), index + 1)
            found, expected = self._named(index, index), self._numbered(index, board.san(move))
            yield from self._found(kind.value, index, reached, index + 1, found=found, expected=expected)

    def _left_out(self, index: int, *, twice: bool) -> Iterator[Iterable[Found]]:
        """The move at `index` is one too many; then it and the next one. `twice` asks for what is written twice, or not."""
        for many in (1, 2):
            board = self.boards.get(index)
            if board is None or index + many > len(self.score):
                return
            if self._is_written_twice(index, many) != twice:
                continue
            reached = self.score.replay(board.copy(stack=False), (), index + many)
            found = self._named(index, index + many - 1)
            yield self._found("left-out", index, reached, index + many, found=found)

    def _is_written_twice(self, index: int, many: int) -> bool:
        """Whether one move, or two, stand before `index` already; a single one may be the last move of either side."""

        def same(one: int, other: int) -> bool:
            return one >= 0 and self.score.text(one) == self.score.text(other)

        if many == 2:
            return same(index - 2, index) and same(index - 1, index + 1)
        return same(index - 1, index) or same(index - 2, index)

    def _missing(self, index: int) -> Iterator[Found]:
        """A move is missing before the one at `index`."""
        board = self.boards.get(index)
        if board is None:
            return
        for move in in_order(board):
            after = board.copy(stack=False)
            after.push(move)
            reached = self.score.replay(after, (), index)
            expected = self._numbered(index, board.san(move))
            found = self._named(index, index, 1)
            yield from self._found("missing", index, reached, index, found=found, expected=expected)

    def _transposed(self, one: int, other: int) -> Iterator[Found]:
        """The moves at these two places have changed places."""
        board = self.boards.get(one)
        if board is None or other >= len(self.score):
            return
        order = (other, *range(one + 1, other), one)
        reached = self.score.replay(board.copy(stack=False), order, other + 1)
        found, expected = self._named(one, one), self._named(other, other)
        yield from self._found("transposed", one, reached, other + 1, found=found, expected=expected)

    def _started(self, starts: Iterable[OtherStart]) -> Iterator[Found]:
        """Men or board stood otherwise at the start."""
        for start in starts:
            if self.score.spent:
                return
            shown = start.shown
            reached = self.score.replay(start.board, (), 0, start.turned)
            yield from self._found(start.reason, None, reached, 0, side=start.side, expected=shown)

    # ---------------------------------------------------------------------------------------------- words

    def _numbered(self, index: int, text: str, shift: int = 0) -> str:
        """A move with its number, `shift` plies later than the position at `index` would have it."""
        bad = self.boards[self.score.bad]
        # The board counts from the number that its FEN gives.
        plies = 2 * (bad.fullmove_number - 1) + (bad.turn == chess.BLACK) + index - self.score.bad + shift
        return f"{plies // 2 + 1}{'.' if plies % 2 == 0 else '...'} {text}"

    def _named(self, first: int, last: int, shift: int = 0) -> str:
        """Some moves as they are written, with the number of the first."""
        return self._numbered(first, " ".join(self.score.text(index) for index in range(first, last + 1)), shift)


def diagnose(facts: Facts, start: chess.Board, line: Line) -> None:
    """Report the assumption that explains most of the moves behind the one that stopped the mainline (M391)."""
    if line.bad_token is None or line.over or line.unjudged < MIN_TO_END:
        return
    if "@" in facts.text(line.bad_token):
        return  # a man that is dropped: another game, in which slips mean nothing
    score = Score.of(facts, line)
    search = Search(score, _boards(start, line), [ply.move for ply in line.plies])
    search.run(start, line.wrong_side)
    best = search.best
    if best is None:
        return
    facts.add(
        "M391",
        line.bad_token,
        Place(line.next_ply),
        best.evidence,
        reason=best.reason,
        reach="end" if best.reached == len(score) else "part",
        count=best.count,
        first_ply=None if best.index is None else line.first_ply + best.index,
        rivals=search.rivals or None,
        limit=score.limit if score.spent else None,
    )


def _boards(start: chess.Board, line: Line) -> dict[int, chess.Board]:
    """The positions before the bad move and before those that are not too far back."""
    board = start.copy(stack=False)
    boards = {}
    for index, ply in enumerate(line.plies):
        if index >= len(line.plies) - FAR_BACK:
            boards[index] = board.copy(stack=False)
        board.push(ply.move)
    boards[len(line.plies)] = board
    return boards
