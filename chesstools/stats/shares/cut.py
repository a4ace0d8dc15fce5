"""Datasets cut into shares: some part files each, so many that a share is worth a task and fits into the memory of a worker."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chesstools.dataset import Dataset
from chesstools.errors import DatasetError
from chesstools.local_folder import LocalFolder
from chesstools.manifest import FILE_NAME, Part, SourceEntry
from chesstools.summary import SourceSummary

MOST_GAMES = 200_000
"""Games of a share: about 300 bytes of each are held, and the plies of one block."""


@dataclass(frozen=True)
class Share:
    """Some parts of a dataset, one after the other.

    Attributes:
        dataset: holds only these parts.
        number: of the first part, among those of all datasets.
        others: where games may stand that findings of this share belong to: the sources of parts that hold findings and no
            games, with all their parts. None where there are no such parts.
    """

    dataset: Dataset
    number: int
    others: Dataset | None

    def check(self) -> None:
        """Raise DatasetError where the dataset cannot be reached from here, as on a machine that does not share its disk."""
        if not self.dataset.folder.has(FILE_NAME):
            raise DatasetError(
                f"A worker on {socket.gethostname()} finds no dataset in {self.dataset.path}; put it where all workers reach it "
                "under this name."
            )


def shares(datasets: Sequence[Dataset], games: int) -> list[Share]:
    """All parts of datasets in shares of about so many games; one share without games where there are no parts."""
    found: list[Share] = []
    number = 0
    for dataset in datasets:
        cut: list[tuple[SourceEntry, Part]] = []
        held = 0
        for entry, part in _parts(dataset):
            rows = part.rows.get("games", 0)
            if cut and held + rows > games:
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
    alone = {entry.name for entry, part in parts if not part.rows.get("games", 0) and part.rows.get("findings", 0)}
    others = _holding(dataset, [pair for pair in _parts(dataset) if pair[0].name in alone]) if alone else None
    return Share(_holding(dataset, parts), number, others)


def games_of(datasets: Sequence[Dataset]) -> int:
    """How many games are in all parts."""
    return sum(part.rows.get("games", 0) for dataset in datasets for part in dataset.manifest.parts)


def _parts(dataset: Dataset) -> Iterator[tuple[SourceEntry, Part]]:
    return ((entry, part) for entry in dataset.manifest.sources for part in entry.parts)


def _holding(dataset: Dataset, parts: Sequence[tuple[SourceEntry, Part]]) -> Dataset:
    """The dataset with these parts only, and the sources that they are of."""
    entries: dict[str, SourceEntry] = {}
    for entry, part in parts:
        own = entries.setdefault(entry.name, replace(entry, parts=[], summary=SourceSummary(entry.name)))
        own.parts.append(part)
    folder = dataset.folder
    if isinstance(folder, LocalFolder):  # others work in another folder
        folder = LocalFolder(folder.path.absolute())
    return Dataset(folder, replace(dataset.manifest, sources=list(entries.values())))
