"""Where results go: standard output, or a file that appears under its name only when it is complete."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TextIO

from chesstools.errors import ChesstoolsError, OptionError
from chesstools.overwriting import may_hold, place_of
from chesstools.overwriting import refuse_source_as_output as refuse
from chesstools.places import check, written
from chesstools.stores import shown_name

if TYPE_CHECKING:
    from chesstools.summary import Summary
    from chesstools.validate import ReportedFinding

BY_SUFFIX = {".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".parquet": "parquet", ".sarif": "sarif"}
"""The format that a file name asks for where --format says nothing."""


TEXT_SUFFIXES = ("", ".txt", ".text", ".log")
"""Endings of names that ask for plain text."""


class Writer(Protocol):
    """One output format: writes findings as they come, and what can be said only at the end."""

    def write(self, item: ReportedFinding) -> None: ...

    def end(self, summary: Summary) -> None: ...


def is_stdout(path: str | None) -> bool:
    return path is None or path == "-"


def form_of_name(path: str | None) -> str:
    """The format that a file name asks for, text for standard output. Raises `OptionError` where its ending means none."""
    name = "" if path is None or is_stdout(path) else shown_name(path)
    suffix = Path(name).suffix.lower()
    if suffix in TEXT_SUFFIXES:
        return "text"
    if suffix not in BY_SUFFIX:
        raise OptionError(f"The name {name} does not say which format is wanted; say it with --format.")
    return BY_SUFFIX[suffix]


def refuse_source_as_output(path: str | None, sources: Iterable[str], *, option: str = "--output") -> None:
    """An archive must not be replaced by a report on it, nor a part of a dataset by what is made of it.

    `path` may be a file or a folder that `option` named; `sources` are files, globs, and folders, of datasets and others.
    """
    if is_stdout(path):
        return
    assert path is not None
    for source in sources:
        refuse(path, (source,), what=option)
        refuse(path, _files_of(source, path), what=option)


def check_output(path: str | None, *, folders: bool = False) -> None:
    """See that a file can be written before hours go into what comes into it. Raises `OutputError`.

    `folders` says that folders that are missing are made.
    """
    if path is not None and not is_stdout(path):
        check(path, folders=folders)


def _files_of(source: str, path: str) -> list[str]:
    """The files and datasets that a folder or a glob stands for, where `path` may be one of them."""
    from chesstools.source import find_sources

    if is_stdout(source) or os.path.isfile(source) or not may_hold(source, path):
        return []
    try:
        return [where for one in find_sources([source]) if (where := place_of(one)) is not None]
    except ChesstoolsError:  # who reads them tells what is wrong with them
        return []


@contextmanager
def text_output(path: str | None) -> Iterator[TextIO]:
    """UTF-8 text to `path`, or to standard output for None and ``-``. Raises `OutputError` where it cannot be written.

    A terminal keeps its own encoding: it shows no other.
    """
    if is_stdout(path):
        if isinstance(sys.stdout, TextIOWrapper):
            # A sign that cannot be encoded becomes an escape (which is also valid JSON), never a crash half-way.
            sys.stdout.reconfigure(encoding=None if sys.stdout.isatty() else "utf-8", errors="backslashreplace")
        yield sys.stdout
        return
    assert path is not None
    with written(path) as out:
        text = TextIOWrapper(out, encoding="utf-8", errors="backslashreplace", newline="")
        yield text
        text.detach()  # written in full, and the file left open
