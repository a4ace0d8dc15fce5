"""What has to add up among the statistics of moves, and between them."""

from __future__ import annotations

import chess
import pandas as pd
import pytest
from recomputed.archive import Archive
from recomputed.frames import TIME_CLASSES
from recomputed.men import lives


def test_the_small_archive_has_everything(small: Archive) -> None:
    games = small.frames.replayed
    steps = [step for game in games for step in game.steps]
    assert len(games) > 150
    assert len(lives(small.frames)) > 90
    assert {step.castling for step in steps} == {None, "kingside", "queenside"}
    assert any(step.before.is_en_passant(step.move) for step in steps)
    assert {step.move.promotion for step in steps if step.move.promotion} == {2, 3, 4, 5}
    assert any(game.row["rules"] == "chess960" for game in games)
    assert any(game.start.turn == chess.BLACK for game in games)
    assert any(game.last.is_checkmate() for game in games)
    assert max(len(game.steps) for game in games) > 600  # more moves than tables tell apart
    assert set(small.frames.scored["time_class"].dropna()) == set(TIME_CLASSES)
    assert small.frames.plies.loc[small.frames.plies["used_ms"].notna(), "time_class"].nunique() >= 5
    assert small.found["imbalances"].num_rows > 20


def test_pieces_and_squares(small: Archive) -> None:
    found, games = small.found, small.frames.replayed
    squares = found.to_pandas("piece_squares")
    plies = sum(len(game.steps) for game in games)
    assert squares["arrivals"].sum() == squares["departures"].sum() == plies
    pieces = found.to_pandas("piece_activity").set_index(["side", "role"])
    by_piece = squares.groupby(["side", "role"])
    assert (by_piece["arrival_share"].sum() - 1).abs().max() < 1e-9
    pd.testing.assert_series_equal(by_piece["arrivals"].sum().loc[pieces.index], pieces["moves"], check_names=False)
    assert pieces["moves_per_game"].sum() == pytest.approx(plies / len(games))
    assert (pieces.groupby("side")["move_share"].sum() - 1).abs().max() < 1e-9
    captures = found.to_pandas("captures")
    assert captures["captures"].sum() == squares["captured"].sum() == pieces["captures"].sum()
    assert (captures.groupby("side")["share"].sum() - 1).abs().max() < 1e-9
    assert captures["per_game"].sum() == pytest.approx(captures["captures"].sum() / len(games))


def test_men(small: Archive) -> None:
    men, pairs = small.found.to_pandas("survival"), small.found.to_pandas("captures_by_man")
    games = len(lives(small.frames))
    assert men["captured"].sum() == pairs["captures"].sum()
    assert men["survived"].sum() + men["captured"].sum() == 32 * games
    assert len(pairs) == 2 * 16 * 16
    assert len(small.found["survival_by_move"]) == 32 * max(one.last for one in lives(small.frames))


def test_kings(small: Archive) -> None:
    squares = small.found.to_pandas("king_squares")
    assert squares["last"].sum() == 2 * len(small.frames.replayed)
    assert squares["mated"].sum() == small.found.to_pandas("piece_activity")["mates"].sum()


def test_evaluations(small: Archive) -> None:
    sides = small.found.to_pandas("evaluation_losses").query("outcome == 'all'")
    ratings = small.found.to_pandas("evaluation_losses_by_rating")
    assert ratings["moves"].sum() == sides["moves"].sum() == small.found.to_pandas("evaluations_by_move")["moves"].sum()
    assert ratings["rating_from"].isna().sum() == 1
    positions = small.found.to_pandas("evaluation_scores")
    assert (positions["positions"] == positions["won"] + positions["drawn"] + positions["lost"]).all()


def test_as_many_games_have_times_clocks_and_evaluations_as_plies_tell(small: Archive) -> None:
    plies = small.frames.plies
    have = {
        "move_times": plies["used_ms"].notna(),
        "time_trouble": plies["clock_ms"].notna() & plies["time_base_s"].notna(),
        "evaluation_losses": plies["eval_cp"].notna() | plies["eval_mate"].notna(),
    }
    left_out = small.found.to_pandas("left_out").set_index(["statistic", "reason"])["games"]
    for name, mask in have.items():
        assert left_out[name, "counted"] == plies[mask].groupby(["source", "game_index"]).ngroups > 0
        assert left_out[name].sum() == small.dataset.summary.games
