"""The work alone, without the start of the interpreter: `python driver.py TASK FILE …` prints counts and usage as JSON.

    validate FILE JOBS           chesstools.validate, all findings taken as record batches
    ingest FILE JOBS TABLES OUT  chesstools.ingest to a folder
    convert FILE JOBS OUT        chesstools.convert to a file, whose name says the format
    converted FILE               games and plies in a file that was converted, for comparison only
    read_game FILE               python-chess, every game read and its mainline walked
    judge FILE ENGINE            findings by code, for comparison only
    rows DATASET                 rows of each table of a dataset, for comparison only
    versions                     of what is compared

Everything is imported, and a tiny game judged, before the clock starts. Each task runs in a process of its own, so that the
process that measures stays small.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

TINY = b'[Event "x"]\n[Result "*"]\n\n1. e4 e5 2. Ke3 *\n'

Result = dict[str, Any]


def validate(file: str, jobs: str) -> Result:
    from chesstools import validate
    from chesstools.source import Source

    def work(source: str | Source) -> Result:
        validation = validate(source, jobs=int(jobs))
        taken = sum(batch.num_rows for batch in validation.batches())
        summary = validation.summary
        return {"games": summary.games, "plies": summary.plies, "findings": taken}

    return timed(lambda: work(Source.from_bytes(TINY)), lambda: work(file))


def ingest(file: str, jobs: str, tables: str, out: str) -> Result:
    from chesstools import ingest
    from chesstools.source import Source

    def work(source: str | Source, folder: str) -> Result:
        summary = ingest(source, folder, tables=tables.split(","), jobs=int(jobs))
        return {"games": summary.games, "plies": summary.plies, "findings": sum(summary.findings.values())}

    with tempfile.TemporaryDirectory() as folder:
        return timed(lambda: work(Source.from_bytes(TINY), folder), lambda: work(file, out))


def convert(file: str, jobs: str, out: str) -> Result:
    from chesstools import convert
    from chesstools.source import Source

    def work(source: str | Source) -> Result:
        return {"games": convert(source, out, jobs=int(jobs)).games}

    return timed(lambda: work(Source.from_bytes(TINY)), lambda: work(file))


def converted(file: str) -> Result:
    if file.endswith(".pgn"):
        return judge(file, "native")
    games = plies = 0
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            games += 1
            plies += len(json.loads(line)["moves"]) if file.endswith(".jsonl") else len(line.split())
    return {"games": games, "plies": plies}


def read_game(file: str) -> Result:
    import chess.pgn

    def work() -> Result:
        games = plies = bad = 0
        with open(file, encoding="utf-8", errors="replace") as stream:
            while (game := chess.pgn.read_game(stream)) is not None:
                games += 1
                plies += sum(1 for _ in game.mainline())
                bad += bool(game.errors)
        return {"games": games, "plies": plies, "bad_games": bad}

    return timed(lambda: {}, work)


def timed(warm_up: Callable[[], Result], work: Callable[[], Result]) -> Result:
    """What `work` counts, and what it used. `warm_up` brings in what is imported late."""
    warm_up()
    started, before = time.perf_counter(), used()
    counts = work()
    wall, after = time.perf_counter() - started, used()
    return {**counts, "user": after[0] - before[0], "system": after[1] - before[1], "wall": wall}


def used() -> tuple[float, float]:
    """Seconds of processor of this process and its children: in programs, and in the kernel."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime for one in spent), sum(one.ru_stime for one in spent)


def judge(file: str, engine: str) -> Result:
    from chesstools import validate

    validation = validate(file, engine=engine)
    for _ in validation:
        pass
    summary = validation.summary
    by_code = dict(sorted(summary.findings.items()))
    return {"games": summary.games, "plies": summary.plies, "findings": sum(by_code.values()), "by_code": by_code}


def rows(dataset: str) -> Result:
    import pyarrow.parquet as pq

    from chesstools import Dataset

    opened = Dataset.open(dataset)
    return {table: sum(pq.read_metadata(file).num_rows for file in opened.files(table)) for table in opened.manifest.tables}


def versions() -> Result:
    import platform

    import chess
    import pyarrow

    import chesstools
    from chesstools.engines import choose

    return {
        "chesstools": chesstools.__version__,
        "engine": choose(),
        "python": platform.python_version(),
        "python-chess": chess.__version__,
        "pyarrow": pyarrow.__version__,
    }


TASKS: dict[str, Callable[..., Result]] = {
    task.__name__: task for task in (validate, ingest, convert, converted, read_game, judge, rows, versions)
}

if __name__ == "__main__":
    print(json.dumps(TASKS[sys.argv[1]](*sys.argv[2:])))
