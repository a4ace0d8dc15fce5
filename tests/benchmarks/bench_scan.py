"""How fast scan, validate and ingest are, as ratios to python-chess reading the same archive in the same run. Run by hand:

    python tests/benchmarks/bench_scan.py                      # 2,000 generated games
    python tests/benchmarks/bench_scan.py archive.pgn.zst --games 5000 --jobs 2 --repeat 3

Before anything is timed, all ways of reading must agree on the number of games and plies. Times are the median of the
repeats, by the clock. The floor is a plain search of the unpacked bytes for the beginnings of games.
"""

from __future__ import annotations

import argparse
import io
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import chess.pgn

from chesstools import ingest, scan, validate
from chesstools.scan import scan_source
from chesstools.source import Source, find_sources

ROOT = Path(__file__).resolve().parent.parent.parent
GENERATE = ROOT / "sample_data" / "generate.py"

Counts = tuple[int, int]
"""Games and mainline plies."""


def main() -> None:
    """Read the arguments, check that all agree, measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0], formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("archive", nargs="?", help="an archive to read; else one is generated")
    parser.add_argument("--games", type=int, default=2000, help="how many of its games (default 2000)")
    parser.add_argument("--jobs", type=int, default=2, help="processes in the second measurement of each (default 2)")
    parser.add_argument("--repeat", type=int, default=3, help="measurements of each (default 3)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        name = arguments.archive or f"{arguments.games} generated games"
        data = head(arguments.archive, arguments.games) if arguments.archive else generated(arguments.games, Path(folder))
        file = Path(folder) / "bench.pgn"
        file.write_bytes(data)
        ways = ways_to_read(file, data, Path(folder), arguments.jobs)
        agreed = check(ways, exact=arguments.archive is None)
        measure(ways, name, len(data), agreed, arguments.repeat)


def generated(games: int, folder: Path) -> bytes:
    """An archive in the styles of many producers, without faults: readers have to agree on it."""
    file = folder / "generated.pgn"
    options = ["--games", str(games), "--seed", "1", "--fault-rate", "0", "--style", "mixed", "-o", str(file)]
    subprocess.run([sys.executable, str(GENERATE), *options], check=True, stdout=subprocess.DEVNULL)
    return file.read_bytes()


def head(archive: str, games: int) -> bytes:
    """The first games of an archive, unpacked."""
    (source,) = find_sources(archive)
    with closing(scan_source(source, tables=(), batch_games=games)) as steps:
        end = next(steps).end.byte_offset
    data = b""
    with source.open() as stream:
        for block in stream:
            data += block
            if len(data) >= end:
                break
    return data[:end]


def ways_to_read(file: Path, data: bytes, folder: Path, jobs: int) -> dict[str, Callable[[], Counts]]:
    """What is compared, by name. Each reads the whole archive and tells what it counted."""

    def floor() -> Counts:
        return data.count(b"[Event "), 0

    def python_chess() -> Counts:
        games = plies = 0
        stream = io.StringIO(data.decode("utf-8", "replace"))
        while (game := chess.pgn.read_game(stream)) is not None:
            games += 1
            plies += sum(1 for _ in game.mainline())
        return games, plies

    def scanned(tables: tuple[str, ...], jobs: int) -> Counts:
        scanning = scan(file, tables=tables, jobs=jobs)
        for _ in scanning:
            pass
        return scanning.summary.games, scanning.summary.plies

    def validated(jobs: int) -> Counts:
        validation = validate(file, jobs=jobs)
        for _ in validation:
            pass
        return validation.summary.games, validation.summary.plies

    def ingested(jobs: int) -> Counts:
        summary = ingest(Source.from_bytes(data), folder / "dataset", overwrite=True, jobs=jobs)
        return summary.games, summary.plies

    ways: dict[str, Callable[[], Counts]] = {"floor: search for [Event": floor, "python-chess read_game": python_chess}
    for number in sorted({1, jobs}):
        ways[f"scan, games only, jobs={number}"] = lambda number=number: scanned(("games",), number)  # type: ignore[misc]
        ways[f"scan, all tables, jobs={number}"] = lambda number=number: scanned(("games", "plies", "findings"), number)  # type: ignore[misc]
        ways[f"validate, jobs={number}"] = lambda number=number: validated(number)  # type: ignore[misc]
        ways[f"ingest, jobs={number}"] = lambda number=number: ingested(number)  # type: ignore[misc]
    return ways


def check(ways: dict[str, Callable[[], Counts]], *, exact: bool) -> Counts:
    """Run everything once. All of chesstools has to agree; python-chess too, on an archive without faults."""
    counts = {name: read() for name, read in ways.items() if not name.startswith("floor")}
    peer = counts.pop("python-chess read_game")
    (agreed,) = set(counts.values())
    if peer != agreed:
        if exact:
            raise SystemExit(f"python-chess finds {peer} games and plies, chesstools {agreed}: not a fair comparison.")
        print(f"python-chess finds {peer[0]:,} games and {peer[1]:,} plies here.")
    return agreed


def measure(ways: dict[str, Callable[[], Counts]], name: str, size: int, agreed: Counts, repeat: int) -> None:
    """Time everything in turns, so that a busy minute hits all alike, and print a table."""
    games, plies = agreed
    print(f"{name}: {size / 1e6:.1f} MB, {games:,} games, {plies:,} plies; median of {repeat}")
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(repeat):
        for way, read in ways.items():
            started = time.perf_counter()
            read()
            times[way].append(time.perf_counter() - started)
    medians = {way: statistics.median(taken) for way, taken in times.items()}
    peer = medians["python-chess read_game"]
    print(f"{'':32} {'seconds':>9} {'games/s':>10} {'MB/s':>8} {'us/ply':>8} {'x python-chess':>15}")
    for way, seconds in medians.items():
        speed = f"{games / seconds:>10,.0f} {size / seconds / 1e6:>8.2f} {seconds / plies * 1e6:>8.1f}"
        print(f"{way:32} {seconds:>9.3f} {speed} {peer / seconds:>15.2f}")


if __name__ == "__main__":
    main()
