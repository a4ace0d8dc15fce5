"""The report: what stands on the page, and the command that makes it."""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import chess
import pyarrow as pa
import pytest
from command_line import Cli, command
from datasets import pgn

import chesstools
from chesstools.database import connect
from chesstools.given import opened
from chesstools.report.boards import BEFORE, games_to_look_at
from chesstools.report.contents import WANTED
from chesstools.report.ends import MOST_ROWS
from chesstools.report.figures import WHY, Figures, Row
from chesstools.report.model import Board, Explanation, Plot, Table
from chesstools.report.theme import DARK, LIGHT
from chesstools.source import Source
from chesstools.stats.counted import REASONS
from chesstools.stats.registry import STATISTICS

ROOT = Path(__file__).resolve().parent.parent
MIXED = ROOT / "sample_data" / "games" / "generated_mixed.pgn"

ILLEGAL = '[Event "A"]\n[Date "2001.02.03"]\n[White "W"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Ke3 1-0\n'
BARE = "1. e4 e5 2. Nf3 Nc6 1/2-1/2\n"


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return command(capsys, "report")


def of(text: str, name: str = "a.pgn", **options: bool) -> chesstools.report.Report:  # type: ignore[name-defined]
    return chesstools.report(Source.from_bytes(text.encode(), name), **options)


def items(made: object, kind: type) -> list:  # type: ignore[type-arg]
    return [item for section in made.page.sections for item in section.items if isinstance(item, kind)]  # type: ignore[attr-defined]


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


def test_the_worst_games_come_with_their_place_and_the_rules_with_their_text() -> None:
    made = chesstools.report(MIXED)
    boards = items(made, Board)
    assert len(boards) == 12
    assert all(board.problems[0].severity == "error" for board in boards)
    codes = [board.problems[0].code for board in boards]
    assert len(set(codes)) == 12
    place = re.fullmatch(r".*generated_mixed\.pgn: game (\d+), line (\d+), byte (\d+)", boards[0].place)
    assert place is not None
    data = MIXED.read_bytes()
    assert data[int(place[3]) :].startswith(b"[")
    assert data[: int(place[3])].count(b"\n") + 1 == int(place[2])
    explained = {item.code: item for item in items(made, Explanation)}
    assert set(codes) <= set(explained)
    for code in codes:
        assert chesstools.rules.get_rule(code).why in explained[code].text
        assert f'id="rule-{code}"' in made.html


def test_a_board_shows_the_position_before_a_move_that_cannot_be_played() -> None:
    (board,) = items(of(ILLEGAL), Board)
    assert [step.text for step in board.steps] == ["Start position", "1. e4", "1... e5", "2. Ke3 ✗"]
    assert board.start == 3
    assert board.steps[3].men == board.steps[2].men == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"
    assert board.bad[3] == ["e3"]
    assert [problem.step for problem in board.problems if problem.code == "M303"] == [3]


@pytest.mark.parametrize(
    "text",
    [
        '[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 Qz9 *\n',
        '[Variant "Atomic"]\n\n1. Nf3 d5 2. Ne5 f6 3. Nxf6 *\n',
        '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n[SetUp "1"]\n\n1. e4 *\n',
        '[FEN "nonsense"]\n[SetUp "1"]\n\n1. e4 *\n',
        '[Variant "Hexagonal"]\n\n1. e4 z9 *\n',
        '[FEN "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"]\n[Variant "Chess960"]\n\n1. O-O Z *\n',
    ],
)
def test_games_of_any_kind_have_a_board(text: str) -> None:
    (board,) = items(of(text), Board)
    assert board.steps
    assert "<svg" in board.svg


def test_an_endless_game_does_not_fill_the_page() -> None:
    moves = "Nf3 Nf6 Ng1 Ng8 " * 1000
    made = of(f'[Result "1-0"]\n\n{moves} Qz9 1-0\n')
    (board,) = items(made, Board)
    assert len(board.steps) < 500
    assert board.steps[board.start].text.endswith("Qz9 ✗")
    assert len(board.steps) == BEFORE + 1


