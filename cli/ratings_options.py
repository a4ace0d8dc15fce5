"""The options of `chesstools ratings`: which games count, and how each method is read."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from chesstools.errors import OptionError

from . import options

if TYPE_CHECKING:
    from chesstools.ratings.settings import Settings

METHODS = ("elo", "glicko2", "points")
PERIODS = ("game", "day", "week", "month", "quarter", "year")
POLICY = ("names", "unknown_dates", "forfeits", "illegal")


def _exact(*words: str) -> Callable[[click.Context, click.Parameter, str], Fraction | str]:
    """What makes an exact number of the text of an option, or leaves it where it is one of `words`."""

    def read(ctx: click.Context, param: click.Parameter, value: str) -> Fraction | str:
        if value in words:
            return value
        if len(value) <= 30 and re.fullmatch(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)", value):
            return Fraction(value)
        raise click.BadParameter(f"{value!r} is no number{''.join(f' and not {word}' for word in words)}", ctx, param)

    return read


def _choice(name: str, words: tuple[str, ...], text: str) -> Any:
    return click.option(name, type=click.Choice(words), default=words[0], show_default=True, help=text)


def _number(name: str, default: str, text: str, *words: str) -> Any:
    shown = "|".join(["N", *words])
    return click.option(name, callback=_exact(*words), default=default, show_default=True, metavar=shown, help=text)


def policy(command: options.Command) -> options.Command:
    """--period and the options of `chesstools.ratings.policy.Policy`."""
    for option in (
        _choice("--illegal", ("count", "skip"), "Games with an illegal move: count what was recorded, marked, or skip them."),
        _choice(
            "--forfeits",
            ("unplayed", "any", "count"),
            "Which of these to skip: games with fewer than two plies; those and any ended by forfeit, infraction of the rules, "
            "leaving or a lost connection; or none.",
        ),
        _choice(
            "--unknown-dates",
            ("last", "reject"),
            "Games without a year: behind all others, or skip them. What else is unknown of a "
            "date puts a game at the end of what is known.",
        ),
        _choice(
            "--names",
            ("clean", "exact", "case", "words"),
            "What makes two names one player: the same, but for white space and composed letters; the same in every "
            "sign; as clean, in any case; the same words in any order.",
        ),
        click.option(
            "--period",
            type=click.Choice(PERIODS),
            help="Rating period of Elo and Glicko-2: its games are rated together. Default: game for Elo, month for Glicko-2.",
        ),
    ):
        command = option(command)
    return command


def rules(command: options.Command) -> options.Command:
    """The options of each method, which begin with its name."""
    for option in (
        _choice("--points-first-level", ("from_100", "from_0"), "Where level 30 begins."),
        _number("--points-floor", "none", "The least points: a loser pays no more than he has above it.", "none"),
        _choice(
            "--points-compare",
            ("points", "levels"),
            "Who the lower player is. With levels, a win between equals pays nothing.",
        ),
        click.option(
            "--points-places",
            type=click.IntRange(0, 1000),
            metavar="N",
            help="Decimal places of a transfer. Default: 0 where it is rounded; where it is exact, a limit of 50.",
        ),
        _choice("--points-round", ("exact", "half_up_transfer"), "Whether a transfer is rounded."),
        _choice("--points-within10", ("half_open", "inclusive"), "A difference of 10: in the class from 10 to 99, or within 10."),
        _number("--glicko2-volatility", "0.06", "Volatility of a new player."),
        _number("--glicko2-deviation", "350", "Rating deviation of a new player."),
        _number("--glicko2-tau", "0.5", "How fast the volatility may change."),
        _number("--elo-most-difference", "400", "A larger difference counts as this one.", "none"),
        _choice(
            "--elo-expectation", ("logistic", "table"), "Expected scores by the formula, or by FIDE's table in steps of 0.01."
        ),
        _number("--elo-k", "fide", "Coefficient K: a number, or FIDE's 40, 20 and 10.", "fide"),
    ):
        command = option(command)
    return command


def settings(ctx: click.Context, methods: list[str], period: str | None, values: dict[str, Any]) -> Settings:
    """The settings that options ask for. Raises OptionError where one is of a method that is not used."""
    from chesstools.ratings import elo, glicko2, points
    from chesstools.ratings.policy import Policy
    from chesstools.ratings.settings import Settings

    for name in values:
        method = name.partition("_")[0]
        if method in METHODS and method not in methods and _is_given(ctx, name):
            raise OptionError(f"--{name.replace('_', '-')} is of the method {method}; name it with --method too.")
    if period is not None and not {"elo", "glicko2"} & set(methods):
        raise OptionError("The points system knows no rating periods; leave --period out.")

    def of(method: str) -> dict[str, Any]:
        return {name.removeprefix(f"{method}_"): value for name, value in values.items() if name.startswith(f"{method}_")}

    elo_rules = elo.Rules(
        k=_float(values["elo_k"]),
        expectation=values["elo_expectation"],
        most_difference=None if values["elo_most_difference"] == "none" else float(values["elo_most_difference"]),
    )
    floor = values["points_floor"]
    return Settings(
        methods,
        period,
        Policy(**{name: values[name] for name in POLICY}),
        elo_rules,
        glicko2.Rules(**{name: float(value) for name, value in of("glicko2").items()}),
        points.Rules(**{**of("points"), "floor": None if floor == "none" else floor}),
    )


def _float(value: Fraction | str) -> float | str:
    return value if isinstance(value, str) else float(value)


def _is_given(ctx: click.Context, name: str) -> bool:
    return ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
