"""The commonest repairs of many games at once: the native core judges all of these games again together.

A repair stays here under the conditions of `chesstools.fixes.trial`: what it names is gone, nothing new has come, and the game
says the same. That the native core tells by the findings of the games as they then stand, and by their trees as JSON Lines. A
game of which that cannot be said is left to `chesstools.fixes.trial`, as are all with other faults that are to be repaired.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from chesstools.errors import SourceError
from chesstools.finding import Finding
from chesstools.fixes import encoding, moves, results, tags, values
from chesstools.fixes.edit import Fix, apply, changes_of, compose, in_order
from chesstools.fixes.judged import Judged, region_of
from chesstools.fixes.task import AFTER_BYTES, Region, Task, Tasks
from chesstools.fixes.trial import Repaired, answers
from chesstools.reference import segment
from chesstools.reference.lexer import FILLERS, Kind, Lexer, Token
from chesstools.reference.segment import count_lines
from chesstools.reference.values import normalise_result
from chesstools.reference.window import LOOK_BEHIND, Window
from chesstools.scan import scan_source
from chesstools.source import Source
from chesstools.step import Position, Step
from chesstools.validate import finding_of, rows_where

CODES = frozenset({"P101", "P104", "P105", "P106", "P107", "T120", "N402", "N403", "N404", "N405", "N406", "N407", "E541"})
"""What is repaired here, where nothing else in the game is to be repaired: for this no board is needed."""

_OF_ALL_TOKENS = frozenset({"P101", "P104", "P105", "T120", "N407", "E541"})
"""For these all tokens of the game are looked at, for the others only those of its tag section."""

_BLANKS = b" \t\r\n\x0b\x0c"

_FAMILIES = (encoding, tags, values, moves, results)

_MOST_BYTES = 1 << 20
"""Longer games are looked at one by one: so this takes no more memory than a step, and none is here that was cut off."""


class Draft(NamedTuple):
    """A game with all its fixes, of which it is not yet known whether they may be made."""

    region: Region
    before: bytes
    findings: list[Finding]
    fixes: list[Fix]
    text: bytes

    @property
    def blanks(self) -> int:
        """Blanks that are put before it: in the stream they stand behind what is before it."""
        return 0 if self.before[:1] in _BLANKS else len(self.text) - len(self.text.lstrip(_BLANKS))


@dataclass(slots=True)
class Place:
    """Where a game would stand: so many bytes from its first token to that of what follows."""

    draft: Draft
    length: int


def repair_together(regions: Sequence[Region], step: Step, tasks: Tasks, jobs: int) -> dict[int, Repaired]:
    """The games of a step that could be repaired here, by their offset."""
    chosen = {
        region.game_index: region
        for region in regions
        if region.game_index is not None
        and region.end - region.start <= _MOST_BYTES
        and (codes := region.codes & tasks.wanted)
        and codes <= CODES
    }
    if not chosen:
        return {}
    drafts = {draft.region.start: draft for draft in _drafts(chosen, step, tasks)}
    if not drafts:
        return {}
    try:
        then = _judged_again(regions, drafts, tasks, jobs)
    except SourceError:
        return {}  # taken for something else than text
    fit = [draft for start, draft in drafts.items() if start in then and _is_answered(draft, then[start], tasks)]
    same = _same_trees(fit, jobs)
    return {
        draft.region.start: _repaired(draft, then[draft.region.start])
        for draft, is_same in zip(fit, same, strict=True)
        if is_same
    }


def _is_answered(draft: Draft, then: list[Finding], tasks: Tasks) -> bool:
    """Whether the fixes did what they are for, and there is nothing more to do."""
    if not answers(draft.findings, then, draft.fixes):
        return False
    if not any(one.code in tasks.wanted for one in then):
        return True
    task = tasks.task(draft.region)
    region = region_of(draft.text, task.context)
    return region is not None and not _proposed(Judged(draft.text, task.context, region, None, then), task)


def _repaired(draft: Draft, then: list[Finding]) -> Repaired:
    changes = compose(draft.before, [], changes_of(draft.fixes))
    fixed = Counter(key.code for fix in draft.fixes for key in fix.answers)
    return Repaired(draft.text, draft.findings, then, changes, fixed)


# ----------------------------------------------------------------------------------------------------- drafts


def _drafts(chosen: dict[int, Region], step: Step, tasks: Tasks) -> Iterator[Draft]:
    """The games with their fixes; not those in which some fixes have to wait for others."""
    found = _findings(step, chosen)
    games = step.batches["games"]
    markers = dict(zip(*(games.column(name).to_pylist() for name in ("game_index", "termination_marker")), strict=True))
    for index, region in chosen.items():
        task = tasks.task(region)
        sketch = _sketch(task, found.get(index, []), markers[index])
        if sketch is None:
            continue
        fixes, waiting = in_order(_proposed(sketch, task))
        # Whether tags still stand right behind what is before them only that would tell.
        stays_glued = "P107" in region.codes and all(fix.code != "P107" for fix in fixes)
        if fixes and not waiting and not stays_glued:
            yield Draft(region, task.text, sketch.findings, fixes, apply(task.text, changes_of(fixes)))


def _proposed(sketch: Judged, task: Task) -> list[Fix]:
    fixes = (fix for family in _FAMILIES for fix in family.fixes(sketch, task.wanted.__contains__))
    return [fix for fix in fixes if task.unsafe or not fix.unsafe]


def _findings(step: Step, games: Container[object]) -> dict[int, list[Finding]]:
    """The findings of some games."""
    found: dict[int, list[Finding]] = {}
    for row in rows_where(step.batches["findings"], "game_index", games):
        found.setdefault(row["game_index"], []).append(finding_of(row))
    return found


def _sketch(task: Task, findings: list[Finding], marker: str | None) -> Judged | None:
    """As much of a judged game as its fixes are made of; None where that cannot be told."""
    if task.region.codes & task.wanted & _OF_ALL_TOKENS:
        region = region_of(task.text, task.context)
    else:
        region = _tag_section(task, marker)
    return None if region is None else Judged(task.text, task.context, region, None, findings)


def _tag_section(task: Task, marker: str | None) -> segment.Region | None:
    """A game with the tokens of its tag section, the one behind it, and its termination marker."""
    start, text, before = task.region.start, task.text, task.context.before
    lexer = Lexer(Window([before + text], start - len(before)))
    at = start
    tokens: list[Token] = []
    while (token := lexer.next(at)) is not None:
        at = token.end
        if token.kind is not Kind.SPACE:
            tokens.append(token)
        if token.kind not in FILLERS and token.kind not in (Kind.TAG, Kind.BAD_TAG):
            break
    terminator = None
    if marker is not None:
        if not marker.isascii():
            return None
        place = text.rfind(marker.encode())  # what it says is asked for, not where
        terminator = len(tokens)
        tokens.append(Token(Kind.RESULT, start + place, start + place + len(marker)))
    return segment.Region(True, start, task.region.line, text, tokens, terminator)


# ------------------------------------------------------------------------------------------------ judged again


def _judged_again(regions: Sequence[Region], drafts: dict[int, Draft], tasks: Tasks, jobs: int) -> dict[int, list[Finding]]:
    """The findings of the games as they would then stand, by their offset; without those that are then no longer one game."""
    text, begin, places = _as_they_would_stand(regions, drafts, tasks)
    found: dict[int, list[Finding]] = {}
    scanning = scan_source(
        Source.from_bytes(text),
        tables=("compared", "findings"),
        profile=tasks.choice,
        start=Position(begin),
        jobs=jobs,
        engine="native",
    )
    for step in scanning:
        games = step.batches["compared"]
        columns = (games.column(name).to_pylist() for name in ("game_index", "byte_offset", "byte_length", "line"))
        here: dict[int, tuple[Draft, int, int]] = {}  # with what must be added to offsets and lines
        for index, offset, length, line in zip(*columns, strict=True):
            place = places.get(offset)
            if place is not None and length == place.length:
                draft, region = place.draft, place.draft.region
                breaks = count_lines(draft.text[: draft.blanks])
                here[index] = draft, region.start + draft.blanks - offset, region.line + breaks - line
                found[region.start] = []
        for row in rows_where(step.batches["findings"], "game_index", here):
            draft, bytes_more, lines_more = here[row["game_index"]]
            row["source"], row["game_index"] = tasks.source, draft.region.game_index
            row["byte_offset"] += bytes_more
            row["line"] += lines_more
            found[draft.region.start].append(finding_of(row))
    return found


def _as_they_would_stand(
    regions: Sequence[Region], drafts: dict[int, Draft], tasks: Tasks
) -> tuple[bytes, int, dict[int, Place]]:
    """The repaired games, each with what stands behind it in the source; where the first begins, and each one's first token."""
    held = tasks.held
    first = next(iter(drafts))
    # Behind a blank no text is taken for a packed one.
    before = b"\n" + held.bytes(first - LOOK_BEHIND, first) if first else b""
    parts = [before]
    size = len(before)
    places: dict[int, Place] = {}
    last: Place | None = None
    for region in regions:
        draft = drafts.get(region.start)
        if draft is not None:
            if last is not None:
                last.length += draft.blanks
            last = places[size + draft.blanks] = Place(draft, len(draft.text) - draft.blanks)
            part = draft.text
        elif last is not None:
            last = None
            part = held.bytes(region.start, min(region.end, region.start + AFTER_BYTES))
        else:
            continue
        parts.append(part)
        size += len(part)
    if last is not None:
        parts.append(held.bytes(regions[-1].end, regions[-1].end + AFTER_BYTES))
    return b"".join(parts), len(before), places


