"""Every statistic from games and findings against an expression in pandas, written without a look at the SQL."""

from __future__ import annotations

import io
import math
from pathlib import Path

import chess
import chess.pgn
import corpora
import numpy as np
import pandas as pd
import pytest

from chesstools import Dataset, ingest, query
from chesstools.openings import load, openings_of
from chesstools.source import Source
from chesstools.stats import Statistics, stats
from chesstools.stats.registry import STATISTICS

SAMPLES = Path(__file__).resolve().parent.parent / "sample_data" / "games"
EXTRA = """\
[Event "Blitz"]
[Site "Nowhere"]
[Date "2019.05.01"]
[Round "1"]
[White "Vier, A"]
[Black "Fünf, B"]
[Result "0-1"]
[WhiteElo "2412"]
[BlackElo "2437"]
[WhiteTitle "gm"]
[BlackTitle "-"]
[TimeControl "{}"]

1. e4 e5 2. Nf3 0-1

"""
TIME_CONTROLS = ["15", "60", "60+3", "180+2", "300", "600+15", "5400+30", "40/7200:3600", "1/86400", "-", "?", "5/move", "120+5d"]

SHUFFLED = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1 Ng8 9. Nf3"
"""The array stands for the third time after ply 8, for the fifth after ply 16."""

POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
Z = 1.959963984540054


