"""Which man moves and which is taken, ply by ply, in small games."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from chesstools import Dataset, ingest
from chesstools.database import connect
from chesstools.source import Source
from chesstools.stats.blocks import Block, blocks
from chesstools.stats.counted import MOVES, chain, counted, make_games
from chesstools.stats.games import Games, rows_of_games
from chesstools.stats.replay import NOBODY, ORIGINS, replay
from chesstools.stats.statistic import Options


def block_of(pgn: bytes, folder: Path) -> Block:
    """All plies of some games, also of those with errors."""
    ingest(Source.from_bytes(pgn, "a.pgn"), folder)
    dataset, options = Dataset.open(folder), Options(include_invalid=True)
    with connect([dataset]) as connection:
        make_games(connection, options)
        games = Games(*rows_of_games(connection, counted(chain(MOVES, options))))
        (block,) = blocks(dataset.files("plies"), games)
    return block


def men(block: Block, place: int = 0) -> list[tuple[str | None, str | None]]:
    """By ply the man that moves and the man that is taken, in one game, by the squares they started on."""
    found = replay(block, np.arange(len(block.games)))
    plies = np.arange(1, block.lengths[place] + 1)
    at = found.at(np.full(len(plies), place), plies)
    names = [*ORIGINS, None]
    assert len(ORIGINS) == NOBODY
    return [(names[mover], names[taken]) for mover, taken in zip(found.mover[at], found.taken[at], strict=True)]


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("1. e4 Nf6 2. e5 d5 3. exd6 *", [("e2", None), ("g8", None), ("e2", None), ("d7", None), ("e2", "d7")]),
        (
            "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O O-O 5. Re1 Re8 *",
            [(man, None) for man in ("g1", "g8", "g2", "g7", "f1", "f8", "e1", "e8", "h1", "h8")],
        ),
        (
            "1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O O-O-O 6. Re1 Re8 *",
            [(man, None) for man in ("d2", "d7", "b1", "b8", "c1", "c8", "d1", "d8", "e1", "e8", "a1", "a8")],
        ),
        ("1. e4 -- 2. Ra1 *", [("e2", None), (None, None)]),
        (
            "1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 c6 5. bxa8=Q Qc7 6. Qxb8+ *",
            [
                *[("a2", None), ("b7", None), ("a2", "b7"), ("a7", None), ("a2", "a7"), ("c8", None), ("a2", "c8"), ("c7", None)],
                *[("a2", "a8"), ("d8", None), ("a2", "b8")],
            ],
        ),
    ],
)
def test_men_are_followed(moves: str, expected: list[tuple[str | None, str | None]], tmp_path: Path) -> None:
    block = block_of(f'[Event "x"]\n\n{moves}\n'.encode(), tmp_path)
    assert men(block)[: len(expected)] == expected
