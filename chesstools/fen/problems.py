"""check(): all that is wrong with positions, at once: their FEN text, and what no game can have led to (FIDE 3.10.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import chess
import pyarrow as pa

from chesstools import rules
from chesstools.errors import OptionError
from chesstools.finding import Severity
from chesstools.reference.epd_line import split_line
from chesstools.reference.fen import FATAL, Setup, read_fen
from chesstools.rules import Rule

if TYPE_CHECKING:
    from chesstools.reference.fen_rows import Found


@dataclass(frozen=True, slots=True)
class FenProblem:
    """One thing that is wrong with a position."""

    code: str
    severity: Severity
    evidence: Mapping[str, object]
    lang: str = "en"
    """The language of rule and message."""

    @property
    def rule(self) -> Rule:
        """The rule in the catalogue."""
        return rules.get_rule(self.code, self.lang)

    @property
    def message(self) -> str:
        """One sentence without a full stop."""
        return rules.render(self.code, self.evidence, self.lang)


def check_fen(fen: str, *, chess960: bool = False, lang: str = "en") -> list[FenProblem]:
    """All that is wrong with a position, the same as for the start position of a game; an empty list for nothing.

    `fen` should have six fields; with fewer (White to move, no castling, no en passant, clock 0, move 1 are filled in) that is
    one of the problems (F202), but not where the operations of an EPD stand behind four. `chess960` says that it is known to be
    Chess960; otherwise it is taken for that only where the castling rights can mean nothing else. What is found is told by
    counting and by looking at the last move: that nothing is found does not prove that a game can lead there.

    >>> for problem in check_fen("4k3/8/8/8/8/8/P1P5/1B2K3 w - - 9 1"):
    ...     print(problem.code, problem.severity.value, problem.message)
    F208 warning the counters of the FEN do not fit: the halfmove clock is 9 but only 0 plies can have been played
    F214 error the bishop of White on b1 stands behind own pawns that never moved, where no bishop can get
    """
    setup = read_fen(split_line(fen).position, chess960=chess960)
    problems = []
    for code, evidence in setup.problems:
        severity = evidence.pop("severity", rules.get_rule(code).severity)
        assert isinstance(severity, Severity)
        problems.append(FenProblem(code, severity, evidence, lang))
    return problems


def check(fens: Any, *, chess960: bool = False, lang: str = "en", engine: str | None = None) -> Any:
    """All that is wrong with positions, as `check_fen` finds it.

    One position (a string) gives a list of `FenProblem`, a list of positions a list of such lists. An Arrow array gives a table
    and a pandas Series a DataFrame with its index: columns `ok` (no error was found), `playable` (a game can be played from it),
    `severity` (the worst, null for nothing), `codes` and `messages` (lists, in the order in which they were found). Nulls for a
    null.

    >>> [[problem.code for problem in problems] for problems in check(["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3"])]
    [[], ['F202']]
    >>> check(pa.array(["4k3/8/8/8/8/8/8/4K3 w K - 0 1"])).to_pylist()[0]["codes"]
    ['F209']
    """
    if isinstance(fens, str):
        return check_fen(fens, chess960=chess960, lang=lang)
    from chesstools.fen.columns import Column
    from chesstools.fen.rows import check_rows

    column = Column(fens)
    checked = [Checked(texts, *check_rows(texts, chess960=chess960, engine=engine), lang) for texts in column.slices()]
    if column.is_list:
        return [problems for part in checked for problems in part.all_problems()]
    return column.like_table(pa.Table.from_batches([part.table() for part in checked], Checked.SCHEMA))


class Checked:
    """What was found in some lines: the rows of `chesstools.fen.rows.check_rows`, made into what people and tables want."""

    SCHEMA = pa.schema(
        [
            pa.field("ok", pa.bool_()),
            pa.field("playable", pa.bool_()),
            pa.field("severity", pa.string()),
            pa.field("codes", pa.list_(pa.string())),
            pa.field("messages", pa.list_(pa.string())),
        ]
    )

    def __init__(self, lines: pa.StringArray, rows: pa.RecordBatch, found: list[Found], lang: str) -> None:
        self.lines = lines
        self._rows = rows
        self._places: pa.ListArray = rows.column("problems")
        self._found = found
        self._lang = lang
        self._severities = [Severity(word) if word else rules.get_rule(code).severity for code, word, _, _ in found]

    def counts(self) -> dict[Severity, int]:
        """How many findings of each severity there are."""
        import numpy as np

        numbers = np.bincount(self._places.flatten().to_numpy(), minlength=len(self._found))
        counts: dict[Severity, int] = {}
        for severity, number in zip(self._severities, numbers.tolist(), strict=True):
            counts[severity] = counts.get(severity, 0) + number
        return counts

    def distinct(self) -> list[FenProblem]:
        """All that was found, each once and without the position."""
        return [self._problem(place, None) for place in range(len(self._found))]

    def faulty(self) -> Iterator[tuple[int, list[int]]]:
        """The rows with findings, and where in `distinct` these are."""
        import pyarrow.compute as pc

        rows = pc.indices_nonzero(pc.fill_null(pc.list_value_length(self._places), 0))
        return zip(rows.to_pylist(), self._places.take(rows).to_pylist(), strict=True)

    def all_problems(self) -> Iterator[list[FenProblem]]:
        """What was found in each row."""
        faulty = dict(self.faulty())
        for row in range(len(self.lines)):
            places = faulty.get(row, [])
            position = split_line(self.lines[row].as_py()).position if places else None
            yield [self._problem(place, position) for place in places]

    def _problem(self, place: int, position: str | None) -> FenProblem:
        code, _, token, evidence = self._found[place]
        told = dict(evidence)
        if token is not None:
            told["token"] = token
        if position is not None:
            told.setdefault("found", position)
        return FenProblem(code, self._severities[place], told, self._lang)

    def table(self) -> pa.RecordBatch:
        """The columns of `SCHEMA`, one row a line."""
        import numpy as np

        flat = self._places.flatten()
        codes = pa.array([code for code, _, _, _ in self._found], pa.string())
        messages = pa.array([problem.message for problem in self.distinct()], pa.string())
        ranks = np.array([list(Severity).index(severity) + 1 for severity in self._severities], np.int8)
        starts = self._places.offsets.to_numpy()
        filled = starts[:-1] < starts[1:]
        worst = np.zeros(len(self.lines), np.int8)
        if len(flat):
            worst[filled] = np.maximum.reduceat(ranks[flat.to_numpy()], starts[:-1][filled] - starts[0])
        words = pa.array([None, *(severity.value for severity in Severity)], pa.string())
        nulls = self._places.is_null()
        columns = [
            pa.array(worst <= list(Severity).index(Severity.WARNING) + 1, mask=nulls.to_numpy(zero_copy_only=False)),
            self._rows.column("playable"),
            words.take(pa.array(worst)),
            self._lists(codes.take(flat)),
            self._lists(messages.take(flat)),
        ]
        return pa.RecordBatch.from_arrays(columns, schema=self.SCHEMA)

    def _lists(self, flat: pa.Array) -> pa.ListArray:
        """The values of all rows as a list a row."""
        if self._places.null_count == 0:
            return pa.ListArray.from_arrays(self._places.offsets, flat)
        return pa.ListArray.from_arrays(self._places.offsets, flat, mask=self._places.is_null())


def playable(fen: str, *, chess960: bool = False) -> chess.Board:
    """The board, where a game can be played from the position; it may have been mended as `check_fen` says.

    Raises OptionError with all reasons where it cannot.
    """
    setup = read_fen(split_line(fen).position, chess960=chess960)
    if setup.board is None:
        raise OptionError(_reasons(fen, "played", setup))
    return setup.board


def why_not_understood(fen: str, *, chess960: bool = False) -> str:
    """A sentence with what keeps a position from being read in full and played."""
    setup = read_fen(split_line(fen).position, chess960=chess960)
    return _reasons(fen, "played" if setup.is_read else "read", setup)


def _reasons(fen: str, verb: str, setup: Setup) -> str:
    reasons = [str(evidence["reason"]) for code, evidence in setup.problems if code in FATAL or code == "F201"]
    return f"The position {fen!r} cannot be {verb}: {'; '.join(reasons)}."
