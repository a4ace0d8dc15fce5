"""All that is wrong with a position, at once."""

from __future__ import annotations

import chess
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from chesstools.catalogue_text import translated
from chesstools.engines import why_not_native
from chesstools.errors import OptionError
from chesstools.fen import check_fen, playable
from chesstools.scan import scan
from chesstools.source import Source

ENGINES = ["reference", *(["native"] if why_not_native() is None else [])]

ARRAY = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


def found(fen: str, **options: bool) -> list[tuple[str, str]]:
    return [(problem.code, problem.severity.value) for problem in check_fen(fen, **options)]


def codes(fen: str) -> list[str]:
    return [code for code, _ in found(fen)]


@pytest.mark.parametrize(
    ("fen", "wanted"),
    [
        # Gijssen's examples of illegal positions (FIDE 3.10.3).
        ("4k3/8/8/8/3B4/2B5/PPPPPPPP/4K3 w - - 0 9", ["F207"]),
        ("4k3/8/8/8/8/8/P1P5/1B2K3 w - - 0 9", ["F214"]),
        ("4k3/4R3/8/8/8/8/4r3/4K3 w - - 0 9", ["F206"]),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 9", ["F204"]),
        # A bishop that never left its home has no twin.
        ("4k3/8/8/8/3B4/8/PPPPPPPP/4K3 w - - 0 9", ["F207"]),
        ("4k3/8/8/8/3B4/8/PPP1PPPP/4K3 w - - 0 9", []),
        ("4k3/pppppppp/8/3b4/8/8/8/4K3 w - - 0 9", ["F207"]),
        ("4k3/8/8/8/8/8/PPPPPPPP/2B1K3 w - - 0 9", []),
        # Everything at once, also where no game can be played.
        ("4k3/8/8/8/8/P7/P1P4P/PB2K2r w - - 90 9", ["F204", "F208", "F214"]),
        ("4k3/8/8/8/8/8/P1P5/1B6 w - - 90 9", ["F203", "F208", "F214"]),
    ],
)
def test_positions(fen: str, wanted: list[str]) -> None:
    assert sorted(codes(fen)) == sorted(wanted)


def test_rights_left_out_in_the_array() -> None:
    assert found(f"{ARRAY} w KQk - 0 1") == [("F209", "info")]
    assert check_fen(f"{ARRAY} b - - 0 1")[0].message == (
        "the castling rights of the FEN do not fit: all men stand as at the start of a game, but KQkq is left out; "
        "the position allows KQkq"
    )
    assert found(f"{ARRAY} w KQkq - 0 1") == []


# -------------------------------------------------------------------------------------------------------- double checks


@pytest.mark.parametrize(
    ("fen", "wanted"),
    [
        ("4k3/8/8/b7/7b/8/8/4K3 w - - 0 60", ["F213"]),  # two bishops
        ("4k3/8/8/8/7b/8/8/b3K3 w - - 0 60", []),  # one check only: a1 does not look at e1
        ("8/8/8/8/7b/8/3k4/q3K3 w - - 0 60", ["F206"]),
        ("4k3/8/5N2/8/8/8/8/4RK2 b - - 0 60", []),  # the knight left the file of the rook
        ("4k3/3N4/8/8/8/8/8/4RK2 b - - 0 60", []),  # no check by the knight
        ("4k3/8/2B5/8/8/8/8/K3R3 b - - 0 60", []),  # so did the bishop
        ("4k3/8/8/8/8/8/8/K3R2Q b - - 0 60", []),  # one check only
        ("4kR2/8/8/8/8/8/8/K3R3 b - - 0 60", []),  # e7xf8=R
        ("R3k3/8/8/8/8/8/8/K3R3 b - - 0 60", ["F213"]),
        ("3Qk3/8/8/8/8/8/8/K3R3 b - - 0 60", []),  # e7xd8=Q opened the file
        ("3Bk3/8/5K2/8/8/8/8/8 b - - 0 60", []),
        ("4k3/5P2/8/8/8/8/8/K3R3 b - - 0 60", []),  # e6xf7
        ("8/8/3P4/4k3/8/8/8/K7 b - - 0 60", []),
        ("8/4k3/3P4/8/1B6/8/8/K7 b - - 0 60", []),  # the pawn stands between
        ("8/4k3/3P4/8/7B/8/8/K3R3 b - - 0 60", ["F212"]),  # three
        ("8/4k3/3P4/8/8/8/8/K3R3 b - - 0 60", []),  # e5xd6, also en passant
        ("8/4k3/3P4/8/7B/8/8/K7 b - - 0 60", ["F213"]),  # neither c5 nor e5 nor d5 lies between h4 and e7
        ("3N4/8/4k3/8/2B5/8/8/K7 b - - 0 60", ["F213"]),
        ("3N4/5k2/8/8/2B5/8/8/K7 b - - 0 60", []),  # from e6
    ],
)
@pytest.mark.parametrize("mirrored", [False, True])
def test_double_checks(fen: str, wanted: list[str], mirrored: bool) -> None:
    board = chess.Board(fen)
    assert codes((board.mirror() if mirrored else board).fen()) == wanted


