"""key(), sameness() and dedupe(): positions are the same if FIDE 9.2.3 says so."""

from __future__ import annotations

import chess
import pytest
from fen_lines import boards
from hypothesis import given
from hypothesis import strategies as st
from walks import random_walk

from chesstools.errors import OptionError
from chesstools.fen import dedupe, key, sameness
from chesstools.scan import scan
from chesstools.source import Source


@given(boards(), st.integers(0, 99), st.integers(1, 400))
def test_counters_do_not_count(board: chess.Board, halfmove: int, fullmove: int) -> None:
    other = board.copy()
    other.halfmove_clock, other.fullmove_number = halfmove, fullmove
    fens = [board.fen(en_passant="fen"), other.fen(en_passant="legal")]
    assert len({*key(fens)}) == len({*sameness(fens)}) == 1
    assert dedupe(fens) == fens[:1]
    assert dedupe(fens, by="text") == [*dict.fromkeys(fens)]
    assert sameness(fens[0]) == " ".join(board.fen().split()[:4])


@given(st.integers(0, 10_000))
def test_positions_are_told_apart_as_python_chess_does(seed: int) -> None:
    board, moves = random_walk(seed, 60)
    fens, wanted = [], []
    for move in moves:
        board.push(move)
        fens.append(board.fen(en_passant="fen"))
        wanted.append(board._transposition_key())
    first = {identity: at for at, identity in reversed([*enumerate(wanted)])}
    for told in (key(fens), sameness(fens)):
        assert [told.index(one) for one in told] == [first[identity] for identity in wanted]
    assert dedupe(fens) == [fens[at] for at in sorted(first.values())]


def test_keys_are_those_of_plies() -> None:
    pgn = b"1. e4 d5 2. e5 f5 3. Nf3 Nc6 4. Bb5 Bd7 5. O-O *"
    table = scan(Source.from_bytes(pgn), tables=["plies"]).to_tables()["plies"]
    board = chess.Board()
    fens = []
    for san in table["san"].to_pylist():
        board.push_san(san)
        fens.append(board.fen(en_passant="fen"))
    assert key(fens) == table["position_key"].to_pylist()


def test_what_is_not_understood() -> None:
    assert key(["x", None]) == sameness(["x", None]) == [None, None]
    assert dedupe(["x", " x ", None, "y", None, "x y"]) == ["x", None, "y", None, "x y"]
    for function in (key, sameness):
        with pytest.raises(OptionError, match="The position 'x' cannot be read"):
            function("x")
    with pytest.raises(OptionError, match="by is 'both'; choose from position, text"):
        dedupe([], by="both")
    with pytest.raises(OptionError, match="A single position has no duplicates"):
        dedupe("x")


def test_a_text_is_no_position() -> None:
    """What is told by its text cannot be taken for a position that has the same text."""
    told = "4k3/8/8/8/8/8/8/4K3 w - -"
    assert sameness(told) == told
    assert dedupe([f"{told} 0 1", f"{told} x y", told]) == [f"{told} 0 1", f"{told} x y"]
