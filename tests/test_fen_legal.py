"""moves(), divide() and perft(): known counts, and the lists of python-chess."""

from __future__ import annotations

import chess
import pytest
from corpora import FOLDER, FULL, needs_corpus
from fen_lines import boards
from hypothesis import given

from chesstools.engines import why_not_native
from chesstools.errors import OptionError
from chesstools.fen import divide, moves, operations, perft
from chesstools.fen.reading import read_positions
from chesstools.source import find_sources

native = pytest.mark.skipif(why_not_native() is not None, reason="the native core is not here")
ENGINES = [pytest.param("native", marks=native), "reference"]

# Well known (chessprogramming.org and others): positions, and the counts from depth 1 on.
KNOWN = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": [20, 400, 8902, 197281, 4865609],
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": [48, 2039, 97862, 4085603],
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": [14, 191, 2812, 43238, 674624],
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": [6, 264, 9467, 422333],
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9": [21, 528, 12189, 326672],
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("fen", KNOWN)
def test_known_counts(fen: str, engine: str) -> None:
    most = 250_000 if engine == "reference" else 5_000_000
    for depth, count in enumerate(KNOWN[fen], 1):
        if count <= most // (1 if engine == "native" else 10):
            assert perft(fen, depth, engine=engine) == count


@native
@needs_corpus
def test_a_suite() -> None:
    (source,) = find_sources(FOLDER / "perft.epd.zst")
    lines = [line for part in read_positions(source) for line in part.lines.to_pylist()]
    assert len(lines) > 1000
    for line in lines[:: 5 if FULL else 25]:
        told = operations(line.replace("\0", ""))
        for depth in range(1, 7):
            count = int(told[f"D{depth}"])
            if count <= 500_000:
                assert perft(line.split(";")[0], depth) == count


@pytest.mark.parametrize("engine", ENGINES)
@given(board=boards())
def test_moves_are_those_of_python_chess(engine: str, board: chess.Board) -> None:
    fen = board.fen(en_passant="fen")
    assert moves(fen, engine=engine) == [board.san(move) for move in board.legal_moves]
    ucis = [board.uci(move) for move in board.legal_moves]
    assert moves([fen, "x", None], notation="uci", engine=engine) == [ucis, None, None]
    assert divide(fen, 1, engine=engine) == dict.fromkeys(ucis, 1)


@pytest.mark.parametrize("engine", ENGINES)
def test_refused(engine: str) -> None:
    for function in (lambda fen: moves(fen, engine=engine), lambda fen: perft(fen, 2, engine=engine)):
        with pytest.raises(OptionError, match="cannot be played: White has 0 kings"):
            function("4k3/8/8/8/8/8/8/8 w - - 0 1")
    with pytest.raises(OptionError, match="depth is 0; it must be 1 or more"):
        perft("4k3/8/8/8/8/8/8/4K3", 0, engine=engine)
    with pytest.raises(OptionError, match="notation is 'lan'; choose from san, uci"):
        moves([], notation="lan", engine=engine)
