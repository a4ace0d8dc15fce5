"""Reads the catalogue of rules, ``rules.toml``, whose head explains the format.

The public way to it is `chesstools.rules`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from chesstools.errors import OptionError
from chesstools.finding import Severity


@dataclass(frozen=True, slots=True)
class Rule:
    """One entry of the catalogue."""

    code: str
    """A letter for the family and three digits. Never used again for anything else."""
    name: str
    """kebab-case; can be written wherever the code can."""
    severity: Severity
    """The default; `severity_note` says when a finding has another."""
    active: bool
    """False where the code is reserved: it is explained, but no finding carries it yet."""
    seed: str | None
    """Article of the FIDE Laws of 1992; None where there is none."""
    fide: str | None
    """Article of the FIDE Laws of 1 January 2023; None where there is none."""
    pgn: str | None
    """Section of the PGN standard of 1994; None where there is none."""
    message: str
    """Template of the sentence; see `chesstools.template`."""
    checks: str
    why: str
    example: str
    """Lines indented by four blanks are the fragment, the others say what is wrong in it."""
    remedy: str
    severity_note: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict, compare=False)
    """The evidence: what each field means."""
    phrases: Mapping[str, Mapping[str, str]] = field(default_factory=dict, compare=False)
    """What the words of a field are called in the message."""

    @property
    def evidence(self) -> str:
        """The fields and what they mean, one a line."""
        if not self.fields:
            return "nothing beyond place and token"
        return "\n".join(f"{name}: {meaning}" for name, meaning in self.fields.items())

    @property
    def summary(self) -> str:
        """The first sentence of `checks`."""
        return re.split(r"(?<=\.) (?=[A-Z<])", self.checks, maxsplit=1)[0].rstrip(".")

    @property
    def fragment(self) -> str:
        """The lines of the example that are PGN or FEN, without their indentation."""
        lines = [line[4:] for line in self.example.split("\n") if line.startswith("    ") or not line]
        return "\n".join(lines).strip("\n") + "\n"

    def to_dict(self) -> dict[str, object]:
        """The rule as JSON types.

        >>> get_rule("P113").to_dict()["clauses"]
        {'seed': None, 'fide': None, 'pgn': '8.2'}
        """
        return {
            "code": self.code,
            "name": self.name,
            "severity": self.severity.value,
            "severity_note": self.severity_note,
            "active": self.active,
            "clauses": {"seed": self.seed, "fide": self.fide, "pgn": self.pgn},
            "message": self.message,
            "phrases": {name: dict(words) for name, words in self.phrases.items()},
            "checks": self.checks,
            "why": self.why,
            "evidence": dict(self.fields),
            "example": self.example,
            "remedy": self.remedy,
        }


def get_rule(code: str) -> Rule:
    """The rule with that code (in any case) or that name.

    >>> get_rule("m324") is get_rule("castle-through-check")
    True
    >>> get_rule("castle-thru-check")
    Traceback (most recent call last):
    chesstools.errors.OptionError: There is no rule 'castle-thru-check'; did you mean castle-through-check (M324)?

    Raises `OptionError` with the nearest code or name where there is no such rule.
    """
    key = code.strip()
    if key.upper() in _tables():
        return _rule(key.upper())
    try:
        return _rule(_names()[key.lower().replace("_", "-")])
    except KeyError:
        raise _unknown(code) from None


def all_rules() -> list[Rule]:
    """Every rule, active or reserved, in the order of the catalogue.

    >>> [rule.code for rule in all_rules()][:3]
    ['P101', 'P102', 'P103']
    """
    return [_rule(code) for code in _tables()]


def all_codes() -> list[str]:
    """Every code, in the order of the catalogue; faster than `all_rules`."""
    return list(_tables())


@cache
def active_codes() -> frozenset[str]:
    """The codes that findings carry; those of all others are reserved.

    >>> active_codes() == {rule.code for rule in all_rules() if rule.active}
    True
    """
    return frozenset(code for code, text in _tables().items() if re.search("^active = true$", text, re.MULTILINE))


def matching_codes(selector: str) -> list[str]:
    """The codes meant by a code, a name, the beginning of a code (``"M"``, ``"M32"``) or ``"ALL"``.

    >>> matching_codes("M34")
    ['M341', 'M342', 'M343']

    Raises `OptionError` with the nearest code or name where nothing is meant.
    """
    key = selector.strip().upper()
    if key == "ALL":
        return all_codes()
    codes = [code for code in all_codes() if code.startswith(key)] if key else []
    return codes or [get_rule(selector).code]


def _unknown(text: str) -> OptionError:
    import difflib  # only here: it is slow to import, and most runs never need it

    by_key = {key: code for code, key in [*((code, code.lower()) for code in _tables()), *((c, n) for n, c in _names().items())]}
    nearest = difflib.get_close_matches(text.strip().lower(), by_key, n=1, cutoff=0.5)
    if not nearest:
        return OptionError(f"There is no rule {text!r}; `chesstools rule --all` lists them.")
    rule = _rule(by_key[nearest[0]])
    found, other = (rule.code, rule.name) if nearest[0] == rule.code.lower() else (rule.name, rule.code)
    return OptionError(f"There is no rule {text!r}; did you mean {found} ({other})?")


@cache
def _source() -> str:
    return resources.files("chesstools").joinpath("rules.toml").read_text(encoding="utf-8")


@cache
def _tables() -> dict[str, str]:
    """The TOML text of each rule, by code.

    A rule is parsed when it is first asked for: the whole file takes 15 ms, which a short run need not pay, and one
    table 0.1 ms. Cutting at the headers is exact because text at the start of a line never looks like one.
    """
    starts = [(match[1], match.start()) for match in re.finditer(r"^\[([A-Z]\d{3})\]$", _source(), re.MULTILINE)]
    ends = [start for _, start in starts[1:]] + [len(_source())]
    return {code: _source()[start:end] for (code, start), end in zip(starts, ends, strict=True)}


@cache
def _names() -> dict[str, str]:
    """The code of each name."""
    return {match[1]: code for code, text in _tables().items() if (match := re.search(r'^name = "(.+)"$', text, re.MULTILINE))}


def words_of(name: str) -> Mapping[str, str]:
    """What the words of a field are called in all messages.

    >>> words_of("side")["white"]
    'White'
    """
    return _words().get(name, {})


@cache
def _words() -> dict[str, dict[str, str]]:
    words: dict[str, dict[str, str]] = tomllib.loads(_source()[: _source().index("\n[P101]")])["words"]
    return words


@cache
def _rule(code: str) -> Rule:
    entry = tomllib.loads(_tables()[code])[code]
    clauses = entry["clauses"]
    return Rule(
        code=code,
        name=entry["name"],
        severity=Severity(entry["severity"]),
        active=entry["active"],
        seed=clauses.get("seed"),
        fide=clauses.get("fide"),
        pgn=clauses.get("pgn"),
        message=entry["message"],
        checks=_prose(entry["checks"]),
        why=_prose(entry["why"]),
        example=_example(entry["example"]),
        remedy=_prose(entry["remedy"]),
        severity_note=entry.get("severity_note"),
        fields=entry.get("fields", {}),
        phrases=entry.get("phrases", {}),
    )


def _prose(text: str) -> str:
    """The paragraph on one line; how it is wrapped in the file means nothing."""
    return " ".join(text.split())


def _example(text: str) -> str:
    """Fragments line by line, and the paragraphs between them each on one line."""
    blocks = []
    for block in text.strip("\n").split("\n\n"):
        blocks.append(block if block.startswith("    ") else _prose(block))
    return "\n\n".join(blocks)
