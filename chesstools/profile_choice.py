"""Which profile a game gets: the one that was asked for, or by its Site, Mode, Event and Date tags.

Both engines choose alike; the native core is handed the profiles and chooses by itself (`profile_choice.rs`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, cached_property
from pathlib import Path

import xxhash

from chesstools.errors import OptionError
from chesstools.profiles import EARLIER, UNDATED, Profile, builtin_profiles, find_profile, meant
from chesstools.reference.values import parse_date
from chesstools.stores import on_disk_only

AUTO = "auto"

REASONS = ("option", "site", "mode", "event", "date", "before-1985", "date-incomplete", "date-unknown")
"""Why a game got its profile: it was asked for; the Site, Mode or Event tag; the Date tag (or else UTCDate). before-1985: the
date is before the first edition that is known in full. date-incomplete: what is known of the date leaves several open, of
which the latest is taken. date-unknown: there is no date."""

UNCERTAIN = ("date-incomplete", "date-unknown")
"""Reasons for which what could be claimed is reported as information only, and a draw agreed too early not at all."""

Day = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The profile of a game, and why it is that one (one of `REASONS`)."""

    profile: Profile
    reason: str

    @property
    def certain(self) -> bool:
        """Whether it is known that these rules were in force."""
        return self.reason not in UNCERTAIN


@dataclass(frozen=True)
class Choice:
    """Chooses a profile for each game.

    >>> choice = read_choice()
    >>> chosen = choice.of({"Date": "1989.??.??"}.get)
    >>> chosen.profile.name, chosen.reason
    ('fide-1989', 'date')
    >>> chosen = choice.of({"Date": "1997.??.??"}.get)
    >>> chosen.profile.name, chosen.reason
    ('fide-1997', 'date-incomplete')
    """

    label: str
    """What was asked for, for the record: a name, or auto, and the file of profiles if there was one."""
    profiles: tuple[Profile, ...]
    option: Profile | None = None
    """The profile that every game gets; None: it depends on the game."""

    def of(self, tag: Callable[[str], str | None]) -> Chosen:
        """The profile of the game whose tags `tag` gives by name, as it was on its day."""
        days = _days(tag("Date"), tag("UTCDate"))
        if self.option is not None:
            found = Chosen(self.option, "option")
        else:
            hinted = self._hint(tag("Site") or "", tag("Mode") or "", tag("Event") or "")
            found = hinted or self._by_date(days)
        # Where several days are possible the latest one counts, and where none is known the profile as it is now.
        was = [] if days is None else [version for before, version in found.profile.versions if days[1] < _day(before)]
        return replace(found, profile=was[0]) if was else found

    @cached_property
    def undated(self) -> Profile:
        """The profile of games that nothing is known of."""
        return self.option or next(profile for profile in self.profiles if profile.name == UNDATED)

    @cached_property
    def earlier(self) -> Profile:
        """The profile of games before the first edition: without extensions, as those belong to later years."""
        found = next(profile for profile in self.profiles if profile.name == EARLIER)
        return replace(found, fifty_extensions=())

    @cached_property
    def editions(self) -> list[tuple[Day, Profile]]:
        """First days and the profiles that are in force from them on, in order."""
        dated = [(profile.valid_from, profile) for profile in self.profiles if profile.valid_from is not None]
        found = ((_day(day), profile) for day, profile in dated)
        return sorted(found, key=lambda edition: edition[0])

    def _hint(self, site: str, mode: str, event: str) -> Chosen | None:
        for profile in self.profiles:
            if names_site(site, profile.sites):
                return Chosen(profile, "site")
        for profile in self.profiles:
            if any(_lower(mode.strip(" \t")) == _lower(word) for word in profile.modes):
                return Chosen(profile, "mode")
        for profile in self.profiles:
            if any(_word(word).search(event) for word in profile.events):
                return Chosen(profile, "event")
        return None

    def _by_date(self, days: tuple[Day, Day] | None) -> Chosen:
        if days is None:
            return Chosen(self.undated, "date-unknown")
        first, latest = map(self._on, days)
        if first is not latest:
            return Chosen(latest, "date-incomplete")
        return Chosen(first, "before-1985" if first is self.earlier else "date")

    def _on(self, day: Day) -> Profile:
        """The edition in force on a day."""
        found = self.earlier
        for first, profile in self.editions:
            if first <= day:
                found = profile
        return found


