"""Ratings in tags: a slip of the pen is found, and makes no upset."""

from __future__ import annotations

from chesstools.source import Source
from chesstools.stats import stats


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
