"""Where a run on a cluster keeps what it has done so far, for the same command to go on with: folders that go when all is done.

Each is named for what it holds, so that what another command has left behind, or the same one of another state of its datasets,
is never taken for it; and for the folder of the statistics, which only one run writes to at a time.
"""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import xxhash

from chesstools import __version__
from chesstools.dataset import Dataset
from chesstools.folder import Folder, folder_at
from chesstools.local_folder import LocalFolder
from chesstools.schema import SCHEMA_VERSION
from chesstools.stats.statistic import Options
from chesstools.stores import located, shown_name
from chesstools.table_folder import writing

HIDDEN = ".partial"
"""In the folder of the statistics, where no other place is given."""


class Place:
    """A folder, or a place in a store, in which a run makes folders of its own (`room`)."""

    def __init__(self, output: Folder, place: str | None) -> None:
        """`output` is the folder of the statistics, `place` a folder or its URI. Default: in `output`. Nothing is made yet."""
        where = output if place is None else folder_at(place)
        self._prefix = "chesstools-"
        self._is_ours = place is None and isinstance(output, LocalFolder)
        if place is not None:
            self._prefix += f"{xxhash.xxh32_hexdigest(output.identity.encode())}-"
        elif not self._is_ours:
            self._prefix = f"{HIDDEN}-"
        if isinstance(where, LocalFolder):  # workers stand in folders of their own
            path = where.path.absolute()
            where = LocalFolder(path / HIDDEN if self._is_ours else path)
        self._where = where
        self._used: set[str] = set()

    def __str__(self) -> str:
        return shown_name(str(self._where))

    def room(self, what: str) -> str:
        """The folder for what is named, or its URI. It is there, with what an earlier run has put into it. Raises OutputError."""
        name = self._prefix + what
        self._used.add(name)
        file = self._where.file(name)
        if not isinstance(file, Path):
            return file.uri
        with writing(file):
            file.mkdir(parents=True, exist_ok=True)
        return str(file)

    def clear(self, *, of_others: bool = False) -> None:
        """Remove the folders of this run, as far as that can be done; or what runs before it left that wrote to its folder."""
        with suppress(Exception):  # what stays behind is removed by the next run
            for name in self._where.names() or ():
                if name.startswith(self._prefix) and not (of_others and name in self._used):
                    self._remove(name)
            if self._is_ours and not of_others:
                _remove(Path(str(self._where)))

    def _remove(self, name: str) -> None:
        file = self._where.file(name)
        if isinstance(file, Path):
            _remove(file)
        else:
            filesystem, path = located(file.uri)
            filesystem.delete_dir(path)


@contextmanager
def kept(output: Folder, place: str | None) -> Iterator[Place]:
    """A place for as long as a block takes. What is in it stays there where the block ends with an error, and else goes."""
    found = Place(output, place)
    yield found
    found.clear()


def state_of(datasets: Sequence[Dataset], options: Options, statistics: Sequence[str]) -> str:
    """Digits that tell what is worked out of which datasets, and by which program: all that partial tables depend on."""
    import duckdb
    import pyarrow

    versions = [__version__, SCHEMA_VERSION, duckdb.__version__, pyarrow.__version__]
    digest = xxhash.xxh3_128(json.dumps([versions, options.include_invalid, options.unique, list(statistics)]).encode())
    for dataset in datasets:
        manifest = dataset.manifest
        digest.update(json.dumps([dataset.folder.identity, manifest.job(), manifest.state]).encode())
        for entry in manifest.sources:
            parts = [(part.name, sorted(part.rows.items()), sorted(part.bytes.items())) for part in entry.parts]
            digest.update(json.dumps([entry.name, entry.hash, parts]).encode())
    return digest.hexdigest()


def _remove(folder: Path) -> None:
    """Remove a folder, also while a task that nobody waits for any more writes to it: under another name it does not find it."""
    with suppress(OSError):
        folder.rename(folder.with_name(f"{folder.name}-gone-{secrets.token_hex(4)}"))
    for gone in folder.parent.glob(f"{folder.name}-gone*"):  # also of a run that was killed while it removed
        shutil.rmtree(gone, ignore_errors=True)
