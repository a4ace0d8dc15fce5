"""Move text: what a token says, which move it means on a board, and how the standard would write it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import chess

_FIGURINES = dict(zip("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPKQRBNP", strict=True))
_MOVE = re.compile(
    r"""(?P<role>[PNBRQKpnrqk♔-♟])?
        (?P<file>[a-h])? (?P<rank>[1-8])? (?P<mark>[-x:])? (?P<to>[a-h][1-8])
        (?P<promotion>[=/]?[A-Za-z]|\([A-Za-z]\)|=)?
        (?P<ep>e\.?p\.?)?
        (?P<check>[+#]*)""",
    re.VERBOSE,
)
_DROP = re.compile(r"(?P<role>[A-Z])?@(?P<to>[a-h][1-8])(?P<check>[+#]*)")
_ROLES = {"P": chess.PAWN, "N": chess.KNIGHT, "B": chess.BISHOP, "R": chess.ROOK, "Q": chess.QUEEN, "K": chess.KING}
_LETTERS = {role: letter for letter, role in _ROLES.items()}


@dataclass(frozen=True, slots=True)
class Written:
    """What a move token says. `role` None: the token names squares only, as UCI does."""

    role: chess.PieceType | None
    to: chess.Square = 0
    file: int | None = None
    rank: int | None = None
    mark: str = ""
    promotion: str = ""
    """Letter of the piece promoted to, in upper case; ``=`` where the letter is missing behind the sign."""
    castling: str = ""
    """``O-O`` or ``O-O-O``."""
    drop: bool = False
    check: str = ""
    form: str = ""
    """Why the form is not the standard's: ``long``, ``zeros``, ``lower-case``, ``promotion``, ``e.p.``, ``figurine``…"""


@lru_cache(maxsize=1 << 16)
def read(text: str) -> Written | None:
    """Read a move token; None where it has the shape of no move.

    >>> read("Nbxd7+").mark, read("0-0").castling, read("Zf3") is None
    ('x', 'O-O', True)
    """
    if text[0] in "O0o":
        letters = re.sub(r"[^O0o]", "", text.rstrip("+#"))
        castling = {2: "O-O", 3: "O-O-O"}.get(len(letters))
        if castling is None:
            return None
        check = text[len(text.rstrip("+#")) :]
        form = "" if text.startswith(castling) and text[len(castling) :] == check else "castling"
        return Written(chess.KING, castling=castling, check=check, form=form or _check_form(check))
    if match := _DROP.fullmatch(text):
        role = _ROLES.get(match["role"] or "P")
        if role is None:
            return None
        form = "" if match["role"] else "drop"
        return Written(role, chess.parse_square(match["to"]), drop=True, check=match["check"], form=form)
    match = _MOVE.fullmatch(text)
    if match is None:
        return None
    file = "abcdefgh".index(match["file"]) if match["file"] else None
    rank = int(match["rank"]) - 1 if match["rank"] else None
    letter = match["role"] or ""
    promotion = (match["promotion"] or "").strip("/()").upper()
    promotion = promotion if promotion == "=" else promotion.lstrip("=")
    form = ""
    role = _ROLES[_FIGURINES.get(letter, letter.upper())] if letter else chess.PAWN
    if letter in _FIGURINES:
        form = "figurine"
    elif letter.islower():
        form = "lower-case"
    elif letter == "P":
        form = "pawn-letter"
    if file is not None and rank is not None and not letter:
        # Two squares and no letter: UCI, or long algebraic notation of a pawn's move.
        role = None
        form = "long"
    elif role == chess.PAWN and match["mark"] in ("x", ":") and file is None:
        form = form or "no-file"
    elif match["mark"] in ("-", ":"):
        form = form or "long"
    if match["promotion"] and not re.fullmatch(r"=[A-Z]", match["promotion"]):
        form = form or "promotion"
    if match["ep"]:
        form = form or "e.p."
    return Written(
        role,
        chess.parse_square(match["to"]),
        file,
        rank,
        match["mark"] or "",
        promotion,
        check=match["check"],
        form=form or _check_form(match["check"]),
    )


def _check_form(check: str) -> str:
    return "" if len(check) <= 1 else "check-mark"


class Ambiguous(ValueError):
    """More than one legal move fits the token."""

    def __init__(self, moves: list[chess.Move]) -> None:
        super().__init__("ambiguous")
        self.moves = moves


def source_mask(board: chess.Board, written: Written) -> chess.Bitboard:
    """Squares of the men of the side to move that the token can speak of, by role, file and rank."""
    mask = board.occupied_co[board.turn] if written.role is None else board.pieces_mask(written.role, board.turn)
    if written.file is not None:
        mask &= chess.BB_FILES[written.file]
    elif written.role == chess.PAWN and written.mark not in ("x", ":"):
        mask &= chess.BB_FILES[chess.square_file(written.to)]  # a capture names the file the pawn came from
    if written.rank is not None:
        mask &= chess.BB_RANKS[written.rank]
    return mask


def resolve(board: chess.Board, written: Written) -> chess.Move | None:
    """The one legal move that the token means, or None where there is none. Raises `Ambiguous` where there are several."""
    if written.castling:
        kingside = written.castling == "O-O"
        for move in board.generate_castling_moves():
            if board.is_kingside_castling(move) == kingside and board.is_legal(move):
                return move
        return None
    if written.drop:
        move = chess.Move(written.to, written.to, drop=written.role)
        return move if board.uci_variant == "crazyhouse" and board.is_legal(move) else None
    promotion = _ROLES.get(written.promotion) if written.promotion else None
    if written.promotion not in ("", "=") and promotion is None:
        return None
    from_mask = source_mask(board, written)
    if not from_mask:
        return None
    moves = [
        move
        for move in board.generate_legal_moves(from_mask, chess.BB_SQUARES[written.to])
        if move.promotion == promotion and not _castles(board, move)
    ]
    if len(moves) == 1:
        return moves[0]
    if moves:
        raise Ambiguous(sorted(moves, key=lambda move: move.from_square))
    if written.role is None and written.file is not None and written.rank is not None:
        return _castling_by_squares(board, chess.square(written.file, written.rank), written.to)
    return None


def _castles(board: chess.Board, move: chess.Move) -> bool:
    return bool(board.kings & chess.BB_SQUARES[move.from_square]) and board.is_castling(move)


def _castling_by_squares(board: chess.Board, source: chess.Square, to: chess.Square) -> chess.Move | None:
    """Castling as UCI writes it: the king's two squares, or (Chess960) king takes own rook."""
    for move in board.generate_castling_moves():
        if move.from_square == source and move.to_square == to and board.is_legal(move):
            return move
    return None


def standard_body(board: chess.Board, move: chess.Move) -> str:
    """The move in standard notation, without check marks. `board` is the position before it.

    >>> standard_body(chess.Board(), chess.Move.from_uci("g1f3"))
    'Nf3'
    """
    if not move:
        return "--"
    if move.drop is not None:
        letter = "" if move.drop == chess.PAWN else _LETTERS[move.drop]
        return f"{letter or 'P'}@{chess.square_name(move.to_square)}"
    if board.is_castling(move):
        return "O-O" if board.is_kingside_castling(move) else "O-O-O"
    role = board.piece_type_at(move.from_square) or chess.PAWN
    capture = "x" if board.is_capture(move) else ""
    target = chess.square_name(move.to_square)
    if role == chess.PAWN:
        promotion = f"={_LETTERS[move.promotion]}" if move.promotion else ""
        source = chess.FILE_NAMES[chess.square_file(move.from_square)] if capture else ""
        return f"{source}{capture}{target}{promotion}"
    return f"{_LETTERS[role]}{_disambiguation(board, move, role)}{capture}{target}"


def marks(board: chess.Board) -> tuple[bool, bool, str]:
    """Whether the side to move is in check, whether it is mated, and the check mark that the standard writes for the last move.

    A win by a variant's own rules is written as mate is.

    >>> marks(chess.Board("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"))
    (True, True, '#')
    """
    check = board.is_check()
    mate = check and not any(board.generate_legal_moves())
    won = mate or (board.uci_variant != "chess" and (board.is_variant_win() or board.is_variant_loss()))
    return check, mate, "#" if won else "+" if check else ""


def can_pass(board: chess.Board) -> bool:
    """Whether a null move has a meaning: not out of check, and not where the game is over.

    >>> can_pass(chess.Board())
    True
    """
    return not board.is_check() and any(board.generate_legal_moves())


def play(board: chess.Board, move: chess.Move) -> str:
    """Make a legal move, and give it in standard notation with its check mark.

    >>> play(chess.Board(), chess.Move.from_uci("g1f3"))
    'Nf3'
    """
    body = standard_body(board, move)
    board.push(move)
    return body if not move else body + marks(board)[2]


def _disambiguation(board: chess.Board, move: chess.Move, role: chess.PieceType) -> str:
    if role == chess.KING and chess.popcount(board.pieces_mask(role, board.turn)) == 1:
        return ""
    others = board.pieces_mask(role, board.turn) & ~chess.BB_SQUARES[move.from_square]
    # Only men that attack the square can go there (all but pawns, which never need it, move as they capture).
    others &= board.attackers_mask(board.turn, move.to_square)
    if not others:
        return ""
    rivals = chess.BB_EMPTY
    for other in board.generate_legal_moves(others, chess.BB_SQUARES[move.to_square]):
        rivals |= chess.BB_SQUARES[other.from_square]
    if not rivals:
        return ""
    name = chess.square_name(move.from_square)
    if not rivals & chess.BB_FILES[chess.square_file(move.from_square)]:
        return name[0]
    if not rivals & chess.BB_RANKS[chess.square_rank(move.from_square)]:
        return name[1]
    return name
