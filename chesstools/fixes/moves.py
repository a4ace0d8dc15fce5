"""N402 to N407, N420: moves that are legal, but not written as the standard writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import chess

from chesstools.finding import Finding
from chesstools.fixes.edit import Edit, Fix, Key, key_of
from chesstools.fixes.judged import Judged
from chesstools.reference.facts import Facts
from chesstools.reference.lexer import Kind, Token
from chesstools.reference.replay import SUFFIX_NAGS, Frame, Replay
from chesstools.reference.segment import Region

_FORMS = frozenset({"N402", "N403", "N404", "N405", "N406"})
_MARKS = frozenset({"N405", "N406"})
_BLANKS = b" \t\r\n\x0b\x0c"


def fixes(judged: Judged, wants: Callable[[str], bool]) -> Iterator[Fix]:
    """Fixes for the form of moves, for glyphs and for numbers."""
    at: dict[tuple[int, int], list[Finding]] = {}
    for finding in judged.findings:
        if finding.code in _FORMS:
            at.setdefault(judged.place(finding), []).append(finding)
    for place, found in at.items():
        yield from _form(judged.text, place, found, wants)
    codes = {finding.code for finding in judged.findings}
    if "N407" in codes and wants("N407"):
        yield from _glyphs(judged)
    if "N420" in codes and wants("N420"):
        yield from _numbers(judged)


# ------------------------------------------------------------------------------------------------------- forms


def _form(text: bytes, place: tuple[int, int], found: list[Finding], wants: Callable[[str], bool]) -> Iterator[Fix]:
    """The move in standard notation; its marks or the rest as they stood where only one of the two is wanted."""
    start, end = place
    written = text[start:end]
    expected = str(found[0].evidence["expected"]).encode()
    if written.lower().startswith(b"e") and re.fullmatch(rb"e\.?p\.?", written):
        if wants("N404"):
            yield Fix((key_of(found[0]),), (_without(text, start, end),))
        return
    wanted = [one for one in found if wants(one.code)]
    about_marks = all(one.code in _MARKS for one in wanted)
    if not wanted or (not about_marks and any(not wants(one.code) for one in found if one.code not in _MARKS)):
        return  # the form as a whole is right or wrong
    body, mark = expected.rstrip(b"+#"), expected[len(expected.rstrip(b"+#")) :]
    if about_marks and len(wanted) < len(found):
        body = written.rstrip(b"+#")
    elif not about_marks and len(wanted) < len(found):
        mark = written[len(written.rstrip(b"+#")) :]
    yield Fix(tuple(map(key_of, wanted)), (Edit(start, end, body + mark),))


def _without(text: bytes, start: int, end: int) -> Edit:
    """Takes out a word and the blanks before it."""
    while text[start - 1 : start] and text[start - 1 : start] in _BLANKS:
        start -= 1
    return Edit(start, end, b"")


# ------------------------------------------------------------------------------------------------------ glyphs


def _glyphs(judged: Judged) -> Iterator[Fix]:
    """All suffixes as numeric glyphs."""
    text = judged.text
    edits = []
    for token in judged.region.tokens[: judged.region.terminator]:
        if token.kind is Kind.SUFFIX:
            start, end = judged.span(token)
            written = text[start:end].decode("ascii")
            glyph = f"${SUFFIX_NAGS.get(written[:2], SUFFIX_NAGS[written[0]])}".encode()
            before = b"" if text[start - 1 : start] in _BLANKS else b" "
            behind = b"" if text[end : end + 1] in _BLANKS or text[end : end + 1] == b")" else b" "
            edits.append(Edit(start, end, before + glyph + behind))
    yield Fix(tuple(key_of(one) for one in judged.findings if one.code == "N407"), tuple(edits))


# ----------------------------------------------------------------------------------------------------- numbers


class _Numbers(Replay):
    """A replay that notes each move number with the one that is due there."""

    def __init__(self, region: Region, board: chess.Board, gaps: dict[int, int]) -> None:
        super().__init__(Facts(region, "", 0, ""), board, None)
        self.edits: list[Edit] = []
        self._gaps = gaps
        self._gap = 0

    def _move(self, frame: Frame, token: Token) -> None:
        number, board, line = frame.number, frame.board, frame.line
        if number is not None and board is not None and not line.stopped:
            self._number(number, frame.dots, board, first=not line.plies and line.path is None, mainline=line.path is None)
        super()._move(frame, token)

    def _number(self, token: Token, dots: str, board: chess.Board, *, first: bool, mainline: bool) -> None:
        written = self.facts.text(token)
        if first and (written + dots).rstrip(".…") == "1":
            self.base_shift = 1 - board.fullmove_number
        if mainline:
            self._gap += self._gaps.get(token.start, 0)
        digits = re.match("[0-9]+", written)
        assert digits is not None  # the lexer knows no other numbers
        due = str(board.fullmove_number + self.base_shift + self._gap)
        start, end = token.start - self.facts.region.offset, token.end - self.facts.region.offset
        if int(digits.group()) != int(due):
            self.edits.append(Edit(start, start + len(digits.group()), due.encode()))
        if not board.turn and not dots and written[len(digits.group()) :] == ".":
            self.edits.append(Edit(end, end, b".."))


def _numbers(judged: Judged) -> Iterator[Fix]:
    """All numbers as the board counts them. Where a gap says that moves are missing, they go on counting from it."""
    facts = judged.facts
    assert facts is not None
    wrong: list[Key] = [key_of(one) for one in judged.findings if one.code == "N420"]
    if facts.mainline.stopped or facts.start.board is None or facts.start.setup is None:
        return  # a wrong number before a bad move tells where the fault is
    gaps = {one.where.byte_offset: int(str(one.evidence["count"])) for one in judged.findings if one.code == "N421"}
    replay = _Numbers(judged.region, facts.start.setup.copy(stack=False), gaps)
    replay.run()
    yield Fix(tuple(wrong), tuple(sorted(replay.edits)), unsafe=judged.in_doubt)
