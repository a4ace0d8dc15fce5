"""The manifest of a dataset that is being written, put into its folder again and again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from chesstools.errors import DatasetError
from chesstools.folder import Folder, write_manifest
from chesstools.manifest import Manifest

SAVE_SHARE = 20
"""The manifest is written after a part, unless that would take more than a twentieth of the time: of ten thousand small
sources it is large. A run that is killed in between does the unlisted parts again."""


class Saver:
    """Writes a manifest when it has changed, but not all the time."""

    def __init__(self, folder: Folder, manifest: Manifest) -> None:
        self._folder = folder
        self._manifest = manifest
        self._at = self._took = 0.0
        self._is_whole = True

    def save(self) -> None:
        """Write it, unless that was done a short time ago."""
        started = time.monotonic()
        if started - self._at >= SAVE_SHARE * self._took:
            write_manifest(self._folder, self._manifest)
            self._at = time.monotonic()
            self._took = self._at - started

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Around changes that are only right together: after an interrupt between them the manifest is not written again."""
        self._is_whole = False
        yield
        self._is_whole = True

    def leave(self) -> None:
        """Write it as it is where a run was stopped, if that can be: parts of half a change are done again by another run."""
        if self._is_whole:
            with suppress(DatasetError):
                write_manifest(self._folder, self._manifest)