def test_no_more_of_a_bad_game_is_read_than_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = 0
    board_fen = chess.Board.board_fen

    def counted(self: chess.Board, **options: bool) -> str:
        nonlocal drawn
        drawn += 1
        return board_fen(self, **options)

    monkeypatch.setattr(chess.Board, "board_fen", counted)
    text = f'[Result "1-0"]\n\n{"Nf3 Nf6 Ng1 Ng8 " * 1000} Qz9 1-0\n'
    with opened(Source.from_bytes(text.encode(), "a.pgn")) as given, connect(given.datasets) as connection:
        (board,) = games_to_look_at(connection)
        ((findings,),) = connection.sql("SELECT count(*) FROM findings").fetchall()
    assert len(board.steps) == BEFORE + 1
    assert drawn <= BEFORE + 10
    assert board.steps[0].text == "1801. Nf3"
    assert board.more + len(board.problems) == findings


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


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_text_stands_out_from_what_it_stands_on(palette: Mapping[str, str]) -> None:
    """At least 4.5 to 1, as the Web Content Accessibility Guidelines (1.4.3) ask for."""

    def light(name: str) -> float:
        parts = [int(palette[name][at : at + 2], 16) / 255 for at in (1, 3, 5)]
        red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    pairs = [(text, on) for text in ("ink", "muted", "accent", "error", "warning", "info") for on in ("paper", "panel")]
    pairs += [("ink", box) for box in ("low2", "low1", "mid", "high1", "high2")]
    for text, on in pairs:
        lighter, darker = sorted((light(text), light(on)), reverse=True)
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5, (text, on)


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


# ------------------------------------------------------------------------------------------------------- the command


def test_the_command_writes_a_page_and_says_how_large_it_is(cli: Cli, here: Path) -> None:
    Path("a.pgn").write_text(pgn(0, 7))
    run = cli("a.pgn", "-o", "report.html", "--title", "Our <club>")
    assert (run.status, run.out) == (0, "")
    assert re.fullmatch(r"report\.html: \d\.\d MB; open it in any browser\.\n", run.err)
    assert "<title>Our &lt;club&gt;</title>" in Path("report.html").read_text()
    assert cli("a.pgn", "-o", "-", "--title", "Our <club>").out == Path("report.html").read_text()
    assert cli("a.pgn", "-o", "report.html.gz", "--title", "Our <club>", "-q").err == ""
    assert gzip.decompress(Path("report.html.gz").read_bytes()) == Path("report.html").read_bytes()


def test_pictures_are_written_for_every_plot(cli: Cli, here: Path) -> None:
    run = cli(MIXED, "-o", "report.html", "--png", "pictures")
    assert run.status == 0
    plots = chesstools.report(MIXED).page.plots
    assert len(plots) > 4
    assert {path.name for path in Path("pictures").iterdir()} == {f"{plot.id}{end}" for plot in plots for end in (".png", ".svg")}
    assert f"pictures: {2 * len(plots)} pictures." in run.err


def test_a_source_that_ends_too_early_is_told_and_the_rest_is_shown(cli: Cli, here: Path) -> None:
    Path("cut.pgn.gz").write_bytes(gzip.compress(pgn(0, 300).encode())[:-400])
    Path("b.pgn").write_text(pgn(7, 11))
    run = cli("cut.pgn.gz", "b.pgn", "-o", "report.html")
    assert run.status == 2
    assert "chesstools: cut.pgn.gz" in run.err
    assert "2 sources" in Path("report.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["a.pgn", "-o", "a.pgn"], "a.pgn is one of the sources; give --output another name."),
        (["a.pgn", "-o", "."], ". is a folder; give the name of a file."),
        (["a.pgn", "-o", "r.html", "--title", " "], "The title is empty; leave --title out to have the name of the source."),
        (["a.pgn", "-o", "r.html", "--png", "a.pgn"], "a.pgn is one of the sources; give --png another name."),
        (["a.pgn", "-o", "r.html", "--png", "b"], "b cannot be written (File exists); choose another place."),
    ],
)
def test_what_cannot_be_done_is_told_in_one_sentence(cli: Cli, here: Path, arguments: list[str], sentence: str) -> None:
    Path("a.pgn").write_text(BARE)
    Path("b").write_text("a file that is no source")
    run = cli(*arguments)
    assert run.status == 2
    assert run.err.splitlines()[-1] == f"chesstools: {sentence}"
    assert Path("a.pgn").read_text() == BARE


