"""Which files repaired bytes go to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from chesstools.compression import SUFFIXES
from chesstools.errors import OptionError
from chesstools.source import Source


def targets_in_place(found: Sequence[Source]) -> list[Path]:
    """The files of the sources themselves. Raises OptionError where one cannot be replaced by its repaired bytes."""
    for source in found:
        if source.path is None or source.member is not None or not source.resumable:
            raise OptionError(f"{source.name} is no file that could be replaced; use --output instead of --in-place.")
        with source.open(1 << 16) as blocks:
            first = next(blocks, b"")
            with open(source.path, "rb") as file:
                packed = file.read(len(first)) != first and blocks.utf16 is None
        if packed:
            raise OptionError(f"{source.name} is packed; unpack it first, or use --output instead of --in-place.")
    return [Path(str(source.path)) for source in found]


def targets(found: Sequence[Source], output: str, hint: str = "") -> list[Path]:
    """Where each source goes: the file `output`, or a file of its own in the folder `output`, unpacked.

    `hint` is what else is said where a source would be written to.

    Raises OptionError where two sources would have the same place, or a source is such a place.
    """
    folder = len(found) > 1 or output.endswith(("/", os.sep)) or os.path.isdir(output)
    if folder and os.path.isfile(output):
        raise OptionError(f"{output} is a file, but there are several sources; name a folder.")
    names = [_name(source) for source in found]
    parts = [PurePosixPath(name).parts[:-1] for name in names]
    common = next((depth for depth, level in enumerate(zip(*parts, strict=False)) if len(set(level)) > 1), min(map(len, parts)))
    chosen = [Path(output, *PurePosixPath(name).parts[common:]) if folder else Path(output) for name in names]
    seen: dict[str, str] = {}
    originals = {os.path.realpath(source.path): source.name for source in found if source.path is not None}
    for source, path in zip(found, chosen, strict=True):
        place = os.path.realpath(path)
        if place in seen:
            raise OptionError(f"{seen[place]} and {source.name} would both be written to {path}; take them one by one.")
        if place in originals:
            raise OptionError(f"{path} is one of the sources; choose another place{hint}.")
        seen[place] = source.name
    return chosen


def _name(source: Source) -> str:
    """The name of a source without what it is packed as, and without steps up."""
    name = "standard_input.pgn" if source.name == "-" else source.name
    parts = [part for part in PurePosixPath(name).parts if part not in ("..", ".", "/") and not part.endswith(":\\")]
    last = PurePosixPath(parts[-1])
    if last.suffix.lower() in SUFFIXES and source.member is None:
        last = last.with_suffix("")
    return str(PurePosixPath(*parts[:-1], last.name))
