"""The points system: the values of the table, its properties, and every option."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chesstools.errors import OptionError
from chesstools.ratings.points import BRANCHES, CLASSES, Rules, Transfer, level, transfer, transfer_in_parts
from chesstools.ratings.scale import Scale

RESULTS = ("1-0", "1/2-1/2", "0-1")
MIRROR = {"1-0": "0-1", "0-1": "1-0", "1/2-1/2": "1/2-1/2"}

fractions = st.fractions(-2000, 4000, max_denominator=1000)
decimals = st.integers(-(10**9), 10**9).map(lambda parts: F(parts, 100_000))
near = st.sampled_from([F(d) + e for d in (0, 9, 10, 99, 100, 199, 200) for e in (F(-1, 10**6), F(0), F(1, 10**6))])
pairs = st.tuples(decimals, decimals) | st.tuples(decimals, near).map(lambda pair: (pair[0], pair[0] + pair[1]))
results = st.sampled_from(RESULTS)
rules = st.builds(
    Rules,
    within10=st.sampled_from(["half_open", "inclusive"]),
    round=st.sampled_from(["exact", "half_up_transfer"]),
    compare=st.sampled_from(["points", "levels"]),
    floor=st.none() | st.sampled_from([F(0), F(-5, 2)]),
    first_level=st.sampled_from(["from_100", "from_0"]),
    places=st.none() | st.integers(0, 12),
)


USUAL = Rules()


def paid(difference: F, result: str, rules: Rules = USUAL) -> F:
    """What the higher player, White, loses."""
    return -F(transfer(F(1000) + difference, F(1000), result, rules).to_white)


# ------------------------------------------------------------------------------------------------ the table

# difference, then the transfers of a draw, a win of the lower player, a win of the higher one; by hand from the seed document
VALUES = [
    ("9", "0", "10", "10"),
    ("10", "5.5", "11", "9.2"),
    ("50", "7.5", "15", "6"),
    ("99", "9.95", "19.9", "2.08"),
    ("100", "25", "50", "2"),
    ("199", "49.75", "99.5", "2"),
    ("200", "50", "100", "0"),
    ("1000", "250", "500", "0"),
]


@pytest.mark.parametrize(("difference", "drawn", "upset", "won"), VALUES)
def test_values_of_the_table(difference: str, drawn: str, upset: str, won: str) -> None:
    d = F(difference)
    assert paid(d, "1/2-1/2") == F(drawn)
    assert paid(d, "0-1") == F(upset)
    assert -paid(d, "1-0") == F(won)


def test_players_with_the_same_points() -> None:
    assert [transfer(F(7), F(7), result).to_white for result in RESULTS] == [10, 0, -10]
    assert transfer(F(7), F(7), "1-0").branch == "equal_wins"


@given(pairs, results)
def test_formulas(pair: tuple[F, F], result: str) -> None:
    """Written a second time, as the seed document has them, sentence by sentence."""
    white, black = pair
    d = abs(white - black)
    moved = transfer(white, black, result, Rules(places=1000))
    lower_is_white = white < black
    if result == "1/2-1/2":
        amount = F(0) if d < 10 else (10 + d / 10) / 2 if d < 100 else d / 4
        assert moved.to_white == (amount if lower_is_white else -amount)
        return
    white_won = result == "1-0"
    if d and white_won == lower_is_white:
        amount = d / 2 if d >= 100 else 10 + d / 10 if d >= 10 else F(10)
    else:
        amount = F(0) if d >= 200 else F(2) if d >= 100 else 10 - d / F("12.5") if d >= 10 else F(10)
    assert moved.to_white == (amount if white_won else -amount)
    assert not moved.rounded
    assert not moved.capped


# ------------------------------------------------------------------------------------------------ properties


@given(pairs, results, rules)
def test_colours_do_not_matter(pair: tuple[F, F], result: str, rules: Rules) -> None:
    one, other = transfer(*pair, result, rules), transfer(*reversed(pair), MIRROR[result], rules)
    assert one == other._replace(to_white=-other.to_white)


@given(pairs, results, rules)
def test_winner_never_loses_and_the_lower_never_loses_by_a_draw(pair: tuple[F, F], result: str, rules: Rules) -> None:
    white, black = pair
    moved = transfer(white, black, result, rules)
    assert moved.branch in BRANCHES
    assert moved.kind in CLASSES
    if result == "1/2-1/2":
        assert moved.to_white * (black - white) >= 0
    else:
        assert moved.to_white * (1 if result == "1-0" else -1) >= 0


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), results), max_size=60), rules)
def test_the_sum_of_all_points_stays(games: list[tuple[int, int, str]], rules: Rules) -> None:
    points = [F(100 * number) for number in range(6)]
    for white, black, result in games:
        if white != black:
            moved = F(transfer(points[white], points[black], result, rules).to_white)
            points[white] += moved
            points[black] -= moved
    assert sum(points) == 1500


@pytest.mark.parametrize(
    ("result", "boundary", "below", "at"),
    [
        ("1/2-1/2", 10, F(0), F("5.5")),
        ("1/2-1/2", 100, F(10), F(25)),
        ("0-1", 10, F(10), F(11)),
        ("0-1", 100, F(20), F(50)),
        ("1-0", 10, F(-10), F("-9.2")),
        ("1-0", 200, F(-2), F(0)),
    ],
)
def test_jumps(result: str, boundary: int, below: F, at: F) -> None:
    tiny = F(1, 10**9)
    assert abs(paid(boundary - tiny, result) - below) < F(1, 10**8)
    assert paid(F(boundary), result) == at


@pytest.mark.parametrize(("result", "boundary"), [("1-0", 100), ("0-1", 200), ("1/2-1/2", 200)])
def test_where_the_formulas_meet(result: str, boundary: int) -> None:
    tiny = F(1, 10**9)
    assert abs(paid(boundary - tiny, result) - paid(F(boundary), result)) < F(1, 10**8)


# ------------------------------------------------------------------------------------------------ options


def test_ten_within_ten() -> None:
    inclusive = Rules(within10="inclusive")
    assert [paid(F(10), result, inclusive) for result in RESULTS] == [-10, 0, 10]
    assert paid(F(10) + F(1, 1000), "1/2-1/2", inclusive) == F("5.50005")
    assert transfer(F(10), F(0), "1-0", inclusive).ambiguous == transfer(F(10), F(0), "1-0").ambiguous == "two_classes"


@pytest.mark.parametrize(
    ("difference", "result", "ambiguous"),
    [
        ("9", "1-0", None),
        ("9.5", "1-0", "no_class"),
        ("9.5", "1/2-1/2", "no_class"),
        ("10.5", "1/2-1/2", None),
        ("99.5", "0-1", "no_class"),
        ("100", "0-1", None),
        ("199.5", "1-0", "no_class"),
        ("199.5", "0-1", None),  # from 100 on there is one class for it
        ("199.5", "1/2-1/2", None),
        ("200.5", "1-0", None),
    ],
)
def test_differences_between_the_printed_classes(difference: str, result: str, ambiguous: str | None) -> None:
    assert transfer(F(difference), F(0), result).ambiguous == ambiguous


def test_rounded_transfers() -> None:
    whole = Rules(round="half_up_transfer")
    assert paid(F(10), "1/2-1/2", whole) == 6  # 5.5
    assert paid(F(99), "1-0", whole) == -2  # 2.08
    assert transfer(F(99), F(0), "1-0", whole).rounded
    assert not transfer(F(100), F(0), "1-0", whole).rounded
    assert paid(F(99), "1-0", Rules(round="half_up_transfer", places=1)) == F("-2.1")


def test_exact_transfers_have_a_limit() -> None:
    d = F(10) + F(1, 10**50)
    moved = transfer(d, F(0), "1/2-1/2")
    assert moved.rounded  # 5.5 + 0.05e-50 has 52 places
    assert -moved.to_white == F("5.5")
    assert not transfer(d, F(0), "1/2-1/2", Rules(places=52)).rounded
    assert paid(F(10) + F(1, 3), "1/2-1/2").denominator <= 10**50


def test_floor() -> None:
    floor = Rules(floor=F(0))
    moved = transfer(F(3), F(150), "1-0", floor)
    assert (moved.to_white, moved.capped) == (F("73.5"), False)
    moved = transfer(F(3), F(8), "0-1", floor)
    assert (moved.to_white, moved.capped) == (-3, True)
    assert transfer(F(-4), F(8), "0-1", floor).to_white == 0
    assert transfer(F(3), F(8), "0-1", Rules(floor=F(-20))).to_white == -10


def test_levels_instead_of_points() -> None:
    levels = Rules(compare="levels")
    assert transfer(F(190), F(110), "0-1", levels) == Transfer(F(80), "undefined", "10_to_99", F(0), "same_level", False, False)
    assert transfer(F(110), F(90), "0-1", levels).to_white == transfer(F(110), F(90), "0-1").to_white == -12
    assert transfer(F(190), F(110), "1/2-1/2", levels).to_white == transfer(F(190), F(110), "1/2-1/2").to_white
    assert transfer(F(109), F(101), "0-1", levels).to_white == -10  # within ten the winner gets ten, whoever he is
    assert transfer(F(50), F(20), "1-0", levels).branch == "undefined"  # both without a level


def test_levels() -> None:
    assert [level(F(p)) for p in ("-0.1", "99.99", "100", "199.99", "200", "2999", "3000", "3100")] == [
        *(None, None, 30, 30, 29, 2, 1, 1),
    ]
    assert [level(F(p), "from_0") for p in ("-0.1", "0", "99.99", "100", "2899", "2900", "9000")] == [None, 30, 30, 29, 2, 1, 1]


@pytest.mark.parametrize("wrong", [{"within10": "x"}, {"round": "up"}, {"compare": ""}, {"first_level": "0"}, {"places": -1}])
def test_options_that_mean_nothing(wrong: dict[str, str]) -> None:
    with pytest.raises(OptionError):
        Rules(**wrong)  # type: ignore[arg-type]


def test_results_that_are_none() -> None:
    with pytest.raises(OptionError):
        transfer(F(0), F(0), "*")


# ------------------------------------------------------------------------------------------------ whole numbers of parts


@given(pairs, results, rules)
def test_parts_say_what_fractions_say(pair: tuple[F, F], result: str, rules: Rules) -> None:
    scale = Scale(rules.most_places)
    moved = transfer_in_parts(*map(scale.parts, pair), result, rules, scale.one)
    exact = transfer(*pair, result, rules)
    assert moved[1:3] + moved[4:] == exact[1:3] + exact[4:]
    assert F(moved.to_white, scale.one) == exact.to_white
    assert F(moved.difference, scale.one) == exact.difference


@given(decimals)
def test_decimal_text_is_exact(value: F) -> None:
    scale = Scale(50)
    text = scale.exact(scale.parts(value))
    assert F(text) == value
    assert "." not in text or not text.endswith(("0", "."))
    assert abs(F(scale.stored(scale.parts(value))) - value) <= F(1, 20_000)
