"""FENs that no game can be played from: they cannot be read, or there are no two kings, or the king could be taken.

The moves behind them are kept and counted, and nobody judges them.
"""

from __future__ import annotations

from collections.abc import Callable

import chess

from generator import starts
from generator.faults import WITH_POSITIONS, Maker, kind
from generator.play import Play
from generator.positions import impossible, unplayable
from generator.score import Sheet, Tag
from generator.styles import Draft

Edit = Callable[[Maker, chess.Board], None]


def put_fen(sheet: Sheet, fen: str) -> Tag:
    """Write another text into the FEN tag that is there; returns the tag."""
    tag = sheet.tag("FEN")
    assert tag is not None
    tag.value = fen
    return tag


def _hopeless(maker: Maker, code: str, change: Callable[[chess.Board], str | None]) -> Sheet | None:
    """A game whose moves nobody can judge. White is to move and the move number is 1, so that the numbers are plain."""
    board = starts.midgame(maker.rng, 2 * maker.rng.randrange(3, 12))
    board.castling_rights = chess.BB_EMPTY
    board.halfmove_clock, board.fullmove_number = 0, 1
    play = maker.from_board(board, maker.rng.randrange(6, maker.length + 6))
    fen = change(board.copy())
    if fen is None or not len(play):
        return None
    draft = Draft(Play(board), list(play.sans), 0, play.result, play.result, plain=True)
    sheet = maker.write(draft)
    sheet.add(code, "error", None, put_fen(sheet, fen), fen)
    sheet.add("M390", "info", 1, sheet.move(1), f"plies not judged: {len(play)}")
    return sheet


@kind("fen-syntax", "F201", WITH_POSITIONS)
def fen_syntax(maker: Maker) -> Sheet | None:
    """Ranks that are too long, too short or missing, letters that stand for nothing, no side to move."""

    def change(board: chess.Board) -> str:
        placement, rest = board.fen().split(" ", 1)
        ranks = placement.split("/")
        at = maker.rng.randrange(8)
        way = maker.rng.randrange(5)
        if way == 0:
            del ranks[at]
        elif way == 1:
            ranks[at] = "9"
        elif way == 2:
            ranks[at] = "pppp"
        elif way == 3:
            ranks[at] = "4x3"
        else:
            rest = "x" + rest[1:]
        return "/".join(ranks) + " " + rest

    return _hopeless(maker, "F201", change)


def _hopeless_edit(maker: Maker, code: str, edit: Edit) -> Sheet | None:
    def change(board: chess.Board) -> str | None:
        for _ in range(60):
            other = board.copy()
            edit(maker, other)
            if unplayable(other) | impossible(other) == {code}:
                return other.fen()
        return None

    return _hopeless(maker, code, change)


@kind("fen-kings", "F203", WITH_POSITIONS)
def fen_kings(maker: Maker) -> Sheet | None:
    """A side without a king, or with two."""

    def edit(maker: Maker, board: chess.Board) -> None:
        colour = maker.rng.random() < 0.5
        if maker.rng.random() < 0.5:
            king = board.king(colour)
            assert king is not None
            board.remove_piece_at(king)
        else:
            knights = list(board.pieces(chess.KNIGHT, colour))
            if knights:
                board.set_piece_at(maker.rng.choice(knights), chess.Piece(chess.KING, colour))

    return _hopeless_edit(maker, "F203", edit)


@kind("fen-pawn-rank", "F204", WITH_POSITIONS)
def fen_pawn_rank(maker: Maker) -> Sheet | None:
    """A pawn on the last rank that was not promoted."""

    def edit(maker: Maker, board: chess.Board) -> None:
        colour = maker.rng.random() < 0.5
        pawn = maker.rng.choice(list(board.pieces(chess.PAWN, colour)) or [chess.E4])
        target = chess.square(chess.square_file(pawn), 7 if colour else 0)
        if not board.piece_at(target):
            board.remove_piece_at(pawn)
            board.set_piece_at(target, chess.Piece(chess.PAWN, colour))

    return _hopeless_edit(maker, "F204", edit)


@kind("fen-opposite-check", "F206", WITH_POSITIONS)
def fen_opposite_check(maker: Maker) -> Sheet | None:
    """Black is in check, and it is White's move."""

    def edit(maker: Maker, board: chess.Board) -> None:
        man = maker.rng.choice(list(board.pieces(chess.KNIGHT, chess.WHITE) | board.pieces(chess.ROOK, chess.WHITE)) or [0])
        piece = board.remove_piece_at(man)
        target = maker.rng.randrange(64)
        if piece and not board.piece_at(target):
            board.set_piece_at(target, piece)

    return _hopeless_edit(maker, "F206", edit)
