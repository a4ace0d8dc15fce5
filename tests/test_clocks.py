"""Clock times against the time control and the result (C702 to C705), and the time used for each move, on both engines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chesstools.engines import why_not_native
from chesstools.reference.allowance import Allowance
from chesstools.reference.clock_findings import clock_text
from chesstools.reference.clocks import MANY_ZEROS, SLACK_MS, Clocks
from chesstools.reference.comments import Annotations, read_commands
from chesstools.scan import scan
from chesstools.source import Source
from chesstools.time_control import TimeControl

ENGINES = ["reference"] if why_not_native() else ["reference", "native"]
CLOCKS = {"C702", "C703", "C704", "C705"}
SHUFFLE = ("Nf3", "Nf6", "Ng1", "Ng8")

Times = Sequence[str | None]


def game(times: Times, control: str | None = None, more: str = "", result: str = "*") -> bytes:
    """A game of knights that go to and fro, with a comment behind each move; a time alone is a clock time."""
    text = more if control is None else f'[TimeControl "{control}"]\n{more}'
    text += f'[Result "{result}"]\n\n'
    for ply, time in enumerate(times):
        text += f"{SHUFFLE[ply % 4]} "
        if time is not None:
            text += f"{{{time if time[:1] in '[+' else f'[%clk {time}]'}}} "
    return f"{text}{result}\n".encode()


def tables(data: bytes) -> dict[str, list[dict[str, Any]]]:
    """All tables, the same by both engines."""
    both = [
        {name: table.to_pylist() for name, table in scan(Source.from_bytes(data), engine=engine).to_tables().items()}
        for engine in ENGINES
    ]
    assert both[0] == both[-1]
    return both[0]


def found(data: bytes) -> list[tuple[str, int, str]]:
    """Code, ply and side of what is found about clocks."""
    return [(row["code"], row["ply"], row["side"]) for row in tables(data)["findings"] if row["code"] in CLOCKS]


def used(data: bytes) -> list[int | None]:
    return [row["used_ms"] for row in tables(data)["plies"]]


# -------------------------------------------------------------------------------------------------- time used


def test_time_used_is_what_the_clock_lost_and_the_increment() -> None:
    times = ["0:05:00", "0:05:00", "0:05:01", "0:04:50", "0:04:59.5", "0:04:53"]
    assert used(game(times, "300+3")) == [None, None, 2000, 13_000, 4500, 0]
    assert used(game(times, "300")) == [None, None, None, 10_000, 1500, None]  # no time is less than none


@pytest.mark.parametrize("control", [None, "?", "-", "40/2h", "*300", "1/300", "300+3d", "30:20"])
def test_without_a_known_control_no_time_is_derived(control: str | None) -> None:
    assert used(game(["0:05:00", "0:05:00", "0:04:50", "0:04:40"], control)) == [None] * 4


def test_time_that_is_stated_is_kept() -> None:
    times = ["[%clk 0:05:00] [%emt 0:00:07]", "[%emt 0:00:08]", "[%clk 0:04:50] [%emt 0:00:09.5]", "0:04:40"]
    rows = tables(game(times, "300"))["plies"]
    assert [row["used_ms"] for row in rows] == [7000, 8000, 9500, None]
    assert [row["elapsed_ms"] for row in rows] == [7000, 8000, 9500, None]


def test_a_gap_is_not_bridged() -> None:
    times = ["0:05:00", "0:05:00", None, "0:04:50", "0:04:40", "0:04:45", "0:04:30"]
    assert used(game(times, "300")) == [None, None, None, 10_000, None, 5000, 10_000]


def test_after_a_first_time_of_half_the_base_increments_are_not_sure() -> None:
    times = ["0:02:30", "0:05:00", "0:02:25", "0:04:55"]
    assert used(game(times, "300+3")) == [None, None, None, 8000]
    assert used(game(times, "300")) == [None, None, 5000, 5000]


def test_where_a_new_period_may_have_come_nothing_is_derived() -> None:
    # White's time comes with the second move, Black's at the third; both are told from then on.
    times = ["0:00:50", "0:00:40", "0:01:20", "0:00:30", "0:01:10", "0:00:50", "0:01:00", "0:00:45"]
    assert used(game(times, "2/60:30")) == [None, None, None, None, 10_000, None, 10_000, 5000]
    assert found(game(times, "2/60:30")) == []


def test_moves_are_not_counted_where_the_game_begins_in_the_middle() -> None:
    fen = '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/4K2R b - - 0 12"]\n\n'
    text = "%s12... Kd7 {[%%clk 0:00:50]} 13. Kd2 {[%%clk 0:00:40]} Kd8 {[%%clk 0:00:30]} 14. Kd3 {[%%clk 0:05:20]} *"
    assert used((f'[TimeControl "20/60:30"]\n{text}' % fen).encode()) == [None] * 4
    data = (f'[TimeControl "60"]\n{text}' % fen).encode()
    assert used(data) == [None, None, 20_000, None]
    assert found(data) == [("C702", 4, "white")]


# ------------------------------------------------------------------------------------------------------- C702


@pytest.mark.parametrize(("time", "rises"), [("0:04:58", False), ("0:05:04", False), ("0:05:04.1", True), ("0:15:00", True)])
def test_clock_that_gains_more_than_it_can(time: str, rises: bool) -> None:
    data = game(["0:05:00", "0:04:59", "0:04:58", time, "0:04:50"], "300+2")
    assert SLACK_MS == 3000
    assert found(data) == ([("C702", 4, "black")] if rises else [])


def test_gains_are_counted_and_the_first_is_shown() -> None:
    (row,) = tables(game(["0:05:00", "0:05:00", "0:06:00", "0:05:30", "0:05:00", "0:09:00"], "300"))["findings"][-1:]
    assert (row["code"], row["ply"], row["side"], row["count"], row["limit"]) == ("C702", 3, "white", 3, 0)
    assert (row["expected"], row["found"]) == ("0:05:00", "0:06:00")
    assert dict(row["evidence"]) == {"before_ms": "300000", "after_ms": "360000", "allowed_ms": "0"}


def test_a_clock_starts_with_no_more_than_the_control_gives() -> None:
    assert found(game(["0:15:00", "0:15:05"], "15+10")) == [("C702", 1, "white")]  # minutes were meant
    assert found(game(["0:15:10", "0:14:50"], "900+10")) == []
    assert found(game(["0:00:03", "0:00:03"], "0+1")) == []  # servers start such games with a few seconds


def test_increments_of_moves_without_a_clock_time_count() -> None:
    times = ["0:05:00", None, None, None, None, None, "0:05:33"]
    assert found(game(times, "300+10")) == []
    assert found(game([*times[:-1], "0:05:34"], "300+10")) == [("C702", 7, "white")]


def test_a_time_for_each_move_begins_anew() -> None:
    assert found(game(["20:00:00", "23:00:00", "23:59:00", "23:00:00"], "1/86400")) == []
    assert found(game(["20:00:00", "23:00:00", "99:00:00", "23:00:00"], "1/86400")) == [("C702", 3, "white")]


@pytest.mark.parametrize("at", [0, 1, 2, 7])
def test_the_time_of_a_new_period_may_come_at_once_or_later(at: int) -> None:
    # Black makes no use of it. White's fourth move completes the period; clocks may be one ahead.
    times: list[str | None] = ["0:01:00", None] * 12
    for move in range(1 + at, 12):
        times[2 * move] = "0:01:30"
    assert found(game(times, "4/60:30")) == ([("C702", 3, "white")] if at == 0 else [])


# ------------------------------------------------------------------------------------------------------- C703


def test_a_player_moves_again_though_his_time_was_over() -> None:
    times = ["0:00:10", "-0:00:01", "0:00:09", "-0:00:03", "0:00:08", "-0:00:07"]
    (row,) = [row for row in tables(game(times))["findings"] if row["code"] in CLOCKS]
    assert (row["code"], row["ply"], row["side"], row["found"], row["count"]) == ("C703", 2, "black", "-0:00:01", 2)
    assert found(game(times[:2])) == []  # he did not move again


def test_zero_is_rounded_unless_it_cannot_be() -> None:
    times = ["0:00:10", "0:00:00", "0:00:09", "0:00:00", "0:00:08", "0:00:00"]
    assert found(game(times)) == []
    assert found(game(times, "60")) == []
    assert found(game([*times, "0:00:07.5"], "60")) == [("C703", 2, "black")]


def test_zero_with_an_increment_is_less_than_there_should_be() -> None:
    times = ["0:01:00", "0:01:00", "0:00:30", "0:00:00", "0:00:09", "0:00:00"]
    assert found(game(times, "60+1")) == [("C703", 4, "black")]
    assert found(game(times, "60+1d")) == []
    times[1] = "0:00:30"  # half of the time, and no increment
    assert found(game(times, "60+1")) == []


def test_a_clock_that_shows_nothing_for_many_moves_does_not_run() -> None:
    assert found(game(["0:00:00"] * 2 * MANY_ZEROS)) == []
    assert found(game(["0:00:00"] * (2 * MANY_ZEROS + 1))) == [("C703", 1, "white")]


# ------------------------------------------------------------------------------------------------------- C704


def last(data: bytes) -> tuple[Any, ...]:
    (row,) = [row for row in tables(data)["findings"] if row["code"] in CLOCKS]
    return row["code"], row["ply"], row["side"], row["count"], row["limit"]


def test_time_is_over_before_the_moves_of_a_period_are_made() -> None:
    times = ["0:00:50", "0:00:40", "0:00:30", "-0:00:01", "0:00:20", "-0:00:02"]
    assert last(game(times, "5/60:30")) == ("C704", 4, "black", 2, 5)
    # The second period: two moves of three.
    times = ["0:00:50", "0:00:40", "0:00:30", "0:01:00", "0:01:10", "-0:00:09", "0:01:00", "0:01:00"]
    assert last(game(times, "1/60:3/60:30"))[:3] == ("C704", 6, "black")


def test_the_next_period_came_early() -> None:
    times = ["0:00:50", "0:00:05", "0:00:40", "0:00:28", "0:00:30", "0:00:20"]
    assert last(game(times, "5/60:30")) == ("C704", 4, "black", 1, 5)
    assert found(game(times, "3/60:30")) == []
    # Time that an arbiter gives is not that.
    assert found(game(["0:50:00", "0:00:30", "0:40:00", "0:02:20"], "5/3600:1800")) == [("C702", 4, "black")]


def test_times_used_are_more_than_was_given() -> None:
    times = [f"[%emt 0:00:{seconds}]" for seconds in ("10", "30", "10", "29", "10", "30", "10", "10")]
    assert found(game(times, "4/60")) == [("C704", 6, "black")]
    assert last(game(times, "4/60"))[3:] == (2, 4)
    assert found(game(times, "3/60")) == []  # the third move completes the period, so its time is not known to be over
    assert found(game(times, "60")) == []
    assert found(game(times, "4/60+10")) == []


def test_zero_at_the_last_move_of_a_period_waits_for_the_next() -> None:
    times = ["0:00:30", "0:00:30.5", "0:00:00", "0:00:10", "0:00:20", "0:00:20"]
    assert found(game(times, "2/60:30")) == []


# ------------------------------------------------------------------------------------------------------- C705

TIME = '[Termination "Time forfeit"]\n'


@pytest.mark.parametrize(
    ("control", "clock", "flags"),
    [
        ("600", "0:05:00", True),
        ("600", "0:04:59", False),
        ("600+5", "0:05:00", True),
        ("60", "0:01:00", True),
        ("60", "0:00:59", False),
        (None, "0:10:00", True),
        (None, "0:09:59", False),
        ("40/7200:3600", "1:00:00", True),
        ("1/86400", "23:00:00", False),
    ],
)
def test_flag_against_the_clock(control: str | None, clock: str, flags: bool) -> None:
    data = game(["0:00:59", clock, "0:00:58"], control, TIME, "1-0")
    assert found(data) == ([("C705", 2, "black")] if flags else [])


def test_no_flag_where_nobody_lost_on_time_or_the_last_clock_is_not_known() -> None:
    times: list[str | None] = ["0:09:00", "0:09:00", "0:08:00"]
    assert found(game(times, "600", "", "1-0")) == []
    assert found(game(times, "600", TIME, "1/2-1/2")) == []
    assert found(game(times, "600", TIME, "0-1")) == [("C705", 3, "white")]
    assert found(game([*times, None], "600", TIME, "1-0")) == []
    assert found(game(times, "600", '[Termination "Ann won on time"]\n', "1-0")) == [("C705", 2, "black")]
    mate = b'[TimeControl "600"]\n' + TIME.encode() + b'[Result "0-1"]\n\n'
    mate += b"1. f3 {[%clk 0:09:50]} e5 2. g4 {[%clk 0:09:40]} Qh4# 0-1\n"
    assert found(mate) == []
    assert found(mate.replace(b"Qh4#", b"Qh7")) == []  # nobody knows how it went on


# -------------------------------------------------------------------------------------------------- properties

CONTROLS = ["300+3", "300", "40/7200:3600", "2/60:30", "1/30", "3/60+5", "2/60+5d", "*60", "-", "0+1"]
MILLISECONDS = st.none() | st.sampled_from([0, -1000, 500, 1000, 30_000, 60_000, 300_000]) | st.integers(-(10**9), 10**9)


@given(st.sampled_from(CONTROLS), st.booleans(), st.lists(st.tuples(MILLISECONDS, MILLISECONDS), max_size=60))
def test_time_used_is_never_invented(control: str, white_first: bool, stated: list[tuple[int | None, int | None]]) -> None:
    allowance = Allowance.of(TimeControl.parse(control), from_move_one=True)
    clocks = Clocks(allowance, white_first)
    for number, (clock, elapsed) in enumerate(stated):
        told = clocks.add(clock, elapsed)
        before = stated[number - 2][0] if number >= 2 else None
        if elapsed is not None:
            assert told == elapsed
        elif told is not None:
            assert clock is not None
            assert before is not None
            assert allowance is not None
            assert told >= 0
            assert (before + allowance.span(0).gain_ms - clock == told) or len(allowance.spans) > 1
    assert clocks.ply == len(stated)
    for seen in (clocks.risen, clocks.missed, clocks.negative, clocks.zero):
        assert seen is None or 1 <= seen.ply <= len(stated)


@given(st.integers(-(10**10), 10**10))
def test_text_of_a_clock_is_read_as_the_same_time(milliseconds: int) -> None:
    into = Annotations()
    assert not list(read_commands(f"[%clk {clock_text(milliseconds)}]", into))
    assert into.clock_ms == milliseconds


PIECES = [
    "0:00:00",
    "0:00:01",
    "0:00:59",
    "0:01:00",
    "0:01:05.5",
    "-0:00:02",
    "1:00:00",
    None,
    "[%emt 0:00:30]",
    "[%emt 0:05:00]",
]


@given(
    st.sampled_from([None, *CONTROLS]),
    st.sampled_from(["", TIME]),
    st.sampled_from(["1-0", "0-1", "*"]),
    st.lists(st.sampled_from(PIECES), max_size=24),
)
def test_both_engines_say_the_same(control: str | None, more: str, result: str, times: list[str | None]) -> None:
    data = game(times, control, more, result)
    # What follows another game may be read in another way.
    tables(data.replace(b"{[%clk", b"{ [%clk").replace(b"]}", b"] }") + b"\n" + data)
