"""What an engine is asked for and what it gives: steps through a source, each with rows, counts, and the place behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chesstools.profile_choice import Choice
from chesstools.rules import Selection
from chesstools.summary import SourceSummary

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Position:
    """A place between two games, from which reading can go on.

    `byte_offset` counts decompressed bytes. `glued` and `too_long` are what must be remembered of the text before it.
    """

    byte_offset: int = 0
    line: int = 1
    game_index: int = 0
    glued: bool = False
    """The next game's tags stand right behind a result, without a blank line."""
    too_long: bool = False
    """The rest of a game that went over the limit comes next."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A place at which the stored bytes of a source can be entered: any in a plain file, where a member, stream or frame begins
    in a packed one."""

    stored: int = 0
    """The byte of the file."""
    offset: int = 0
    """The byte of the text that stands there."""


@dataclass(slots=True)
class Step:
    """Rows of some consecutive games (and quarantined regions between them), and what they add to the counts."""

    batches: dict[str, pa.RecordBatch]
    end: Position
    summary: SourceSummary


@dataclass(frozen=True, slots=True)
class Job:
    """What is wanted of a source."""

    source: str
    tables: Sequence[str]
    choice: Choice
    selection: Selection
    batch_games: int | None = None
    """Games and quarantined regions in one step at most; None: as many as suit the engine."""
    with_hash: bool = False
    """Whether `Source.hash` is asked for when the source was read."""
    stored: bool = False
    """Whether the engine may give rows with the types of `chesstools.stored`, for those who store them."""
    nodes: int | None = None
    """Positions to look at, at most, to know whether a side can still mate; None: what takes microseconds (`quick`)."""
