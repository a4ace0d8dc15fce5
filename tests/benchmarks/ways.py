"""What of chesstools is measured: whole commands, as people type them, and the work alone, without the start of Python."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from .measures import BenchmarkError, Counts, Outcome, Way, reported, run
from .peers import DRIVER
from .texts import Text

TWO = ("games", "findings")
ALL = ("games", "plies", "findings")


def find_command() -> list[str]:
    """The command chesstools of the Python that runs this."""
    beside = Path(sys.executable).with_name("chesstools")
    found = str(beside) if beside.is_file() else shutil.which("chesstools")
    if found is None:
        raise BenchmarkError("The command chesstools is not installed; install the project first.")
    return [found]


def make_ways(paths: Mapping[str, Path], folder: Path) -> list[Way]:
    """All ways of chesstools, in the order of the table. A key ends in ``work`` where the interpreter's start is left out."""
    command = find_command()

    def validate(key: str, label: str, text: str, jobs: int) -> Way:
        typed = [*command, "validate", str(paths[text]), "--jobs", str(jobs), "--fail-on", "never"]
        return Way(key, label, text, typed, count_printed)

    def validate_work(key: str, label: str, text: str, jobs: int) -> Way:
        typed = [sys.executable, str(DRIVER), "validate", str(paths[text]), str(jobs)]
        return Way(key, label, text, typed, count_reported, reports=True)

    def ingest(key: str, label: str, tables: tuple[str, ...], jobs: int) -> Way:
        out = folder / key.replace(" ", "-")
        typed = [*command, "ingest", str(paths["archive"]), "-o", str(out), "--jobs", str(jobs), "--tables", ",".join(tables)]
        return Way(key, label, "archive", typed, count_rows(out, folder), writes=out)

    def ingest_work(key: str, label: str, tables: tuple[str, ...], jobs: int) -> Way:
        out = folder / key.replace(" ", "-")
        archive = str(paths["archive"])
        typed = [sys.executable, str(DRIVER), "ingest", archive, str(jobs), ",".join(tables), str(out)]
        return Way(key, label, "archive", typed, count_reported, writes=out, reports=True)

    def convert(form: str, name: str) -> list[Way]:
        out = folder / f"converted.{form}"
        archive = str(paths["archive"])
        count = count_converted(out, folder)
        work = [sys.executable, str(DRIVER), "convert", archive, "1", str(out)]
        typed = [*command, "convert", archive, "-o", str(out), "--jobs", "1"]
        return [
            Way(f"convert {form} work", f"`convert` to {name}, the work alone", "archive", work, count, reports=True),
            Way(f"convert {form}", f"`chesstools convert` to {name}", "archive", typed, count),
        ]

    return [
        validate_work("validate work", "`validate`, the work alone", "archive", 1),
        validate("validate", "`chesstools validate`", "archive", 1),
        validate_work("validate work 2", "`validate`, the work alone, 2 jobs", "archive", 2),
        validate("validate 2", "`chesstools validate`, 2 jobs", "archive", 2),
        validate("validate zst", "`chesstools validate`, `.zst`", "packed", 1),
        validate_work("validate zst work 2", "`validate`, the work alone, `.zst`, 2 jobs", "packed", 2),
        validate("validate zst 2", "`chesstools validate`, `.zst`, 2 jobs", "packed", 2),
        ingest_work("ingest two work", "`ingest`, games and findings, the work alone", TWO, 1),
        ingest("ingest two", "`chesstools ingest`, games and findings", TWO, 1),
        ingest_work("ingest work", "`ingest`, all tables, the work alone", ALL, 1),
        ingest("ingest", "`chesstools ingest`, all tables", ALL, 1),
        ingest_work("ingest work 2", "`ingest`, all tables, the work alone, 2 jobs", ALL, 2),
        ingest("ingest 2", "`chesstools ingest`, all tables, 2 jobs", ALL, 2),
        *convert("pgn", "PGN"),
        *convert("uci", "UCI"),
        *convert("jsonl", "JSON Lines"),
        validate_work("commented work", "`validate`, the work alone", "commented", 1),
        validate("commented", "`chesstools validate`", "commented", 1),
        Way("version", "`chesstools --version`", "", [*command, "--version"]),
        validate("ten games", "`chesstools validate`, ten games", "ten games", 1),
    ]


def make_memory_ways(plain: Text, folder: Path) -> list[Way]:
    """What is run once each to see how much memory it takes, for one text."""
    command, path = find_command(), str(plain.path)
    ways = []
    for jobs in (1, 2):
        typed = [*command, "validate", path, "--jobs", str(jobs), "--fail-on", "never"]
        ways.append(Way(f"validate {jobs}", "`chesstools validate`", plain.name, typed, count_printed))
        out = folder / f"memory-{jobs}"
        typed = [*command, "ingest", path, "-o", str(out), "--jobs", str(jobs)]
        count = count_rows(out, folder)
        ways.append(Way(f"ingest {jobs}", "`chesstools ingest`, all tables", plain.name, typed, count, writes=out))
    return ways


def count_reported(outcome: Outcome) -> Counts:
    """What the driver says."""
    told = reported(outcome)
    return Counts(games=told["games"], plies=told["plies"], findings=told["findings"])


READ = re.compile(r"^([\d,]+) games?, ([\d,]+) (?:ply|plies), ", re.MULTILINE)
FOUND = re.compile(r"^(?:(?:[\d,]+ (?:error|warning|info)s?(?:, )?)+|nothing found)(?= \(|$)", re.MULTILINE)


def count_printed(outcome: Outcome) -> Counts:
    """What the summary of `chesstools validate` says."""
    read, found = READ.search(outcome.errors), FOUND.search(outcome.errors)
    if read is None or found is None:
        raise BenchmarkError(f"The summary of chesstools validate has another form now:\n{outcome.errors[-500:]}")
    findings = sum(int(number.replace(",", "")) for number in re.findall(r"([\d,]+) [a-z]", found[0]))
    return Counts(games=int(read[1].replace(",", "")), plies=int(read[2].replace(",", "")), findings=findings)


def count_rows(dataset: Path, folder: Path) -> Callable[[Outcome], Counts]:
    """The rows that are really in the files."""

    def count(outcome: Outcome) -> Counts:
        return Counts(**reported(run([sys.executable, str(DRIVER), "rows", str(dataset)], folder)))

    return count


def count_converted(file: Path, folder: Path) -> Callable[[Outcome], Counts]:
    """The games and plies that are really in the file."""

    def count(outcome: Outcome) -> Counts:
        told = reported(run([sys.executable, str(DRIVER), "converted", str(file)], folder))
        return Counts(games=told["games"], plies=told["plies"])

    return count
