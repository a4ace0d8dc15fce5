"""Sources → a folder of Parquet that pandas, polars, DuckDB and Spark read at once; and that folder, opened again.

    dataset/
        games/part-000000.parquet …     one row per game
        plies/part-000000.parquet …     one row per replayed move
        findings/part-000000.parquet …  one row per finding
        _chesstools.json                what is in it and how it was made

Part files appear whole or not at all. A run that was stopped, however hard, goes on at the last finished part when the
same call is made again, and ends in the same files as an undisturbed run.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from chesstools.damage import reading, told, whole
from chesstools.depth import scan_nodes
from chesstools.engines import choose
from chesstools.errors import DatasetError, OptionError, SourceError
from chesstools.folder import File, Folder, folder_at, read_manifest
from chesstools.frames import to_pandas
from chesstools.local_folder import LocalFolder
from chesstools.manifest import FILE_NAME, Manifest
from chesstools.parquet_file import paths_of
from chesstools.profile_choice import AUTO, read_choice
from chesstools.profiles import Profile
from chesstools.resuming import resume_or_start
from chesstools.rules import Selection
from chesstools.schema import SCHEMAS, TABLES
from chesstools.source import BLOCK_BYTES, Source, find_sources
from chesstools.summary import Summary

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow.dataset as pads

    from chesstools.cluster import Cluster
    from chesstools.run import Progress

STRETCH_BYTES = 64_000_000
"""Stored bytes that one worker of a cluster judges at a time: minutes at the most, so that little is lost with a worker, and
enough that a cluster of any size is busy with a few ten thousand tasks of a large archive."""


def ingest(
    sources: str | os.PathLike[str] | Source | Iterable[str | os.PathLike[str] | Source],
    output: str | os.PathLike[str],
    *,
    tables: Sequence[str] = TABLES,
    profile: str | Profile = AUTO,
    profile_file: str | os.PathLike[str] | None = None,
    also: Sequence[str] | str | None = None,
    unwinnable: str = "quick",
    nodes: int | None = None,
    overwrite: bool = False,
    without_missing: bool = False,
    part_games: int = 50_000,
    jobs: int = 1,
    block_bytes: int = BLOCK_BYTES,
    progress: Progress | None = None,
    raise_source_errors: bool = True,
    engine: str | None = None,
    cluster: Cluster | None = None,
    stretch_bytes: int = STRETCH_BYTES,
    failed: Callable[[str], None] | None = None,
) -> Summary:
    """Judge every game in `sources` and write games, plies and findings to the folder `output` as Parquet.

    Args:
        sources: files, folders, globs, ``-`` (see `chesstools.source.find_sources`).
        output: the folder, or its URI in an object store (``s3://bucket/folder``); it is made if need be.
        tables: which of games, plies and findings to write.
        profile, profile_file: the Laws to judge by, as for `chesstools.scan.scan`.
        also: optional rules to work out beside all others: codes, beginnings of codes, names. A860 needs the table games; it is
            told when all games were read, so its findings stand in a part of their own for each source, without rows of games,
            and the columns warnings and codes of games do not count them.
        unwinnable, nodes: how it is found out whether a side can still mate, as for `chesstools.scan.scan`.
        overwrite: replace the dataset that is there. Only its own files are removed.
        without_missing: finish an unfinished dataset although sources that it was begun with are not given any more (be it
            all). What was read of them stays, and `SourceSummary.error` tells that there is no more. Until the dataset is
            complete, what is given again is taken up again.
        part_games: games in one part file, rounded up to whole steps of the engine (a megabyte of text, or 250 games). A part
            never spans two sources.
        jobs: processors to judge on; has no effect on what is written.
        block_bytes: bytes read at a time; has no effect on what is written.
        progress: called after every step with stored bytes read and games judged so far.
        raise_source_errors: whether to raise, at the end, what was wrong with sources that could not be read to their end.
            Either way all others are read, what could be read is kept, and `SourceSummary.error` tells. Where the system or a
            store is to blame, not what the source holds, the dataset stays unfinished, and the same call goes on there. So it
            does for a file that was changed while it was read, of which nothing is kept but finished parts: where there are
            none, the same call begins with it anew; else the dataset can only be made anew (`overwrite`).
        engine: as for `chesstools.scan.scan`; has no effect on the rows.
        cluster: what `chesstools.cluster.connected` gave: its workers judge, which must find sources and `output` under the same
            names. `jobs`, `part_games` and `block_bytes` count for nothing then, and `progress` is called when a task is done.
        stretch_bytes: stored bytes of a source that one worker judges and writes as one part, about. Smaller sources are parts
            of their own; one that cannot be cut is read by one worker (`Summary.whole` tells why).
        failed: told at once, in a sentence, what could not be read or judged on the cluster.

    Returns the summary of the whole dataset, with the seconds that this call took.

    Raises:
        SourceError: a source cannot be found (nothing is written then), or could not be read to its end.
        DatasetError: the folder cannot be written, holds another dataset, or another run is writing to it.
        OptionError: a table, a profile or a number that cannot be used.

    If the folder holds what a run of the same call left behind when it was stopped, this call goes on there.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> summary = ingest(Source.from_bytes(b'[Result "1-0"]\\n\\n1. e4 e5 1-0\\n', "a.pgn"), folder.name)
    >>> summary.games
    1
    >>> Dataset.open(folder.name).to_pandas("plies", columns=["ply", "san"]).values.tolist()
    [[1, 'e4'], [2, 'e5']]
    >>> folder.cleanup()
    """
    from chesstools import __version__
    from chesstools.run import Run

    started = time.monotonic()
    numbers = {"part_games": part_games, "jobs": jobs, "block_bytes": block_bytes, "stretch_bytes": stretch_bytes}
    for name, number in numbers.items():
        if number < 1:
            raise OptionError(f"{name} must be 1 or more, not {number}.")
    choice = read_choice(profile, profile_file)
    selection = Selection(also=also)
    chosen = choose(engine)
    limit = scan_nodes(unwinnable, nodes, chosen)
    named = [sources] if isinstance(sources, str | os.PathLike | Source) else [*sources]
    found = find_sources(named) if named or not without_missing else []  # all may be missing
    if cluster is not None and (pipe := next((source.name for source in found if not source.resumable), None)):
        raise SourceError(f"{pipe} can be read only once, and not by other machines; save it as a file and give its name.")
    if selection.wants("A860") and "games" not in tables:
        raise OptionError("A860 compares the rows of games; add games to the tables, or leave A860 out.")
    plan = Manifest.plan(
        found,
        tool_version=__version__,
        profile=choice.label,
        tables=check_tables(tables),
        also=sorted(selection.optional),
        part_games=part_games,
        nodes=limit,
        stretch_bytes=None if cluster is None else stretch_bytes,
    )
    folder = folder_at(output)
    with folder.claim():
        manifest, found = resume_or_start(folder, plan, found, overwrite=overwrite, without_missing=without_missing)
        if cluster is None:
            run = Run(
                folder,
                manifest,
                choice,
                selection,
                nodes=limit,
                jobs=jobs,
                block_bytes=block_bytes,
                progress=progress,
                engine=chosen,
            )
            run.read_all(found)
            summary, failures = summarise(manifest), run.failures
        else:
            from chesstools.cluster.ingest import Spread

            spread = Spread(
                cluster, folder, manifest, choice, selection, nodes=limit, engine=chosen, progress=progress, failed=failed
            )
            spread.read_all(found)
            summary, failures = summarise(manifest), spread.failures
            summary.whole = spread.whole
        for number, failure in failures.items():  # not in the manifest: another run may do better
            summary.sources[number] = replace(summary.sources[number], error=failure)
    summary.seconds = time.monotonic() - started
    summary.is_unfinished = bool(failures)
    if raise_source_errors:
        _raise_source_errors([source.error for source in summary.sources if source.error])
    return summary


def _raise_source_errors(errors: list[str]) -> None:
    if len(errors) == 1:
        raise SourceError(errors[0])
    if errors:
        others = "1 more source" if len(errors) == 2 else f"{len(errors) - 1} more sources"
        raise SourceError(f"{errors[0].rstrip('.')}; {others} could not be read to the end.")


def check_tables(tables: Sequence[str]) -> list[str]:
    """The tables in their usual order, each once. Raises OptionError for an unknown one, or none at all."""
    if unknown := [table for table in tables if table not in TABLES]:
        raise OptionError(f"There is no table {unknown[0]!r}; choose from {', '.join(TABLES)}.")
    if not tables:
        raise OptionError(f"Name at least one table: {', '.join(TABLES)}.")
    return [table for table in TABLES if table in tables]


def summarise(manifest: Manifest, *, seconds: float = 0.0) -> Summary:
    """The summary of all that is in finished parts."""
    return Summary.of([entry.summary for entry in manifest.sources], seconds=seconds)


class Dataset:
    """A dataset on a disk or in a store, opened to read: what `ingest` wrote, or is still writing.

    Only finished parts are seen, as they were when the dataset was opened.

    Attributes:
        folder: where it is.
        manifest: what `_chesstools.json` says.
    """

    def __init__(self, folder: Folder, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest

    @cached_property
    def summary(self) -> Summary:
        """Counts of all that is in finished parts."""
        return summarise(self.manifest)

    @property
    def path(self) -> Path | str:
        """The folder: its path, or in a store its URI as people may see it."""
        return self.folder.path if isinstance(self.folder, LocalFolder) else str(self.folder)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Dataset:
        """Open the dataset in the folder `path`, which may be a URI (``s3://bucket/folder``).

        Raises DatasetError if there is none, or none that can be read.
        """
        folder = folder_at(path)
        manifest = read_manifest(folder)
        if manifest is None:
            raise DatasetError(f"There is no dataset in {folder} (no {FILE_NAME}); check the path, or make one with ingest.")
        return cls(folder, manifest)

    def games(self) -> pads.Dataset:
        """The table games, lazily: a `pyarrow.dataset.Dataset` with the schema `chesstools.schema.GAMES`."""
        return self._table("games")

    def plies(self) -> pads.Dataset:
        """The table plies, lazily."""
        return self._table("plies")

    def findings(self) -> pads.Dataset:
        """The table findings, lazily."""
        return self._table("findings")

    def files(self, table: str) -> list[File]:
        """The finished part files of one table, in order: paths, or objects of a store.

        Raises OptionError and DatasetError as `to_pandas`.
        """
        check_tables([table])
        if table not in self.manifest.tables:
            raise DatasetError(f"The dataset in {self.path} has no table {table}; ingest again with --tables {table} among them.")
        parts = self.manifest.parts
        files = [self.folder.file(f"{table}/{part.name}") for part in parts]
        sizes = self.sizes(table) if files else {}
        for file, part in zip(files, parts, strict=True):
            if file.name not in sizes:
                raise DatasetError(f"{file} is missing; ingest again with --overwrite.")
            if not whole(file, part.bytes.get(table), sizes[file.name]):
                raise told(file)
        return files

    def sizes(self, table: str) -> dict[str, int]:
        """The sizes in bytes that the files of one table have, by name."""
        return self.folder.sizes(table)

    def to_pandas(self, table: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """One table, or some of its columns, as a DataFrame.

        Whole numbers and truth values keep their type where some are null (pandas' nullable types), `source` is a
        categorical. Raises OptionError for an unknown table or column, DatasetError for a table that was not written.
        """
        dataset = self._table(table)
        if unknown := [column for column in columns or () if column not in dataset.schema.names]:
            raise OptionError(f"The table {table} has no column {unknown[0]!r}; it has {', '.join(dataset.schema.names)}.")
        with reading([self]):
            rows = dataset.to_table(columns=None if columns is None else list(columns))
        return to_pandas(rows)

    def _table(self, table: str) -> pads.Dataset:
        import pyarrow.dataset as pads

        files = self.files(table)
        if not files:  # stopped before the first part was finished
            return pads.dataset(SCHEMAS[table].empty_table())
        with reading([self]):
            filesystem, paths = paths_of(files)
            return pads.dataset(paths, schema=SCHEMAS[table], format="parquet", filesystem=filesystem)
