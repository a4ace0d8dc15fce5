"""The Laws as parameters: one object for every number that differs between editions and servers.

Only `fide-2023` is defined so far. The field names follow the table in which the editions are compared.
"""

from __future__ import annotations

from dataclasses import dataclass

from chesstools.errors import OptionError


@dataclass(frozen=True, slots=True)
class Profile:
    """The rule parameters in force for a game. Counts of moves are in plies (half-moves); None = the rule does not exist."""

    name: str
    threefold_claim: int | None
    """Occurrences of a position after which a draw may be claimed (9.2)."""
    threefold_announced: bool
    """Whether the player may write down a move that will bring about the occurrence, and claim (9.2.1)."""
    fivefold_draw: int | None
    """Occurrences at which the game is drawn without a claim (9.6.1)."""
    fifty_claim: int | None
    """Plies without capture or pawn move after which a draw may be claimed (9.3.2)."""
    fifty_announced: int | None
    """Plies after which a draw may be claimed with a written move that completes the count (9.3.1)."""
    seventyfive_draw: int | None
    """Plies without capture or pawn move at which the game is drawn without a claim (9.6.2); mate takes precedence."""


FIDE_2023 = Profile(
    name="fide-2023",
    threefold_claim=3,
    threefold_announced=True,
    fivefold_draw=5,
    fifty_claim=100,
    fifty_announced=99,
    seventyfive_draw=150,
)

PROFILES = {FIDE_2023.name: FIDE_2023}


def get_profile(name: str) -> Profile:
    """The profile with that name.

    >>> get_profile("fide-2023").seventyfive_draw
    150

    Raises `OptionError` for a name that is not defined.
    """
    try:
        return PROFILES[name]
    except KeyError:
        known = ", ".join(PROFILES)
        raise OptionError(f"There is no profile {name!r}; use one of: {known}.") from None
