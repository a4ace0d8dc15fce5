"""The search for a mate, where it is known who can mate: never wrong, and nearly all that cannot be won is proved."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from corpora import FOLDER, needs_corpus
from test_winnable import check_line

from chesstools.engines import why_not_native
from chesstools.fen import playable
from chesstools.winnable import Winnable, winnable

pytestmark = [
    needs_corpus,
    pytest.mark.skipif(why_not_native() is not None, reason="the native core is not here"),
]

NODES_TO_PROVE = 60_000
NODES_TO_MATE = 1_500

Query = tuple[str, str]
"""A position and a colour."""


def queries(can: bool) -> list[Query]:
    """Those with the answer yes, or no."""
    lines = (FOLDER / "unwinnable.txt").read_text().splitlines()
    colors = (("white", "W"), ("black", "B"))
    return [(line[3:], color) for line in lines for color, letter in colors if (letter in line[:2]) == can]


def answers(asked: list[Query], nodes: int) -> list[Winnable]:
    """The core works without Python's lock."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda query: winnable(*query, mode="full", nodes=nodes), asked))


def test_what_cannot_be_won_is_proved() -> None:
    asked = queries(can=False)
    found = answers(asked, NODES_TO_PROVE)
    assert not [query for query, answer in zip(asked, found, strict=True) if answer.answer == "yes"]
    assert sum(answer.answer == "no" for answer in found) >= 0.97 * len(asked)


def test_what_can_be_won_is_never_denied_and_lines_mate() -> None:
    asked = queries(can=True)
    found = answers(asked, NODES_TO_MATE)
    assert not [query for query, answer in zip(asked, found, strict=True) if answer.answer == "no"]
    shown = [(query, answer) for query, answer in zip(asked, found, strict=True) if answer.answer == "yes"]
    assert len(shown) >= 0.6 * len(asked)
    for (fen, color), answer in shown:
        check_line(playable(fen).fen(en_passant="fen"), color, answer)
