"""N401, M341, M391: moves that are most likely meant, made only where it is asked for and the game is then legal to its end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from chesstools.finding import Finding
from chesstools.fixes.edit import Edit, Fix, Key, apply, key_of
from chesstools.fixes.judged import Judged, judge, max_single
from chesstools.reference.lexer import Kind, Token
from chesstools.reference.line import Line

_AS_IT_STOPS = frozenset({"M390", "M391"})
_PIECES = ("Q", "R", "B", "N")


def fixes(judged: Judged, wants: Callable[[str], bool]) -> Iterator[Fix]:
    """Fixes for moves that cannot be made as they are written.

    Each move that can be meant takes judging the game again: behind the first `max_single` of them none is proposed.
    """
    facts = judged.facts
    assert facts is not None
    suggested = False
    left = max_single(judged.text)
    for finding in judged.findings:
        if not wants(finding.code):
            continue
        if finding.code == "M391" and finding.evidence.get("reach") == "end" and not {"rivals", "limit"} & set(finding.evidence):
            edits = _suggested(judged, finding)
            if edits:
                suggested = True
                yield Fix(_stopped(judged, finding), edits, unsafe=True, moves=True)
        elif finding.code in ("N401", "M341") and not suggested:
            moves = _can_be_meant(finding)
            left -= len(moves)
            if left >= 0:
                yield from _meant(judged, finding, moves, only=finding.code == "N401")


def _stopped(judged: Judged, finding: Finding) -> tuple[Key, ...]:
    """The findings that are gone when the line goes on: the one named, and those that say that it stops."""
    line = finding.where.variation
    others = [one for one in judged.findings if line is None and one.code in _AS_IT_STOPS and one is not finding]
    bad = [one for one in judged.findings if one.code[:2] in ("M3", "N4") and one.fen_before is not None and one is not finding]
    bad = [one for one in bad if line is None and one.where.variation is None and one.code not in ("M304",)]
    return tuple(map(key_of, [finding, *(others + bad if finding.code == "M391" else others)]))


# -------------------------------------------------------------------------------------- what a token can mean


def _can_be_meant(finding: Finding) -> list[str]:
    if finding.code == "M341":
        return [_promoted(str(finding.token), piece) for piece in _PIECES]
    found = finding.evidence.get("legal_alternatives")
    return [str(move) for move in found] if isinstance(found, (list, tuple)) else []


def _promoted(token: str, piece: str) -> str:
    body = token.rstrip("+#=/")
    return f"{body}={piece}{'#' if token.endswith('#') else '+' if token.endswith('+') else ''}"


def _meant(judged: Judged, finding: Finding, moves: list[str], *, only: bool) -> Iterator[Fix]:
    """The move with which the line is legal to its end: the only such one, or else the first of them."""
    place = judged.place(finding)
    path = finding.where.variation
    whole = []
    for move in moves:
        edit = Edit(*place, move.encode())
        then = judge(apply(judged.text, [edit]), judged.context)
        if then is not None and then.facts is not None and _goes_on(then.facts.mainline, path, finding.where.ply):
            whole.append(edit)
            if not only or len(whole) > 1:
                break
    if len(whole) == 1 or (whole and not only):
        yield Fix(_stopped(judged, finding), (whole[0],), unsafe=True, moves=True)


def _goes_on(mainline: Line, path: str | None, ply: int | None) -> bool:
    """Whether a line is legal to its end and goes on behind that ply (a last move may be any of those it can mean)."""
    todo = [mainline]
    while todo:
        line = todo.pop()
        if line.path == path:
            return not line.stopped and line.next_ply > (ply or 0)
        todo += [child for one in line.plies for child in one.variations]
    return False


# --------------------------------------------------------------------------------------------- suggestions


def _suggested(judged: Judged, finding: Finding) -> tuple[Edit, ...]:
    """The change that M391 names, as edits; none where it is one of the start position."""
    facts = judged.facts
    assert facts is not None
    line = facts.mainline
    moves = [*(ply.token for ply in line.plies), *line.rest_tokens]
    index = finding.evidence.get("first_ply")
    reason = finding.evidence.get("reason")
    if not isinstance(index, int) or not 0 <= index - line.first_ply < len(moves):
        return ()
    at = index - line.first_ply
    expected = str(finding.evidence.get("expected", "")).split(" ")[-1].encode()
    start, end = judged.span(moves[at])
    if reason in ("other-man", "mistyped"):
        return (Edit(start, end, expected),)
    if reason == "missing":
        return (Edit(start, start, expected + b" "),)
    if reason == "left-out":
        many = len(str(finding.evidence.get("found", "")).split(" ")) - 1
        return tuple(_left_out(judged, token) for token in moves[at : at + many])
    if reason == "transposed":
        number = re.match(r"([0-9]+)(\.+)", str(finding.evidence.get("expected", "")))
        other = _index_of(judged, number, at)
        if other is None or not at < other < len(moves):
            return ()
        first, second = judged.span(moves[at]), judged.span(moves[other])
        return (Edit(*first, judged.text[slice(*second)]), Edit(*second, judged.text[slice(*first)]))
    return ()


def _index_of(judged: Judged, number: re.Match[str] | None, at: int) -> int | None:
    """The index of the move with that number."""
    facts = judged.facts
    assert facts is not None
    if number is None or facts.start.setup is None:
        return None
    start = facts.start.setup
    ply = 2 * (int(number[1]) - start.fullmove_number) + (len(number[2]) > 1) - (not start.turn)
    return ply


def _left_out(judged: Judged, token: Token) -> Edit:
    """Takes out a move and its number, and the blanks behind it."""
    start, end = judged.span(token)
    tokens = judged.region.tokens
    before = tokens[: tokens.index(token)]
    while before and before[-1].kind in (Kind.NUMBER, Kind.DOTS):
        start = judged.span(before.pop())[0]
    while judged.text[end : end + 1] in (b" ", b"\t"):
        end += 1
    return Edit(start, end, b"")
