"""What is wrong with an archive rather than with a game: games that stand in it twice."""

from __future__ import annotations

import chess

from generator.faults import STANDARD, Maker, kind
from generator.score import Sheet
from generator.styles import Draft

LEAST_PLIES = 20


@kind("duplicate-game", "A860", STANDARD - {"chesscom"})  # whose Termination names the players
def duplicate_game(maker: Maker) -> Sheet | None:
    """The game before once more, as another source may have written it."""
    before = maker.before
    if before is None or before.play is None or before.play.start != chess.Board():
        return None
    if before.broken or not LEAST_PLIES <= len(before.play) == before.sound == before.plies():
        return None
    names = [before.tag(side) for side in ("White", "Black")]
    sheet = maker.write(Draft.of(before.play))
    for name in names:
        if name is None or not any(map(str.isalnum, name.value)):
            return None
        sheet.put(name.name, maker.rng.choice((name.value, name.value.upper())))
    sheet.add("A860", "warning", None, "first", "the game before")
    return sheet
