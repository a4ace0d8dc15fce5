"""Hostile and senseless input: each case of `hard_inputs.py` is read to its end, costs one game, and the next game is judged.

That time grows no faster than the input is counted for the readable engine in `test_known_faults_size.py`. For the core, whose
steps cannot be counted, the time of the processor is compared for amounts that differ eightfold.
"""

from __future__ import annotations

import time
from typing import Any

import pytest
from hard_inputs import AFTER, CASES, LARGE, Case
from native_diff import compare
from strategies import FULL
from test_known_faults_size import GROWING

from chesstools.engines import why_not_native
from chesstools.scan import scan
from chesstools.source import Source

needs_core = pytest.mark.skipif(why_not_native() is not None, reason="the native core is not here")

SIZES = {**CASES, **LARGE} if FULL else CASES


def check(case: Case, data: bytes, engine: str, jobs: int = 1) -> None:
    """Every byte is accounted for, the findings are those foreseen, and the games around are not touched."""
    scanned = scan(Source.from_bytes(data, "hard"), tables=["games", "findings"], engine=engine, jobs=jobs)
    tables = scanned.to_tables()
    (summary,) = scanned.summary.sources
    assert (summary.bytes, summary.game_bytes + summary.quarantined_bytes) == (len(data), len(data))
    games = tables["games"]
    first, last = games.slice(0, 1).to_pylist()[0], games.slice(games.num_rows - 1).to_pylist()[0]
    assert (first["event"], first["legal_ply_count"], first["byte_offset"]) == ("before", 2, 0)
    assert (last["event"], last["legal_ply_count"], last["ply_count"]) == ("after", 3, 3)
    assert last["codes"] == first["codes"] == ["P106"]
    assert last["line"] == data[: -len(AFTER)].replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 3
    if case.findings is None:
        return
    found = {spoken(row) for row in tables["findings"].to_pylist() if row["game_index"] not in (0, games.num_rows - 1)}
    assert found - {"P106"} == case.findings
    if case.plies is not None:
        assert [games["legal_ply_count"][1].as_py(), games.num_rows] == [case.plies, 3]


def spoken(row: dict[str, Any]) -> str:
    reason = dict(row["evidence"] or []).get("reason") or row.get("reason")
    return f"{row['code']} {reason}" if row["code"] in ("P102", "P103", "P110") else str(row["code"])


def repr_of_first(text: bytes) -> str:
    return repr(text[:1])


@needs_core
@pytest.mark.parametrize("name", SIZES)
def test_the_core_reads_on_to_the_next_game(name: str) -> None:
    case = SIZES[name]
    data = case.text()
    check(case, data, "native")
    check(case, data, "native", jobs=2)


@needs_core
@pytest.mark.parametrize("name", [name for name, case in SIZES.items() if FULL or case.less])
def test_both_engines_say_the_same(name: str) -> None:
    case = SIZES[name]
    assert (difference := compare(Source.from_bytes(case.text(None if FULL else case.less), name))) is None, str(difference)


@pytest.mark.parametrize("engine", [pytest.param("native", marks=needs_core), "reference"])
@pytest.mark.parametrize("text", [b"\0" * 1_000_000, b" " * 1_000_000, b"\n" * 1_000_000, b"\xff" * 300_000], ids=repr_of_first)
def test_files_without_a_game(text: bytes, engine: str) -> None:
    scanned = scan(Source.from_bytes(text, "hard"), tables=["games", "findings"], engine=engine)
    tables = scanned.to_tables()
    (summary,) = scanned.summary.sources
    assert (summary.games, summary.quarantined_bytes) == (0, len(text))
    assert {row["game_index"] for row in tables["findings"].to_pylist()} <= {None}


@needs_core
@pytest.mark.parametrize("what", GROWING)
def test_eight_times_the_input_takes_the_core_about_eight_times_as_long(what: str) -> None:
    """By the square it would be 64 times. What else the machine does changes this little: the best of several runs counts."""
    amount = 400_000 if FULL else 100_000
    small, large = (Source.from_bytes(GROWING[what](n).encode(), what) for n in (amount // 8, amount))
    ratios = []
    for _ in range(5):
        ratios.append(seconds(large) / seconds(small))
        if ratios[-1] < 20:
            return
    raise AssertionError(ratios)


def seconds(source: Source) -> float:
    """Time of the processor for one reading, in this process."""
    started = time.process_time()
    scan(source, tables=["games", "plies", "findings"], engine="native", jobs=1).to_tables()
    return time.process_time() - started
