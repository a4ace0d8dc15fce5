"""docs/statistics.md, made from the code: ``python -m tests.statistics_page > docs/statistics.md``."""

from __future__ import annotations

from collections.abc import Iterator

from chesstools.openings import load
from chesstools.stats.counted import REASONS
from chesstools.stats.outcome import INTERVAL, OUTCOME_COLUMNS, PERFORMANCE
from chesstools.stats.registry import FAMILIES
from chesstools.stats.run import LEFT_OUT
from chesstools.stats.shares.adding import FAN
from chesstools.stats.shares.cut import MOST_GAMES, MOST_PARTS
from chesstools.stats.statistic import Column, Statistic

HEAD = f"""# Statistics

Made from the code by `python -m tests.statistics_page > docs/statistics.md`; do not edit.

`chesstools stats SOURCE|DATASET… -o DIR` writes these tables, one file each, and `chesstools.stats(…)` returns them. The same
meanings stand in the metadata of each Parquet file, with the tool's version, the sources and what was left out.

Games with errors are left out of every table that does not say otherwise, unless `--include-invalid`; with `--unique` the same
game counts once. What else a table leaves out stands below it, and how many games that were is in its metadata and in the table
`left_out`: games counted and games left out add up to the games of the datasets.

{INTERVAL}

{PERFORMANCE}

An opening is looked for in the first {load().depth} plies of a game, as many as the longest named line has: a game that comes
to a named position later, by a longer way, has the opening that it had before.

## What is exact

All of it: nothing is estimated or sampled, on one machine or on many. Counts, sums, shares and extremes are of all games that
count; medians come from histograms, and those of move times, which are cut off, say so where they stand; repeated games are
told by `game_id`, 128 bits of a hash of the roster tags and moves. So that sums do not depend on their order, expected scores
are added with 15 digits behind the point, and winning percents and shares of times with 9. Intervals and performances are
formulas over these numbers, as above.

## On a cluster

With `--cluster ADDRESS` the tables are worked out by the workers of a Dask cluster, of datasets that are too big for one
machine, and they are the same to the last digit, however the dataset is cut. Each table is made in two steps: what can be
added up is worked out of each share of the dataset, some of its part files, and added up, {FAN} shares at a time, then {FAN}
of these sums, and so on; then the run itself makes the columns of the last sums. SOURCES are first made a dataset by the
workers, as `ingest --cluster` does.

A share has up to {MOST_GAMES:,} games (less where there are few) and up to {MOST_PARTS} parts. Its task gets the names and
sizes of its own files, looks at these alone, and leaves one file: about a megabyte for each 50,000 games over the board. What
the database cannot hold goes to a scratch folder of the machine. These files stand in a hidden folder in DIR, or where
`--scratch` says, until they are added up. All machines have to reach the datasets and that place under the same names.

A task that fails is tried again, three times in all. If it fails for good the others are done, and the run ends with a
sentence that names the parts of the share. Whatever ends a run, also `kill -9`, the same command goes on with what is
missing, with any number of workers, and ends in the same tables; where it was ended while it wrote the tables themselves, add
`--overwrite`. What is found there belongs to the same parts of the same datasets, the same options, statistics and versions,
or it is taken away and not used. When the tables are there it goes.

With `--unique` repeated games are looked for first: each share leaves its games ordered by `game_id`, about 30 bytes for
each; in steps that take {FAN} files together and cut them into ranges, all copies of a game come into one file, of some five
million games; what came before goes back to the shares in the same way. The files to open grow as the games, times the
logarithm of the shares: for seven thousand million games in 35,000 shares a quarter of a million, there and back. Without
`--unique` no table needs to know, and that is left out: how many games are repeats is told on one machine only.

What it takes, measured: all tables of a share of 125,620 games over the board 5 seconds of a processor, 520 MB of memory and
a file of 1.9 MB; a share of 40 games in ten parts a fifth of a second for three tables. To bring five million games together
and look through them takes 6 seconds and 900 MB, less where a worker may take less. The run itself cuts 700,000 parts, 7,000
million games, into 35,000 shares in 2 seconds and takes 7 more to tell whether what it finds is of the same parts; it holds
525 MB then, most of it the manifest, and has 36,500 tasks to give, of 3 kilobytes each.

Tables with a row for each player, player and year, or event are as large as there are names. Their last sums are put together
by the run itself, within a gigabyte of memory and what its scratch folder (`TMPDIR`) holds.

"""


def page() -> str:
    """The whole page."""
    return HEAD + "".join(_parts())


def _parts() -> Iterator[str]:
    yield "## Why games are left out\n\n| reason | |\n|---|---|\n"
    for reason in REASONS.values():
        yield f"| {reason.name} | {reason.meaning} |\n"
    yield "\n## Columns of outcomes\n\nTables that count outcomes have these columns behind their own.\n\n"
    yield from _columns(OUTCOME_COLUMNS)
    for family, statistics in FAMILIES.items():
        yield f"\n## {family}\n"
        for statistic in statistics:
            yield from _statistic(statistic)
    yield "\n## What goes with them\n"
    yield from _statistic(LEFT_OUT)


def _statistic(statistic: Statistic) -> Iterator[str]:
    yield f"\n### {statistic.name}\n\n**{statistic.title}.** {statistic.meaning}\n\n"
    own = [column for column in statistic.columns if column not in OUTCOME_COLUMNS]
    if own:
        yield from _columns(own)
    if len(own) < len(statistic.columns):
        yield "\nThe columns of outcomes follow.\n" if own else "The columns of outcomes.\n"
    if statistic is not LEFT_OUT:
        names = ", ".join([*([] if statistic.everything or statistic.with_errors else ["errors"]), *statistic.leaves_out])
        yield f"\nLeft out: {names or 'nothing'}.\n"


def _columns(columns: list[Column] | tuple[Column, ...]) -> Iterator[str]:
    yield "| column | type | |\n|---|---|---|\n"
    for column in columns:
        meaning = column.meaning.replace("|", "\\|")
        yield f"| {column.name} | {column.type} | {meaning} |\n"


if __name__ == "__main__":
    print(page(), end="")