@pytest.fixture(scope="module", params=["samples", pytest.param("otb", marks=corpora.needs_corpus)])
def dataset(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """The sample games with some more for time controls, and the first megabytes of an archive."""
    folder = tmp_path_factory.mktemp("dataset")
    if request.param == "samples":
        more = "".join(EXTRA.format(control) for control in TIME_CONTROLS)
        ingest([*SAMPLES.rglob("*.pgn"), Source.from_bytes(more.encode(), "more.pgn")], folder)
    else:
        text = corpora.text("otb")
        ingest(Source.from_bytes(text, "otb.pgn"), folder)
    return Dataset.open(folder)


@pytest.fixture(scope="module")
def found(dataset: Dataset) -> Statistics:
    return stats(dataset)


@pytest.fixture(scope="module")
def games(dataset: Dataset) -> pd.DataFrame:
    """All games, with what several expressions want."""
    frame = dataset.to_pandas("games")
    frame["source"] = frame["source"].astype(str)
    frame["points"] = frame["result_value"].map(POINTS)
    both = frame["white_elo"].notna() & frame["black_elo"].notna()
    frame["w"] = frame["white_elo"].astype("Float64").astype(float).where(both)
    frame["b"] = frame["black_elo"].astype("Float64").astype(float).where(both)
    return frame


@pytest.fixture(scope="module")
def scored(games: pd.DataFrame) -> pd.DataFrame:
    """Games without errors that have points."""
    return games[(games["errors"] == 0) & games["points"].notna()]


def wilson(p: float, n: int) -> tuple[float, float]:
    """The interval by the textbook: its middle and half its width."""
    middle = (p + Z**2 / (2 * n)) / (1 + Z**2 / n)
    half = Z / (1 + Z**2 / n) * math.sqrt(p * (1 - p) / n + Z**2 / (4 * n**2))
    return max(middle - half, 0.0), min(middle + half, 1.0)


def perform(other: pd.Series, points: pd.Series) -> float:
    share = points.mean() if len(points) else math.nan
    return other.mean() - 400 * math.log10(1 / share - 1) if 0 < share < 1 else math.nan


def outcome(group: pd.DataFrame) -> dict[str, float]:
    n, points, rated = len(group), group["points"], group[group["w"].notna()]
    row: dict[str, float] = {"games": n, "score": points.mean(), "score_error": points.std(ddof=1) / math.sqrt(n)}
    for name, share, value in (("white_won", "white", 1), ("drawn", "draw", 0.5), ("black_won", "black", 0)):
        row[name] = int((points == value).sum())
        row[f"{share}_share"] = row[name] / n
        row[f"{share}_share_low"], row[f"{share}_share_high"] = wilson(row[name] / n, n)
    row["score_low"], row["score_high"] = wilson(row["score"], n)
    row |= {
        "rated_games": len(rated),
        "white_elo": rated["w"].mean(),
        "black_elo": rated["b"].mean(),
        "rated_score": rated["points"].mean(),
        "expected_score": (1 / (1 + np.power(10, (rated["b"] - rated["w"]) / 400))).mean(),
        "white_performance": perform(rated["b"], rated["points"]),
        "black_performance": perform(rated["w"], 1 - rated["points"]),
        "average_plies": group["ply_count"].astype(float).mean(),
    }
    row["above_expected"] = row["rated_score"] - row["expected_score"]
    return row


def outcomes_by(frame: pd.DataFrame, *keys: str) -> pd.DataFrame:
    rows = []
    for values, group in frame.groupby(list(keys), dropna=False, observed=True):
        rows.append(dict(zip(keys, values, strict=True)) | outcome(group))
    return pd.DataFrame(rows)


def same(ours: pd.DataFrame, theirs: pd.DataFrame, keys: list[str]) -> None:
    """The columns of `theirs` are in `ours`, with the same rows."""
    assert len(theirs) > 0
    assert len(ours) == len(theirs)
    one, other = (indexed(frame, keys) for frame in (ours, theirs.convert_dtypes()))
    assert list(one.index) == list(other.index)
    for name in other.columns:
        left, right = one[name], other[name]
        if pd.api.types.is_numeric_dtype(right) and not pd.api.types.is_bool_dtype(right):
            left, right = (side.astype("Float64").to_numpy(float, na_value=np.nan) for side in (left, right))
            np.testing.assert_allclose(left, right, rtol=1e-9, atol=2e-9, err_msg=name)
        else:
            missing = left.isna() & right.isna()
            assert ((left == right) | missing).all(), name


def indexed(frame: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Rows by keys as text, in one order."""
    frame = frame.assign(
        key=frame[keys].astype(object).map(lambda value: "" if pd.isna(value) else str(value)).agg("|".join, axis=1)
    )
    assert frame["key"].is_unique
    return frame.set_index("key").sort_index().drop(columns=keys)


# ------------------------------------------------------------------------------------------------------------- outcomes


def test_all(found: Statistics, scored: pd.DataFrame) -> None:
    same(found.to_pandas("outcomes").assign(all=1), outcomes_by(scored.assign(all=1), "all"), ["all"])


def test_by_year(found: Statistics, scored: pd.DataFrame) -> None:
    same(found.to_pandas("outcomes_by_year"), outcomes_by(scored.dropna(subset="year"), "year"), ["year"])


def test_by_rules(found: Statistics, scored: pd.DataFrame) -> None:
    array = chess.STARTING_FEN.rsplit(" ", 2)[0]
    usual = (scored["rules"] == "standard") & scored["start_fen"].str.startswith(array).fillna(False)
    same(
        found.to_pandas("outcomes_by_rules"),
        outcomes_by(scored.assign(from_array=usual), "rules", "from_array"),
        ["rules", "from_array"],
    )


def test_by_event(found: Statistics, scored: pd.DataFrame) -> None:
    known = scored[~scored["event"].fillna("").str.strip().isin(["", "?"])]
    theirs = outcomes_by(known, "event")
    years = known.groupby("event")["year"].agg(["min", "max"])
    theirs["first_year"], theirs["last_year"] = (theirs["event"].map(years[which]) for which in ("min", "max"))
    same(found.to_pandas("outcomes_by_event"), theirs, ["event"])


def time_class(row: pd.Series) -> str | None:
    kind = row["time_control_kind"]
    if kind in ("correspondence", "none"):
        return "unlimited" if kind == "none" else str(kind)
    if pd.isna(kind) or kind in ("unknown", "sandclock"):
        return None
    first, periods = row["time_periods"][0], row["time_periods"]
    seconds = 40 * first["seconds"] if kind == "per_move" else sum(period["seconds"] for period in periods)
    seconds += 40 * (first["increment"] + first["delay"])
    bounds = {"ultrabullet": 30, "bullet": 180, "blitz": 480, "rapid": 1500}
    return next((name for name, bound in bounds.items() if seconds < bound), "classical")


def test_by_time_class(found: Statistics, scored: pd.DataFrame) -> None:
    classes = scored.apply(time_class, axis=1)
    if classes.notna().any():
        theirs = outcomes_by(scored.assign(time_class=classes).dropna(subset="time_class"), "time_class")
        same(found.to_pandas("outcomes_by_time_class"), theirs, ["time_class"])
        assert len(theirs) == 7
    else:
        assert found["outcomes_by_time_class"].num_rows == 0


def test_by_titles(found: Statistics, scored: pd.DataFrame) -> None:
    titles = {
        f"{side}_title": scored[f"{side}_title"].str.strip().str.upper().replace({"": None, "?": None, "-": None})
        for side in ("white", "black")
    }
    titled = scored.assign(**titles).dropna(subset=list(titles), how="all")
    if titled.empty:
        assert found["outcomes_by_titles"].num_rows == 0
    else:
        same(found.to_pandas("outcomes_by_titles"), outcomes_by(titled, *titles), list(titles))


def test_by_length(found: Statistics, scored: pd.DataFrame, games: pd.DataFrame) -> None:
    played = scored[scored["ply_count"] > 0]
    theirs = outcomes_by(played.assign(plies_to=np.ceil(played["ply_count"].astype(int) / 20).astype(int) * 20), "plies_to")
    same(found.to_pandas("outcomes_by_length"), theirs.assign(plies_from=theirs["plies_to"] - 19), ["plies_to"])
    valid = games[games["errors"] == 0].assign(points=lambda frame: frame["points"].fillna(-1))
    counts = pd.crosstab(valid["ply_count"], valid["points"]).reindex(columns=[1.0, 0.5, 0.0, -1.0], fill_value=0)
    counts.columns = pd.Index(["white_won", "drawn", "black_won", "no_points"])
    counts["games"] = counts.sum(axis=1)
    same(found.to_pandas("lengths"), counts.rename_axis("plies").reset_index(), ["plies"])


# -------------------------------------------------------------------------------------------------------------- ratings


def test_by_ratings(found: Statistics, scored: pd.DataFrame) -> None:
    rated = scored[scored["w"].notna()].copy()
    rated["rating_from"] = pd.cut(
        (rated["w"] + rated["b"]) / 2, range(0, 5000, 200), right=False, labels=range(0, 4800, 200)
    ).astype(int)
    rated["difference_from"] = [round_down(white - black) for white, black in zip(rated["w"], rated["b"], strict=True)]
    for name, keys in {
        "outcomes_by_rating": ["rating_from"],
        "outcomes_by_difference": ["difference_from"],
        "outcomes_by_rating_and_difference": ["rating_from", "difference_from"],
    }.items():
        theirs = outcomes_by(rated, *keys)
        same(found.to_pandas(name), theirs, keys)
    bands = found.to_pandas("outcomes_by_difference")
    means = rated.assign(difference=rated["w"] - rated["b"]).groupby("difference_from")["difference"].mean()
    np.testing.assert_allclose(bands["difference"], means)
    assert (bands["difference_to"] - bands["difference_from"] == 49).all()
    ratings = found.to_pandas("outcomes_by_rating")
    assert (ratings["rating_to"] - ratings["rating_from"] == 200).all()


def round_down(difference: float) -> int:
    """The band that begins 25 below a multiple of 50."""
    return next(low for low in range(-4025, 4025, 50) if low <= difference < low + 50)


# ------------------------------------------------------------------------------------------------------------- openings


@pytest.fixture(scope="module")
def opened(dataset: Dataset, scored: pd.DataFrame) -> pd.DataFrame:
    """Games from the array, with openings as they are worked out in memory, and their first moves."""
    plies = dataset.plies().to_table()
    openings = openings_of(plies).to_pandas()
    first = plies.select(["source", "game_index", "ply", "uci"]).to_pandas()
    first = first[first["ply"] == 1]
    array = chess.Board().epd()
    usual = (scored["rules"] == "standard") & scored["start_fen"].str.startswith(array).fillna(False) & (scored["ply_count"] > 0)
    frame = scored[usual]
    for other in (openings, first[["source", "game_index", "uci"]]):
        frame = frame.merge(other.assign(source=other["source"].astype(str)), on=["source", "game_index"], how="left")
    frame["first_move"] = [chess.Board().san(chess.Move.from_uci(uci)) if isinstance(uci, str) else None for uci in frame["uci"]]
    named = {key: entry.family for key, entry in load().by_key.items() if entry.family}
    passed = plies.select(["source", "game_index", "position_key"]).to_pandas()
    passed["family"] = passed["position_key"].map(named)
    last = passed.dropna(subset="family").groupby(["source", "game_index"], observed=True)["family"].last().reset_index()
    frame = frame.merge(last.assign(source=last["source"].astype(str)), on=["source", "game_index"], how="left")
    frame["tag"] = frame["eco"].str.extract(r"^([A-E]\d\d)", expand=False)
    return frame


def with_tags(frame: pd.DataFrame, *keys: str) -> pd.DataFrame:
    theirs = outcomes_by(frame, *keys)
    groups = frame.assign(agrees=frame["tag"] == frame["eco_by_moves"]).groupby(list(keys), dropna=False)
    more = groups.agg(
        tagged_games=("tag", "count"), agreeing_games=("agrees", "sum"), first_year=("year", "min"), last_year=("year", "max")
    )
    return theirs.merge(more.reset_index(), on=list(keys))


def test_by_first_move(found: Statistics, opened: pd.DataFrame) -> None:
    same(found.to_pandas("outcomes_by_first_move"), with_tags(opened, "first_move"), ["first_move"])


def test_by_eco(found: Statistics, opened: pd.DataFrame) -> None:
    volumes = with_tags(opened.assign(volume=opened["eco_by_moves"].str[0]), "volume")
    same(found.to_pandas("outcomes_by_eco_volume"), volumes, ["volume"])
    theirs = with_tags(opened, "eco_by_moves").rename(columns={"eco_by_moves": "eco"})
    ours = found.to_pandas("outcomes_by_eco")
    same(ours, theirs, ["eco"])
    names = opened.groupby("eco_by_moves")["opening_by_moves"].agg(lambda names: set(names.mode()))
    assert all(row.opening in names[row.eco] for row in ours.itertuples() if pd.notna(row.eco))


def test_by_opening(found: Statistics, opened: pd.DataFrame) -> None:
    ours = found.to_pandas("outcomes_by_opening")
    theirs = with_tags(opened, "eco_by_moves", "opening_by_moves")
    theirs = theirs.rename(columns={"eco_by_moves": "eco", "opening_by_moves": "opening"})
    families = opened.groupby(["eco_by_moves", "opening_by_moves"], dropna=False)["family"]
    theirs["family"] = families.agg(lambda family: min(family.mode(), default=None)).to_numpy()
    same(ours, theirs, ["eco", "opening"])
    same(found.to_pandas("outcomes_by_opening_family"), with_tags(opened, "family"), ["family"])


def test_each_opening_has_one_row_with_all_its_games(dataset: Dataset, found: Statistics) -> None:
    sql = """
    SELECT eco_by_moves AS eco, opening_by_moves AS opening, count(*) AS games
    FROM games JOIN game_openings USING (source, game_index)
    WHERE errors = 0 AND score(result_value) IS NOT NULL GROUP BY ALL
    """
    theirs = query(dataset, sql)
    ours = found.to_pandas("outcomes_by_opening").dropna(subset="opening")
    assert not ours.duplicated(["eco", "opening"]).any()
    same(ours, theirs, ["eco", "opening"])


FAMILIES = ["1. g3 d5 2. Bg2 g6 3. Nf3", "1. Nf3 c6 2. g3 d5", "1. g3 d5 2. Nf3 c6", "1. Nf3 d5 2. g3 c6"]
"""Ways to a position of A07 that Lichess does not name."""


def test_a_name_that_is_reached_from_several_families_has_one_row() -> None:
    text = "".join(f'[Result "1-0"]\n[Round "{n}"]\n\n{moves} 1-0\n\n' for n, moves in enumerate([*FAMILIES, FAMILIES[0]]))
    games = Source.from_bytes(text.encode(), "families.pgn")
    families = query(games, "SELECT opening_by_moves, opening_family FROM game_openings")
    assert set(families["opening_by_moves"]) == {"Reti: KIA"}
    assert sorted(families["opening_family"].value_counts()) == [1, 2, 2]
    (row,) = stats(games, tables=["outcomes_by_opening"])["outcomes_by_opening"].to_pylist()
    assert (row["opening"], row["games"], row["family"]) == ("Reti: KIA", 5, "Hungarian Opening")


def test_by_tag(found: Statistics, scored: pd.DataFrame) -> None:
    tag = scored["eco"].str.extract(r"^([A-E]\d\d)", expand=False)
    same(
        found.to_pandas("outcomes_by_eco_tag"),
        outcomes_by(scored.assign(eco_tag=tag).dropna(subset="eco_tag"), "eco_tag"),
        ["eco_tag"],
    )


# -------------------------------------------------------------------------------------------------------------- endings


def ending(row: pd.Series) -> tuple[str | None, str | None]:
    if pd.notna(row["end_reason"]):
        return row["end_reason"], row["end_basis"]
    if row["ply_count"] == 0 or row["final_status"] != "none":
        return None, None
    return ("agreement" if row["points"] == 0.5 else "resignation"), "inferred"


def test_end_reasons(found: Statistics, scored: pd.DataFrame) -> None:
    frame = scored.copy()
    frame[["reason", "basis"]] = [ending(row) for _, row in frame.iterrows()]
    for name, keys in {"end_reasons": ["reason", "basis"], "end_reasons_by_year": ["year", "reason", "basis"]}.items():
        part = frame.dropna(subset="year") if "year" in keys else frame
        theirs = outcomes_by(part, *keys)
        total = theirs.groupby("year")["games"].transform("sum") if "year" in keys else theirs["games"].sum()
        same(found.to_pandas(name), theirs.assign(share=theirs["games"] / total), keys)


# ---------------------------------------------------------------------------------------------------------------- draws


@pytest.fixture(scope="module")
def findings(dataset: Dataset, games: pd.DataFrame) -> pd.DataFrame:
    frame = dataset.to_pandas("findings")
    frame["source"] = frame["source"].astype(str)
    return frame.merge(
        games[["source", "game_index", "year", "event", "white", "line"]],
        on=["source", "game_index"],
        how="left",
        suffixes=("", "_of_game"),
    )


def test_moves_after_draws(found: Statistics, findings: pd.DataFrame) -> None:
    theirs = findings[findings["code"].isin(["E513", "E514", "E515"])].copy()
    theirs["rule"] = theirs["code"].map({"E513": "dead_position", "E514": "repetition", "E515": "moves_without_progress"})
    theirs = theirs.rename(
        columns={"first_ply": "drawn_ply", "count": "plies_past", "line_of_game": "line", "line": "line_of_finding"}
    )
    columns = ["rule", "source", "game_index", "drawn_ply", "plies_past", "limit", "line", "event", "white", "year"]
    same(found.to_pandas("moves_after_draws"), theirs[columns], ["rule", "source", "game_index"])


def test_unclaimed_draws(found: Statistics, findings: pd.DataFrame, games: pd.DataFrame) -> None:
    theirs = findings[findings["code"].isin(["D601", "D611"]) & (findings["effect"] == "decisive_against_claimant")]
    ours = found.to_pandas("unclaimed_draws")
    keys = ["source", "game_index"]
    assert set(map(tuple, ours[keys].to_numpy())) == set(map(tuple, theirs[keys].to_numpy()))
    assert set(map(tuple, ours[keys].to_numpy())) == set(map(tuple, games.loc[games["unclaimed_draw"] == True, keys].to_numpy()))  # noqa: E712
    loser = ours["result"].map({"1-0": "black", "0-1": "white"})
    assert (loser == ours["side"]).all()
    grouped = theirs.groupby(["code", *keys]).agg(
        first_ply=("first_ply", "min"), last_ply=("last_ply", "max"), positions=("count", "sum")
    )
    grouped = grouped.reset_index()
    grouped["rule"] = grouped["code"].map({"D601": "repetition", "D611": "moves_without_progress"})
    if len(grouped):
        same(ours, grouped[["rule", *keys, "first_ply", "last_ply", "positions"]], ["rule", *keys])


def draw_counts(games: pd.DataFrame, *keys: str) -> pd.DataFrame:
    codes = {"E515": "past_seventyfive", "E514": "past_fivefold", "E513": "past_dead_position", "E516": "decided_after_draw"}
    columns = {name: games["codes"].map(lambda found, code=code: code in list(found)) for code, name in codes.items()}
    columns |= {f"reached_{name}": games[f"first_{name}_ply"].notna() for name in ("fifty", "seventyfive", "fivefold")}
    columns["unclaimed_draws"] = games["unclaimed_draw"].fillna(False)
    frame = games[list(keys)].assign(games=1, **columns)
    return frame.groupby(list(keys), dropna=False).sum().reset_index()


def test_draw_rules(found: Statistics, games: pd.DataFrame) -> None:
    same(found.to_pandas("draw_rules_by_year"), draw_counts(games, "year"), ["year"])
    theirs = draw_counts(games, "event", "year")
    theirs = theirs[theirs.drop(columns=["event", "year", "games"]).sum(axis=1) > 0]
    same(found.to_pandas("draw_rules_by_event"), theirs, ["event", "year"])


DRAW_TABLES = ("moves_after_draws", "unclaimed_draws", "draw_rules_by_event", "draw_rules_by_year")


def test_repeated_games_count_once_among_draws_too() -> None:
    once = "".join(
        f'[Event "E"]\n[Round "{n}"]\n[Result "{result}"]\n\n{SHUFFLED} {result}\n\n'
        for n, result in enumerate(["1-0", "1/2-1/2"])
    )
    single, double = (Source.from_bytes((once * times).encode(), "draws.pgn") for times in (1, 2))
    for unique in (False, True):
        found = stats(double, tables=DRAW_TABLES, unique=unique)
        for name, table in stats(single, tables=DRAW_TABLES).items():
            if name in ("moves_after_draws", "unclaimed_draws"):
                assert 0 < table.num_rows == found[name].num_rows // (1 if unique else 2)
            elif name != "left_out":
                assert [row["games"] for row in found[name].to_pylist()] == [2 if unique else 4]
        left_out = {(row["statistic"], row["reason"]): row["games"] for row in found["left_out"].to_pylist()}
        for name in DRAW_TABLES:
            assert left_out[name, "counted"] == (2 if unique else 4)
            assert left_out.get((name, "repeated"), 0) == (2 if unique else 0)


@pytest.mark.parametrize(("begins", "side"), [("w - - 0 1", "white"), ("b - - 0 30", "black")])
def test_moves_of_draws_are_those_that_players_count(begins: str, side: str) -> None:
    """Eight moves to and fro: a position stands five times after ply 16 and three times after ply 8."""
    fen = f"4k1n1/8/8/8/8/8/4P3/4K1N1 {begins}"
    board = chess.Board(fen)
    ways = ["g1f3", "g8f6", "f3g1", "f6g8"] if side == "white" else ["g8f6", "g1f3", "f6g8", "f3g1"]
    moves = []
    for uci in [*ways * 4, "e1f1" if side == "white" else "e8f8"]:
        moves.append(f"{board.fullmove_number}{'.' if board.turn else '...'} {board.san(chess.Move.from_uci(uci))}")
        board.push_uci(uci)
    result = "0-1" if side == "white" else "1-0"
    text = f'[Date "2020.01.02"]\n[SetUp "1"]\n[FEN "{fen}"]\n[Result "{result}"]\n\n{" ".join(moves)} {result}\n'
    found = stats(Source.from_bytes(text.encode(), "a.pgn"), tables=DRAW_TABLES)
    (past,) = found["moves_after_draws"].to_pylist()
    replayed = chess.pgn.read_game(io.StringIO(text))
    assert replayed is not None
    boards = [node.board() for node in replayed.mainline()]
    last = boards[past["drawn_ply"] - 2]  # before the ply was made
    assert (past["drawn_move"], past["drawn_side"]) == (last.fullmove_number, "white" if last.turn else "black")
    for row in found["unclaimed_draws"].to_pylist():
        for end in ("first", "last"):
            claimed = boards[row[f"{end}_ply"] - 1]
            assert (row[f"{end}_move"], row["side"]) == (claimed.fullmove_number, "white" if claimed.turn else "black")
    assert found["unclaimed_draws"].num_rows == 1
    assert past["drawn_ply"] == 16


# -------------------------------------------------------------------------------------------------------------- players


def test_players(found: Statistics, scored: pd.DataFrame) -> None:
    sides = []
    for side, other in (("white", "black"), ("black", "white")):
        frame = pd.DataFrame(
            {
                "player": scored[side],
                "points": scored["points"] if side == "white" else 1 - scored["points"],
                "own": scored[f"{side}_elo"].astype("Float64").to_numpy(float, na_value=np.nan),
                "other": scored[f"{other}_elo"].astype("Float64").to_numpy(float, na_value=np.nan),
                "year": scored["year"],
                "title": scored[f"{side}_title"].str.strip().str.upper().replace({"": None, "?": None, "-": None}),
                "plies": scored["ply_count"].astype(float),
                "is_white": side == "white",
            }
        )
        sides.append(frame[~frame["player"].fillna("?").str.strip().isin(["", "?"])])
    rows = []
    everything = pd.concat(sides)
    for player, group in everything.groupby("player"):
        latest = group.dropna(subset="title").sort_values("year", kind="stable", na_position="first")
        rated = group[group["own"].notna() & group["other"].notna()]
        low, high = wilson(group["points"].mean(), len(group))
        rows.append(
            {
                "player": player,
                "title": latest.loc[latest["year"] == latest["year"].max(), "title"].max() if len(latest) else None,
                "games": len(group),
                "white_games": group["is_white"].sum(),
                "black_games": (~group["is_white"]).sum(),
                "won": (group["points"] == 1).sum(),
                "drawn": (group["points"] == 0.5).sum(),
                "lost": (group["points"] == 0).sum(),
                "points": group["points"].sum(),
                "score": group["points"].mean(),
                "score_low": low,
                "score_high": high,
                "white_score": group.loc[group["is_white"], "points"].mean(),
                "black_score": group.loc[~group["is_white"], "points"].mean(),
                "average_elo": group["own"].mean(),
                "highest_elo": group["own"].max(),
                "average_opponent": group["other"].mean(),
                "rated_games": len(rated),
                "rated_score": rated["points"].mean(),
                "expected_score": (1 / (1 + 10 ** ((rated["other"] - rated["own"]).astype(float) / 400))).mean(),
                "performance": perform(rated["other"], rated["points"]),
                "average_plies": group["plies"].mean(),
                "first_year": group["year"].min(),
                "last_year": group["year"].max(),
            }
        )
    same(
        found.to_pandas("players"),
        pd.DataFrame(rows).astype({"average_elo": "Float64", "highest_elo": "Float64", "average_opponent": "Float64"}),
        ["player"],
    )


# ---------------------------------------------------------------------------------------------------------------- games


@pytest.fixture(scope="module")
def tagged(games: pd.DataFrame) -> pd.DataFrame:
    """Each rating in a tag, with the median of the player and year."""
    sides = []
    for side in ("white", "black"):
        frame = games[(games["errors"] == 0) & games["year"].notna() & games[f"{side}_elo"].notna()]
        frame = frame[~frame[side].fillna("?").str.strip().isin(["", "?"])]
        frame = frame.rename(columns={side: "player", f"{side}_elo": "elo"})
        sides.append(frame[["player", "year", "elo", "source", "game_index", "line"]])
    both = pd.concat(sides)
    both["elo"] = both["elo"].astype(float)
    grouped = both.groupby(["player", "year"])["elo"]
    both["median"], both["games"] = grouped.transform("median"), grouped.transform("size")
    return both.assign(far=(both["elo"] - both["median"]).abs() >= 300)


def test_rating_tags(found: Statistics, tagged: pd.DataFrame) -> None:
    keys = ["player", "year"]
    theirs = tagged.groupby(keys).agg(
        lowest=("elo", "min"),
        median=("elo", "median"),
        highest=("elo", "max"),
        games=("elo", "size"),
        far_games=("far", "sum"),
    )
    first = tagged[tagged["far"]].sort_values(["source", "game_index"]).drop_duplicates(keys)
    first = first.rename(columns={"elo": "far_elo"})[[*keys, "far_elo", "source", "game_index", "line"]]
    ours = found.to_pandas("rating_tags")
    same(ours, theirs.reset_index().merge(first, on=keys, how="left"), keys)
    assert (ours["highest"] - ours["lowest"]).is_monotonic_decreasing


def test_a_rating_without_a_figure_is_found_and_no_upset() -> None:
    def game(n: int, elo: int) -> str:
        tags = {
            "Date": "1997.10.07",
            "Round": n,
            "White": "Shaked, Tal",
            "Black": "B",
            "Result": "1-0",
            "WhiteElo": elo,
            "BlackElo": 2625,
        }
        return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + "\n" + " ".join(MOVES) + " 1-0\n\n"

    MOVES = ["1. e4 e5", "2. Nf3 Nc6", "3. Bb5 a6", "4. Ba4 Nf6", "5. O-O Be7"]
    for elos, trusted in (([2500, 250, 2500], False), ([2500, 250], True)):
        text = "".join(game(n, elo) for n, elo in enumerate(elos))
        found = stats(Source.from_bytes(text.encode(), "a.pgn"), tables=["rating_tags", "remarkable_games"])
        row, _ = found["rating_tags"].to_pylist()
        assert (row["player"], row["lowest"], row["highest"], row["games"]) == ("Shaked, Tal", 250, 2500, len(elos))
        assert (row["far_games"], row["far_elo"]) == ((2, 2500) if trusted else (1, 250))
        upsets = [row["white_elo"] for row in found["remarkable_games"].to_pylist() if row["kind"] == "upset"]
        assert upsets == ([250, 2500] if trusted else [2500, 2500])


def test_remarkable_games(found: Statistics, games: pd.DataFrame, tagged: pd.DataFrame) -> None:
    valid = games[games["errors"] == 0]
    white = 1 / (1 + 10 ** ((valid["b"] - valid["w"]) / 400))
    points, plies = valid["points"], valid["ply_count"].astype(float)
    doubtful = tagged[tagged["far"] & (tagged["games"] >= 3)].set_index(["source", "game_index"]).index
    trusted = ~valid.set_index(["source", "game_index"]).index.isin(doubtful)
    won, played = points.isin([0, 1]), (valid["legal_ply_count"] >= 10) & trusted
    measures = {
        "upset": white.where(points == 1, 1 - white).where(won & played),
        "drawn_upset": white.where(white < 0.5, 1 - white).where((points == 0.5) & played),
        "longest": -plies,
        "shortest_won": plies.where(won & (plies > 0)),
        "shortest_mate": plies.where(valid["final_status"] == "checkmate"),
    }
    rows = []
    for kind, measure in measures.items():
        order = valid.assign(measure=measure).dropna(subset="measure").sort_values(["measure", "source", "game_index"])
        rows.append(order.head(20).assign(kind=kind, rank=range(1, min(20, len(order)) + 1)))
    theirs = pd.concat(rows)[["kind", "rank", "source", "game_index", "line", "white", "black", "white_elo", "ply_count"]]
    same(found.to_pandas("remarkable_games"), theirs.rename(columns={"ply_count": "plies"}), ["kind", "rank"])


# -------------------------------------------------------------------------------------------------------------- quality


def test_sources(found: Statistics, games: pd.DataFrame) -> None:
    def known(column: pd.Series) -> pd.Series:
        return ~column.fillna("").str.strip().isin(["", "?"])

    rows = []
    for source, group in games.groupby("source"):
        worth = np.select([group["errors"] > 0, group["warnings"] > 0], [0, 0.5], 1)
        rows.append(
            {
                "source": source,
                "games": len(group),
                "score": 100 * worth.mean(),
                "games_with_errors": (worth == 0).sum(),
                "games_with_warnings": (worth == 0.5).sum(),
                "clean_games": (worth == 1).sum(),
                "errors_per_1000_games": 1000 * group["errors"].sum() / len(group),
                "warnings_per_1000_games": 1000 * group["warnings"].sum() / len(group),
                "infos_per_1000_games": 1000 * group["infos"].sum() / len(group),
                "with_event": known(group["event"]).mean(),
                "with_date": group["date_value"].notna().mean(),
                "with_year": group["year"].notna().mean(),
                "with_names": (known(group["white"]) & known(group["black"])).mean(),
                "with_result": group["points"].notna().mean(),
                "with_ratings": group["w"].notna().mean(),
                "with_eco": group["eco"].str.match(r"[A-E]\d\d").fillna(False).mean(),
                "with_time_control": group.apply(time_class, axis=1).notna().mean(),
                "average_plies": group["ply_count"].astype(float).mean(),
                "first_year": group["year"].min(),
                "last_year": group["year"].max(),
            }
        )
    same(found.to_pandas("sources"), pd.DataFrame(rows), ["source"])


@pytest.mark.parametrize(("name", "key"), [("findings_by_source", "source"), ("findings_by_year", "year")])
def test_findings(found: Statistics, findings: pd.DataFrame, games: pd.DataFrame, name: str, key: str) -> None:
    keys = [key, "code", "severity"]
    findings = findings.assign(game=findings["game_index"].map(str).where(findings["game_index"].notna()) + findings["source"])
    theirs = findings.groupby(keys, dropna=False, observed=True).agg(
        findings=("code", "size"), games_concerned=("game", "nunique")
    )
    theirs = theirs.reset_index()
    counts = games[key].value_counts(dropna=False)
    theirs["games"] = [counts.get(value, counts[counts.index.isna()].sum() if pd.isna(value) else None) for value in theirs[key]]
    theirs["per_1000_games"] = 1000 * theirs["findings"] / theirs["games"]
    ours = found.to_pandas(name)
    same(ours, theirs, keys)
    assert ours["rule"].notna().all()


def test_findings_by_source_and_year(found: Statistics, findings: pd.DataFrame, games: pd.DataFrame) -> None:
    keys = ["source", "year", "code", "severity"]
    theirs = findings.groupby(keys, dropna=False, observed=True).agg(
        findings=("code", "size"), games_concerned=("game_index", "nunique")
    )
    of_both = games.groupby(["source", "year"], dropna=False, observed=True).size().rename("games").reset_index()
    theirs = theirs.reset_index().merge(of_both, on=["source", "year"], how="left")
    theirs["per_1000_games"] = 1000 * theirs["findings"] / theirs["games"]
    same(found.to_pandas("findings_by_source_and_year"), theirs, keys)


def test_every_statistic_is_worked_out_again_in_a_test() -> None:
    tests = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_stats_*.py")]
    assert [name for name in STATISTICS if not any(f'"{name}"' in text for text in tests)] == []
