"""A game tree, as JSON Lines hold it (docs/conversion.md), to the movetext from which the reader makes the same tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from chesstools.readers.record import Record
from chesstools.readers.report import BadRecordError
from chesstools.reference.comments import normalise
from chesstools.reference.export_lines import Lines
from chesstools.reference.raw_text import has_name

_SAN = re.compile(r"[^\s\x00{}()\[\];$\"<>%!?*]+")
_SANS = re.compile(r"(?:[^\s\x00{}()\[\];$\"<>%!?*]+(?: (?=.)|$))+")
_FEN = re.compile(r"\S+\s+([wb])\s+\S+\s+\S+(?:\s+\S+\s+(\d{1,5}))?")


def tree_record(game: dict[str, Any], place: str) -> Record:
    """The record of one tree. Raises BadRecordError where it has another shape.

    >>> moves = [{"san": "e4", "after": [{"variation": {"moves": [{"san": "d4"}]}}]}, {"san": "e5"}]
    >>> tree_record({"tags": [["White", "Ann"]], "moves": moves, "result": "*"}, "line 1").movetext
    '1. e4 ( 1. d4 ) 1... e5 *'
    """
    tags = _tags(game.get("tags") or [])
    fen = next((value for name, value in tags if name == "FEN"), "")
    match = _FEN.match(fen)
    ply = 2 * max(0, int(match[2] or 1) - 1) + (match[1] == "b") if match else 0
    parts = _bare(game, ply) or list(_line(game, ply, "game"))
    lines = [_string(line, f"unread_tags[{number}]") for number, line in enumerate(_list(game, "unread_tags", "game"))]
    has_section = bool(tags) or any(map(has_name, lines))
    if not has_section and not _begins_with_move(game):
        parts.insert(0, "1. {}")  # without tags it is known as a game only so
    if (result := _text(game, "result", "game")) is not None:
        parts.append(result)
    if behind := _text(game, "behind", "game"):
        parts.append(_raw(behind))
    if not has_section:
        # Before the movetext they would be a part of the game before.
        parts += [f"\n{line}\n" for line in lines]
        lines = []
    return Record(place, tags, " ".join(parts).replace("\n ", "\n"), unread_tags=lines)


def _bare(game: dict[str, Any], ply: int) -> list[str] | None:
    """The parts of a game that is nothing but moves, as most are, without a look at each; None for all others."""
    moves = game.get("moves")
    if not isinstance(moves, list) or game.get("before") or game.get("rest"):
        return None
    try:
        words = [move["san"] for move in moves if not move.get("after")]
        text = " ".join(words)
    except (TypeError, KeyError, AttributeError):
        return None
    if len(words) != len(moves) or text.count(" ") != len(words) - 1 or not _SANS.fullmatch(text):
        return None
    first = [f"{ply // 2 + 1}...", *words[:1]] if ply % 2 else []
    words = words[ply % 2 :]
    number = (ply + 1) // 2 + 1
    numbers = [f"{at}." for at in range(number, number + (len(words) + 1) // 2)]
    parts = [""] * (len(numbers) + len(words))
    parts[::3], parts[1::3], parts[2::3] = numbers, words[::2], words[1::2]
    return first + parts


def _begins_with_move(game: dict[str, Any]) -> bool:
    """Whether its text begins, comments aside, with a move or a marker."""
    items = game.get("before") or []
    return all("comment" in item for item in items) and (bool(game.get("moves")) or not game.get("rest"))


def _line(line: dict[str, Any], ply: int, where: str) -> Iterator[str]:
    """The parts of one line of play; `ply` counts from 0 at move 1 of White. Variations wait on a stack, however deep."""
    todo: list[Iterator[str | tuple[dict[str, Any], int, str]]] = [_parts(line, ply, where)]
    while todo:
        part = next(todo[-1], None)
        if part is None:
            todo.pop()
            if todo:
                yield ")"
        elif isinstance(part, str):
            yield part
        else:
            yield "("
            todo.append(_parts(*part))


def _parts(line: dict[str, Any], ply: int, where: str) -> Iterator[str | tuple[dict[str, Any], int, str]]:
    yield from _items(line, "before", ply, where)
    needs_number = True
    for number, move in enumerate(_list(line, "moves", where)):
        at = f"{where}.moves[{number}]"
        if not isinstance(move, dict):
            raise BadRecordError(f"is no game of this format ({at} is no object)")
        san = _string(move.get("san"), f"{at}.san")
        if not _SAN.fullmatch(san):
            raise BadRecordError(f"is no game of this format ({at}.san is no move)")
        if ply % 2 == 0:
            yield f"{ply // 2 + 1}."
        elif needs_number:
            yield f"{ply // 2 + 1}..."
        yield san
        needs_number = False
        for item in _items(move, "after", ply, at):
            needs_number = needs_number or not (isinstance(item, str) and item.startswith("$"))
            yield item
        ply += 1
    if rest := _text(line, "rest", where):
        yield _raw(rest)


def _items(node: dict[str, Any], key: str, ply: int, where: str) -> Iterator[str | tuple[dict[str, Any], int, str]]:
    """What stands behind a move, or before the first."""
    for number, item in enumerate(_list(node, key, where)):
        at = f"{where}.{key}[{number}]"
        if not isinstance(item, dict) or len(item) != 1:
            raise BadRecordError(f"is no game of this format ({at} is no object with one key)")
        ((kind, value),) = item.items()
        if kind == "nag" and isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 255:
            yield f"${value}"
        elif kind == "comment":
            yield _comment(_string(value, f"{at}.comment"))
        elif kind == "variation" and isinstance(value, dict):
            yield value, ply, f"{at}.variation"
        elif kind == "unread":
            yield _raw(_string(value, f"{at}.unread"))
        else:
            raise BadRecordError(f"is no game of this format ({at} is no nag, comment, variation or unread text)")


def _comment(text: str) -> str:
    text = normalise(text)
    return f"; {text}\n" if "{" in text or "}" in text else f"{{ {text} }}"


def _raw(text: str) -> str:
    """Text as it stood, in lines that make nothing else of it."""
    lines = Lines(0)
    lines.add_raw_text(text)
    return lines.text() + "\n"


def _tags(tags: Any) -> list[tuple[str, str]]:
    pairs = list(tags.items()) if isinstance(tags, dict) else tags
    if not isinstance(pairs, list):
        raise BadRecordError("is no game of this format (tags is no list)")
    for number, pair in enumerate(pairs):
        if not isinstance(pair, list | tuple) or len(pair) != 2 or not all(isinstance(part, str) for part in pair):
            raise BadRecordError(f"is no game of this format (tags[{number}] is no pair of texts)")
    return [(name, value) for name, value in pairs]


def _list(node: dict[str, Any], key: str, where: str) -> list[Any]:
    value = node.get(key)
    if value is not None and not isinstance(value, list):
        raise BadRecordError(f"is no game of this format ({where}.{key} is no list)")
    return value or []


def _text(node: dict[str, Any], key: str, where: str) -> str | None:
    value = node.get(key)
    return None if value is None else _string(value, f"{where}.{key}")


def _string(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise BadRecordError(f"is no game of this format ({where} is no text)")
    return value
