"""P102, P103: comments and variations whose brackets do not match."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from chesstools.fixes.edit import Edit, Fix, key_of
from chesstools.fixes.judged import Judged
from chesstools.reference.lexer import FILLERS, Kind, tokens

_PLAY = frozenset({Kind.NUMBER, Kind.DOTS, Kind.MOVE, Kind.NULL, Kind.RESULT, Kind.TAG, Kind.BAD_TAG, Kind.OPEN, Kind.CLOSE})
"""What a comment may not hold if it is to be certain that no moves were swallowed."""

_ROUND = bytes.maketrans(b"{}", b"()")


def fixes(judged: Judged, wants: Callable[[str], bool]) -> Iterator[Fix]:
    """Fixes for braces and parentheses."""
    for finding in judged.findings:
        start, end = judged.place(finding)
        reason = finding.evidence.get("reason")
        if finding.code == "P102" and wants("P102"):
            if reason == "never-closed":
                certain = _is_remark(judged.text[start + 1 : end])
                yield Fix((key_of(finding),), (Edit(end, end, b"}"),), unsafe=not certain or judged.in_doubt)
            else:
                inside = judged.text[start + 1 : end - 1].translate(_ROUND)
                yield Fix((key_of(finding),), (Edit(start + 1, end - 1, inside),), unsafe=True, comments=True)
        elif finding.code == "P103" and wants("P103"):
            if reason == "stray":
                yield Fix((key_of(finding),), (Edit(start, end, b""),), unsafe=True)
            elif reason == "unclosed":
                at = _end_of_play(judged)
                yield Fix((key_of(finding),), (Edit(at, at, b")"),), unsafe=True)


def _is_remark(text: bytes) -> bool:
    """Whether a comment that was never closed holds words only, so that it can end nowhere else."""
    return not any(token.kind in _PLAY for token in tokens(text))


def _end_of_play(judged: Judged) -> int:
    """Right behind the last thing before the termination marker."""
    region = judged.region
    played = [token for token in region.tokens[: region.terminator] if token.kind not in FILLERS]
    return judged.span(played[-1])[1]
