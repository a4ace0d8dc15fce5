"""Glicko-2: the example of the paper, properties, and another implementation as a second opinion."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chesstools.errors import OptionError
from chesstools.ratings.glicko2 import Rating, Rules, Sum, after, expected_score, idle, weight, with_game

players = st.builds(Rating, st.floats(100, 3500), st.floats(20, 350), st.floats(0.02, 0.2))
games = st.lists(st.tuples(players, st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=20)


USUAL = Rules()


def rated(player: Rating, played: list[tuple[Rating, float]], rules: Rules = USUAL) -> Rating:
    total = Sum()
    for opponent, score in played:
        total = with_game(total, player, opponent, score)
    return after(player, total, rules)


def test_the_example_of_the_paper() -> None:
    """All numbers that stand in it, as exactly as they stand."""
    player = Rating(1500, 200, 0.06)
    opponents = [(Rating(1400, 30, 0.06), 1.0), (Rating(1550, 100, 0.06), 0.0), (Rating(1700, 300, 0.06), 0.0)]
    assert [round(weight(opponent.deviation), 4) for opponent, _ in opponents] == [0.9955, 0.9531, 0.7242]
    assert [round(expected_score(1500, other.rating, other.deviation), 3) for other, _ in opponents] == [0.639, 0.432, 0.303]
    total = Sum()
    for opponent, score in opponents:
        total = with_game(total, player, opponent, score)
    assert math.isclose(1 / total.precision, 1.7785, abs_tol=0.0005)
    assert math.isclose(total.surprise / total.precision, -0.4834, abs_tol=0.001)  # the paper goes on with rounded numbers
    rating, deviation, volatility = after(player, total)
    assert math.isclose(rating, 1464.06, abs_tol=0.01)
    assert math.isclose(deviation, 151.52, abs_tol=0.005)
    assert math.isclose(volatility, 0.05999, abs_tol=0.00001)


@given(players, games, st.floats(0.2, 1.2))
def test_as_another_implementation(player: Rating, played: list[tuple[Rating, float]], tau: float) -> None:
    other = pytest.importorskip("glicko2.math")
    found = rated(player, played, Rules(tau=tau))
    opponents = [(other.rating_to_mu(one.rating), other.rd_to_phi(one.deviation), score) for one, score in played]
    mu, phi, sigma = other.update_rating(
        other.rating_to_mu(player.rating), other.rd_to_phi(player.deviation), player.volatility, opponents, tau
    )
    assert math.isclose(found.rating, other.mu_to_rating(mu), rel_tol=1e-5, abs_tol=0.01)
    assert math.isclose(found.deviation, other.phi_to_rd(phi), rel_tol=1e-5)
    assert math.isclose(found.volatility, sigma, rel_tol=1e-5)


@given(players, games, st.floats(-2000, 2000))
def test_only_differences_matter(player: Rating, played: list[tuple[Rating, float]], shift: float) -> None:
    """A package that is used much fails here: it puts the rating where the deviation belongs."""

    def moved(one: Rating) -> Rating:
        return one._replace(rating=one.rating + shift)

    one, other = rated(player, played), rated(moved(player), [(moved(opponent), score) for opponent, score in played])
    assert math.isclose(one.rating + shift, other.rating, rel_tol=1e-6, abs_tol=0.01)
    assert math.isclose(one.deviation, other.deviation, rel_tol=1e-6)
    assert math.isclose(one.volatility, other.volatility, rel_tol=1e-6)


@given(players, games)
def test_more_points_are_no_worse(player: Rating, played: list[tuple[Rating, float]]) -> None:
    won = rated(player, [(opponent, 1.0) for opponent, _ in played])
    lost = rated(player, [(opponent, 0.0) for opponent, _ in played])
    assert lost.rating <= player.rating <= won.rating


@given(players, st.integers(0, 10**6))
def test_who_is_away_becomes_less_sure_up_to_a_new_player(player: Rating, periods: int) -> None:
    away = idle(player, periods)
    assert player.deviation <= away.deviation <= 350
    assert (away.rating, away.volatility) == (player.rating, player.volatility)
    one_by_one = player
    for _ in range(min(periods, 20)):
        one_by_one = idle(one_by_one, 1)
    assert periods > 20 or math.isclose(one_by_one.deviation, away.deviation)


def test_a_period_without_games() -> None:
    player = Rating(1500, 200, 0.06)
    assert after(player, Sum()) == idle(player, 1)
    assert math.isclose(idle(player, 1).deviation, math.hypot(200, 0.06 * 173.7178))


@pytest.mark.parametrize("opponent", [-1e6, 0, 4000, 1e6])
@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("count", [1, 1000])
def test_absurd_ratings_have_an_end(opponent: float, score: float, count: int) -> None:
    played = [(Rating(opponent, 350, 0.06), score)] * count
    assert all(math.isfinite(value) for value in rated(Rating(1500, 350, 0.06), played))


@pytest.mark.parametrize("wrong", [{"tau": 0}, {"tau": 11}, {"deviation": -1}, {"volatility": 2}, {"tau": math.nan}])
def test_options_that_mean_nothing(wrong: dict[str, float]) -> None:
    with pytest.raises(OptionError):
        Rules(**wrong)
