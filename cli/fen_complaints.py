"""What is said of positions that a command cannot do anything with."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from .positions import Position, position
from .terminal import printable
from .words import Words

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa

    from chesstools.fen.reading import Positions

SHOWN = 20
"""So many positions are named at most; the rest is counted."""

HOPELESS = frozenset({"F201", "F203", "F204", "F206"})
"""The rules that say why a position cannot be read in full, or why no game can be played from it."""


class Complaints:
    """Names the first positions that were not understood, with the reasons, and counts them all."""

    def __init__(self, lang: str, *, chess960: bool) -> None:
        self.count = 0
        self._sentences: list[str] = []
        self._words = Words(lang)
        self._chess960 = chess960

    def tell(self, part: Positions, rows: Iterable[int]) -> None:
        """These rows were not understood."""
        for row in rows:
            if self.count < SHOWN:
                self._sentences += self._why(position(part, row))
            self.count += 1

    def tell_nulls(self, part: Positions, answers: pa.Array) -> None:
        """The rows that have no answer, although there is a line, were not understood."""
        import pyarrow.compute as pc

        self.tell(part, pc.indices_nonzero(pc.and_(part.lines.is_valid(), answers.is_null())).to_pylist())

    def _why(self, where: Position) -> list[str]:
        from chesstools.fen import check_fen

        problems = check_fen(where.fen, chess960=self._chess960, lang=self._words.lang)
        return [f"{where.place}: {one.code} {one.rule.name}: {one.message}" for one in problems if one.code in HOPELESS]

    def end(self) -> None:
        """Say so, at the end, where no progress bar is in the way; and how many more there were."""
        sys.stdout.flush()
        for sentence in self._sentences:
            click.echo(f"chesstools: {printable(sentence)}", err=True)
        if self.count > SHOWN:
            click.echo(f"chesstools: {self._words('more_positions', count=self.count - SHOWN)}", err=True)
