"""From a game that was replayed to its tree."""

from __future__ import annotations

from chesstools.reference.facts import Facts, encoding_of
from chesstools.reference.game import GameFacts
from chesstools.reference.line import Line, Ply
from chesstools.reference.raw_text import has_name, raw_text
from chesstools.reference.segment import Region
from chesstools.reference.tags import Tags
from chesstools.tree import GameTree, Item, Move, Variation


def tree_of(game: GameFacts) -> GameTree:
    """The tree of a game: everything that it says, legal or not (docs/conversion.md)."""
    return make_tree(Facts(game.region, "", None, ""), game.tags, game.mainline)


def make_tree(facts: Facts, tags: Tags, mainline: Line) -> GameTree:
    """The tree of a game from its tags and its mainline; `facts` are those of its region."""
    region = facts.region
    unread = sorted(tags.unread, key=lambda line: not has_name(line))
    tree = GameTree(list(tags.pairs), unread, result=_marker(region), behind=_behind(facts, region))
    todo: list[tuple[Line, GameTree | Variation]] = [(mainline, tree)]
    while todo:
        line, into = todo.pop()
        into.before = _items(line.before, todo)
        into.moves = [_move(ply, todo) for ply in line.plies]
        into.rest = raw_text(facts, line.raw, left_open=line.raw_open)
    return tree


def _move(ply: Ply, todo: list[tuple[Line, GameTree | Variation]]) -> Move:
    return Move(ply.san, ply.move.uci(), _items(ply.after, todo))


def _items(items: list[Item | Line], todo: list[tuple[Line, GameTree | Variation]]) -> list[Item]:
    made: list[Item] = []
    for item in items:
        if isinstance(item, Line):
            variation = Variation()
            todo.append((item, variation))
            made.append(variation)
        else:
            made.append(item)
    return made


def _marker(region: Region) -> str | None:
    """The termination marker. Its dashes and halves are in their own encoding, whatever the rest of the game is in."""
    if region.terminator is None:
        return None
    marker = region.text(region.tokens[region.terminator])
    return marker.decode(encoding_of(marker))


def _behind(facts: Facts, region: Region) -> str | None:
    if region.terminator is None:
        return None
    return raw_text(facts, region.tokens[region.terminator + 1 :], behind=True)
