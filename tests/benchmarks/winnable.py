"""How long a quick answer takes on the last positions of games: ``python -m tests.benchmarks.winnable FILES…``.

The answers are counted first; the time is printed, as a machine that does other things too proves nothing.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from chesstools import _core
from chesstools.scan import scan

CALLS = 20_000
"""Calls that do nothing but read the position, to tell what Python and the FEN cost."""


def last_positions(files: list[str]) -> list[str]:
    """The final positions of standard games, as FEN."""
    games = scan(files, tables=["games"]).to_tables()["games"]
    return [fen for fen in games["final_fen"].to_pylist() if fen is not None]


def main(files: list[str]) -> None:
    """Count answers, then time them."""
    fens = last_positions(files)
    counts: Counter[str] = Counter()
    nodes = 0
    begin = time.process_time()
    for fen in fens:
        for white in (True, False):
            verdict, _, _, looked_at = _core.winnable(fen, chess960=False, white=white, limit=None)
            counts[verdict] += 1
            nodes += looked_at
    seconds = time.process_time() - begin
    assert counts.total() == 2 * len(fens)
    bare = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    begin = time.process_time()
    for _ in range(CALLS):
        _core.winnable(bare, chess960=False, white=True, limit=None)
    call = (time.process_time() - begin) / CALLS
    each = seconds / max(1, counts.total())
    print(f"{len(fens):,} positions: {dict(counts)}, {nodes / max(1, counts.total()):.2f} positions looked at for an answer")
    print(f"{each * 1e6:.1f} µs an answer with the call from Python and the FEN, which are {call * 1e6:.1f} µs of it")


if __name__ == "__main__":
    main(sys.argv[1:])
