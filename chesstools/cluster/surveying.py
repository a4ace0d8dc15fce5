"""Surveys as tasks of a cluster: a worker looks where stretches of a source begin."""

from __future__ import annotations

from dataclasses import dataclass

from chesstools.bytestream import is_damage
from chesstools.errors import SourceError
from chesstools.plan import Survey, survey
from chesstools.source import Source


@dataclass(frozen=True, slots=True)
class Unknown:
    """In place of a survey: the source is damaged there."""

    start: int


@dataclass(frozen=True, slots=True)
class Look:
    """Survey one range of a source."""

    number: int
    """That of the source among all."""
    source: Source
    start: int
    stop: int
    engine: str

    @property
    def key(self) -> str:
        """A short text, no two alike."""
        return f"survey-{self.number}-{self.start}"

    def work(self) -> Survey | Unknown:
        """Do it. Raises SourceError where the source cannot be read for a reason that may pass."""
        try:
            return survey(self.source, self.start, self.stop, engine=self.engine)
        except SourceError as error:
            if not is_damage(error):
                raise
            return Unknown(self.start)  # who judges what stands there will say so
