"""Sources of an unfinished dataset that are not given any more: they are waited for, or given up, as the caller says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chesstools.manifest import Manifest
from chesstools.source import Source


def beside_missing(old: Manifest, plan: Manifest, sources: Sequence[Source]) -> tuple[Manifest, list[Source]]:
    """The plan of a run and its sources, with those of an unfinished dataset in their places that are not among them.

    Nobody reads these: they are done, or will be given up. Where the sources are others, or in another order, all stays as it is.
    """
    planned = {entry.name: entry for entry in plan.sources}
    given = {source.name: source for source in sources}
    if [entry.name for entry in old.sources if entry.name in given] != list(given):
        return plan, list(sources)
    entries = [planned.get(entry.name, entry) for entry in old.sources]
    found = [given.get(one.name) or Source(one.name, one.size, one.mtime_ns, resumable=True) for one in old.sources]
    return replace(plan, sources=entries), found


def missing(old: Manifest, sources: Sequence[Source]) -> str | None:
    """The sources of an unfinished dataset that are not given, in words; None where all are."""
    given = {source.name for source in sources}
    names = [entry.name for entry in old.sources if entry.name not in given]
    if not names:
        return None
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def give_up(old: Manifest, sources: Sequence[Source]) -> None:
    """Take what is missing for done: what was read of it stays, and its summary tells that there is no more.

    What was given up, and is there again before the dataset is complete, is taken up where it was left.
    """
    given = {source.name for source in sources}
    for entry in old.sources:
        if not entry.done and entry.name not in given:
            games = "1 game of it was" if entry.summary.games == 1 else f"{entry.summary.games:,} games of it were"
            entry.summary.error = f"{entry.name} was given up before its end, as it is missing; {games} read."
            entry.given_up = entry.done = True
        elif entry.given_up and entry.name in given:
            entry.summary.error = None
            entry.given_up = entry.done = False
