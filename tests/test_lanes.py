"""Threads that write beside the one that judges: in order, never far behind, and errors are not lost."""

from __future__ import annotations

import threading
import time

import pytest

from chesstools.lanes import WAITING, Lane


@pytest.mark.parametrize("has_thread", [False, True])
def test_things_are_done_in_order(has_thread: bool) -> None:
    lane = Lane(has_thread=has_thread)
    done: list[int] = []
    for number in range(50):
        lane.do(done.append, number)
    lane.wait()
    assert done == list(range(50))
    lane.close()


def test_only_a_few_things_wait() -> None:
    lane = Lane(has_thread=True)
    gate = threading.Event()
    given: list[int] = []

    def give() -> None:
        for number in range(20):
            lane.do(gate.wait, 10)
            given.append(number)

    giver = threading.Thread(target=give)
    giver.start()
    time.sleep(0.2)
    assert len(given) == WAITING + 1
    gate.set()
    giver.join()
    lane.wait()
    assert len(given) == 20
    lane.close()


def fail() -> None:
    raise ValueError("no space")


@pytest.mark.parametrize("has_thread", [False, True])
def test_an_error_is_raised_here_or_by_a_later_call(has_thread: bool) -> None:
    lane = Lane(has_thread=has_thread)

    def run() -> None:
        lane.do(fail)
        lane.wait()

    with pytest.raises(ValueError, match="no space"):
        run()
    lane.close()


def test_what_was_not_begun_is_dropped() -> None:
    lane = Lane(has_thread=True)
    begun, gate = threading.Event(), threading.Event()
    done: list[str] = []

    def slow() -> None:
        begun.set()
        gate.wait(10)
        done.append("slow")

    lane.do(slow)
    begun.wait(10)
    lane.do(done.append, "dropped")
    threading.Timer(0.05, gate.set).start()
    lane.drop()
    assert done == ["slow"]
    lane.do(done.append, "again")
    lane.close()
    assert set(done) <= {"slow", "again"}