# ------------------------------------------------------------------------------------------------------- trees


def _same_trees(drafts: Sequence[Draft], jobs: int) -> list[bool]:
    """Whether each game says the same as before, but for the tags that its fixes say they change."""
    before = _trees([draft.before for draft in drafts], jobs)
    after = _trees([draft.text for draft in drafts], jobs)
    same: list[bool] = []
    for number, (one, other) in enumerate(zip_longest(before, after)):
        if one is None or other is None or number == len(drafts):
            return [False] * len(drafts)  # games ran into each other
        same.append(_is_same(one, other, frozenset().union(*(fix.tags for fix in drafts[number].fixes))))
    return same if len(same) == len(drafts) else [False] * len(drafts)


def _trees(texts: Sequence[bytes], jobs: int) -> Iterator[bytes]:
    """The games as JSON Lines; an empty one for what the native core does not write."""
    from chesstools import _core

    data = b"".join(part for text in texts for part in (text, b"\n\n"))
    core = _core.Export(None, lambda place: iter([data[place:]]), source="", format="jsonl", options={}, jobs=jobs)
    try:
        for part in core:
            yield from [b""] * part.games if part.text is None else part.text.splitlines()
    finally:
        core.close()


def _is_same(one: bytes, other: bytes, changed: frozenset[str]) -> bool:
    """Whether two lines of JSON Lines say the same but for some tags, and for how the result is written."""
    if not one or not other:
        return False
    (tags_of_one, tree, result), (tags_of_other, other_tree, other_result) = _told(one, changed), _told(other, changed)
    return tags_of_one == tags_of_other and tree == other_tree and result == other_result


def _told(line: bytes, changed: frozenset[str]) -> tuple[list[list[str]], bytes, dict[str, object]]:
    """A game of JSON Lines: its tags without some, its tree, which is not read (it may be deep), and how it ends."""
    # Quotes inside of strings are escaped: so these stand nowhere else before the one and behind the other.
    start, end = line.index(b',"unread_tags":'), line.rindex(b',"result":')
    pairs: list[list[str]] = json.loads(line[:start] + b"}")["tags"]
    behind: dict[str, object] = json.loads(b"{" + line[end + 1 :])
    written = behind["result"]
    behind["result"] = normalise_result(str(written)) or written
    return [pair for pair in pairs if pair[0] not in changed], line[start:end], behind
