"""Folders of tables that commands write: what may stand there before, and a list that tells which files are ours after.

Statistics and openings are files beside a list, `_statistics.json` or `_openings.json`: `prepared` looks before the work begins
and keeps other runs out meanwhile, `start` is called when it is known what will be written, `finish` when all is there. So a
folder keeps what it holds until new tables take its place, and a run that was stopped can be overwritten.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chesstools import __version__
from chesstools.errors import DatasetError, OutputError
from chesstools.folder import LOCK_NAME
from chesstools.local_folder import LocalFolder
from chesstools.places import cannot_write, complete


def look(folder: Path, own: Collection[str], what: str) -> list[str]:
    """The names in a folder for tables, which is as it was after; none where it is not there. Hidden files and locks are none.

    Args:
        own: names that may stand there.
        what: what the folder is for, in words.

    Raises OutputError where it is a file, cannot be read, or holds other files than its own.

    >>> look(Path("sample_data/none"), (), "ratings")
    []
    """
    try:
        found = sorted(name for name in os.listdir(folder) if not name.startswith(".") and name != LOCK_NAME)
    except FileNotFoundError:
        if folder.is_symlink():
            raise OutputError(f"{folder} is a link that leads nowhere; make the folder it names, or choose another.") from None
        return []
    except NotADirectoryError:
        raise OutputError(f"{folder} is a file; give the name of a folder for the {what}.") from None
    except OSError as error:
        raise cannot_write(folder, error) from None
    if strangers := [name for name in found if name not in own]:
        more = f" and {len(strangers) - 1} more" if len(strangers) > 1 else ""
        raise OutputError(
            f"The folder {folder} holds files that are no {what} ({strangers[0]}{more}); choose another folder, "
            "or move them away."
        )
    return found


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an error of the system while `path` is written into an OutputError of one sentence."""
    try:
        yield
    except OSError as error:
        raise cannot_write(path, error) from None


@contextmanager
def claimed(path: Path) -> Iterator[None]:
    """Make the folder if need be and keep other runs out of it meanwhile, as `chesstools.folder.Folder.claim` does.

    Raises OutputError where another run writes to it, or where it cannot be made.
    """
    with ExitStack() as stack:
        with writing(path):
            path.mkdir(parents=True, exist_ok=True)
        try:
            stack.enter_context(LocalFolder(path).claim())
        except DatasetError as error:
            raise OutputError(str(error)) from None
        yield


@dataclass(frozen=True, slots=True)
class TableFolder:
    """A folder of tables with a list of them.

    Attributes:
        path: the folder.
        what: what the tables are, in one word: the list is called `_WORD.json`.
    """

    path: Path
    what: str

    @contextmanager
    def prepared(self, *, overwrite: bool) -> Iterator[None]:
        """Make the folder if need be, see that nothing is in the way, and keep other runs out; nothing is taken away yet.

        Raises OutputError where it holds tables without `overwrite`, or files that are not its own, where another run writes to
        it, or where it cannot be made.
        """
        self._check(overwrite)  # a folder of others does not even get a lock
        with claimed(self.path):
            self._check(overwrite)  # another run may have come to its end in between
            yield

    def _check(self, overwrite: bool) -> None:
        before = self._listed()
        own = () if before is None else {*before, self._list.name}
        look(self.path, own, self.what)
        if before is not None and not overwrite:
            raise OutputError(
                f"The folder {self.path} holds {self.what}; add --overwrite to replace them, or choose another folder."
            )

    def start(self, files: Sequence[str]) -> None:
        """Write down, before the first file, which files will be there; those that were there are still ours."""
        self._write({"complete": False, "files": list(dict.fromkeys([*files, *(self._listed() or ())]))})

    def finish(self, files: Sequence[str], told: dict[str, Any]) -> None:
        """All files are there: take those away that were there before and are not among them, and write down what they are."""
        for name in self._listed() or ():
            if name not in files:
                with writing(self.path / name):
                    (self.path / name).unlink(missing_ok=True)
        self._write({"complete": True, "files": list(files), "made_by": f"chesstools {__version__}", **told})

    @property
    def _list(self) -> Path:
        return self.path / f"_{self.what}.json"

    def _listed(self) -> list[str] | None:
        """The files that the list names; None where there is no list, or one that cannot be read."""
        try:
            document = json.loads(self._list.read_text(encoding="utf-8"))
            return [name for name in map(str, document["files"]) if name == Path(name).name]
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _write(self, document: dict[str, Any]) -> None:
        with complete(self._list) as place, writing(self._list):
            place.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
