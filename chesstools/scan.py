"""scan(): sources to Arrow batches of the tables asked for, plus a summary. The one door to the engines."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from chesstools.depth import scan_nodes
from chesstools.engines import choose
from chesstools.errors import OptionError, SourceError
from chesstools.profile_choice import AUTO, Choice, read_choice
from chesstools.profiles import Profile
from chesstools.rules import Selection
from chesstools.scanning import Batch, NumberedStep, Scan, no_rows, scan_of
from chesstools.schema import TABLES
from chesstools.source import BLOCK_BYTES, Source, find_sources
from chesstools.sources.in_turn import in_turn
from chesstools.step import Entry, Job, Position, Step
from chesstools.summary import SourceSummary

if TYPE_CHECKING:
    from chesstools.game import Game

__all__ = ["Batch", "Position", "Scan", "Sources", "Step", "games", "scan", "scan_source"]

Sources = str | os.PathLike[str] | Source | Iterable[str | os.PathLike[str] | Source]
Progress = Callable[[int, int], None]


def scan(
    sources: Sources,
    *,
    tables: Sequence[str] = TABLES,
    profile: str | Profile = AUTO,
    profile_file: str | os.PathLike[str] | None = None,
    select: Sequence[str] | str | None = None,
    ignore: Sequence[str] | str | None = None,
    also: Sequence[str] | str | None = None,
    unwinnable: str = "quick",
    nodes: int | None = None,
    jobs: int = 1,
    batch_games: int | None = None,
    block_bytes: int = BLOCK_BYTES,
    progress: Progress | None = None,
    raise_source_errors: bool = True,
    engine: str | None = None,
) -> Scan:
    """Judge every game in `sources`; games, plies and findings come as Arrow record batches.

    Args:
        sources: files, folders, globs, ``-`` (see `chesstools.source.find_sources`), or `Source` objects.
        tables: which of games, plies and findings are wanted; what is not wanted is not worked out.
        profile: the Laws to judge by: ``auto`` for those in force where and when each game was played (the column
            profile_reason of games tells why), the name of a profile, or a `Profile`.
        profile_file: TOML with more profiles, changes to those there are, or extensions of the 50-move rule that were announced.
        select, ignore, also: which rules' findings are wanted (`chesstools.rules.Selection`): codes, beginnings of codes, names.
            Optional rules are worked out only if named here. The counts in games are of all that were worked out, but for A860,
            whose findings come behind all others.
        unwinnable: how it is found out whether a side can still mate (for games lost on time, resignations and dead positions):
            ``quick`` takes microseconds; ``full`` looks at up to `nodes` positions for each question (None: `SCAN_NODES` of
            `chesstools.depth`) and needs the native core. What is proved is true either way.
        jobs: processors to judge on; has no effect on what comes out.
        batch_games: games and quarantined regions in one batch at most; None lets the engine choose.
        block_bytes: bytes read at a time; has no effect on what comes out.
        progress: called now and then with the stored bytes read and the games judged so far.
        raise_source_errors: whether to raise, after all sources were read, what was wrong with those that could not be read
            to their end. Either way `SourceSummary.error` tells.
        engine: ``native``, ``reference`` or ``auto``; None is what the environment variable CHESSTOOLS_ENGINE says, else auto:
            the native one if it was built. Has no effect on the rows.

    Raises OptionError for an argument that cannot be used, SourceError for a source that cannot be found or read.

    >>> from chesstools.source import Source
    >>> tables = scan(Source.from_bytes(b"1. e4 e5 2. Ke3 *")).to_tables()
    >>> tables["findings"].select(["code", "ply"]).to_pylist()
    [{'code': 'P106', 'ply': None}, {'code': 'M303', 'ply': 3}]
    >>> tables["games"]["legal_ply_count"].to_pylist()
    [2]
    """
    unknown = [table for table in tables if table not in TABLES]
    if unknown:
        raise OptionError(f"There is no table {unknown[0]!r}; choose from {', '.join(TABLES)}.")
    return scan_all(
        find_sources(sources),
        tables,
        choice=read_choice(profile, profile_file),
        selection=Selection(select, ignore, also),
        unwinnable=unwinnable,
        nodes=nodes,
        jobs=jobs,
        batch_games=batch_games,
        block_bytes=block_bytes,
        progress=progress,
        raise_source_errors=raise_source_errors,
        engine=engine,
    )


def scan_all(
    found: Sequence[Source],
    tables: Sequence[str],
    *,
    choice: Choice,
    selection: Selection,
    unwinnable: str,
    nodes: int | None,
    jobs: int,
    batch_games: int | None,
    block_bytes: int,
    progress: Progress | None,
    raise_source_errors: bool,
    engine: str | None,
) -> Scan:
    """As `scan`, over sources that were found. `tables` may hold ``players`` too (`chesstools.schema.PLAYERS`)."""
    chosen = choose(engine)
    limit = scan_nodes(unwinnable, nodes, chosen)

    def steps(read: Sequence[str]) -> Iterator[NumberedStep]:
        stored = judged = 0
        for number, source in enumerate(in_turn(found)):
            one = scan_source(
                source,
                tables=read,
                profile=choice,
                selection=selection,
                jobs=jobs,
                batch_games=batch_games,
                block_bytes=block_bytes,
                engine=chosen,
                nodes=limit,
            )
            with closing(one):
                try:
                    for step in one:
                        judged += step.summary.games
                        yield number, step
                        if progress is not None:
                            progress(stored + source.stored_bytes_read, judged)
                except SourceError as error:
                    yield number, Step(no_rows(read), Position(), SourceSummary(source.name, error=str(error)))
            stored += source.stored_bytes_read

    names = [source.name for source in found]
    return scan_of(steps, tables, names, compare=selection.wants("A860"), raise_source_errors=raise_source_errors)


def scan_source(
    source: Source,
    *,
    tables: Sequence[str] = TABLES,
    profile: str | Profile | Choice = AUTO,
    selection: Selection | None = None,
    start: Position | None = None,
    stop: int | None = None,
    entry: Entry | None = None,
    jobs: int = 1,
    batch_games: int | None = None,
    block_bytes: int = BLOCK_BYTES,
    engine: str | None = None,
    with_hash: bool = False,
    stored: bool = False,
    nodes: int | None = None,
) -> Generator[Step, None, None]:
    """Judge the games of one source from `start` on, as steps that each tell where they end. Arguments as for `scan`.

    `stop` is the `byte_offset` of another such place: the games that begin there or behind it are not judged. `entry` says where
    to enter the file, so that what stands before it is not read: a plan (`chesstools.plan`) knows such places.

    Where steps end depends on the engine and on `batch_games`, and on nothing else. `with_hash` says that `source.hash()` will
    be asked for; `stored` that rows may come with the types of `chesstools.stored`; `nodes` is what
    `chesstools.depth.scan_nodes` gives. Raises SourceError, after the steps of
    everything that could be read, if the source cannot be read to its end.

    >>> from chesstools.source import Source
    >>> source = Source.from_bytes(b"1. e4 *\\n\\n1. d4 *\\n")
    >>> steps = list(scan_source(source, batch_games=1))
    >>> [(step.end.byte_offset, step.end.game_index) for step in steps]
    [(9, 1), (17, 2)]
    >>> [step.summary.games for step in scan_source(source, start=steps[0].end)]
    [1]
    """
    job = Job(source.name, tuple(tables), read_choice(profile), selection or Selection(), batch_games, with_hash, stored, nodes)
    if choose(engine) == "native":
        from chesstools.native import run
    else:
        from chesstools.reference.engine import run
    here = start or Position()
    if stop is not None and stop <= here.byte_offset:
        return
    try:
        for step in run(source, job, here, jobs, block_bytes, stop, entry):
            source.check_unchanged()
            yield step
            here = step.end
        source.check_unchanged()
    except SourceError:
        if here.byte_offset != stop:  # else it breaks off where only what decides about games before it was looked for
            source.check_unchanged()
            raise
    if stop is not None and here.byte_offset != stop:
        raise SourceError(f"{source.name} is not what it was when it was planned; make the plan again.")


def games(
    sources: Sources,
    *,
    profile: str | Profile = AUTO,
    profile_file: str | os.PathLike[str] | None = None,
    block_bytes: int = BLOCK_BYTES,
) -> Iterator[Game]:
    """Every game in `sources`, one object each: tags, moves with comments and variations, findings. Arguments as for `scan`.

    Optional rules are not worked out.

    >>> from chesstools.source import Source
    >>> game = next(games(Source.from_bytes(b'[White "Ann"]\\n\\n1. e4 (1. d4) e5 *')))
    >>> game.tags["White"], [move.san for move in game.moves]
    ('Ann', ['e4', 'e5'])
    >>> str(game.to_chess().mainline_moves())
    '1. e4 e5'
    """
    from chesstools.game import read_games

    return read_games(find_sources(sources), choice=read_choice(profile, profile_file), block_bytes=block_bytes)
