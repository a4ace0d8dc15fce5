"""The native core as an engine: rows and steps depend on the bytes alone, errors come after everything that could be read,
and it stops when it is told to."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from chesstools.engines import why_not_native
from chesstools.errors import SourceError
from chesstools.profile_choice import read_choice
from chesstools.scan import Step, scan_source
from chesstools.schema import SCHEMAS, TABLES
from chesstools.source import Source

pytestmark = pytest.mark.skipif(why_not_native() is not None, reason="the native core is not here")

GAMES = b"""[Event "{n}"]
[White "Alder, Ann"]
[Result "1-0"]

1. e4 {good} e5 2. Nf3 (2. f4 exf4 {gambit}) Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Ke3 b5 1-0

1. d4 d5 *
prose between games
"""


def text(megabytes: float) -> bytes:
    return b"".join(GAMES.replace(b"{n}", b"%d" % n) for n in range(int(megabytes * 1e6) // len(GAMES)))


CHUNKS = text(3.3)
"""More than three of the chunks that the core cuts."""


def rows(steps: list[Step]) -> dict[str, pa.Table]:
    tables = {name: pa.Table.from_batches([step.batches[name] for step in steps], SCHEMAS[name]) for name in TABLES}
    return {name: table.unify_dictionaries().combine_chunks() for name, table in tables.items()}


def steps_of(data: bytes, **options: object) -> list[Step]:
    return list(scan_source(Source.from_bytes(data, "x"), engine="native", **options))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def whole() -> list[Step]:
    return steps_of(CHUNKS)


@pytest.mark.parametrize("options", [{"jobs": 2}, {"jobs": 7}, {"block_bytes": 10_007}, {"block_bytes": 1 << 30, "jobs": 3}])
def test_jobs_and_blocks_change_nothing(whole: list[Step], options: dict[str, int]) -> None:
    steps = steps_of(CHUNKS, **options)
    assert [step.end for step in steps] == [step.end for step in whole]
    assert [step.summary for step in steps] == [step.summary for step in whole]
    assert rows(steps) == rows(whole)


@pytest.mark.parametrize("options", [{}, {"jobs": 2}, {"block_bytes": 65_537}])
def test_reading_goes_on_from_any_step(options: dict[str, int]) -> None:
    """Also where a step ended in the middle of a chunk."""
    steps = steps_of(CHUNKS, batch_games=1000)
    assert len(steps) > 15
    for number in (0, 1, 5, len(steps) - 2):
        rest = steps_of(CHUNKS, batch_games=1000, start=steps[number].end, **options)
        assert [step.end for step in rest] == [step.end for step in steps[number + 1 :]]
        assert rows(rest) == rows(steps[number + 1 :])


def test_steps_are_as_small_as_wanted() -> None:
    for step in steps_of(text(0.01), batch_games=2):
        assert 1 <= step.summary.games + step.summary.quarantined_regions <= 2


def test_games_are_numbered_and_numbers_reconcile(whole: list[Step]) -> None:
    games = rows(whole)["games"]
    assert games["game_index"].to_pylist() == list(range(games.num_rows))
    assert sum(step.summary.bytes for step in whole) == len(CHUNKS)
    assert whole[-1].end.byte_offset == len(CHUNKS)
    assert whole[-1].end.game_index == games.num_rows


def test_schemas_are_kept_with_what_the_columns_mean(whole: list[Step]) -> None:
    for name in TABLES:
        assert whole[0].batches[name].schema.equals(SCHEMAS[name], check_metadata=True)
        whole[0].batches[name].validate(full=True)


def test_variants_are_judged_in_their_place() -> None:
    crazyhouse = b'[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 *\n\n'
    data = GAMES + crazyhouse * 3 + GAMES + crazyhouse
    steps = steps_of(data)
    games = rows(steps)["games"]
    assert games["rules"].to_pylist() == ["standard"] * 2 + ["crazyhouse"] * 3 + ["standard"] * 2 + ["crazyhouse"]
    assert games["game_index"].to_pylist() == list(range(8))
    assert rows(steps) == rows(list(scan_source(Source.from_bytes(data, "x"), engine="reference")))


def test_a_source_that_breaks_off_is_read_up_to_there(tmp_path: Path) -> None:
    path = tmp_path / "cut.pgn.gz"
    path.write_bytes(gzip.compress(CHUNKS)[:-20])
    for jobs in (1, 2):
        steps = scan_source(Source(str(path), path=str(path), resumable=True), engine="native", jobs=jobs)
        games: list[int] = []
        with pytest.raises(SourceError, match="ends in the middle of its gzip data; the games up to there were read"):
            games.extend(step.summary.games for step in steps)
        assert sum(games) > 10_000


def test_utf16_is_read_as_text() -> None:
    steps = steps_of(GAMES.decode().encode("utf-16"))
    assert rows(steps)["findings"]["found"][0].as_py() == "utf-16"
    assert sum(step.summary.games for step in steps) == 2


def test_other_errors_come_through() -> None:
    from chesstools import _core

    def rest(offset: int) -> Iterator[bytes]:
        yield CHUNKS[offset:]
        raise ZeroDivisionError

    core = _core.Scan(
        None,
        rest,
        start=(0, 1, 0, False, False),
        source="x",
        schemas={},
        choice=read_choice(),
        codes=set(),
        openings=None,
        nodes=None,
        batch_games=None,
        jobs=2,
    )
    with pytest.raises(ZeroDivisionError):
        list(core)


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads are counted another way there")
def test_stopping_early_leaves_no_threads() -> None:
    before = len(os.listdir("/proc/self/task"))
    steps = scan_source(Source.from_bytes(CHUNKS, "x"), engine="native", jobs=4)
    next(steps)
    assert len(os.listdir("/proc/self/task")) == before + 4
    steps.close()
    assert len(os.listdir("/proc/self/task")) == before


INTERRUPTED = """
import sys
from chesstools.scan import scan_source
from chesstools.source import Source
from test_native_stream import CHUNKS
print("begins", flush=True)
while True:
    for step in scan_source(Source.from_bytes(CHUNKS, "x"), engine="native", jobs=2):
        pass
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are other there")
def test_an_interrupt_is_answered() -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begins\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=600)  # without the signal it never ends
        assert b"KeyboardInterrupt" in errors


def test_the_stub_tells_what_is_there() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "chesstools._core", "--mypy-config-file", "pyproject.toml"],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent.parent,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_other_errors_come_through_an_export() -> None:
    from chesstools import _core

    def rest(offset: int) -> Iterator[bytes]:
        yield CHUNKS[offset:]
        raise ZeroDivisionError

    core = _core.Export(None, rest, source="x", format="uci", options={}, jobs=2)
    with pytest.raises(ZeroDivisionError):
        list(core)
    with pytest.raises(ValueError, match="doc"):
        _core.Export(None, rest, source="x", format="doc", options={}, jobs=1)
