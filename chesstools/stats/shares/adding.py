"""Partial tables of several shares added up to those of one."""

from __future__ import annotations

from dataclasses import dataclass

from chesstools.database import connect
from chesstools.stats.partial import Partial
from chesstools.stats.run import bases_of, choose
from chesstools.stats.shares.scratch import Scratch
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
    """Folders of partial tables that are to be added up into another folder, `name`.

    Memory is what the database may take, whatever the size of the tables: what does not fit goes to a scratch folder.
    """

    statistics: tuple[str, ...]
    late: bool
    folders: tuple[str, ...]
    scratch: Scratch
    name: str

    def do(self) -> str:
        """Add them up. Doing it again leaves the same behind. Raises OutputError."""
        partials = partials_of(self.statistics, late=self.late)
        files = {name: [self.scratch.file(f"{folder}/{name}.parquet") for folder in self.folders] for name in partials}
        further = [file for own in files.values() for file in own]
        with connect([], tables=[], memory_mb=memory_mb(), threads=1, further=further) as connection:
            for name, partial in partials.items():
                self.scratch.write(connection, added(connection, partial, files[name]), f"{self.name}/{name}.parquet")
        return self.name
