"""Finding, Severity, Location: what is wrong with the data, and where.

Engines produce findings as facts: a code and its evidence. The sentence a person reads is rendered from the catalogue
(`chesstools.rules`), so that it can be shown in another language later without running anything again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Severity(str, Enum):
    """How bad a finding is. Ordered: ``Severity.ERROR >= Severity.WARNING``.

    >>> Severity("warning") >= Severity.INFO
    True
    """

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        """0 for info, 1 for warning, 2 for error."""
        return _RANK[self.value]

    def __ge__(self, other: object) -> bool:
        return self.rank >= other.rank if isinstance(other, Severity) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self.rank > other.rank if isinstance(other, Severity) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.rank <= other.rank if isinstance(other, Severity) else NotImplemented

    def __lt__(self, other: object) -> bool:
        return self.rank < other.rank if isinstance(other, Severity) else NotImplemented


_RANK = {"info": 0, "warning": 1, "error": 2}


@dataclass(frozen=True, slots=True)
class Location:
    """Where something stands in its source.

    Bytes and games count from 0, lines from 1; `ply` n is the move that leads from position n-1 to position n.
    `game_index` is None outside of any game, `ply` is None for what belongs to no move, `variation` is None on the
    mainline and otherwise a path such as ``"5.1/7.2"`` (second variation to ply 7 inside the first one to ply 5).
    """

    source: str
    game_index: int | None
    line: int
    byte_offset: int
    byte_length: int
    ply: int | None = None
    variation: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One departure from the Laws or the PGN standard: a rule's code, where it was seen, and the evidence.

    `evidence` holds the named fields of the rule's message. Those with a column of their own in the findings table
    (`chesstools.schema.EVIDENCE_COLUMNS`) are typed; all others are text.
    """

    code: str
    severity: Severity
    where: Location
    token: str | None = None
    fen_before: str | None = None
    evidence: dict[str, object] = field(default_factory=dict)
    profile: str = "fide-2023"
