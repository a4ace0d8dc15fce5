"""The tag section of a game: every tag in order with its exact value, and what is wrong with them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from chesstools.reference import values
from chesstools.reference.facts import Facts
from chesstools.reference.lexer import FILLERS, Kind, Token
from chesstools.reference.text import trim
from chesstools.time_control import TimeControl

ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
_DATES = ("Date", "UTCDate", "EventDate")
_RATINGS = ("WhiteElo", "BlackElo")

_STRICT = re.compile(r'\[[ \t]*([A-Za-z0-9_]+)[ \t]*"(.*)"[ \t]*\]', re.DOTALL)
_QUOTED = re.compile(r'\[[ \t]*([^ \t\r\n\x0b\x0c\[\]"{}();$%]+)[ \t]*"(.*)"[ \t]*\]', re.DOTALL)
_OPEN = re.compile(r'\[[ \t]*([A-Za-z0-9_]+)[ \t]*"([^"\r\n]*)("?)[ \t]*')
_BARE = re.compile(r"\[[ \t]*([A-Za-z][A-Za-z0-9_]*)[ \t]+([^ \t\r\n][^\r\n]*)\]")
ESCAPE = re.compile(r'\\(["\\])')
"""A backslash before anything else (as in ``C:\\dir``) stands for itself."""
_LINE_BREAK = re.compile(r"\r\n|\n|\r")


@dataclass(slots=True)
class Tags:
    """Tag pairs in order; where a name stands twice the first value counts."""

    pairs: list[tuple[str, str]] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    """Lines that look like tag pairs but could not be read, as they stood."""

    def get(self, name: str) -> str | None:
        """The value of a tag, None where there is none."""
        return self.values.get(name)


def read_tags(facts: Facts) -> Tags:
    """Read all tag pairs of a region, wherever they stand in it, and report what is wrong with their form."""
    tags = Tags()
    for token in facts.region.tokens:
        if token.kind is Kind.TAG:
            match = _STRICT.fullmatch(facts.text(token))
            assert match is not None  # the lexer matched the same form
            name, value = match.group(1), ESCAPE.sub(r"\1", match.group(2))
        elif token.kind is Kind.BAD_TAG:
            reason, pair = read_bad(facts.text(token))
            facts.add("P104", token, reason=reason)
            if pair is None:
                tags.unread.append(facts.text(token))
                continue
            name, value = pair
        else:
            continue
        tags.pairs.append((name, value))
        if name in tags.values:
            facts.add("P105", token, token=name, expected=tags.values[name], found=value)
        else:
            tags.values[name] = value
            tags.tokens[name] = token
    for token in facts.region.glued:
        facts.add("P107", token)
    return tags


def read_bad(text: str) -> tuple[str, tuple[str, str] | None]:
    """What is wrong with the form of a malformed tag pair, and its name and value, as far as they can be told.

    >>> read_bad("[White Alder]"), read_bad("[White]")
    (('no-quotes', ('White', 'Alder')), ('bad-name', None))
    """
    name: str | None = None
    value = ""
    if match := _QUOTED.fullmatch(text):
        name, value = match.groups()
        if _LINE_BREAK.search(value):
            reason = "line-break"
            value = " ".join(trim(part) for part in _LINE_BREAK.split(value))
        elif not re.fullmatch(r"[A-Za-z0-9_]+", name):
            reason = "bad-name"
        elif value.endswith("\\") and '"' not in value:
            reason = "trailing-backslash"
        else:
            reason = "unescaped-quote"
            value = ESCAPE.sub(r"\1", value)
    elif match := _BARE.fullmatch(text):
        reason = "no-quotes"
        name, value = match.group(1), trim(match.group(2)).strip('"')
    elif not text.endswith("]"):
        reason = "no-bracket"
        if match := _OPEN.fullmatch(text):
            name, value, closed = match.groups()
            value = value if closed else trim(value)
    else:
        reason = "no-name" if re.match(r"\[[ \t]*[\"\]]", text) else "bad-name"
    return reason, None if name is None else (name, value)


def check_tags(facts: Facts, tags: Tags) -> None:
    """Report missing roster tags and values that cannot be read."""
    first = next(token for token in facts.region.tokens if token.kind not in FILLERS)
    missing = [name for name in ROSTER if name not in tags.values]
    if missing:
        facts.add("P106", first, found=", ".join(missing), count=len(missing))
    for name in _DATES:
        value = tags.get(name)
        if value is not None and not values.is_unknown(value) and values.parse_date(value) is None:
            facts.add("T120", tags.tokens[name], token=name, tag=name, found=value)
    for name in _RATINGS:
        value = tags.get(name)
        if value not in (None, "0") and not values.is_unknown(value) and values.parse_elo(value) is None:
            facts.add("T121", tags.tokens[name], token=name, tag=name, found=value)
    control = tags.get("TimeControl")
    if control is not None and not values.is_unknown(control) and TimeControl.parse(control) is None:
        facts.add("T122", tags.tokens["TimeControl"], found=control)
    termination = tags.get("Termination")
    if termination is not None and not values.is_unknown(termination) and not values.parse_termination(termination)[0]:
        facts.add("T125", tags.tokens["Termination"], found=termination)
    _check_setup(facts, tags)


def _check_setup(facts: Facts, tags: Tags) -> None:
    setup, fen = tags.get("SetUp"), tags.get("FEN")
    if fen is not None and setup is None:
        facts.add("T124", tags.tokens["FEN"], reason="fen-without-setup")
    elif fen is not None and setup != "1":
        facts.add("T124", tags.tokens["FEN"], reason="setup-zero-with-fen")
    elif fen is None and setup == "1":
        facts.add("T124", tags.tokens["SetUp"], reason="setup-without-fen")


def check_ply_count(facts: Facts, tags: Tags, plies: int) -> None:
    """Report a PlyCount tag that does not agree with the mainline plies as written."""
    value = tags.get("PlyCount")
    if value is not None and not values.is_unknown(value) and trim(value) != str(plies):
        facts.add("T123", tags.tokens["PlyCount"], expected=value, count=plies)
