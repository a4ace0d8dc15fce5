"""What `convert` can read. Each reader makes PGN text of its format, and the text is judged as any PGN is.

A reader makes records of what it finds (`chesstools.readers.record`), one for each game; `as_pgn` gives sources whose bytes are
the PGN text of these, so that they can be used wherever a source can.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, cast

from chesstools.errors import OptionError, SourceError
from chesstools.source import Source, Wanted

if TYPE_CHECKING:
    from chesstools.readers.reading import Read

__all__ = ["READERS", "Reader", "as_pgn", "format_of"]


@dataclass(frozen=True, slots=True)
class Reader:
    """Something that games can be read from.

    Attributes:
        name: as ``--from`` has it.
        home: the module with the function `function`, which makes records; loaded when it is wanted; empty for PGN itself.
    """

    name: str
    home: str = ""
    function: str = ""

    def read(self) -> Read:
        """The function that makes records."""
        return cast("Read", getattr(import_module(f"chesstools.readers.{self.home}"), self.function))


READERS: dict[str, Reader] = {
    reader.name: reader
    for reader in (
        Reader("pgn"),
        Reader("json", "json_games", "read_json"),
        Reader("csv", "csv_table", "read_csv"),
        Reader("parquet", "arrow_tables", "read_parquet"),
        Reader("arrow", "arrow_tables", "read_arrow"),
        Reader("moves", "move_list", "read_moves"),
        Reader("positions", "positions", "read_positions"),
        Reader("dataset", "dataset_folder", "read_dataset"),
    )
}
"""By name. ``json`` is our own lines, chess.com's API and Lichess's exports; ``moves`` are SAN, LAN and UCI, ``positions`` FEN
and EPD."""


BY_SUFFIX = {
    ".pgn": "pgn",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
    ".csv": "csv",
    ".tsv": "csv",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".arrows": "arrow",
    ".uci": "moves",
    ".san": "moves",
    ".lan": "moves",
    ".fen": "positions",
    ".epd": "positions",
}
"""What the ending of a name tells."""

ANY = Wanted(tuple(BY_SUFFIX), True)
"""What `chesstools.source.find_sources` is to find in folders and archives for `convert`."""


def as_pgn(sources: Sequence[Source], form: str | None = None) -> list[Source]:
    """The sources as PGN text: of the format `form`, or of the one that the content and the name of each tell.

    Raises OptionError where there is no such format.

    >>> (source,) = as_pgn([Source.from_bytes(b"e2e4 e7e5\\n", "games.uci")])
    >>> b"".join(source.open())
    b'e2e4 e7e5\\n'
    """
    if form is not None and form not in READERS:
        raise OptionError(f"There is no format {form!r} to read; choose from {', '.join(READERS)}.")
    return [_as_pgn(source, form or format_of(source)) for source in sources]


def _sniffed(source: Source) -> Source:
    """Of what can be read only once, the first bytes cannot be looked at before."""
    from chesstools.readers.reading import PipeReading

    made = Source(source.name, source.size, source.mtime_ns, source.resumable)
    made.reading = partial(PipeReading, source)
    return made


def _as_pgn(source: Source, form: str) -> Source:
    if source.reading is not None or form == "pgn":
        return source
    if form == "?":
        return _sniffed(source)
    from chesstools.readers.reading import FolderReading, PgnReading

    kind = FolderReading if form == "dataset" else PgnReading
    made = Source(source.name, source.size, source.mtime_ns, source.resumable)
    made.reading = partial(kind, source, READERS[form].read())
    return made


def format_of(source: Source) -> str:
    """The name of the reader for a source: what its first bytes tell, and its name where these leave it open.

    ``?`` for what can be read only once: that is told when it is read, unless its name tells. An object of a store that is called
    PGN is not looked at.
    """
    from chesstools.readers.recognise import HEAD_BYTES, recognise, suffix_of

    if source.dataset is not None:
        return "dataset"
    if not source.resumable:
        return BY_SUFFIX.get(suffix_of(source.name), "?")
    if source.object is not None and suffix_of(source.name) == ".pgn":
        return "pgn"
    try:
        with replace(source).open(HEAD_BYTES) as stream:
            return recognise(source.name, next(stream, b""))
    except SourceError:  # it will be said where it is read
        return "pgn"
