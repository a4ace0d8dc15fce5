"""P109, E541 and, where it is asked for, E501, E502, E542, E543: the result in tag and movetext.

What decides between two results is mate or stalemate on the board, or that one of them is ``*``. Material never does: what looks
like a draw may have been lost on time, by resignation or by decree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import chess

from chesstools.fixes.edit import Edit, Fix, key_of
from chesstools.fixes.judged import Judged
from chesstools.fixes.tags import value_span
from chesstools.reference.lexer import FILLERS, Kind, Token
from chesstools.reference.values import normalise_result

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
_AGAINST = frozenset({"E501", "E502", "E542", "E543"})


def fixes(judged: Judged, wants: Callable[[str], bool]) -> Iterator[Fix]:
    """Fixes for the result."""
    for finding in judged.findings:
        if not wants(finding.code):
            continue
        if finding.code == "P109":
            yield from _terminator(judged)
        elif finding.code == "E541" and finding.evidence.get("expected") in RESULTS:
            place = finding.evidence.get("place")
            edit = _tag(judged, str(finding.evidence["expected"])) if place == "tag" else None
            if place == "marker":
                edit = Edit(*judged.place(finding), str(finding.evidence["expected"]).encode())
            if edit is not None:
                yield Fix((key_of(finding),), (edit,), tags=frozenset({"Result"}))
    yield from _result(judged, wants)


def _terminator(judged: Judged) -> Iterator[Fix]:
    """The Result tag's token at the end; ``*`` where there is no Result tag."""
    facts = judged.facts
    assert facts is not None
    tag = facts.tags.get("Result")
    last = next(token for token in reversed(judged.region.tokens) if token.kind not in FILLERS)
    if (tag is not None and tag not in RESULTS) or last.kind is Kind.OPEN_COMMENT:
        return  # behind an open comment other programs would not see it
    at = judged.span(last)[1]
    marker = (tag or "*").encode()
    if last.kind in (Kind.TAG, Kind.BAD_TAG):
        marker = 2 * judged.line_end + marker
    elif last.kind is Kind.LINE_COMMENT:
        marker = judged.line_end + marker
    else:
        marker = b" " + marker
    escape = next(
        (token for token in reversed(judged.region.tokens) if token.kind is Kind.ESCAPE and token.start > last.start), None
    )
    behind = judged.text[at : at + 1]
    marker += b"" if not behind or behind.isspace() else b" "
    if escape is None or judged.text[at : judged.span(escape)[0]].strip(b" \t"):
        keys = tuple(key_of(one) for one in judged.findings if one.code == "P109")
        yield Fix(keys, (Edit(at, at, marker),), unsafe=judged.in_doubt)


def _tag(judged: Judged, result: str) -> Edit | None:
    """Another value for the Result tag; None where there is none."""
    token = judged.tags.tokens.get("Result")
    span = None if token is None else value_span(judged, token)
    return None if span is None else Edit(*span, result.encode())


def _result(judged: Judged, wants: Callable[[str], bool]) -> Iterator[Fix]:
    """The result that board, tag or marker leave no doubt about, in both places."""
    found = [one for one in judged.findings if one.code in _AGAINST and wants(one.code)]
    tag = judged.tags.get("Result")
    marker = _marker(judged)
    written = None if marker is None else judged.bytes_of(marker).decode(judged.encoding, "replace")
    if not found or (tag is not None and tag not in RESULTS) or (written is not None and written not in RESULTS):
        return  # other spellings are set right first
    result = _on_board(judged)
    if result is None:
        said = {one for one in (tag, written) if one is not None and one != "*"}
        result = said.pop() if len(said) == 1 and any(one.code == "E542" for one in found) else None
    if result is None or normalise_result(result) is None:
        return
    edits = []
    if tag != result and (edit := _tag(judged, result)):
        edits.append(edit)
    if marker is not None and written != result:
        edits.append(Edit(*judged.span(marker), result.encode()))
    if edits:
        yield Fix(tuple(map(key_of, found)), tuple(sorted(edits)), unsafe=True, tags=frozenset({"Result"}), result=True)


def _marker(judged: Judged) -> Token | None:
    region = judged.region
    return None if region.terminator is None else region.tokens[region.terminator]


def _on_board(judged: Judged) -> str | None:
    """The result that mate or stalemate on the board makes; None where the board shows neither, or may show it wrongly."""
    facts = judged.facts
    assert facts is not None
    if facts.mainline.stopped or facts.final_fen is None or facts.start.rules not in ("standard", "chess960"):
        return None
    if facts.ending.status == "stalemate":
        return "1/2-1/2"
    if facts.ending.status == "checkmate":
        turn = chess.WHITE if facts.final_fen.split()[1] == "w" else chess.BLACK
        return "0-1" if turn == chess.WHITE else "1-0"
    return None
