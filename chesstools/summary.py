"""Counts of what was read and found, per source and in all. They reconcile: games and quarantined regions are the whole input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(slots=True)
class SourceSummary:
    """What one source held. `bytes` (decompressed) = `game_bytes` + `quarantined_bytes`."""

    name: str
    bytes: int = 0
    games: int = 0
    game_bytes: int = 0
    quarantined_regions: int = 0
    quarantined_bytes: int = 0
    plies: int = 0
    """Mainline plies replayed."""
    results: Counter[str] = field(default_factory=Counter)
    """Games by result: 1-0, 0-1, 1/2-1/2, * or ? (none that can be read)."""
    draws_by_reason: Counter[str] = field(default_factory=Counter)
    """Drawn games by the reason that board or Termination tag give; "not stated" where they give none."""
    unclaimed_draws: int = 0
    """Games lost by a player who could have claimed a draw."""
    findings: Counter[str] = field(default_factory=Counter)
    """Selected findings by code."""
    other_severity: Counter[str] = field(default_factory=Counter)
    """Those of `findings` that have not the severity of their rule, but the one that its `severity_note` names."""
    severities: Counter[str] = field(default_factory=Counter)
    """Selected findings by severity."""
    error: str | None = None
    """Why the source could not be read to its end; None if it was."""

    def merge(self, other: SourceSummary) -> None:
        """Add the counts of `other`; the name stays.

        >>> one = SourceSummary("a", games=1)
        >>> one.merge(SourceSummary("b", games=2))
        >>> one.games
        3
        """
        for name in _FIELDS:
            mine, theirs = getattr(self, name), getattr(other, name)
            if isinstance(mine, Counter):
                mine.update(theirs)
            elif isinstance(mine, int):
                setattr(self, name, mine + theirs)
        self.error = self.error or other.error

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        values = {name: getattr(self, name) for name in _FIELDS}
        return {name: dict(sorted(value.items())) if isinstance(value, Counter) else value for name, value in values.items()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> SourceSummary:
        """What `to_dict` gave."""
        known: dict[str, Any] = {name: Counter(value) if isinstance(value, dict) else value for name, value in values.items()}
        return cls(**known)


_FIELDS = tuple(item.name for item in fields(SourceSummary))


@dataclass(slots=True)
class Summary:
    """What all sources held together."""

    games: int = 0
    plies: int = 0
    results: Counter[str] = field(default_factory=Counter)
    draws_by_reason: Counter[str] = field(default_factory=Counter)
    unclaimed_draws: int = 0
    findings: Counter[str] = field(default_factory=Counter)
    other_severity: Counter[str] = field(default_factory=Counter)
    severities: Counter[str] = field(default_factory=Counter)
    sources: list[SourceSummary] = field(default_factory=list)
    seconds: float = 0.0
    whole: list[str] = field(default_factory=list)
    """Of a run on a cluster: why sources were read as a whole, by one worker each. A sentence each."""
    is_unfinished: bool = False
    """Of a run that wrote a dataset: whether some of a source is left for another run, as it could not be had."""

    @classmethod
    def of(cls, sources: Iterable[SourceSummary], *, seconds: float = 0.0) -> Summary:
        """The sum over sources.

        >>> Summary.of([SourceSummary("a", games=1), SourceSummary("b", games=2)]).games
        3
        """
        total = SourceSummary("")
        listed = list(sources)
        for source in listed:
            total.merge(source)
        return cls(
            total.games,
            total.plies,
            total.results,
            total.draws_by_reason,
            total.unclaimed_draws,
            total.findings,
            total.other_severity,
            total.severities,
            listed,
            seconds,
        )
