"""Reads profiles from TOML: those that come with chesstools, and those of a user's own file."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any

from chesstools.errors import OptionError
from chesstools.extensions import read_extension
from chesstools.language import check
from chesstools.profiles import Earlier, Profile

CHOICES = {
    "castling_key": ("rights", "available-now"),
    "ep_key": ("legal", "pseudo", "fen"),
    "dead_position": ("three-cases", "any-series", "uscf", "lichess", "chesscom"),
    "flag_draw": ("bare-king", "no-mate", "uscf", "lichess", "chesscom", "none"),
    "moves_after_end": ("forbidden",),
}

LEAST = {
    "threefold_claim": 3,
    "fivefold_draw": 3,
    "fifty_claim": 2,
    "fifty_announced": 1,
    "seventyfive_draw": 2,
    "fifty_min_men": 2,
}
"""The least number that makes sense, where 1 is not it."""

MARKS = ("R", "M")

_BESIDE = ("based_on", "marks", "notes", "title", "earlier")
"""Keys of a profile that are no parameters."""

_FIELDS = {parameter.name: parameter for parameter in fields(Profile) if parameter.name not in ("name", *_BESIDE)}

PARAMETERS = tuple(_FIELDS)

_TIMELESS = ("valid_from", "sites", "modes", "events")
"""Parameters that choose a profile, and so cannot have been otherwise before some day."""


def builtin_text() -> str:
    """The text of `profiles.toml`."""
    return files("chesstools").joinpath("profiles.toml").read_text(encoding="utf-8")


def parameter_texts(lang: str = "en") -> Mapping[str, str]:
    """What each parameter means, in one sentence without a full stop."""
    english: dict[str, str] = tomllib.loads(builtin_text())["parameters"]
    return english if lang == "en" else {**english, **_translations(lang)["parameters"]}


def told(text: str, lang: str) -> str:
    """A title, a note or a value in words in that language; as it is where it is not from `profiles.toml`.

    >>> told("FIDE Laws of 2023", "zh"), told("club rules", "zh")
    ('国际棋联规则（2023 年）', 'club rules')
    """
    return text if lang == "en" else _translations(lang)["texts"].get(text, text)


@cache
def _translations(lang: str) -> dict[str, dict[str, str]]:
    name = f"profiles.{check(lang)}.toml"
    tables: dict[str, dict[str, str]] = tomllib.loads(files("chesstools").joinpath(name).read_text(encoding="utf-8"))
    return tables


def read_profiles(text: str, where: str, known: Mapping[str, Profile]) -> dict[str, Profile]:
    """The profiles in `known`, and those that `text` defines or changes.

    Raises OptionError, naming the file `where`, for what is not TOML or cannot be understood.

    >>> from chesstools.profiles import builtin_profiles
    >>> later = "[profiles.fide-1989]\\nvalid_from = 1990-01-01"
    >>> str(read_profiles(later, "mine.toml", builtin_profiles())["fide-1989"].valid_from)
    '1990-01-01'
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise OptionError(f"{where} is not TOML: {error}.") from None
    unknown = sorted(document.keys() - {"profiles", "parameters", "announced"})
    if unknown:
        raise OptionError(f"{where}: there is nothing called {unknown[0]!r}; write [profiles.NAME] or announced = [...].")
    entries = document.get("profiles", {})
    if not isinstance(entries, dict):
        raise OptionError(f"{where}: profiles are written as [profiles.NAME].")
    profiles = dict(known)
    for name, entry in entries.items():
        profiles[name] = _profile(name, entry, f"{where}, profile {name}", profiles)
    if "announced" in document:
        _announce(document["announced"], where, profiles)
    return profiles


def announces(text: str) -> bool:
    """Whether a file that can be read announces extensions of the 50-move rule.

    >>> announces("announced = []"), announces('announced = [{ material = "KRBvKR", moves = 75 }]')
    (False, True)
    """
    return bool(tomllib.loads(text).get("announced"))


