r"""The report of a run: each change a row, and behind the changes of a source a row about its file.

Bytes stand in it as text: what is UTF-8 as it is, a backslash as ``\\``, line ends as ``\r`` and ``\n``, everything else that
is no printable text as ``\x`` and two digits. So the three formats hold the same, and the bytes can be had back.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol, TextIO

import pyarrow as pa
import pyarrow.parquet as pq

from chesstools import rules
from chesstools.errors import ChesstoolsError, OptionError
from chesstools.fixes.stream import Changed
from chesstools.limits import MAX_COMMENT_BYTES
from chesstools.reference.segment import count_lines

FORMATS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".parquet": "parquet"}
"""The format of a report by the end of its name."""


def _field(name: str, kind: pa.DataType, meaning: str) -> pa.Field:
    return pa.field(name, kind, metadata={"meaning": meaning})


REPORT = pa.schema(
    [
        _field("kind", pa.string(), "change, or file: what became of a whole source, behind its changes."),
        _field("source", pa.string(), "The source that was repaired."),
        _field("output", pa.string(), "Where its bytes were written; null where they were not."),
        _field("game_index", pa.int64(), "Number of the game in its source, from 0; null outside of games and for files."),
        _field("line", pa.int64(), "Line of the change in the source, from 1; null for files."),
        _field("ply", pa.int32(), "Ply that the change belongs to; null where there is none, or several."),
        _field("variation", pa.string(), "Path of the variation; null on the mainline."),
        _field("code", pa.string(), "The rule that is answered; for a file P101 where it was UTF-16, else null."),
        _field("codes", pa.string(), "All rules that are answered, with a blank between."),
        _field("level", pa.string(), "safe, or unsafe where the change needed --unsafe; null for files."),
        _field("byte_offset", pa.int64(), "First byte of the change in the unpacked source (UTF-16: in its text as UTF-8)."),
        _field("before", pa.string(), "The bytes that stood there; for a file utf-16-le or utf-16-be where it was that."),
        _field("after", pa.string(), "The bytes that stand there now."),
        _field("reason", pa.string(), "What the rule's repair is, in words; null for files."),
        _field("bytes_before", pa.int64(), "For a file: bytes of the unpacked source."),
        _field("hash_before", pa.string(), "For a file: xxh3_128 of these, in hexadecimal."),
        _field("bytes_after", pa.int64(), "For a file: bytes that were written, before they were packed."),
        _field("hash_after", pa.string(), "For a file: xxh3_128 of these."),
    ]
)

Row = Mapping[str, Any]

_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_BACK = {"\\": b"\\", "n": b"\n", "r": b"\r", "t": b"\t"}


def shown(data: bytes) -> str:
    r"""Bytes as text from which they can be had back.

    >>> shown("é\n".encode() + b"\xe9\x00\\")
    'é\\n\\xe9\\x00\\\\'
    """
    text = data.decode("utf-8", "surrogateescape")
    return "".join(_ESCAPES.get(char) or (char if char.isprintable() else _hex(char)) for char in text)


def _hex(char: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogateescape"))


def hidden(text: str) -> bytes:
    r"""The bytes that `shown` made text of. Raises ValueError where it made no such text.

    >>> hidden(shown(bytes(range(256)))) == bytes(range(256))
    True
    """
    parts: list[bytes] = []
    for plain, escape in re.findall(r"([^\\]+)|\\(x[0-9a-f]{2}|.|\Z)", text, re.DOTALL):
        if plain:
            parts.append(plain.encode())
        elif len(escape) == 3:
            parts.append(bytes([int(escape[1:], 16)]))
        elif escape in _BACK:
            parts.append(_BACK[escape])
        else:
            raise ValueError(f"there is no escape \\{escape}")
    return b"".join(parts)


def rows_of(changed: Changed, output: str | None, lang: str) -> Iterator[dict[str, Any]]:
    """A row for each change of a game."""
    line, seen = changed.line, 0
    for change in changed.changes:
        line += count_lines(changed.before[seen : change.start])
        seen = change.start
        rule = rules.get_rule(change.codes[0], lang)
        level = "unsafe" if change.unsafe else "safe"
        yield {
            **dict.fromkeys(REPORT.names),
            "kind": "change",
            "source": changed.source,
            "output": output,
            "game_index": changed.game_index,
            "line": line,
            "ply": change.ply,
            "variation": change.variation,
            "code": change.codes[0],
            "codes": " ".join(change.codes),
            "level": level,
            "byte_offset": changed.byte_offset + change.start,
            "before": shown(changed.before[change.start : change.end]),
            "after": shown(change.text),
            "reason": rule.fix.get(level) or rule.fix.get("safe"),
        }


# ----------------------------------------------------------------------------------------------------- writing


class ReportWriter(Protocol):
    """Takes rows as they come."""

    def write(self, row: Row) -> None: ...

    def close(self) -> None: ...


class _JsonLines:
    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, row: Row) -> None:
        self._file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def close(self) -> None:
        self._file.close()


class _Csv(_JsonLines):
    def __init__(self, file: TextIO) -> None:
        super().__init__(file)
        self._csv = csv.writer(file, lineterminator="\n")
        self._csv.writerow(REPORT.names)

    def write(self, row: Row) -> None:
        self._csv.writerow(["" if row[name] is None else row[name] for name in REPORT.names])


class _Parquet:
    BATCH = 10_000

    def __init__(self, path: Path) -> None:
        self._writer = pq.ParquetWriter(path, REPORT, compression="zstd")
        self._rows: list[Row] = []

    def write(self, row: Row) -> None:
        self._rows.append(row)
        if len(self._rows) == self.BATCH:
            self._flush()

    def _flush(self) -> None:
        self._writer.write_batch(pa.RecordBatch.from_pylist(self._rows, REPORT))
        self._rows = []

    def close(self) -> None:
        self._flush()
        self._writer.close()


def format_of(name: str) -> str:
    """The format of a report with that name. Raises OptionError where it says none."""
    form = FORMATS.get(Path(name).suffix.lower())
    if form is None:
        raise OptionError(f"{name} does not say which format the report has; let it end in .jsonl, .csv or .parquet.")
    return form


def report_writer(form: str, path: Path) -> ReportWriter:
    """A writer of rows to a file. Raises OSError where it cannot be opened."""
    if form == "parquet":
        return _Parquet(path)
    file = open(path, "w", encoding="utf-8", newline="")  # noqa: SIM115 - its writer closes it
    return _JsonLines(file) if form == "jsonl" else _Csv(file)


# ----------------------------------------------------------------------------------------------------- reading


def read_report(path: str) -> Iterator[dict[str, Any]]:
    """The rows of a report, one after the other. Raises ChesstoolsError, with the row, where it is none."""
    form = format_of(path)
    number = 0
    try:
        if form == "parquet":
            for batch in pq.ParquetFile(path).iter_batches(10_000):
                for row in batch.to_pylist():
                    number += 1
                    yield _checked(row)
            return
        csv.field_size_limit(MAX_COMMENT_BYTES * 8)  # a change may hold a whole comment, each byte as an escape
        with open(path, encoding="utf-8", newline="") as file:
            rows: Iterator[Any] = (json.loads(line) for line in file) if form == "jsonl" else csv.DictReader(file, strict=True)
            for row in rows:
                number += 1
                yield _checked(row)
    except OSError as error:
        raise ChesstoolsError(f"{path} cannot be read ({error.strerror or error}); check the name.") from None
    except (ValueError, KeyError, TypeError, csv.Error, pa.ArrowInvalid) as error:
        raise ChesstoolsError(f"{path} is no report of 'chesstools fix': row {number or 1} cannot be read ({error}).") from None


def _checked(row: dict[str, Any]) -> dict[str, Any]:
    """A row with the types that it had when it was written."""
    text = ("before", "after") if row["kind"] == "change" else ()  # which may be empty
    checked: dict[str, Any] = {name: None if row[name] == "" and name not in text else row[name] for name in REPORT.names}
    for name in ("game_index", "line", "ply", "byte_offset", "bytes_before", "bytes_after"):
        if checked[name] is not None:
            checked[name] = int(checked[name])
    if checked["kind"] == "change":
        hidden(checked["before"]), hidden(checked["after"])
    elif checked["kind"] != "file":
        raise ValueError(f"its kind is {checked['kind']!r}")
    return checked