def test_what_gives_check_is_named() -> None:
    (problem,) = check_fen("4k3/8/8/b7/7b/8/8/4K3 w - - 0 60")
    assert problem.message == (
        "this double check can hardly have come from one move: the bishop on h4 and the bishop on a5 give check at once"
    )


@given(st.data())
def test_double_checks_that_were_played_are_not_reported(data: st.DataObject) -> None:
    squares = data.draw(st.lists(st.sampled_from(chess.SQUARES), min_size=5, max_size=12, unique=True))
    board = chess.Board(None)
    board.set_piece_at(squares[0], chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(squares[1], chess.Piece(chess.KING, chess.BLACK))
    for square in squares[2:]:
        role = data.draw(st.sampled_from([chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN]))
        if role != chess.PAWN or chess.BB_SQUARES[square] & ~chess.BB_BACKRANKS:
            board.set_piece_at(square, chess.Piece(role, data.draw(st.booleans())))
    assume(board.is_valid())
    for move in list(board.legal_moves):
        board.push(move)
        if chess.popcount(board.checkers_mask()) == 2:
            assert not {"F212", "F213"} & set(codes(board.fen()))
        board.pop()


# ------------------------------------------------------------------------------------------------------------- playable


def test_playable() -> None:
    assert playable("4k3/8/8/8/8/8/8/4K3").fen() == "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    assert playable("4k3/8/8/8/8/8/8/5KR1 w K - 0 1").chess960
    with pytest.raises(OptionError, match="cannot be played: White is in check but it is not their move"):
        playable("4k3/8/8/8/8/8/4r3/4K3 b - - 0 1")


@pytest.mark.parametrize("engine", ENGINES)
def test_one_of_something_is_told_in_the_singular(engine: str) -> None:
    for fen, reason in (
        ("4k3/8/8/8/8/8/8/4K3", "1 field instead of 6"),
        ("4k3/8/8/8/8/8/8/4K3 w -", "3 fields instead of 6"),
        ("k w - - 0 1", "1 rank instead of 8"),
        ("4k3/1/8/8/8/8/8/4K3 w - - 0 1", "rank 7 has 1 square instead of 8"),
        ("4k3/8/8/8/8/8/8/4K3 b - - 5 1", "the halfmove clock is 5 but only 1 ply can have been played"),
    ):
        data = f'[SetUp "1"]\n[FEN "{fen}"]\n\n*\n'.encode()
        rows = scan(Source.from_bytes(data), engine=engine).to_tables()["findings"].to_pylist()
        reasons = [dict(row["evidence"]).get("reason") for row in rows if row["evidence"]]
        assert reason in reasons
        assert translated(reason, "zh") != reason
