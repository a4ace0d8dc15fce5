"""What `convert` can read. Each reader makes PGN text of its format, and the text is judged as any PGN is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath
from typing import cast

from chesstools.compression import SUFFIXES
from chesstools.errors import OptionError
from chesstools.source import Source

AsPgn = Callable[[Source], Source]
"""Gives a source whose bytes are the PGN text of the games in another."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Something that games can be read from.

    Attributes:
        name: as ``--from`` has it.
        suffixes: endings of file names that mean it, without those of packing.
        home: the module with its function ``as_pgn(source: Source) -> Source``, loaded when it is wanted; empty for PGN itself.
    """

    name: str
    suffixes: tuple[str, ...]
    home: str = ""

    def as_pgn(self, source: Source) -> Source:
        """The source as PGN text."""
        return source if not self.home else cast("AsPgn", import_module(self.home).as_pgn)(source)


READERS: dict[str, Reader] = {reader.name: reader for reader in (Reader("pgn", (".pgn",)),)}
"""By name. Whoever reads another format adds it here."""


def reader_of(source: Source) -> Reader:
    """The reader that the name of a source asks for; PGN where it asks for none.

    >>> reader_of(Source.from_bytes(b"", "games.pgn.zst")).name
    'pgn'
    """
    name = PurePath(source.name).name.lower()
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    return next((reader for reader in READERS.values() if name.endswith(reader.suffixes)), READERS["pgn"])


def as_pgn(sources: Sequence[Source], form: str | None = None) -> list[Source]:
    """The sources as PGN text; of the format `form`, or of the one that the name of each asks for.

    Raises OptionError where there is no such format.
    """
    if form is not None and form not in READERS:
        raise OptionError(f"There is no format {form!r} to read; choose from {', '.join(READERS)}.")
    return [(READERS[form] if form is not None else reader_of(source)).as_pgn(source) for source in sources]
