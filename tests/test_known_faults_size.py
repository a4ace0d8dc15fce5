"""Faults that real tools have with size: long games, comments, lists of glyphs and tags that take time by the square.

No test measures time. They count: calls of functions, and bytes that the lexer searches. Twice the input may cost twice as much.
The ids in the comments are those of the collected cases that a test stands for (see `test_shared_cases.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from long_games import come_back, game, tours

from chesstools.game import Game
from chesstools.reference import lexer
from chesstools.reference.lexer import Token
from chesstools.reference.window import Window
from chesstools.scan import games, scan
from chesstools.source import Source

BLOCK = 512
"""Small, so that what spans many blocks does so in a small test."""


def read(data: str | bytes, block_bytes: int = 1 << 20) -> list[Game]:
    return list(games(Source.from_bytes(data.encode() if isinstance(data, str) else data), block_bytes=block_bytes))


def sans(game: Game) -> list[str]:
    return [ply.san for ply in game.moves]


class Counted(bytearray):
    """Bytes that count how many of them are looked at by searches."""

    looked_at = 0

    def find(self, what: Any, start: Any = 0, end: Any = None) -> int:
        last = len(self) if end is None else min(end, len(self))
        found = super().find(what, start, last)
        Counted.looked_at += (last if found < 0 else found) - start
        return found


def work(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """What reading a text costs: calls of functions, and bytes searched.

    What a regular expression does within one search is not seen.
    """
    before = Window.__init__

    def counted(self: Window, *args: Any, **more: Any) -> None:
        before(self, *args, **more)
        self.data = Counted()

    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    Counted.looked_at = 0
    with monkeypatch.context() as patch:
        patch.setattr(Window, "__init__", counted)
        patch.setattr(Token, "__eq__", lambda one, other: tuple.__eq__(one, other))  # so that comparing tokens is a call
        sys.setprofile(count)
        try:
            read(text, BLOCK)
        finally:
            sys.setprofile(None)
    return calls, Counted.looked_at


def moves(count: int) -> str:
    return " ".join(["Nc3", "Nc6", "Nb1", "Nb8"][number % 4] for number in range(count))


GROWING: dict[str, Callable[[int], str]] = {
    "moves": lambda n: moves(n) + " *",  # BIG-02
    "a tour that is repeated": lambda n: game(tours(n)),
    "a position that comes back after others": lambda n: game(come_back(n, 20)),
    "lines of a comment": lambda n: "1. g3 {" + "so it goes\n" * n + "} g6 *",  # BIG-03
    "blank lines of a comment": lambda n: "1. g3 {" + " \r\n" * n + "} g6 *",
    "quoted tags in a comment": lambda n: "1. g3 {" + '\n\n[A "b"]\nor' * n + "} g6 *",
    "a comment that is never closed": lambda n: "1. g3 {" + "so it goes\n" * n,
    "comments that are never closed": lambda n: '1. g3 {a\n\n[Event "b"]\n[Site "c"]\n\n' * (n // 10),
    "opening braces": lambda n: "1. g3 {" + "{" * n,
    "glyphs": lambda n: "1. g3 " + "$14 " * n + "g6 *",  # BIG-04
    "comments": lambda n: "1. g3 " + "{a} " * n + "g6 *",  # BIG-04
    "tags": lambda n: "".join(f'[T{number} "v"]\n' for number in range(n)) + "\n1. g3 *",  # BIG-05
    "one tag again and again": lambda n: '[Event "v"]\n' * n + "\n1. g3 *",
    "a long value": lambda n: '[Event "' + "v" * min(n, 1 << 15) + '"]\n\n1. g3 *',
    "tags behind moves": lambda n: "1. g3 " + '[A "b"] ' * n + "* " + "x " * n,
    "opening brackets": lambda n: "1. g3 " + "(" * n,
    "closing brackets": lambda n: "1. g3 " + ")" * n,
    "variations": lambda n: "1. g3 " + "(1. b3) " * (n // 2) + "g6 *",
    "unknown words": lambda n: "1. g3 " + "soso " * n,
    "results": lambda n: "* " * n,
    "games": lambda n: "1. g3 *\n\n" * (n // 10),
    "prose": lambda n: "12 men went to mow\n\n" * n,
    "NULs": lambda n: "1. g3 " + "\0 " * n + "g6 *",
    "square brackets": lambda n: "[" * n + "\n" + '["' * n,
}


# BIG-02, BIG-03, BIG-04, BIG-05
@pytest.mark.parametrize("what", GROWING)
def test_twice_the_input_costs_twice_the_work(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make = GROWING[what]
    read(make(50), BLOCK)  # what is worked out once is not counted
    small, large = work(make(1000), monkeypatch), work(make(2000), monkeypatch)
    for less, more in zip(small, large, strict=True):
        assert more < 2.3 * less + 1000


# BIG-02
def test_game_of_thousands_of_moves_is_read_and_written_back() -> None:
    text = moves(6000)
    (game,) = read(text + " 1/2-1/2")
    assert sans(game) == text.split()
    written = str(game.to_chess())
    (again,) = read(written)
    assert (sans(again), again.result) == (sans(game), "1/2-1/2")


# BIG-02
def test_deep_variations_are_read_and_written_back() -> None:
    depth = 99
    text = "Nc3"
    for number in range(depth):
        # The first move of a line is what the one outside goes on with; a pawn's move ends that one.
        text += f" {'a6' if number % 2 == 0 else 'a3'} ({['Nf6', 'Nb1', 'Ng8', 'Nc3'][number % 4]}"
    (game,) = read(text + ")" * depth + " *")
    (again,) = read(str(game.to_chess()))
    for found in (game, again):
        line = found.facts.mainline
        for _ in range(depth):
            (line,) = line.plies[1].variations
        assert len(line.plies) == 1
        assert "M390" not in [finding.code for finding in found.findings]


# BIG-03
def test_comment_of_a_million_signs_is_read_whole() -> None:
    (game,) = read("1. g3 {" + "so it goes\n" * 100_000 + "} g6 *")
    assert sans(game) == ["g3", "g6"]
    assert len(game.moves[0].comments[0]) == 11 * 100_000 - 1


# BIG-03
def test_comment_over_the_limit_counts_as_never_closed_and_costs_one_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lexer, "MAX_COMMENT_BYTES", 1000)
    head = '[Event "Open"]\n\n'
    first, second = read(f'{head}1. g3 {{{"so it goes " * 200}}} g6 *\n\n[Event "Cup"]\n[White "Moe"]\n\n1. b3 *\n')
    assert sans(first) == ["g3"]
    assert "P102" in [finding.code for finding in first.findings]
    assert (second.tags["Event"], sans(second)) == ("Cup", ["b3"])


# BIG-04
def test_glyph_that_stands_again_and_again_is_kept_once() -> None:
    (game,) = read("1. g3 " + "$14 " * 20_000 + "$1 g6 *")
    assert [ply.nags for ply in game.moves] == [[14, 1], []]


# BIG-05
def test_tens_of_thousands_of_tags_are_all_kept() -> None:
    data = "".join(f'[T{number} "{number}"]\n' for number in range(20_000)) + "\n1. g3 *"
    (row,) = scan(Source.from_bytes(data.encode())).to_tables()["games"].to_pylist()
    assert row["legal_ply_count"] == 1
    assert (len(row["tags"]), row["tags"][-1]) == (20_000, ("T19999", "19999"))
