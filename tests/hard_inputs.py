"""Inputs that break readers of PGN by their size or by having no sense at all, for both engines.

    python -m tests.hard_inputs [--engine native|reference] [NAMES…]

prints what each costs: time of the processor, and the most memory that the process held, in a process of its own.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import long_games

BEFORE = b'[Event "before"]\n\n1. g3 g6 *\n\n'
AFTER = b'\n\n[Event "after"]\n[Site "x"]\n\n1. b3 b6 2. Bb2 *\n'


@dataclass(frozen=True)
class Case:
    """`make(amount)` is the text between two good games, and `findings` what is found there, as `code` or `code reason`.

    None says that findings are not foreseen. The findings that any game without tags has are left out.
    """

    make: Callable[[int], bytes]
    amount: int
    findings: set[str] | None
    plies: int | None = None
    """Legal plies of the game that it is, where it is one."""
    less: int = 0
    """An amount that the readable engine does in a moment."""

    def text(self, amount: int | None = None) -> bytes:
        """The whole input."""
        return BEFORE + self.make(self.amount if amount is None else amount) + AFTER


def moves(count: int) -> bytes:
    """A game in which four positions come back for ever."""
    return b" ".join([b"Nc3", b"Nc6", b"Nb1", b"Nb8"][number % 4] for number in range(count))


def fill(text: bytes, length: int) -> bytes:
    """`text` again and again, up to this length."""
    return text * (length // len(text))


def signs(count: int) -> bytes:
    """Signs that mean something in PGN, in an order that means nothing."""
    return bytes(random.Random(count).choices(b'{}()[]";%$ \n.!?+#=-x*01238abcdefghNBRQKO\\', k=count))


TO_AND_FRO = {"D601", "D603", "D612", "E514", "E515", "E543"}
"""What is found where both sides go to and fro for ever."""

CASES = {
    "nested variations": Case(
        lambda n: b"1. e4 " + b"(1. d4 " * n + b")" * n + b" e5 *", 200_000, {"P103 too-deep"}, 2, less=2_000
    ),
    "variations that are never closed": Case(
        lambda n: b"1. e4 " + b"(" * n + b" *", 200_000, {"P103 too-deep", "P103 unclosed"}, 1, less=5_000
    ),
    "closing brackets": Case(lambda n: b"1. e4 " + b")" * n + b" e5 *", 50_000, {"P103 stray"}, 2, less=5_000),
    "a comment": Case(lambda n: b"1. e4 {" + fill(b"so it goes\n", n) + b"} e5 *", 5_000_000, set(), 2, less=100_000),
    "a comment over the limit": Case(
        lambda n: b"1. e4 {" + fill(b"so it goes\n", n) + b"} e5 *",
        9 << 20,
        {"P102 never-closed", "P110 unknown-word", "P110 stray-symbol", "M390"},
        1,
    ),
    "a comment that is never closed": Case(
        lambda n: b"1. e4 {" + fill(b"so it goes\n", n), 5_000_000, {"P102 never-closed", "P109"}, 1, less=100_000
    ),
    "braces in a comment": Case(lambda n: b"1. e4 {" + b"{" * n + b"} e5 *", 5_000_000, None, less=20_000),
    "tags": Case(lambda n: b"".join(b'[T%d "v"]\n' % i for i in range(n)) + b"\n1. e4 e5 *", 100_000, set(), 2, less=2_000),
    "one tag again and again": Case(lambda n: b'[Event "v"]\n' * n + b"\n1. e4 e5 *", 20_000, {"P105"}, 2, less=2_000),
    "a tag over the limit": Case(lambda n: b'[Event "' + b"v" * n + b'"]\n\n1. e4 e5 *', 1_000_000, None, less=100_000),
    "a glyph of many digits": Case(
        lambda n: b"1. e4 $" + b"1" * n + b" e5 *", 5_000, {"P111", "P110 unknown-word", "M390"}, 1, less=5_000
    ),
    "glyphs of many digits": Case(
        lambda n: b"1. e4 " + (b"$" + b"1" * 5_000 + b" ") * n + b" e5 *",
        1_000,
        {"P111", "P110 unknown-word", "M390"},
        1,
        less=20,
    ),
    "a game of many plies": Case(lambda n: moves(n) + b" *", 20_000, TO_AND_FRO, 20_000, less=500),
    "a tour that is repeated": Case(
        lambda n: long_games.game(long_games.tours(n)).encode(), 99_996, {"D601", "D602", "D611", "F220"}, 99_996, less=3_000
    ),
    "a position that comes back after others": Case(
        lambda n: long_games.game(long_games.come_back(n)).encode(), 99_960, {"D601", "D602", "D611", "F220"}, 99_960, less=2_000
    ),
    "a game of many tokens": Case(
        lambda n: b"1. e4 " + b"{a} " * n + b"e5 *", 1_500_000, {"P110 too-long", "P109"}, 1, less=20_000
    ),
    "a game of 40 MB": Case(
        lambda n: b"1. e4 " + fill(b"{words of a comment that is long} ", n) + b"e5 *", 40_000_000, {"P110 too-long", "P109"}, 1
    ),
    "a file without line ends": Case(lambda n: b" ".join([b"1. e4 e5 2. Nf3 *"] * n), 30_000, set(), less=200),
    "a line of one word": Case(lambda n: b"1. e4 " + b"x" * n + b" *", 5_000_000, {"P110 unknown-word", "M390"}, 1, less=100_000),
    "a line of blanks": Case(lambda n: b"1. e4" + b" " * n + b"e5 *", 5_000_000, set(), 2, less=100_000),
    "NULs in a game": Case(lambda n: b"1. e4 " + b"\0" * n + b"e5 *", 5_000_000, {"P101"}, 2, less=100_000),
    "random bytes": Case(lambda n: random.Random(n).randbytes(n), 5_000_000, None, less=50_000),
    "random signs of PGN": Case(signs, 1_000_000, None, less=30_000),
}

LARGE = {
    "a game of 100 MB": Case(
        lambda n: b"1. e4 " + fill(b"{words of a comment that is long} ", n) + b"e5 *", 100_000_000, {"P110 too-long", "P109"}, 1
    )
}
"""Cases that are for thorough runs."""


def run(path: str, engine: str, tables: tuple[str, ...]) -> None:
    """Judge one file, as a command would, and print what that cost."""
    from chesstools.scan import scan_source
    from chesstools.source import find_sources

    (source,) = find_sources(path)
    before = peak()
    started = time.process_time()
    findings = 0
    for step in scan_source(source, tables=tables, engine=engine, jobs=1):
        findings += sum(step.summary.findings.values())
    seconds = time.process_time() - started
    print(f"{seconds:8.2f} s {peak():8.0f} MB {peak() - before:8.0f} MB {findings:10,} findings", flush=True)


def peak() -> float:
    """The most memory that this process held so far, in megabytes (on Linux)."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--engine", default="native")
    parser.add_argument("--tables", nargs="+", default=["games", "plies", "findings"])
    parser.add_argument("--file")
    arguments = parser.parse_args()
    if arguments.file:
        run(arguments.file, arguments.engine, tuple(arguments.tables))
        return
    print(f"{'':34} {'bytes':>12} {'time':>10} {'peak':>11} {'of it new':>11}")
    for name, case in {**CASES, **LARGE}.items():
        if arguments.names and name not in arguments.names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "hard.pgn"
            path.write_bytes(case.text())
            print(f"{name:34} {path.stat().st_size:12,}", end=" ", flush=True)
            command = [sys.executable, __file__, "--file", str(path), "--engine", arguments.engine, "--tables", *arguments.tables]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
