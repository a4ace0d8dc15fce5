"""Game: one game of an archive as an object, with its tree of moves; and the way to python-chess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import chess.pgn

from chesstools.finding import Finding
from chesstools.profile_choice import Choice
from chesstools.profiles import Profile
from chesstools.reference.game import GameFacts, read_game
from chesstools.reference.line import Ply
from chesstools.reference.segment import Segmenter
from chesstools.reference.tree import tree_of
from chesstools.reference.window import Window
from chesstools.source import Source
from chesstools.sources.in_turn import in_turn
from chesstools.tree import GameTree
from chesstools.tree_chess import to_chess


@dataclass(frozen=True, slots=True)
class Game:
    """One game as it was read. Nothing is filled in: a missing tag is missing, a missing result is None.

    Attributes:
        source, game_index, byte_offset, byte_length, line: where it stands (bytes and games from 0, lines from 1).
        tags: tag pairs by name; of tags that stand twice the first (`tag_pairs` has them all, in order).
        moves: the mainline as far as it could be replayed; each has `san`, `move`, `comments`, `nags`, `variations`.
        result: 1-0, 0-1, 1/2-1/2 or *; None where neither tag nor marker can be read.
        profile: the Laws that it was judged by, and `profile_reason` why (as in the games table).
        findings: what is wrong with it, in the order of the text.
    """

    source: str
    game_index: int
    facts: GameFacts

    @property
    def byte_offset(self) -> int:
        return self.facts.region.offset

    @property
    def byte_length(self) -> int:
        return len(self.facts.region.data)

    @property
    def line(self) -> int:
        return self.facts.region.line

    @property
    def profile(self) -> Profile:
        return self.facts.chosen.profile

    @property
    def profile_reason(self) -> str:
        return self.facts.chosen.reason

    @property
    def tags(self) -> dict[str, str]:
        return self.facts.tags.values

    @property
    def tag_pairs(self) -> list[tuple[str, str]]:
        return self.facts.tags.pairs

    @property
    def moves(self) -> list[Ply]:
        return self.facts.mainline.plies

    @property
    def result(self) -> str | None:
        return self.facts.ending.result

    @property
    def start_fen(self) -> str | None:
        return self.facts.start_fen

    @property
    def final_fen(self) -> str | None:
        return self.facts.final_fen

    @property
    def movetext(self) -> str:
        return self.facts.movetext

    @property
    def tree(self) -> GameTree:
        """All that the game says, in order: tags, moves, comments, NAGs, variations, and the text that could not be replayed.

        It is made anew each time, and changing it does not change the game.
        """
        return tree_of(self.facts)

    def to_pgn(self, **options: Any) -> str:
        r"""The game as PGN text in export format; the options are those of the format (docs/conversion.md).

        >>> from chesstools import games
        >>> from chesstools.source import Source
        >>> game = next(games(Source.from_bytes(b"1.e4! {c} e5 (d5 2.exd5) 2.Nf3 Zz9 *")))
        >>> game.to_pgn(line_width=0)
        '1. e4 $1 { c } 1... e5 (1... d5 2. exd5) 2. Nf3 Zz9 *\n\n'
        """
        return self.tree.to_pgn(**options)

    @property
    def findings(self) -> list[Finding]:
        return self.facts.findings

    def to_chess(self, left: Counter[str] | None = None) -> chess.pgn.Game:
        """The game as python-chess holds it, as far as it is legal; `left` counts what that has no place for.

        `chesstools.tree_chess.to_chess` says what that is, and `from_chess` there makes a tree of it again.

        >>> from chesstools import games
        >>> from chesstools.source import Source
        >>> game = next(games(Source.from_bytes(b"1. e4 {c} e5 (d5 2. exd5) 2. Nf3 *")))
        >>> game.to_chess().accept(chess.pgn.StringExporter(headers=False))
        '1. e4 { c } 1... e5 ( 1... d5 2. exd5 ) 2. Nf3 *'
        """
        return to_chess(self.tree, left)


def read_games(sources: Iterable[Source], *, choice: Choice, block_bytes: int = 1 << 20) -> Iterator[Game]:
    """Every game of the sources, in order. Raises SourceError where a source cannot be read to its end, after its games."""
    for source in in_turn(sources):
        with source.open(block_bytes) as stream:
            window = Window(stream)
            index = 0
            for region in Segmenter(window):
                if region.is_game:
                    yield Game(source.name, index, read_game(region, source.name, index, choice))
                    index += 1
            if window.error is not None:
                raise window.error
