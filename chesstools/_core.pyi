"""Types of the native core; see `chesstools/native.py` for how it is used."""

from collections.abc import Iterator, Mapping
from typing import Any, final

from chesstools.profiles import Profile

LOOK_BEHIND: int
"""Bytes before a start in the middle of a stream that the core wants to see."""

Position = tuple[int, int, int, bool, bool]
"""The fields of a `chesstools.step.Position`."""

@final
class Scan:
    """Judges a stream of bytes. Iterate it: each `Part` stands for rows that wait in the streams of `batches`."""

    def __new__(
        cls,
        blocks: Iterator[bytes],
        *,
        offset: int,
        start: Position,
        source: str,
        schemas: Mapping[str, Any],
        profile: Profile,
        codes: set[str],
        batch_games: int | None,
        jobs: int,
    ) -> Scan: ...
    def __iter__(self) -> Scan: ...
    def __next__(self) -> Part: ...
    def batches(self, table: str) -> Batches:
        """The stream of record batches of one table: after each part one batch waits in it."""

    def close(self) -> None:
        """Stop the threads. What was not read by then is not read."""

@final
class Part:
    """Some consecutive regions: judged (then `counts` tells of them), or games that the readable engine must judge."""

    end: Position
    first_game: int
    counts: dict[str, Any] | None
    games: list[tuple[Any, ...]] | None

@final
class Batches:
    """The batches of one table as an Arrow stream."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
