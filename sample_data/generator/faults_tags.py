"""Tags with values that cannot be what they say: dates, ratings, time controls, counts, terminations, set-ups."""

from __future__ import annotations

import chess

from generator import starts
from generator.faults import STANDARD, WITH_POSITIONS, Maker, kind
from generator.score import Sheet
from generator.styles import Draft


def _value(maker: Maker, code: str, severity: str, name: str, values: tuple[str, ...]) -> Sheet | None:
    sheet = maker.write(Draft.of(maker.game()))
    tag = sheet.put(name, maker.rng.choice(values))
    sheet.add(code, severity, None, tag, tag.value)
    return sheet


@kind("bad-date", "T120")
def bad_date(maker: Maker) -> Sheet | None:
    """A day that does not exist, or another format."""
    return _value(maker, "T120", "warning", "Date", ("2023.02.30", "2023-05-14", "14.05.2023", "2023.13.01", "May 2023"))


@kind("bad-elo", "T121")
def bad_elo(maker: Maker) -> Sheet | None:
    """A rating that is no number, or no possible one."""
    name = maker.rng.choice(("WhiteElo", "BlackElo"))
    return _value(maker, "T121", "warning", name, ("abc", "15OO", "-12", "99999", "unrated", "2400.5"))


@kind("bad-timecontrol", "T122")
def bad_time_control(maker: Maker) -> Sheet | None:
    """A time control in words or in another notation."""
    return _value(maker, "T122", "warning", "TimeControl", ("40/2h", "15'/game & 10", "5 min", "2700|15", "G/90"))


@kind("plycount-mismatch", "T123")
def plycount_mismatch(maker: Maker) -> Sheet | None:
    """PlyCount says more or fewer plies than there are."""
    sheet = maker.write(Draft.of(maker.game()))
    plies = sheet.plies()
    tag = sheet.put("PlyCount", str(maker.rng.choice((plies + 1, plies + 20, max(0, plies - 1)))))
    sheet.add("T123", "warning", None, tag, f"{tag.value} for {plies}")
    return sheet


@kind("bad-termination", "T125")
def bad_termination(maker: Maker) -> Sheet | None:
    """A Termination that no program writes."""
    return _value(maker, "T125", "info", "Termination", ("foo", "the cat sat on the board", "because", "ended somehow"))


_DEEP_CODES = ("B79", "B99", "C99", "D69", "E59", "E99")
"""Codes that begin nine moves deep or deeper: in their positions 24 squares or more are not as in the array."""


@kind("eco-mismatch", "T126", STANDARD)
def eco_mismatch(maker: Maker) -> Sheet | None:
    """The code of a long line of theory over a few moves, which change too few squares to come near it."""
    play = maker.from_board(chess.Board(), maker.rng.randrange(4, 7))
    sheet = maker.write(Draft.of(play))
    tag = sheet.put("ECO", maker.rng.choice(_DEEP_CODES))
    sheet.add("T126", "info", None, tag, f"{tag.value} for {' '.join(play.sans)}")
    return sheet


@kind("setup-without-fen", "T124")
def setup_without_fen(maker: Maker) -> Sheet | None:
    """SetUp says that there is a FEN, and there is none."""
    while True:
        play = maker.game()
        if play.start.fen() == chess.STARTING_FEN:
            break
        if maker.style == "chess960":
            return None
    sheet = maker.write(Draft.of(play))
    sheet.add("T124", "warning", None, sheet.put("SetUp", "1"), "setup without fen")
    return sheet


@kind("fen-without-setup", "T124", WITH_POSITIONS | {"chess960"})
def fen_without_setup(maker: Maker) -> Sheet | None:
    """A FEN, but SetUp is missing or says 0."""
    board = starts.chess960(maker.rng) if maker.style == "chess960" else starts.midgame(maker.rng, 9)
    sheet = maker.write(Draft.of(maker.from_board(board, maker.length)))
    if maker.rng.random() < 0.5:
        sheet.drop("SetUp")
    else:
        sheet.put("SetUp", "0")
    fen = sheet.tag("FEN")
    assert fen is not None
    sheet.add("T124", "warning", None, fen, "fen without setup")
    return sheet
