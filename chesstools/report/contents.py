"""What stands on the page, and in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from chesstools.database import connect
from chesstools.dataset import Dataset
from chesstools.report import about, ends, openings, people, play, quality, remarkable, results, thinking
from chesstools.report.boards import games_to_look_at
from chesstools.report.figures import figures
from chesstools.report.model import Board, Item, Page, Plot
from chesstools.report.text import plain
from chesstools.schema import TABLES

WANTED = sorted(
    {name for part in (about, quality, results, openings, ends, play, thinking, people, remarkable) for name in part.WANTED}
)
"""The statistics that the page shows."""


def make_page(
    datasets: Sequence[Dataset],
    *,
    title: str | None = None,
    include_invalid: bool = False,
    unique: bool = False,
    threads: int | None = None,
) -> Page:
    """The page about the games of `datasets`."""
    numbers = figures(datasets, WANTED, include_invalid=include_invalid, unique=unique, threads=threads)
    summaries = [dataset.summary for dataset in datasets]
    boards, note = _boards(datasets, numbers.files, threads)
    found = quality.found(summaries, numbers.games)
    codes = [*(row["code"] for row in found), *(problem.code for board in boards for problem in board.problems)]
    parts = [
        about.section(summaries, numbers),
        quality.section(summaries, numbers),
        quality.games_section(boards, note),
        results.section(numbers),
        openings.section(numbers),
        ends.section(numbers),
        play.section(numbers),
        thinking.section(numbers),
        people.section(numbers),
        remarkable.section(numbers),
        quality.rules_section(codes),
    ]
    sections = [replace(part, items=_paired(part.items)) for part in parts if part is not None]
    sources = [source for summary in summaries for source in summary.sources]
    return Page(plain(title) if title is not None else about.title_of(sources), about.lead(summaries, numbers), sections)


def _paired(items: Sequence[Item]) -> list[Item]:
    """Plots of half the width in pairs: one that is left alone has the whole width, unless it is a board, which has its own."""
    found = list(items)
    run: list[int] = []
    for at, item in enumerate([*found, None]):
        if isinstance(item, Plot) and item.half:
            run.append(at)
            continue
        if len(run) % 2 and isinstance(last := found[run[-1]], Plot) and not last.square:
            found[run[-1]] = replace(last, half=False)
        run = []
    return found


def _boards(datasets: Sequence[Dataset], files: Mapping[str, str], threads: int | None) -> tuple[list[Board], str | None]:
    """Games with findings, or why there are none."""
    for table in TABLES:
        if any(table not in dataset.manifest.tables for dataset in datasets):
            return [], f"No games are shown, as a dataset has no table {table}."
    with connect(datasets, threads=threads) as connection:
        return games_to_look_at(connection, files), None
