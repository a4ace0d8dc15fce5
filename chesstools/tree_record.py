"""A game tree from a record of JSON Lines. What cannot be in a tree is refused, with the place where it stands."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from chesstools import tree_limits as limits
from chesstools.errors import OptionError
from chesstools.tree import Comment, GameTree, Item, Move, Nag, Unread, Variation

_GAME = ("source", "game_index", "tags", "unread_tags", "start_fen", "before", "moves", "rest", "result", "behind")
_ITEMS = ("nag", "comment", "unread", "variation")
_Record: TypeAlias = Mapping[str, Any]
_Work: TypeAlias = "tuple[_Record, GameTree | Variation, str, int]"
"""A line that is still to be read: its record, where it goes, its place, and how deep it is."""


def from_json(record: str | bytes | _Record) -> GameTree:
    """The tree of one record, a line of JSON or the object in it.

    `source`, `game_index` and `start_fen` are no part of it: the FEN tag says where a game starts. Lists and null may be left
    out where there is nothing. Whether moves are legal is not looked at; that is told when the game is read.

    Raises OptionError: one sentence that names the place.

    >>> from_json('{"tags": [["White", "Alder"]], "moves": [{"san": "e4", "uci": "e2e4"}], "result": "*"}').moves[0].san
    'e4'
    >>> from_json('{"moves": [{"san": "e4", "uci": 5}]}')
    Traceback (most recent call last):
    chesstools.errors.OptionError: moves[0].uci is 5; it must be text.
    """
    game = _object(_loaded(record), "", _GAME)
    tree = GameTree(
        [_tag(pair, place) for pair, place in _members(game, "tags", "")],
        [_text(line, place, limits.why_not_unread_tag) for line, place in _members(game, "unread_tags", "")],
        result=_text_or_none(game, "result", "", limits.why_not_result),
        behind=_text_or_none(game, "behind", "", limits.why_not_behind),
    )
    limits.check_order(tree.unread_tags)
    todo: list[_Work] = [(game, tree, "", 0)]
    while todo:
        members, line, place, depth = todo.pop()
        line.before = list(_items(members, "before", place, depth, todo))
        line.moves = [_move(move, at, depth, todo) for move, at in _members(members, "moves", place)]
        rest = limits.why_not_tail if depth > limits.MAX_VARIATION_DEPTH else limits.why_not_rest_of(depth)
        line.rest = _text_or_none(members, "rest", place, rest)
        if depth > limits.MAX_VARIATION_DEPTH and (line.before or line.moves):
            raise OptionError(f"{place.rstrip('.')} is nested too deeply to have anything but a rest.")
    return tree


def _loaded(record: str | bytes | _Record) -> Any:
    if not isinstance(record, str | bytes):
        return record
    try:
        return json.loads(record)
    except RecursionError:
        raise OptionError("The record is nested too deeply; variations may nest a hundred deep.") from None
    except ValueError as error:
        raise OptionError(f"The record is no JSON: {error}.") from None


def _members(record: _Record, name: str, place: str) -> Iterator[tuple[Any, str]]:
    """The members of a list with their places; none where it is left out."""
    members = record.get(name)
    if not isinstance(members, list | tuple | None):
        raise OptionError(f"{place}{name} is {_shown(members)}; it must be a list.")
    for number, member in enumerate(members or ()):
        yield member, f"{place}{name}[{number}]"


def _object(value: Any, place: str, names: tuple[str, ...]) -> _Record:
    if not isinstance(value, Mapping):
        raise OptionError(f"{place or 'The record'} is {_shown(value)}; it must be an object.")
    for name in value:
        if name not in names:
            raise OptionError(f"{place or 'The record'} has a member {_shown(name)}; it may have {', '.join(names)}.")
    return value


def _text(value: Any, place: str, why_not: Callable[[str], str | None] | None = None) -> str:
    if not isinstance(value, str):
        raise OptionError(f"{place} is {_shown(value)}; it must be text.")
    reason = limits.why_not_text(value) or (why_not(value) if why_not is not None else None)
    if reason is not None:
        raise OptionError(f"{place} is {_shown(value)}; it {reason}.")
    return value


def _text_or_none(record: _Record, name: str, place: str, why_not: Callable[[str], str | None]) -> str | None:
    value = record.get(name)
    return None if value is None else _text(value, place + name, why_not)


def _tag(pair: Any, place: str) -> tuple[str, str]:
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        raise OptionError(f"{place} is {_shown(pair)}; it must be a list of a name and a value.")
    return _text(pair[0], f"{place}[0]", limits.why_not_tag_name), _text(pair[1], f"{place}[1]")


def _move(move: Any, place: str, depth: int, todo: list[_Work]) -> Move:
    members = _object(move, place, ("san", "uci", "after"))
    san = _text(members.get("san"), f"{place}.san", limits.why_not_move)
    uci = _text(members.get("uci"), f"{place}.uci", limits.why_not_move)
    return Move(san, uci, list(_items(members, "after", f"{place}.", depth, todo)))


def _items(record: _Record, name: str, place: str, depth: int, todo: list[_Work]) -> Iterator[Item]:
    seen: set[int] = set()
    for item, at in _members(record, name, place):
        members = _object(item, at, _ITEMS)
        if len(members) != 1:
            raise OptionError(f"{at} has {len(members)} members; it must have one of {', '.join(_ITEMS)}.")
        ((kind, value),) = members.items()
        where = f"{at}.{kind}"
        if kind == "nag":
            if type(value) is not int or not 0 <= value <= 255 or value in seen:
                raise OptionError(
                    f"{where} is {_shown(value)}; it must be a whole number from 0 to 255 that does not stand here twice."
                )
            seen.add(value)
            yield Nag(value)
        elif kind == "comment":
            yield Comment(_text(value, where, limits.why_not_comment))
        elif kind == "unread":
            yield Unread(_text(value, where, limits.why_not_unread_of(depth)))
        else:
            variation = Variation()
            todo.append((_object(value, where, ("before", "moves", "rest")), variation, f"{where}.", depth + 1))
            yield variation


def _shown(value: object) -> str:
    """A value as JSON has it, cut where it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."
