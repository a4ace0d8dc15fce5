"""A second opinion on games, for tests: a small reader of clean PGN that replays every move with python-chess.

It shares no code with chesstools and is not meant for broken files: games begin at a tag Event, every comment is closed,
tags stand on lines of their own. `chess.pgn` is not used to read, because it is itself wrong about some texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import chain
from multiprocessing import get_context

import chess
import chess.pgn
import chess.polyglot
import chess.variant

_GAME = re.compile(rb"\[Event ")
_TAG = re.compile(r'^\[(\w+) "(.*)"\][ \t\r]*$', re.MULTILINE)
_TOKEN = re.compile(r"\{(?P<brace>[^}]*)\}|;(?P<line>[^\n]*)|(?P<sign>[()])|\$\d+|\d+\.+|(?P<word>[^\s{}();$]+)")
_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
_CHUNK_GAMES = 100


@dataclass(frozen=True, slots=True)
class Played:
    """One legal move, and what the position after it is."""

    written: str
    uci: str
    san: str
    check: bool
    mate: bool
    castling: str | None
    en_passant: bool
    captured: str | None
    key: int | None
    """Polyglot hash with en passant only where it is legal; None in variants."""
    halfmove_clock: int
    repetition: int
    comments: tuple[str, ...]
    clock_ms: int | None
    """As python-chess reads ``[%clk]``."""
    eval_cp: int | None
    """As python-chess reads ``[%eval]``, from White's side."""
    eval_mate: int | None


@dataclass(slots=True)
class Verdict:
    """What the Laws say about one game."""

    tags: dict[str, str] = field(default_factory=dict)
    plies_written: int = 0
    legal_plies: int = 0
    illegal: tuple[int, str] | None = None
    """Ply and text of the first token that is no legal move."""
    first_threefold: int | None = None
    first_fivefold: int | None = None
    first_fifty: int | None = None
    first_seventyfive: int | None = None
    status: str = "none"
    marker: str | None = None
    final_fen: str = ""
    plies: list[Played] = field(default_factory=list)
    """Empty unless the details were asked for."""


def split_games(data: bytes) -> list[tuple[int, bytes]]:
    """The games of an archive, each with the offset of its first byte."""
    starts = [match.start() for match in _GAME.finditer(data)]
    return [(start, data[start:end]) for start, end in zip(starts, [*starts[1:], len(data)], strict=True)]


