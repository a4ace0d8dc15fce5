"""Which games are searched, and what is told of them: the table games of one part, and filters by its columns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chesstools.eco_tag import codes
from chesstools.errors import OptionError

if TYPE_CHECKING:
    import pyarrow as pa

    from chesstools.search.block import Numbers

TOLD = ("source", "game_index", "line", "white", "black", "white_elo", "black_elo", "result_value", "event", "date", "eco")
"""Columns of games that are told of a game that is found."""

READ = (*TOLD, "year", "start_fen", "rules", "legal_ply_count")
"""Columns that a search needs."""

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")

_YEARS = re.compile("(?P<only>[0-9]{1,4})|(?P<first>[0-9]{1,4})?-(?P<last>[0-9]{1,4})?")
_ECO = re.compile("([A-E](?:[0-9][0-9]?)?)(?:-([A-E](?:[0-9][0-9]?)?))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Filter:
    """What a game must be; what is None need not be. Null in a column is never what was asked for."""

    player: str | None = None
    """Part of the name of either player, in whatever case."""
    white: str | None = None
    black: str | None = None
    result: str | None = None
    years: tuple[int | None, int | None] | None = None
    """First and last year."""
    elo: int | None = None
    """Both ratings are at least that."""
    eco: tuple[str, str] | None = None
    """First and last code in the ECO tag, see `chesstools.eco_tag`."""

    def holds(self, games: pa.Table) -> Numbers:
        """A truth value for each row."""
        import numpy as np
        import pyarrow as pa
        import pyarrow.compute as pc

        parts = []

        def named(color: str, part: str) -> pa.ChunkedArray:
            return pc.match_substring(games[color], part, ignore_case=True)

        if self.player is not None:
            white, black = named("white", self.player), named("black", self.player)
            parts.append(pc.or_(pc.fill_null(white, False), pc.fill_null(black, False)))
        if self.white is not None:
            parts.append(named("white", self.white))
        if self.black is not None:
            parts.append(named("black", self.black))
        if self.result is not None:
            parts.append(pc.equal(games["result_value"], self.result))
        first, last = self.years or (None, None)
        if first is not None:
            parts.append(pc.greater_equal(games["year"], first))
        if last is not None:
            parts.append(pc.less_equal(games["year"], last))
        if self.elo is not None:
            parts += [pc.greater_equal(games[column], self.elo) for column in ("white_elo", "black_elo")]
        if self.eco is not None:
            code = codes(games["eco"])
            parts += [pc.greater_equal(code, self.eco[0]), pc.less_equal(code, self.eco[1])]
        holds = np.ones(games.num_rows, dtype=bool)
        for part in parts:
            holds &= pa.chunked_array(part).fill_null(False).to_numpy().astype(bool)
        return holds


def filter_of(
    *,
    player: str | None = None,
    white: str | None = None,
    black: str | None = None,
    result: str | None = None,
    year: str | None = None,
    elo: int | None = None,
    eco: str | None = None,
) -> Filter:
    """A filter as users write it: years as 1990, 1990-1999, 1990- or -1999, codes as B, B9, B90 or B90-C20. Raises OptionError.

    >>> filter_of(year="1990-", eco="B9").eco
    ('B90', 'B99')
    """
    if result is not None and result not in RESULTS:
        raise OptionError(f"There is no result {result!r}; choose from {', '.join(RESULTS)}.")
    years = _years(year) if year is not None else None
    return Filter(player, white, black, result, years, elo, _codes(eco) if eco is not None else None)


def _years(text: str) -> tuple[int | None, int | None]:
    match = _YEARS.fullmatch(text)
    if match is None or not any(match.groups()):
        raise OptionError(f"{text!r} is no year; write 1995, 1990-1999, 1990- or -1999.")
    only, first, last = (int(number) if number else None for number in match.groups())
    if first is not None and last is not None and first > last:
        raise OptionError(f"The years {text} go backwards; write {last}-{first}.")
    return (first, last) if only is None else (only, only)


def _codes(text: str) -> tuple[str, str]:
    match = _ECO.fullmatch(text)
    if match is None:
        raise OptionError(f"{text!r} is no ECO code; write B90, B9, B or B90-B99.")
    first, last = match[1].upper().ljust(3, "0"), (match[2] or match[1]).upper().ljust(3, "9")
    if first > last:
        raise OptionError(f"The codes {text} go backwards; write {match[2]}-{match[1]}.")
    return first, last
