"""The FEN of chosen positions of a block: made from the sums of `Boards`, without playing the games one by one.

As everywhere in the tables, the en passant square is there only where a capture on it is legal, and castling rights are written
as in X-FEN.
"""

from __future__ import annotations

import re

import chess
import numpy as np

from chesstools.search.block import NONE, Numbers
from chesstools.search.boards import KING, PAWN, Boards, squares_of

_LETTERS = b"PNBRQKpnbrqk"
_EMPTY = re.compile(r"\.+")


def fens(boards: Boards, rows: Numbers, halfmove_clocks: Numbers) -> list[str]:
    """The FEN of the positions at `rows`; `halfmove_clocks` are as in the table plies, and not looked at for start positions."""
    block = boards.block
    games, plies = block.game_of(rows), block.ply_of(rows)
    placements = _placements(boards, rows)
    black = boards.black_to_move()[rows]
    rights = _rights(boards, rows)
    double = _double_steps(boards, rows)
    found = []
    for at, (game, ply) in enumerate(zip(games.tolist(), plies.tolist(), strict=True)):
        start = block.starts[game]
        if ply == 0:
            found.append(start.fen(en_passant="legal"))
            continue
        turn = "b" if black[at] else "w"
        castling = _castling(placements[at], int(rights[at]), chess960=start.chess960)
        passing = "-"
        if double[at]:
            square = chess.SQUARE_NAMES[int(block["to_square"][rows[at]]) + (-8 if black[at] else 8)]
            if chess.Board(f"{placements[at]} {turn} - {square} 0 1").has_legal_en_passant():
                passing = square
        number = start.fullmove_number + (ply + (start.turn == chess.BLACK)) // 2
        found.append(f"{placements[at]} {turn} {castling} {passing} {int(halfmove_clocks[at])} {number}")
    return found


def same(boards: Boards, rows: Numbers, position: chess.Board) -> Numbers:
    """Whether the positions at `rows` are this one (FIDE 9.2.3), for each."""
    found = boards.black_to_move()[rows] == (position.turn == chess.BLACK)
    for color in range(2):
        for role in range(6):
            found &= boards.men(color, role)[rows] == np.uint64(squares_of(position, color, role))
    found &= _rights(boards, rows) == np.uint64(position.clean_castling_rights())
    passing = _passing(position)
    ways = np.array([NONE if (square := _passing(board)) is None else square for board in boards.block.starts], dtype=np.uint8)
    starts = boards.block.ply_of(rows) == 0
    # The men being the same, a pawn that has just made a double step can be taken here if it can be in the other position.
    double = _double_steps(boards, rows)
    if passing is None:
        legal = position.copy(stack=False)
        for at in np.flatnonzero(found & double):
            legal.ep_square = int(boards.block["to_square"][rows[at]]) + (-8 if position.turn == chess.BLACK else 8)
            found[at] = not legal.has_legal_en_passant()
    else:
        to = boards.block["to_square"][rows].astype(np.int64) + (-8 if position.turn == chess.BLACK else 8)
        found &= starts | (double & (to == passing))
    at_start = NONE if passing is None else passing
    return np.asarray(np.where(starts, found & (ways[boards.block.game_of(rows)] == at_start), found))


def _passing(board: chess.Board) -> int | None:
    return board.ep_square if board.has_legal_en_passant() else None


def _placements(boards: Boards, rows: Numbers) -> list[str]:
    """The first field."""
    squares = np.full((len(rows), 64), ord("."), dtype=np.uint8)
    for code, letter in enumerate(_LETTERS):
        men = boards.men(code // 6, code % 6)[rows]
        bits = np.unpackbits(men.astype("<u8").view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
        squares[bits.view(bool)] = letter
    ranks = np.full((len(rows), 8, 9), ord("/"), dtype=np.uint8)
    ranks[:, :, :8] = squares.reshape(-1, 8, 8)[:, ::-1]
    text = ranks.tobytes().decode("ascii")
    return [_EMPTY.sub(_run, text[at : at + 71]) for at in range(0, len(text), 72)]


def _run(empty: re.Match[str]) -> str:
    return str(len(empty[0]))


def _rights(boards: Boards, rows: Numbers) -> Numbers:
    """The squares of the rooks that may still castle: those whose squares no move has touched, while their king has not moved."""
    block = boards.block
    kept = np.zeros(len(rows), dtype=np.uint64)
    game = block.game_of(rows)
    clean = np.array([board.clean_castling_rights() for board in block.starts], dtype=np.uint64)
    for square in chess.scan_forward(int(np.bitwise_or.reduce(clean))):
        has = (clean >> np.uint64(square)) & np.uint64(1)
        king = (block["role"] == KING) & (block["side"] == (square >= 32))
        touched = np.cumsum(king | (block["from_square"] == square) | (block["to_square"] == square))
        since = touched[rows] - touched[block.first[game]]
        kept |= np.where((has[game] != 0) & (since == 0), np.uint64(1 << square), np.uint64(0))
    return kept


def _castling(placement: str, rights: int, *, chess960: bool) -> str:
    """The third field."""
    if not rights:
        return "-"
    if not chess960:
        return "".join(sign for sign, square in zip("KQkq", (7, 0, 63, 56), strict=True) if rights >> square & 1)
    board = chess.Board(f"{placement} w - - 0 1", chess960=True)
    board.castling_rights = rights
    return board.castling_xfen()


def _double_steps(boards: Boards, rows: Numbers) -> Numbers:
    """Whether the move before was the double step of a pawn beside one of the opponent."""
    block = boards.block
    to, came = block["to_square"][rows].astype(np.int64), block["from_square"][rows].astype(np.int64)
    found = (block["role"][rows] == PAWN) & (np.abs(to - came) == 16)
    for color in range(2):
        mine = found & (block["side"][rows] == color)
        enemy = boards.men(1 - color, PAWN)[rows]
        beside = np.zeros(len(rows), dtype=bool)
        for step, edge in ((-1, 0), (1, 7)):
            square = np.where(mine & (to % 8 != edge), to + step, 0).astype(np.uint64)
            beside |= mine & (to % 8 != edge) & ((enemy >> square) & np.uint64(1) != 0)
        found &= ~mine | beside
    return np.asarray(found)
