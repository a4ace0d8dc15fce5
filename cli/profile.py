"""`chesstools profile`: the Laws as parameters, one edition or server at a time, or two side by side."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

import click

from chesstools.errors import OptionError
from chesstools.extensions import Extension
from chesstools.profile_choice import read_profile_file
from chesstools.profile_file import PARAMETERS, parameter_texts, told
from chesstools.profiles import Profile, get_profile
from chesstools.wrapping import cells, pad, wrap

from . import options
from .output import text_output
from .words import Words

CONFIDENCE = {"M": "not re-checked", "R": "from a secondary source"}
"""What the marks of a profile mean, in JSON."""

MAX_WIDTH = 110

EPILOG = """\b
Examples:
  chesstools profile
  chesstools profile fide-2023
  chesstools profile seed-1992 fide-1997
"""


@click.command(epilog=EPILOG, short_help="List and explain the editions of the Laws, and compare two.")
@click.argument("names", metavar="[NAME [OTHER]]", nargs=-1)
@options.profile_file
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="A table to read, or JSON.",
)
@options.lang
def profile(names: tuple[str, ...], profile_file: str | None, form: str, lang: str) -> None:
    """List the profiles that games can be judged by; explain one; or show what two of them differ in.

    A value that does not rest on the text of the rules is marked: 'from a secondary source' or 'not re-checked'. Each can be
    set in a file of your own (--profile-file). Counts of plies are half-moves.
    """
    if len(names) > 2:
        raise OptionError("Name one profile to explain it, or two to compare them.")
    profiles = read_profile_file(profile_file)[0]
    chosen = [get_profile(name, profiles) for name in names]
    if form == "json":
        document: object = (
            _list_json(profiles, lang) if not chosen else _json(chosen[0], lang) if len(chosen) == 1 else _difference(*chosen)
        )
        lines = [json.dumps(document, ensure_ascii=False, indent=2)]
    else:
        # Where another program reads the lines they stay whole.
        width = min(shutil.get_terminal_size().columns, MAX_WIDTH) if sys.stdout.isatty() else 10_000
        words = Words(lang)
        if not chosen:
            lines = _list(profiles, words)
        else:
            lines = _explain(chosen[0], width, words) if len(chosen) == 1 else _compare(chosen[0], chosen[1], words)
    with text_output(None) as out:
        print("\n".join(lines), file=out)


def shown(value: object, words: Words) -> str:
    """A value of a parameter as a person reads it; a dash where there is none."""
    if value is None or value == ():
        return "-"
    if isinstance(value, bool):
        return words("yes" if value else "no")
    if isinstance(value, Extension):
        condition = None if value.condition == "none" else value.condition
        return words("extension", material=value.material, count=value.moves, condition=condition)
    if isinstance(value, tuple):
        return ("/" if isinstance(value[0], int) else words("comma")).join(shown(item, words) for item in value)
    return told(str(value), words.lang)


def plain(value: object) -> Any:
    """A value as JSON has it."""
    if isinstance(value, Extension):
        names = ("material", "moves", "condition")
        dates = {"from": plain(value.valid_from), "until": plain(value.valid_until)}
        return {name: getattr(value, name) for name in names} | {name: day for name, day in dates.items() if day}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value.isoformat() if isinstance(value, date) else value


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(cells(row[at]) for row in rows) for at in range(len(rows[0]))]
    return ["  ".join(pad(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _chosen_by(profile: Profile) -> list[str]:
    ways = [("site", profile.sites), ("mode", profile.modes), ("event", profile.events), ("date", profile.valid_from)]
    return [name for name, value in ways if value] or ["name"]


def _list(profiles: Mapping[str, Profile], words: Words) -> list[str]:
    rows = [tuple(words(f"{name}_heading") for name in ("name", "from", "chosen_by", "title"))]
    for one in profiles.values():
        ways = words("comma").join(words(f"by_{way}") for way in _chosen_by(one))
        rows.append((one.name, shown(one.valid_from, words), ways, told(one.title, words.lang)))
    return _table(rows)


def _explain(profile: Profile, width: int, words: Words) -> list[str]:
    meanings = parameter_texts(words.lang)
    lines = [f"{profile.name}: {told(profile.title, words.lang)}"]
    for parameter in PARAMETERS:
        lines += ["", *wrap(f"{parameter}: {_marked(profile, parameter, words)}", width, rest="    ")]
        lines += wrap(f"{meanings[parameter]}{words('stop')}", width, "    ", "    ")
        lines += [f"    {told_of}" for told_of in _before(profile, parameter, words)]
        if parameter in profile.notes:
            lines += wrap(told(profile.notes[parameter], words.lang), width, "    ", "    ")
    return lines


def _compare(one: Profile, other: Profile, words: Words) -> list[str]:
    rows = [(words("parameter_heading"), one.name, other.name)]
    for parameter in PARAMETERS:
        if _differ(one, other, parameter):
            rows.append((parameter, _in_short(one, parameter, words), _in_short(other, parameter, words)))
    return _table(rows) if len(rows) > 1 else [words("no_difference", one=one.name, other=other.name)]


def _marked(profile: Profile, parameter: str, words: Words) -> str:
    mark = profile.marks.get(parameter)
    return shown(getattr(profile, parameter), words) + (f" [{words(f'mark_{mark.lower()}')}]" if mark else "")


def _earlier(profile: Profile, parameter: str) -> list[tuple[date, Any]]:
    """What a parameter was before some days, the latest of them first."""
    return [(one.before, one.values[parameter]) for one in profile.earlier if parameter in one.values]


def _before(profile: Profile, parameter: str, words: Words) -> list[str]:
    return [words("before", date=str(day), value=shown(value, words)) for day, value in _earlier(profile, parameter)]


def _in_short(profile: Profile, parameter: str, words: Words) -> str:
    """The value as it is now, its mark, and what it was before."""
    return "; ".join([_marked(profile, parameter, words), *_before(profile, parameter, words)])


def _differ(one: Profile, other: Profile, parameter: str) -> bool:
    now, before = getattr(one, parameter) != getattr(other, parameter), _earlier(one, parameter) != _earlier(other, parameter)
    return now or before


def _list_json(profiles: Mapping[str, Profile], lang: str) -> list[dict[str, Any]]:
    return [
        {
            "name": one.name,
            "title": told(one.title, lang),
            "valid_from": plain(one.valid_from),
            "chosen_by": _chosen_by(one),
        }
        for one in profiles.values()
    ]


def _json(profile: Profile, lang: str) -> dict[str, Any]:
    meanings = parameter_texts(lang)
    parameters = {}
    for parameter in PARAMETERS:
        mark = profile.marks.get(parameter)
        parameters[parameter] = {
            "value": plain(getattr(profile, parameter)),
            "confidence": CONFIDENCE[mark] if mark else "text of the rules",
            "earlier": [{"before": plain(day), "value": plain(value)} for day, value in _earlier(profile, parameter)],
            "note": told(profile.notes[parameter], lang) if parameter in profile.notes else None,
            "meaning": meanings[parameter],
        }
    return {"name": profile.name, "title": told(profile.title, lang), "parameters": parameters}


def _difference(one: Profile, other: Profile) -> dict[str, Any]:
    """Values as they are now; for a parameter that differed before only, both are the same."""
    differing = [parameter for parameter in PARAMETERS if _differ(one, other, parameter)]
    return {parameter: {each.name: plain(getattr(each, parameter)) for each in (one, other)} for parameter in differing}
