"""What a conversion is asked for, and what it tells at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chesstools.errors import SourceError
from chesstools.source import BLOCK_BYTES, Source

if TYPE_CHECKING:
    from chesstools.output import Output

LEFT = (
    "tags",
    "moves",
    "comments",
    "commands",
    "nags",
    "variations",
    "unread",
    "tails",
    "results",
    "behind",
    "escape_lines",
    "outside",
    "open_comments",
    "renumbered",
)
"""What can be left behind: see docs/conversion.md."""

Progress = Callable[[int, int], None]
"""Told now and then of the stored bytes read and the games converted so far."""


@dataclass(frozen=True, slots=True)
class Task:
    """What a writer is asked for.

    Attributes:
        sources: PGN text, one source after the other (`chesstools.readers` makes such of other formats).
        output: where it goes.
        format: name of the format.
        options: all that mean something to the format (`chesstools.formats.check_options`).
        jobs: processors to work on; has no effect on what is written.
        engine: ``native`` or ``reference``; has no effect on what is written.
    """

    sources: Sequence[Source]
    output: Output
    format: str
    options: Mapping[str, Any]
    jobs: int = 1
    engine: str = "native"
    block_bytes: int = BLOCK_BYTES
    progress: Progress | None = None


@dataclass(slots=True)
class Conversion:
    """What became of a conversion.

    Attributes:
        format: name of the format that was written.
        games: how many games were converted.
        left: what the format could not hold or was not to hold, counted by the kinds of `LEFT`.
        errors: one sentence for each source that could not be read to its end.
        notes: what else is to be known of a source, such as what its format held that PGN has no place for.
        seconds: time that it took.
        foreign: how many games have a move that cannot be played and looks like one with letters of another language, where
            English ones were to be read, and text was written.
        left_whole: on a cluster, a sentence for each large source that could not be cut, and was read by one process.
    """

    format: str
    games: int = 0
    left: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0
    foreign: int = 0
    left_whole: list[str] = field(default_factory=list)

    def add(self, games: int, left: Mapping[str, int]) -> None:
        """Count some games in.

        >>> conversion = Conversion("uci")
        >>> conversion.add(1, {"comments": 2, "nags": 0})
        >>> conversion.left
        Counter({'comments': 2})
        """
        self.games += games
        for kind, count in left.items():
            if kind == "foreign":
                self.foreign += count
            elif count:
                self.left[kind] += count

    def merge(self, other: Conversion) -> None:
        """Add what became of more games.

        >>> conversion = Conversion("uci", 2)
        >>> conversion.merge(Conversion("uci", 1, Counter(comments=1), notes=["a.pgn.gz: trailing-garbage"]))
        >>> conversion.games, conversion.notes
        (3, ['a.pgn.gz: trailing-garbage'])
        """
        self.games += other.games
        self.left += other.left
        self.foreign += other.foreign
        self.errors += other.errors
        self.notes += other.notes

    def raise_errors(self) -> None:
        """Raise SourceError for the first source that could not be read to its end."""
        if self.errors:
            raise SourceError(self.errors[0])
