"""The native core as a writer: the text of games in other formats. Games of variants are written by the readable exporter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any

import xxhash

from chesstools import _core
from chesstools.conversion import Task
from chesstools.native import Rest, open_file, packed_games
from chesstools.source import Source

if TYPE_CHECKING:
    from chesstools.reference.export import Exporter

Text = tuple[bytes, int, Mapping[str, int]]
"""Some text, how many games it is of, and what these left behind."""


class NativeTexts:
    """The text of the games of one source after the other.

    With the option `unique` it remembers 16 bytes of each position that was written.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        self._unique = _core.Unique() if task.options.get("unique") else None

    def of(self, source: Source) -> Generator[Text, None, None]:
        """The text of the games of a source. Raises SourceError, behind all games that could be read, if it breaks off."""
        task = self._task
        rest = Rest(source, task.block_bytes)
        core = _core.Export(
            open_file(source),
            rest,
            source=source.name,
            format=task.format,
            options=dict(task.options),
            jobs=task.jobs,
        )
        with closing(rest), closing(core):
            for part in core:
                if part.text is None:
                    yield self._elsewhere(part, source.name)
                else:
                    yield self._kept(part.text, part.keys or b""), part.games, part.left or {}
            if rest.error is not None:
                raise rest.error

    def _kept(self, text: bytes, keys: bytes) -> bytes:
        return text if self._unique is None else self._unique.keep(text, keys)

    def _elsewhere(self, part: _core.Text, source: str) -> Text:
        """Games of other variants."""
        from chesstools.reference.export import Exporter, replay
        from chesstools.reference.lexer import Kind
        from chesstools.reference.parallel import unpack

        options = {**self._task.options}
        wants_keys = bool(options.pop("unique", False))
        exporter = Exporter(self._task.format, options)
        keys = _keys(options) if wants_keys else None
        texts: list[bytes] = []
        left: Counter[str] = Counter()
        for index, packed in enumerate(packed_games(part.elsewhere or ()), part.first_game):
            region = unpack(packed)
            left["escape_lines"] += sum(token.kind is Kind.ESCAPE for token in region.tokens)
            game = replay(region)
            text = exporter.game(game, source, index).encode()
            texts.append(text if keys is None else self._kept(text, _hashes(keys.game(game, source, index))))
        return b"".join(texts), part.games, left + exporter.left


def _keys(options: Mapping[str, Any]) -> Exporter:
    """Writes what makes each position another."""
    from chesstools.reference.export import Exporter

    return Exporter("fen", {**options, "ep": "legal"})


def _hashes(fens: str) -> bytes:
    return b"".join(xxhash.xxh3_128_digest(" ".join(fen.split(" ")[:4]).encode()) for fen in fens.splitlines())
