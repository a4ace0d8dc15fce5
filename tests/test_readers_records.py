"""Records become PGN text: each one game with its exact tags, whatever it holds and whatever stands beside it."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chesstools.errors import SourceError
from chesstools.game import Game, read_games
from chesstools.profile_choice import read_choice
from chesstools.readers.record import Record, to_pgn
from chesstools.readers.report import Report
from chesstools.source import Source

CHOICE = read_choice("auto", None)
NAMES = ["Event", "White", "Black", "FEN", "Result", "Event", "odd-name", "Ünï", "x" * 40]
PIECES = [
    *(
        "1.",
        "e4",
        "e5",
        "2. Nf3",
        "Ke3",
        "*",
        "1-0",
        "0-1",
        "½-½",
        "{",
        "}",
        "(",
        ")",
        "{c}",
        "{a { b }",
        ";",
        "%",
        "$1",
        "!",
        "--",
    ),
    *(
        "\n",
        "\n\n",
        " ",
        '[Event "evil"]',
        '\n[Event "evil"]\n',
        '\n\n[Event "a"]\n[White "b"]\n[Black "c"]\n\n1. d4 *',
        "[",
        "]",
    ),
    *(
        '[White "',
        "\0",
        "\ufeff",
        "\u00a0",
        "[%clk 0:01:00]",
        "0-0",
        "garbage",
        "1. d4 d5 1-0",
        "\r",
        "\r\n\r\n",
        "\u2028",
        "e7e8q",
    ),
]
values = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["", '"', "\\", "a\\", '\\"', "]", "a\nb", "1-0"]
)
movetexts = st.lists(st.sampled_from(PIECES), max_size=8).map(lambda parts: " ".join(parts)) | st.lists(
    st.sampled_from(PIECES), max_size=8
).map("".join)
records = st.builds(
    lambda tags, movetext: Record("row", tags, movetext),
    st.lists(st.tuples(st.sampled_from(NAMES), values), max_size=4),
    movetexts,
)


def read(games: list[Record]) -> tuple[list[Game], Report]:
    report = Report("test")
    text = b"".join(to_pgn(games, report))
    return list(read_games([Source.from_bytes(text)], choice=CHOICE)), report


def on_one_line(value: str) -> str:
    return re.sub(r"[ \t]*(?:\r\n|\n|\r)[ \t\r\n]*", " ", value)


@given(st.lists(records, max_size=4))
@example([Record("row", [], "1. e4"), Record("row", [], "1. d4")])
@example([Record("row", [("White", "a")], ""), Record("row", [("Black", "b")], "")])
@example([Record("row", [], "{open"), Record("row", [("White", "x")], "1. e4 {closed} *")])
@example([Record("row", [], ""), Record("row", [], "")])
@settings(max_examples=400, deadline=None)
def test_each_record_is_one_game_with_its_tags(games: list[Record]) -> None:
    found, _ = read(games)
    assert [game.tag_pairs for game in found] == [[(name, on_one_line(value)) for name, value in record.tags] for record in games]


def test_plain_games_are_written_as_they_are() -> None:
    report = Report("test")
    games = [Record("row 1", [("White", 'A "B" \\')], "1. e4 e5 {c} 1-0"), Record("row 2", [("White", "x")], "1. d4")]
    assert b"".join(to_pgn(games, report)) == b'[White "A \\"B\\" \\\\"]\n\n1. e4 e5 {c} 1-0\n\n[White "x"]\n\n1. d4\n'
    assert not report.notes


def test_a_second_game_in_movetext_is_kept_as_a_comment() -> None:
    (game, other), report = read(
        [
            Record("row 1", [("White", "x")], '1. e4 *\n\n[White "evil"]\n\n1. d4 1-0'),
            Record("row 2", [("White", "y")], "1. c4 *"),
        ]
    )
    assert game.tag_pairs == [("White", "x")]
    assert [move.san for move in game.moves] == ["e4"]
    assert game.result == "*"
    assert "evil" in game.movetext
    assert "1. d4 1-0" in game.movetext
    assert [move.san for move in other.moves] == ["c4"]
    assert {note.split(": ")[0] for note in report.notes} == {
        "tag pairs in the movetext that are no tags of the record are kept as comments",
        "what stands behind the first game of a record is kept as a comment",
    }


def test_tags_of_the_record_that_stand_in_its_movetext_are_not_doubled() -> None:
    (game,), report = read([Record("row 1", [("White", "x"), ("Black", "y")], '{before}\n[White "x"]\n[Black "y"]\n\n1. e4 *')])
    assert game.tag_pairs == [("White", "x"), ("Black", "y")]
    assert [move.san for move in game.moves] == ["e4"]
    assert not report.notes


def test_a_game_without_a_result_stays_so_where_tags_part_it_from_the_next() -> None:
    games, report = read([Record("row 1", [("White", "x")], "1. e4"), Record("row 2", [("White", "y")], "1. d4")])
    assert [game.result for game in games] == [None, None]
    assert not report.notes


def test_what_no_tag_can_hold_is_told() -> None:
    (game,), report = read([Record("row 1", [("a b", "x"), ("White", "a\n b"), ("Black", "z" * 70_000)], "1. e4 *")])
    assert game.tag_pairs == [("White", "a b")]
    assert report.notes == [
        "tag pairs left out that are longer than 64 KB: 1 (first: row 1)",
        "tag pairs left out whose name PGN cannot hold, such as 'a b': 1 (first: row 1)",
        "tag values with a line break have a blank in its place: 1 (first: row 1)",
    ]


def test_pgn_records() -> None:
    texts = ["1. e4 {open", '[White "x"]\n\n1. d4 *', "", '[White "y"]\n\n1. e4 *\n\n[White "z"]\n\n1. c4 *']
    report = Report("test")
    records = [Record(f"row {number}", [], text, is_pgn=True) for number, text in enumerate(texts, 1)]
    blocks = []
    with pytest.raises(
        SourceError, match=r"^test: 1 record could not be read \(in row 3 holds no game\); all others were read\.$"
    ):
        blocks.extend(to_pgn(records, report))
    games = list(read_games([Source.from_bytes(b"".join(blocks))], choice=CHOICE))
    assert [[move.san for move in game.moves] for game in games] == [["e4"], ["d4"], ["e4"], ["c4"]]
    assert [game.tags.get("White") for game in games] == [None, "x", "y", "z"]


def test_an_error_of_the_source_comes_behind_its_games() -> None:
    def games():  # type: ignore[no-untyped-def]
        yield Record("row 1", [("White", "x")], "1. e4 *")
        raise SourceError("It broke.")

    blocks = to_pgn(games(), Report("test"))
    assert next(blocks) == b'[White "x"]\n\n1. e4 *\n'
    with pytest.raises(SourceError, match="It broke"):
        next(blocks)


def test_lines_that_are_no_tags_come_back_once() -> None:
    record = Record("row 1", [("White", "x")], '{before}\n[White "x"]\n[]\n\n1. e4 *', unread_tags=["[]"])
    (game,), report = read([record])
    assert game.tree.unread_tags == ["[]"]
    assert game.tag_pairs == [("White", "x")]
    assert not report.notes
