"""Faults of moves that hardly ever come up by chance and are steered towards: null moves, two moves by one side, moves in
variations, an en passant capture or a castling that uncovers the king.
"""

from __future__ import annotations

import chess

from generator import laws
from generator.annotate import move_number
from generator.faults import WITH_POSITIONS, Maker, insert_after, kind, pick_ply, prefix, stopped
from generator.faults_moves import FINDERS, find, refused, write_illegal
from generator.play import Play
from generator.reasons import illegal_reason
from generator.scenarios import settle
from generator.score import Sheet, Token
from generator.styles import Draft


@kind("wrong-side", "M301")
def wrong_side(maker: Maker) -> Sheet | None:
    """Black moves first, or plays two moves running."""
    play = maker.open_game()
    black = [index for index in range(len(play)) if play.board_at(index).turn]
    index = maker.rng.choice(black[:1] if maker.rng.random() < 0.5 else black)
    board = play.board_at(index)
    board.push(chess.Move.null())
    if board.is_check() or board.was_into_check():
        return None
    text = _only_for(board, maker)
    if text is None:
        return None
    draft = stopped(play, index, text, 0)
    number = draft.number(index + 1)
    draft.numbers[index + 1] = number.rstrip(".") + "..."
    sheet = maker.write(draft)
    sheet.drop("PlyCount")
    sheet.add("M301", "error", index + 1, sheet.move(index + 1), text)
    return sheet


def _only_for(board: chess.Board, maker: Maker) -> str | None:
    """A move of the side to move that means nothing to the other side."""
    texts = [board.san(move) for move in board.legal_moves]
    board.pop()
    texts = [text for text in texts if text[0] in "abcdefghNBRQ" and "=" not in text and refused(board, text)]
    return maker.rng.choice(texts) if texts else None


@kind("null-move", "M304")
def null_move(maker: Maker) -> Sheet | None:
    """A pass on the mainline; the game goes on behind it. Claims are not judged in such a game, so it has none."""
    play = maker.open_game(6)
    index = maker.rng.randrange(2, len(play))
    short = prefix(play, index)
    if short.board.is_check():
        return None
    short.step(chess.Move.null())
    maker.director.go_on(short, maker.rng.randrange(1, 12))
    settle(short, maker.rng)
    if short.over or len(short) == index + 1 or laws.draw_facts(short.start, short.moves, short.result):
        return None
    draft = Draft.of(short)
    draft.plain = True
    draft.texts[index] = maker.rng.choice(("--", "Z0"))
    sheet = maker.write(draft)
    sheet.drop("PlyCount")
    sheet.add("M304", "error", index + 1, sheet.move(index + 1))
    return sheet


@kind("null-move-in-variation", "M304")
def null_in_variation(maker: Maker) -> Sheet | None:
    """A pass in a variation, as annotators write it to show a threat."""
    play = maker.open_game()
    ply = pick_ply(maker, play)
    board = play.board_at(ply - 1)
    if board.is_check():
        return None
    null = Token("move", "--")
    tokens = [Token("open", "("), Token("number", move_number(board), glue=True), null]
    board.push(chess.Move.null())
    if board.turn:
        tokens.append(Token("number", move_number(board)))
    tokens += [Token("move", board.san(maker.rng.choice(list(board.legal_moves)))), Token("close", ")", glue=True)]
    sheet = maker.write(Draft.of(play))
    insert_after(sheet, ply, tokens)
    sheet.add("M304", "warning", ply, null)
    return sheet


@kind("illegal-in-variation", "M303")
def illegal_in_variation(maker: Maker) -> Sheet | None:
    """An illegal move in a variation: the mainline is not touched by it."""
    play = maker.open_game()
    code = maker.rng.choice(list(FINDERS))
    site = find(maker, prefix(play, len(play) - 1), code, FINDERS[code])
    if site is None:
        return None
    index, text = site
    board = play.board_at(index)
    bad = Token("move", text)
    tokens = [Token("open", "("), Token("number", move_number(board), glue=True), bad, Token("close", ")", glue=True)]
    sheet = maker.write(Draft.of(play))
    insert_after(sheet, index + 1, tokens)
    sheet.add(code, "error", index + 1, bad, text)
    return sheet


