"""Where a game starts and by which rules: from the tags FEN, SetUp and Variant."""

from __future__ import annotations

import re
from dataclasses import dataclass

import chess
import chess.variant

from chesstools.finding import Severity
from chesstools.reference.facts import Facts
from chesstools.reference.fen import read_fen
from chesstools.reference.tags import Tags
from chesstools.reference.text import words

_STANDARD = frozenset({"", "?", "-", "standard", "normal", "chess", "from position", "fromposition", "regular", "none"})
_CHESS960 = re.compile(r"chess ?-?960|960|fischer ?-?r?andom( chess)?|frc|freestyle( chess)?|from position 960")
_ARRAY = chess.STARTING_BOARD_FEN


@dataclass(slots=True)
class Start:
    """`board` is None where no game can be played: the FEN does not allow it, or the variant is not known.

    `rules` is ``standard``, ``chess960`` or the name of a variant; None where the variant is not known.
    """

    board: chess.Board | None
    rules: str | None
    setup: chess.Board | None = None
    """The start position as it can be shown, also where no game can be played from it."""


def read_start(facts: Facts, tags: Tags) -> Start:
    """The start position, with findings on the FEN and Variant tags. Tag order does not matter."""
    name = " ".join(words((tags.get("Variant") or "").replace("_", " "))).lower()
    fen = tags.get("FEN")
    chess960 = _CHESS960.fullmatch(name) is not None
    variant: type[chess.Board] = chess.Board
    rules = "chess960" if chess960 else "standard"
    if not chess960 and name not in _STANDARD:
        try:
            variant = chess.variant.find_variant(re.sub(r" ?960$", "", name))
        except ValueError:
            facts.add("F221", tags.tokens["Variant"], found=tags.get("Variant"))
            return Start(None, None)
        rules = variant.uci_variant or name
        if variant is chess.Board:
            rules = "standard"
    if fen is None:
        array = variant(chess960=chess960)
        return Start(array, rules, array.copy())
    setup = read_fen(fen, chess960=chess960, variant=variant)
    token = tags.tokens["FEN"]
    for code, evidence in setup.problems:
        shown = str(evidence.pop("token", fen))
        severity = evidence.pop("severity", None)
        assert severity is None or isinstance(severity, Severity)
        facts.add(code, token, evidence=evidence, token=shown, severity=severity)
    board = setup.board
    if board is not None and variant is chess.Board:
        if board.chess960:
            rules = "chess960"
        if not name:
            _check_array(facts, tags, board, chess960)
    return Start(board, rules, None if setup.position is None else setup.position.copy())


def _check_array(facts: Facts, tags: Tags, board: chess.Board, chess960: bool) -> None:
    """A start from another position than the array wants a Variant tag that says so (F220)."""
    if board.chess960 and not chess960:
        reason = "chess960-inferred"
    elif board.board_fen() != _ARRAY:
        reason = "position"
    elif board.turn == chess.BLACK:
        reason = "wrong-side"
    else:
        return
    facts.add("F220", tags.tokens["FEN"], token=tags.get("FEN"), found=tags.get("FEN"), reason=reason)