def replay_all(games: Sequence[bytes], *, details: bool) -> list[Verdict]:
    """The verdict on every game, worked out on two processes."""
    chunks = [games[start : start + _CHUNK_GAMES] for start in range(0, len(games), _CHUNK_GAMES)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        return list(chain.from_iterable(pool.map(_replay_chunk, chunks, [details] * len(chunks))))


def _replay_chunk(games: Sequence[bytes], details: bool) -> list[Verdict]:
    return [replay(game, details=details) for game in games]


def replay(game: bytes, *, details: bool) -> Verdict:
    """The verdict on one game; with details on every ply, or (much faster) without."""
    text = game.decode("latin-1")  # tags may hold anything; moves are ASCII
    tags: dict[str, str] = dict(_TAG.findall(text))
    board = start_board(tags)
    verdict = Verdict(tags)
    for token, comments in moves_and_comments(_TAG.sub("", text)):
        if token in _RESULTS:
            verdict.marker = token
            continue
        verdict.plies_written += 1
        if verdict.illegal is not None:
            continue
        number = verdict.plies_written
        try:
            move = board.parse_san(token)
        except ValueError:
            verdict.illegal = (number, token)
            continue
        played = before(board, token, move) if details else None
        board.push(move)
        verdict.legal_plies = number
        _watch(board, number, verdict)
        if played is not None:
            verdict.plies.append(after(board, played, tuple(comments)))
    verdict.status = status(board)
    verdict.final_fen = board.fen()
    return verdict


def start_board(tags: dict[str, str]) -> chess.Board:
    """The start position that the tags give."""
    fen = tags.get("FEN", chess.STARTING_FEN)
    variant = tags.get("Variant", "").lower()
    if variant == "crazyhouse":
        return chess.variant.CrazyhouseBoard()
    return chess.Board(fen, chess960=variant in ("fischerandom", "chess960"))


def moves_and_comments(movetext: str) -> Iterator[tuple[str, list[str]]]:
    """Mainline moves and the result, each with the comments behind it. Comments before the first move are left out."""
    depth = 0
    token: str | None = None
    comments: list[str] = []
    for match in _TOKEN.finditer(movetext):
        if match["sign"]:
            depth += 1 if match["sign"] == "(" else -1
        elif depth:
            continue
        elif match["brace"] is not None or match["line"] is not None:
            comments.append(match["brace"] if match["line"] is None else match["line"])
        elif match["word"]:
            if token is not None:
                yield token, comments
            token, comments = match["word"].rstrip("!?"), []
    if token is not None:
        yield token, comments


def _watch(board: chess.Board, ply: int, verdict: Verdict) -> None:
    """Note the first ply of each kind of draw."""
    if verdict.first_threefold is None:
        if board.is_repetition(3):
            verdict.first_threefold = ply
    elif verdict.first_fivefold is None and board.is_repetition(5):
        verdict.first_fivefold = ply
    if board.halfmove_clock >= 100 and any(board.legal_moves):  # mate and stalemate come first
        if verdict.first_fifty is None:
            verdict.first_fifty = ply
        if board.halfmove_clock >= 150 and verdict.first_seventyfive is None:
            verdict.first_seventyfive = ply


def status(board: chess.Board) -> str:
    """checkmate, stalemate, dead (by material) or none."""
    if board.is_checkmate():
        return "checkmate"
    if board.is_stalemate():
        return "stalemate"
    return "dead" if type(board) is chess.Board and nobody_can_mate(board) else "none"


def nobody_can_mate(board: chess.Board) -> bool:
    """King against king, with one knight at most, or with bishops that all stand on squares of one colour."""
    men = [piece.piece_type for piece in board.piece_map().values() if piece.piece_type != chess.KING]
    if men.count(chess.BISHOP) != len(men):
        return men == [chess.KNIGHT]
    colours = {chess.square_file(square) + chess.square_rank(square) & 1 for square in chess.scan_forward(board.bishops)}
    return len(colours) <= 1


def before(board: chess.Board, written: str, move: chess.Move) -> dict[str, object]:
    """What is known of a move before it is made."""
    castling = None
    if board.is_castling(move):
        castling = "kingside" if board.is_kingside_castling(move) else "queenside"
    captured = None
    if board.is_en_passant(move):
        captured = "pawn"
    elif castling is None and (man := board.piece_type_at(move.to_square)) is not None:
        captured = chess.piece_name(man)
    return {
        "written": written,
        "uci": move.uci(),
        "san": board.san(move),
        "castling": castling,
        "en_passant": board.is_en_passant(move),
        "captured": captured,
    }


def after(board: chess.Board, known: dict[str, object], comments: tuple[str, ...]) -> Played:
    """All there is to know of a move that was made, and of the position now on the board."""
    node = chess.pgn.Game()
    node.comment = " ".join(comments)
    clock, score = node.clock(), node.eval()
    white = None if score is None else score.white()
    repetition = 1
    while board.is_repetition(repetition + 1):
        repetition += 1
    return Played(
        **known,  # type: ignore[arg-type]
        check=board.is_check(),
        mate=board.is_checkmate(),
        key=position_key(board) if type(board) is chess.Board else None,
        halfmove_clock=board.halfmove_clock,
        repetition=repetition,
        comments=comments,
        clock_ms=None if clock is None else round(clock * 1000),
        eval_cp=None if white is None else white.score(),
        eval_mate=None if white is None else white.mate(),
    )


def position_key(board: chess.Board) -> int:
    """python-chess's Polyglot hash, without an en passant file where no capture is legal."""
    if board.ep_square is None or board.has_legal_en_passant():
        return chess.polyglot.zobrist_hash(board)
    plain = board.copy(stack=False)
    plain.ep_square = None
    return chess.polyglot.zobrist_hash(plain)
