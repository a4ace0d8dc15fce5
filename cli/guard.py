"""Limits that hold where DuckDB looks at none, inside of one call of a function: the command can end itself."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from chesstools.scratch import remove_all

MARGIN_MB = 500
"""What the process may take beyond what it has and what the SQL may take: rows on their way out, stacks of threads."""


def end(sentence: str) -> None:
    """Say what is wrong, remove scratch folders, and end the process with status 2, whatever other threads do."""
    click.echo(f"chesstools: {sentence}", err=True)
    sys.stderr.flush()
    remove_all()
    os._exit(2)


@contextmanager
def memory_limited(memory_mb: int) -> Iterator[None]:
    """Let the process take `memory_mb` and a margin more than it has now, where the system can hold it to that (Linux)."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[5])
    except (ImportError, OSError, ValueError, IndexError):
        yield
        return
    before, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = pages * resource.getpagesize() + (memory_mb + MARGIN_MB) * 1_000_000
    limits = [limit for limit in (before, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min([wanted, *limits]), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (before, hard))
