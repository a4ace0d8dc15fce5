"""Games as text: PGN, JSON Lines, lists of moves, positions. The native core writes, or the readable exporter, the same bytes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from contextlib import closing
from typing import TYPE_CHECKING, Protocol

from chesstools.conversion import Conversion, Task
from chesstools.errors import SourceError
from chesstools.source import Source
from chesstools.sources.in_turn import in_turn

if TYPE_CHECKING:
    from chesstools.native_export import Text


class Texts(Protocol):
    """Writes the games of one source after the other."""

    def of(self, source: Source) -> Generator[Text, None, None]:
        """The text of the games of a source. Raises SourceError, behind all games that could be read, if it breaks off."""


def write(task: Task) -> Conversion:
    """Write the text of all games, one source after the other."""
    texts = texts_of(task)
    conversion = Conversion(task.format)
    stored = 0
    with task.output.stream() as out:
        for source in in_turn(task.sources):
            with closing(texts.of(source)) as parts:
                try:
                    for text, games, left in parts:
                        out.write(text)
                        conversion.add(games, left)
                        if task.progress is not None:
                            task.progress(stored + source.stored_bytes_read, conversion.games)
                except SourceError as error:
                    conversion.errors.append(str(error))
            stored += source.stored_bytes_read
            conversion.notes += [f"{source.name}: {note}" for note in source.notes]
    return conversion


def texts_of(task: Task) -> Texts:
    """What writes the games of the sources of a task."""
    if task.engine == "native":
        from chesstools.native_export import NativeTexts

        return NativeTexts(task)
    return ReadableTexts(task)


class ReadableTexts:
    """The text as the readable exporter writes it, on one processor."""

    def __init__(self, task: Task) -> None:
        from chesstools.reference.export import Exporter

        self._exporter = Exporter(task.format, task.options)
        self._block_bytes = task.block_bytes

    def of(self, source: Source) -> Generator[Text, None, None]:
        """See `Texts`."""
        with source.open(self._block_bytes) as stream:
            try:
                for text in self._exporter.export(stream, source.name):
                    yield text.encode(), 1, self._left()
            except SourceError:
                yield b"", 0, self._left()
                raise
            yield b"", 0, self._left()

    def _left(self) -> Counter[str]:
        """What was left behind since this was asked last."""
        left, self._exporter.left = self._exporter.left, Counter()
        return left
