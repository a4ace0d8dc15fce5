"""What is said of positions that a command cannot do anything with."""

from __future__ import annotations

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
        self._words = Words(lang)
        self._chess960 = chess960

    def tell(self, part: Positions, rows: Iterable[int]) -> None:
        """These rows were not understood."""
        for row in rows:
            if self.count < SHOWN:
                self._show(position(part, row))
            self.count += 1

    def tell_nulls(self, part: Positions, answers: pa.Array) -> None:
        """The rows that have no answer, although there is a line, were not understood."""
        import pyarrow.compute as pc

        self.tell(part, pc.indices_nonzero(pc.and_(part.lines.is_valid(), answers.is_null())).to_pylist())

    def _show(self, where: Position) -> None:
        from chesstools.fen import check_fen

        for problem in check_fen(where.fen, chess960=self._chess960, lang=self._words.lang):
            if problem.code in HOPELESS:
                text = f"{where.place}: {problem.code} {problem.rule.name}: {problem.message}"
                click.echo(f"chesstools: {printable(text)}", err=True)

    def end(self) -> None:
        """Say how many more there were."""
        if self.count > SHOWN:
            click.echo(f"chesstools: {self._words('more_positions', count=self.count - SHOWN)}", err=True)
