"""Partial tables of several shares added up to those of one."""

from __future__ import annotations

from dataclasses import dataclass

from chesstools.database import connect
from chesstools.scratch import scratch_folder
from chesstools.stats.partial import Partial
from chesstools.stats.run import bases_of, choose
from chesstools.stats.shares.scratch import Scratch, copy
from chesstools.stats.shares.tables import OWN, added
from chesstools.stats.shares.work import memory_mb

FAN = 24
"""So many are added up at a time: their files are read together."""


def partials_of(statistics: tuple[str, ...], *, late: bool) -> dict[str, Partial]:
    """The partial tables of statistics by name."""
    chosen = choose(statistics)
    own = {one.name: one.partial for one in chosen if one.partial is not None and one.late == late}
    return own if late else {**{base.name: base.partial for base in bases_of(chosen)}, **OWN, **own}


@dataclass(frozen=True)
class Adding:
    """Partial tables in some files of the scratch that are to be added up into another one, `name`.

    Memory is what the database may take, whatever the size of the tables: what does not fit goes to a scratch folder.
    """

    statistics: tuple[str, ...]
    late: bool
    parts: tuple[str, ...]
    scratch: Scratch
    name: str

    def do(self) -> str:
        """Add them up. Doing it again leaves the same behind. Raises OutputError."""
        with (
            scratch_folder() as here,
            scratch_folder() as made,
            connect([], tables=[], memory_mb=memory_mb(), threads=1) as connection,
        ):
            folders = [self.scratch.fetch(part, here) for part in self.parts]
            for name, partial in partials_of(self.statistics, late=self.late).items():
                files = [folder / f"{name}.parquet" for folder in folders]
                copy(connection, added(connection, partial, files), made / f"{name}.parquet")
            self.scratch.put(made, self.name)
        return self.name
