"""Start positions that no game can have led to, or that are not those the tags speak of. They can be played from."""

from __future__ import annotations

from random import Random

import chess

from generator import starts
from generator.faults import WITH_POSITIONS, Maker, kind
from generator.faults_fen import Edit, put_fen
from generator.play import Play
from generator.positions import impossible, unplayable
from generator.score import Sheet
from generator.styles import Draft

_TRIES = 400


def _edited(maker: Maker, code: str, edit: Edit, plies: tuple[int, int]) -> chess.Board | None:
    """A position from play, changed until it has that one fault and no other."""
    for _ in range(_TRIES):
        board = starts.midgame(maker.rng, maker.rng.randrange(*plies))
        board.castling_rights = chess.BB_EMPTY
        edit(maker, board)
        if unplayable(board) | impossible(board) == {code} and any(board.generate_legal_moves()):
            return board
    return None


def _playable(maker: Maker, code: str, severity: str, board: chess.Board, fen: str | None = None) -> Sheet | None:
    """A game from the board, under a FEN that may say something else."""
    play = maker.from_board(board, maker.rng.randrange(6, maker.length + 6))
    if not len(play):
        return None
    sheet = maker.write(Draft.of(play))
    tag = put_fen(sheet, fen or board.fen())
    sheet.add(code, severity, None, tag, tag.value)
    return sheet


@kind("fen-lenient", "F202", WITH_POSITIONS)
def fen_lenient(maker: Maker) -> Sheet | None:
    """Counters are missing, or two blanks stand between fields."""
    board = starts.midgame(maker.rng, maker.rng.randrange(5, 20))
    fields = board.fen().split()
    way = maker.rng.randrange(3)
    if way < 2:
        board.fullmove_number = 1
        board.halfmove_clock = 0 if way == 0 else board.halfmove_clock
        if way == 1 and board.halfmove_clock > (0 if board.turn else 1):
            return None
        fen = " ".join(fields[: 4 + way])
    else:
        fen = "  ".join(fields)
    return _playable(maker, "F202", "warning", board, fen)


@kind("fen-too-many", "F205", WITH_POSITIONS)
def fen_too_many(maker: Maker) -> Sheet | None:
    """Nine pawns, in place of a knight or a bishop."""

    def edit(maker: Maker, board: chess.Board) -> None:
        colour = maker.rng.random() < 0.5
        minor = board.pieces(chess.KNIGHT, colour) | board.pieces(chess.BISHOP, colour)
        target = chess.square(maker.rng.randrange(8), maker.rng.randrange(2, 6))
        if minor and not board.piece_at(target):
            board.remove_piece_at(maker.rng.choice(list(minor)))
            board.set_piece_at(target, chess.Piece(chess.PAWN, colour))

    board = _edited(maker, "F205", edit, (3, 10))
    return None if board is None else _playable(maker, "F205", "error", board)


@kind("fen-promoted-excess", "F207", WITH_POSITIONS)
def fen_promoted_excess(maker: Maker) -> Sheet | None:
    """All eight pawns, and a man that only a pawn can have become."""

    def edit(maker: Maker, board: chess.Board) -> None:
        colour = maker.rng.random() < 0.5
        knights = list(board.pieces(chess.KNIGHT, colour))
        if knights:
            role = maker.rng.choice((chess.QUEEN, chess.ROOK, chess.BISHOP))
            board.set_piece_at(maker.rng.choice(knights), chess.Piece(role, colour))

    board = _edited(maker, "F207", edit, (3, 10))
    return None if board is None else _playable(maker, "F207", "error", board)


@kind("fen-clocks", "F208", WITH_POSITIONS)
def fen_clocks(maker: Maker) -> Sheet | None:
    """More plies without capture or pawn move than the game can have had."""
    board = starts.midgame(maker.rng, maker.rng.randrange(5, 20))
    board.halfmove_clock = 2 * board.fullmove_number + maker.rng.randrange(1, 20)
    return _playable(maker, "F208", "warning", board)


@kind("fen-castling", "F209", WITH_POSITIONS)
def fen_castling(maker: Maker) -> Sheet | None:
    """Rights for a king that has left the first rank."""
    for _ in range(_TRIES):
        board = starts.midgame(maker.rng, maker.rng.randrange(16, 40))
        away = [
            colour
            for colour in chess.COLORS
            if not board.pieces_mask(chess.KING, colour) & (chess.BB_RANK_1 if colour else chess.BB_RANK_8)
        ]
        if away:
            fields = board.fen().split()
            letters = "".join("KQ" if colour else "kq" for colour in away)
            kept = "".join(letter for letter in "KQkq" if letter in fields[2] or letter in letters)
            fields[2] = kept
            return _playable(maker, "F209", "error", board, " ".join(fields))
    return None


@kind("fen-ep-invalid", "F210", WITH_POSITIONS)
def fen_ep_invalid(maker: Maker) -> Sheet | None:
    """An en passant square that no pawn can have passed."""
    board = starts.midgame(maker.rng, maker.rng.randrange(5, 20))
    board.halfmove_clock = 0
    fields = board.fen().split()
    file = maker.rng.randrange(8)
    pawn = chess.square(file, 4 if board.turn else 3)
    if maker.rng.random() < 0.5 or board.piece_at(pawn) == chess.Piece(chess.PAWN, not board.turn):
        fields[3] = "abcdefgh"[file] + ("3" if board.turn else "6")
    else:
        fields[3] = "abcdefgh"[file] + ("6" if board.turn else "3")
    return _playable(maker, "F210", "error", board, " ".join(fields))


