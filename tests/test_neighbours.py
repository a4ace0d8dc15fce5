"""Games side by side: what is found in one does not depend on the others, nor on the line breaks of the file."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scanned import Rows, naive_line, rows
from strategies import archive, game_text

from chesstools.reference.engine import Position
from chesstools.reference.lexer import Kind, tokens
from chesstools.reference.segment import Segmenter
from chesstools.reference.window import Window
from chesstools.schema import TABLES


def moved(tables: Rows, by: Position) -> Rows:
    """The rows as they are if the text stands behind other text."""

    def move(row: dict[str, Any]) -> dict[str, Any]:
        row = dict(row)
        if row.get("game_index") is not None:
            row["game_index"] += by.game_index
        if "byte_offset" in row:
            row["byte_offset"] += by.byte_offset
            row["line"] += by.line - 1
        return row

    return {name: [move(row) for row in found] for name, found in tables.items()}


def stands_alone(data: bytes) -> bool:
    """Whether a text is complete: one more game behind it, with tags and a blank line before, cannot be taken for part of it.

    It must hold no comment whose end may be looked for in what follows, and end with a game that has its result, so that the
    blank line behind it is the end of that game.
    """
    if any(token.kind in (Kind.OPEN_COMMENT, Kind.INNER_BRACE_COMMENT) for token in tokens(data)):
        return False
    found = list(Segmenter(Window([data])))
    return bool(found) and found[-1].is_game and found[-1].terminator == len(found[-1].tokens) - 1


LAST_GAME = b'\n\n[Event "last"]\n[Site "?"]\n\n1. e4 *\n\n'


def begins_with_tags(data: bytes) -> bool:
    """Whether a text begins with a well-formed tag line, so that a game begins there whatever stands before it."""
    return re.match(rb'\[[A-Za-z0-9_]+ "[^"\\\r\n]*"\][\r\n]', data) is not None


@given(archive(closed=True, max_games=2), archive(max_games=2))
@settings(max_examples=settings().max_examples // 2)
def test_files_joined_are_results_joined(first: bytes, second: bytes) -> None:
    """The separator that this needs: the first file ends with a finished game and a blank line, the second begins with a tag."""
    first = first + LAST_GAME
    second = b'[Event "second"]\n' + second
    assume(stands_alone(first))
    assert begins_with_tags(second)
    one, counts = rows(first)
    other, more = rows(second)
    place = Position(len(first), naive_line(first, len(first)), counts.games)
    shifted = moved(other, place)
    both, together = rows(first + second)
    for name in TABLES:
        assert both[name] == one[name] + shifted[name]
    counts.merge(more)
    assert together == counts


@given(game_text(closed=True), archive(broken=False, max_games=1), archive(broken=False, max_games=1))
@settings(max_examples=settings().max_examples // 2)
def test_a_game_is_judged_without_regard_to_its_neighbours(text: bytes, before: bytes, after: bytes) -> None:
    """Broken as it may be: what is found in a game between good ones is what is found in it alone."""
    text = b'[Event "alone"]\n' + text + LAST_GAME
    before = before + LAST_GAME
    assume(stands_alone(text) and stands_alone(before))
    alone, counts = rows(text)
    around, _ = rows(before + text + b'[Event "after"]\n' + after)
    place = Position(len(before), naive_line(before, len(before)), rows(before)[1].games)
    expected = moved(alone, place)
    first, last = place.game_index, place.game_index + counts.games
    for name in ("games", "plies"):
        assert [row for row in around[name] if first <= row["game_index"] < last] == expected[name]
    begin, end = len(before), len(before) + len(text)
    assert [row for row in around["findings"] if begin <= row["byte_offset"] < end] == expected["findings"]


@given(archive(), st.sampled_from([b"\r\n", b"\r"]))
def test_line_breaks_of_other_systems_change_nothing(data: bytes, line_break: bytes) -> None:
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    one, _ = rows(data)
    other, _ = rows(data.replace(b"\n", line_break))
    for mine, theirs in zip(one["findings"], other["findings"], strict=True):
        for column in ("game_index", "code", "severity", "line", "ply", "variation", "fen_before"):
            assert mine[column] == theirs[column]
    for column in ("tags", "ply_count", "final_fen", "result_value", "codes", "moves_hash", "comment"):
        assert [game[column] for game in one["games"]] == [game[column] for game in other["games"]]
