"""Message templates: one sentence with named fields, parts of which are left out where a field is missing.

The language is small, so that a translator can read it and a second program can implement it:

* ``{name}`` is the value of a field; ``{name:ply,plies}`` adds the noun in the number that fits (``1 ply``, ``7 plies``).
  A language whose nouns have one form only writes it behind the field: ``{name} 着``.
* ``[with {a}|without]`` is the first alternative all of whose fields are there, or nothing.
* ``{{ }} [[ ]] ||`` stand for one such sign. Alternatives are not nested.

>>> template = parse("the game went on[ for {count:ply,plies}] after [{what}|its end]")
>>> template.fill({"count": "3"}.get)
'the game went on for 3 plies after its end'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

MAX_VALUE_CHARS = 120
"""Values are cut to this many characters in a sentence."""

MISSING = "?"
"""What stands for a missing field outside of brackets."""

_TOKENS = re.compile(
    r"\{\{|\}\}|\[\[|\]\]|\|\||"
    r"\{(?P<field>[a-z_]+)(?::(?P<one>[^,{}]*),(?P<many>[^,{}]*))?\}|[\[\]{}|]|[^\[\]{}|]+"
)


class Field(NamedTuple):
    """A place for a value, with the noun that follows it in the singular and the plural (None: no noun)."""

    name: str
    one: str | None
    many: str | None

    def text(self, value: str) -> str:
        """The value with its noun."""
        if self.one is None:
            return value
        return f"{value} {self.one if value == '1' else self.many}"


Parts = tuple["str | Field", ...]


class Choice(NamedTuple):
    """A bracket: its alternatives in order."""

    alternatives: tuple[Parts, ...]


class Template(NamedTuple):
    """A template that was parsed; see `parse`."""

    parts: tuple[str | Field | Choice, ...]

    def fields(self) -> Iterator[str]:
        """The names of all fields, as often as they stand there."""
        for part in self.parts:
            if isinstance(part, Choice):
                for alternative in part.alternatives:
                    yield from _names(alternative)
            elif isinstance(part, Field):
                yield part.name

    def fill(self, value_of: Callable[[str], str | None]) -> str:
        """The sentence. `value_of` gives the text of a field, or None (or "") where it is missing; nothing is raised."""
        written = []
        for part in self.parts:
            if isinstance(part, Choice):
                for alternative in part.alternatives:
                    if all(value_of(name) for name in _names(alternative)):
                        written.append(_join(alternative, value_of))
                        break
            else:
                written.append(_join((part,), value_of))
        return "".join(written)

    def outline(self) -> str:
        """The sentence with every field shown by its name.

        >>> parse("[{token}|the move] is illegal").outline()
        '<token> is illegal'
        """
        return self.fill(lambda name: f"<{name}>")

    def values(self, text: str) -> dict[str, str] | None:
        """The opposite of `fill`, for a template without brackets: the values of its fields in `text`, or None if it is not one
        of its sentences.

        >>> parse("{side} has {count:king,kings}").values("White has 2 kings")
        {'side': 'White', 'count': '2'}
        """
        match = _pattern(self).fullmatch(text)
        return match.groupdict() if match else None


@lru_cache(maxsize=1024)
def parse(source: str) -> Template:
    """Parse a template. Raises `ValueError` where a bracket or brace is not closed or stands in the wrong place."""
    parts: list[str | Field | Choice] = []
    alternatives: list[Parts] | None = None  # those of the bracket that is open, or None
    current: list[str | Field] = []  # what is being collected: the open alternative
    end = 0
    for match in _TOKENS.finditer(source):
        token, end = match.group(), match.end()
        part: str | Field
        if match["field"]:
            part = Field(match["field"], match["one"], match["many"])
        elif token in ("{{", "}}", "[[", "]]", "||"):
            part = token[0]
        elif token == "[" and alternatives is None:
            alternatives = []
            continue
        elif token == "|" and alternatives is not None:
            alternatives.append(tuple(current))
            current = []
            continue
        elif token == "]" and alternatives is not None:
            parts.append(Choice((*alternatives, tuple(current))))
            alternatives, current = None, []
            continue
        elif len(token) == 1 and token in "[]{}|":
            raise ValueError(f"{token!r} at character {match.start()} does not belong there in the template {source!r}")
        else:
            part = token
        (parts if alternatives is None else current).append(part)
    if alternatives is not None or end != len(source):
        raise ValueError(f"a bracket is not closed in the template {source!r}")
    return Template(tuple(parts))


@lru_cache(maxsize=256)
def _pattern(template: Template) -> re.Pattern[str]:
    """What matches every sentence of a template."""
    written = []
    for part in template.parts:
        if isinstance(part, str):
            written.append(re.escape(part))
        elif isinstance(part, Choice):
            raise ValueError("a template with brackets has no pattern")
        else:
            nouns = "" if part.one is None else f" (?:{re.escape(part.one)}|{re.escape(part.many or '')})"
            written.append(f"(?P<{part.name}>.+?){nouns}")
    return re.compile("".join(written), re.DOTALL)


def text_of(value: object, separator: str = ", ") -> str | None:
    """A value as one printable line, its items between `separator`s if it is a list; None where there is nothing to show.

    >>> text_of(["Nf3", "Ng1"]), text_of(4.0), text_of("a\\tb"), text_of(float("nan"))
    ('Nf3, Ng1', '4', 'a\\\\tb', None)
    """
    try:
        if value is None or value != value or type(value).__name__ in ("NAType", "NaTType"):
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)  # pandas makes floats of whole numbers in a column with gaps
        if isinstance(value, bytes):
            value = value.decode("utf-8", "backslashreplace")
        if not isinstance(value, str) and isinstance(value, Iterable):
            value = separator.join(filter(None, map(text_of, value)))
        text = str(value)
    except Exception:  # a foreign object that cannot be compared or printed is no reason to lose the finding
        return None
    if not text.isprintable():
        text = "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)
    return text if len(text) <= MAX_VALUE_CHARS else text[: MAX_VALUE_CHARS - 1] + "…"


def _names(parts: Parts) -> Iterator[str]:
    return (part.name for part in parts if isinstance(part, Field))


def _join(parts: Parts, value_of: Callable[[str], str | None]) -> str:
    return "".join(part if isinstance(part, str) else part.text(value_of(part.name) or MISSING) for part in parts)