def _day(day: date) -> Day:
    return day.year, day.month, day.day


def _days(*texts: str | None) -> tuple[Day, Day] | None:
    """The first and the last day that the first of these texts to name a year leaves open."""
    for text in texts:
        known = parse_date(text or "")
        if known is not None and known.year is not None:
            day = None if known.month is None else known.day
            return (known.year, known.month or 1, day or 1), (known.year, known.month or 12, day or 31)
    return None


def read_choice(profile: str | Profile | Choice = AUTO, profile_file: str | os.PathLike[str] | None = None) -> Choice:
    """What the arguments `profile` (auto, a name, or a profile itself) and `profile_file` (more profiles) ask for. A choice that
    was made stays.

    Raises OptionError for a name that is not defined, for a file that cannot be read or understood, and for one that announces
    extensions of the 50-move rule for which the profile leaves no room.
    """
    if isinstance(profile, Choice):
        return profile
    profiles, beside = read_profile_file(profile_file)
    option = profile if isinstance(profile, Profile) else find_profile(profile, profiles)
    if profile_file is not None and option is not None:
        _check_room(option, profile_file, profiles)
    if isinstance(profile, Profile):
        from chesstools.profile_file import check_profile

        check_profile(profile)
        known = profiles.get(profile.name) == profile
        label = profile.name if known else f"{profile.name} {xxhash.xxh3_64_hexdigest(repr(profile).encode())}"
        return Choice(label + beside, (profile,), profile)
    if profile == AUTO:
        return Choice(AUTO + beside, tuple(profiles.values()))
    if option is None:
        near = meant(profile, profiles)
        raise OptionError(f"There is no profile {profile!r}{near}; use auto or one of: {', '.join(profiles)}.")
    return Choice(option.name + beside, (option,), option)


def _check_room(profile: Profile, file: str | os.PathLike[str], profiles: Mapping[str, Profile]) -> None:
    """Raise OptionError where extensions were announced that would have no effect on any game."""
    from chesstools.profile_file import announces

    if announces(_text(file)) and not profile.fifty_may_be_extended:
        room = ", ".join(one.name for one in profiles.values() if one.fifty_may_be_extended)
        raise OptionError(
            f"{os.fspath(file)} announces more than 50 moves for some endings, but {profile.name} leaves no room for that; "
            f"choose auto or one of: {room}; or set fifty_may_be_extended = true."
        )


def read_profile_file(file: str | os.PathLike[str] | None) -> tuple[Mapping[str, Profile], str]:
    """The profiles that come with chesstools and those of `file`, if there is one; and what tells it from other files.

    Raises OptionError for a file that cannot be read or understood.
    """
    if file is None:
        return builtin_profiles(), ""
    from chesstools.profile_file import read_profiles

    text = _text(file)
    profiles = read_profiles(text, os.fspath(file), builtin_profiles())
    return profiles, f" with {Path(file).name} {xxhash.xxh3_64_hexdigest(text.encode())}"


def _text(file: str | os.PathLike[str]) -> str:
    on_disk_only(file, "profiles")
    try:
        return Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise OptionError(f"Could not read {os.fspath(file)}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise OptionError(f"{os.fspath(file)} is not UTF-8, as TOML is.") from None


def names_site(site: str, patterns: tuple[str, ...]) -> bool:
    """Whether a Site tag names a host of `patterns`, and none of those that have ``!`` before them.

    >>> names_site("https://www.chess.com/game/1", ("chess.com",)), names_site("mychess.com", ("chess.com",))
    (True, False)
    """
    if any(_site(pattern[1:]).search(site) for pattern in patterns if pattern.startswith("!")):
        return False
    return any(_site(pattern).search(site) for pattern in patterns if not pattern.startswith("!"))


@cache
def _site(pattern: str) -> re.Pattern[str]:
    behind = "" if pattern.endswith("/") else r"(?![A-Za-z0-9-]|\.[A-Za-z0-9])"
    return re.compile(rf"(?<![A-Za-z0-9-]){re.escape(pattern)}{behind}", re.ASCII | re.IGNORECASE)


@cache
def _word(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9]){re.escape(word)}(?![A-Za-z0-9])", re.ASCII | re.IGNORECASE)


def _lower(text: str) -> bytes:
    """With small letters from a to z."""
    return text.encode("utf-8", "surrogatepass").lower()
