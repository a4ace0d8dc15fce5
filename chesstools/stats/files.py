"""A folder of statistics: one file for each table, and `_statistics.json`, which tells what they are made of."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Protocol

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from chesstools import __version__
from chesstools.errors import DatasetError
from chesstools.folder import writing
from chesstools.places import complete

FILE_NAME = "_statistics.json"

FORMATS = ("parquet", "csv")


class _Writer(Protocol):
    def write_batch(self, batch: pa.RecordBatch) -> None: ...


def prepare(folder: Path, *, overwrite: bool) -> None:
    """Make the folder if need be, and see that nothing of others is in the way.

    What was written before is taken away first with `overwrite`: a folder that has `_statistics.json` is whole.

    Raises DatasetError where it holds statistics without `overwrite`, or files that are none.
    """
    if folder.exists() and not folder.is_dir():
        raise DatasetError(f"{folder} is a file; give the name of a folder for the statistics.")
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        found = sorted(name for name in os.listdir(folder) if not name.startswith("."))
        before = _listed(folder)
        strangers = [name for name in found if before is None or name not in {*before, FILE_NAME}]
        if strangers:
            more = f" and {len(strangers) - 1} more" if len(strangers) > 1 else ""
            raise DatasetError(
                f"The folder {folder} holds files that are no statistics ({strangers[0]}{more}); choose another folder, "
                "or move them away."
            )
        if before is None:
            return
        if not overwrite:
            raise DatasetError(
                f"The folder {folder} holds statistics; add --overwrite to replace them, or choose another folder."
            )
        for name in before:
            (folder / name).unlink(missing_ok=True)


def _listed(folder: Path) -> list[str] | None:
    """The files that the folder's list names; None where there is no list."""
    try:
        document = json.loads((folder / FILE_NAME).read_text(encoding="utf-8"))
        return [Path(name).name for name in document["files"]]
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError):
        return None


def start(folder: Path, names: list[str], form: str) -> None:
    """Write down, before the first file, which files will be there, so that a run that was stopped can be overwritten."""
    _write_list(folder, {"complete": False, "files": [f"{name}.{form}" for name in names]})


def finish(folder: Path, names: list[str], form: str, told: dict[str, Any]) -> None:
    """Write down that all files are there, and what they are made of."""
    _write_list(
        folder, {"complete": True, "files": [f"{name}.{form}" for name in names], "made_by": f"chesstools {__version__}", **told}
    )


def _write_list(folder: Path, document: dict[str, Any]) -> None:
    with complete(folder / FILE_NAME) as place, writing(folder / FILE_NAME):
        place.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def write_table(folder: Path, name: str, batches: pa.RecordBatchReader, form: str, keep: int) -> pa.Table:
    """Write a table as it comes, and return its first `keep` rows."""
    path = folder / f"{name}.{form}"
    head: list[pa.RecordBatch] = []
    kept = 0
    with complete(path) as place, writing(path), open(place, "wb") as file, _writer(file, batches.schema, form) as writer:
        for batch in batches:
            writer.write_batch(batch)
            if kept < keep:
                head.append(batch.slice(0, keep - kept))
                kept += head[-1].num_rows
    return pa.Table.from_batches(head, batches.schema)


@contextmanager
def _writer(file: IO[bytes], schema: pa.Schema, form: str) -> Iterator[_Writer]:
    if form == "csv":
        with pacsv.CSVWriter(file, schema) as writer:
            yield writer
    else:
        with pq.ParquetWriter(file, schema, compression="zstd") as writer:
            yield writer
