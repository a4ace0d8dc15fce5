"""Many positions at once: a column of lines in, a table with a row for each out. What a row says stands with the native core."""

from __future__ import annotations

from collections import Counter

import chess
import pyarrow as pa
import xxhash

from chesstools.finding import Severity
from chesstools.reference.epd_line import split_line
from chesstools.reference.fen import read_fen
from chesstools.reference.normal_form import Form, normalise, sameness
from chesstools.reference.position_key import position_key
from chesstools.reference.text import trim

Found = tuple[str, str | None, str | None, list[tuple[str, object]]]
"""Code, severity where it is not that of the catalogue, token where it is not the line, evidence without the line itself."""

_TEXTS = pa.list_(pa.field("item", pa.string()))


def check_rows(lines: pa.StringArray, *, chess960: bool) -> tuple[pa.RecordBatch, list[Found]]:
    """Columns `read` (every field could be read), `playable`, and `problems`: places in the list, which holds each once.

    Null for a null.
    """
    read: list[bool | None] = []
    playable: list[bool | None] = []
    problems: list[list[int] | None] = []
    distinct: dict[object, int] = {}
    listed: list[Found] = []
    for text in lines.to_pylist():
        if text is None:
            read.append(None)
            playable.append(None)
            problems.append(None)
            continue
        position = split_line(text).position
        setup = read_fen(position, chess960=chess960)
        read.append(setup.is_read)
        playable.append(setup.board is not None)
        places = []
        for code, evidence in setup.problems:
            severity, token = evidence.pop("severity", None), evidence.pop("token", None)
            if evidence["found"] == position:
                del evidence["found"]
            found: Found = (
                code,
                severity.value if isinstance(severity, Severity) else None,
                None if token is None else str(token),
                list(evidence.items()),
            )
            place = distinct.setdefault((*found[:3], *found[3]), len(listed))
            if place == len(listed):
                listed.append(found)
            places.append(place)
        problems.append(places)
    return _batch(
        read=pa.array(read, pa.bool_()),
        playable=pa.array(playable, pa.bool_()),
        problems=pa.array(problems, pa.list_(pa.field("item", pa.int32()))),
    ), listed


def normalise_rows(lines: pa.StringArray, *, form: Form, chess960: bool) -> pa.RecordBatch:
    """Columns `fen` (the line in that form) and `changes`; null for a position that cannot be read in full or played."""
    normal = [None if text is None else normalise(text, form, chess960=chess960) for text in lines.to_pylist()]
    return _batch(
        fen=pa.array([row and row[0] for row in normal], pa.string()),
        changes=pa.array([row and row[1] for row in normal], _TEXTS),
    )


def key_rows(lines: pa.StringArray, *, chess960: bool) -> pa.RecordBatch:
    """Columns `position_key` and `position`; null for a position that cannot be read in full or played."""
    boards = [understood(text, chess960) for text in lines.to_pylist()]
    return _batch(
        position_key=pa.array([board and position_key(board) for board in boards], pa.uint64()),
        position=pa.array([board and sameness(board) for board in boards], pa.string()),
    )


def moves_rows(lines: pa.StringArray, *, chess960: bool) -> pa.RecordBatch:
    """Columns `san` and `uci`: the legal moves; null for a position that cannot be read in full or played."""
    boards = [understood(text, chess960) for text in lines.to_pylist()]
    sans = [None if board is None else [board.san(move) for move in board.legal_moves] for board in boards]
    ucis = [None if board is None else [board.uci(move) for move in board.legal_moves] for board in boards]
    return _batch(san=pa.array(sans, _TEXTS), uci=pa.array(ucis, _TEXTS))


class SeenPositions:
    """The positions that were seen so far, each as a hash of 128 bits."""

    def __init__(self, *, by_text: bool, chess960: bool) -> None:
        self._by_text = by_text
        self._chess960 = chess960
        self._seen: set[bytes] = set()

    def add(self, lines: pa.StringArray) -> pa.RecordBatch:
        """Columns `is_new`, whether a position was not seen before, and `is_understood`.

        It is told by its text or by its sameness; what cannot be read in full or played, by its text. A null is always new.
        Whether it can be read in full and played is null where that was not looked at: by text, and of a null.
        """
        rows = [(True, None) if text is None else self._row(text) for text in lines.to_pylist()]
        return _batch(
            is_new=pa.array([is_new for is_new, _ in rows], pa.bool_()),
            is_understood=pa.array([is_understood for _, is_understood in rows], pa.bool_()),
        )

    def _row(self, text: str) -> tuple[bool, bool | None]:
        board = None if self._by_text else understood(text, self._chess960)
        is_understood = None if self._by_text else board is not None
        # No position begins with the sign: such a text is the same as no position.
        identity = "=" + trim(text) if board is None else sameness(board)
        digest, before = xxhash.xxh3_128_digest(identity.encode()), len(self._seen)
        self._seen.add(digest)
        return len(self._seen) > before, is_understood


def understood(text: str | None, chess960: bool) -> chess.Board | None:
    """The board of a position that can be read in full and played."""
    if text is None:
        return None
    setup = read_fen(split_line(text).position, chess960=chess960)
    return setup.board if setup.is_read else None


def perft(board: chess.Board, depth: int) -> int:
    """Lines of `depth` legal plies; 1 for none.

    >>> perft(chess.Board(), 3)
    8902
    """
    if depth == 0:
        return 1
    if depth == 1:
        return board.legal_moves.count()
    count = 0
    for move in board.legal_moves:
        board.push(move)
        count += perft(board, depth - 1)
        board.pop()
    return count


def divide(board: chess.Board, depth: int) -> list[tuple[str, int]]:
    """Every legal move (UCI) with the number of lines of `depth` plies that begin with it."""
    counts: Counter[str] = Counter()
    for move in list(board.legal_moves):
        text = board.uci(move)
        board.push(move)
        counts[text] = perft(board, depth - 1)
        board.pop()
    return list(counts.items())


def _batch(**columns: pa.Array) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict(columns)
