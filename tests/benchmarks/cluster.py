"""What `ingest` on a cluster costs beside the same on one machine, and what that makes of archives that fit none:

    python -m tests.benchmarks.cluster                        # the archive that the project measures on
    python -m tests.benchmarks.cluster archive.pgn --repeat 3 --docs     # another, and into docs/cluster.md

All runs write the same dataset, which is looked at. The seconds are those of `ingest` itself; what it takes to start and to end a
cluster is told apart, as one that is running costs nothing of that. The machine should have nothing else to do.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import machine, table
from .measures import BenchmarkError, reported, run
from .peers import ROOT

ARCHIVE = ROOT.parent / "shared" / "corpus" / "otb.pgn.zst"
PAGE = ROOT / "docs" / "cluster.md"

WAYS = {"one machine, 1 processor": "1", "one machine, 2 processors": "2", "1 worker": "local:1", "2 workers": "local:2"}

ESTIMATES = {"100 million games": 100_000_000, "7 billion games": 7_000_000_000}
WORKERS = (1, 100, 1000)

PROGRAM = """
import json, sys, time
from chesstools import ingest
from chesstools.cluster import connected

def told(summary, seconds):
    print(json.dumps({"games": summary.games, "plies": summary.plies, "seconds": summary.seconds, "cluster": seconds}))

source, output, where, stretch = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
if where.isdigit():
    told(ingest(source, output, jobs=int(where)), 0)
else:
    started = time.monotonic()
    with connected(where) as cluster:
        summary = ingest(source, output, cluster=cluster, stretch_bytes=stretch)
    told(summary, time.monotonic() - started - summary.seconds)
"""


@dataclass(frozen=True)
class Measured:
    """What one way took: the median over the rounds."""

    games: int
    seconds: float
    """Of `ingest`."""
    cluster: float
    """To start and end the cluster."""
    processor: float
    """Of all its processes, with the start of the cluster."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the tables, and put them into the page if that was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.cluster", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("archive", nargs="?", type=Path, default=ARCHIVE)
    parser.add_argument("--repeat", type=int, default=1, help="rounds; default 1")
    parser.add_argument(
        "--stretch", type=int, default=4_000_000, help="bytes of a stretch of the unpacked text; default 4,000,000"
    )
    parser.add_argument("--docs", action="store_true", help="put the tables into docs/cluster.md")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="chesstools-bench-") as folder:
        try:
            tables = bench(given.archive, given.stretch, given.repeat, Path(folder))
            if given.docs:
                table.put_into(PAGE, tables)
        except BenchmarkError as error:
            print(f"cluster: {error}", file=sys.stderr)
            return 1
    print(tables, end="")
    return 0


def bench(archive: Path, stretch: int, repeat: int, folder: Path) -> str:
    """All tables, for a text that is unpacked first: what is measured is judging, not how a file happens to be packed."""
    from chesstools.source import find_sources

    (source,) = find_sources(archive)
    text = folder / "archive.pgn"
    with text.open("wb") as out, source.open() as blocks:
        for block in blocks:
            out.write(block)
    load = os.getloadavg()[0]
    found: dict[str, list[Measured]] = {way: [] for way in WAYS}
    written = 0
    for number in range(repeat):
        for way, where in WAYS.items():
            print(f"round {number + 1} of {repeat}: {way}", file=sys.stderr)
            output = folder / f"{number}-{where.replace(':', '-')}"
            outcome = run([sys.executable, "-c", PROGRAM, str(text), str(output), where, str(stretch)], folder)
            told = reported(outcome)
            processor = outcome.usage.user + outcome.usage.system
            found[way].append(Measured(told["games"], told["seconds"], told["cluster"], processor))
            written = sum(file.stat().st_size for file in output.rglob("*.parquet"))
    if len({measured.games for rounds in found.values() for measured in rounds}) != 1:
        raise BenchmarkError("The runs do not agree on the number of games.")
    medians = {way: _median(rounds) for way, rounds in found.items()}
    about = machine.describe({}, repeat, load, folder)
    stored = (source.size or 0, text.stat().st_size, written)
    return render(medians, stored, len(range(0, stored[1], stretch)), about)


def render(measured: Mapping[str, Measured], stored: tuple[int, int, int], stretches: int, about: str) -> str:
    """The tables. `stored` are the bytes of the archive as it is packed, unpacked, and as a dataset."""
    one, many = measured["1 worker"], measured["2 workers"]
    games = one.games
    rows = [
        (
            way,
            f"{took.seconds:.1f}",
            f"{games / took.seconds:,.0f}",
            f"{took.processor:.1f}",
            f"{took.cluster:.1f}" if took.cluster else "",
        )
        for way, took in measured.items()
    ]
    speed = table.markdown(("", "seconds", "games/s", "processor seconds", "start and end of the cluster"), rows, left=1)
    efficiency = one.seconds / many.seconds / 2
    packed, text, written = (size / games for size in stored)
    told = (
        f"{games:,} games in {stretches} stretches. One worker takes {one.seconds / many.seconds:.2f} times as long as two: an "
        f"efficiency of {efficiency:.0%}. A game has {text:,.0f} bytes of text, {packed:,.0f} as stored, and {written:,.0f} in a "
        "dataset of all three tables."
    )
    rate = games / one.seconds
    estimates = [
        (
            what,
            _size(count * packed),
            _size(count * written),
            *(_time(count / rate / workers) for workers in WORKERS),
            f"{_size(rate * packed * WORKERS[-1])}/s",
        )
        for what, count in ESTIMATES.items()
    ]
    head = ("", "stored", "dataset", *(f"{count:,} worker{'s' if count > 1 else ''}" for count in WORKERS))
    worked = table.markdown((*head, f"read by {WORKERS[-1]:,} workers"), estimates, left=1)
    return f"{speed}\n{told}\n\n{worked}\n{about}\n"


def _median(rounds: Sequence[Measured]) -> Measured:
    return Measured(
        rounds[0].games,
        statistics.median(one.seconds for one in rounds),
        statistics.median(one.cluster for one in rounds),
        statistics.median(one.processor for one in rounds),
    )


def _size(count: float) -> str:
    for power, unit in ((4, "TB"), (3, "GB"), (2, "MB")):
        if count >= 1000**power:
            return f"{count / 1000**power:,.1f} {unit}"
    return f"{count / 1000:,.1f} kB"


def _time(seconds: float) -> str:
    if seconds >= 2 * 86_400:
        return f"{seconds / 86_400:,.0f} days"
    if seconds < 60:
        return f"{seconds:,.0f} s"
    return f"{seconds / 3600:,.1f} h" if seconds >= 3600 else f"{seconds / 60:,.0f} min"


if __name__ == "__main__":
    sys.exit(main())
