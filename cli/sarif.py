"""SARIF 2.1.0, the format that code-scanning services read. Results are written as they come."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TextIO
from urllib.parse import quote

from chesstools import __version__

from .lines import place
from .records import dumps
from .words import Words

if TYPE_CHECKING:
    from chesstools.rules import Rule
    from chesstools.summary import Summary
    from chesstools.validate import ReportedFinding

LANGUAGES = {"en": "en-US", "zh": "zh-CN"}

LEVELS = {"error": "error", "warning": "warning", "info": "note"}


class SarifWriter:
    """One run with the whole catalogue as its rules, one result a finding."""

    def __init__(self, out: TextIO, words: Words) -> None:
        from chesstools.rules import all_rules

        self._out = out
        self._words = words
        rules = [rule for rule in all_rules(words.lang) if rule.active]
        self._index = {rule.code: number for number, rule in enumerate(rules)}
        driver = {
            "name": "chesstools",
            "version": __version__,
            "semanticVersion": __version__,
            "language": LANGUAGES[words.lang],
            "rules": [_rule(rule) for rule in rules],
        }
        out.write(
            '{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [{"tool": {"driver": '
            f'{dumps(driver)}}}, "language": "{LANGUAGES[words.lang]}", "columnKind": "unicodeCodePoints", "results": ['
        )
        self._separator = "\n"

    def write(self, item: ReportedFinding) -> None:
        self._out.write(self._separator + dumps(self._result(item)))
        self._separator = ",\n"

    def end(self, summary: Summary) -> None:
        notes = [
            {"level": "error", "message": {"text": f"{source.name}: {source.error}"}}
            for source in summary.sources
            if source.error
        ]
        invocation: dict[str, Any] = {"executionSuccessful": not notes}
        if notes:
            invocation["toolExecutionNotifications"] = notes
        self._out.write(f'\n], "invocations": [{dumps(invocation)}]}}]}}\n')

    def _result(self, item: ReportedFinding) -> dict[str, Any]:
        finding = item.finding
        where = finding.where
        location: dict[str, Any] = {
            "physicalLocation": {
                "artifactLocation": {"uri": uri(where.source)},
                "region": {"startLine": where.line, "byteOffset": where.byte_offset, "byteLength": where.byte_length},
            }
        }
        middle = place(item, self._words)
        if middle:
            location["message"] = {"text": middle}
        properties = {name: value for name, value in finding.evidence.items() if value is not None}
        if finding.token is not None:
            properties["token"] = finding.token
        if finding.fen_before is not None:
            properties["fen_before"] = finding.fen_before
        return {
            "ruleId": finding.code,
            "ruleIndex": self._index.get(finding.code, -1),
            "level": LEVELS[finding.severity.value],
            "message": {"text": item.message},
            "locations": [location],
            "partialFingerprints": {"chesstools/v1": _fingerprint(item)},
            "properties": properties,
        }


def uri(source: str) -> str:
    """A source's name as the URI reference that SARIF wants: relative paths stay relative.

    >>> uri("club games/a.pgn"), uri("/data/b.pgn")
    ('club%20games/a.pgn', 'file:///data/b.pgn')
    """
    path = PurePath(source)
    if path.is_absolute():
        return path.as_uri()
    return quote(path.as_posix(), safe="/@!$&'()*+,;=~", errors="surrogateescape")


def _rule(rule: Rule) -> dict[str, Any]:
    clauses = {"FIDE Laws of 2023": rule.fide, "FIDE Laws of 1992": rule.seed, "PGN standard": rule.pgn}
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.checks},
        "help": {"text": f"{rule.why}\n\n{rule.remedy}"},
        "defaultConfiguration": {"level": LEVELS[rule.severity.value]},
        "properties": {"clauses": {name: clause for name, clause in clauses.items() if clause}},
    }


def _fingerprint(item: ReportedFinding) -> str:
    """The same finding in the same game has the same fingerprint, wherever the game has moved to in its file."""
    finding = item.finding
    parts = (finding.code, item.white, item.black, finding.where.ply, finding.where.variation, finding.token, finding.fen_before)
    return blake2b(repr(parts).encode("utf-8", "backslashreplace"), digest_size=16).hexdigest()
