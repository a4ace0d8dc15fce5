"""validate(): findings, ready to be shown, and counts."""

from __future__ import annotations

import os
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from chesstools import rules
from chesstools.finding import Finding, Location, Severity
from chesstools.language import check
from chesstools.profile_choice import AUTO, read_choice
from chesstools.profiles import Profile
from chesstools.rules import Rule
from chesstools.scan import Progress, Sources, scan_all
from chesstools.scanning import Scan
from chesstools.schema import EVIDENCE_COLUMNS
from chesstools.source import BLOCK_BYTES, find_sources
from chesstools.summary import Summary

if TYPE_CHECKING:
    from chesstools.cluster import Cluster

_TYPED = [column.name for column in EVIDENCE_COLUMNS]


@dataclass(frozen=True, slots=True)
class ReportedFinding:
    """A finding with what a person needs to read it: who played, and the sentence. `white` and `black` are None outside of
    games and where the tag is missing. `lang` is the language of rule and message."""

    finding: Finding
    white: str | None
    black: str | None
    lang: str = "en"

    @property
    def rule(self) -> Rule:
        """The rule in the catalogue."""
        return rules.get_rule(self.finding.code, self.lang)

    @property
    def message(self) -> str:
        """One sentence without a full stop."""
        finding = self.finding
        fields = {"token": finding.token, "ply": finding.where.ply, "variation": finding.where.variation}
        fields |= {"fen_before": finding.fen_before, "profile": finding.profile}
        return rules.render(finding.code, {**fields, **finding.evidence}, self.lang)


class Validation:
    """Iterates over `ReportedFinding`s in the order of the sources. It can be iterated once.

    Attributes:
        summary: counts; complete when the iteration is.
    """

    def __init__(self, scanning: Scan, lang: str = "en", left_whole: Mapping[int, str] | None = None) -> None:
        self._scan = scanning
        self._lang = lang
        self._left_whole = {} if left_whole is None else left_whole

    @property
    def summary(self) -> Summary:
        return self._scan.summary

    @property
    def left_whole(self) -> list[str]:
        """On a cluster, a sentence for each large source that could not be cut, and was judged by one process."""
        return [sentence for _, sentence in sorted(self._left_whole.items())]

    @property
    def ok(self) -> bool:
        """Whether no finding is an error, and every source was read to its end. Ask when the iteration is over."""
        return not self.summary.severities["error"] and not any(source.error for source in self.summary.sources)

    def __iter__(self) -> Iterator[ReportedFinding]:
        return self.at_least(Severity.INFO)

    def at_least(self, severity: Severity, named: Collection[str] = ()) -> Iterator[ReportedFinding]:
        """Only the findings of that severity or above, and all with one of the codes `named`.

        The others are counted all the same, and cost hardly anything.

        >>> from chesstools.source import Source
        >>> validation = validate(Source.from_bytes(b'[Event "?"]\\n\\n1. e4 e5 2. Ke3 *'))
        >>> [item.finding.code for item in validation.at_least(Severity.ERROR)], validation.summary.severities["warning"]
        (['M303'], 1)
        """
        players: dict[int, tuple[str | None, str | None]] = {}
        for batch in self._scan:
            if batch.table == "players":
                columns = (batch.data[name].to_pylist() for name in ("game_index", "white", "black"))
                players = {index: (white, black) for index, white, black in zip(*columns, strict=True)}
            else:
                for row in _rows(batch.data, severity, named):
                    white, black = players.get(row["game_index"], (None, None))
                    yield ReportedFinding(finding_of(row), white, black, self._lang)

    def batches(self) -> Iterator[pa.RecordBatch]:
        """The findings as record batches of `chesstools.schema.FINDINGS` instead."""
        return (batch.data for batch in self._scan if batch.table == "findings")


def _rows(findings: pa.RecordBatch, least: Severity, named: Collection[str]) -> Iterator[dict[str, Any]]:
    """The rows of a severity or above, or with one of the codes."""
    wanted = {severity.value for severity in Severity if severity >= least}
    are_wanted = [severity in wanted for severity in findings.column("severity").to_pylist()]
    if named:
        codes = findings.column("code").to_pylist()
        are_wanted = [severe or code in named for severe, code in zip(are_wanted, codes, strict=True)]
    return _picked(findings, are_wanted)


