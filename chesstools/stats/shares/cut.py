"""Datasets cut into shares: some part files each, so many that a share is worth a task and fits into the memory of a worker."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chesstools.dataset import Dataset
from chesstools.errors import DatasetError
from chesstools.folder import File, Folder
from chesstools.local_folder import LocalFolder
from chesstools.manifest import FILE_NAME, Manifest, Part, SourceEntry
from chesstools.summary import SourceSummary

MOST_GAMES = 200_000
"""Games of a share: about 300 bytes of each are held, and the plies of one block."""

MOST_PARTS = 500
"""Parts of a share: each of its files takes some milliseconds to open, and its footer some memory, however few games it holds."""


class SomeParts(Dataset):
    """Some parts of a dataset, which may have millions: of each file it is asked alone what it is, and once in a task."""

    def __init__(self, folder: Folder, manifest: Manifest) -> None:
        super().__init__(folder, manifest)
        self._files: dict[str, list[File]] = {}

    def files(self, table: str) -> list[File]:
        """See `Dataset.files`."""
        if table not in self._files:
            self._files[table] = super().files(table)
        return self._files[table]

    def sizes(self, table: str) -> dict[str, int]:
        """See `Dataset.sizes`."""
        return self.folder.sizes(table, [part.name for part in self.manifest.parts])


@dataclass(frozen=True)
class Share:
    """Some parts of a dataset, one after the other.

    Attributes:
        dataset: holds only these parts.
        number: of the first part, among those of all datasets.
        apart: names of those of its parts that hold findings behind all games of their source, which may stand in other shares.
        others: such parts of its sources in other shares; None where there are none.
    """

    dataset: SomeParts
    number: int
    apart: tuple[str, ...] = ()
    others: SomeParts | None = None

    def check(self) -> None:
        """Raise DatasetError where the dataset cannot be reached from here, as on a machine that does not share its disk."""
        if not self.dataset.folder.has(FILE_NAME):
            raise DatasetError(
                f"A worker on {socket.gethostname()} finds no dataset in {self.dataset.path}; put it where all workers reach it "
                "under this name."
            )


def shares(datasets: Sequence[Dataset], games: int, parts: int = MOST_PARTS) -> list[Share]:
    """All parts of datasets in shares of about so many games and no more than so many parts.

    One share has no games where there are no parts.
    """
    found: list[Share] = []
    number = 0
    for dataset in datasets:
        cut: list[tuple[SourceEntry, Part]] = []
        held = 0
        for entry, part in _parts(dataset):
            rows = part.rows.get("games", 0)
            if cut and (held + rows > games or len(cut) == parts):
                found.append(share(dataset, cut, number))
                number += len(cut)
                cut, held = [], 0
            cut.append((entry, part))
            held += rows
        if cut or not found:
            found.append(share(dataset, cut, number))
            number += len(cut)
    return found


def share(dataset: Dataset, parts: Sequence[tuple[SourceEntry, Part]], number: int) -> Share:
    """A share of some parts of a dataset."""
    own = {part.name for _, part in parts}
    entries = {entry.name: entry for entry, _ in parts}
    apart = [(entry, part) for entry in entries.values() for part in _apart(entry)]
    with_games = {entry.name for entry, part in parts if part.rows.get("games", 0)}
    others = [(entry, part) for entry, part in apart if part.name not in own and entry.name in with_games]
    names = tuple(part.name for _, part in apart if part.name in own)
    return Share(_holding(dataset, parts), number, names, _holding(dataset, others) if others else None)


def games_of(datasets: Sequence[Dataset]) -> int:
    """How many games are in all parts."""
    return sum(part.rows.get("games", 0) for dataset in datasets for entry in dataset.manifest.sources for part in entry.parts)


def _apart(entry: SourceEntry) -> Iterator[Part]:
    """The parts of a source that hold findings told when all its games were read: they stand behind all parts with games."""
    for part in reversed(entry.parts):
        if part.rows.get("games", 0):
            return
        if part.rows.get("findings", 0):
            yield part


def _parts(dataset: Dataset) -> Iterator[tuple[SourceEntry, Part]]:
    return ((entry, part) for entry in dataset.manifest.sources for part in entry.parts)


def _holding(dataset: Dataset, parts: Sequence[tuple[SourceEntry, Part]]) -> SomeParts:
    """The dataset with these parts only, and the sources that they are of."""
    entries: dict[str, SourceEntry] = {}
    for entry, part in parts:
        own = entries.get(entry.name)
        if own is None:
            summary = SourceSummary(entry.name)
            own = replace(entry, parts=[], notes=[], summary=summary, stretches={}, surveyed=None)
            entries[entry.name] = own
        own.parts.append(part)
    folder = dataset.folder
    if isinstance(folder, LocalFolder):  # others work in another folder
        folder = LocalFolder(folder.path.absolute())
    return SomeParts(folder, replace(dataset.manifest, sources=list(entries.values())))
