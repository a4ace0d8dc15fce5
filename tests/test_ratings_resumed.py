"""Ratings written to a folder, and gone on with: month by month comes to the same rows as all at once."""

from __future__ import annotations

from itertools import chain, groupby
from pathlib import Path
from typing import Any

import pyarrow.dataset as pads
import pyarrow.parquet as pq
import pytest
from rated import Played, month_of, source, stream

from chesstools.errors import OptionError, OutputError, SourceError
from chesstools.ratings import points, ratings, state
from chesstools.ratings.policy import Policy
from chesstools.ratings.run import Run
from chesstools.ratings.settings import Settings
from chesstools.ratings.tables import GAMES, PLAYERS
from chesstools.schema import FINDINGS

ALL = ("elo", "glicko2", "points")


@pytest.fixture(autouse=True)
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def rows(folder: str, table: str, *, sources: bool = False) -> list[dict[str, Any]]:
    """The rows of a table in a folder. Which source a game is from, and where it stands there, is left out."""
    found: list[dict[str, Any]] = pads.dataset(Path(folder) / table).to_table().to_pylist()
    gone = () if sources else ("source", "game_index", "line", "byte_offset", "byte_length")
    return [{name: value for name, value in row.items() if name not in gone} for row in found]


def all_rows(folder: str, methods: tuple[str, ...] = ALL) -> dict[str, list[dict[str, Any]]]:
    names = [f"{method}/games" for method in methods] + [f"{method}/players.parquet" for method in methods]
    return {name: rows(folder, name) for name in [*names, "findings"]}


def by_month(games: list[Played]) -> list[list[Played]]:
    return [list(month) for _, month in groupby(sorted(games, key=month_of), month_of)]


# ------------------------------------------------------------------------------------------------ the same rows


@pytest.mark.parametrize("period", [None, "game", "week", "quarter", "year"])
@pytest.mark.parametrize("seed", [1, 2])
def test_month_by_month_is_all_at_once(seed: int, period: str | None) -> None:
    games = stream(seed, 200)
    games += [
        Played("Ann", "Ann", date="2024.03.03"),
        Played(result="*", date="2024.05.05"),
        Played("Bob", "Cy", date="2024.06.??"),
    ]
    settings = Settings(ALL, period)
    ratings(source(games, "all.pgn"), settings, output="once")
    for number, month in enumerate(by_month(games)):
        ratings(source(month, f"{number}.pgn"), settings, output="months", state="state.parquet")
    assert all_rows("months") == all_rows("once")
    assert len(list(Path("months/elo/games").iterdir())) == 6
    assert rows("once", "findings")


def test_games_without_a_date_can_be_the_last_ones_only() -> None:
    games = stream(3, 60, undated=20)
    dated, undated = ([g for g in games if (g.date[0] == "?") is is_undated] for is_undated in (False, True))
    ratings(source(games), ALL, output="once")
    ratings(source(dated, "d"), ALL, output="two", state="state2")
    ratings(source(undated, "u"), ALL, output="two", state="state2")
    assert all_rows("two") == all_rows("once")
    with pytest.raises(OptionError, match=r"\(2024\.\d\d\.[0-9?]+\) comes before games that the state counts \(up to \?{4}"):
        ratings(source(by_month(dated)[0], "again"), ALL, state="state2")


def test_a_run_that_was_stopped_can_be_given_again(monkeypatch: pytest.MonkeyPatch) -> None:
    months = by_month(stream(4, 120))
    ratings(source(months[0], "0"), ALL, output="out", state="state")
    before = all_rows("out")

    def stop(*given: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Run, "players", stop)
        with pytest.raises(KeyboardInterrupt):
            ratings(source(months[1], "1"), ALL, output="out", state="state")
    assert all_rows("out") == before
    assert not list(Path("out").rglob(".*"))
    with monkeypatch.context() as patch:
        patch.setattr(state, "write", stop)
        with pytest.raises(KeyboardInterrupt):  # the tables are there, the state is that of before
            ratings(source(months[1], "1"), ALL, output="out", state="state")
    for number in (1, 2):
        ratings(source(months[number], str(number)), ALL, output="out", state="state")
    ratings(source(chain(*months[:3]), "all"), ALL, output="once")
    assert all_rows("out") == all_rows("once")


def test_an_older_state_replaces_what_came_behind_it() -> None:
    months = by_month(stream(5, 90))
    ratings(source(months[0], "0"), "elo", output="out", state="state")
    kept = Path("state").read_bytes()
    for number in (1, 2):
        ratings(source(months[number], str(number)), "elo", output="out", state="state")
    Path("state").write_bytes(kept)
    ratings(source(months[3], "3"), "elo", output="out", state="state")
    ratings(source([*months[0], *months[3]], "both"), "elo", output="once")
    assert all_rows("out", ("elo",)) == all_rows("once", ("elo",))


# ------------------------------------------------------------------------------------------------ what is refused


