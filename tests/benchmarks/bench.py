"""How fast chesstools is, and how much memory it takes, beside other programs that read the same archive in the same run:

    python -m tests.benchmarks.bench                                # the archive that the project measures on
    python -m tests.benchmarks.bench archive.pgn.zst --games 5000   # the beginning of another
    python -m tests.benchmarks.bench --only validate --repeat 9     # some ways only
    python -m tests.benchmarks.bench --memory --readme              # everything, and into README.md

Before anything is timed all ways must have counted the same games, plies and findings. Every way is a process, and the kernel
says what it cost. Each round runs every way once; ratios are taken round by round, and their median is told. All of it takes
some minutes, on a machine that should have nothing else to do.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path

from . import agreement, machine, table
from .agreement import REFERENCE, Agreed
from .measures import BenchmarkError, Way, measure, run_way
from .peers import COMMENTED, FLOOR, PEERS, PGN_EXTRACT, PGN_EXTRACT_UCI, READ_GAME, ROOT, SHAKMATY, Peers, find_peers
from .targets import Results
from .texts import Text, make_texts, tenfold, text_paths
from .ways import make_memory_ways, make_ways

ARCHIVE = ROOT.parent / "shared" / "corpus" / "otb.pgn.zst"

README = ROOT / "README.md"

Tell = Callable[[str], None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the arguments, check that all agree, measure, and print the tables."""
    given = parse(arguments)
    try:
        if given.readme:
            table.quoted(README.read_text(encoding="utf-8"))  # better now than after minutes
        with nullcontext(given.folder) if given.folder else tempfile.TemporaryDirectory(prefix="chesstools-bench-") as folder:
            tables = bench(given, Path(folder).resolve())
    except BenchmarkError as error:
        tell("")
        print(f"bench: {error}", file=sys.stderr)
        return 1
    print(tables, end="")
    if given.output:
        given.output.write_text(tables, encoding="utf-8")
    if given.readme:
        table.put_into(README, tables)
    return 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The arguments; the process ends with a sentence where they cannot be used."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("archive", nargs="?", type=Path, default=ARCHIVE, help="any PGN, packed or not (default: the shared otb.pgn.zst)")
    add("--games", type=int, metavar="N", help="read its first N games only")
    add("--repeat", type=int, default=5, metavar="N", help="rounds (default 5)")
    add("--only", metavar="NAME", help="only ways with NAME in their name, and the peers that they are compared with")
    add("--memory", action="store_true", help="the peak resident set too, also of the archive ten times over")
    add("--no-build", action="store_true", help="leave out the peer that cargo has to build")
    add("--folder", type=Path, metavar="DIR", help="where texts and datasets are put (default: a temporary folder)")
    add("--output", type=Path, metavar="FILE", help="write the tables there too")
    add("--readme", action="store_true", help="put the tables into README.md")
    given = parser.parse_args(arguments)
    if given.repeat < 1 or (given.games is not None and given.games < 1):
        parser.error("--repeat and --games must be 1 or more")
    if not given.archive.is_file():
        parser.error(f"there is no archive {given.archive}; name one")
    return given


def bench(given: argparse.Namespace, folder: Path) -> str:
    """Everything but the arguments: the tables."""
    folder.mkdir(parents=True, exist_ok=True)
    load = os.getloadavg()[0]
    ways, peers = choose_ways(folder, given.only, build=not given.no_build)
    tell("making the texts")
    texts = make_texts(given.archive, folder, given.games, {way.text for way in ways} | {REFERENCE})
    agreed = agreement.check(ways, texts, folder, tell)
    ways = [way for way in ways if way.key not in agreed.unfair]
    times = measure(ways, folder, given.repeat, tell)
    peaks = measure_memory(texts["archive"], agreed, folder, tell) if given.memory else {}
    readers = [way for way in ways if way.text]
    results = Results(
        times,
        sizes={way.key: texts["archive" if way.text == "packed" else way.text].size for way in readers},
        games={way.key: agreed.texts[way.text].games or 0 for way in readers},
        plies={way.key: agreed.texts[way.text].plies or 0 for way in readers},
        peaks=peaks,
    )
    name = given.archive.name.removesuffix(".zst")
    about = [
        what_was_read(name, given.games, texts["archive"], agreed),
        machine.describe(peers.versions, given.repeat, load, folder),
        *(f"{remark}." for remark in agreed.remarks),
        "Speeds, and ratios to peers, are by user time and by the byte; a ratio is the median of the rounds (lowest–highest).",
    ]
    tell("")
    return table.render(ways, texts, results, {**peers.missing, **agreed.unfair}, about)


def choose_ways(folder: Path, only: str | None, *, build: bool) -> tuple[list[Way], Peers]:
    """The ways to measure, peers first; and all about the peers. With `only`, the ways with that in their name, and the
    peers that they are compared with."""
    paths = text_paths(folder)
    ours = [way for way in make_ways(paths, folder) if only is None or only in way.key]
    wanted = {key for key in PEERS if only is None or only in key}
    if any(way.text == "commented" for way in ours):
        wanted.add(COMMENTED)
    if any(way.text in ("archive", "packed") for way in ours):
        wanted |= {FLOOR, SHAKMATY}
    if any(way.key in ("validate", "validate work") for way in ours):
        wanted |= {PGN_EXTRACT, READ_GAME}
    if any(way.key.startswith("convert") for way in ours):
        wanted.add(PGN_EXTRACT_UCI)
    peers = find_peers(paths, wanted, build=build)
    if not (ours or peers.ways):
        raise BenchmarkError(f"No way has {only!r} in its name.")
    return [*peers.ways, *ours], peers


def measure_memory(text: Text, agreed: Agreed, folder: Path, tell: Tell) -> dict[str, tuple[int, int]]:
    """The peak resident set of each command for the archive and for it ten times over."""
    counts = agreed.texts["archive"]
    peaks: dict[str, list[int]] = {}
    for one, factor in ((text, 1), (tenfold(text), 10)):
        for way in make_memory_ways(one, folder):
            tell(f"memory: {way.key}, {one.name}")
            outcome = run_way(way, folder)
            found = way.count(outcome)
            if (found.games, found.plies) != (factor * (counts.games or 0), factor * (counts.plies or 0)):
                raise BenchmarkError(f"{way.key}: {found} in {one.name}, where {counts} were found {factor} times over.")
            peaks.setdefault(way.key, []).append(outcome.usage.peak)
    return {key: (once, ten) for key, (once, ten) in peaks.items()}


def what_was_read(name: str, games: int | None, text: Text, agreed: Agreed) -> str:
    """``otb.pgn: 81.7 MB, 125,620 games, …``."""
    counts = agreed.texts["archive"]
    part = f"the first {games:,} games of " if games else ""
    return (
        f"Read was {part}`{name}`: {table.megabytes(text.size)}, {counts.games:,} games, {counts.plies:,} plies, "
        f"{counts.findings:,} findings, whichever way chesstools reads it."
    )


def tell(what: str) -> None:
    """What is going on, on one line of a terminal."""
    if sys.stderr.isatty():
        print(f"\r\033[K{what}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
