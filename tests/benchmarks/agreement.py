"""Before anything is timed: every way reads its text once, and all must have counted the same.

The ways of chesstools agree exactly, and with the readable engine on the beginning of the archive. What other programs count
in the archive that the project measures on is known. In any other they may draw the line between games elsewhere: a small
difference is told, and a peer that reads another archive than we do, so to speak, is left out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

from .measures import BenchmarkError, Counts, Way, reported, run, run_way
from .peers import COMMENTED, DRIVER, FLOOR, PEERS, PGN_EXTRACT, PGN_EXTRACT_UCI, READ_GAME, SHAKMATY
from .texts import Text

REFERENCE = "head for reference"
"""The text that the readable engine judges too."""

TOLERANCE = 0.005
"""The share of games and plies that a peer may count otherwise in an archive of which nothing is known."""

OTB_BYTES = 81_687_744
OTB: Mapping[str, Counts] = {
    "archive": Counts(games=125_620, plies=10_212_025),
    SHAKMATY: Counts(games=125_620, plies=10_212_025, bad_games=1),
    COMMENTED: Counts(games=125_620, plies=10_212_025, bad_games=0),  # what stands behind an illegal move is not written
    PGN_EXTRACT: Counts(games=10_000, bad_games=0),
    PGN_EXTRACT_UCI: Counts(games=10_000, bad_games=0),
    READ_GAME: Counts(games=1_000, plies=83_884, bad_games=0),
}
"""What is known of the archive of that size: what chesstools finds under "archive", what peers find under their keys."""


@dataclass(frozen=True)
class Agreed:
    """What all agree on.

    Attributes:
        texts: what chesstools counts in each text.
        remarks: where peers count a little otherwise, in words.
        unfair: why a peer is left out, by its key.
    """

    texts: Mapping[str, Counts]
    remarks: Sequence[str] = ()
    unfair: Mapping[str, str] = field(default_factory=dict)


def check(ways: Sequence[Way], texts: Mapping[str, Text], folder: Path, tell: Callable[[str], None]) -> Agreed:
    """Run every way once, and compare. Raises BenchmarkError where they do not agree."""
    agreed = {}
    for name in sorted({way.text for way in ways if way.text} | {REFERENCE}):
        tell(f"counting: {name}")
        agreed[name] = _judged(texts[name], "native", folder)
        _same(f"{name}, as it was made", Counts(games=texts[name].games), agreed[name])
    tell("counting: the readable engine")
    _same("the readable engine", _judged(texts[REFERENCE], "reference", folder), agreed[REFERENCE])
    if {"archive", "packed"} <= agreed.keys():
        _same("the archive, packed", agreed["packed"], agreed["archive"])
    if {"archive", "commented"} <= agreed.keys():
        same = agreed["commented"]
        _same("the archive with comments", Counts(games=same.games, plies=same.plies), agreed["archive"])
    known = OTB if texts["archive"].size == OTB_BYTES else {}
    if "archive" in known and "archive" in agreed:
        _same("what is known of this archive", known["archive"], agreed["archive"])
    remarks: list[str] = []
    unfair: dict[str, str] = {}
    for way in ways:
        tell(f"counting: {way.key}")
        try:
            counts = way.count(run_way(way, folder))
        except BenchmarkError as error:
            if way.key not in PEERS or way.key in known:
                raise
            unfair[way.key] = f"it does not read this to the end: {str(error).strip().splitlines()[-1]}"
            continue
        if way.key == FLOOR:
            _same("the floor", counts, Counts(lines=_lines(texts[way.text].path)))
        elif way.key in known:
            _same(f"{way.key} is known to count", known[way.key], counts)
        elif way.key in PEERS:
            told = _otherwise(counts, agreed[way.text])
            if _is_near(counts, agreed[way.text]):
                remarks += [f"{way.key} {told} in its text"] if told else []
            else:
                unfair[way.key] = f"it {told}: no fair comparison"
        elif way.text:
            _same(way.key, counts, agreed[way.text])
    return Agreed(agreed, remarks, unfair)


def _judged(text: Text, engine: str, folder: Path) -> Counts:
    told = reported(run([sys.executable, str(DRIVER), "judge", str(text.path), engine], folder))
    return Counts(games=told["games"], plies=told["plies"], findings=told["findings"], by_code=told["by_code"])


def _lines(file: Path) -> int:
    with file.open("rb") as data:
        return sum(block.count(b"\n") for block in iter(lambda: data.read(1 << 20), b""))


def _same(what: str, counts: Counts, agreed: Counts) -> None:
    """All that both count must be the same."""
    for item in fields(Counts):
        mine, right = getattr(counts, item.name), getattr(agreed, item.name)
        if mine is not None and right is not None and mine != right:
            raise BenchmarkError(f"{what}: {item.name} {mine} instead of {right}; nothing was timed.")


def _both(counts: Counts, agreed: Counts) -> list[tuple[str, int, int]]:
    """Games and plies, as far as both count them."""
    pairs = [("games", counts.games, agreed.games), ("plies", counts.plies, agreed.plies)]
    return [(name, mine, right) for name, mine, right in pairs if mine is not None and right is not None]


def _otherwise(counts: Counts, agreed: Counts) -> str:
    """What a peer counts otherwise, in words; empty if nothing."""
    told = [f"finds {mine:,} {name} where we find {right:,}" for name, mine, right in _both(counts, agreed) if mine != right]
    return " and ".join(told)


def _is_near(counts: Counts, agreed: Counts) -> bool:
    return all(abs(mine - right) <= max(1, right * TOLERANCE) for _, mine, right in _both(counts, agreed))
