"""A game tree as PGN, in the export format of the standard (sections 4 and 8.2); docs/conversion.md says what it leaves open."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import chess

from chesstools.reference.export_lines import EMPTY, Lines
from chesstools.reference.export_moves import ENGLISH, write_move
from chesstools.reference.export_options import Parts, choose_parts
from chesstools.reference.export_start import first_number
from chesstools.reference.raw_text import has_name
from chesstools.reference.tags import ESCAPE, ROSTER
from chesstools.reference.values import normalise_result
from chesstools.tree import Close, Comment, GameTree, Nag, Open, Step, Unread, walk

_PLAIN_NAME = re.compile(r"[A-Za-z0-9_]+")
_LINE_BREAK = re.compile(r"\r\n|\n|\r")


def to_pgn(
    tree: GameTree,
    *,
    line_width: int = 80,
    comments: bool = True,
    nags: bool = True,
    variations: bool = True,
    clocks: bool = True,
    commands: bool = True,
    seven_tags: bool = False,
    roster: bool = False,
    tag_order: str = "as-read",
    reduced: bool = False,
    moves: str = "san",
    letters: Sequence[str] = ENGLISH,
    left: Counter[str] | None = None,
) -> str:
    r"""A game as PGN text, the empty line behind it included.

    Args:
        line_width: characters in a line of movetext at most; 0 for one line.
        comments, nags, variations, clocks, commands: whether these parts are wanted.
        seven_tags: the roster only (and what says where the game starts).
        roster: put the seven tags first, those that are missing with ``?``.
        tag_order: ``as-read``, or ``standard``: the roster first, the others by name.
        reduced: the reduced export format: the mainline with the seven tags, without commentary.
        moves: ``san``, ``lan`` or ``uci``.
        letters: of king, queen, rook, bishop, knight and pawn.
        left: counts what was left out, by kind.

    >>> print(to_pgn(GameTree([("White", 'the "Oak"')])), end="")
    [White "the \"Oak\""]
    <BLANKLINE>
    *
    <BLANKLINE>
    """
    parts = Parts(comments, nags, variations, clocks, commands, seven_tags or reduced, reduced)
    tree = choose_parts(tree, parts, Counter() if left is None else left)
    result = tree.result or normalise_result(tree.tag("Result")) or "*"
    pairs = arranged(tree.tags, result, roster=roster or reduced, sort=tag_order == "standard")
    is_tagged = bool(pairs) or any(map(has_name, tree.unread_tags))
    lines = [tag_line(name, value) for name, value in pairs]
    if is_tagged:
        lines += [*tree.unread_tags, ""]
    lines.append(_Movetext(tree, line_width, moves, letters).write(result, begins_game=not is_tagged))
    if not is_tagged:
        lines += tree.unread_tags
    return "\n".join(lines) + "\n\n"


def tag_line(name: str, value: str) -> str:
    r"""One tag pair.

    >>> tag_line("Event", 'C:\\"x"')
    '[Event "C:\\\\\\"x\\""]'
    """
    return f'[{name} "{escaped(name, _LINE_BREAK.sub(" ", value))}"]'


def escaped(name: str, value: str) -> str:
    r"""A value as a tag pair of that name has it. One under an odd name is read as it stands.

    >>> escaped("Event", '"'), escaped("Ev-ent", '"')
    ('\\"', '"')
    """
    return value.replace("\\", "\\\\").replace('"', '\\"') if _PLAIN_NAME.fullmatch(name) else value


def unescaped(name: str, value: str) -> str:
    """The value that `escaped` made so."""
    return ESCAPE.sub(r"\1", value) if _PLAIN_NAME.fullmatch(name) else value


def arranged(tags: list[tuple[str, str]], result: str, *, roster: bool, sort: bool) -> list[tuple[str, str]]:
    """The tags in the order that is wanted. `roster` puts the seven first and fills them; `result` is the marker.

    >>> arranged([("ECO", "A00"), ("White", "Alder")], "*", roster=False, sort=True)
    [('White', 'Alder'), ('ECO', 'A00')]
    """
    if not roster and not sort:
        return tags
    places: dict[str, int] = {}
    for place, (name, _) in enumerate(tags):
        places.setdefault(name, place)
    filled = {"Date": "????.??.??", "Result": result}
    first = [
        (name, tags[places[name]][1] if name in places else filled.get(name, "?")) for name in ROSTER if roster or name in places
    ]
    taken = {places[name] for name in ROSTER if name in places}
    others = [pair for place, pair in enumerate(tags) if place not in taken]
    return first + (sorted(others, key=lambda pair: pair[0]) if sort else others)


def _begins_with_move(tree: GameTree) -> bool:
    """Whether text without tags would be known as a game: comments aside, by a move or a marker."""
    return all(isinstance(item, Comment) for item in tree.before) and (bool(tree.moves) or tree.rest is None)


@dataclass(slots=True)
class _Line:
    """Where a line of play stands."""

    ply: int
    """Half-moves from the start of the numbers to the next move: 0 is White's move 1, 1 is Black's."""
    has_move: bool = False
    wants_number: bool = True


class _Movetext:
    """Writes the movetext of one tree."""

    def __init__(self, tree: GameTree, width: int, form: str, letters: Sequence[str]) -> None:
        self._tree = tree
        self._lines = Lines(width)
        self._form = form
        self._letters = letters

    def write(self, result: str, *, begins_game: bool) -> str:
        """All lines; `begins_game` says that no tag stands before them."""
        tree, lines = self._tree, self._lines
        if begins_game and not _begins_with_move(tree):
            lines.add("1.")
            lines.add(EMPTY)
        number, turn = first_number(tree)
        stack = [_Line(2 * number - 2 + (turn == chess.BLACK))]
        for part in walk(tree):
            line = stack[-1]
            if isinstance(part, Step):
                self._move(line, part)
            elif isinstance(part, Nag):
                lines.add(f"${part.number}")
            elif isinstance(part, Open):
                lines.open()
                stack.append(_Line(line.ply - line.has_move))
            elif isinstance(part, Close):
                lines.close()
                stack.pop()
                stack[-1].wants_number = True
            elif isinstance(part, Comment):
                lines.add_comment(part.text)
                line.wants_number = True
            elif isinstance(part, Unread):
                lines.add_raw(part.text)
                line.wants_number = True
            else:
                lines.add_raw_text(part.text)
        lines.add(result)
        if tree.behind is not None:
            lines.add_raw_text(tree.behind)
        return lines.text()

    def _move(self, line: _Line, move: Step) -> None:
        white = line.ply % 2 == 0
        if white or line.wants_number:
            self._lines.add(f"{line.ply // 2 + 1}{'.' if white else '...'}")
        self._lines.add(write_move(move.san, move.uci, self._form, self._letters))
        line.ply += 1
        line.has_move = True
        line.wants_number = False
