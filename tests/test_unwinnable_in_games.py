"""Longer proofs on request: what `--unwinnable full` adds to the findings on games, and what it asks for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import command

from chesstools import dataset
from chesstools.engines import why_not_native
from chesstools.errors import OptionError
from chesstools.manifest import Manifest
from chesstools.profiles import get_profile
from chesstools.resuming import difference
from chesstools.scan import scan
from chesstools.source import Source
from chesstools.validate import validate

native = pytest.mark.skipif(why_not_native() is not None, reason="the native core is not here")

CAGE = "4k3/8/1p6/1P6/1P6/KP6/PP6/8 w - - 0 60"
"""White's king has two squares and no pawn can move: what takes microseconds does not show it, some hundred positions do."""


def pgn(result: str, said: str = "normal") -> bytes:
    tags = {"Event": "?", "Site": "?", "Date": "2024.05.04", "Round": "?", "White": "Ann", "Black": "Bob", "Result": result}
    lines = [f'[{name} "{value}"]' for name, value in {**tags, "Termination": said, "SetUp": "1", "FEN": CAGE}.items()]
    return ("\n".join(lines) + f"\n\n60. Ka4 Kd7 61. Ka3 {result}\n").encode()


def findings(data: bytes, **options: Any) -> list[tuple[str, str | None]]:
    """Codes of findings on the end, and what the proof rests on."""
    rows = scan(Source.from_bytes(data, "x"), select="E", engine="native", **options).to_tables()["findings"].to_pylist()
    told = [(row["code"], dict(row["evidence"])) for row in rows]
    return [(code, evidence.get("method") or evidence.get("reason")) for code, evidence in told]


@native
def test_dead_positions() -> None:
    assert findings(pgn("1-0")) == []
    assert findings(pgn("1-0"), unwinnable="full") == [("E513", "search"), ("E503", "search")]
    table = scan(Source.from_bytes(pgn("1-0")), engine="native", unwinnable="full").to_tables()["games"]
    assert table.select(["first_dead_ply", "final_status", "end_reason"]).to_pylist() == [
        {"first_dead_ply": 0, "final_status": "dead", "end_reason": "dead_position"}
    ]
    # As much as is asked for, and no more.
    assert findings(pgn("1-0"), unwinnable="full", nodes=20) == []


@native
def test_flags_and_resignations() -> None:
    """Under Laws by which the position does not end the game by itself."""
    profile = replace(get_profile("fide-2023"), dead_position="three-cases")
    for said, code in (("Time forfeit", "E532"), ("Bob won by resignation", "E534")):
        assert findings(pgn("0-1", said), profile=profile) == []
        assert findings(pgn("0-1", said), profile=profile, unwinnable="full") == [(code, "search")]
    # A draw on time fits where nobody could have won.
    assert findings(pgn("1/2-1/2", "Time forfeit"), profile=profile) == [("E520", None)]
    assert findings(pgn("1/2-1/2", "Time forfeit"), profile=profile, unwinnable="full") == []


@native
def test_all_doors_ask_for_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.pgn"
    file.write_bytes(pgn("1-0"))
    assert [item.rule.code for item in validate(file, select="E", unwinnable="full")] == ["E513", "E503"]
    cli = command(capsys, "validate")
    assert cli(str(file), "--select", "E").status == 0
    run = cli(str(file), "--select", "E", "--unwinnable", "full", "--nodes", "5000", "--engine", "native")
    assert run.status == 1
    assert run.out.count("E503") == 1
    folder = tmp_path / "d"
    assert command(capsys, "ingest")(str(file), "-o", str(folder), "--unwinnable", "full").status == 0
    assert dataset.Dataset.open(folder).to_pandas("games", columns=["first_dead_ply"]).to_numpy().tolist() == [[0]]


def test_a_run_that_asked_for_something_else_is_not_gone_on_with() -> None:
    def plan(nodes: int | None) -> Manifest:
        source = Source.from_bytes(b"", "x")
        return Manifest.plan([source], tool_version="1", profile="auto", tables=["games"], also=[], part_games=5, nodes=nodes)

    assert difference(plan(None), plan(None)) is None
    assert difference(plan(20_000), plan(None)) == "with unwinnable_nodes 20000, not 0"
    assert difference(plan(None), plan(7)) == "with unwinnable_nodes 0, not 7"


@native
def test_rows_do_not_depend_on_what_is_wanted() -> None:
    """Games without findings are not looked at as closely where only findings are wanted; the proofs are the same."""
    games = pgn("1-0") + b"\n" + pgn("0-1", "Time forfeit") + b"\n"
    games += b'[Event "?"]\n[Termination "Time forfeit"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 1-0\n\n' * 3
    alone = scan(Source.from_bytes(games), tables=("findings",), engine="native", unwinnable="full").to_tables()["findings"]
    beside = scan(Source.from_bytes(games), engine="native", unwinnable="full", jobs=2).to_tables()["findings"]
    assert alone.to_pylist() == beside.to_pylist()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"unwinnable": "slow"}, "unwinnable is 'slow'; choose from quick, full."),
        ({"nodes": 5}, "nodes is a limit for the mode full"),
        ({"unwinnable": "full", "nodes": 0}, "nodes is 0; it must be from 1 to"),
        ({"unwinnable": "full", "engine": "reference"}, "The mode full of unwinnable needs the native core"),
    ],
)
def test_what_cannot_be_done_is_said_at_once(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    source = Source.from_bytes(pgn("1-0"))
    with pytest.raises(OptionError, match=said):
        list(scan(source, **options))
    with pytest.raises(OptionError, match=said):
        dataset.ingest(source, tmp_path / "d", **options)
    assert not (tmp_path / "d").exists()
