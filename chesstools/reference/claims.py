"""What follows from the watch over draws: automatic draws, rights that lapsed and came back, draws that fit a claim or do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import chess

from chesstools.reference.draws import DrawWatch, Run
from chesstools.reference.facts import Facts, Place
from chesstools.reference.lexer import FILLERS, Token
from chesstools.reference.replay import Replay
from chesstools.reference.said import Said
from chesstools.reference.setup_check import side_name
from chesstools.reference.tags import Tags

SPOKEN_OF = {"threefold": "repetition", "fifty": "fifty"}
"""Kinds of runs by the reason that the source gives."""


@dataclass(frozen=True, slots=True)
class Spans:
    """First and last index at which a claim was possible, for one side and kind; None where none was."""

    first: int | None = None
    last: int | None = None


def spans(watch: DrawWatch | None) -> list[Spans]:
    """For White by repetition, Black by repetition, White by the 50-move rule, Black by it."""
    found = []
    for kind in ("repetition", "fifty"):
        for side in (chess.WHITE, chess.BLACK):
            runs = [] if watch is None else [run for run in watch.runs if run.kind == kind and run.side == side]
            found.append(Spans(runs[0].first, runs[-1].last) if runs else Spans())
    return found


def first_automatic(watch: DrawWatch | None, first_dead: int | None) -> int | None:
    """The first index at which the game was drawn without anybody's claim (5.2.2, 9.6)."""
    known = [first_dead] if watch is None else [first_dead, watch.drawn_by_repetition, watch.drawn_by_moves]
    return min((index for index in known if index is not None), default=None)


def position_token(facts: Facts, tags: Tags, replay: Replay, index: int) -> Token:
    """The move that leads to position `index`; for the start position the FEN tag, or the first token of the game."""
    if index > 0:
        return replay.mainline.plies[index - 1].token
    return tags.tokens.get("FEN") or next(token for token in facts.region.tokens if token.kind not in FILLERS)


class Claims:
    """Reports on one game."""

    def __init__(self, facts: Facts, tags: Tags, replay: Replay, watch: DrawWatch) -> None:
        self._facts = facts
        self._tags = tags
        self._replay = replay
        self._watch = watch
        self._last = len(replay.mainline.plies)

    def automatic(self) -> None:
        """Report where the Laws drew the game without a claim (D603, D612); what a server draws sooner is no news."""
        watch, profile = self._watch, self._watch.profile
        if watch.drawn_by_repetition is not None and not profile.threefold_automatic:
            assert watch.drawn_occurrences is not None
            evidence = watch.drawn_occurrences.evidence()
            self._add("D603", watch.drawn_by_repetition, {**evidence, "limit": profile.fivefold_draw})
        if watch.drawn_by_moves is not None and not profile.fifty_automatic:
            self._add("D612", watch.drawn_by_moves, {"limit": profile.seventyfive_draw})

    def lapses(self) -> None:
        """Report rights that lapsed when a side moved, and came back later (D602, 10.11)."""
        before: dict[tuple[str, chess.Color], Run] = {}
        for run in self._watch.runs:
            earlier = before.get((run.kind, run.side))
            before[run.kind, run.side] = run
            if earlier is not None:
                # A claim stands at a position; it lapses with the move that leads to the next one.
                token = position_token(self._facts, self._tags, self._replay, earlier.last + 1)
                side = side_name(run.side)
                lost, back = earlier.last + 1, run.first
                self._facts.add("D602", token, Place(lost), side=side, first_ply=lost, last_ply=back, reason=run.kind)

    def fitting(self, end: Token) -> None:
        """Report a draw that was made where a claim was possible (D620). Call it for drawn games."""
        for run in self._watch.runs:
            if run.last == self._last:
                self._facts.add("D620", end, side=side_name(run.side), last_ply=run.last, reason=run.kind)

    def unsupported(self, said: Sequence[Said], end: Token) -> None:
        """Report words about a claim that was not possible at the end (D621): the first of them. Call it for drawn games."""
        for words in said:
            kind = SPOKEN_OF.get(words.reason or "")
            if kind is None:
                continue
            watch, profile = self._watch, self._watch.profile
            board = self._replay.board
            assert board is not None
            repetition = kind == "repetition"
            drawn = watch.drawn_by_repetition if repetition else watch.drawn_by_moves
            reached = watch.repetition if repetition else board.halfmove_clock
            limit = profile.threefold_claim if repetition else profile.fifty_claim
            possible = any(run.kind == kind and run.last == self._last for run in watch.runs)
            # A game that is over can no longer be claimed, but what is said of it may well be true.
            true = drawn is not None or (watch.over and limit is not None and reached >= limit)
            if not possible and not true:
                self._facts.add("D621", words.token or end, found=words.text, count=reached, limit=limit, reason=kind)
            return

    def _add(self, code: str, index: int, evidence: dict[str, object]) -> None:
        token = position_token(self._facts, self._tags, self._replay, index)
        self._facts.add(code, token, Place(index), {"first_ply": index, **evidence})
