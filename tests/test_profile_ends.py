"""For each parameter of a profile that speaks of how games end the smallest game that comes out otherwise; both engines."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest
from test_profile_draws import ENGINES, found, pgn, rook_ending, tables
from test_profiles import TABLE

from chesstools.profile_file import PARAMETERS
from chesstools.profiles import Profile, builtin_profiles, get_profile

FLAG_RULES = ("none", "bare-king", "no-mate", "uscf", "lichess", "chesscom")


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def codes(said: str, board: str, profile: str | Profile, engine: str, moves: str = "", result: str = "1-0") -> set[str]:
    """What is found of the end of a game from a position with White to move, in which Termination says something."""
    date = "2024.05.04"
    tags = {"Event": "?", "Date": date, "White": "Ann", "Black": "Bob", "Result": result, "Termination": said}
    if board:
        tags |= {"SetUp": "1", "FEN": f"{board} w - - 0 60"}
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    rows = tables(f"{head}\n{moves} {result}\n".encode(), profile, engine)["findings"]
    return {row["code"] for row in rows if row["code"][0] in "EA"}


def test_fifty_claim(engine: str) -> None:
    game = pgn(["Ra2"], fen=rook_ending(79))
    for plies, claims in ((80, [("D611", 1, 40, "B")]), (100, [])):
        assert found(game, replace(get_profile("seed-1992"), fifty_claim=plies), engine) == claims


@pytest.mark.parametrize(
    ("board", "wins_not"),
    [
        ("4kn2/8/8/8/8/8/8/4KB2", {"chesscom"}),  # a bishop against a knight, which can stand in the way of its king
        ("4kq2/8/8/8/8/8/8/4KN2", {"no-mate", "uscf", "lichess", "chesscom"}),  # a knight against a queen
        ("4k3/5p2/8/8/8/8/8/4KN2", {"chesscom"}),  # a knight against a pawn
        ("4k3/8/8/8/8/8/8/3NKN2", set()),  # two knights: see below
        ("4k3/8/8/8/8/8/8/3QK3", set()),
        ("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3", {"no-mate"}),  # a wall of pawns
    ],
)
def test_flag_draw(engine: str, board: str, wins_not: set[str]) -> None:
    """White has won on time, with what is on the board."""
    for rule in FLAG_RULES:
        # Material that draws by itself is another finding.
        profile = replace(get_profile("fide-2023"), flag_draw=rule, dead_position="three-cases")
        seen = codes("time forfeit", board, profile, engine)
        assert ("E532" in seen) == (rule in wins_not), (rule, seen)


def test_a_bare_king_wins_nowhere_but_where_there_is_no_flag(engine: str) -> None:
    for rule in FLAG_RULES:
        profile = replace(get_profile("fide-2023"), flag_draw=rule)
        assert codes("time forfeit", "4k3/4q3/8/8/8/8/8/4K3", profile, engine) & {"E531", "E532"} == {"E531"}


def test_knn_flag_draw(engine: str) -> None:
    for wanted in (False, True):
        profile = replace(get_profile("chesscom"), knn_flag_draw=wanted)
        assert ("E532" in codes("time forfeit", "4kr2/8/8/8/8/8/8/3NKN2", profile, engine)) == wanted
        assert "E532" not in codes("time forfeit", "4kr2/8/8/8/8/8/8/3NKB2", profile, engine)


def test_resign_unwinnable_draws(engine: str) -> None:
    for name, profile in builtin_profiles().items():
        seen = codes("Ann won by resignation", "4kq2/8/8/8/8/8/8/4KN2", profile, engine)
        assert ("E534" in seen) == profile.resign_unwinnable_draws == (name == "fide-2023"), name


def test_agreed_draw_needs_moves(engine: str) -> None:
    for name, profile in builtin_profiles().items():
        seen = codes("Game drawn by agreement", "", profile, engine, "1. e4", "1/2-1/2")
        assert ("E525" in seen) == profile.agreed_draw_needs_moves == (name in ("fide-2017", "fide-2018", "fide-2023")), name


TOLD_ONLY = {
    *("fifty_may_be_extended", "tablebase_claim_men", "quick_play_claim", "both_lose", "illegal_moves_lose", "colours_reversed"),
    *("wrong_array", "false_claim", "late", "moves_after_end"),
}
"""What no score tells: claims before an arbiter, penalties, clocks set anew; ``chesstools profile`` tells of it. Moves after the
end are forbidden everywhere, and a game that both lost is told as such under any profile."""

CHOOSING = {"valid_from", "sites", "modes", "events"}
"""What profiles are chosen by: see test_profile_choice.py."""


def test_no_parameter_is_without_a_test_of_its_own() -> None:
    """Each that games are judged by is set in a test of games, and each value of the editions stands in the table of these."""
    here = Path(__file__).parent
    games = "".join((here / name).read_text("utf-8") for name in ("test_profile_draws.py", "test_profile_ends.py"))
    judged = {"extensions" if name == "fifty_extensions" else name for name in set(PARAMETERS) - TOLD_ONLY - CHOOSING}
    assert {name for name in judged if f"def test_{name.removesuffix('_draw')}" not in games and f"{name}=" not in games} == set()
    assert set(PARAMETERS) <= {field.name for field in fields(Profile)}
    assert set(PARAMETERS) - CHOOSING - set(TABLE) == {"fifty_extensions"}  # see test_extensions_and_their_dates
