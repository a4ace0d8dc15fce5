"""The Laws as parameters: one object for every number that differs between editions, servers and federations.

They are read from `profiles.toml`, and from a file of the user's own in the same form. Which one a game gets: see
`chesstools.profile_choice`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from difflib import get_close_matches
from functools import cache
from typing import Any

from chesstools.errors import OptionError
from chesstools.extensions import Extension

UNDATED = "fide-2023"
"""What a game is judged by of which nothing tells when and where it was played."""

EARLIER = "seed-1992"
"""What a game is judged by that was played before the first edition that is known in full; without extensions."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a profile said before some day, where that was something else."""

    before: date
    values: Mapping[str, Any]
    """Parameter → value, in the form that `Profile` has it."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The rule parameters in force for a game. Counts of moves are in plies (half-moves); None = the rule does not exist.

    `profiles.toml` says what each parameter means.
    """

    name: str
    title: str
    valid_from: date | None
    """First day on which the date of a game chooses this profile; None: it never does."""
    threefold_claim: int | None
    """Occurrences of a position after which a draw may be claimed (9.2)."""
    threefold_announced: bool
    """Whether the player may write down a move that will bring about the occurrence, and claim (9.2.1)."""
    threefold_automatic: bool
    """Whether the game is drawn at that occurrence, with no claim (servers)."""
    fivefold_draw: int | None
    """Occurrences at which the game is drawn without a claim (9.6.1)."""
    fivefold_consecutive: bool
    """Whether they count only where the position stands at each fourth ply (2014 to 2017)."""
    fifty_claim: int | None
    """Plies without capture or pawn move after which a draw may be claimed (9.3.2)."""
    fifty_announced: int | None
    """Plies after which a draw may be claimed with a written move that completes the count (9.3.1)."""
    fifty_automatic: bool
    """Whether the game is drawn when the count is full, with no claim (servers)."""
    fifty_min_men: int | None
    """Men that must be left for the 50-move rule (ICCF: 8, as with fewer the tablebase is asked)."""
    fifty_extensions: tuple[Extension, ...]
    fifty_may_be_extended: bool
    seventyfive_draw: int | None
    """Plies without capture or pawn move at which the game is drawn without a claim (9.6.2); mate takes precedence."""
    tablebase_claim_men: int | None
    castling_key: str
    """rights or available-now: what makes two positions with the same men different."""
    ep_key: str
    """legal, pseudo or fen: which captures en passant make two positions with the same men different."""
    dead_position: str
    """three-cases, any-series, uscf, lichess or chesscom: which rule says that the game is over for lack of material."""
    flag_draw: str
    """bare-king, no-mate, uscf, lichess, chesscom or none: when a player who oversteps the time draws."""
    knn_flag_draw: bool
    quick_play_claim: str | None
    resign_unwinnable_draws: bool
    """Whether resigning draws where the opponent could not win (5.1.2)."""
    agreed_draw_needs_moves: bool
    """Whether both players must have moved before they agree on a draw (5.2.3)."""
    both_lose: bool | None
    """Whether both players can lose; None where this is not known."""
    illegal_moves_lose: tuple[int, int, int] | None
    """Which illegal move loses in standard, rapid and blitz chess; None where none does, or this is not known."""
    colours_reversed: str | None
    wrong_array: str | None
    false_claim: str | None
    late: str | None
    moves_after_end: str
    sites: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    marks: Mapping[str, str] = field(default_factory=dict)
    """Parameter → R (from a secondary source) or M (not re-checked); the others rest on the text of the rules."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Parameter → what else there is to say of its value."""
    earlier: tuple[Earlier, ...] = ()
    """What was otherwise before some days, the latest of them first; each says what differs from the one before it here."""

    @property
    def automatic_repetition(self) -> int | None:
        """Occurrences at which the game is drawn without a claim; None where it never is."""
        return self.threefold_claim if self.threefold_automatic else self.fivefold_draw

    @property
    def automatic_moves(self) -> int | None:
        """Plies without capture or pawn move at which the game is drawn without a claim; None where it never is."""
        return self.fifty_claim if self.fifty_automatic else self.seventyfive_draw

    @property
    def versions(self) -> list[tuple[date, Profile]]:
        """The profile as it was before some days, the earliest of them first; nothing where it was always the same.

        >>> [(str(before), was.fivefold_draw) for before, was in get_profile("lichess").versions]
        [('2020-02-01', None)]
        """
        found, values = [], dict[str, Any]()
        for one in self.earlier:
            values |= one.values
            found.append((one.before, replace(self, earlier=(), **values)))
        return found[::-1]


@cache
def builtin_profiles() -> Mapping[str, Profile]:
    """The profiles that come with chesstools, by name, in the order of `profiles.toml`."""
    from chesstools.profile_file import builtin_text, read_profiles

    return read_profiles(builtin_text(), "profiles.toml", {})


def get_profile(name: str, profiles: Mapping[str, Profile] | None = None) -> Profile:
    """The profile with that name, among `profiles` or among those that come with chesstools.

    >>> get_profile("fide-2023").seventyfive_draw
    150
    >>> get_profile("seed-1992").fifty_announced is None
    True

    Upper and lower case are the same, unless two names differ in nothing else. Raises `OptionError` for a name that is not
    defined; where there is one that was probably meant (of the edition in force in a year, or spelled like it), that tells.
    """
    profiles = builtin_profiles() if profiles is None else profiles
    found = find_profile(name, profiles)
    if found is None:
        raise OptionError(f"There is no profile {name!r}{meant(name, profiles)}; use one of: {', '.join(profiles)}.")
    return found


def find_profile(name: str, profiles: Mapping[str, Profile]) -> Profile | None:
    """The profile with that name, in whatever case; None where there is none, or more than one."""
    if name in profiles:
        return profiles[name]
    like = [profile for other, profile in profiles.items() if other.lower() == name.lower()]
    return like[0] if len(like) == 1 else None


def meant(name: str, profiles: Mapping[str, Profile]) -> str:
    """What to say of the profile that was probably meant by a name; nothing where none comes near.

    >>> meant("fide-1995", builtin_profiles())
    ' (in 1995 it was seed-1992)'
    >>> meant("chess.com", builtin_profiles())
    ' (chesscom?)'
    """
    year = re.search(r"(?<!\d)(1[89]|2\d)\d\d(?!\d)", name)
    if year is not None:
        dated = [(one.valid_from, one.name) for one in profiles.values() if one.valid_from is not None]
        in_force = [edition for edition in dated if edition[0].year <= int(year[0])]
        return f" (in {year[0]} it was {max(in_force)[1]})" if in_force else ""
    near = get_close_matches(name.lower(), profiles, n=1)
    return f" ({near[0]}?)" if near else ""
