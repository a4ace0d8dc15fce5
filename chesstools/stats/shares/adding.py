"""Partial tables of several shares added up to those of one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from chesstools.database import connect
from chesstools.stats.partial import Partial
from chesstools.stats.run import bases_of, choose
from chesstools.stats.shares.tables import OWN, added, write
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
    """Folders of partial tables that are to be added up into another folder.

    Memory is what the database may take, whatever the size of the tables: what does not fit goes to a scratch folder.
    """

    statistics: tuple[str, ...]
    late: bool
    folders: tuple[Path, ...]
    folder: Path

    @property
    def name(self) -> str:
        """As of its folder."""
        return self.folder.name

    def do(self) -> Path:
        """Add them up. Doing it again leaves the same behind. Raises OutputError."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with connect([], tables=[], memory_mb=memory_mb(), threads=1) as connection:
            for name, partial in partials_of(self.statistics, late=self.late).items():
                files = [folder / f"{name}.parquet" for folder in self.folders]
                write(connection, added(connection, partial, files), self.folder / f"{name}.parquet")
        return self.folder
