"""Questions that people ask of an archive, by name: `examples.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import resources

from chesstools.errors import OptionError


@dataclass(frozen=True, slots=True)
class Example:
    """A named query."""

    name: str
    title: str
    sql: str


@cache
def examples() -> tuple[Example, ...]:
    """All of them.

    >>> examples()[0].title
    'How games end, and their average length in moves'
    """
    text = (resources.files("chesstools.sql") / "examples.toml").read_text("utf-8")
    return tuple(Example(name, fields["title"], fields["sql"].strip()) for name, fields in tomllib.loads(text).items())


def example(name: str) -> Example:
    """The one with this name. Raises OptionError where there is none."""
    known = {one.name: one for one in examples()}
    if name not in known:
        near = get_close_matches(name.lower(), known, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}."
        raise OptionError(f"There is no example {name!r}; {hint}")
    return known[name]
