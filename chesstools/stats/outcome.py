"""What every table of outcomes has: games, shares, score with an interval, ratings, performance; as columns and as SQL.

A table of outcomes is made in two steps: `sums` adds up the games of each group in SQL, `outcomes` works out the columns from
the sums. So groups may be added up further before the second step, which is arithmetic on a few numbers a group; the sums are
exact, so that it does not matter in which order or in how many steps they are made.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from chesstools.stats.partial import Sums
from chesstools.stats.statistic import Column

Numbers: TypeAlias = npt.NDArray[np.float64]

Z = 1.959963984540054
"""The 97.5 % point of the normal distribution: intervals hold 95 %."""

INTERVAL = (
    "Intervals are Wilson's, of 95 % (E. B. Wilson, 1927). That of the score takes the score of n games as if it were a share "
    "of n won and lost games; no results between 0 and 1 with this mean vary more, so with draws the interval is rather too wide "
    "than too narrow, and it means something for one game and for games that all ended alike, where the standard error is null "
    "or 0."
)
"""How intervals are worked out, for the text of `docs/statistics.md`."""

PERFORMANCE = (
    "A performance is the rating against which the score could be expected by Elo's formula: the mean rating of the other side "
    "+ 400 log10(score / (1 - score)), over the games in which both ratings are known; null where all or none of these was "
    "won, as no rating explains that. FIDE's table, in whole percents and with 800 at the ends, differs by a few points."
)
"""How performances are worked out, for the text of `docs/statistics.md`."""

OUTCOME_COLUMNS = (
    Column("games", pa.int64(), "Games that count."),
    Column("white_won", pa.int64(), "Games that White won."),
    Column("drawn", pa.int64(), "Games that were drawn."),
    Column("black_won", pa.int64(), "Games that Black won."),
    *(
        column
        for name, words in (("white", "that White won"), ("draw", "drawn"), ("black", "that Black won"))
        for column in (
            Column(f"{name}_share", pa.float64(), f"Share of games {words}, 0 to 1; null for no games."),
            Column(f"{name}_share_low", pa.float64(), "Lower end of its 95 % interval (Wilson)."),
            Column(f"{name}_share_high", pa.float64(), "Upper end of its 95 % interval (Wilson)."),
        )
    ),
    Column("score", pa.float64(), "Mean points of White, 0 to 1, a draw is 0.5; null for no games."),
    Column("score_low", pa.float64(), "Lower end of the 95 % interval of the score (Wilson, on the safe side with draws)."),
    Column("score_high", pa.float64(), "Upper end of the 95 % interval of the score."),
    Column(
        "score_error",
        pa.float64(),
        "Standard error of the score: the standard deviation of the points in these games by the root of their number; "
        "null for fewer than two games.",
    ),
    Column("rated_games", pa.int64(), "Games in which both ratings are known."),
    Column("white_elo", pa.float64(), "Mean rating of White in these; null where there are none."),
    Column("black_elo", pa.float64(), "Mean rating of Black in these."),
    Column("rated_score", pa.float64(), "Mean points of White in these."),
    Column("expected_score", pa.float64(), "Mean of what White could expect in these by Elo's formula, 0 to 1."),
    Column(
        "above_expected", pa.float64(), "rated_score less expected_score: positive where White scored more than the formula says."
    ),
    Column("white_performance", pa.float64(), "Performance of White in these; null also where White scored all or nothing."),
    Column("black_performance", pa.float64(), "Performance of Black in these; null also where Black scored all or nothing."),
    Column("average_plies", pa.float64(), "Mean length, in plies (moves of either side)."),
)
"""The columns of every table of outcomes."""

_SUMS = {
    "games": "count(*)",
    "white_won": "count(*) FILTER (white_won)",
    "drawn": "count(*) FILTER (drawn)",
    "black_won": "count(*) FILTER (black_won)",
    "rated_games": "count(mean_elo)",
    "both_elos": "sum(mean_elo)",
    "differences": "sum(difference)::BIGINT",
    "rated_points": "sum(points) FILTER (rated)",
    "expectations": "sum(expectation)",
    "plies": "sum(ply_count)::BIGINT",
}
"""What is added up for each group of games, in SQL; `mean_elo` and `difference` are null unless both ratings are known."""

_TYPES = {"both_elos": "DOUBLE", "rated_points": "DOUBLE", "expectations": "DECIMAL(38, 15)"}
"""Types of sums that are no whole numbers: halves, which are exact, and 15 digits."""


def sums(relation: str, keys: Mapping[str, str], more: Mapping[str, str] | None = None) -> str:
    """SQL that adds up the games of a relation for each value of `keys`: names, and what they stand for.

    `more` are further aggregates of each group, in the same way.
    """
    return _grouped(relation, keys, {**_SUMS, **(more or {})})


def added(relation: str, keys: Mapping[str, str], more: Mapping[str, str] | None = None) -> str:
    """SQL that adds up sums, for fewer or other keys."""
    return _grouped(relation, keys, {**{name: f"sum({name})::{_TYPES.get(name, 'BIGINT')}" for name in _SUMS}, **(more or {})})


def _grouped(relation: str, keys: Mapping[str, str], aggregates: Mapping[str, str]) -> str:
    chosen = [f"{expression} AS {name}" for name, expression in [*keys.items(), *aggregates.items()]]
    grouped = f" GROUP BY {', '.join(str(place + 1) for place in range(len(keys)))}" if keys else ""
    return f"SELECT {', '.join(chosen)} FROM {relation}{grouped}"


def by(
    keys: Mapping[str, str],
    relation: str = "{counted}",
    more: Mapping[str, str] | None = None,
    how: Mapping[str, str] | None = None,
) -> Sums:
    """The sums of a table of outcomes by `keys` over the games that count; `outcomes` finishes it.

    `more` are further aggregates, and `how` says how those of them are made one that are not added.
    """
    return Sums(sums(relation, keys, more), tuple(keys), how or {})


def outcomes(summed: pa.RecordBatch) -> dict[str, pa.Array]:
    """`OUTCOME_COLUMNS`, from the sums of each group.

    >>> batch = pa.RecordBatch.from_pylist([dict.fromkeys(_SUMS, 0) | {"games": 2, "white_won": 1, "drawn": 1, "plies": 90}])
    >>> {name: column[0].as_py() for name, column in outcomes(batch).items() if name in ("score", "white_elo", "average_plies")}
    {'score': 0.75, 'white_elo': None, 'average_plies': 45.0}
    """
    column = {name: summed[name].cast(pa.float64()).to_numpy(zero_copy_only=False) for name in _SUMS}
    with np.errstate(divide="ignore", invalid="ignore"):
        found = _outcomes(**column)
    whole = {field.name for field in OUTCOME_COLUMNS if field.type == pa.int64()}
    # What cannot be told is not a number here, and null there.
    return {
        name: pa.array(values.astype(np.int64)) if name in whole else pa.array(values, pa.float64(), from_pandas=True)
        for name, values in found.items()
    }


def _outcomes(
    games: Numbers,
    white_won: Numbers,
    drawn: Numbers,
    black_won: Numbers,
    rated_games: Numbers,
    both_elos: Numbers,
    differences: Numbers,
    rated_points: Numbers,
    expectations: Numbers,
    plies: Numbers,
) -> dict[str, Numbers]:
    found = {"games": games, "white_won": white_won, "drawn": drawn, "black_won": black_won}
    for name, won in (("white", white_won), ("draw", drawn), ("black", black_won)):
        found[f"{name}_share"] = won / games
        found[f"{name}_share_low"], found[f"{name}_share_high"] = wilson(won, games)
    points = white_won + drawn / 2
    score = points / games
    variance = np.maximum((white_won + drawn / 4) / games - score**2, 0)
    found["score"] = score
    found["score_low"], found["score_high"] = wilson(points, games)
    found["score_error"] = np.where(games > 1, np.sqrt(variance / (games - 1)), np.nan)
    white_elo, black_elo = ((both_elos + sign * differences / 2) / rated_games for sign in (1, -1))
    rated_score = rated_points / rated_games
    expected = np.round(expectations / rated_games, 9)  # what powers of ten give differs in the last digits
    odds = np.where((rated_score > 0) & (rated_score < 1), rated_points / (rated_games - rated_points), np.nan)
    found |= {
        "rated_games": rated_games,
        "white_elo": white_elo,
        "black_elo": black_elo,
        "rated_score": rated_score,
        "expected_score": expected,
        "above_expected": rated_score - expected,
        "white_performance": black_elo + 400 * np.log10(odds),
        "black_performance": white_elo - 400 * np.log10(odds),
        "average_plies": plies / games,
    }
    return found


def wilson(successes: Numbers, trials: Numbers) -> tuple[Numbers, Numbers]:
    """Wilson's interval; its lower end is 0 for no success, its upper end 1 where there were only successes.

    >>> [round(float(end[0]), 4) for end in wilson(np.array([1.0]), np.array([1.0]))]
    [0.2065, 1.0]
    """
    middle = successes + Z * Z / 2
    half = Z * np.sqrt(successes * (trials - successes) / trials + Z * Z / 4)
    low = np.where(successes > 0, (middle - half) / (trials + Z * Z), 0)
    high = np.where(successes < trials, (middle + half) / (trials + Z * Z), 1)
    return np.where(trials > 0, low, np.nan), np.where(trials > 0, high, np.nan)


def wilson_low(successes: str, trials: str) -> str:
    """SQL of the lower end of Wilson's interval; null for no trials, 0 for no success."""
    return f"CASE WHEN {successes} > 0 THEN {_wilson(successes, trials, '-')} WHEN {trials} > 0 THEN 0 END"


def wilson_high(successes: str, trials: str) -> str:
    """SQL of the upper end; null for no trials, 1 where there were only successes."""
    return f"CASE WHEN {successes} < {trials} THEN {_wilson(successes, trials, '+')} WHEN {trials} > 0 THEN 1 END"


def _wilson(successes: str, trials: str, sign: str) -> str:
    z2 = Z * Z
    root = f"sqrt({successes}::DOUBLE * ({trials} - {successes}) / {trials} + {z2 / 4!r})"
    return f"({successes} + {z2 / 2!r} {sign} {Z!r} * {root}) / ({trials} + {z2!r})"


def performance(elos: str, points: str, games: str) -> str:
    """SQL of a performance: the sum of the ratings of the other side, the points made, in so many games."""
    return (
        f"CASE WHEN {points} > 0 AND {points} < {games} THEN {elos} / {games} + 400 * log10({points} / ({games} - {points})) END"
    )
