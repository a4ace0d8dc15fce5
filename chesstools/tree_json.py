"""A game tree as a line of JSON Lines (docs/conversion.md), without recursion: variations may nest deeply."""

from __future__ import annotations

import json
from collections.abc import Iterator

from chesstools.tree import Comment, GameTree, Item, Nag, Variation

_encode = json.JSONEncoder(ensure_ascii=False).encode


def to_json(tree: GameTree, source: str | None, game_index: int | None, start_fen: str | None) -> str:
    """One line, without the line end."""
    head = f'{{"source":{_encode(source)},"game_index":{_encode(game_index)},"tags":['
    head += ",".join(f"[{_encode(name)},{_encode(value)}]" for name, value in tree.tags)
    head += f'],"unread_tags":[{",".join(map(_encode, tree.unread_tags))}],"start_fen":{_encode(start_fen)},'
    tail = f',"result":{_encode(tree.result)},"behind":{_encode(tree.behind)}}}'
    text = [head]
    stack = [_line(tree)]
    while stack:
        for piece in stack[-1]:
            if isinstance(piece, Variation):
                stack.append(_line(piece))
                break
            text.append(piece)
        else:
            stack.pop()
    text.append(tail)
    return "".join(text)


def _line(line: GameTree | Variation) -> Iterator[str | Variation]:
    """The members of a line; a variation stands for what is inside its braces."""
    yield '"before":['
    yield from _items(line.before)
    yield '],"moves":['
    comma = ""
    for move in line.moves:
        yield f'{comma}{{"san":{_encode(move.san)},"uci":{_encode(move.uci)},"after":['
        yield from _items(move.after)
        yield "]}"
        comma = ","
    yield f'],"rest":{_encode(line.rest)}'


def _items(items: list[Item]) -> Iterator[str | Variation]:
    comma = ""
    for item in items:
        if isinstance(item, Variation):
            yield f'{comma}{{"variation":{{'
            yield item
            yield "}}"
        elif isinstance(item, Nag):
            yield f'{comma}{{"nag":{item.number}}}'
        elif isinstance(item, Comment):
            yield f'{comma}{{"comment":{_encode(item.text)}}}'
        else:
            yield f'{comma}{{"unread":{_encode(item.text)}}}'
        comma = ","
