"""What the command line tells of a cluster while it waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from chesstools.cli import cluster as module
from chesstools.cli.cluster import joined, tell_whole
from chesstools.cli.words import Words
from chesstools.cluster import State
from chesstools.cluster.address import Running
from chesstools.cluster.connect import _Again
from chesstools.errors import ChesstoolsError

NONE = State(0, 0, 0)
ONE = State(0, 0, 1)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[str, Callable[..., None]]:
    """What a cluster is given to tell with."""
    given: dict[str, Callable[..., None]] = {}

    @contextmanager
    def connected(address: str, **tells: Any) -> Iterator[SimpleNamespace]:
        given.update(tells)
        yield SimpleNamespace(dashboard=None, scheduler=None if address == "local" else "tcp://10.0.0.7:8786")

    monkeypatch.setattr("chesstools.cluster.connected", connected)
    monkeypatch.setattr(module, "WAIT_SECONDS", 0.0)
    return given


def test_that_there_are_no_workers_is_told_once_each_time(told: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[State] = []
    with joined("scheduler.json", Words("en"), quiet=False, tell=seen.append):
        for state in (NONE, NONE, NONE, ONE, NONE, NONE, NONE):
            told["tell"](state)
    line = "Waiting for workers of the scheduler at tcp://10.0.0.7:8786; start some with `dask worker tcp://10.0.0.7:8786`.\n"
    assert capsys.readouterr().err == 2 * line
    assert len(seen) == 7


def test_workers_that_are_soon_there_again_are_not_waited_for(
    told: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WAIT_SECONDS", 1e9)
    with joined("tcp://10.0.0.7:8786", Words("en"), quiet=False):
        for state in (NONE, NONE, NONE, ONE):
            told["tell"](state)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("address", "quiet"), [("local", False), ("tcp://10.0.0.7:8786", True)])
def test_workers_of_this_machine_come_by_themselves_and_quiet_is_quiet(
    told: dict[str, Any], capsys: pytest.CaptureFixture[str], address: str, quiet: bool
) -> None:
    with joined(address, Words("en"), quiet=quiet):
        for state in (NONE, NONE, NONE):
            told["tell"](state)
        if quiet:
            told["lost"]()
    assert capsys.readouterr().err == ""


def test_a_scheduler_that_is_lost_is_told_in_both_languages(told: dict[str, Any]) -> None:
    lines: list[str] = []
    for lang in ("en", "zh"):
        with joined("tcp://10.0.0.7:8786", Words(lang), quiet=False, say=lines.append):
            told["lost"]()
    assert lines == [
        "The scheduler at tcp://10.0.0.7:8786 does not answer any more; it has 2 min 0 s to come back.",
        "调度器 tcp://10.0.0.7:8786 不再应答；等待它恢复，最长 2 分 0 秒。",
    ]


def test_it_is_told_once_each_time_that_the_scheduler_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([False, False, True, False])
    told: list[str] = []

    def join(where: Running, seconds: float) -> str:
        if not next(answers):
            raise ChesstoolsError("nobody there")
        return "client"

    monkeypatch.setattr("chesstools.cluster.connect._joined", join)
    again = _Again(Running("tcp://10.0.0.7:8786", None), lambda: told.append("lost"))
    for _ in range(2):
        with pytest.raises(ChesstoolsError):
            again(1.0)
    again(1.0)
    assert len(told) == 1
    with pytest.raises(ChesstoolsError):
        again(1.0)
    assert len(told) == 2


def test_why_sources_were_not_cut_is_told_in_the_language_that_was_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    sentences = [f"{n}.zip is a zip archive and is read as a whole; unpack it to have it cut." for n in range(7)]
    tell_whole(sentences, Words("zh"))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 6
    assert lines[0] == "0.zip 是 zip 压缩包，因此整体读取；解压后才能分段。"
    assert lines[5] == "另有 2 个来源是整体读取的。"
