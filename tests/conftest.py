"""Settings for all tests: where they find the helpers they share, and how much the property tests try.

A plain run tries little, so that it stays quick. ``CHESSTOOLS_FULL=1`` tries much more. Where ``CI`` is set, every run
tries the same examples: a build does not fail by chance, and new examples are found by people. Whatever the locale, the
command line speaks English here, unless a test says otherwise.
"""

from __future__ import annotations

import gzip
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from command_line import Cli
    from recomputed.archive import Archive
    from s3_server import S3

    from chesstools.cluster import Cluster

# Tests are loaded by path (--import-mode=importlib), so the modules beside them must be found by name.
sys.path.insert(0, str(Path(__file__).parent))

os.environ["CHESSTOOLS_LANG"] = "en"

FULL = os.environ.get("CHESSTOOLS_FULL", "") not in ("", "0")
CI = os.environ.get("CI", "") not in ("", "0", "false")

# Times on a busy machine say nothing about right or wrong, so no example has a deadline.
settings.register_profile("fast", deadline=None, max_examples=40, derandomize=CI, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", settings.get_profile("fast"), max_examples=1000)
settings.load_profile("thorough" if FULL else "fast")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which the test runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def archive(here: Path) -> list[str]:
    """Two files of seven and four games, and one without any between them."""
    from datasets import pgn

    Path("a.pgn").write_text(pgn(0, 7))
    Path("b.pgn").write_text("")
    Path("c.pgn.gz").write_bytes(gzip.compress(pgn(7, 11).encode()))
    return ["a.pgn", "b.pgn", "c.pgn.gz"]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """The command line; many modules have one of their own, with settings."""
    from command_line import command

    return command(capsys)


@pytest.fixture
def cluster(joined: Cluster) -> Cluster:
    """The cluster `joined` of a module whose tests kill workers, with both of them: one that was killed takes a while to come."""
    joined.client.wait_for_workers(2)
    return joined


@pytest.fixture(scope="module")
def s3() -> Iterator[S3]:
    """An S3 server for the tests of a module."""
    from s3_server import running

    with running() as server:
        yield server


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """A small archive that has something of everything that statistics count."""
    from recomputed.archive import Archive
    from small_archive import sources

    return Archive(sources(), tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="session")
def otb(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """The first games of an archive of games over the board."""
    import corpora
    from recomputed.archive import Archive

    from chesstools.source import Source

    return Archive([Source.from_bytes(corpora.text("otb"), "otb.pgn")], tmp_path_factory.mktemp("otb"))
