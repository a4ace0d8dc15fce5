"""Whether a colour can still mate: known answers, lines that really mate, and the same from both engines."""

from __future__ import annotations

from random import Random

import chess
import pytest
from blocked import blocked_positions
from corpora import FOLDER, needs_corpus
from hypothesis import given
from hypothesis import strategies as st

import chesstools
from chesstools.engines import why_not_native
from chesstools.errors import OptionError
from chesstools.fen import playable
from chesstools.reference.winnable import quick
from chesstools.winnable import COLORS, Winnable, winnable

native = pytest.mark.skipif(why_not_native() is not None, reason="the native core is not here")


def check_line(fen: str, color: str, answer: Winnable) -> None:
    """The line of a yes is legal and ends in a mate by that colour."""
    board = chess.Board(fen)
    for san in answer.line:
        board.push_san(san)
    assert board.is_checkmate()
    assert board.turn != (color == "white")


KNOWN = [
    # Three games on Lichess in which time was up and a win was scored, although there was no mate left.
    ("8/p6p/5kp1/5pP1/5P1K/1r5P/8/8 b - - 0 1", "white", "no", "search"),
    ("7k/6pP/6P1/5K2/8/8/8/8 w - - 0 1", "black", "no", "search"),
    ("7r/2PR4/6pk/6q1/5P1K/r7/8/8 w - - 0 1", "black", "no", "forced"),
    # Forced moves only.
    ("8/2kr4/8/K7/8/8/8/8 w - - 0 1", "white", "no", "material"),
    ("7k/1qQ5/p4PPK/6PP/8/5P2/8/8 w - - 0 1", "black", "unknown", None),
    ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "black", "no", "material"),
    # A wall of pawns that nothing gets through.
    ("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1", "white", "no", "semi-static"),
    ("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1", "black", "no", "semi-static"),
    # The game is over.
    ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "white", "yes", "terminal"),
    ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "white", "no", "terminal"),
    ("7k/6Q1/6K1/8/8/8/1p6/8 b - - 0 1", "black", "no", "terminal"),
]


@pytest.mark.parametrize("engine", ["reference", pytest.param("native", marks=native)])
@pytest.mark.parametrize(("fen", "color", "answer", "method"), KNOWN)
def test_known(fen: str, color: str, answer: str, method: str | None, engine: str) -> None:
    found = winnable(fen, color, engine=engine)
    assert (found.answer, found.method) == (answer, method)


@native
def test_full_shows_a_mate() -> None:
    for fen in ("8/3B4/8/p5k1/P5P1/8/1b5p/7K w - - 0 1", "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1"):
        answer = winnable(fen, "white", mode="full")
        assert (answer.answer, answer.method) == ("yes", "mate")
        check_line(fen, "white", answer)


@native
def test_full_gives_up_at_its_limit() -> None:
    answer = winnable(chess.STARTING_FEN, "white", mode="full", nodes=3)
    assert answer == Winnable("unknown", None, (), 3)


@pytest.mark.parametrize(
    ("fen", "color", "options", "said"),
    [
        ("4k3/8/8/8/8/8/8/4K3", "red", {}, "color is 'red'; choose from white, black."),
        ("4k3/8/8/8/8/8/8/4K3", "white", {"mode": "slow"}, "mode is 'slow'; choose from quick, full."),
        ("8/8/8/8/8/8/8/4K3", "white", {}, "cannot be played: Black has 0 kings."),
        ("x", "white", {}, "cannot be played: 1 rank instead of 8"),
        ("4k3/8/8/8/8/8/8/4K3", "white", {"mode": "full", "engine": "reference"}, "The mode full needs the native core"),
    ],
)
def test_what_cannot_be_answered(fen: str, color: str, options: dict[str, str], said: str) -> None:
    with pytest.raises(OptionError, match=said.replace(".", r"\.")):
        winnable(fen, color, **options)  # type: ignore[arg-type]


def test_is_public() -> None:
    assert chesstools.winnable("4k3/8/8/8/8/8/8/4K3", "white").answer == "no"


# ------------------------------------------------------------------------------------------- positions with known answers


def vectors() -> list[tuple[str, str]]:
    """Which colours can mate, and the position."""
    lines = (FOLDER / "unwinnable.txt").read_text().splitlines()
    return [(line[:2], line[3:]) for line in lines]


@needs_corpus
@native
def test_both_engines_say_the_same_of_the_vectors() -> None:
    for _, fen in vectors():
        for color in COLORS:
            assert winnable(fen, color, engine="native") == winnable(fen, color, engine="reference"), (fen, color)


@needs_corpus
@native
def test_quick_on_the_vectors() -> None:
    proved = unwinnable = 0
    for can, fen in vectors():
        for color, letter in (("white", "W"), ("black", "B")):
            answer = winnable(fen, color)
            if answer.answer != "unknown":
                assert (answer.answer == "yes") == (letter in can), (fen, color)
            if answer.answer == "yes":
                check_line(chess.Board(playable_fen(fen)).fen(), color, answer)
            unwinnable += letter not in can
            proved += answer.answer == "no"
    assert unwinnable == 930
    assert proved >= 0.75 * unwinnable


def playable_fen(fen: str) -> str:
    return playable(fen).fen(en_passant="fen")


# -------------------------------------------------------------------------------------------------------- random positions


@native
@given(blocked_positions())
def test_both_engines_say_the_same(board: chess.Board) -> None:
    for color in COLORS:
        assert winnable(board.fen(), color, engine="native") == winnable(board.fen(), color, engine="reference")


@given(blocked_positions(), st.randoms(use_true_random=False))
def test_no_game_ends_in_a_mate_that_was_ruled_out(board: chess.Board, dice: Random) -> None:
    """Games at random, in which promotions and captures are liked, from positions in which a side cannot mate."""
    ruled_out = [side for side in chess.COLORS if quick(board, side).verdict == "no"]
    if not ruled_out:
        return
    for _ in range(3):
        game = board.copy(stack=False)
        for _ in range(60):
            moves = list(game.legal_moves)
            if not moves:
                break
            sharp = [move for move in moves if move.promotion or game.is_capture(move) or game.gives_check(move)]
            game.push(dice.choice(sharp if sharp and dice.random() < 0.4 else moves))
        if game.is_checkmate():
            assert (not game.turn) not in ruled_out, (board.fen(), game.fen())
