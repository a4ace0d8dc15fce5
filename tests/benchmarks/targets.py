"""What the project wants to be true of its speed, and whether a run shows it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from .measures import Ratio, Times, Usage
from .peers import COMMENTED, PGN_EXTRACT, PGN_EXTRACT_UCI, READ_GAME, SHAKMATY


@dataclass(frozen=True)
class Results:
    """All that a run measured.

    Attributes:
        times: usages in each round, by the key of a way.
        sizes: unpacked bytes that each way reads.
        plies: plies in what each way reads, and games likewise.
        peaks: bytes resident, by key of `make_memory_ways`: for the archive, and for it ten times over.
    """

    times: Times
    sizes: Mapping[str, int]
    games: Mapping[str, int]
    plies: Mapping[str, int]
    peaks: Mapping[str, tuple[int, int]]

    def ratio(self, key: str, other: str, cost: Callable[[str, Usage], float]) -> Ratio | None:
        """The cost of `other` divided by that of `key`, round by round. None where one was not measured."""
        if key not in self.times or other not in self.times:
            return None
        rounds = zip(self.times[key], self.times[other], strict=True)
        return Ratio.of([cost(other, theirs) / (cost(key, mine) or math.inf) for mine, theirs in rounds])

    def throughput(self, key: str, peer: str) -> Ratio | None:
        """How many times the bytes per second of user time that `peer` reads."""
        return self.ratio(key, peer, lambda which, usage: usage.user / self.sizes[which])

    def wall(self, key: str, other: str) -> Ratio | None:
        """The time by the clock as a share of that of `other`."""
        return self.ratio(other, key, lambda which, usage: usage.wall)

    def each(self, key: str, value: Callable[[Usage], float]) -> Ratio | None:
        """One figure of a way."""
        return Ratio.of([value(usage) for usage in self.times[key]]) if key in self.times else None


@dataclass(frozen=True)
class Target:
    """One line of what is wanted: the figure for the work alone, and for the whole command with the start of Python."""

    label: str
    limit: float
    at_least: bool
    unit: str
    work: Callable[[Results], Ratio | None]
    command: Callable[[Results], Ratio | None]

    @property
    def wanted(self) -> str:
        """``at least 4.0 ×``."""
        return f"{'at least' if self.at_least else 'at most'} {self.limit:g}{self.unit}"

    def is_met(self, value: Ratio) -> bool:
        """Whether the median is on the right side."""
        return value.median >= self.limit if self.at_least else value.median <= self.limit

    def verdict(self, results: Results) -> str:
        """``yes``, ``no``, that only the work alone meets it, or nothing where nothing was measured."""
        work, command = self.work(results), self.command(results)
        met = [self.is_met(value) for value in (work, command) if value is not None]
        if not met or all(met):
            return "yes" if met else ""
        return "the work alone" if met[0] and work is not None else "no"


def nothing(results: Results) -> Ratio | None:
    """A column that has no meaning for a target."""
    return None


def faster(label: str, key: str, peer: str, limit: float) -> Target:
    """Throughput by user time, as a multiple of a peer's."""
    return Target(label, limit, True, " ×", lambda run: run.throughput(work_of(key), peer), lambda run: run.throughput(key, peer))


def share(label: str, key: str, other: str, limit: float) -> Target:
    """Time by the clock, as a share of another way's."""
    return Target(label, limit, False, " ×", lambda run: run.wall(work_of(key), work_of(other)), lambda run: run.wall(key, other))


def within(label: str, key: str, limit: float) -> Target:
    """Seconds by the clock for a whole command."""
    return Target(label, limit, False, " s", nothing, lambda run: run.each(key, lambda usage: usage.wall))


def work_of(key: str) -> str:
    """``validate zst 2`` → ``validate zst work 2``: the way without the start of Python."""
    return f"{key.removesuffix(' 2')} work{' 2' * key.endswith(' 2')}"


def million_plies(key: str) -> Callable[[Results], Ratio | None]:
    """Plies for each second of user time, in millions."""
    return lambda run: run.each(key, lambda usage: run.plies[key] / (usage.user or math.inf) / 1e6)


def megabytes(key: str) -> Callable[[Results], Ratio | None]:
    """Megabytes that are read for each second of user time."""
    return lambda run: run.each(key, lambda usage: run.sizes[key] / (usage.user or math.inf) / 1e6)


TARGETS: Sequence[Target] = (
    faster("`validate`, to pgn-reader + shakmaty", "validate", SHAKMATY, 4.0),
    faster("`validate`, to `pgn-extract -r`", "validate", PGN_EXTRACT, 25),
    faster("`validate`, to python-chess `read_game`", "validate", READ_GAME, 500),
    faster("`validate` with comments, to pgn-reader + shakmaty on the same text", "commented", COMMENTED, 3.0),
    faster("`ingest` of games and findings, to pgn-reader + shakmaty", "ingest two", SHAKMATY, 2.0),
    Target(
        "`ingest` of all tables, million plies per second of user time",
        3.0,
        True,
        "",
        million_plies("ingest work"),
        million_plies("ingest"),
    ),
    faster("`convert` to PGN, to `pgn-extract -Wuci`", "convert pgn", PGN_EXTRACT_UCI, 8),
    faster("`convert` to UCI, to `pgn-extract -Wuci`", "convert uci", PGN_EXTRACT_UCI, 8),
    Target(
        "`convert` to JSON Lines, MB of PGN per second of user time",
        60,
        True,
        "",
        megabytes("convert jsonl work"),
        megabytes("convert jsonl"),
    ),
    share("`validate` with 2 jobs, wall time to 1 job", "validate 2", "validate", 0.58),
    share("`ingest` of all tables with 2 jobs, wall time to 1 job", "ingest 2", "ingest", 0.65),
    share("`validate` of `.zst` with 2 jobs, wall time to plain text", "validate zst 2", "validate 2", 1.15),
    within("start: `chesstools --version`", "version", 0.15),
    within("start: `chesstools validate` of ten games", "ten games", 0.5),
)


@dataclass(frozen=True)
class MemoryTarget:
    """The most that may be resident, for the archive and for it ten times over, which may not take more than it."""

    label: str
    key: str
    limit: int

    GROWTH = 1.1
    """How much of a difference is noise."""

    @property
    def wanted(self) -> str:
        """``at most 250 MB, the same``."""
        return f"at most {self.limit} MB, the same"

    def verdict(self, results: Results) -> str:
        """``yes``, ``no``, or nothing where it was not measured."""
        if self.key not in results.peaks:
            return ""
        once, tenfold = results.peaks[self.key]
        return "yes" if max(once, tenfold) <= self.limit * 1_000_000 and tenfold <= once * self.GROWTH else "no"


MEMORY_TARGETS: Sequence[MemoryTarget] = (
    MemoryTarget("`validate`", "validate 1", 250),
    MemoryTarget("`validate`, 2 jobs", "validate 2", 250),
    MemoryTarget("`ingest` of all tables", "ingest 1", 500),
    MemoryTarget("`ingest` of all tables, 2 jobs", "ingest 2", 500),
)