def test_games_older_than_the_state_are_refused() -> None:
    ratings(source([Played(date="2024.02.01", tags={"Round": "2"})]), "elo", state="state")
    written = Path("state").read_bytes()
    for older in (Played(date="2024.01.31"), Played(date="2024.02.01", tags={"Round": "1"})):
        with pytest.raises(
            OptionError, match=r"Game 0 of old\.pgn \(2024.* comes before games that the state counts \(up to 2024"
        ):
            ratings(source([older], "old.pgn"), state="state")
    assert Path("state").read_bytes() == written
    assert ratings(source([Played(date="2024.02.01", tags={"Round": "2", "Site": "x"})]), state="state").counts.counted == 1


def test_games_that_are_not_counted_keep_none_behind_them_out() -> None:
    ratings(source([Played(), Played(date="????.??.??", result="*"), Played("Ann", "Ann", date="2025.05.05")]), state="state")
    assert ratings(source([Played(date="2024.02.02")], "b.pgn"), state="state").counts.counted == 1


def test_a_source_that_was_counted_is_refused() -> None:
    ratings(source([Played()], "first.pgn"), state="state")
    with pytest.raises(OptionError, match=r"second\.pgn was counted already, as first\.pgn"):
        ratings(source([Played()], "second.pgn"), state="state")


@pytest.mark.parametrize(
    ("settings", "initial", "sentence"),
    [
        (Settings(policy=Policy(names="case")), (), "made with names clean, not case"),
        (Settings(("points",)), (), "made with elo expectation logistic, not None"),
        (Settings(period="month"), (), "made with elo period game, not month"),
        (Settings(), ("1200",), "made with initial default, not 1200"),
    ],
)
def test_a_state_of_other_settings_is_refused(settings: Settings, initial: tuple[str, ...], sentence: str) -> None:
    ratings(source([Played()]), state="state")
    with pytest.raises(OptionError, match=sentence):
        ratings(source([Played(date="2025.01.01")], "b.pgn"), settings, initial=initial, state="state")


def test_a_state_that_is_none_is_refused() -> None:
    Path("text").write_text("no state")
    pq.write_table(PLAYERS["elo"].empty_table(), "table")
    for name in ("text", "table"):
        with pytest.raises(SourceError, match="holds no state of ratings"):
            ratings(source([Played()]), state=name)


def test_folders_are_not_written_over() -> None:
    ratings(source([Played()]), ("elo", "points"), output="out")
    with pytest.raises(OutputError, match="give --overwrite to replace them"):
        ratings(source([Played()]), output="out")
    ratings(source([Played(), Played("Cy")]), output="out", overwrite=True)
    assert len(rows("out", "elo/games")) == 2
    assert sorted(path.name for path in Path("out").iterdir()) == ["elo", "findings"]
    Path("out/points").mkdir()
    Path("out/points/letter.txt").write_text("mine")
    ratings(source([Played()]), output="out", overwrite=True)
    assert [path.name for path in Path("out/points").iterdir()] == ["letter.txt"]
    Path("full").mkdir()
    Path("full/letter.txt").write_text("mine")
    with pytest.raises(OutputError, match=r"holds files that are no ratings \(letter\.txt\)"):
        ratings(source([Played()]), output="full", overwrite=True)
    Path("file").write_text("")
    with pytest.raises(OutputError, match="file is a file; give the name of a folder"):
        ratings(source([Played()]), output="file")


# ------------------------------------------------------------------------------------------------ what is written


def test_files_have_the_schemas_and_the_state_is_a_plain_table() -> None:
    found = ratings(source(stream(6, 50)), ALL, output="out", state="state.parquet")
    assert (found.games, found.findings) == ({}, None)
    for method in ALL:
        assert pq.read_schema(next(Path(f"out/{method}/games").iterdir())).equals(GAMES[method], check_metadata=True)
        assert pq.read_table(f"out/{method}/players.parquet").equals(found.players[method])
    assert pq.read_schema(next(Path("out/findings").iterdir())).equals(FINDINGS)
    kept = pq.read_table("state.parquet").to_pandas()
    assert len(kept) == 3 * 8
    assert set(kept["method"]) == set(ALL)
    assert all(field.metadata[b"meaning"] for field in pq.read_schema("state.parquet"))


def test_nothing_to_rate_leaves_tables_without_rows() -> None:
    ratings(source([]), ALL, output="out", state="state")
    assert all(found == [] for found in all_rows("out").values())
    ratings(source([Played()]), ALL, output="out", state="state")
    assert [len(rows("out", f"{method}/games")) for method in ALL] == [1, 1, 1]


def test_exact_points_go_on_exactly() -> None:
    settings = Settings(("points",), points=points.Rules(places=400))
    months = by_month(stream(7, 120))
    for number, month in enumerate(months):
        ratings(source(month, str(number)), settings, output="months", state="state")
    ratings(source(chain(*months), "all"), settings, output="once")
    assert all_rows("months", ("points",)) == all_rows("once", ("points",))
    assert max(len(row["points_exact"]) for row in rows("once", "points/players.parquet")) > 60
