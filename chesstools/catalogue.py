"""The catalogue of rules: what ``rules.toml`` (its head explains the format) and its translation ``rules.zh.toml`` say.

The public way to it is `chesstools.rules`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from chesstools.catalogue_text import example, prose, reasons_of, tables, titles_of, told
from chesstools.errors import OptionError
from chesstools.finding import Severity
from chesstools.language import check

JUDGING = "validate"
"""The command that stands for all that judge games."""


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
    optional: bool
    """Whether the rule is worked out only where it is asked for; see `chesstools.rules.Selection`."""
    command: str
    """The command that reports it: ``validate`` (and all others that judge games), or another one that does so alone."""
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
    fix: Mapping[str, str] = field(default_factory=dict, compare=False)
    """The repair that `chesstools.fix` makes, in words, by ``safe`` and ``unsafe``; or why there is none, by ``none``."""
    severity_note: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict, compare=False)
    """The evidence: what each field means."""
    phrases: Mapping[str, Mapping[str, str]] = field(default_factory=dict, compare=False)
    """What the words of a field are called in the message."""
    lang: str = "en"
    """The language of the texts."""

    @property
    def evidence(self) -> str:
        """The fields and what they mean, one a line."""
        titles = titles_of(self.lang)
        return "\n".join(f"{name}{titles['colon']}{meaning}" for name, meaning in self.fields.items()) or titles["no_evidence"]

    @property
    def fix_level(self) -> str:
        """``safe`` where something is repaired without ``--unsafe``, ``unsafe`` where only with it, else ``none``.

        >>> get_rule("P102").fix_level, get_rule("E501").fix_level, get_rule("E503").fix_level
        ('safe', 'unsafe', 'none')
        """
        return next(level for level in ("safe", "unsafe", "none") if level in self.fix)

    @property
    def summary(self) -> str:
        """The first sentence of `checks`."""
        return re.split(r"(?<=\.) (?=[A-Z<])|(?<=。)", self.checks, maxsplit=1)[0].rstrip(".。")

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
            "lang": self.lang,
            "severity": self.severity.value,
            "severity_note": self.severity_note,
            "active": self.active,
            "optional": self.optional,
            "command": self.command,
            "clauses": {"seed": self.seed, "fide": self.fide, "pgn": self.pgn},
            "message": self.message,
            "phrases": {name: dict(words) for name, words in self.phrases.items()},
            "checks": self.checks,
            "why": self.why,
            "evidence": dict(self.fields),
            "example": self.example,
            "remedy": self.remedy,
            "fix": dict(self.fix),
        }


def get_rule(code: str, lang: str = "en") -> Rule:
    """The rule with that code (in any case) or that name, its texts in one of `chesstools.language.LANGUAGES`.

    >>> get_rule("m324") is get_rule("castle-through-check")
    True
    >>> get_rule("M324", "zh").why
    '这是易位规则中最不为人熟知的一条；有不少这样的对局一直下到终局，其中也有高手的对局。'
    >>> get_rule("castle-thru-check")
    Traceback (most recent call last):
    chesstools.errors.OptionError: There is no rule 'castle-thru-check'; did you mean castle-through-check (M324)?

    Raises `OptionError` with the nearest code or name where there is no such rule, and for an unknown language.
    """
    known = code_of(code)
    if known is None:
        raise _unknown(code)
    return _rule(known, check(lang))


def code_of(selector: str) -> str | None:
    """The code of the rule with that code (in any case) or that name; None where there is none.

    >>> code_of("null-move"), code_of("m304"), code_of("M30")
    ('M304', 'M304', None)
    """
    key = selector.strip()
    return key.upper() if key.upper() in tables() else _names().get(key.lower().replace("_", "-"))


def all_rules(lang: str = "en") -> list[Rule]:
    """Every rule, active or reserved, in the order of the catalogue.

    >>> [rule.code for rule in all_rules()][:3]
    ['P101', 'P102', 'P103']
    """
    return [_rule(code, check(lang)) for code in tables()]


def all_codes() -> list[str]:
    """Every code, in the order of the catalogue; faster than `all_rules`."""
    return list(tables())


@cache
def active_codes() -> frozenset[str]:
    """The codes that findings carry; those of all others are reserved.

    >>> active_codes() == {rule.code for rule in all_rules() if rule.active}
    True
    """
    return _codes_with("active")


@cache
def judged_codes() -> frozenset[str]:
    """The codes that findings on games carry when these are judged; those of other commands are not among them.

    >>> sorted(active_codes() - judged_codes())
    ['G950', 'G951']
    """
    return active_codes() - frozenset(code for code, text in tables().items() if re.search("^command = ", text, re.MULTILINE))


@cache
def optional_codes() -> frozenset[str]:
    """The codes of rules that are worked out only where they are asked for.

    >>> optional_codes() == {rule.code for rule in all_rules() if rule.optional}
    True
    """
    return _codes_with("optional")


def _codes_with(key: str) -> frozenset[str]:
    return frozenset(code for code, text in tables().items() if re.search(f"^{key} = true$", text, re.MULTILINE))


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

    by_key = {key: code for code, key in [*((code, code.lower()) for code in tables()), *((c, n) for n, c in _names().items())]}
    nearest = difflib.get_close_matches(text.strip().lower(), by_key, n=1, cutoff=0.5)
    if not nearest:
        return OptionError(f"There is no rule {text!r}; `chesstools rule --all` lists them.")
    rule = _rule(by_key[nearest[0]], "en")
    found, other = (rule.code, rule.name) if nearest[0] == rule.code.lower() else (rule.name, rule.code)
    return OptionError(f"There is no rule {text!r}; did you mean {found} ({other})?")


@cache
def _names() -> dict[str, str]:
    """The code of each name."""
    return {match[1]: code for code, text in tables().items() if (match := re.search(r'^name = "(.+)"$', text, re.MULTILINE))}


@cache
def _rule(code: str, lang: str) -> Rule:
    if lang != "en":
        return _in_language(_rule(code, "en"), lang)
    entry = tomllib.loads(tables()[code])[code]
    clauses = entry["clauses"]
    return Rule(
        code=code,
        name=entry["name"],
        severity=Severity(entry["severity"]),
        active=entry["active"],
        optional=entry.get("optional", False),
        command=entry.get("command", JUDGING),
        seed=clauses.get("seed"),
        fide=clauses.get("fide"),
        pgn=clauses.get("pgn"),
        message=entry["message"],
        checks=prose(entry["checks"]),
        why=prose(entry["why"]),
        example=example(entry["example"]),
        remedy=prose(entry["remedy"]),
        fix=_fix(entry["fix"], "en"),
        severity_note=entry.get("severity_note"),
        fields={name: prose(meaning) for name, meaning in entry.get("fields", {}).items()},
        phrases=entry.get("phrases", {}),
    )


def _in_language(rule: Rule, lang: str) -> Rule:
    """The rule with the texts of another file. What is missing there stays English; a test sees to it that nothing is."""
    text = tables(lang).get(rule.code)
    entry = tomllib.loads(text)[rule.code] if text else {}
    texts: dict[str, Any] = {name: prose(entry[name]) for name in ("checks", "why", "remedy") if name in entry}
    fields, phrases = entry.get("fields", {}), entry.get("phrases", {})
    fix = {**rule.fix, **entry.get("fix", {})}
    if "none" in fix:
        fix = _fix(tomllib.loads(tables()[rule.code])[rule.code]["fix"], lang)
    return replace(
        rule,
        lang=lang,
        fix=fix,
        message=entry.get("message", rule.message),
        severity_note=rule.severity_note and entry.get("severity_note", rule.severity_note),
        example=told(rule.example, entry["example"]) if "example" in entry else rule.example,
        fields={name: prose(fields.get(name, meaning)) for name, meaning in rule.fields.items()},
        phrases={
            name: {word: phrases.get(name, {}).get(word, phrase) for word, phrase in words.items()}
            for name, words in rule.phrases.items()
        },
        **texts,
    )


def _fix(entry: Mapping[str, str], lang: str) -> dict[str, str]:
    """What an entry says of the repair, with the reason why there is none in words."""
    return {level: reasons_of(lang)[text] if level == "none" else prose(text) for level, text in entry.items()}
