"""The manifest of a dataset that is being written, put into its folder again and again.

It is written as a whole, at one stroke, also where it lists a hundred thousand sources: what stands of each is kept as text, and
only what has changed is made anew, so that a write costs little more than its bytes. A journal beside it, to which each change
is added, would spare these too; but nothing can be added to an object of a store, and readers would have two files that are
right only together.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace

from chesstools.errors import DatasetError
from chesstools.folder import Folder, write_manifest
from chesstools.manifest import COMPLETE, Manifest, SourceEntry
from chesstools.manifest_text import line_of

SAVE_SHARE = 20
"""The manifest is written after a part, unless that would take more than a twentieth of the time. A run that is killed in between
does the unlisted parts again: those of twenty times as long as a write takes (seconds, of a hundred thousand sources)."""


class Saver:
    """Writes a manifest when it has changed, but not all the time.

    Attributes:
        folder, manifest: where, and what.
    """

    def __init__(self, folder: Folder, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest
        self._lines: list[bytes | None] = [None] * len(manifest.sources)
        self._at = self._took = 0.0
        self._is_whole = True

    def save(self) -> None:
        """Write it, unless that was done a short time ago."""
        if time.monotonic() - self._at >= SAVE_SHARE * self._took:
            self.write()

    def write(self) -> None:
        """Write it."""
        started = time.monotonic()
        write_manifest(self.folder, self.manifest, map(self._line, range(len(self._lines))))
        self._at = time.monotonic()
        self._took = self._at - started

    @contextmanager
    def changing(self, number: int) -> Iterator[None]:
        """Around changes of a source that are only right together: after an interrupt between them nothing is written again.

        A source that is changed otherwise stands in the file as it was.
        """
        self._is_whole = False
        self._lines[number] = None
        yield
        self._is_whole = True

    def leave(self) -> bool:
        """Write it as it is where a run was stopped, if that can be: parts of half a change are done again by another run.

        Returns whether it was written. Else the file may list more than the manifest here: so where a run was stopped, or the
        answer of a store was lost, behind the writing of the state "complete".
        """
        if not self._is_whole:
            return False
        with suppress(DatasetError):
            self.write()
            return True
        return False

    def complete(self, changed: Mapping[int, SourceEntry]) -> None:
        """Write it with the state "complete", and with other entries of some sources. Only when that is done it has them."""
        sources = [changed.get(number, entry) for number, entry in enumerate(self.manifest.sources)]
        finished = replace(self.manifest, sources=sources, state=COMPLETE)
        lines = (line_of(changed[number]) if number in changed else self._line(number) for number in range(len(sources)))
        write_manifest(self.folder, finished, lines)
        for number in changed:
            self._lines[number] = None
        self.manifest.sources, self.manifest.state = sources, COMPLETE

    def _line(self, number: int) -> bytes:
        line = self._lines[number]
        if line is None:
            line = self._lines[number] = line_of(self.manifest.sources[number])
        return line