@pytest.mark.parametrize("package", ["altair", "jinja2", "vl_convert"])
def test_without_the_extra_one_sentence_names_it(cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    Path("a.pgn").write_text(BARE)
    monkeypatch.setitem(sys.modules, package, None)
    run = cli("a.pgn", "-o", "report.html")
    assert (run.status, run.out) == (2, "")
    assert run.err == "chesstools: A report needs a few more packages: pip install 'chesstools-pgn[report]'.\n"
    assert not Path("report.html").exists()


def test_tables_and_plots_have_names_of_their_own() -> None:
    made = chesstools.report(MIXED)
    tables = [*items(made, Table), *(plot.numbers for plot in items(made, Plot) if plot.numbers)]
    names = [item.id for item in [*tables, *items(made, Plot), *items(made, Board)]]
    assert len(names) == len(set(names))
    for plot in items(made, Plot):
        assert plot.alt
        assert plot.caption
        assert "  " not in plot.caption


# --------------------------------------------------------------------------------------------- captions of small archives


def captions(made: object) -> str:
    return " ".join(item.caption for item in [*items(made, Plot), *items(made, Table)])


@pytest.mark.parametrize("text", ["", BARE, ILLEGAL + BARE, "1. e4 e5 1-0\n\n1. d4 d5 1-0\n\n1. c4 *\n\n1. e4 c5 0-1\n"])
def test_nothing_is_drawn_and_nothing_claimed_of_a_handful_of_games(text: str) -> None:
    made = of(text)
    plots = {plot.id for plot in items(made, Plot)}
    assert not plots & {
        "first-moves",
        "times",
        "castling",
        "lengths",
        "outcomes-by-year",
        "findings-by-year",
        "end-reasons-by-year",
    }
    assert "The last column" not in captions(made)
    assert "has the most games" not in made.html


def test_bars_of_few_games_are_not_drawn_and_it_is_told() -> None:
    made = of("1. e4 e5 1-0\n\n" * 10 + "1. d4 d5 0-1\n\n" * 12 + "1. c4 c5 1-0\n")
    (plot,) = (plot for plot in items(made, Plot) if plot.id == "first-moves")
    assert "Bars of fewer than 10 games are not drawn. 23 games counted, none left out." in plot.caption
    (rows,) = plot.spec["datasets"].values()
    assert {row["first_move"] for row in rows} == {"d4", "e4"}
    assert [row["first_move"] for row in plot.numbers.rows] == ["d4", "e4", "c4"]


def test_a_blunder_is_what_the_statistic_counts() -> None:
    from chesstools.stats.evaluations import JUDGEMENTS

    there_and_back = "Nf3 {[%eval 0.2]} Nf6 {[%eval 0.3]} Ng1 {[%eval 0.2]} Ng8 {[%eval 0.1]} "
    moves = there_and_back * 3
    made = of(f'[Result "1/2-1/2"]\n\n{moves} 1/2-1/2\n\n' * 30, include_invalid=True)
    (plot,) = (plot for plot in items(made, Plot) if plot.id == "blunders")
    assert f"loses {JUDGEMENTS['blunders']:g} or more" in plot.caption


def test_repeats_are_told_and_count_once_if_that_is_asked_for() -> None:
    assert "2 games are repeats of earlier ones" in of(BARE * 3).page.lead
    assert "repeat" not in of(BARE).page.lead
    made = of(BARE * 3, unique=True)
    assert "repeats of earlier" not in made.html
    assert "1 game counted; left out: 2 games that stand there before." in made.html


def test_an_unfinished_game_is_called_so() -> None:
    assert "left out: 1 unfinished game (*)" in of(BARE + "1. e4 *\n").html


def test_places_are_told_as_players_say_them() -> None:
    (board,) = items(of(ILLEGAL), Board)
    assert board.problems[0].place.startswith("move 2 of White (ply 3), line 7")
    (board,) = items(of('[FEN "7k/8/8/8/8/8/8/KQ6 b - - 0 30"]\n[SetUp "1"]\n\n30... Kg8 31. Qb9 *\n'), Board)
    assert board.problems[0].place.startswith("move 31 of White (ply 2)")


def test_messages_tell_the_move_beside_the_ply() -> None:
    shuffles = "Kg8 31. Ka2 Kh8 32. Ka1 Kg8 33. Ka2 Kh8 34. Ka1"
    (board,) = items(of(f'[FEN "7k/8/8/8/8/8/8/KQ6 b - - 0 30"]\n[SetUp "1"]\n[Result "1-0"]\n\n30... {shuffles} 1-0\n'), Board)
    assert any("first after ply 7 (move 33 of Black)" in problem.message for problem in board.problems)
    (board,) = items(of("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 1-0\n"), Board)
    assert any("first after ply 7 (move 4 of White)" in problem.message for problem in board.problems)


def test_a_button_to_the_finding_is_there_where_a_move_has_one() -> None:
    assert "To the finding" in of(ILLEGAL).html
    assert items(of("1. e4 e5 1-0\n"), Board)
    assert "To the finding" not in of("1. e4 e5 1-0\n").html


def test_marks_of_errors_are_not_those_of_warnings() -> None:
    (board,) = items(of(ILLEGAL), Board)
    assert (board.bad, board.noted) == ({3: ["e3"]}, {})


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


def test_openings_players_and_games_to_tell_of_have_their_tables() -> None:
    game = '[White "%s"]\n[Black "%s"]\n[Result "%s"]\n[WhiteElo "%d"]\n[BlackElo "2000"]\n\n%s %s\n\n'
    mate = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#"
    sicilian = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6"
    games = [game % (f"P{number % 6}", f"Q{number % 6}", "0-1", 2000, sicilian, "0-1") for number in range(72)]
    made = of("".join([*games, game % ("Low", "High", "1-0", 1200, mate, "1-0")]))
    tables = {table.id: table for table in items(made, Table)}
    (mated,) = tables["remarkable-shortest-mate"].rows
    assert (mated["white"], mated["black"], mated["moves"], mated["place"]) == ("Low (1200)", "High (2000)", 4, "a.pgn, line 577")
    families = tables["families"].rows
    assert (families[0]["family"], families[0]["games"]) == ("Sicilian Defense", 72)
    assert families[0]["share"] == pytest.approx(72 / 73)
    best = tables["best-scores"]
    assert best.title == "Best scores (at least 10 games)"
    assert [row["player"][0] for row in best.rows] == ["Q"] * 6 + ["P"] * 6
    assert all(row["score_low"] <= row["score"] <= row["score_high"] for row in best.rows)


def test_jobs_are_heeded_while_counting(cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def noted(*arguments: Any, **options: Any) -> Any:
        asked.append(options.get("threads"))
        return connect(*arguments, **options)

    for module in ("chesstools.stats.run", "chesstools.report.contents"):
        monkeypatch.setattr(sys.modules[module], "connect", noted)
    Path("a.pgn").write_text(pgn(0, 7))
    assert cli("a.pgn", "-o", "report.html", "--jobs", "1").status == 0
    assert asked
    assert set(asked) == {1}


def test_no_more_rows_are_taken_out_than_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, set[object]] = {}
    rows = Figures.rows

    def noted(self: Figures, name: str, first: int | None = None, by: str | None = None) -> list[Row]:
        asked.setdefault(name, set()).add(first)
        return rows(self, name, first, by)

    monkeypatch.setattr(Figures, "rows", noted)
    chesstools.report(MIXED)
    for name in ("moves_after_draws", "draw_rules_by_event", "unclaimed_draws"):
        assert asked[name] == {MOST_ROWS}


def test_totals_are_sums_of_columns() -> None:
    figures = Figures(
        {"counts": pa.table({"games": [1, None, 3]}), "none": pa.table({"games": pa.array([], pa.int64())})}, games=4
    )
    assert [figures.total(name, "games") for name in ("counts", "none", "missing")] == [4, 0, 0]
