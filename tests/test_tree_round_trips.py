"""Game trees to PGN, to JSON and to python-chess, and back: the same trees, and what is written again is the same text."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
import strategies
import tree_strategies
from corpora import ARCHIVES, FOLDER, FULL, needs_corpus
from exported import WAYS, difference
from hypothesis import example, given, settings
from hypothesis import strategies as st
from trees import as_written, check_round_trip, trees

from chesstools.convert import convert
from chesstools.engines import why_not_native
from chesstools.errors import SourceError
from chesstools.scan import games
from chesstools.source import Source, find_sources
from chesstools.tree import GameTree

WIDTHS = st.one_of(st.sampled_from([0, 80]), st.integers(1, 200))
MUCH = settings(max_examples=3000 if FULL else 80)


# ------------------------------------------------------------------------------------------------- PGN


@MUCH
@given(st.lists(tree_strategies.trees(), min_size=1, max_size=3), WIDTHS)
def test_trees_come_back_from_pgn(made: list[GameTree], width: int) -> None:
    check_round_trip(made, line_width=width)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


@MUCH
@given(st.one_of(strategies.soup(60), strategies.archive(), strategies.damaged()).filter(_is_utf8), WIDTHS)
@example(b"4 ()  1-0\n", 0)  # no tags, and a variation first
@example(b"e4 e4 ({)  1-0\n", 0)  # an open comment in an open bracket
@example(b'1. e4 [A\n"v"] e5 *', 80)  # no tag pair, but it would be one on a line of its own
@example(b"1. e4 Nf9 (= 1-0", 80)
@example(b"1. e4 *\n1.;c\ne5", 80)  # behind the end, and with the comment in braces it would be a game
def test_games_of_any_text_come_back(data: bytes, width: int) -> None:
    try:
        found = trees(data)
    except SourceError:
        return
    check_round_trip(found, line_width=width)


@pytest.mark.parametrize(
    "data",
    [
        b'[White "M\xfcller"]\n\n1. e4 \xb1 {\x84gut\x93} e5 (1... c5 \xb1 2. Nf9 \xd6) 1\x960 \xc4',
        b"1. e4 {\x81} e5 \xbd-\xbd",  # Latin-1, as Windows-1252 has no such sign
        b"1. e4 {\xff} e5 \xc2\xbd-\xc2\xbd",  # a marker in UTF-8 all the same
        b"1. e4 {\xff} e5 1\x970",
    ],
)
def test_games_in_other_encodings_come_back(data: bytes) -> None:
    text = check_round_trip(trees(data))
    assert trees(text)[0].rest is None
    assert len(trees(text)[0].moves) == 2


@MUCH
@given(tree_strategies.trees(), st.integers(1, 200))
def test_no_line_is_too_long_that_can_be_broken(tree: GameTree, width: int) -> None:
    text = tree.to_pgn(line_width=width)
    whole = tree.to_pgn(line_width=0)
    movetext = text[text.index("\n\n") + 2 :] if tree.tags else text
    for line in movetext.split("\n"):
        assert line == line.strip(" ") or ";" in line
        if len(line) > width and " " in line and ";" not in line and "[" not in line and "%" not in line and "]" not in line:
            # What is left are words with more than one blank between.
            assert any(blanks in line for blanks in ("  ", "\t", " \x0b", " \x0c", "\x0b ", "\x0c "))
    assert trees(text) == trees(whole)


@needs_corpus
@pytest.mark.parametrize("name", ARCHIVES)
def test_games_of_archives_come_back(name: str) -> None:
    found = games(find_sources(_archive(name)))
    most = None if FULL else 40
    batch: list[GameTree] = []
    for number, game in enumerate(found):
        if number == most:
            break
        batch.append(game.tree)
        if len(batch) == 200:
            check_round_trip(batch)
            check_json(batch)
            batch = []
    check_round_trip(batch)
    check_json(batch)


def _archive(name: str) -> str:
    return str(next(FOLDER.glob(f"{name}.pgn*")))


@pytest.mark.skipif(why_not_native() is not None, reason="the native core is not here")
@MUCH
@given(st.lists(tree_strategies.trees(), min_size=1, max_size=3), st.sampled_from(WAYS))
def test_both_engines_write_the_same(made: list[GameTree], way: tuple[str, dict[str, Any]]) -> None:
    form, options = way
    assert difference("".join(tree.to_pgn() for tree in made).encode(), form, **options) is None


# ------------------------------------------------------------------------------------------------ JSON


def check_json(made: list[GameTree]) -> None:
    """Trees to JSON and back."""
    lines = [tree.to_json() for tree in made]
    assert all("\n" not in line for line in lines)
    again = [GameTree.from_json(line) for line in lines]
    assert again == made
    assert [tree.to_json() for tree in again] == lines


@MUCH
@given(tree_strategies.trees())
def test_trees_come_back_from_json(tree: GameTree) -> None:
    check_json([tree])


@MUCH
@given(strategies.archive().filter(_is_utf8))
def test_games_of_any_text_are_json(data: bytes) -> None:
    check_json(trees(data))


@MUCH
@given(st.lists(tree_strategies.trees(), min_size=1, max_size=3))
def test_trees_come_back_from_json_lines_files(made: list[GameTree]) -> None:
    # Where nothing else parts two games, one without a marker gets one, and is told.
    made = [as_written(tree) for tree in made]
    data = "".join(tree.to_json() + "\n" for tree in made).encode()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "out.jsonl"
        conversion = convert(Source.from_bytes(data, "in.jsonl"), place, source_format="json")
        written = place.read_text(encoding="utf-8")
    assert not conversion.notes
    assert [GameTree.from_json(line) for line in written.split("\n")[:-1]] == made
