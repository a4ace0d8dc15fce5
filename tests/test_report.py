"""The report as a whole: which games it tells of, and that its numbers are those of the statistics."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from datasets import pgn
from report_parts import BARE, ILLEGAL, MIXED, items, of

import chesstools
from chesstools.report.contents import WANTED
from chesstools.report.figures import WHY
from chesstools.report.model import Board, Plot, Table
from chesstools.stats.counted import REASONS
from chesstools.stats.registry import STATISTICS


def test_every_statistic_that_is_asked_for_is_one() -> None:
    assert set(WANTED) <= set(STATISTICS)


def test_every_reason_to_leave_games_out_has_its_words() -> None:
    assert {reason for reason in REASONS if not reason.startswith("no ")} <= set(WHY)


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("", "There is no game in it."),
        ("no game at all", "There is no game in it."),
        (BARE, "1 game with 4 half-moves (plies). White won 0.0%, 100.0% were drawn, Black won 0.0%."),
        (ILLEGAL, "1 game with 2 half-moves (plies), played in 2001."),
        (
            ILLEGAL * 3,
            "3 games with 6 half-moves (plies), played in 2001. 2 games are repeats of earlier ones (the same names, date and "
            "moves) and count again; with --unique each game counts once.",
        ),
        ("1. e4 *\n", "1 game with 1 half-move (ply)."),
    ],
)
def test_little_or_nothing_is_a_page_too(text: str, lead: str) -> None:
    made = of(text)
    assert made.page.lead == lead
    assert made.html.startswith("<!doctype html>")
    assert made.html.rstrip().endswith("</html>")
    json.dumps([plot.spec for plot in made.page.plots], allow_nan=False)


def test_games_with_errors_are_left_out_unless_they_are_asked_for() -> None:
    assert "1 game counted; left out: 1 game with errors." in of(ILLEGAL + BARE).html
    assert "1 game counted; left out: 1 game without moves." in of('[Result "1-0"]\n\n1-0\n' + BARE).html
    assert "2 games counted, none left out." in of(ILLEGAL + BARE, include_invalid=True).html


def test_the_numbers_of_the_page_are_those_of_the_statistics(tmp_path: Path) -> None:
    chesstools.ingest(MIXED, tmp_path / "dataset")
    made = chesstools.report(tmp_path / "dataset")
    found = chesstools.stats(tmp_path / "dataset")
    tables = {table.id: table for table in items(made, Table)}
    tables |= {plot.numbers.id: plot.numbers for plot in items(made, Plot) if plot.numbers}
    for name, statistic, key, columns in (
        ("outcomes-by-year-numbers", "outcomes_by_year", "year", ("games", "white_share", "score", "score_low")),
        ("players-table", "players", "player", ("games", "won", "score", "performance")),
        ("ratings-numbers", "outcomes_by_rating", "rating_from", ("games", "draw_share", "score_high")),
        ("score-card", "sources", "source", ("games", "score", "errors_per_1000_games")),
    ):
        table = found[statistic].to_pandas().set_index(key)
        assert tables[name].rows
        for row in tables[name].rows:
            for column in columns:
                assert row[column] == table.loc[row[key], column] or (
                    row[column] is None and table.loc[[row[key]], column].isna().all()
                )
    known = found["draw_rules_by_year"].to_pylist()
    drawn = {plot.id: plot.spec["datasets"][plot.spec["data"]["name"]] for plot in made.page.plots if "mark" in plot.spec}
    assert sum(row["games"] for row in drawn["games-by-year"]) == sum(row["games"] for row in known if row["year"] is not None)
    reasons = drawn["end-reasons-by-year"]
    assert sum(row["games"] for row in reasons) == sum(found["end_reasons_by_year"].to_pydict()["games"])
    for year in {row["from_year"] for row in reasons}:
        assert sum(row["share"] for row in reasons if row["from_year"] == year) == pytest.approx(1)


def test_a_page_stays_small_however_many_names_there_are() -> None:
    back_and_forth = "Nf3 Nf6 Ng1 Ng8 " * 5
    games = "".join(
        f'[Event "{number}{"&" * 240}"]\n[Date "2020.01.02"]\n[White "{number}{"&" * 240}"]\n[Black "{number}b{"&" * 240}"]\n'
        f'[Result "1-0"]\n\n{back_and_forth} 1-0\n\n'
        for number in range(1000)
    )
    made = of(games, include_invalid=True)
    assert len(made.html.encode()) < 6_000_000
    events, players = (next(table for table in items(made, Table) if table.id == name) for name in ("events", "players-table"))
    assert (len(events.rows), events.total) == (300, 1000)
    assert (len(players.rows), players.total) == (400, 2000)
    assert "The first 400 of 2,000" in made.html


def test_the_same_games_give_the_same_page(tmp_path: Path) -> None:
    Path(tmp_path / "a.pgn").write_text(pgn(0, 30))
    first, second = (chesstools.report(tmp_path / "a.pgn").html for _ in range(2))
    assert first == second


def test_sources_and_datasets_go_together(tmp_path: Path) -> None:
    Path(tmp_path / "a.pgn").write_text(pgn(0, 7))
    Path(tmp_path / "b.pgn").write_text(pgn(7, 11))
    chesstools.ingest(tmp_path / "a.pgn", tmp_path / "dataset")
    both = chesstools.report([tmp_path / "dataset", tmp_path / "b.pgn"])
    assert both.page.title == "2 sources"
    assert both.page.lead.startswith("11 games")


def test_a_dataset_without_findings_and_plies_is_told_of(tmp_path: Path) -> None:
    Path(tmp_path / "a.pgn").write_text(ILLEGAL + BARE)
    chesstools.ingest(tmp_path / "a.pgn", tmp_path / "dataset", tables=["games"])
    made = chesstools.report(tmp_path / "dataset")
    assert "a dataset has no table plies" in made.html
    assert not items(made, Board)


def test_repeats_are_told_and_count_once_if_that_is_asked_for() -> None:
    assert "2 games are repeats of earlier ones" in of(BARE * 3).page.lead
    assert "repeat" not in of(BARE).page.lead
    made = of(BARE * 3, unique=True)
    assert "repeats of earlier" not in made.html
    assert "1 game counted; left out: 2 games that stand there before." in made.html


def test_an_unfinished_game_is_called_so() -> None:
    assert "left out: 1 unfinished game (*)" in of(BARE + "1. e4 *\n").html


def test_no_folder_of_the_machine_stands_on_the_page(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.pgn").write_text(ILLEGAL + BARE)
    (tmp_path / "b.pgn").write_text(BARE)
    made = chesstools.report([tmp_path / "one", tmp_path / "two", tmp_path / "b.pgn"])
    assert str(tmp_path) not in made.html
    (table,) = (table for table in items(made, Table) if table.id == "sources")
    assert {row["name"] for row in table.rows} == {"one/a.pgn", "two/a.pgn", "b.pgn"}


def test_a_folder_for_the_page_is_made(tmp_path: Path) -> None:
    of(BARE).save(tmp_path / "new" / "deep" / "page.html")
    assert (tmp_path / "new" / "deep" / "page.html").read_text().startswith("<!doctype html>")
