"""Which files are looked for in folders and archives."""

from __future__ import annotations

import os
from dataclasses import dataclass

from chesstools.compression import SUFFIXES
from chesstools.errors import SourceError

MANIFEST_NAME = "_chesstools.json"

_PACKED = ("", *(suffix for suffix in SUFFIXES if suffix != ".zip"))


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which files of folders and archives are read: by the endings of their names, those of packing apart."""

    suffixes: tuple[str, ...]
    datasets: bool = False
    """Whether the folder of a dataset is a source of its own."""

    def fits(self, path: str) -> bool:
        name = os.path.basename(path)
        return name.lower().endswith(tuple(end + packed for end in self.suffixes for packed in _PACKED)) and not name.startswith(
            "."
        )

    @property
    def what(self) -> str:
        return "PGN files" if self.suffixes == PGN.suffixes else "files with games"

    def none_in(self, folder: str) -> SourceError:
        """The error for a folder without any."""
        return SourceError(
            f"The folder {folder} holds no {self.what} ({self.suffixes[0]}, {self.suffixes[0]}.zst, .zip and the like); "
            "check the path or name the files."
        )


PGN = Wanted((".pgn",))


def is_zip_name(path: str) -> bool:
    """Whether this is the name of an archive of files."""
    name = os.path.basename(path)
    return name.lower().endswith(".zip") and not name.startswith(".")
