"""check_fen(): all that is wrong with a position, at once: its FEN text, and what no game can have led to (FIDE 3.10.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import chess

from chesstools import rules
from chesstools.errors import OptionError
from chesstools.finding import Severity
from chesstools.reference.fen import FATAL, Setup, read_fen
from chesstools.rules import Rule


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
    one of the problems (F202). `chess960` says that it is known to be Chess960; otherwise it is taken for that only where the
    castling rights can mean nothing else. What is found is told by counting and by looking at the last move: that nothing is
    found does not prove that a game can lead there.

    >>> for problem in check_fen("4k3/8/8/8/8/8/P1P5/1B2K3 w - - 9 1"):
    ...     print(problem.code, problem.severity.value, problem.message)
    F208 warning the counters of the FEN do not fit: the halfmove clock is 9 but only 0 plies can have been played
    F214 error the bishop of White on b1 stands behind own pawns that never moved, where no bishop can get
    """
    setup = read_fen(fen, chess960=chess960)
    problems = []
    for code, evidence in setup.problems:
        severity = evidence.pop("severity", rules.get_rule(code).severity)
        assert isinstance(severity, Severity)
        problems.append(FenProblem(code, severity, evidence, lang))
    return problems


def playable(fen: str, *, chess960: bool = False) -> chess.Board:
    """The board, where a game can be played from the position; it may have been mended as `check_fen` says.

    Raises OptionError with all reasons where it cannot.
    """
    setup = read_fen(fen, chess960=chess960)
    if setup.board is None:
        raise OptionError(f"The position {fen!r} cannot be played: {'; '.join(_reasons(setup))}.")
    return setup.board


def _reasons(setup: Setup) -> list[str]:
    return [str(evidence["reason"]) for code, evidence in setup.problems if code in FATAL or code == "F201"]