def _profile(name: str, entry: object, where: str, profiles: Mapping[str, Profile]) -> Profile:
    if not isinstance(entry, dict):
        raise OptionError(f"{where}: parameters are written as NAME = VALUE.")
    base = profiles.get(name)
    if "based_on" in entry:
        base = profiles.get(entry["based_on"]) if isinstance(entry["based_on"], str) else None
        if base is None:
            raise OptionError(f"{where}: there is no profile {entry['based_on']!r} above to be based on.")
    values: dict[str, Any] = {}
    if base is not None:
        values = {parameter: getattr(base, parameter) for parameter in PARAMETERS}
        if base.name != name:
            values |= {"valid_from": None, "sites": (), "modes": (), "events": ()}
    for parameter, value in entry.items():
        if parameter in _BESIDE:
            continue
        if parameter not in _FIELDS:
            raise OptionError(f"{where}: there is no parameter {parameter!r}; 'chesstools profile fide-2023' lists them.")
        values[parameter] = _value(parameter, value, f"{where}, {parameter}")
    for parameter in _FIELDS.values():
        if parameter.name not in values and parameter.default is MISSING and parameter.name != "fifty_extensions":
            raise OptionError(f"{where}: {parameter.name} is missing; say what it is based_on.")
    values.setdefault("fifty_extensions", ())
    marks, notes = _texts(entry.get("marks", {}), f"{where}, marks"), _texts(entry.get("notes", {}), f"{where}, notes")
    if set(marks.values()) - set(MARKS):
        raise OptionError(f"{where}: a mark is R or M.")
    if base is not None and base.name == name:
        marks, notes = _kept(base, base.marks, values, marks), _kept(base, base.notes, values, notes)
    _check(values, where)
    kept = base.earlier if base is not None and base.name == name else ()
    earlier = _earlier(entry["earlier"], f"{where}, earlier") if "earlier" in entry else kept
    _check_earlier(values, earlier, where)
    title = entry.get("title", base.title if base is not None and base.name == name else name)
    return Profile(name=name, title=str(title), marks=marks, notes=notes, earlier=earlier, **values)


def _earlier(entries: object, where: str) -> tuple[Earlier, ...]:
    """What was otherwise before some days, from the list that says so."""
    if not isinstance(entries, list) or any(not isinstance(one, dict) or type(one.get("before")) is not date for one in entries):
        raise OptionError(f"{where}: write a list, as in [{{ before = 2020-01-01, PARAMETER = VALUE }}].")
    found = []
    for entry in entries:
        unknown = [name for name in entry if name != "before" and (name not in _FIELDS or name in _TIMELESS)]
        if unknown:
            raise OptionError(f"{where}: there is no parameter {unknown[0]!r} that could have been otherwise.")
        values = {name: _value(name, value, f"{where}, {name}") for name, value in entry.items() if name != "before"}
        found.append(Earlier(entry["before"], values))
    return tuple(sorted(found, key=lambda one: one.before, reverse=True))


def _check_earlier(values: Mapping[str, Any], earlier: tuple[Earlier, ...], where: str) -> None:
    """Raise OptionError for values that contradicted one another before some day."""
    before = dict(values)
    for one in earlier:
        before |= one.values
        _check(before, f"{where}, before {one.before}")


def _kept(base: Profile, before: Mapping[str, str], values: Mapping[str, Any], now: Mapping[str, str]) -> dict[str, str]:
    """What was said of values that stay as they were, and what is said now; nothing said now takes it away."""
    kept = {parameter: text for parameter, text in before.items() if values[parameter] == getattr(base, parameter)}
    return {parameter: text for parameter, text in {**kept, **now}.items() if text}


def _texts(table: object, where: str) -> dict[str, str]:
    if not isinstance(table, dict) or any(not isinstance(text, str) for text in table.values()):
        raise OptionError(f'{where}: write PARAMETER = "text".')
    unknown = [parameter for parameter in table if parameter not in _FIELDS]
    if unknown:
        raise OptionError(f"{where}: there is no parameter {unknown[0]!r}.")
    return dict(table)


