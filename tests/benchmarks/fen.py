"""How many positions a second are checked: ``python -m tests.benchmarks.fen FILES…`` (one FEN or EPD a line, or a table).

What is found is compared with the readable engine, position by position for a part of them, before anything is timed; then
`check`, `normalise`, `key` and `dedupe` are timed on one thread, reading included, beside python-chess on that part, which says
less. The unit is positions/s of user and system time. Times are printed, not judged: a machine that does other things too proves
nothing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator

import chess
import pyarrow as pa

from chesstools.fen.problems import Checked
from chesstools.fen.reading import read_positions
from chesstools.fen.rows import check_rows, key_rows, normalise_rows, seen_positions
from chesstools.reference.epd_line import split_line
from chesstools.reference.normal_form import Form
from chesstools.source import find_sources

PART = 2_000
"""Positions that python-chess and the readable engine look at."""


def lines(files: list[str]) -> Iterator[pa.StringArray]:
    """The lines of all files, some at a time."""
    for source in find_sources(files):
        for part in read_positions(source):
            yield part.lines


def some_of(files: list[str]) -> pa.StringArray:
    """A part of the lines, from all over the files."""
    count = sum(len(part) for part in lines(files))
    wanted = max(1, count // PART)
    kept = [part.take(pa.array(range(0, len(part), wanted), pa.int64())) for part in lines(files)]
    return pa.concat_arrays(kept)


def compare(some: pa.StringArray) -> None:
    """Both engines must tell the same."""
    for work in (
        lambda engine: (lambda told: (told[0].to_pylist(), told[1]))(check_rows(some, engine=engine)),
        lambda engine: normalise_rows(some, Form("legal"), engine=engine).to_pylist(),
        lambda engine: key_rows(some, engine=engine).to_pylist(),
        lambda engine: seen_positions(by_text=False, engine=engine).add(some).to_pylist(),
    ):
        assert work("native") == work("reference")


def status(fen: str) -> chess.Status | None:
    """What python-chess finds wrong; None where it cannot read the text."""
    try:
        return chess.Board(fen).status()
    except ValueError:
        return None


def speed(name: str, count: int, work: Callable[[], object]) -> None:
    """Print how many positions a second are worked on."""
    begin = time.process_time()
    work()
    seconds = time.process_time() - begin
    print(f"{name:<32} {count / max(seconds, 1e-9):>12,.0f} positions/s")


def main(files: list[str]) -> None:
    """Compare, then time."""
    some = some_of(files)
    compare(some)
    print(f"both engines tell the same of {len(some):,} positions")

    found = [0]
    count = sum(len(part) for part in lines(files))

    def check() -> None:
        found[0] = sum(sum(Checked(part, *check_rows(part, engine="native"), "en").counts().values()) for part in lines(files))

    def dedupe() -> None:
        seen = seen_positions(by_text=False, engine="native")
        for part in lines(files):
            seen.add(part)

    speed("reading", count, lambda: [len(part) for part in lines(files)])
    speed("check", count, check)
    print(f"{count:,} positions, {found[0]:,} findings")
    speed("normalise", count, lambda: [normalise_rows(part, Form("legal"), engine="native").num_rows for part in lines(files)])
    speed("key", count, lambda: [key_rows(part, engine="native").num_rows for part in lines(files)])
    speed("dedupe", count, dedupe)
    fens = [split_line(line).position for line in some.to_pylist()]
    speed("python-chess, Board(fen).status()", len(fens), lambda: [status(fen) for fen in fens])


if __name__ == "__main__":
    main(sys.argv[1:])
