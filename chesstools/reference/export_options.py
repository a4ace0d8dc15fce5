"""What the options of a conversion leave out of a tree, and what the writers then do not write: counted by kind."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from chesstools.reference.tags import ROSTER
from chesstools.reference.text import BLANKS, trim
from chesstools.tree import Comment, GameTree, Item, Move, Nag, Variation

KEPT_TAGS = frozenset({*ROSTER, "SetUp", "FEN", "Variant"})
"""What the seven tags are joined by, as the moves cannot be read without it."""

_CLOCK = re.compile(r"\[%(?:clk|emt)(?![A-Za-z0-9_])")
_COMMAND = re.compile(r"\[%")


@dataclass(frozen=True, slots=True)
class Parts:
    """Which parts of a game are wanted. `bare` is the mainline alone."""

    comments: bool = True
    nags: bool = True
    variations: bool = True
    clocks: bool = True
    commands: bool = True
    seven_tags: bool = False
    bare: bool = False

    @property
    def all(self) -> bool:
        """Whether everything is."""
        return self == Parts()


def choose_parts(tree: GameTree, parts: Parts, left: Counter[str]) -> GameTree:
    """The tree with the wanted parts only; what is left out is counted in `left`, variations with those inside them.

    >>> left = Counter()
    >>> choose_parts(GameTree(moves=[Move("e4", "e2e4", [Nag(1)])]), Parts(nags=False), left).moves[0].after, left
    ([], Counter({'nags': 1}))
    """
    if parts.all:
        return tree
    chosen = GameTree(tree.tags, tree.unread_tags, rest=tree.rest, result=tree.result, behind=tree.behind)
    if parts.seven_tags:
        chosen.tags = [pair for pair in tree.tags if pair[0] in KEPT_TAGS]
        chosen.unread_tags = []
        left["tags"] += len(tree.tags) - len(chosen.tags) + len(tree.unread_tags)
    if parts.bare:
        chosen.behind = None
        left["behind"] += tree.behind is not None
    todo: list[tuple[GameTree | Variation, GameTree | Variation]] = [(tree, chosen)]
    while todo:
        line, into = todo.pop()
        into.rest = line.rest
        into.before = _items(line.before, parts, left, todo)
        into.moves = [Move(move.san, move.uci, _items(move.after, parts, left, todo)) for move in line.moves]
    return chosen


def _items(
    items: list[Item], parts: Parts, left: Counter[str], todo: list[tuple[GameTree | Variation, GameTree | Variation]]
) -> list[Item]:
    kept: list[Item] = []
    for item in items:
        if isinstance(item, Variation):
            if parts.variations and not parts.bare:
                copy = Variation()
                todo.append((item, copy))
                kept.append(copy)
            else:
                left["variations"] += count_variations(item)
        elif isinstance(item, Comment):
            text = _comment(item.text, parts, left)
            if text:
                kept.append(Comment(text))
        elif isinstance(item, Nag):
            if parts.nags and not parts.bare:
                kept.append(item)
            else:
                left["nags"] += 1
        elif parts.bare:
            left["unread"] += 1
        else:
            kept.append(item)
    return kept


def _comment(text: str, parts: Parts, left: Counter[str]) -> str:
    """What is kept of a comment, empty where nothing is."""
    if not parts.comments or parts.bare:
        left["comments"] += 1
        return ""
    begin = _COMMAND if not parts.commands else _CLOCK if not parts.clocks else None
    if begin is None:
        return text
    kept: list[str] = []
    at = 0
    while (match := begin.search(text, at)) is not None and (end := text.find("]", match.start())) >= 0:
        kept.append(text[at : match.start()].rstrip(BLANKS))
        left["commands"] += 1
        at = end + 1
    return trim("".join(kept) + text[at:]) if kept else text


def count_variations(variation: Variation) -> int:
    """How many variations there are in this one, itself included."""
    count = 0
    todo = [variation]
    while todo:
        line = todo.pop()
        count += 1
        for items in (line.before, *(move.after for move in line.moves)):
            todo.extend(item for item in items if isinstance(item, Variation))
    return count


BARE = Parts(bare=True)
"""The mainline alone."""


def count_all(tree: GameTree, left: Counter[str]) -> None:
    """Count what a format leaves behind that holds no more of a game than the moves of the mainline."""
    choose_parts(tree, BARE, left)
    left["tags"] += len(tree.tags) + len(tree.unread_tags)
    left["results"] += tree.result is not None
    left["tails"] += tree.rest is not None
