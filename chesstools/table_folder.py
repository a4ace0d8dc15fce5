"""Folders of tables that commands write: what may stand there before, and a list that tells which files are ours after.

Statistics and openings are files beside a list, `_statistics.json` or `_openings.json`: `prepared` looks before the work begins
and keeps other runs out meanwhile, `start` is called when it is known what will be written, `finish` when all is there. So a
folder keeps what it holds until new tables take its place, and a run that was stopped can be overwritten.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chesstools import __version__
from chesstools.errors import DatasetError, OutputError
from chesstools.folder import LOCK_NAME, File, Folder
from chesstools.local_folder import LocalFolder
from chesstools.places import cannot_write, written


def look(folder: Folder, own: Collection[str], what: str) -> list[str]:
    """The names in a folder for tables, which is as it was after; none where it is not there. Hidden files and locks are none.

    Args:
        own: names that may stand there.
        what: what the folder is for, in words.

    Raises OutputError where it is a file, cannot be read, or holds other files than its own.

    >>> from chesstools.folder import folder_at
    >>> look(folder_at("sample_data/none"), (), "ratings")
    []
    """
    with telling():
        names = folder.names()
    if names is None and isinstance(folder, LocalFolder):
        if folder.path.is_symlink() and not folder.path.exists():
            raise OutputError(f"{folder} is a link that leads nowhere; make the folder it names, or choose another.")
        if folder.path.exists():
            raise OutputError(f"{folder} is a file; give the name of a folder for the {what}.")
    found = [name for name in names or () if not name.startswith(".") and name != LOCK_NAME]
    if strangers := [name for name in found if name not in own]:
        more = f" and {len(strangers) - 1} more" if len(strangers) > 1 else ""
        raise OutputError(
            f"The folder {folder} holds files that are no {what} ({strangers[0]}{more}); choose another folder, "
            "or move them away."
        )
    return found


@contextmanager
def telling() -> Iterator[None]:
    """Turn what a folder says is wrong into an OutputError."""
    try:
        yield
    except DatasetError as error:
        raise OutputError(str(error)) from None


@contextmanager
def writing(file: File) -> Iterator[None]:
    """Turn an error of the system while `file` is written into an OutputError of one sentence."""
    try:
        yield
    except OSError as error:
        raise cannot_write(file, error) from None


@contextmanager
def claimed(folder: Folder, what: str) -> Iterator[None]:
    """Make the folder for `what` if need be and keep other runs out of it meanwhile, as `chesstools.folder.Folder.claim` does.

    Raises OutputError where another run writes to it, or where it cannot be made.
    """
    with ExitStack() as stack:
        with telling():
            stack.enter_context(folder.claim(what))
        yield


@dataclass(frozen=True, slots=True)
class TableFolder:
    """A folder of tables with a list of them.

    Attributes:
        folder: where it is, on a disk or in a store.
        what: what the tables are, in one word: the list is called `_WORD.json`.
    """

    folder: Folder
    what: str

    @contextmanager
    def prepared(self, *, overwrite: bool) -> Iterator[None]:
        """Make the folder if need be, see that nothing is in the way, and keep other runs out; nothing is taken away yet.

        Raises OutputError where it holds tables without `overwrite`, or files that are not its own, where another run writes to
        it, or where it cannot be made.
        """
        self._check(overwrite)  # a folder of others does not even get a lock
        with claimed(self.folder, self.what):
            self._check(overwrite)  # another run may have come to its end in between
            yield

    def _check(self, overwrite: bool) -> None:
        before = self._listed()
        own = () if before is None else {*before, self._list}
        look(self.folder, own, self.what)
        if before is not None and not overwrite:
            raise OutputError(
                f"The folder {self.folder} holds {self.what}; add --overwrite to replace them, or choose another folder."
            )

    def start(self, files: Sequence[str]) -> None:
        """Write down, before the first file, which files will be there; those that were there are still ours."""
        self._write({"complete": False, "files": list(dict.fromkeys([*files, *(self._listed() or ())]))})

    def finish(self, files: Sequence[str], told: dict[str, Any]) -> None:
        """All files are there: take those away that were there before and are not among them, and write down what they are."""
        for name in self._listed() or ():
            if name not in files:
                with telling():
                    self.folder.remove(name)
        self._write({"complete": True, "files": list(files), "made_by": f"chesstools {__version__}", **told})

    @property
    def _list(self) -> str:
        return f"_{self.what}.json"

    def _listed(self) -> list[str] | None:
        """The files that the list names; None where there is no list, or one that says nothing. Raises OutputError."""
        with telling():
            data = self.folder.read(self._list)
        try:
            document = json.loads(data or b"")
            return [name for name in map(str, document["files"]) if name == Path(name).name]
        except (ValueError, KeyError, TypeError):
            return None

    def _write(self, document: dict[str, Any]) -> None:
        with telling():
            self.folder.check_claim()
        file = self.folder.file(self._list)
        with writing(file), written(file) as out:
            out.write((json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode())
