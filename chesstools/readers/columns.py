"""Which columns of a table are a game: our own games table, PGN text in one column, or a column for each tag.

A row becomes a record. What is null becomes no tag; a column that PGN has no place for is named as left behind.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from chesstools.errors import SourceError
from chesstools.readers.record import Record
from chesstools.readers.report import BadRecordError, Report, shown

PGN_COLUMNS = ("pgn", "PGN", "Pgn", "pgn_text", "game_pgn")
MOVES_COLUMNS = ("movetext", "Movetext", "moves", "Moves", "AN", "an")
FEN_COLUMNS = ("fen", "FEN", "Fen")
_TAG_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*", re.ASCII)
_COMMON = {
    "event": "Event",
    "site": "Site",
    "date": "Date",
    "round": "Round",
    "white": "White",
    "black": "Black",
    "result": "Result",
    "white_elo_text": "WhiteElo",
    "white_elo": "WhiteElo",
    "black_elo_text": "BlackElo",
    "black_elo": "BlackElo",
    "white_title": "WhiteTitle",
    "black_title": "BlackTitle",
    "eco": "ECO",
    "opening": "Opening",
    "variant": "Variant",
    "time_control": "TimeControl",
    "utc_date": "UTCDate",
    "utc_time": "UTCTime",
    "annotator": "Annotator",
    "termination": "Termination",
}
"""Names in small letters, as our games table has them. Of two columns for one tag the first counts."""

_SIGNED = {"WhiteRatingDiff", "BlackRatingDiff"}


class Plan:
    """What to do with the columns of one table."""

    def __init__(self, names: Sequence[str], name: str, report: Report) -> None:
        """Raises SourceError where no column holds moves or positions."""
        self._report = report
        self._tags: dict[str, str] = {}
        self.pgn = _first(PGN_COLUMNS, names)
        self.map = "tags" if "tags" in names else None
        self.moves = _first(MOVES_COLUMNS, names)
        self.fen = _first(FEN_COLUMNS, names)
        self.unread = "unread_tags" if "unread_tags" in names else None
        if self.pgn is None and self.moves is None and self.fen is None:
            seen = ", ".join(names[:8]) + (" …" if len(names) > 8 else "")
            raise SourceError(
                f"{name} has no column with games (pgn, movetext, moves or fen; it has {shown(seen)}); "
                "rename the one that holds them."
            )
        if self.pgn is None and self.map is None:
            taken = set[str]()
            for column in names:
                tag = column if _TAG_NAME.fullmatch(column) else _COMMON.get(column)
                if tag is not None and column not in (self.moves, self.fen) and tag not in taken:
                    taken.add(tag)
                    self._tags[column] = tag
        used = {self.pgn, self.map, self.moves, self.unread, *self._tags}
        used |= {self.fen} if self.pgn is None and self.map is None else set()
        self.columns = [column for column in names if column in used]
        # Beside a map of all tags, the other columns of our table games tell nothing that it does not.
        self._others = [] if self.map is not None else [column for column in names if column not in used]
        self._has_told = False

    def record(self, row: Mapping[str, Any], place: str) -> Record:
        """The record of one row. Raises BadRecordError where it has values of a wrong kind."""
        if not self._has_told:
            self._has_told = True
            for column in self._others:
                self._report.leave(f"column {shown(column)}")
        if self.pgn is not None:
            return Record(place, [], _text(row[self.pgn], self.pgn), is_pgn=True)
        if self.map is not None:
            tags = _pairs(row[self.map])
        else:
            tags = []
            for column, tag in self._tags.items():
                value = row[column]
                if value is not None and (text := tag_value(value, signed=tag in _SIGNED)) is not None:
                    tags.append((tag, text))
            if self.fen is not None and (fen := row[self.fen]) is not None and fen != "":
                tags += [("FEN", _text(fen, self.fen))] + ([] if any(name == "SetUp" for name, _ in tags) else [("SetUp", "1")])
        value = None if self.moves is None else row[self.moves]
        if isinstance(value, list):
            movetext = " ".join(_text(move, self.moves or "") for move in value)
        else:
            movetext = "" if value is None else _text(value, self.moves or "")
        lines = [_text(line, "unread_tags") for line in _json(row[self.unread]) or ()] if self.unread else []
        return Record(place, tags, movetext.strip(" \t\r\n\x0b\x0c"), unread_tags=lines)


def tag_value(value: Any, *, signed: bool = False) -> str | None:
    """A value as a tag writes it; None where there is none.

    >>> tag_value(datetime.date(2024, 5, 1)), tag_value(datetime.time(12, 0)), tag_value(2700.0), tag_value(8, signed=True)
    ('2024.05.01', '12:00:00', '2700', '+8')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y.%m.%d") if value.time() == datetime.time() else value.strftime("%Y.%m.%d %H:%M:%S")
    if isinstance(value, datetime.date):
        return f"{value.year:04}.{value.month:02}.{value.day:02}"
    if isinstance(value, datetime.time):
        return value.strftime("%H:%M:%S")
    if isinstance(value, float):
        if value != value:  # pandas writes "no value" so
            return None
        value = int(value) if value.is_integer() else value
    if isinstance(value, int | float | Decimal):
        return f"{value:+}" if signed else str(value)
    raise BadRecordError(f"has a value of a kind that no tag has ({type(value).__name__})")


def _text(value: Any, column: str) -> str:
    if value is None:
        return ""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if not isinstance(value, str):
        raise BadRecordError(f"has no text in the column {column}")
    return value


def _pairs(value: Any) -> list[tuple[str, str]]:
    """The tags of a row: a map, a list of pairs or of name and value, an object, or any of these as JSON text."""
    value = _json(value)
    if value is None:
        return []
    if isinstance(value, dict):
        value = [(name, text) for name, text in value.items() if text is not None]
    pairs = []
    for pair in value if isinstance(value, list | tuple) else ():
        if isinstance(pair, dict) and len(pair) == 2:
            pair = tuple(pair.values())
        if not isinstance(pair, list | tuple) or len(pair) != 2 or not isinstance(pair[0], str):
            raise BadRecordError("has tags that are no pairs of name and value")
        pairs.append((pair[0], _text(pair[1], "tags")))
    if not isinstance(value, list | tuple):
        raise BadRecordError("has tags that are no pairs of name and value")
    return pairs


def _json(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if not value.strip():
        return None
    try:
        return json.loads(value)
    except (ValueError, RecursionError) as error:
        raise BadRecordError(f"has tags that are no JSON ({shown(str(error))})") from None


def _first(wanted: Sequence[str], names: Sequence[str]) -> str | None:
    return next((name for name in wanted if name in names), None)
