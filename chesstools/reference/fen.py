"""FEN text to a board, with all that is wrong about it at once.

What can be mended without a guess is mended and reported; a text that no game can be played from gives no board.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import chess
import chess.variant

from chesstools.finding import Severity
from chesstools.reference import setup_check
from chesstools.reference.epd_line import COUNTER_OPCODE
from chesstools.reference.setup_check import Problem, many
from chesstools.reference.text import trim, words

_MAX_COUNTER = 9999
_PLACEMENT = re.compile(r"[KQRBNPkqrbnp1-9/~]+")
_RIGHTS = re.compile(r"-|[KQkqA-Ha-h]+")
_CHECKS = re.compile(r"\+?[0-3]\+[0-3]")
# No game can be played from a text that cannot be read, or from a position without two kings or with a king that could be taken.
FATAL = frozenset({"F203", "F204", "F206"})


@dataclass(slots=True)
class Setup:
    """What a FEN says: the problems found, and the board where there is one to play from."""

    problems: list[Problem]
    board: chess.Board | None = None
    position: chess.Board | None = None
    """The position as it can be shown: one king each at least. It is `board` where that can be played from."""
    is_read: bool = True
    """Whether every field could be read: none was replaced by what it is by default."""


def read_fen(text: str, *, chess960: bool = False, variant: type[chess.Board] = chess.Board) -> Setup:
    """Read a FEN (PGN standard 16.1; X-FEN and Shredder-FEN castling letters too).

    `chess960` says that the game is known to be Chess960; otherwise it is taken for that only where the castling rights
    can mean nothing else. For other variants python-chess reads the text.

    >>> [code for code, _ in read_fen("4k3/8/8/8/8/8/8/4K3").problems]
    ['F202']
    >>> read_fen("4k3/8/8/8/8/8/8/5KR1 w K - 0 1").board.chess960
    True
    """
    if variant is not chess.Board:
        return _read_variant(text, variant, chess960)
    reader = _Reader(text)
    board = reader.read(chess960)
    found = {code for code, _ in reader.problems}
    if board is not None:
        reader.problems += _problems_of_position(board, board.chess960 or reader.shredder)
        found = {code for code, _ in reader.problems}
    for _, evidence in reader.problems:
        evidence.setdefault("found", text)
    shown = None if "F203" in found else board
    return Setup(reader.problems, None if found & FATAL else board, shown, reader.is_read and board is not None)


def six_fields(text: str) -> list[str]:
    """The six fields that a FEN is read as, with what is usual where one is missing; none where it is no FEN.

    >>> six_fields("4k3/8/8/8/8/8/8/4K3 b")
    ['4k3/8/8/8/8/8/8/4K3', 'b', '-', '-', '0', '1']
    """
    return _Reader(text)._fields()


def _problems_of_position(board: chess.Board, chess960: bool) -> Iterator[Problem]:
    """All that can be said of the position, whatever else is wrong with it."""
    kings = True
    for problem in setup_check.problems_of_men(board, chess960):
        kings &= problem[0] != "F203"
        yield problem
    if kings:
        yield from setup_check.problems_of_checks(board)
    yield from setup_check.problems_of_counters(board)
    if not chess960:
        yield from setup_check.problems_of_bishops(board)
    yield from setup_check.problems_of_pawns(board)


def _read_variant(text: str, variant: type[chess.Board], chess960: bool) -> Setup:
    fields = words(text)
    placement = re.sub(r"\[.*", "", fields[0]) if fields else ""
    if len(fields) > 2 and _PLACEMENT.fullmatch(placement) and _RIGHTS.fullmatch(fields[2]):
        base = chess.Board(None)
        try:
            base.set_board_fen("/".join(placement.split("/")[:8]).replace("~", ""))
        except ValueError:
            pass
        else:
            chess960 = chess960 or _castling(base, fields[2], False)[1]
    parts = len(text.split())  # as python-chess counts them; of less than these it would speak in words of Python
    if parts < (2 if issubclass(variant, chess.variant.CrazyhouseBoard) else 1):
        return Setup([("F201", {"found": text, "reason": f"{parts} fields instead of 6" if parts else "it is empty"})])
    try:
        board = variant(text, chess960=chess960)
    except ValueError as error:
        reason = str(error) if "fen" in str(error) else "the men in hand cannot be read"
        return Setup([("F201", {"found": text, "reason": reason})])
    checks = next((field for field in fields[4:] if "+" in field), None)
    if checks is not None and not _CHECKS.fullmatch(checks):
        return Setup([("F201", {"found": text, "reason": f"the checks are “{checks}”, but each side can give 0 to 3"})])
    if board.status() & chess.STATUS_OPPOSITE_CHECK:
        side = setup_check.side_name(not board.turn)
        return Setup([("F206", {"found": text, "side": side, "reason": f"{side.title()} is in check but it is not their move"})])
    return Setup([], board, board)


class _Reader:
    """Reads the six fields one after the other, noting problems."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.problems: list[Problem] = []
        self.shredder = False
        """Whether the castling field names files of inner rooks: a Chess960 position, whatever else is wrong with it."""
        self.is_read = True
        """Whether no field was replaced by what it is by default because it could not be read."""

    def _note(self, code: str, reason: str, **evidence: object) -> None:
        self.problems.append((code, {"reason": reason, **evidence}))

    def read(self, chess960: bool) -> chess.Board | None:
        """The board that the text describes, or None where placement or side cannot be read."""
        fields = self._fields()
        board = chess.Board(None)
        if not fields or not self._placement(board, fields[0]):
            return None
        if fields[1] not in ("w", "b"):
            self._note("F201", f"the side to move is “{fields[1]}”, not w or b")
            return None
        board.turn = fields[1] == "w"
        self._rights(board, fields[2], chess960)
        self._en_passant(board, fields[3])
        board.halfmove_clock = self._counter(fields[4], "halfmove clock", 0)
        board.fullmove_number = self._counter(fields[5], "move number", 1)
        return board

    def _fields(self) -> list[str]:
        text = trim(self.text)
        opcodes = dict(COUNTER_OPCODE.findall(text))
        if opcodes:
            self._note("F202", "the counters are EPD operations (hmvc, fmvn)")
            text = " ".join([*words(COUNTER_OPCODE.sub("", text))[:4], opcodes.get("hmvc", "0"), opcodes.get("fmvn", "1")])
        elif text.endswith(";"):
            self._note("F202", "a semicolon stands at the end")
            text = text.rstrip("; ")
        fields = words(text)
        if len(fields) > 6:
            self._note("F201", f"{many(len(fields), 'field')} instead of 6")
            return []
        if not fields:
            self._note("F201", "it is empty")
            return []
        if len(fields) < 6:
            self._note("F202", f"{many(len(fields), 'field')} instead of 6")
        elif trim(self.text) != " ".join(fields) and not opcodes and not trim(self.text).endswith(";"):
            self._note("F202", "more than one blank between fields")
        return [*fields, *["", "w", "-", "-", "0", "1"][len(fields) :]]

    def _placement(self, board: chess.Board, placement: str) -> bool:
        if re.search(r"(?<![A-Za-z])~", placement):
            self._note("F202", "a “~” stands where no man stands before it")
        placement = placement.replace("~", "")  # some programs mark promoted men
        ranks = placement.split("/")
        bad = len(ranks) != 8
        if bad:
            self._note("F201", f"{many(len(ranks), 'rank')} instead of 8")
        for number, rank in zip(range(8, 0, -1), ranks, strict=False):
            unknown = re.sub(r"[KQRBNPkqrbnp1-8]", "", rank)
            squares = sum(int(sign) if sign in "12345678" else 1 for sign in rank if sign not in unknown)
            if unknown:
                self._note("F201", f"rank {number} has the sign “{unknown[0]}”")
                bad = True
            elif squares != 8:
                self._note("F201", f"rank {number} has {many(squares, 'square')} instead of 8")
                bad = True
            elif re.search(r"[0-9]{2}", rank):
                self._note("F201", f"rank {number} has two digits in a row")
        if bad:
            return False
        # Two digits in a row can mean one thing only.
        joined = re.sub(r"[1-8]{2,}", lambda match: str(sum(map(int, match.group()))), placement)
        board.set_board_fen(joined)
        return True

    def _rights(self, board: chess.Board, letters: str, chess960: bool) -> None:
        board.chess960 = chess960
        if not _RIGHTS.fullmatch(letters):
            self._note("F201", f"the castling rights are “{letters}”")
            self.is_read = False
            return
        self.shredder = re.search("[B-Gb-g]", letters) is not None
        board.castling_rights, board.chess960, dropped = _castling(board, letters, chess960)
        if dropped:
            self._note("F209", f"no king and rook stand ready for {dropped}", expected=board.castling_xfen())
        elif board.board_fen() == chess.STARTING_BOARD_FEN and (missing := _missing_rights(board)):
            # Rooks may have moved and come back, but hardly so that all men stand at home again.
            reason = f"all men stand as at the start of a game, but {missing} is left out"
            self._note("F209", reason, expected="KQkq", severity=Severity.INFO)

    def _en_passant(self, board: chess.Board, name: str) -> None:
        if name == "-":
            return
        if not re.fullmatch(r"[a-h][1-8]", name):
            self._note("F201", f"the en passant square is “{name}”")
            self.is_read = False
            return
        square = chess.parse_square(name)
        rank = 5 if board.turn else 2
        pawn, home = (square - 8, square + 8) if board.turn else (square + 8, square - 8)
        if chess.square_rank(square) != rank:
            self._note("F210", f"no pawn can have passed {name} with that side to move", token=name)
        elif not board.pieces_mask(chess.PAWN, not board.turn) & chess.BB_SQUARES[pawn]:
            self._note("F210", f"no pawn stands in front of {name}", token=name)
        elif board.occupied & (chess.BB_SQUARES[square] | chess.BB_SQUARES[home]):
            self._note("F210", f"the way of the pawn over {name} was not free", token=name)
        else:
            board.ep_square = square
            if not board.has_legal_en_passant():
                self._note("F211", f"no pawn can capture on {name}", token=name)

    def _counter(self, text: str, what: str, default: int) -> int:
        if not re.fullmatch(r"[0-9]+", text):
            self._note("F201", f"the {what} is “{text}”, not a number")
        elif len(text) > 4 or int(text) > _MAX_COUNTER:
            self._note("F201", f"the {what} is {text[:40]}, which is out of range")
        else:
            return int(text)
        self.is_read = False
        return default


