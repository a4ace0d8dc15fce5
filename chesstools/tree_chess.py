"""Game trees and chess.pgn.Game, both ways, and what python-chess has no place for."""

from __future__ import annotations

from collections import Counter
from typing import TypeAlias

import chess
import chess.pgn

from chesstools.errors import OptionError
from chesstools.reference.comments import normalise
from chesstools.reference.export_pgn import escaped, unescaped
from chesstools.reference.export_start import start_of
from chesstools.reference.san import can_pass, play
from chesstools.reference.values import normalise_result
from chesstools.tree import Comment, GameTree, Item, Move, Nag, Unread, Variation

_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
_START = ("FEN", "SetUp", "Variant")


def to_chess(tree: GameTree, left: Counter[str] | None = None) -> chess.pgn.Game:
    """The game as python-chess holds it: tags, moves, comments, NAGs and variations, as far as they are legal.

    Comments in one place become one, with a blank between them, and stand behind the NAGs and before the variations there; NAGs
    have no order. What python-chess has no place for is counted in `left`, by the kinds of docs/conversion.md: tags with other
    names than letters, digits and ``_`` or with a name that stood before, unread tags, NAGs and variations before the first move
    of a line, variations without a move, unread text, `rest` (`tails`: of variations too), and `behind`.

    python-chess fills missing roster tags with ``?``. FEN, SetUp and Variant tags that it cannot make a board of are left out.
    It holds tag values as PGN writes them, so that its exporters write them right: a quote is ``\\"``, a backslash ``\\\\``.

    >>> left = Counter()
    >>> tree = GameTree(moves=[Move("e4", "e2e4", [Nag(1), Comment("a"), Variation(moves=[Move("d4", "d2d4")])])], rest="foo")
    >>> to_chess(tree, left).accept(chess.pgn.StringExporter(headers=False)), +left
    ('1. e4 $1 { a } ( 1. d4 ) *', Counter({'tails': 1}))
    """
    left = Counter() if left is None else left
    game = chess.pgn.Game()
    _put_tags(game, tree, left)
    game.comment = _joined(tree.before)
    left["behind"] += tree.behind is not None
    todo: list[tuple[chess.pgn.GameNode, GameTree | Variation]] = [(game, tree)]
    while todo:
        parent, line = todo.pop()
        node = parent
        for move in line.moves:
            child = node.add_variation(chess.Move.from_uci(move.uci))
            child.nags.update(item.number for item in move.after if isinstance(item, Nag))
            child.comment = _joined(move.after)
            # Variations are other moves in the same position, behind the move of this line.
            todo.extend((node, item) for item in reversed(move.after) if isinstance(item, Variation))
            node = child
        if line is not tree and line.moves:
            parent.variations[-1].starting_comment = _joined(line.before)
        _count(line, tree, left)
    return game


def _joined(items: list[Item]) -> str:
    return " ".join(item.text for item in items if isinstance(item, Comment))


def _count(line: GameTree | Variation, tree: GameTree, left: Counter[str]) -> None:
    """Count what python-chess has no place for in one line."""
    left["tails"] += line.rest is not None
    if line is not tree and not line.moves:
        left["variations"] += 1
        return
    for item in line.before:
        left["nags"] += isinstance(item, Nag)
        left["variations"] += isinstance(item, Variation)
    for items in (line.before, *(move.after for move in line.moves)):
        left["unread"] += sum(isinstance(item, Unread) for item in items)


def _put_tags(game: chess.pgn.Game, tree: GameTree, left: Counter[str]) -> None:
    seen: set[str] = set()
    left["tags"] += len(tree.unread_tags)
    for name, value in tree.tags:
        if name in seen or not chess.pgn.TAG_NAME_REGEX.match(name):
            left["tags"] += 1
        else:
            game.headers[name] = escaped(name, value)
        seen.add(name)
    start = start_of(tree)
    if start.board is not None:
        game.setup(start.board)
    else:
        try:
            game.board()
        except ValueError:
            # python-chess makes no board of these, and without one it can show nothing of the game.
            for name in _START:
                game.headers.pop(name, None)
    left["tags"] += sum(name in seen and name not in game.headers for name in _START)
    said = normalise_result(tree.tag("Result"))
    game.headers["Result"] = (normalise_result(tree.result) if said in (None, "*") else said) or said or "*"


def from_chess(game: chess.pgn.Game) -> GameTree:
    """The tree of a game of python-chess: its headers as tags, the result too, and all of its moves.

    Behind a move stand its NAGs by number, its comment, and the variations, as the exporters of python-chess write them.
    Raises OptionError where there is a move that is not legal, or no position to start from.

    >>> game = chess.pgn.Game({"White": "Alder"})
    >>> game.add_variation(chess.Move.from_uci("e2e4"), comment="best", nags=[1]).uci()
    'e2e4'
    >>> print(from_chess(game).to_pgn(), end="")
    [White "Alder"]
    <BLANKLINE>
    1. e4 $1 { best } *
    <BLANKLINE>
    """
    result = game.headers.get("Result")
    tree = GameTree(
        [(name, unescaped(name, value)) for name, value in game.headers.items()],
        before=_comment(game.comment),
        result=result if result in _RESULTS else "*",
    )
    try:
        board = game.board()
    except ValueError as error:
        raise OptionError(f"The game has no position to start from: {error}.") from None
    todo: list[_Work] = [(game.variations[0], board, tree)] if game.variations else []
    while todo:
        first, board, line = todo.pop()
        node: chess.pgn.ChildNode | None = first
        while node is not None:
            line.moves.append(_move(node, board, todo))
            node = node.variations[0] if node.variations else None
    return tree


_Work: TypeAlias = "tuple[chess.pgn.ChildNode, chess.Board, GameTree | Variation]"
"""A line that is still to be read: its first node, the position before it, and where it goes."""


def _move(node: chess.pgn.ChildNode, board: chess.Board, todo: list[_Work]) -> Move:
    """One move, made on the board; the variations that stand behind it come later."""
    move = node.move
    if not (board.is_legal(move) if move else can_pass(board)):
        raise OptionError(f"{move.uci()} is no legal move in {board.fen()}.")
    after: list[Item] = [Nag(nag) if nag <= 255 else Unread(f"${nag}") for nag in sorted(node.nags)]
    after += _comment(node.comment)
    beside = node.parent.variations
    if beside[0] is node:
        for other in beside[1:]:
            variation = Variation(_comment(other.starting_comment))
            after.append(variation)
            todo.append((other, board.copy(stack=False), variation))
    uci = board.uci(move)
    return Move(play(board, move), uci, after)


def _comment(text: str) -> list[Item]:
    text = normalise(text)
    return [Comment(text)] if text else []
