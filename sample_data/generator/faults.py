"""The table of faults: every kind has a name, the code it stands for, the styles it fits, and a way to plant it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

import chess

from generator import ends, laws, long_lines, styles
from generator.play import Play
from generator.scenarios import Director, settle
from generator.score import Sheet, Token
from generator.styles import Draft

ALL = frozenset(styles.STYLES)
STANDARD = ALL - {"chess960"}
WITH_POSITIONS = frozenset({"lichess", "cutechess", "fastchess", "annotated"})

Plant = Callable[["Maker"], "Sheet | None"]


@dataclass(frozen=True)
class Kind:
    """One kind of fault. `plant` writes a game with it, or gives None where that did not work out this time."""

    name: str
    code: str
    styles: frozenset[str]
    plant: Plant


TABLE: dict[str, Kind] = {}


def kind(name: str, code: str, styles: Iterable[str] = ALL) -> Callable[[Plant], Plant]:
    """Enter a function in the table."""

    def enter(plant: Plant) -> Plant:

        def whole(maker: Maker) -> Sheet | None:
            sheet = plant(maker)
            if sheet is not None:
                ends.note(sheet)
                long_lines.note(sheet)
            return sheet

        TABLE[name] = Kind(name, code, frozenset(styles), whole)
        return plant

    return enter


class Maker:
    """What a fault needs: a source of randomness, a style, games to plant it in, and the writing of them.

    `after_end` says that the game `before` ends with its termination marker, `first` that there is none before.
    """

    def __init__(
        self,
        rng: Random,
        style: str,
        length: int,
        *,
        after_end: bool = True,
        first: bool = False,
        before: Sheet | None = None,
    ) -> None:
        self.rng = rng
        self.style = style
        self.length = length
        self.after_end = after_end
        self.first = first
        self.before = before
        self.director = Director(rng, style, length)

    def game(self, scenario: str = "ordinary") -> Play:
        """A finished game with a result that fits."""
        play = self.director.game(scenario)
        settle(play, self.rng)
        return play

    def open_game(self, at_least: int = 4) -> Play:
        """A game that neither ended on the board nor had a claim in it, with at least that many plies."""
        while True:
            play = self.game()
            if len(play) >= at_least and not play.over and not laws.draw_facts(play.start, play.moves, play.result):
                return play

    def from_board(self, board: chess.Board, plies: int) -> Play:
        """A game from that position."""
        play = self.director.go_on(Play(board), plies)
        settle(play, self.rng)
        return play

    def write(self, draft: Draft) -> Sheet:
        """Write a draft in the style, and note what has to be reported about draws in its first `sound` plies.

        Where the line stops before its end, nobody knows how the game came to its result: then no claim was decisive.
        """
        sheet = styles.compose(draft, self.style, self.rng)
        moves = draft.play.moves[: draft.sound]
        result = draft.result if draft.sound == len(draft.texts) else "*"
        facts = laws.draw_facts(draft.play.start, moves, result)
        for fact in [*facts, *laws.right_facts(draft.play.start, moves, facts)]:
            where = sheet.move(fact.index) if fact.index else sheet.tag("FEN") or "first"
            sheet.add(fact.code, fact.severity, fact.index, where, fact.detail)
        sheet.play, sheet.sound = draft.play, draft.sound
        return sheet


def prefix(play: Play, plies: int) -> Play:
    """The first plies of a game, with the result of the whole."""
    short = Play(play.start)
    for move in play.moves[:plies]:
        short.step(move)
    short.result, short.reason = play.result, play.reason
    return short


def stopped(play: Play, index: int, text: str, tail: int) -> Draft:
    """A draft whose ply `index` + 1 is `text`, which cannot be replayed; up to `tail` plies follow."""
    short = prefix(play, index)
    texts = [*short.sans, text, *play.sans[index + 1 : index + 1 + tail]]
    return Draft(short, texts, index, play.result, play.result, plain=False)


def note_tail(sheet: Sheet, first: int) -> None:
    """Note M390 at the first of the plies that nobody judges, where there are any."""
    count = sheet.plies() - first + 1
    if count > 0:
        sheet.add("M390", "info", first, sheet.move(first), f"plies not judged: {count}")


def insert_after(sheet: Sheet, ply: int, tokens: list[Token]) -> None:
    """Put tokens behind a mainline move, and a move number before Black's answer if there was none."""
    move = sheet.move(ply)
    at = sheet.tokens.index(move) + 1
    while at < len(sheet.tokens) and sheet.tokens[at].kind == "nag":
        at += 1
    sheet.tokens[at:at] = tokens


def pick_ply(maker: Maker, play: Play, *, first: int = 1) -> int:
    """Any ply of the game from `first` on."""
    return maker.rng.randrange(first, len(play) + 1)
