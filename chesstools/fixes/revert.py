"""The original bytes, from what was repaired and the report of the run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

from chesstools.errors import ChesstoolsError
from chesstools.fixes.held import Held
from chesstools.fixes.report import hidden, read_report
from chesstools.fixes.stream import Digest
from chesstools.fixes.utf16 import ToUtf16
from chesstools.source import Source


def original(report: str, fixed: Source, write: Callable[[bytes], object]) -> dict[str, Any]:
    """Write what `fixed` was before it was repaired, unpacked, and return the report's row about the file.

    Raises ChesstoolsError where the report does not speak of these bytes, and, after writing, where what came out is not what
    was there.
    """
    digest = Digest()
    with fixed.open() as blocks:
        for block in blocks:
            digest.add(block)
    row = _file_row(report, fixed.name, digest)
    made = Digest()

    def put(data: bytes) -> None:
        made.add(data)
        write(data)

    back = ToUtf16(row["before"]) if row["before"] else None
    for data in _undone(report, fixed, row):
        put(data if back is None else back(data))
    if back is not None:
        put(back(b"", final=True))
    if (made.size, made.hash) != (row["bytes_before"], row["hash_before"]):
        raise ChesstoolsError(f"{report} does not lead back to the bytes that {row['source']} had; was it changed by hand?")
    return row


def _file_row(report: str, name: str, digest: Digest) -> dict[str, Any]:
    """The row of the report about a file with that content."""
    names = []
    for row in read_report(report):
        if row["kind"] == "file":
            if (row["bytes_after"], row["hash_after"]) == (digest.size, digest.hash):
                return row
            names.append(row["output"] or row["source"])
    spoken = f"it speaks of {', '.join(names[:3])}{' and others' if len(names) > 3 else ''}" if names else "it is not complete"
    raise ChesstoolsError(f"{name} does not hold the bytes that {report} says were written ({spoken}); give the file as it was.")


def _undone(report: str, fixed: Source, row: dict[str, Any]) -> Iterator[bytes]:
    """The bytes of `fixed` with each change taken back."""
    held = Held()
    done = shift = 0  # in the fixed bytes; fixed offset = original offset + shift
    with fixed.open() as blocks, closing(read_report(report)) as rows:  # type: ignore[type-var]

        def reach(end: int) -> None:
            while held.end < end and (block := next(blocks, None)) is not None:
                held.add(block)

        for change in rows:
            if change["kind"] != "change" or change["source"] != row["source"]:
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