@kind("fen-ep-useless", "F211", WITH_POSITIONS)
def fen_ep_useless(maker: Maker) -> Sheet | None:
    """An en passant square after a double step beside which no pawn stands."""
    rng = maker.rng
    play = maker.director.go_on(Play(chess.Board()), rng.randrange(1, 16))
    while len(play) and (play.over or play.board.ep_square is None or play.board.has_pseudo_legal_en_passant()):
        play.undo()
    if not len(play) or play.board.is_check():
        return None
    board = play.board.copy(stack=False)
    return _playable(maker, "F211", "info", board, board.fen(en_passant="fen"))


def _with_others(rng: Random, board: chess.Board) -> chess.Board:
    """Black's king and the men that give it check, with other men beside them where there is room; or all of it mirrored."""
    for symbol in "KRPPrpp":
        square = rng.randrange(64) if symbol in "KRr" else rng.randrange(8, 56)
        if not board.piece_at(square):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
    board.turn = chess.BLACK
    board.fullmove_number = rng.randrange(40, 70)
    if rng.random() < 0.5:
        board = board.mirror()
    return board


@kind("fen-impossible-check", "F212", WITH_POSITIONS)
def fen_impossible_check(maker: Maker) -> Sheet | None:
    """Two knights give check at once."""
    rng = maker.rng
    for _ in range(_TRIES):
        board = chess.Board(None)
        king = rng.randrange(64)
        jumps = list(chess.SquareSet(chess.BB_KNIGHT_ATTACKS[king]))
        board.set_piece_at(king, chess.Piece(chess.KING, chess.BLACK))
        for square in rng.sample(jumps, 2):
            board.set_piece_at(square, chess.Piece(chess.KNIGHT, chess.WHITE))
        board = _with_others(rng, board)
        if unplayable(board) | impossible(board) == {"F212"} and any(board.generate_legal_moves()):
            return _playable(maker, "F212", "error", board)
    return None


@kind("fen-odd-double-check", "F213", WITH_POSITIONS)
def fen_odd_double_check(maker: Maker) -> Sheet | None:
    """Two bishops give check at once."""
    rng = maker.rng
    for _ in range(_TRIES):
        board = chess.Board(None)
        king = rng.choice([chess.square(file, rank) for file in range(1, 7) for rank in range(1, 7)])
        board.set_piece_at(king, chess.Piece(chess.KING, chess.BLACK))
        right, left = rng.choice((7, -7)), rng.choice((9, -9))
        for square in (king + right, king + left):
            board.set_piece_at(square, chess.Piece(chess.BISHOP, chess.WHITE))
        board = _with_others(rng, board)
        if unplayable(board) | impossible(board) == {"F213"} and any(board.generate_legal_moves()):
            return _playable(maker, "F213", "warning", board)
    return None


@kind("fen-entombed-bishop", "F214", WITH_POSITIONS)
def fen_entombed_bishop(maker: Maker) -> Sheet | None:
    """Bishop and knight have changed places behind unmoved pawns."""

    def edit(maker: Maker, board: chess.Board) -> None:
        white = maker.rng.random() < 0.5
        home, shut = (chess.C1, chess.G1) if white else (chess.C8, chess.G8)
        bishop, knight = board.piece_at(home), board.piece_at(shut)
        if bishop and knight and bishop.piece_type == chess.BISHOP and knight.piece_type == chess.KNIGHT:
            board.set_piece_at(home, knight)
            board.set_piece_at(shut, bishop)

    board = _edited(maker, "F214", edit, (3, 10))
    return None if board is None else _playable(maker, "F214", "error", board)


@kind("fen-pawn-captures", "F215", WITH_POSITIONS)
def fen_pawn_captures(maker: Maker) -> Sheet | None:
    """Pawns on g2, h2 and h3: none of them can have come from anywhere else."""

    def edit(maker: Maker, board: chess.Board) -> None:
        colour = maker.rng.random() < 0.5
        pawns = list(board.pieces(chess.PAWN, colour))
        target = chess.H3 if colour else chess.H6
        if pawns and not board.piece_at(target):
            board.remove_piece_at(maker.rng.choice(pawns))
            board.set_piece_at(target, chess.Piece(chess.PAWN, colour))

    board = _edited(maker, "F215", edit, (4, 14))
    return None if board is None else _playable(maker, "F215", "error", board)


@kind("start-not-array", "F220", WITH_POSITIONS | {"chess960"})
def start_not_array(maker: Maker) -> Sheet | None:
    """The game starts from another position, or with the wrong side, and no Variant tag says so."""
    if maker.style == "chess960":
        board = starts.chess960(maker.rng)
        if board.king(chess.WHITE) == chess.E1:
            return None  # with the king at home its rights can be read as those of ordinary chess
    elif maker.rng.random() < 0.2:
        board = chess.Board()
        board.turn = chess.BLACK
    else:
        board = starts.midgame(maker.rng, maker.rng.randrange(4, 20))
    sheet = maker.write(Draft.of(maker.from_board(board, maker.length)))
    fen = sheet.tag("FEN")
    assert fen is not None
    sheet.drop("Variant")
    sheet.add("F220", "warning", None, fen, fen.value)
    return sheet


@kind("variant-unsupported", "F221", {"lichess", "chesscom", "annotated"})
def variant_unsupported(maker: Maker) -> Sheet | None:
    """A game by other rules: it is kept, not judged."""
    play = maker.director.go_on(Play(chess.Board()), 20)
    play.result = "1-0"
    draft = Draft(Play(play.start), list(play.sans), 0, "1-0", "1-0", plain=True)
    sheet = maker.write(draft)
    tag = sheet.put("Variant", maker.rng.choice(("Duck Chess", "Fog of War", "Wildebeest")))
    sheet.add("F221", "info", None, tag, tag.value)
    return sheet
