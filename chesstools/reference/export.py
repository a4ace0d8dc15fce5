"""Games as text of another format: PGN in the export format, JSON Lines, lists of moves, positions (docs/conversion.md).

This is the reference; the counterpart of the native core writes the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import chess

from chesstools.languages import looks_foreign
from chesstools.reference.export_moves import ENGLISH, write_move
from chesstools.reference.export_options import Parts, choose_parts, count_all
from chesstools.reference.export_pgn import to_pgn
from chesstools.reference.export_positions import Positions
from chesstools.reference.facts import Facts
from chesstools.reference.lexer import FILLERS, Kind
from chesstools.reference.replay import Replay
from chesstools.reference.segment import Region, Segmenter
from chesstools.reference.start import read_start
from chesstools.reference.tags import read_tags
from chesstools.reference.tree import make_tree
from chesstools.reference.window import Window
from chesstools.tree import GameTree

FORMATS = ("pgn", "jsonl", "san", "lan", "uci", "fen", "epd")


@dataclass(frozen=True, slots=True)
class Replayed:
    """A game as the writers want it."""

    tree: GameTree
    board: chess.Board | None
    """The start position; None where no game can be played."""
    start_fen: str | None
    """The start position as it can be shown; None for the usual one and where there is none."""
    moves: list[chess.Move]
    open_comments: int = 0
    """How many comments have no end."""
    is_renumbered: bool = False
    """Whether a move number of the mainline skips some or goes back."""
    is_foreign: bool = False
    """Whether its rest has moves with letters of other languages."""


class Exporter:
    """Writes games in one format, and counts what that leaves behind.

    Args:
        form: name of the format (`FORMATS`).
        options: those of the format, by the names that `chesstools.formats` has for them.
    """

    def __init__(self, form: str, options: Mapping[str, Any] | None = None) -> None:
        self._form = form
        self._options = dict(options or {})
        self._positions = Positions(form, **self._options) if form in ("fen", "epd") else None
        self.games = 0
        self.left: Counter[str] = Counter()

    def export(self, blocks: Iterable[bytes], source: str) -> Iterator[str]:
        """The text of each game of a PGN stream. Raises SourceError where it cannot be read to its end, after its games."""
        window = Window(blocks)
        index = 0
        for region in Segmenter(window):
            self.left["escape_lines"] += sum(token.kind is Kind.ESCAPE for token in region.tokens)
            if region.is_game:
                yield self.game(replay(region), source, index)
                index += 1
            elif any(token.kind not in FILLERS for token in region.tokens):
                self.left["outside"] += 1
        if window.error is not None:
            raise window.error

    def game(self, game: Replayed, source: str, game_index: int) -> str:
        """The text of one game."""
        self.games += 1
        self.left["open_comments"] += game.open_comments
        self.left["renumbered"] += game.is_renumbered
        self.left["foreign"] += game.is_foreign
        if self._form == "pgn":
            return to_pgn(game.tree, **self._options, left=self.left)
        if self._form == "jsonl":
            tree = choose_parts(game.tree, Parts(**self._options), self.left)
            return tree.to_json(source=source, game_index=game_index, start_fen=game.start_fen) + "\n"
        count_all(game.tree, self.left)
        if self._positions is not None:
            return self._positions.of(game.tree, game.board, game.moves, self.left)
        return self._list(game)

    def _list(self, game: Replayed) -> str:
        letters = self._options.get("letters", ENGLISH)
        words = [] if game.board is None or game.start_fen is None else ["fen", game.start_fen, "moves"]
        words += [write_move(move.san, move.uci, self._form, letters) for move in game.tree.moves]
        return " ".join(words) + "\n"


def replay(region: Region) -> Replayed:
    """Replay the game of a region, without a judgement of it."""
    facts = Facts(region, "", None, "")
    tags = read_tags(facts)
    start = read_start(facts, tags)
    board = None if start.board is None else start.board.copy(stack=False)
    shown = None if start.setup is None else start.setup.fen()
    run = Replay(facts, start.board, None)
    run.run()
    tree = make_tree(facts, tags, run.mainline)
    return Replayed(
        tree,
        board,
        None if shown == chess.STARTING_FEN else shown,
        [ply.move for ply in run.mainline.plies],
        sum(token.kind is Kind.OPEN_COMMENT for token in region.tokens),
        any(wrong.skipped for wrong in run.wrong_numbers),
        any(looks_foreign(facts.text(token)) for token in run.mainline.raw if token.kind in (Kind.MOVE, Kind.WORD)),
    )
