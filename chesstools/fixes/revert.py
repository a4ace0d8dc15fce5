"""The original bytes, from what was repaired and the report of the run."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from itertools import groupby
from typing import Any

from chesstools.errors import ChesstoolsError
from chesstools.fixes.report import hidden, read_report
from chesstools.fixes.stream import Digest
from chesstools.fixes.utf16 import ToUtf16
from chesstools.held import Held
from chesstools.source import Source

Open = Callable[[Source], AbstractContextManager[Callable[[bytes], object]]]
"""Gives what takes the bytes that a repaired file had."""


def originals(report: str, fixed: Sequence[Source], open_output: Open) -> list[dict[str, Any]]:
    """Write what each of `fixed` was before it was repaired, unpacked; return the report's rows about the files, in their order.

    The report is read twice, however many files there are: for the rows about files, and for the changes.

    Raises ChesstoolsError where the report does not speak of these bytes, and, after writing, where what came out is not what
    was there.
    """
    found = _file_rows(report, fixed)
    waiting = {row["source"]: (source, row) for source, row in zip(fixed, found, strict=True)}
    if len(waiting) < len(fixed):
        raise ChesstoolsError(f"Several of the repaired files are {_twice(found)}; give each once.")
    with closing(read_report(report)) as rows:  # type: ignore[type-var]
        for name, of_source in groupby(rows, lambda row: row["source"]):
            if name in waiting:
                source, row = waiting.pop(name)
                with open_output(source) as write:
                    _restore(report, source, row, of_source, write)
    return found


def _twice(rows: list[dict[str, Any]]) -> str:
    """What the first source is called that comes twice."""
    return str(next(name for name, count in Counter(row["source"] for row in rows).items() if count > 1))


def _restore(
    report: str, fixed: Source, row: dict[str, Any], rows: Iterator[dict[str, Any]], write: Callable[[bytes], object]
) -> None:
    made = Digest()

    def put(data: bytes) -> None:
        made.add(data)
        write(data)

    back = ToUtf16(row["before"]) if row["before"] else None
    for data in _undone(report, fixed, rows):
        put(data if back is None else back(data))
    if back is not None:
        put(back(b"", final=True))
    if (made.size, made.hash) != (row["bytes_before"], row["hash_before"]):
        raise ChesstoolsError(f"{report} does not lead back to the bytes that {row['source']} had; was it changed by hand?")


def _file_rows(report: str, fixed: Sequence[Source]) -> list[dict[str, Any]]:
    """The rows of the report about the files: of those about such bytes the one that names the file, else the first."""
    places: dict[tuple[int, str], list[int]] = {}
    for number, source in enumerate(fixed):
        places.setdefault(_content(source), []).append(number)
    chosen: dict[int, dict[str, Any]] = {}
    named: set[int] = set()
    names = []
    for row in read_report(report):
        if row["kind"] != "file":
            continue
        name = row["output"] or row["source"]
        names.append(name)
        for number in places.get((row["bytes_after"], row["hash_after"]), ()):
            path = fixed[number].path
            is_named = path is not None and os.path.realpath(path) == os.path.realpath(name)
            if number not in chosen or (is_named and number not in named):
                chosen[number] = row
            if is_named:
                named.add(number)
    for number, source in enumerate(fixed):
        if number not in chosen:
            spoken = (
                f"it speaks of {', '.join(names[:3])}{' and others' if len(names) > 3 else ''}" if names else "it is not complete"
            )
            raise ChesstoolsError(
                f"{source.name} does not hold the bytes that {report} says were written ({spoken}); give the file as it was."
            )
    return [chosen[number] for number in range(len(fixed))]


def _content(source: Source) -> tuple[int, str]:
    """Size and hash of the unpacked bytes."""
    digest = Digest()
    with source.open() as blocks:
        for block in blocks:
            digest.add(block)
    return digest.size, digest.hash


def _undone(report: str, fixed: Source, rows: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    """The bytes of `fixed` with each change of the rows taken back."""
    held = Held()
    done = shift = 0  # in the fixed bytes; fixed offset = original offset + shift
    with fixed.open() as blocks:

        def reach(end: int) -> None:
            while held.end < end and (block := next(blocks, None)) is not None:
                held.add(block)

        for change in rows:
            if change["kind"] != "change":
                continue
            before, after = hidden(change["before"]), hidden(change["after"])
            start = change["byte_offset"] + shift
            while done < start:
                end = min(start, done + (1 << 20))
                reach(end)
                yield held.bytes(done, end)
                if held.end < end:
                    break
                done = end
                held.forget(done)
            reach(start + len(after))
            if done != start or held.bytes(start, start + len(after)) != after:
                raise ChesstoolsError(f"{report} says of byte {change['byte_offset']} what is not so; was it changed by hand?")
            yield before
            done += len(after)
            shift += len(after) - len(before)
        while True:
            reach(done + (1 << 20))
            if held.end == done:
                return
            yield held.bytes(done, held.end)
            done = held.end
            held.forget(done)
