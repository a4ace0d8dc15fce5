"""Ratings over streams of games: order, which games count, who is who, and plain loops as a second opinion."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import groupby
from pathlib import Path

import pytest
from rated import MOVES, NAMES, Played, month_of, order, rated, source, stream
from ratings_page import page

import chesstools
from chesstools.errors import OptionError, SourceError
from chesstools.ratings import elo, points, ratings
from chesstools.ratings.policy import REASONS, Policy
from chesstools.ratings.settings import Settings
from chesstools.ratings.tables import GAMES, PLAYERS
from chesstools.rules import get_rule
from chesstools.schema import FINDINGS

SCORE = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
ALL = ("elo", "glicko2", "points")


def in_order(games: list[Played]) -> list[Played]:
    """By month, then day (unknown last), then round, then as given: what these games need."""
    return sorted(games, key=lambda game: (game.date[:7], game.date[8:].replace("??", "99"), int(game.tags["Round"])))


# ------------------------------------------------------------------------------------------------ second opinions


@pytest.mark.parametrize("k", [20, "fide"])
def test_elo_as_a_plain_loop(k: float | str) -> None:
    games = stream(1, 300)
    rating: dict[str, float] = defaultdict(lambda: 1500.0)
    played: Counter[str] = Counter()
    rows = []
    for game in in_order(games):
        white, black = rating[game.white], rating[game.black]
        expected = 1 / (1 + 10 ** ((black - white) / 400))
        change = SCORE[game.result] - expected
        factors = [(40 if played[name] < 30 else 20) if k == "fide" else k for name in (game.white, game.black)]
        rating[game.white] += float(factors[0]) * change
        rating[game.black] -= float(factors[1]) * change
        played.update((game.white, game.black))
        rows.append((game.white, white, black, expected, rating[game.white], rating[game.black]))
    found = rated(games, Settings(("elo",), elo=elo.Rules(k=k)))
    names = ["white", "white_before", "black_before", "expected", "white_after", "black_after"]
    told = found.games["elo"].select(names).to_pylist()
    assert [row["white"] for row in told] == [row[0] for row in rows]
    for got, row in zip(told, rows, strict=True):
        assert list(got.values())[1:] == pytest.approx(row[1:])
    players = found.to_pandas()
    assert dict(zip(players["name"], players["rating"], strict=True)) == pytest.approx(dict(rating))
    assert players["rating"].is_monotonic_decreasing


def test_elo_in_periods_as_a_plain_loop() -> None:
    games = stream(2, 300)
    rating: dict[str, float] = defaultdict(lambda: 1500.0)
    for _, month in groupby(in_order(games), month_of):
        change: dict[str, float] = defaultdict(float)
        for game in month:
            expected = 1 / (1 + 10 ** ((rating[game.black] - rating[game.white]) / 400))
            change[game.white] += 16 * (SCORE[game.result] - expected)
            change[game.black] -= 16 * (SCORE[game.result] - expected)
        for name, value in change.items():
            rating[name] += value
    players = rated(games, Settings(("elo",), "month", elo=elo.Rules(k=16))).to_pandas()
    assert dict(zip(players["name"], players["rating"], strict=True)) == pytest.approx(dict(rating))


def test_glicko2_in_periods_as_another_implementation() -> None:
    other = pytest.importorskip("glicko2.math")
    games = [game for game in stream(3, 300) if "Hal" not in (game.white, game.black) or month_of(game) in ("2024.01", "2024.05")]
    known: dict[str, tuple[float, float, float]] = {}
    for _, month in groupby(in_order(games), month_of):
        opponents: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
        for game in month:
            white, black = (known.setdefault(name, (0.0, 350 / 173.7178, 0.06)) for name in (game.white, game.black))
            opponents[game.white].append((*black[:2], SCORE[game.result]))
            opponents[game.black].append((*white[:2], 1 - SCORE[game.result]))
        known = {name: tuple(other.update_rating(*player, opponents[name])) for name, player in known.items()}
    players = rated(games, "glicko2").to_pandas().set_index("name")
    assert set(players.index) == set(known)
    for name, (mu, phi, sigma) in known.items():
        assert players["rating"][name] == pytest.approx(other.mu_to_rating(mu), abs=0.01)
        assert players["deviation_now"][name] == pytest.approx(other.phi_to_rd(phi), abs=0.01)
        assert players["volatility"][name] == pytest.approx(sigma, abs=1e-6)


def test_points_as_a_plain_loop() -> None:
    games = stream(4, 250)
    rules = points.Rules(places=600)
    known: dict[str, Fraction] = defaultdict(Fraction)
    rows = []
    for game in in_order(games):
        before = (known[game.white], known[game.black])
        moved = Fraction(points.transfer(*before, game.result, rules).to_white)
        known[game.white] += moved
        known[game.black] -= moved
        rows.append((*before, moved))
    found = rated(games, Settings(("points",), points=rules))
    assert found.counts.rounded == 0
    names = ["white_before_exact", "black_before_exact", "transfer_exact"]
    assert [tuple(map(Fraction, row.values())) for row in found.games["points"].select(names).to_pylist()] == rows
    players = found.to_pandas()
    assert {name: Fraction(text) for name, text in zip(players["name"], players["points_exact"], strict=True)} == known
    assert sum(known.values()) == 0
    assert max(len(text) for text in players["points_exact"]) > 100  # exact indeed


def test_a_limit_of_places_changes_no_digit_that_matters() -> None:
    games = stream(5, 250)
    one = rated(games, Settings(("points",), points=points.Rules(places=600))).to_pandas()
    other = rated(games, "points")
    assert other.counts.rounded > 50
    assert other.to_pandas()["points"].tolist() == one["points"].tolist()
    assert sum(map(Fraction, other.to_pandas()["points_exact"])) == 0


# ------------------------------------------------------------------------------------------------ order


def test_order_is_date_time_round_board_and_as_given() -> None:
    def game(name: str, date: str = "2024.05.05", **tags: str) -> Played:
        return Played(name, "Zoe", date=date, tags=tags)

    games = [
        game("n", "????.??.??"),
        game("m", "2025.??.??"),
        game("l", "2024.05.??", UTCTime="00:00:00"),
        game("k", UTCTime="later"),
        game("j", Time="10:00:00"),
        game("i", "2030.01.01", UTCDate="2024.05.05", UTCTime="09:00:00", Round="10", Board="3"),
        game("h", UTCTime="09:00:00", Round="10", Board="3"),
        game("g", UTCTime="09:00:00", Round="9", Board="12"),
        game("f", UTCTime="09:00:00", Round="9", Board="7"),
        game("e", UTCTime="09:00:00", Round="1.12"),
        game("d", UTCTime="09:00:00", Round="1.2"),
        game("c", UTCTime="08:59:59"),
        game("b", "1999.12.31"),
        game("a", "0998.12.31"),
    ]
    assert "".join(order(rated(games))) == "abcdefgihjklmn"
    assert rated(games).games["elo"]["seq"].to_pylist() == list(range(1, 15))
    assert rated(games).games["elo"]["date"].to_pylist()[-3:] == ["2024.05.??", "2025.??.??", "????.??.??"]


def test_several_sources_come_as_they_are_given() -> None:
    sources = [source([Played("B", "Zoe")], "b.pgn"), source([Played("A", "Zoe")], "a.pgn")]
    assert order(ratings(sources)) == ["B", "A"]
    assert order(ratings(sources[::-1])) == ["A", "B"]


def test_impossible_dates_and_tags_that_stand_twice() -> None:
    odd = Played("Odd", date="2024.02.31", tags={"UTCDate": "2024.13.01", "Round": "9" * 50, "Board": "-"})
    pgn = odd.pgn().replace("[Round", '[Time "x"]\n[Time "y"]\n[Board "7"]\n[Round').encode()
    found = ratings(
        [chesstools.source.Source.from_bytes(pgn, "odd.pgn"), source([Played("Ann"), Played("Eve", date="2024.12.31")])]
    )
    assert order(found) == ["Ann", "Eve", "Odd"]
    assert found.games["elo"]["date"].to_pylist()[-1] == "????.??.??"


# ------------------------------------------------------------------------------------------------ which games count


REASON_GAMES = {
    "unnamed": [Played("?"), Played(black="NN"), Played("")],
    "oneself": [Played("Ann", "Ann"), Played("Ann  A", "Ann A")],
    "unfinished": [Played(result="*")],
    "no-result": [Played(result="2-0", moves=MOVES)],
    "both-lose": [Played(result="*", tags={"Termination": "rules infraction: both players forfeit"})],
    "unplayed": [Played(moves="1. e4"), Played(moves="", result="1/2-1/2"), Played(moves="")],
}


def test_games_that_are_not_counted_are_told_with_their_reason() -> None:
    games = [game for some in REASON_GAMES.values() for game in some]
    found = rated([*games, Played()], ALL)
    assert found.counts.skipped == {reason: len(some) for reason, some in REASON_GAMES.items()}
    assert (found.counts.games, found.counts.counted) == (len(games) + 1, 1)
    assert found.findings is not None
    rows = found.findings.to_pylist()
    assert [dict(row["evidence"])["reason"] for row in rows] == [r for r, some in REASON_GAMES.items() for _ in some]
    assert {row["code"] for row in rows} == {"G951"}
    assert [row["game_index"] for row in rows] == list(range(len(games)))
    assert set(REASONS) == set(get_rule("G951").phrases["reason"])


def test_forfeits() -> None:
    abandoned = Played(tags={"Termination": "abandoned"})
    infraction = Played(tags={"Termination": "rules infraction"})
    time = Played(tags={"Termination": "time forfeit"})  # lost on time, which is play
    games = [abandoned, infraction, time, Played(moves="1. e4")]
    assert rated(games).counts.skipped == {"unplayed": 1}
    strict = rated(games, Settings(policy=Policy(forfeits="any")))
    assert strict.counts.skipped == {"unplayed": 1, "forfeit": 2}
    assert rated(games, Settings(policy=Policy(forfeits="count"))).counts.counted == 4


def test_games_with_illegal_moves() -> None:
    games = [Played(moves="1. e4 e5 2. Ke3"), Played("Cy", "Dan", moves="1. e4 e5 2. Nge2 Qf3")]
    found = rated(games)
    assert found.games["elo"]["tainted"].to_pylist() == [True, True]
    assert found.counts.tainted == 2
    assert rated(games, Settings(policy=Policy(illegal="skip"))).counts.skipped == {"illegal": 2}
    assert rated([Played(moves="1. e4 e5 2. Nf6+")]).counts.tainted == 1


def test_unknown_dates() -> None:
    games = [Played("Old", date="????.??.??"), Played("Bad", date="yesterday"), Played("New", date="2024.??.??")]
    assert order(rated(games)) == ["New", "Old", "Bad"]
    found = rated(games, Settings(policy=Policy(unknown_dates="reject")))
    assert order(found) == ["New"]
    assert found.counts.skipped == {"undated": 2}


@pytest.mark.parametrize(
    ("names", "players"),
    [("exact", 6), ("clean", 4), ("case", 3), ("words", 2)],
)
def test_who_is_who(names: str, players: int) -> None:
    spelled = ["Mu\u0308ller, Ann", "Müller,  Ann ", "MÜLLER, Ann", "Ann Müller", "Müller, Ann"]
    found = rated([Played(name, "Zoe") for name in spelled], Settings(policy=Policy(names=names)))
    assert len(found.players["elo"]) == players
    assert len(set(found.games["elo"]["white"].to_pylist())) == players - 1
    assert found.games["elo"]["white"].to_pylist()[0] == (spelled[0] if names == "exact" else "Müller, Ann")
    assert rated([Played("♔", "☆")], Settings(policy=Policy(names=names))).counts.counted == 1


@pytest.mark.parametrize("wrong", [{"names": "x"}, {"unknown_dates": ""}, {"forfeits": "none"}, {"illegal": "x"}])
def test_policies_that_mean_nothing(wrong: dict[str, str]) -> None:
    with pytest.raises(OptionError):
        Policy(**wrong)


def test_settings_that_mean_nothing() -> None:
    for wrong in ({"methods": ("eloo",)}, {"methods": ()}, {"period": "hour"}):
        with pytest.raises(OptionError):
            Settings(**wrong)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------ beginnings


def test_what_players_begin_with(tmp_path: object) -> None:
    games = [Played(tags={"WhiteElo": "2000", "BlackElo": "?"})]
    assert rated(games, initial=[1200]).games["elo"]["white_before"].to_pylist() == [1200]
    found = rated(games, ALL, initial=["tags", "1000", "points=12.5"])
    assert [found.games[method]["white_before"][0].as_py() for method in ALL] == [2000, 2000, 2000]
    assert [found.games[method]["black_before"][0].as_py() for method in ALL[:2]] == [1000, 1000]
    assert found.games["points"]["black_before_exact"].to_pylist() == ["12.5"]
    assert found.games["elo"].select(["white_k", "black_k"]).to_pylist() == [{"white_k": 20, "black_k": 40}]


def test_beginnings_from_a_table(tmp_path: pytest.TempPathFactory) -> None:
    path = tmp_path / "known.csv"  # type: ignore[operator]
    path.write_text("name,rating,deviation\nBob,1900.25,80\nZoe,1,\n")
    found = rated([Played()], ALL, initial=[path])
    assert [float(found.games[method]["black_before"][0].as_py()) for method in ALL] == [1900.25] * 3
    assert found.games["glicko2"]["black_deviation_before"].to_pylist() == [80]
    out = tmp_path / "out"  # type: ignore[operator]
    rated([Played()], "points", output=out)
    again = rated([Played("Bob", "Ann")], "points", initial=[out / "points" / "players.parquet"])
    assert again.games["points"].select(["white_before_exact", "black_before_exact"]).to_pylist() == [
        {"white_before_exact": "-10", "black_before_exact": "10"}
    ]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("name,rating\nAnn,x\n", "row 1: a player and a number are wanted"),
        ("name,rating\n?,1\n", "row 1: a player and a number are wanted"),
        ("name,rating\nAnn,1\nAnn ,2\n", "row 2: 'Ann ' stands there twice"),
        ("name,strength\nAnn,1\n", "has no columns name and rating"),
        ("name,rating,deviation\nAnn,1,0\n", "a deviation is above 0"),
        ("name,rating\nAnn,1,2\n", "cannot be read"),
        ("", "cannot be read"),
    ],
)
def test_tables_of_beginnings_that_are_wrong(text: str, error: str, tmp_path: pytest.TempPathFactory) -> None:
    path = tmp_path / "known.csv"  # type: ignore[operator]
    path.write_text(text)
    with pytest.raises(SourceError, match=error):
        rated([Played()], initial=[path])


@pytest.mark.parametrize("wrong", ["nothing", "1e99", "9999999", "1/3", "elo=x"])
def test_beginnings_that_are_none(wrong: str) -> None:
    with pytest.raises(OptionError):
        rated([Played()], initial=[wrong])


# ------------------------------------------------------------------------------------------------ tables, odd input


def test_tables_have_their_schemas_and_tell_what_columns_mean() -> None:
    found = rated(stream(6, 60, undated=5), ALL)
    for method in ALL:
        for table, schema in ((found.games[method], GAMES[method]), (found.players[method], PLAYERS[method])):
            assert table.schema.equals(schema, check_metadata=True)
            assert table.num_rows
            for field in schema:
                assert field.metadata[b"meaning"]
                assert field.nullable or table[field.name].null_count == 0
        assert found.games[method].num_rows == found.counts.counted == 60
        assert len(found.players[method]) == len(NAMES)
    assert found.findings is not None
    assert found.findings.schema.equals(FINDINGS)
    assert set(found.findings["code"].to_pylist()) == {"G950"}
    assert len(found.games["points"]["ambiguous"].drop_null()) == found.counts.ambiguous == found.findings.num_rows


def test_what_happens_to_a_player_goes_on_where_it_stopped() -> None:
    found = rated(stream(7, 120), ALL)
    for method in ALL:
        last: dict[str, object] = {}
        for row in found.games[method].to_pylist():
            for side in ("white", "black"):
                if method != "glicko2":  # there a period begins again with its first rating
                    assert last.setdefault(row[side], row[f"{side}_before"]) == row[f"{side}_before"]
                last[row[side]] = row[f"{side}_after"]
        players = found.players[method].to_pylist()
        assert {row["name"]: row["points" if method == "points" else "rating"] for row in players} == last


@pytest.mark.parametrize("games", [[], [Played("?")], [Played(result="*")] * 3])
def test_nothing_to_rate(games: list[Played]) -> None:
    found = rated(games, ALL)
    assert [len(found.players[method]) for method in ALL] == [0, 0, 0]
    assert [found.games[method].schema for method in ALL] == [GAMES[method] for method in ALL]
    assert found.counts.counted == 0


def test_hostile_names_stay_what_they_are() -> None:
    names = ["A\x07\x1b[2Jnn", "Robert'); DROP TABLE games;--", "<script>", "a" * 5000, "e" + "\u0301\u0327" * 2000, "\u202eknaB"]
    found = rated([Played(name, "Zoe") for name in names], ALL)
    assert found.counts.counted == len(names)
    assert order(found)[1:4] == names[1:4]


def test_many_games_of_the_same_two_take_linear_time_and_bounded_numbers() -> None:
    found = rated([Played(result=result) for result in ("1-0", "0-1", "1/2-1/2", "1-0") * 1500], "points")
    rows = found.games["points"]
    assert rows.num_rows == 6000
    assert max(map(len, rows["white_before_exact"].to_pylist())) < 60
    assert sum(map(Fraction, found.to_pandas()["points_exact"])) == 0


def test_the_page_is_made_from_the_code() -> None:
    assert (Path(__file__).parent.parent / "docs" / "ratings.md").read_text(encoding="utf-8") == page()


def test_the_public_name_is_the_function() -> None:
    assert chesstools.ratings is ratings
    with pytest.raises(OptionError, match="no table"):
        rated([Played()]).to_pandas("plies")
