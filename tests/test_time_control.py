"""Time controls: what tags say, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chesstools.scan import scan
from chesstools.source import Source
from chesstools.time_control import KINDS, Period, TimeControl

READ = [
    ("?", "unknown", []),
    ("-", "none", []),
    (" - ", "none", []),
    ("inf", "none", []),
    ("300", "sudden_death", [Period(None, 300)]),
    ("300+0", "sudden_death", [Period(None, 300)]),
    ("0+1", "increment", [Period(None, 0, 1)]),
    ("15+10", "increment", [Period(None, 15, 10)]),  # seconds, whatever was meant
    ("5400+30", "increment", [Period(None, 5400, 30)]),
    ("300+0.1", "increment", [Period(None, 300, 0.1)]),
    ("154.283+1.543", "increment", [Period(None, 154.283, 1.543)]),
    ("5400+5d", "delay", [Period(None, 5400, 0, 5)]),
    ("40/60", "periods", [Period(40, 60)]),
    ("40/9000", "periods", [Period(40, 9000)]),
    ("40/5400+30:1800+30", "periods", [Period(40, 5400, 30), Period(None, 1800, 30)]),
    ("40/7200:20/3600:900+30", "periods", [Period(40, 7200), Period(20, 3600), Period(None, 900, 30)]),
    ("40/7200+5d:3600+5d", "periods", [Period(40, 7200, 0, 5), Period(None, 3600, 0, 5)]),
    ("1/30", "per_move", [Period(1, 30)]),
    ("5/move", "per_move", [Period(1, 5)]),
    ("0.5/move", "per_move", [Period(1, 0.5)]),
    ("1/86400", "correspondence", [Period(1, 86_400)]),
    ("1/259200", "correspondence", [Period(1, 259_200)]),
    ("10/2592000", "correspondence", [Period(10, 2_592_000)]),
    ("*180", "sandclock", [Period(None, 180)]),
]

NOT_READ = ["40/2h", "G/90", "3+", "40/", "/3", "1.", ".5", "1:", ":1", "**3", "3+3+3", "4/4/4", "0/300", "5|3", "5+d", "5+5dd"]
NOT_READ += ["+5", "/move", "x/move", "1/2/move", "INF", "-:-", "?:300", "1234567890", "1.1234567890", "90'+30''", "1e3"]
NOT_READ += ["\uff13\uff10\uff10", "-300", "300+-3"]


@pytest.mark.parametrize(("text", "kind", "periods"), READ)
def test_forms_of_the_standard_and_of_programs(text: str, kind: str, periods: list[Period]) -> None:
    control = TimeControl.parse(text)
    assert control == TimeControl(kind, tuple(periods))
    assert kind in KINDS


@pytest.mark.parametrize("text", ["", " ", "300 + 5", "40/7200 : 3600", "15'/game & 10", *NOT_READ])
def test_what_has_another_form_is_none(text: str) -> None:
    assert TimeControl.parse(text) is None


def test_every_kind_is_in_the_table() -> None:
    assert {kind for _, kind, _ in READ} == set(KINDS)


@pytest.mark.parametrize(
    ("text", "written"),
    [("300+0", "300"), ("inf", "-"), ("5/move", "1/5"), ("0300.50", "300.5"), ("*60:*30", "*60:*30"), ("60+0d", "60")],
)
def test_is_written_in_the_shortest_form(text: str, written: str) -> None:
    assert str(TimeControl.parse(text)) == written


SECONDS = st.one_of(
    st.integers(0, 10**9 - 1).map(float),
    st.decimals(0, 10**6, places=3).map(float),
    st.sampled_from([1e-9, 0.1, 999_999_999.5]),
)
PERIODS = st.builds(
    lambda moves, seconds, gain, delays: Period(moves, seconds, 0.0 if delays else gain, gain if delays else 0.0),
    st.none() | st.integers(1, 10**9 - 1),
    SECONDS,
    SECONDS,
    st.booleans(),
)


@given(st.lists(PERIODS, min_size=1, max_size=5))
def test_what_is_written_is_read_as_the_same(periods: list[Period]) -> None:
    text = ":".join(
        ("" if period.moves is None else f"{period.moves}/")
        + f"{period.seconds:.9f}"
        + (f"+{period.delay:.9f}d" if period.delay else f"+{period.increment:.9f}")
        for period in periods
    )
    control = TimeControl.parse(text)
    assert control is not None
    assert control.periods == tuple(periods)
    assert TimeControl.parse(str(control)) == control
    assert (control.base_s is None) == (len(periods) > 1 or periods[0].moves is not None)


@pytest.mark.parametrize(
    ("text", "kind", "periods"),
    [
        (None, None, None),
        ("", None, None),
        ("40/2h", None, None),
        ("?", "unknown", None),
        ("-", "none", None),
        ("300+3", "increment", [{"moves": None, "seconds": 300, "increment": 3, "delay": 0}]),
        (
            "40/5400:1800+5d",
            "periods",
            [
                {"moves": 40, "seconds": 5400, "increment": 0, "delay": 0},
                {"moves": None, "seconds": 1800, "increment": 0, "delay": 5},
            ],
        ),
    ],
)
@pytest.mark.parametrize("engine", ["reference", None])
def test_columns_of_games(text: str | None, kind: str | None, periods: object, engine: str | None) -> None:
    tag = "" if text is None else f'[TimeControl "{text}"]\n\n'
    (row,) = scan(Source.from_bytes(f"{tag}1. g3 *".encode()), engine=engine).to_tables()["games"].to_pylist()
    assert (row["time_control"], row["time_control_kind"], row["time_periods"]) == (text, kind, periods)
