"""The game tree: everything that one game says, in order, whatever format it came from (docs/conversion.md).

A tree is plain data. Nothing here knows a board; `chesstools.game.Game.tree` is the tree of a game that was read, and
`chesstools.tree_build` makes trees from moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import chess.pgn


@dataclass(frozen=True, slots=True)
class Nag:
    """A numeric annotation glyph, 0 to 255 (PGN standard, section 8.2.4)."""

    number: int


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment: its text without outer blanks and line breaks, never empty."""

    text: str


@dataclass(frozen=True, slots=True)
class Unread:
    """A token that means nothing, as it stood."""

    text: str


class _Flat:
    """Equality without recursion, as variations may nest deeply."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return list(self._flat()) == list(other._flat())

    def _flat(self) -> Iterator[Any]:
        raise NotImplementedError


@dataclass(slots=True, eq=False)
class Move(_Flat):
    """A move, and what stands behind it, in order.

    Attributes:
        san: in standard notation, check marks included; ``--`` is the null move.
        uci: the same as UCI writes it; ``0000`` is the null move. In Chess960 the king takes the own rook to castle.
        after: NAGs, comments, variations (other moves in the position before this one) and unread text.
    """

    san: str
    uci: str
    after: list[Item] = field(default_factory=list)

    def _flat(self) -> Iterator[Any]:
        return walk(Variation(moves=[self]))


@dataclass(slots=True, eq=False)
class Variation(_Flat):
    """A line of play.

    Attributes:
        before: what stands before its first move.
        moves: its legal moves.
        rest: raw text from the first token that means no legal move to the end of the line; None where there is none.
    """

    before: list[Item] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    rest: str | None = None

    def _flat(self) -> Iterator[Any]:
        return walk(self)


Item: TypeAlias = Nag | Comment | Unread | Variation
"""What can stand before a line and behind a move."""


@dataclass(slots=True, eq=False)
class GameTree(_Flat):
    """One game. Two games are the same when their trees are equal.

    Attributes:
        tags: all tag pairs in order, with their exact values; a name may stand twice.
        unread_tags: lines that look like tag pairs but cannot be read, as they stood.
        before, moves, rest: the mainline, as in `Variation`.
        result: the termination marker as it stood; None where there is none.
        behind: raw text behind the termination marker; None where there is none.

    >>> tree = GameTree(tags=[("White", "Alder")], moves=[Move("e4", "e2e4", [Nag(1)])], result="*")
    >>> tree == GameTree([("White", "Alder")], moves=[Move("e4", "e2e4", [Nag(1)])], result="*")
    True
    >>> print(tree.to_pgn(), end="")
    [White "Alder"]
    <BLANKLINE>
    1. e4 $1 *
    <BLANKLINE>
    """

    tags: list[tuple[str, str]] = field(default_factory=list)
    unread_tags: list[str] = field(default_factory=list)
    before: list[Item] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    rest: str | None = None
    result: str | None = None
    behind: str | None = None

    def tag(self, name: str) -> str | None:
        """The value of a tag, the first one where it stands twice; None where there is none."""
        return next((value for one, value in self.tags if one == name), None)

    def to_pgn(self, **options: Any) -> str:
        """The game as PGN text, with the empty line behind it; options are those of the format (docs/conversion.md)."""
        from chesstools.reference.export_pgn import to_pgn

        return to_pgn(self, **options)

    def to_json(self, *, source: str | None = None, game_index: int | None = None, start_fen: str | None = None) -> str:
        """The game as one line of JSON Lines, without the line end.

        >>> GameTree(moves=[Move("e4", "e2e4")]).to_json(source="a.pgn", game_index=0)[:64]
        '{"source":"a.pgn","game_index":0,"tags":[],"unread_tags":[],"sta'
        """
        from chesstools.tree_json import to_json

        return to_json(self, source, game_index, start_fen)

    @classmethod
    def from_json(cls, record: str | bytes | dict[str, Any]) -> GameTree:
        """The game of a line of JSON Lines, or of the object in it. Raises OptionError, which names the place of the fault."""
        from chesstools.tree_record import from_json

        return from_json(record)

    def to_chess(self, left: Counter[str] | None = None) -> chess.pgn.Game:
        """The game as python-chess holds it; `left` counts what that has no place for (`chesstools.tree_chess`)."""
        from chesstools.tree_chess import to_chess

        return to_chess(self, left)

    @classmethod
    def from_chess(cls, game: chess.pgn.Game) -> GameTree:
        """The tree of a game of python-chess. Raises OptionError where a move is not legal."""
        from chesstools.tree_chess import from_chess

        return from_chess(game)

    @classmethod
    def from_moves(cls, moves: Iterable[str], tags: Iterable[tuple[str, str]] = (), result: str | None = None) -> GameTree:
        """A game from its moves, in any notation that can be read; the FEN and Variant tags say where it starts.

        Raises OptionError where one is no legal move.

        >>> [move.uci for move in GameTree.from_moves(["e4", "e7e5", "Ng1-f3"]).moves]
        ['e2e4', 'e7e5', 'g1f3']
        >>> GameTree.from_moves(["e4", "e4"])
        Traceback (most recent call last):
        chesstools.errors.OptionError: moves[1] is 'e4'; Black has no such move in move 1.
        """
        from chesstools.tree_legal import from_moves

        return from_moves(moves, tags, result)

    def check(self) -> None:
        """Raise OptionError, with the place, for the first move that is not legal, or not written as the standard writes it."""
        from chesstools.tree_legal import check

        check(self)

    def _flat(self) -> Iterator[Any]:
        yield self.tags
        yield self.unread_tags
        yield self.result
        yield self.behind
        yield from walk(self)


@dataclass(frozen=True, slots=True)
class Step:
    """A move as `walk` meets it."""

    san: str
    uci: str


@dataclass(frozen=True, slots=True)
class Rest:
    """The end of a line that could not be replayed, as `walk` meets it."""

    text: str


@dataclass(frozen=True, slots=True)
class Open:
    """A variation begins."""


@dataclass(frozen=True, slots=True)
class Close:
    """A variation ends."""


Part: TypeAlias = Step | Nag | Comment | Unread | Open | Close | Rest
_OPEN, _CLOSE = Open(), Close()


def walk(line: GameTree | Variation) -> Iterator[Part]:
    """Everything in a line and its variations in the order of the text, without recursion.

    >>> [type(part).__name__ for part in walk(Variation([Comment("x")], [Move("e4", "e2e4", [Variation()])]))]
    ['Comment', 'Step', 'Open', 'Close']
    """
    stack = [_parts(line)]
    while stack:
        for part in stack[-1]:
            if isinstance(part, Variation):
                yield _OPEN
                stack.append(_parts(part))
                break
            yield part
        else:
            stack.pop()
            if stack:
                yield _CLOSE


def _parts(line: GameTree | Variation) -> Iterator[Step | Rest | Item]:
    yield from line.before
    for move in line.moves:
        yield Step(move.san, move.uci)
        yield from move.after
    if line.rest is not None:
        yield Rest(line.rest)