def rows_where(findings: pa.RecordBatch, column: str, wanted: Container[object]) -> Iterator[dict[str, Any]]:
    """The rows with a wanted value in a column; the others do not become Python objects."""
    return _picked(findings, [value in wanted for value in findings.column(column).to_pylist()])


def _picked(findings: pa.RecordBatch, are_wanted: Sequence[bool]) -> Iterator[dict[str, Any]]:
    for is_wanted, run in groupby(range(findings.num_rows), key=are_wanted.__getitem__):
        places = list(run)
        if is_wanted:
            yield from findings.slice(places[0], len(places)).to_pylist()


def finding_of(row: dict[str, Any]) -> Finding:
    """A row of the findings table as a Finding."""
    where = Location(
        row["source"], row["game_index"], row["line"], row["byte_offset"], row["byte_length"], row["ply"], row["variation"]
    )
    evidence = {name: row[name] for name in _TYPED if row[name] is not None}
    evidence.update(row["evidence"])
    return Finding(row["code"], Severity(row["severity"]), where, row["token"], row["fen_before"], evidence, row["profile"])


def validate(
    sources: Sources,
    *,
    profile: str | Profile = AUTO,
    profile_file: str | os.PathLike[str] | None = None,
    select: Sequence[str] | str | None = None,
    ignore: Sequence[str] | str | None = None,
    also: Sequence[str] | str | None = None,
    unwinnable: str = "quick",
    nodes: int | None = None,
    jobs: int = 1,
    block_bytes: int = BLOCK_BYTES,
    progress: Progress | None = None,
    raise_source_errors: bool = False,
    engine: str | None = None,
    lang: str = "en",
    cluster: Cluster | None = None,
    stretch_bytes: int | None = None,
    scratch: str | None = None,
) -> Validation:
    """Judge every game in `sources` and report what is wrong. Arguments and errors as in `chesstools.scan.scan`.

    `lang` is the language of the messages, one of `chesstools.language.LANGUAGES`.

    With `cluster` (`chesstools.cluster.connected`) its workers judge stretches of about `stretch_bytes` stored bytes each (None:
    64 MB), or small sources together. That has no effect on what comes out; `jobs` and `block_bytes` then mean nothing. What is
    found in a stretch or a source and is too much to travel (more than about 16 MB, packed) passes through files in the folder
    `scratch`, which may be a URI in a store (None: where the system keeps temporary files); workers on other machines have to
    reach it too.

    >>> from chesstools.source import Source
    >>> for item in validate(Source.from_bytes(b"1. e4 e5 2. Ke3 *"), select="M"):
    ...     print(item.finding.code, item.finding.where.ply, item.rule.name)
    M303 3 wrong-geometry
    >>> [item.message for item in validate(Source.from_bytes(b"1. e4 e5 2. Ke3 *"), select="M", lang="zh")]
    ['Ke3 不合规则：白方没有能这样走的该种棋子（写法最接近的合乎规则的着法：Ke2）']
    """
    check(lang)
    found, tables = find_sources(sources), ("players", "findings")
    choice, selection = read_choice(profile, profile_file), rules.Selection(select, ignore, also)
    if cluster is not None:
        from chesstools.cluster.validating import judge_on_cluster

        scanning, left_whole = judge_on_cluster(
            cluster,
            found,
            tables,
            choice=choice,
            selection=selection,
            unwinnable=unwinnable,
            nodes=nodes,
            stretch_bytes=stretch_bytes,
            scratch=scratch,
            progress=progress,
            raise_source_errors=raise_source_errors,
            engine=engine,
        )
        return Validation(scanning, lang, left_whole)
    scanning = scan_all(
        found,
        tables,
        choice=choice,
        selection=selection,
        unwinnable=unwinnable,
        nodes=nodes,
        jobs=jobs,
        batch_games=None,
        block_bytes=block_bytes,
        progress=progress,
        raise_source_errors=raise_source_errors,
        engine=engine,
    )
    return Validation(scanning, lang)
