"""Moves that are illegal for exactly one reason: found in the positions of ordinary games, not made up."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import chess

from generator.faults import ALL, STANDARD, Maker, kind, note_tail, stopped
from generator.play import Play
from generator.reasons import illegal_reason
from generator.score import Sheet

LETTERS = {chess.KNIGHT: "N", chess.BISHOP: "B", chess.ROOK: "R", chess.QUEEN: "Q", chess.KING: "K"}
PIECES = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)

Finder = Callable[[Maker, chess.Board], Iterator[str]]

_TRIES = 60


def find(maker: Maker, play: Play, code: str, finder: Finder) -> tuple[int, str] | None:
    """An index of the game and a move text that is illegal there for the reason `code`."""
    board = play.start.copy(stack=False)
    sites: dict[int, list[str]] = {}
    for index in range(len(play) + 1):
        if index:
            board.push(play.moves[index - 1])
        if index == len(play) and play.over:
            break
        texts = [text for text in finder(maker, board) if illegal_reason(board, text) == code and refused(board, text)]
        if texts:
            sites[index] = texts
    if not sites:
        return None
    index = maker.rng.choice(list(sites))
    return index, maker.rng.choice(sites[index])


def refused(board: chess.Board, text: str) -> bool:
    """Whether python-chess agrees that the move cannot be played."""
    try:
        board.parse_san(text)
    except ValueError:
        return True
    return False


def plant_illegal(maker: Maker, code: str, finder: Finder, *scenarios: str) -> Sheet | None:
    """Play games until one offers a site for the fault, and write it with some plies behind the illegal one."""
    for _ in range(_TRIES):
        play = maker.game(maker.rng.choice(scenarios or ("ordinary",)))
        site = find(maker, play, code, finder)
        if site is not None:
            return write_illegal(maker, play, site[0], site[1], code)
    return None


def write_illegal(maker: Maker, play: Play, index: int, text: str, code: str) -> Sheet:
    """The game up to the illegal ply, that ply, a few more."""
    sheet = maker.write(stopped(play, index, text, maker.rng.choice((0, 1, 2, 5, 12, 200))))
    sheet.add(code, "error", index + 1, sheet.move(index + 1), text)
    note_tail(sheet, index + 2)
    return sheet


def _enter(name: str, code: str, finder: Finder, *scenarios: str, styles: frozenset[str] = ALL) -> None:
    kind(name, code, styles)(lambda maker: plant_illegal(maker, code, finder, *scenarios))


def _no_such_piece(maker: Maker, board: chess.Board) -> Iterator[str]:
    rng = maker.rng
    square = chess.square_name(rng.randrange(64))
    for role in PIECES:
        files = {chess.square_name(man)[0] for man in board.pieces(role, board.turn)}
        if not files:
            yield LETTERS[role] + square
        else:
            other = rng.choice("abcdefgh")
            if other not in files:
                yield LETTERS[role] + other + square
    files = {chess.square_name(man)[0] for man in board.pieces(chess.PAWN, board.turn)}
    yield from (f"{file}x{chr(ord(file) + 1)}{5 if board.turn else 4}" for file in "abcdefg" if file not in files)


def _geometry(maker: Maker, board: chess.Board) -> Iterator[str]:
    for role in (*PIECES, chess.KING):
        target = maker.rng.randrange(64)
        king = board.king(board.turn)
        if role == chess.KING and (king is None or chess.square_rank(king) == chess.square_rank(target)):
            continue  # two squares along the rank would be castling badly written
        yield LETTERS[role] + ("x" if board.piece_at(target) else "") + chess.square_name(target)


def _own_piece(maker: Maker, board: chess.Board) -> Iterator[str]:
    for role in PIECES:
        for man in board.pieces(role, board.turn):
            for target in board.attacks(man) & board.occupied_co[board.turn]:
                yield LETTERS[role] + chess.square_name(target)


def _path_blocked(maker: Maker, board: chess.Board) -> Iterator[str]:
    empty = chess.Board(None)
    for role in (chess.BISHOP, chess.ROOK, chess.QUEEN):
        for man in board.pieces(role, board.turn):
            empty.clear_board()
            empty.set_piece_at(man, chess.Piece(role, chess.WHITE))
            beyond = list(empty.attacks(man) - board.attacks(man))
            if beyond:
                target = maker.rng.choice(beyond)
                yield LETTERS[role] + ("x" if board.piece_at(target) else "") + chess.square_name(target)


def _only_pseudo_legal(maker: Maker, board: chess.Board) -> Iterator[str]:
    """Moves that would be legal but for the king."""
    for move in board.generate_pseudo_legal_moves():
        if move.promotion or board.is_castling(move) or not board.is_into_check(move):
            continue
        role = board.piece_type_at(move.from_square)
        capture = board.is_capture(move)
        target = chess.square_name(move.to_square)
        if role == chess.PAWN:
            yield f"{chess.square_name(move.from_square)[0]}x{target}" if capture else target
        elif role is not None:
            yield LETTERS[role] + ("x" if capture else "") + target


def _king_capture(maker: Maker, board: chess.Board) -> Iterator[str]:
    king = board.king(not board.turn)
    if king is not None:
        yield from (LETTERS[role] + "x" + chess.square_name(king) for role in PIECES if board.pieces(role, board.turn))


def _castling(maker: Maker, board: chess.Board) -> Iterator[str]:
    yield "O-O"
    yield "O-O-O"


def _castling_after_moves(maker: Maker, board: chess.Board) -> Iterator[str]:
    """Only where the history tells why the right is gone."""
    root = board.root()
    if root.castling_rights == chess.BB_CORNERS:
        yield from ("O-O", "O-O-O")


def _pawns(board: chess.Board) -> Iterator[tuple[chess.Square, int]]:
    step = 8 if board.turn else -8
    for man in board.pieces(chess.PAWN, board.turn):
        yield man, step


def _backward(maker: Maker, board: chess.Board) -> Iterator[str]:
    for man, step in _pawns(board):
        lone = chess.popcount(board.pieces_mask(chess.PAWN, board.turn) & chess.BB_FILES[chess.square_file(man)]) == 1
        if lone and chess.square_rank(man - step) not in (0, 7) and not board.piece_at(man - step):
            yield chess.square_name(man - step)


def _blocked(maker: Maker, board: chess.Board) -> Iterator[str]:
    for man, step in _pawns(board):
        for target in (man + step, man + 2 * step):
            if 0 <= target < 64 and 0 < chess.square_rank(target) < 7 and board.color_at(target) != board.turn:
                yield chess.square_name(target)


def _double_step(maker: Maker, board: chess.Board) -> Iterator[str]:
    for man, step in _pawns(board):
        target = man + 2 * step
        if 8 <= target < 56 and not board.piece_at(target) and not board.piece_at(man + step):
            yield chess.square_name(target)


def _captures_nothing(maker: Maker, board: chess.Board) -> Iterator[str]:
    for man, step in _pawns(board):
        for target in (man + step - 1, man + step + 1):
            if 8 <= target < 56 and chess.square_distance(man, target) == 1 and not board.piece_at(target):
                yield f"{chess.square_name(man)[0]}x{chess.square_name(target)}"


def _en_passant_late(maker: Maker, board: chess.Board) -> Iterator[str]:
    """Beside a pawn that did make the double step, some plies ago."""
    for man, step in _pawns(board):
        for side in (man - 1, man + 1):
            target = side + step
            if not 8 <= target < 56 or chess.square_distance(man, target) != 1 or board.piece_at(target):
                continue
            double = chess.Move(target + step, side) if 0 <= target + step < 64 else None
            if double in board.move_stack[:-1]:
                yield f"{chess.square_name(man)[0]}x{chess.square_name(target)}"


def _promotion_missing(maker: Maker, board: chess.Board) -> Iterator[str]:
    for move in board.legal_moves:
        if move.promotion == chess.QUEEN:
            yield board.san(move).split("=")[0]


def _promotion_bad(maker: Maker, board: chess.Board) -> Iterator[str]:
    for text in _promotion_missing(maker, board):
        yield text + maker.rng.choice(("=K", "=P"))


def _promotion_misplaced(maker: Maker, board: chess.Board) -> Iterator[str]:
    for move in board.legal_moves:
        role = board.piece_type_at(move.from_square)
        if move.promotion is None and role in (chess.PAWN, chess.KNIGHT) and maker.rng.random() < 0.2:
            yield board.san(move).rstrip("+#") + "=Q"


def _ambiguous(maker: Maker, board: chess.Board) -> Iterator[str]:
    for move in board.legal_moves:
        san = board.san(move).rstrip("+#")
        target = chess.square_name(move.to_square)
        if san[0] in "NBRQ" and len(san.replace("x", "")) > 3:
            yield san[0] + ("x" if "x" in san else "") + target


_enter("no-such-piece", "M302", _no_such_piece)
_enter("geometry", "M303", _geometry)
_enter("own-piece", "M305", _own_piece)
_enter("path-blocked", "M306", _path_blocked)
_enter("pinned", "M307", _only_pseudo_legal)
_enter("king-into-check", "M308", _only_pseudo_legal)
_enter("check-ignored", "M310", _only_pseudo_legal, "ordinary", "mating")
_enter("king-capture", "M311", _king_capture)
_enter("castle-king-moved", "M321", _castling_after_moves, styles=STANDARD)
_enter("castle-rook-moved", "M322", _castling_after_moves, styles=STANDARD)
_enter("castle-out-of-check", "M323", _castling, styles=STANDARD)
_enter("castle-through-check", "M324", _castling, styles=STANDARD)
_enter("castle-into-check", "M325", _castling, styles=STANDARD)
_enter("castle-blocked", "M326", _castling)
_enter("pawn-backward", "M331", _backward)
_enter("pawn-blocked", "M332", _blocked)
_enter("pawn-double-step", "M333", _double_step)
_enter("pawn-captures-nothing", "M334", _captures_nothing)
_enter("en-passant-too-late", "M335", _en_passant_late)
_enter("promotion-missing", "M341", _promotion_missing, "promoting")
_enter("promotion-bad-piece", "M342", _promotion_bad, "promoting")
_enter("promotion-misplaced", "M343", _promotion_misplaced)
_enter("ambiguous-san", "N401", _ambiguous)

TEXTS_AMBIGUOUS: Finder = _ambiguous

FINDERS: dict[str, Finder] = {"M302": _no_such_piece, "M303": _geometry, "M305": _own_piece, "M306": _path_blocked}
"""Reasons that nearly every position offers."""
