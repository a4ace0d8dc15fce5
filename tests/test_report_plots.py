"""Plots and tables of a report: what is drawn of how many games, and what is told of it."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
import pytest
from report_parts import BARE, ILLEGAL, MIXED, items, of

import chesstools
from chesstools.report.ends import MOST_ROWS
from chesstools.report.figures import Figures, Row
from chesstools.report.model import Board, Plot, Table
from chesstools.report.theme import DARK, LIGHT


def captions(made: object) -> str:
    return " ".join(item.caption for item in [*items(made, Plot), *items(made, Table)])


def test_tables_and_plots_have_names_of_their_own() -> None:
    made = chesstools.report(MIXED)
    tables = [*items(made, Table), *(plot.numbers for plot in items(made, Plot) if plot.numbers)]
    names = [item.id for item in [*tables, *items(made, Plot), *items(made, Board)]]
    assert len(names) == len(set(names))
    for plot in items(made, Plot):
        assert plot.alt
        assert plot.caption
        assert "  " not in plot.caption


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


def test_totals_are_sums_of_columns() -> None:
    figures = Figures(
        {"counts": pa.table({"games": [1, None, 3]}), "none": pa.table({"games": pa.array([], pa.int64())})}, games=4
    )
    assert [figures.total(name, "games") for name in ("counts", "none", "missing")] == [4, 0, 0]


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
