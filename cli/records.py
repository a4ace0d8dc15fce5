"""Formats for programs: JSON, JSON lines and CSV. All three say the same under the same names."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TextIO

from .terminal import printable

if TYPE_CHECKING:
    from chesstools.summary import Summary
    from chesstools.validate import ReportedFinding

_UNPRINTABLE = re.compile(r"[\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")

COLUMNS = (
    "source",
    "line",
    "byte_offset",
    "byte_length",
    "game_index",
    "white",
    "black",
    "ply",
    "variation",
    "code",
    "name",
    "severity",
    "message",
    "token",
    "fen_before",
    "evidence",
    "profile",
)


def record(item: ReportedFinding) -> dict[str, Any]:
    """One finding as plain values; null where there is nothing to say, and only the evidence that exists."""
    finding = item.finding
    where = finding.where
    return {
        "source": where.source,
        "line": where.line,
        "byte_offset": where.byte_offset,
        "byte_length": where.byte_length,
        "game_index": where.game_index,
        "white": item.white,
        "black": item.black,
        "ply": where.ply,
        "variation": where.variation,
        "code": finding.code,
        "name": item.rule.name,
        "severity": finding.severity.value,
        "message": item.message,
        "token": finding.token,
        "fen_before": finding.fen_before,
        "evidence": {name: value for name, value in finding.evidence.items() if value is not None},
        "profile": finding.profile,
    }


def summary_record(summary: Summary) -> dict[str, Any]:
    """The summary as plain values."""
    values = {field.name: getattr(summary, field.name) for field in fields(summary)}
    counts = {name: dict(sorted(value.items())) for name, value in values.items() if isinstance(value, Counter)}
    return {**values, **counts, "sources": [source.to_dict() for source in summary.sources]}


def dumps(value: object) -> str:
    """JSON on one line: letters as they are, but nothing raw that could upset a terminal."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class JsonLinesWriter:
    """One JSON object a line."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def write(self, item: ReportedFinding) -> None:
        self._out.write(dumps(record(item)) + "\n")

    def end(self, summary: Summary) -> None:
        pass


class JsonWriter:
    """One object ``{"findings": […], "summary": {…}}``, one finding a line; the summary is last because it is known last."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._separator = '{"findings": [\n'

    def write(self, item: ReportedFinding) -> None:
        self._out.write(self._separator + dumps(record(item)))
        self._separator = ",\n"

    def end(self, summary: Summary) -> None:
        start = self._separator if self._separator.startswith("{") else ""
        self._out.write(f'{start}\n], "summary": {dumps(summary_record(summary))}}}\n')


class CsvWriter:
    """A header and one row a finding; evidence is JSON text in its cell."""

    def __init__(self, out: TextIO) -> None:
        self._shown = out.isatty()
        self._rows = csv.writer(out, lineterminator="\n")
        self._rows.writerow(COLUMNS)

    def write(self, item: ReportedFinding) -> None:
        values = record(item)
        values["evidence"] = dumps(values["evidence"]) if values["evidence"] else None
        cells = ["" if values[name] is None else values[name] for name in COLUMNS]
        # Exact for programs; a terminal gets no control characters.
        self._rows.writerow([printable(str(cell)) for cell in cells] if self._shown else cells)

    def end(self, summary: Summary) -> None:
        pass
