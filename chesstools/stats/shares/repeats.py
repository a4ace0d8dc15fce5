"""Games that stand several times, found in two rounds: each share sorts its games into buckets, then each bucket is looked at.

Two copies of a game fall into the same bucket, as that depends on `game_id` alone, so what is found is exact, and no more than a
bucket has to be held at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

from chesstools.database import connect
from chesstools.stats.counted import repeated
from chesstools.stats.shares.cut import Share
from chesstools.stats.shares.scratch import Scratch, relation
from chesstools.stats.shares.work import memory_mb
from chesstools.stats.statistic import Options

BUCKET_GAMES = 4_000_000
"""Games that a bucket holds, about."""


@dataclass(frozen=True)
class Sorting:
    """The games of a share, to be sorted into buckets, in the file `name`."""

    share: Share
    buckets: int
    scratch: Scratch
    name: str

    def do(self) -> str:
        """Sort them into one file, in which each bucket stands together."""
        self.share.check()
        with connect([self.share.dataset], tables=["games"], memory_mb=memory_mb(), threads=1) as connection:
            sql = f"""SELECT (hash(game_id) % {self.buckets})::INTEGER AS bucket, game_id, errors, source, game_index
                FROM games ORDER BY bucket"""
            self.scratch.write(connection, sql, self.name)
        return self.name


@dataclass(frozen=True)
class Bucket:
    """One bucket of all shares, in which to look for games that came before; the file `name` will name them."""

    options: Options
    number: int
    files: tuple[str, ...]
    scratch: Scratch
    name: str

    def do(self) -> int:
        """Write the games that came before, and return how many they are."""
        files = [self.scratch.file(name) for name in self.files]
        games = f"(FROM {relation(files)} WHERE bucket = {self.number})"
        with connect([], tables=[], memory_mb=memory_mb(), threads=1, further=files) as connection:
            if self.options.unique:
                self.scratch.write(connection, f"{repeated(games, self.options)} ORDER BY source, game_index", self.name)
            ((count,),) = connection.sql(f"SELECT count(*) - count(DISTINCT game_id) FROM {games}").fetchall()
        return int(count)