def _value(parameter: str, value: object, where: str) -> Any:
    """A value as TOML gives it as the field of `Profile` wants it."""
    kind = str(_FIELDS[parameter].type)
    if value == "none" and kind.endswith("| None"):
        return None
    if parameter == "fifty_extensions":
        return tuple(_items(value, lambda item: read_extension(item, where), where))
    if parameter in CHOICES and value not in CHOICES[parameter]:
        raise OptionError(f"{where}: {value!r} is none of {', '.join(CHOICES[parameter])}.")
    found = _typed(kind, value, LEAST.get(parameter, 1))
    if found is None:
        raise OptionError(f"{where}: {value!r} cannot be used.")
    return found


def _typed(kind: str, value: Any, least: int) -> Any:
    """`value` if it is of the kind that an annotation of `Profile` names, else None."""
    if kind.startswith("tuple"):
        of = str if kind.startswith("tuple[str") else int
        fits = isinstance(value, list) and all(type(item) is of for item in value) and (of is str or len(value) == 3)
        return tuple(value) if fits else None
    types = {"bool": bool, "int": int, "str": str, "date": date}
    fits = type(value) is types[kind.removesuffix(" | None")]
    return value if fits and not (type(value) is int and value < least) else None


def _items(value: object, read: Callable[[object], Any], where: str) -> Iterator[Any]:
    if not isinstance(value, list):
        raise OptionError(f'{where}: write a list, as in [{{ material = "KRBvKR", moves = 75 }}].')
    return map(read, value)


def check_profile(profile: Profile) -> None:
    """Raise OptionError for a profile with values that no file could give it."""
    values = {parameter: getattr(profile, parameter) for parameter in PARAMETERS}
    for parameter, least in LEAST.items():
        if values[parameter] is not None and values[parameter] < least:
            raise OptionError(f"profile {profile.name}, {parameter}: {values[parameter]} cannot be used.")
    for parameter, choices in CHOICES.items():
        if values[parameter] not in choices:
            raise OptionError(f"profile {profile.name}, {parameter}: {values[parameter]!r} is none of {', '.join(choices)}.")
    _check(values, f"profile {profile.name}")
    _check_earlier(values, profile.earlier, f"profile {profile.name}")


def _check(values: Mapping[str, Any], where: str) -> None:
    """Raise OptionError for values that contradict one another."""
    claim, announced = values["fifty_claim"], values["fifty_announced"]
    if announced is not None and (claim is None or not claim - 2 < announced <= claim):
        raise OptionError(f"{where}: fifty_announced is fifty_claim or one ply less.")
    for automatic, needed in (("threefold_automatic", "threefold_claim"), ("fifty_automatic", "fifty_claim")):
        if values[automatic] and values[needed] is None:
            raise OptionError(f"{where}: {automatic} needs {needed}.")
    for later, earlier in (("fivefold_draw", "threefold_claim"), ("seventyfive_draw", "fifty_claim")):
        if None not in (values[later], values[earlier]) and values[later] < values[earlier]:
            raise OptionError(f"{where}: {later} is less than {earlier}.")
    for parameter in ("fifty_claim", "seventyfive_draw"):
        if (values[parameter] or 0) % 2:
            raise OptionError(f"{where}: {parameter} counts the plies of both sides, so it is even.")


def _announce(entries: object, where: str, profiles: dict[str, Profile]) -> None:
    """Add extensions that an organiser announced to the profiles that leave room for them."""
    announced = tuple(_items(entries, lambda item: read_extension(item, f"{where}, announced"), f"{where}, announced"))
    for name, profile in profiles.items():
        if profile.fifty_may_be_extended:
            values = {parameter.name: getattr(profile, parameter.name) for parameter in fields(Profile)}
            profiles[name] = Profile(**values | {"fifty_extensions": announced + profile.fifty_extensions})
