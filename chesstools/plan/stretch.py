"""What surveys find, and the stretches that they become."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chesstools.errors import OptionError
from chesstools.step import Entry, Position


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some consecutive games of a source, and what must be known to judge them without the rest.

    `chesstools.scan.scan_source` takes `start`, `stop` and `entry` as they are. Games, lines and bytes are counted from the
    beginning of the source.
    """

    start: Position
    stop: int | None
    """The byte of the text at which the next stretch starts; None: it goes to the end."""
    entry: Entry


@dataclass(frozen=True, slots=True)
class Place:
    """Where a stretch can begin. All of it is counted from an origin of the survey that found it."""

    position: Position
    entry: Entry


@dataclass(frozen=True, slots=True)
class Survey:
    """What one range of the stored bytes tells: the games from its anchor to the next one, as far behind the range as that is.

    It is small and can travel. Lines are counted from 1 and games from 0 at the anchor.
    """

    start: int
    places: tuple[Place, ...] = ()
    """The anchor, and behind it the places in further ranges that have none. Empty: the range has no anchor."""
    end: Position | None = None
    """Where the next anchor stands; None: there is none."""
    next: int | None = None
    """The `start` of the range with the next anchor; None at the end of the source."""


def fold(surveys: Iterable[Survey]) -> list[Stretch]:
    """The stretches that surveys of all ranges of a source give, in any order; one stretch where there is none.

    Each survey counts from its anchor on, and the one before it ends there: so places become those of the whole source by
    adding up. Surveys whose range the ones before went over are not needed.

    Raises OptionError where a survey is missing.

    >>> fold([])
    [Stretch(start=Position(byte_offset=0, line=1, game_index=0, glued=False, too_long=False), stop=None, entry=Entry(stored=0, \
offset=0))]
    """
    folding = Folding()
    for survey in surveys:
        folding.add(survey)
    stretches: list[Stretch] = []
    while (found := folding.next()) is not None:
        stretches += found
    if folding.wanted is not None and (stretches or folding.has_surveys):
        raise OptionError(
            f"The survey of the range at byte {folding.wanted} is missing; survey all ranges before they are put together."
        )
    return stretches or [folding.rest()]


class Folding:
    """Puts surveys of one source together as they come, in any order.

    `add` a survey, then take the stretches that are known by then with `next`: those of one survey at a time, in order.

    Attributes:
        wanted: the `start` of the range whose survey comes next; None when all stretches are known.
        here: where the next stretch starts; the last one, when all are known.
        entry: the last place known at which the source can be entered before that.
    """

    def __init__(self, wanted: int | None = 0, here: Position | None = None, entry: Entry | None = None) -> None:
        """From the beginning, or from where another one had come."""
        self.wanted = wanted
        self.here = here or Position()
        self.entry = entry or Entry()
        self._surveys: dict[int, Survey] = {}

    @property
    def has_surveys(self) -> bool:
        """Whether there are some that wait for others before them."""
        return bool(self._surveys)

    def add(self, survey: Survey) -> None:
        """Take in a survey. Those of ranges that others went over are not needed."""
        if self.wanted is not None and survey.start >= self.wanted:
            self._surveys[survey.start] = survey

    def next(self) -> list[Stretch] | None:
        """The stretches of the survey that is wanted; None where that is not there."""
        survey = None if self.wanted is None else self._surveys.get(self.wanted)
        if survey is None or not survey.places:
            return None
        anchor, here = survey.places[0].position, self.here
        begins = [
            Place(_moved(place.position, anchor, here), _entered(place.entry, here.byte_offset - anchor.byte_offset))
            for place in survey.places
        ]
        self.entry, self.wanted = begins[-1].entry, survey.next
        self.here = begins[-1].position if survey.end is None else _moved(survey.end, anchor, here)
        del self._surveys[survey.start]
        if self.wanted is None:
            self._surveys.clear()
        end = None if self.wanted is None else self.here.byte_offset
        stops = [place.position.byte_offset for place in begins[1:]]
        return [Stretch(place.position, stop, place.entry) for place, stop in zip(begins, [*stops, end], strict=True)]

    def rest(self) -> Stretch:
        """All that is not in the stretches so far as one more, where it cannot be surveyed."""
        self.wanted = None
        self._surveys.clear()
        return Stretch(self.here, None, self.entry)


def _moved(position: Position, anchor: Position, here: Position) -> Position:
    return Position(
        position.byte_offset - anchor.byte_offset + here.byte_offset,
        position.line - anchor.line + here.line,
        position.game_index - anchor.game_index + here.game_index,
        position.glued,
        position.too_long,
    )


def _entered(entry: Entry, moved: int) -> Entry:
    return Entry(entry.stored, entry.offset + moved)
