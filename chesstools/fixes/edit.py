"""Edits on bytes: what is put in the place of what, how edits follow one another, and what fixes are made of."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from chesstools.finding import Finding


class Edit(NamedTuple):
    """The bytes from `start` to `end` (offsets in the text of a game) become `text`."""

    start: int
    end: int
    text: bytes


class Key(NamedTuple):
    """What tells one finding of a game from another, wherever in the text it stands."""

    code: str
    ply: int | None = None
    variation: str | None = None
    kind: str = ""
    """What tells findings of one code and place apart; empty where there can be only one."""


def key_of(finding: Finding) -> Key:
    """The key of a finding."""
    kind = finding.evidence.get(_KINDS.get(finding.code, ""), "")
    return Key(finding.code, finding.where.ply, finding.where.variation, str(kind))


_KINDS = {"P101": "found", "P103": "reason", "P104": "reason", "E541": "place", "T120": "tag", "T121": "tag"}


@dataclass(frozen=True, slots=True)
class Fix:
    """A repair that a rule proposes: all of its edits are made, or none.

    Attributes:
        answers: the findings that are gone when it is made; the first names the rule.
        edits: in the order of the text, apart from each other.
        unsafe: whether it needs a person's word (``--unsafe``).
        tags: names of the tags that may differ afterwards; all others stay as they are.
        result: whether the result may differ afterwards.
        moves: whether moves may differ afterwards.
        comments: whether the text of comments may differ afterwards.
        unread: whether text that means nothing may differ afterwards (a bracket too many).
    """

    answers: tuple[Key, ...]
    edits: tuple[Edit, ...]
    unsafe: bool = False
    tags: frozenset[str] = frozenset()
    result: bool = False
    moves: bool = False
    comments: bool = False
    unread: bool = False

    @property
    def code(self) -> str:
        """The rule."""
        return self.answers[0].code


class Change(NamedTuple):
    """An edit on the text as it was at first, with the rules that it answers."""

    start: int
    end: int
    text: bytes
    codes: tuple[str, ...]
    ply: int | None = None
    variation: str | None = None
    unsafe: bool = False


def apply(text: bytes, edits: Iterable[Edit | Change]) -> bytes:
    """`text` with all edits made, which are in order and do not overlap; of two at one place the first comes first.

    >>> apply(b"1. e4 e5", [Edit(3, 5, b"d4"), Edit(8, 8, b" *")])
    b'1. d4 e5 *'
    """
    parts = []
    done = 0
    for edit in edits:
        parts += [text[done : edit.start], edit.text]
        done = edit.end
    return b"".join([*parts, text[done:]])


def in_order(fixes: Iterable[Fix]) -> tuple[list[Fix], list[Fix]]:
    """The fixes that can be made together, and those that have to wait as they touch what an earlier one changes.

    >>> one, two = Fix((Key("N404"),), (Edit(0, 3, b"O-O"),)), Fix((Key("N406"),), (Edit(2, 3, b"+"),))
    >>> [fix.code for fix in in_order([one, two])[1]]
    ['N406']
    """
    taken: list[Fix] = []
    waiting: list[Fix] = []
    spans: list[tuple[int, int, str]] = []  # what those taken change, in order and apart
    for fix in fixes:
        if any(_is_taken(spans, edit, fix.code) for edit in fix.edits):
            waiting.append(fix)
        else:
            taken.append(fix)
            for edit in fix.edits:
                insort(spans, (edit.start, edit.end, fix.code))
    return taken, waiting


def _is_taken(spans: list[tuple[int, int, str]], edit: Edit, code: str) -> bool:
    """Whether an edit speaks of bytes that are changed already, or puts something in where another rule does."""
    at = bisect_left(spans, (edit.start, -1, ""))
    if at and spans[at - 1][1] > edit.start:
        return True
    for number in range(at, len(spans)):
        start, end, other = spans[number]
        if start >= edit.end and start > edit.start:
            break
        if not start == end == edit.start == edit.end or other != code:
            return True
    return False


def changes_of(fixes: Iterable[Fix]) -> list[Change]:
    """The edits of fixes as changes, in the order of the text."""
    changes = []
    for fix in fixes:
        codes = tuple(dict.fromkeys(key.code for key in fix.answers))
        ply, variation = fix.answers[0][1:3] if len(fix.edits) == 1 else (None, None)
        changes += [Change(*edit, codes, ply, variation, fix.unsafe) for edit in fix.edits]
    return sorted(changes, key=lambda change: (change.start, change.end))


def compose(text: bytes, first: Sequence[Change], then: Sequence[Change]) -> list[Change]:
    """Changes of `text` that come to the same as `first` and, on what that gives, `then`.

    A later change that touches what an earlier one has put in becomes one change with it.

    >>> compose(b"abc", [Change(1, 2, b"xyz", ("A",))], [Change(3, 4, b"", ("B",))])
    [Change(start=1, end=2, text=b'xy', codes=('A', 'B'), ply=None, variation=None, unsafe=False)]
    """
    between = apply(text, first)
    # Spans in the text between: what the first changes have put there, and what the second ones take away.
    spans: list[tuple[int, int, bool, Change]] = [(change.start, change.end, False, change) for change in then]
    grown = 0
    for change in first:
        start = change.start + grown
        spans.append((start, start + len(change.text), True, change))
        grown += len(change.text) - (change.end - change.start)
    spans.sort(key=lambda span: span[:2])
    groups: list[list[tuple[int, int, bool, Change]]] = []
    end = -1
    for span in spans:
        if groups and (span[0] < end or (span[0] == end and span[2] != groups[-1][-1][2])):
            groups[-1].append(span)
        else:
            groups.append([span])
        end = max(end, span[1])
    made: list[Change] = []
    shift = 0
    for group in groups:
        start, end = group[0][0], max(span[1] for span in group)
        earlier = [change for _, _, is_first, change in group if is_first]
        later = [change for _, _, is_first, change in group if not is_first]
        growth = sum(len(change.text) - (change.end - change.start) for change in earlier)
        new = apply(between[start:end], [one._replace(start=one.start - start, end=one.end - start) for one in later])
        all_of = [*earlier, *later]
        codes = tuple(dict.fromkeys(code for change in all_of for code in change.codes))
        unsafe = any(change.unsafe for change in all_of)
        made.append(Change(start - shift, end - shift - growth, new, codes, all_of[0].ply, all_of[0].variation, unsafe))
        shift += growth
    return [change for change in made if text[change.start : change.end] != change.text]
