"""Write an archive of generated games, with faults planted at a chosen rate and a table of what a validator must find.

    python sample_data/generate.py --games 1000 --seed 7 --fault-rate 0.15 --style mixed -o games.pgn --truth games.truth.csv

The same options give the same bytes. Memory does not grow with the number of games.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from generator.archive import Options, write_archive
from generator.faults import TABLE
from generator.styles import STYLES


def main(arguments: list[str] | None = None) -> int:
    """Run the generator; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000, metavar="N", help="number of games (default 1000)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="seed of all random choices (default 1)")
    parser.add_argument("--fault-rate", type=float, default=0.0, metavar="R", help="chance of a fault in a game (default 0)")
    parser.add_argument("--style", choices=("mixed", *STYLES), default="mixed", help="producer whose style is imitated")
    parser.add_argument("--plies", type=int, default=64, metavar="P", help="mean length of an ordinary game (default 64)")
    parser.add_argument("--kind", action="append", default=[], metavar="NAME", help="plant only this kind (repeatable)")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE.pgn", help="the archive")
    parser.add_argument("--truth", type=Path, metavar="FILE.csv", help="the table of findings")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.kind if name not in TABLE]:
        parser.error(f"there is no kind {unknown[0]!r}; the kinds are {', '.join(sorted(TABLE))}")
    wanted = Options(options.games, options.seed, options.fault_rate, options.style, options.plies, tuple(options.kind))
    with contextlib.ExitStack() as stack:
        pgn = stack.enter_context(options.output.open("wb"))
        truth = None
        if options.truth is not None:
            truth = stack.enter_context(options.truth.open("w", encoding="utf-8", newline=""))
        done = write_archive(wanted, pgn, truth)
    findings = sum(done.findings.values())
    print(f"{options.output}: {done.games} games, {done.faulted} with a fault, {findings} findings, seed {options.seed}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
