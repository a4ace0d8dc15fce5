"""JSON of any of the three kinds, told apart value by value: our game trees, chess.com's API, Lichess's exports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from chesstools.compression import Feed
from chesstools.readers.json_values import json_values
from chesstools.readers.lichess_game import lichess_record
from chesstools.readers.record import Record
from chesstools.readers.report import BadRecordError, Report
from chesstools.readers.tree_text import tree_record
from chesstools.source import Source

_OURS = {"source", "game_index", "tags", "unread_tags", "start_fen", "before", "moves", "rest", "result", "behind"}


def read_json(source: Source, feed: Feed, report: Report) -> Iterator[Record]:
    """One record for each game. A value that is no game is reported and left out."""
    for item in json_values(feed, report):
        value = item.value
        numbered = [(item.place, value)]
        if isinstance(value, dict) and "pgn" not in value and isinstance(games := value.get("games"), list):
            numbered = [(f"game {number} of {item.place}", game) for number, game in enumerate(games, 1)]
        for place, game in numbered:
            try:
                yield json_record(game, place, report)
            except BadRecordError as error:
                report.skip(place, str(error))


def json_record(game: Any, place: str, report: Report) -> Record:
    """The record of one JSON value. Raises BadRecordError where it is no game."""
    if not isinstance(game, dict):
        raise BadRecordError("is no game (a JSON object is wanted)")
    pgn = game.get("pgn")
    if isinstance(pgn, str) and pgn.strip():
        return Record(place, [], pgn, is_pgn=True)
    if isinstance(game.get("moves"), list) or ("tags" in game and "players" not in game):
        for name in game.keys() - _OURS:
            report.leave(f"field {name}")
        return tree_record(game, place)
    if "moves" in game or ("players" in game and "status" in game):
        return lichess_record(game, place, report)
    raise BadRecordError("is no game (it has neither pgn nor moves)")
