"""Ratings of players over a stream of games: Elo, Glicko-2, and the points system of levels.

`ratings` rates all games of datasets or sources in the order of their dates. The mathematics stand alone in
`chesstools.ratings.elo`, `chesstools.ratings.glicko2` and `chesstools.ratings.points`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chesstools.errors import OptionError
from chesstools.folder import folder_at
from chesstools.given import Given, opened
from chesstools.places import files_only
from chesstools.ratings import state as states
from chesstools.ratings.games import in_order
from chesstools.ratings.initial import read as read_initial
from chesstools.ratings.output import Folder, Output, Tables
from chesstools.ratings.run import Counts, Run
from chesstools.ratings.settings import Settings
from chesstools.ratings.tables import GAMES
from chesstools.schema import FINDINGS

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd
    import pyarrow as pa

    from chesstools.given import AnyGiven


@dataclass(frozen=True, slots=True)
class Ratings:
    """What came out of a run.

    Attributes:
        settings: how games were rated.
        counts: how many games were counted, and how many were not, and why.
        players: the table of players by method (`chesstools.ratings.tables.PLAYERS`), the best first.
        games: the table of games by method (`chesstools.ratings.tables.GAMES`), in order; empty where they went to a folder.
        findings: G950 and G951, as in a dataset (`chesstools.schema.FINDINGS`); None where they went to a folder.
    """

    settings: Settings
    counts: Counts
    players: dict[str, pa.Table]
    games: dict[str, pa.Table]
    findings: pa.Table | None

    def to_pandas(self, table: str = "players", method: str | None = None) -> pd.DataFrame:
        """The table ``players`` or ``games`` of a method (None: the first one), or ``findings``, as a DataFrame.

        Raises OptionError for a table that is not there.
        """
        from chesstools.frames import to_pandas

        found = self.findings if table == "findings" else None
        if table in ("players", "games"):
            found = getattr(self, table).get(method or self.settings.methods[0])
        if found is None:
            raise OptionError(
                f"There is no table {table!r}{f' of {method}' if method else ''} here; rows may have gone to a folder."
            )
        return to_pandas(found)


def ratings(
    given: AnyGiven,
    settings: Settings | str | Sequence[str] = "elo",
    *,
    initial: Sequence[str | float | os.PathLike[str]] = (),
    output: str | os.PathLike[str] | None = None,
    state: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    progress: Callable[[int], None] | None = None,
    **opening: Any,
) -> Ratings:
    """Rate the players of all games in datasets or sources, in the order of dates.

    Args:
        given: datasets, paths of datasets, sources; as `chesstools.given.opened`.
        settings: how; or the names of methods (``elo``, ``glicko2``, ``points``) with all other settings as usual.
        initial: what players begin with: numbers, ``tags``, files; see `chesstools.ratings.initial.read`. Usual are 1500, and 0
            points.
        output: a folder for the tables (see `chesstools.ratings.output`); None: they are in the result, and so in memory.
        state: a file to go on from if it is there, and that is written at the end. Rating January and then February with it
            gives the rows that both give at once.
        overwrite: whether ratings that stand in `output` may be replaced.
        progress: is told the number of games so far.
        opening: `profile`, `profile_file`, `jobs`, `engine`, for sources; see `chesstools.given.opened`.

    Memory grows with the number of players, not of games, where `output` is a folder.

    Raises OptionError for settings that mean nothing, games older than those in the state, or a state of other settings;
    SourceError, DatasetError and OutputError where something cannot be read or written.

    >>> from chesstools.source import Source
    >>> pgn = b'[White "Ann"]\\n[Black "Bob"]\\n[Date "2024.01.02"]\\n\\n1. e4 e5 1-0\\n'
    >>> found = ratings(Source.from_bytes(pgn, "a.pgn"), ["elo", "points"])
    >>> found.to_pandas()[["name", "rating"]].values.tolist()
    [['Ann', 1520.0], ['Bob', 1480.0]]
    >>> found.games["points"]["transfer_exact"].to_pylist()
    ['10']
    """
    if not isinstance(settings, Settings):
        settings = Settings((settings,) if isinstance(settings, str) else tuple(settings))
    with opened(given, tables=("games",), **opening) as found:
        return rate(found, settings, initial=initial, output=output, state=state, overwrite=overwrite, progress=progress)


def rate(
    given: Given,
    settings: Settings,
    *,
    initial: Sequence[str | float | os.PathLike[str]] = (),
    output: str | os.PathLike[str] | None = None,
    state: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    progress: Callable[[int], None] | None = None,
    keep_games: bool = True,
    threads: int | None = None,
) -> Ratings:
    """`ratings` of datasets that are open; without `keep_games`, games and findings are not in the result.

    `threads` is how many processors put games in order (None: all).
    """
    files_only(state, "a state")
    begun = read_initial(initial, settings.policy.player())
    told = states.settings_of(settings, initial)
    rows: list[dict[str, Any]] = []
    kept = states.State(told)
    resumed = state is not None and Path(state).exists()
    if state is not None and resumed:
        kept, rows = states.read(Path(state), told)
    _count_sources(given, kept)
    schemas = {method: GAMES[method] for method in settings.methods}
    place: Output
    if output is None:
        place = Tables(schemas, FINDINGS, keep=keep_games)
    else:
        place = Folder(
            folder_at(output), schemas, FINDINGS, counted=kept.counted, read=kept.read, resumed=resumed, overwrite=overwrite
        )
    try:
        run = Run(settings, begun, kept, place)
        run.take_up(rows)
        for games in in_order(given.datasets, threads=threads):
            run.add(games)
            if progress is not None:
                progress(run.counts.games)
        players = run.players()
        place.finish(players)
        if state is not None:  # last: a run that is stopped before can be given again
            states.write(Path(state), run.state, run.written())
    finally:
        with suppress(OSError):
            place.abort()
    in_memory = output is None and keep_games
    return Ratings(
        settings,
        run.counts,
        players,
        {method: place.games(method).table() for method in settings.methods} if in_memory else {},
        place.findings().table() if in_memory else None,
    )


def _count_sources(given: Given, kept: states.State) -> None:
    """Note which sources are counted. Raises OptionError where one was counted before."""
    entries = [entry for dataset in given.datasets for entry in dataset.manifest.sources]
    hashes = {entry.hash: entry.name for entry in entries if entry.hash and entry.summary.games}
    for found, name in hashes.items():
        if found in kept.sources:
            raise OptionError(f"{name} was counted already, as {kept.sources[found]}; give games that the state does not count.")
    kept.sources |= hashes