@kind("result-in-variation", "P108")
def result_in_variation(maker: Maker) -> Sheet | None:
    """A variation that ends with a result, as if it were a game: it ends nothing."""
    play = maker.open_game()
    ply = pick_ply(maker, play)
    board = play.board_at(ply - 1)
    number, move = move_number(board), board.san(maker.rng.choice(list(board.legal_moves)))
    result = Token("inner", maker.rng.choice(("1-0", "0-1", "1/2-1/2")))
    sheet = maker.write(Draft.of(play))
    tokens = [Token("open", "("), Token("number", number, glue=True), Token("move", move), result, Token("close", ")", glue=True)]
    insert_after(sheet, ply, tokens)
    sheet.add("P108", "info", ply, result, result.text)
    return sheet


@kind("en-passant-exposes-king", "M336", WITH_POSITIONS)
def en_passant_exposes(maker: Maker) -> Sheet | None:
    """King and rook look at each other along the fifth rank, through nothing but the two pawns."""
    rng = maker.rng
    file = rng.randrange(2, 5)
    king, rook = chess.square(rng.randrange(file), 4), chess.square(rng.randrange(file + 2, 8), 4)
    own, other = rng.sample((file, file + 1), 2)
    board = chess.Board(None)
    board.set_piece_at(king, chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(rook, chess.Piece(rng.choice((chess.ROOK, chess.QUEEN)), chess.BLACK))
    board.set_piece_at(chess.square(own, 4), chess.Piece(chess.PAWN, chess.WHITE))
    board.set_piece_at(chess.square(other, 6), chess.Piece(chess.PAWN, chess.BLACK))
    board.set_piece_at(chess.square(rng.randrange(8), rng.choice((0, 7))), chess.Piece(chess.KING, chess.BLACK))
    board.turn = chess.BLACK
    board.fullmove_number = rng.randrange(40, 80)
    board.halfmove_clock = rng.randrange(20)
    double = chess.Move(chess.square(other, 6), chess.square(other, 4))
    text = f"{'abcdefgh'[own]}x{'abcdefgh'[other]}6"
    if rng.random() < 0.5:
        board = board.mirror()
        double = chess.Move(chess.square_mirror(double.from_square), chess.square_mirror(double.to_square))
        text = text[:-1] + "3"
    if not board.is_valid() or board.is_check() or not board.is_legal(double):
        return None
    play = Play(board)
    play.step(double)
    if play.over or illegal_reason(play.board, text) != "M336":
        return None
    settle(maker.director.go_on(play, 12), rng)
    return write_illegal(maker, play, 1, text, "M336")


@kind("castling-exposes-king", "M309", {"chess960"})
def castling_exposes(maker: Maker) -> Sheet | None:
    """Chess960: the rook that castling takes away stood between the king and an enemy rook."""
    rng = maker.rng
    board = chess.Board(None, chess960=True)
    board.set_piece_at(chess.A1, chess.Piece(rng.choice((chess.ROOK, chess.QUEEN)), chess.BLACK))
    board.set_piece_at(chess.B1, chess.Piece(chess.ROOK, chess.WHITE))
    board.set_piece_at(rng.choice((chess.C1, chess.D1)), chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(chess.square(rng.randrange(8), 7), chess.Piece(chess.KING, chess.BLACK))
    for colour, rank in ((chess.WHITE, 1), (chess.BLACK, 6)):
        for file in rng.sample(range(8), 4):
            board.set_piece_at(chess.square(file, rank), chess.Piece(chess.PAWN, colour))
    board.castling_rights = chess.BB_B1
    board.fullmove_number = rng.randrange(20, 50)
    board.halfmove_clock = rng.randrange(10)
    if rng.random() < 0.5:
        board = board.mirror()
    if not board.is_valid() or board.is_check() or illegal_reason(board, "O-O-O") != "M309":
        return None
    play = maker.from_board(board, 14)
    return write_illegal(maker, play, 0, "O-O-O", "M309")
