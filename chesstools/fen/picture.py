"""render() and render_png(): diagrams of positions. python-chess draws them."""

from __future__ import annotations

from collections.abc import Iterable

import chess
import chess.svg

from chesstools.errors import ChesstoolsError, OptionError
from chesstools.fen.problems import why_not_understood
from chesstools.reference.epd_line import split_line
from chesstools.reference.fen import read_fen

COLOURS = ("green", "red", "yellow", "blue")
"""Colours of arrows."""

SIZE = 400
MAX_SIZE = 8192

_FILL = "#cc0000aa"


def render(
    fen: str,
    *,
    last_move: str | None = None,
    arrows: Iterable[str] = (),
    squares: Iterable[str] = (),
    flipped: bool = False,
    coordinates: bool = True,
    size: int = SIZE,
    chess960: bool = False,
) -> str:
    """A diagram as SVG, `size` pixels wide and high. A king in check is marked.

    `last_move` (UCI, e2e4) colours two squares. `arrows` are such as ``e2e4``, or ``e2e4:red`` (green, red, yellow, blue); an
    arrow from a square to itself is a circle. `squares` (e4) are filled. `flipped` has Black below. Positions that cannot be
    played are drawn too, as long as the men can be read.

    >>> render("4k3/8/8/8/8/8/8/4K2R w K - 0 1", last_move="h2h1", arrows=["h1h8:red"])[:4]
    '<svg'

    Raises OptionError for men that cannot be read, and for squares, colours and sizes that are none.
    """
    if not 16 <= size <= MAX_SIZE:
        raise OptionError(f"size is {size}; it must be 16 to {MAX_SIZE} pixels.")
    board = _board(fen, chess960)
    move = None
    if last_move is not None:
        move = chess.Move(_square(last_move[:2], last_move), _square(last_move[2:4], last_move))
    return chess.svg.board(
        board,
        orientation=chess.BLACK if flipped else chess.WHITE,
        lastmove=move,
        check=board.king(board.turn) if board.is_check() else None,
        arrows=[_arrow(text) for text in arrows],
        fill={_square(name, name): _FILL for name in squares},
        size=size,
        coordinates=coordinates,
    )


def render_png(
    fen: str,
    *,
    last_move: str | None = None,
    arrows: Iterable[str] = (),
    squares: Iterable[str] = (),
    flipped: bool = False,
    coordinates: bool = True,
    size: int = SIZE,
    chess960: bool = False,
) -> bytes:
    """The same diagram as PNG. Needs the extra ``render`` (the package resvg-py); without it ChesstoolsError says so."""
    svg = render(
        fen,
        last_move=last_move,
        arrows=arrows,
        squares=squares,
        flipped=flipped,
        coordinates=coordinates,
        size=size,
        chess960=chess960,
    )
    try:
        import resvg_py
    except ImportError:
        raise ChesstoolsError(
            "PNG pictures need one more package: pip install 'chesstools-pgn[render]', or make an SVG."
        ) from None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size))


def _board(fen: str, chess960: bool) -> chess.Board:
    position = split_line(fen).position
    setup = read_fen(position, chess960=chess960)
    board = setup.board or setup.position
    if board is not None:
        return board
    board = chess.Board(None)
    try:
        board.set_board_fen(position.split()[0].replace("~", ""))
    except (ValueError, IndexError):
        raise OptionError(why_not_understood(fen, chess960=chess960)) from None
    return board


def _square(name: str, given: str) -> chess.Square:
    if name not in chess.SQUARE_NAMES:
        raise OptionError(f"{given!r} names no square of the board; write e4 for a square and e2e4 for a move or an arrow.")
    return chess.parse_square(name)


def _arrow(text: str) -> chess.svg.Arrow:
    squares, _, colour = text.partition(":")
    if colour and colour not in COLOURS:
        raise OptionError(f"{text!r} has an unknown colour; choose from {', '.join(COLOURS)}.")
    if len(squares) != 4:
        raise OptionError(f"{text!r} is no arrow; write e2e4, or e2e4:red.")
    return chess.svg.Arrow(_square(squares[:2], text), _square(squares[2:], text), color=colour or "green")
