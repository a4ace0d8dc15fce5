"""Everything that may be repaired in a game, family by family, in the order in which it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from chesstools.fixes import comments, encoding, guesses, moves, positions, results, tags, values
from chesstools.fixes.edit import Fix
from chesstools.fixes.judged import Judged

Wants = Callable[[str], bool]

_FAMILIES = (encoding, comments, tags, values, positions, moves, results, guesses)
"""What comes first makes way for what comes later: text is decoded before it is looked at."""


def propose(judged: Judged, wants: Wants, unsafe: bool) -> Iterator[Fix]:
    """The fixes for the findings of a game whose rules are wanted. Fixes that overlap come again in the next round."""
    for family in _FAMILIES if judged.facts is not None else (encoding,):
        for fix in family.fixes(judged, wants):
            if unsafe or not fix.unsafe:
                yield fix