def _missing_rights(board: chess.Board) -> str:
    """The rights that a side has at the start of a game and not here."""
    rooks = {"K": chess.BB_H1, "Q": chess.BB_A1, "k": chess.BB_H8, "q": chess.BB_A8}
    return "".join(letter for letter, rook in rooks.items() if not board.castling_rights & rook)


def _castling(board: chess.Board, letters: str, chess960: bool) -> tuple[chess.Bitboard, bool, str]:
    """The rights (as rook squares), whether they are Chess960 ones, and the letters that fit no king and rook.

    Letters that cannot be meant in standard chess make it Chess960 only if all of them fit there, and if the kings
    concerned stand on one file, as they did at the start.
    """
    rights = chess.BB_EMPTY
    standard = chess.BB_EMPTY
    dropped = dropped_standard = ""
    king_files = set()
    for letter in letters.replace("-", ""):
        side = letter.isupper()
        rook = _castling_rook(board, letter.upper(), side)
        king = board.king(side)
        home = chess.E1 if side else chess.E8
        corners = (chess.BB_A1 | chess.BB_H1) if side else (chess.BB_A8 | chess.BB_H8)
        if rook and king is not None:
            rights |= rook
            king_files.add(chess.square_file(king))
        else:
            dropped += letter
        if rook & corners and king == home:
            standard |= rook
        else:
            dropped_standard += letter
    if chess960 or (dropped_standard and not dropped and len(king_files) == 1):
        return rights, True, dropped
    return standard, False, dropped_standard


def _castling_rook(board: chess.Board, letter: str, side: chess.Color) -> chess.Bitboard:
    """The rook that a castling letter means: K and Q the outermost one on that side of the king, A-H the one on that file."""
    backrank = chess.BB_RANK_1 if side else chess.BB_RANK_8
    king = board.king(side)
    rooks = board.pieces_mask(chess.ROOK, side) & backrank
    if king is None or not backrank & chess.BB_SQUARES[king]:
        return chess.BB_EMPTY
    if letter == "K":
        outer = chess.msb(rooks) if rooks else -1
        return chess.BB_SQUARES[outer] if outer > king else chess.BB_EMPTY
    if letter == "Q":
        outer = chess.lsb(rooks) if rooks else 64
        return chess.BB_SQUARES[outer] if outer < king else chess.BB_EMPTY
    return rooks & chess.BB_FILES["ABCDEFGH".index(letter)]
