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
from chesstools.profile_file import PARAMETERS, parameter_texts
from chesstools.profiles import Profile, get_profile
from chesstools.wrapping import wrap

from . import options
from .output import text_output

CONFIDENCE = {"M": "not re-checked", "R": "from a secondary source"}
"""What the marks of a profile mean."""

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
def profile(names: tuple[str, ...], profile_file: str | None, form: str) -> None:
    """List the profiles that games can be judged by; explain one; or show what two of them differ in.

    A value that does not rest on the text of the rules is marked: 'from a secondary source' or 'not re-checked'. Each can be
    set in a file of your own (--profile-file). Counts of plies are half-moves.
    """
    if len(names) > 2:
        raise OptionError("Name one profile to explain it, or two to compare them.")
    profiles = read_profile_file(profile_file)[0]
    chosen = [get_profile(name, profiles) for name in names]
    if form == "json":
        document: object = _list_json(profiles) if not chosen else _json(chosen[0]) if len(chosen) == 1 else _difference(*chosen)
        lines = [json.dumps(document, ensure_ascii=False, indent=2)]
    else:
        # Where another program reads the lines they stay whole.
        width = min(shutil.get_terminal_size().columns, MAX_WIDTH) if sys.stdout.isatty() else 10_000
        lines = _list(profiles) if not chosen else _explain(chosen[0], width) if len(chosen) == 1 else _compare(*chosen)
    with text_output(None) as out:
        print("\n".join(lines), file=out)


def shown(value: object) -> str:
    """A value of a parameter as a person reads it; a dash where there is none."""
    if value is None or value == ():
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Extension):
        condition = "" if value.condition == "none" else f" ({value.condition})"
        return f"{value.material} {value.moves} moves{condition}"
    if isinstance(value, tuple):
        return ("/" if isinstance(value[0], int) else ", ").join(shown(item) for item in value)
    return str(value)


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
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _chosen_by(profile: Profile) -> str:
    ways = [("site", profile.sites), ("mode", profile.modes), ("event", profile.events), ("date", profile.valid_from)]
    return ", ".join(name for name, value in ways if value) or "name"


def _list(profiles: Mapping[str, Profile]) -> list[str]:
    rows = [("NAME", "FROM", "CHOSEN BY", "WHAT IT IS")]
    rows += [(one.name, shown(one.valid_from), _chosen_by(one), one.title) for one in profiles.values()]
    return _table(rows)


def _explain(profile: Profile, width: int) -> list[str]:
    meanings = parameter_texts()
    lines = [f"{profile.name}: {profile.title}"]
    for parameter in PARAMETERS:
        mark = profile.marks.get(parameter)
        confidence = f" [{CONFIDENCE[mark]}]" if mark else ""
        lines += ["", *wrap(f"{parameter}: {shown(getattr(profile, parameter))}{confidence}", width, rest="    ")]
        lines += wrap(f"{meanings[parameter]}.", width, "    ", "    ")
        if parameter in profile.notes:
            lines += wrap(profile.notes[parameter], width, "    ", "    ")
    return lines


def _compare(one: Profile, other: Profile) -> list[str]:
    rows = [("PARAMETER", one.name, other.name)]
    for parameter in PARAMETERS:
        values = [getattr(profile, parameter) for profile in (one, other)]
        if values[0] != values[1]:
            rows.append((parameter, _marked(one, parameter), _marked(other, parameter)))
    return _table(rows) if len(rows) > 1 else [f"{one.name} and {other.name} do not differ."]


def _marked(profile: Profile, parameter: str) -> str:
    mark = profile.marks.get(parameter)
    return shown(getattr(profile, parameter)) + (f" [{CONFIDENCE[mark]}]" if mark else "")


def _list_json(profiles: Mapping[str, Profile]) -> list[dict[str, Any]]:
    return [
        {"name": one.name, "title": one.title, "valid_from": plain(one.valid_from), "chosen_by": _chosen_by(one).split(", ")}
        for one in profiles.values()
    ]


def _json(profile: Profile) -> dict[str, Any]:
    meanings = parameter_texts()
    parameters = {}
    for parameter in PARAMETERS:
        mark = profile.marks.get(parameter)
        parameters[parameter] = {
            "value": plain(getattr(profile, parameter)),
            "confidence": CONFIDENCE[mark] if mark else "text of the rules",
            "note": profile.notes.get(parameter),
            "meaning": meanings[parameter],
        }
    return {"name": profile.name, "title": profile.title, "parameters": parameters}


def _difference(one: Profile, other: Profile) -> dict[str, Any]:
    pairs = {parameter: [getattr(profile, parameter) for profile in (one, other)] for parameter in PARAMETERS}
    return {
        parameter: {one.name: plain(values[0]), other.name: plain(values[1])}
        for parameter, values in pairs.items()
        if values[0] != values[1]
    }
