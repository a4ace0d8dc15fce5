"""Scans of bytes as plain rows, and what must be true of them whatever the bytes."""

from __future__ import annotations

from typing import Any

from chesstools.reference.engine import Step
from chesstools.rules import get_rule, render
from chesstools.scan import scan
from chesstools.schema import TABLES
from chesstools.source import Source
from chesstools.summary import SourceSummary

Rows = dict[str, list[dict[str, Any]]]


def rows(data: bytes, **options: Any) -> tuple[Rows, SourceSummary]:
    """All rows of all tables, and the counts."""
    scanned = scan(Source.from_bytes(data, "x"), **options)
    tables = {name: table.to_pylist() for name, table in scanned.to_tables().items()}
    return tables, scanned.summary.sources[0]


def naive_line(data: bytes, offset: int) -> int:
    before = data[:offset]
    return 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")


def check_everything(data: bytes, tables: Rows, summary: SourceSummary) -> None:
    """Counts reconcile; places lie where they say; findings are of the catalogue and can be put into words."""
    assert summary.bytes == summary.game_bytes + summary.quarantined_bytes == len(data)
    assert summary.games == len(tables["games"])
    assert sum(game["byte_length"] for game in tables["games"]) == summary.game_bytes
    assert [game["game_index"] for game in tables["games"]] == list(range(summary.games))
    assert sum(summary.results.values()) == summary.games
    assert summary.plies == len(tables["plies"]) == sum(game["legal_ply_count"] for game in tables["games"])
    assert sum(summary.findings.values()) == len(tables["findings"]) == sum(summary.severities.values())
    spans = {}
    for game in tables["games"]:
        start, end = game["byte_offset"], game["byte_offset"] + game["byte_length"]
        spans[game["game_index"]] = (start, end)
        assert game["line"] == naive_line(data, start)
        assert game["ply_count"] >= game["legal_ply_count"]
        found = [one for one in tables["findings"] if one["game_index"] == game["game_index"]]
        assert game["codes"] == sorted({one["code"] for one in found})
        assert [game["errors"], game["warnings"], game["infos"]] == [
            sum(one["severity"] == severity for one in found) for severity in ("error", "warning", "info")
        ]
        if game["final_fen"] is not None:
            assert game["final_status"] is None or game["final_status"] in ("checkmate", "stalemate", "dead", "none")
    for one in tables["findings"]:
        assert get_rule(one["code"]).active
        start, end = spans.get(one["game_index"], (0, len(data)))
        assert start <= one["byte_offset"] <= one["byte_offset"] + one["byte_length"] <= end
        assert one["line"] == naive_line(data, one["byte_offset"])
        message = render(one["code"], one)
        assert message
        assert "\n" not in message


def step_rows(steps: list[Step]) -> Rows:
    return {name: [row for step in steps for row in step.batches[name].to_pylist()] for name in TABLES}
