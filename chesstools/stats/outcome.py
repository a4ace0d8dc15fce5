"""What every table of outcomes has: games, shares, score with an interval, ratings, performance; as columns and as SQL.

A table of outcomes is made in two steps: `sums` adds up the games of each group, `outcome` works out the columns from the sums.
So groups may be added up further before the second step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from chesstools.stats.statistic import Column

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
    "rated_games": "count(*) FILTER (rated)",
    "white_elos": "sum(white_elo) FILTER (rated)",
    "black_elos": "sum(black_elo) FILTER (rated)",
    "rated_points": "sum(points) FILTER (rated)",
    "expectations": "sum(expected)",
    "plies": "sum(ply_count)",
}
"""What is added up for each group of games."""


def sums(relation: str, keys: Mapping[str, str], more: Mapping[str, str] | None = None) -> str:
    """SQL that adds up the games of a relation for each value of `keys`: names, and what they stand for.

    `more` are further aggregates of each group, in the same way.
    """
    return _grouped(relation, keys, {**_SUMS, **(more or {})})


def added(relation: str, keys: Mapping[str, str], more: Mapping[str, str] | None = None) -> str:
    """SQL that adds up sums, for fewer or other keys."""
    return _grouped(relation, keys, {**{name: f"sum({name})" for name in _SUMS}, **(more or {})})


def _grouped(relation: str, keys: Mapping[str, str], aggregates: Mapping[str, str]) -> str:
    chosen = [f"{expression} AS {name}" for name, expression in [*keys.items(), *aggregates.items()]]
    grouped = f" GROUP BY {', '.join(str(place + 1) for place in range(len(keys)))}" if keys else ""
    return f"SELECT {', '.join(chosen)} FROM {relation}{grouped}"


def outcome(summed: str, others: Sequence[str]) -> str:
    """SQL that gives `OUTCOME_COLUMNS` from the sums, and beside them the columns `others`: keys, further aggregates."""
    score = "(white_won + drawn / 2) / nullif(games, 0)"
    variance = f"(white_won + drawn / 4) / nullif(games, 0) - pow({score}, 2)"
    chosen = [*others, "games", "white_won", "drawn", "black_won"]
    for name, count in (("white", "white_won"), ("draw", "drawn"), ("black", "black_won")):
        chosen += [
            f"{count} / nullif(games, 0) AS {name}_share",
            f"{wilson_low(count, 'games')} AS {name}_share_low",
            f"{wilson_high(count, 'games')} AS {name}_share_high",
        ]
    chosen += [
        f"{score} AS score",
        f"{wilson_low('(white_won + drawn / 2)', 'games')} AS score_low",
        f"{wilson_high('(white_won + drawn / 2)', 'games')} AS score_high",
        f"CASE WHEN games > 1 THEN sqrt(greatest({variance}, 0) / (games - 1)) END AS score_error",
        "rated_games",
        "white_elos / rated_games AS white_elo",
        "black_elos / rated_games AS black_elo",
        "rated_points / rated_games AS rated_score",
        "round(expectations / rated_games, 9) AS expected_score",
        f"{performance('black_elos', 'rated_points', 'rated_games')} AS white_performance",
        f"{performance('white_elos', '(rated_games - rated_points)', 'rated_games')} AS black_performance",
        "plies / nullif(games, 0) AS average_plies",
    ]
    return f"SELECT {', '.join(chosen)} FROM ({summed})"


def by(keys: Mapping[str, str], relation: str = "{counted}", more: Mapping[str, str] | None = None) -> str:
    """SQL of a table of outcomes by `keys` over the games that count, with further aggregates `more`."""
    return outcome(sums(relation, keys, more), [*keys, *(more or {})])


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
