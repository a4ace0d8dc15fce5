"""The catalogue of rules: what each finding code means, and which codes a run asks for.

The text lives in ``rules.toml`` (its head explains the format) and, in Chinese, in ``rules.zh.toml``. Documentation, command
line and tests are made from it.

>>> rule = get_rule("castle-through-check")
>>> rule.code, rule.severity.value, rule.fide
('M324', 'error', '3.8.2.2')
>>> render("M324", {"token": "O-O", "square": "f1", "attacker": "a6"})
'O-O is illegal: the king would cross f1, which is attacked from a6'
>>> Selection(select=["M", "N401"], ignore=["null-move"]).wants("M304")
False
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from chesstools import template
from chesstools.catalogue import (
    JUDGING,
    Rule,
    active_codes,
    all_rules,
    code_of,
    get_rule,
    judged_codes,
    matching_codes,
    optional_codes,
)
from chesstools.catalogue_text import titles_of, translated, words_of
from chesstools.errors import OptionError
from chesstools.wrapping import pad, wrap

if TYPE_CHECKING:
    CATALOGUE: dict[str, Rule]

__all__ = ["CATALOGUE", "Rule", "Selection", "all_rules", "explain", "get_rule", "matching", "render"]


def matching(selector: str, lang: str = "en") -> list[Rule]:
    """The rules meant by a code, a name, the beginning of a code (``"M"``, ``"M32"``) or ``"ALL"``.

    >>> [rule.name for rule in matching("M34")]
    ['missing-promotion', 'bad-promotion-piece', 'misplaced-promotion']

    Raises `OptionError` with the nearest code or name where nothing is meant.
    """
    return [get_rule(code, lang) for code in matching_codes(selector)]


def render(code: str, fields: Mapping[str, object], lang: str = "en") -> str:
    """The message of a finding: one line, one sentence, no full stop, in one of `chesstools.language.LANGUAGES`.

    `fields` holds the evidence with the token and the place, or a whole row of the findings table (then the map `evidence`
    in it is looked into as well). What is missing, None, NaN or empty is left out of the sentence; unknown fields are
    ignored. Lists are written ``a, b, c`` (in Chinese ``a、b、c``); signs that cannot be printed are escaped.

    >>> render("E511", {"count": 1})
    'the score goes on for 1 ply after the checkmate that ended the game'
    >>> render("N401", {"token": "Nd2", "legal_alternatives": ["Nbd2", "Nfd2"]})
    'Nd2 is ambiguous: it can be Nbd2, Nfd2'
    >>> render("N401", {})
    'the move is ambiguous'
    >>> render("N401", {"token": "Nd2", "legal_alternatives": ["Nbd2", "Nfd2"]}, lang="zh")
    'Nd2 模棱两可：可以是 Nbd2、Nfd2'

    Raises `OptionError` for an unknown code or language, and nothing else.
    """
    rule = get_rule(code, lang)
    return template.parse(rule.message).fill(_reader(rule, fields))


def explain(rule: Rule, width: int | None = None, lang: str | None = None) -> str:
    """Everything there is to say about a rule, as plain text with fixed sections; ends without a line feed.

    `width` wraps the paragraphs to that many columns of a terminal (a Chinese character takes two); None leaves each on one
    line. Fragments of PGN are never wrapped. `lang` is another language than that of `rule`.

    >>> print(explain(get_rule("P113"), width=70).split("Why")[0])
    P113 empty-game
    <BLANKLINE>
    Severity  info
    Clauses   PGN standard: 8.2
    Message   the game has no moves
    <BLANKLINE>
    What it checks
      The mainline of the game holds at least one move. A start position
      alone, as in puzzle files, counts as a game without moves.
    <BLANKLINE>
    <BLANKLINE>
    """
    if lang is not None:
        rule = get_rule(rule.code, lang)
    titles = titles_of(rule.lang)
    clauses = [(name, clause) for name, clause in (("fide", rule.fide), ("seed", rule.seed), ("pgn", rule.pgn)) if clause]
    stated = titles["semicolon"].join(f"{titles[name]}{titles['colon']}{clause}" for name, clause in clauses)
    severity = titles[rule.severity.value]
    if rule.severity_note:
        severity = template.parse(titles["note"]).fill({"word": severity, "note": rule.severity_note}.get)
    lines = [f"{rule.code} {rule.name}", ""]
    if not rule.active:
        lines += [*_wrap(titles["not_active"], width), ""]
    elif rule.command != JUDGING:
        lines += [*_wrap(template.parse(titles["elsewhere"]).fill({"command": rule.command}.get), width), ""]
    elif rule.optional:
        lines += [*_wrap(template.parse(titles["optional"]).fill({"code": rule.code}.get), width), ""]
    for title, text in [
        ("severity", severity),
        ("clauses", stated or titles["no_clause"]),
        ("message", template.parse(rule.message).outline()),
    ]:
        lines += _wrap(text, width, pad(titles[title], 10), " " * 10)
    for title, text in [
        ("checks", rule.checks),
        ("why", rule.why),
        ("evidence", rule.evidence),
        ("example", rule.example),
        ("remedy", rule.remedy),
        ("fix", "\n".join(f"{titles[f'fix_{level}']}{titles['colon']}{text}" for level, text in rule.fix.items())),
    ]:
        lines += ["", titles[title]]
        for line in text.split("\n"):
            verbatim = line.startswith("    ") or not line
            lines += (
                [("  " + line).rstrip()]
                if verbatim
                else _wrap(line, width, "  ", "    " if title in ("evidence", "fix") else "  ")
            )
    return "\n".join(lines)


class Selection:
    """Which codes a run reports.

    `select`, `also` and `ignore` hold codes, names, beginnings of codes, or ``"ALL"``, alone or separated by commas. `select`
    is what is reported, everything where it is None or empty; `also` is reported beside it; `ignore` wins over both.

    Rules that are *optional* (`Rule.optional`) are worked out only where they are asked for: by their code or name in
    `select`, where the beginning of a code or ``"ALL"`` does not mean them, or by anything that fits in `also`.

    >>> selection = Selection(select=["M"], ignore=["M304", "ambiguous-san"])
    >>> selection.wants("M303"), selection.wants("M304"), selection.wants("P102")
    (True, False, False)
    >>> [Selection(**asked).wants("P112") for asked in ({}, {"select": "P"}, {"select": "P112"}, {"also": "P112"})]
    [False, False, True, True]

    Raises `OptionError` for a selector that means nothing, and where nothing is left that a finding could carry: such a run
    would report nothing and look clean.
    """

    def __init__(
        self,
        select: Sequence[str] | str | None = None,
        ignore: Sequence[str] | str | None = None,
        also: Sequence[str] | str | None = None,
    ) -> None:
        chosen = _plain_codes(_words(select) or ["ALL"])
        more = frozenset(code for word in _words(also) for code in matching_codes(word))
        unwanted = frozenset(code for word in _words(ignore) for code in matching_codes(word))
        self.codes: frozenset[str] = (chosen | more) - unwanted
        """The codes that are reported."""
        for asked in (chosen, more):
            if asked and not _any_judged(asked):
                raise OptionError(f"{', '.join(sorted(asked))}: {_why_not(asked)}, so nothing would be reported.")
        if not _any_judged(self.codes):
            raise OptionError("Every rule that is selected is also ignored, so nothing would be reported.")

    def wants(self, code: str) -> bool:
        """Whether findings with this code are reported."""
        return code in self.codes

    @property
    def optional(self) -> frozenset[str]:
        """The codes of optional rules that are to be worked out."""
        return self.codes & optional_codes()

    def __repr__(self) -> str:
        return f"Selection({', '.join(sorted(self.codes))})"


def _any_judged(codes: frozenset[str]) -> bool:
    return not codes.isdisjoint(judged_codes())


def _why_not(codes: frozenset[str]) -> str:
    """Why no finding on a game carries one of these codes."""
    others = {get_rule(code).command for code in codes & active_codes()}
    return f"told by 'chesstools {min(others)}' alone" if others else "reserved and not active yet"


def _plain_codes(words: Sequence[str]) -> frozenset[str]:
    """The codes that are meant, optional ones only where a word is their code or their name."""
    chosen: set[str] = set()
    for word in words:
        codes = matching_codes(word)
        meant = {code for code in codes if code not in optional_codes() or code == code_of(word)}
        if not meant:
            raise OptionError(f"{word} means only optional rules; select them by their whole code ({', '.join(codes)}).")
        chosen |= meant
    return frozenset(chosen)


def named_codes(selectors: Sequence[str] | str | None) -> frozenset[str]:
    """The codes that somebody asks for by their code or name, or by anything that means an optional rule.

    >>> sorted(named_codes(["T126", "P11"]))
    ['P112', 'T126']
    """
    found = ((word, code) for word in _words(selectors) for code in matching_codes(word))
    return frozenset(code for word, code in found if code in optional_codes() or code == code_of(word))


def _words(selectors: Sequence[str] | str | None) -> list[str]:
    parts = [selectors] if isinstance(selectors, str) else selectors or []
    return [word for part in parts for word in re.split(r"[,\s]+", part) if word]


def _reader(rule: Rule, fields: Mapping[str, object]) -> Callable[[str], str | None]:
    """The text of each field for the message, with its phrase where the rule has one for it."""
    nested = fields.get("evidence")
    more = dict(nested) if nested and isinstance(nested, (Mapping, list)) else {}  # Arrow gives a map as a list of pairs
    separator = titles_of(rule.lang)["comma"]

    def value_of(name: str) -> object:
        return fields.get(name, more.get(name))

    def plain(name: str) -> str | None:
        value = value_of(name)
        if name == "reason" and isinstance(value, str):  # the one field in which engines write sentences
            value = translated(value, rule.lang)
        text = template.text_of(value, separator)
        return text and words_of(name, rule.lang).get(text, text)

    def phrase(name: str) -> str | None:
        text = template.text_of(value_of(name))
        words = rule.phrases.get(name, {}).get(text) if text else None
        return template.parse(words).fill(plain) if words else plain(name)

    return phrase


def _wrap(text: str, width: int | None, first: str = "", rest: str = "") -> list[str]:
    return [first + text] if width is None else wrap(text, max(width, 20), first, rest)


def __getattr__(name: str) -> object:
    if name == "CATALOGUE":
        return {rule.code: rule for rule in all_rules()}
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
