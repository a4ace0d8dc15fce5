"""docs/statistics.md, made from the code: ``python -m tests.statistics_page > docs/statistics.md``."""

from __future__ import annotations

from collections.abc import Iterator

from chesstools.stats.counted import REASONS
from chesstools.stats.outcome import INTERVAL, OUTCOME_COLUMNS, PERFORMANCE
from chesstools.stats.registry import FAMILIES
from chesstools.stats.run import LEFT_OUT
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

With `--cluster ADDRESS` the tables are worked out by the workers of a Dask cluster, of datasets that are too big for one machine,
and they are the same to the last digit, however the dataset is cut. Each table is made in two steps: what can be added up is
worked out of each share of the dataset, some of its part files, and added up; then the columns are made of that. Nothing is
estimated: medians come from histograms (those of move times are cut off as told there, on one machine too), the first games of a
ranking from the first of each share, and games that stand several times are found bucket by bucket, by their `game_id`. So that
sums do not depend on their order, expected scores are added with 15 digits behind the point, and winning percents and shares of
times with 9.

A worker takes up to 200,000 games at a time (less where there are few): 125,620 games took it 500 megabytes of memory. What the
database cannot hold goes to a scratch folder of the machine. Partial tables of 50,000 games over the board have 1.2 megabytes.
They stand in DIR, or where `--scratch` says, until they are added up, 24 at a time; to find repeated games, so do the numbers of
all games, about 20 bytes for each. All machines have to reach the datasets and that place under the same names.

A limit: each bucket opens the numbers of all shares, with `--unique` or without, so that step grows with the square of the games.
A hundred million games are 500 shares and 25 buckets or so, thousands of millions are beyond it.

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
