"""A game of a Lichess NDJSON export that has no PGN in it: tags and moves from its fields, and nothing that they do not state.

The tags are those, with the spelling, that Lichess itself gives such a game in PGN. What has no place there (analysis in words,
division, whether it was rated) is counted as left behind.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from chesstools.readers.record import Record
from chesstools.readers.report import BadRecordError, Report

_VARIANTS = {
    "standard": "Standard",
    "chess960": "Chess960",
    "fromPosition": "From Position",
    "crazyhouse": "Crazyhouse",
    "antichess": "Antichess",
    "atomic": "Atomic",
    "horde": "Horde",
    "kingOfTheHill": "King of the Hill",
    "racingKings": "Racing Kings",
    "threeCheck": "Three-check",
}
_TERMINATIONS = {
    **dict.fromkeys(("mate", "resign", "stalemate", "draw", "variantEnd"), "Normal"),
    **dict.fromkeys(("outoftime", "timeout"), "Time forfeit"),
    **dict.fromkeys(("aborted", "noStart"), "Abandoned"),
    "cheat": "Rules infraction",
}
_USED = {"id", "variant", "createdAt", "status", "players", "initialFen", "winner", "opening", "moves", "clocks", "clock"}
_DERIVED = {"lastMoveAt", "speed", "perf", "source", "fullId", "lastMove", "lastFen"}
"""Fields that other fields tell as well, or that are no part of the game."""


def lichess_record(game: dict[str, Any], place: str, report: Report) -> Record:
    """The record of one game. Raises BadRecordError where a field has a shape that the exports do not have."""
    moves = game.get("moves", "")
    if not isinstance(moves, str):
        raise BadRecordError("is no game of a Lichess export (moves is no text)")
    tags: list[tuple[str, str]] = []

    def add(name: str, value: Any) -> None:
        if value is not None and value != "":
            tags.append((name, str(value)))

    game_id = game.get("id")
    add("Site", f"https://lichess.org/{game_id}" if isinstance(game_id, str) else None)
    when = _time(game.get("createdAt"))
    add("Date", when and when.strftime("%Y.%m.%d"))
    sides = {side: _object(_object(game, "players"), side) for side in ("white", "black")}
    for side, player in sides.items():
        add(side.capitalize(), _name(player))
    result = _result(game)
    add("Result", result)
    add("UTCDate", when and when.strftime("%Y.%m.%d"))
    add("UTCTime", when and when.strftime("%H:%M:%S"))
    for key, ending in (("rating", "Elo"), ("ratingDiff", "RatingDiff"), ("title", "Title")):
        for side, player in sides.items():
            value = _object(player, "user").get("title") if key == "title" else _number(player, key)
            add(side.capitalize() + ending, f"{value:+d}" if key == "ratingDiff" and value is not None else value)
    variant = game.get("variant")
    add("Variant", _VARIANTS.get(variant, variant) if isinstance(variant, str) else None)
    add("TimeControl", _time_control(game))
    opening = _object(game, "opening")
    add("ECO", opening.get("eco"))
    add("Opening", opening.get("name"))
    status = game.get("status")
    add("Termination", _TERMINATIONS.get(status) if isinstance(status, str) else None)
    if (fen := game.get("initialFen")) and isinstance(fen, str) and fen != "startpos":
        add("FEN", fen)
        add("SetUp", "1")
    for field in game.keys() - _USED - _DERIVED:
        report.leave(f"field {field}")
    return Record(place, tags, _movetext(moves, game, result))


def _movetext(moves: str, game: dict[str, Any], result: str | None) -> str:
    clocks = game.get("clocks")
    fen = game.get("initialFen")
    black = isinstance(fen, str) and fen.split()[1:2] == ["b"]
    parts = []
    for number, move in enumerate(moves.split()):
        ply = number + black
        if ply % 2 == 0:
            parts.append(f"{ply // 2 + 1}.")
        elif number == 0 or isinstance(clocks, list):
            parts.append(f"{ply // 2 + 1}...")
        parts.append(move)
        if isinstance(clocks, list) and number < len(clocks) and isinstance(clocks[number], int) and clocks[number] >= 0:
            parts.append(f"{{ [%clk {_clock(clocks[number])}] }}")
    if result is not None:
        parts.append(result)
    return " ".join(parts)


def _clock(centis: int) -> str:
    """``0:02:59.15`` for 17915: exact, and without a fraction where there is none.

    >>> _clock(18000), _clock(17915)
    ('0:03:00', '0:02:59.15')
    """
    seconds, fraction = divmod(centis, 100)
    text = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{fraction:02}".rstrip("0") if fraction else text


def _result(game: dict[str, Any]) -> str | None:
    """From winner and status; None where the export states neither."""
    winner, status = game.get("winner"), game.get("status")
    if winner in ("white", "black"):
        return "1-0" if winner == "white" else "0-1"
    if status in ("draw", "stalemate"):
        return "1/2-1/2"
    if status in ("created", "started", "aborted", "noStart", "unknownFinish"):
        return "*"
    # Without a winner these were drawn: the other side could not have won.
    return "1/2-1/2" if status in ("outoftime", "timeout", "variantEnd", "insufficientMaterialClaim") else None


def _name(player: dict[str, Any]) -> str | None:
    user = _object(player, "user")
    if (name := user.get("name") or user.get("id") or player.get("name")) is not None:
        return str(name)
    return f"lichess AI level {level}" if (level := player.get("aiLevel")) is not None else None


def _time_control(game: dict[str, Any]) -> str | None:
    clock = _object(game, "clock")
    initial, increment = _number(clock, "initial"), _number(clock, "increment")
    if initial is not None and increment is not None:
        return f"{initial}+{increment}"
    return "-" if game.get("speed") == "correspondence" else None


def _time(millis: Any) -> datetime | None:
    if not isinstance(millis, int) or isinstance(millis, bool):
        return None
    try:
        return datetime.fromtimestamp(millis / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        raise BadRecordError("is no game of a Lichess export (createdAt is no time)") from None


def _number(node: dict[str, Any], key: str) -> int | None:
    value = node.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _object(node: dict[str, Any], key: str) -> dict[str, Any]:
    value = node.get(key)
    if value is not None and not isinstance(value, dict):
        raise BadRecordError(f"is no game of a Lichess export ({key} is no object)")
    return value or {}
