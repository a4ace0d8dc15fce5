"""What a program costs: it runs as a child process, and the kernel says how much time and memory it took.

This module and all that the measuring process imports stay small: a child inherits the peak of the process that starts it.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ENVIRONMENT = {"NO_COLOR": "1", "COLUMNS": "200", "PYTHONHASHSEED": "0"}


class BenchmarkError(Exception):
    """The comparison cannot be made, or would not be fair."""


@dataclass(frozen=True)
class Usage:
    """Seconds of processor (in the program; in the kernel for it), seconds by the clock, and bytes at most resident."""

    user: float
    system: float
    wall: float
    peak: int = 0


@dataclass(frozen=True)
class Outcome:
    """A process that ended: what it cost, and what it printed."""

    usage: Usage
    output: str
    errors: str


@dataclass(frozen=True)
class Counts:
    """What a way found. None is what it does not count."""

    lines: int | None = None
    games: int | None = None
    plies: int | None = None
    findings: int | None = None
    bad_games: int | None = None
    by_code: Mapping[str, int] | None = None


@dataclass(frozen=True)
class Way:
    """A way to read a text: one command.

    Attributes:
        key: its name in ratios and for ``--only``.
        label: its row in the table.
        text: which of the texts it reads.
        command: what is run.
        count: what is in its output.
        times: how often the command reads its text, where once is too quick to be measured; usages are for once.
        in_kernel: whether time in the kernel counts as user time: a scan that does nothing else gets its bytes there.
        writes: the folder that it writes, removed before each run.
        reports: whether the last line it prints is the usage of the work alone, as JSON.
    """

    key: str
    label: str
    text: str
    command: Sequence[str]
    count: Callable[[Outcome], Counts] = field(default=lambda outcome: Counts())
    times: int = 1
    in_kernel: bool = False
    writes: Path | None = None
    reports: bool = False


def run(command: Sequence[str], folder: Path) -> Outcome:
    """Run a command to its end. What it prints goes into files in `folder`.

    Raises BenchmarkError if it fails.
    """
    out, err = folder / "output", folder / "errors"
    with out.open("wb") as output, err.open("wb") as errors:
        started = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=os.environ | ENVIRONMENT, cwd=folder
        )
        _, status, spent = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
    usage = Usage(spent.ru_utime, spent.ru_stime, wall, spent.ru_maxrss * 1024)
    outcome = Outcome(usage, *(file.read_text(encoding="utf-8", errors="replace") for file in (out, err)))
    if process.returncode:
        raise BenchmarkError(f"{' '.join(map(str, command))} failed:\n{outcome.errors[-2000:]}")
    return outcome


def run_way(way: Way, folder: Path) -> Outcome:
    """Run a way once. The usage is for one reading, and for the work alone if the way reports it."""
    if way.writes is not None:
        shutil.rmtree(way.writes, ignore_errors=True)
    outcome = run(way.command, folder)
    usage = outcome.usage
    if way.reports:
        told = reported(outcome)
        usage = Usage(told["user"], told["system"], told["wall"], usage.peak)
    if way.in_kernel:
        usage = Usage(usage.user + usage.system, usage.system, usage.wall, usage.peak)
    if way.times > 1:
        usage = Usage(usage.user / way.times, usage.system / way.times, usage.wall / way.times, usage.peak)
    return Outcome(usage, outcome.output, outcome.errors)


def reported(outcome: Outcome) -> dict[str, Any]:
    """The object that the last line of the output is."""
    told: dict[str, Any] = json.loads(outcome.output.splitlines()[-1])
    return told


Times = Mapping[str, Sequence[Usage]]
"""The usage of each way in each round, by the key of the way."""


def measure(ways: Sequence[Way], folder: Path, repeat: int, tell: Callable[[str], None]) -> Times:
    """Run every way once in each round, beginning with another one each time, so that noise hits all alike."""
    times: dict[str, list[Usage]] = {way.key: [] for way in ways}
    for number in range(repeat):
        first = number * len(ways) // repeat
        for way in [*ways[first:], *ways[:first]]:
            tell(f"round {number + 1} of {repeat}: {way.key}")
            times[way.key].append(run_way(way, folder).usage)
    return times


@dataclass(frozen=True)
class Ratio:
    """The median over the rounds, and the lowest and highest."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Ratio:
        return cls(statistics.median(values), min(values), max(values))


def medians(usages: Sequence[Usage]) -> Usage:
    """The median of each part."""
    return Usage(
        statistics.median(usage.user for usage in usages),
        statistics.median(usage.system for usage in usages),
        statistics.median(usage.wall for usage in usages),
        int(statistics.median(usage.peak for usage in usages)),
    )
