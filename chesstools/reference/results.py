"""The two places of a game's result, the Result tag and the termination marker."""

from __future__ import annotations

from chesstools.reference.ending import Ending
from chesstools.reference.facts import Facts
from chesstools.reference.lexer import COMMENTS, FILLERS, Token
from chesstools.reference.tags import Tags
from chesstools.reference.text import trim
from chesstools.reference.values import normalise_result
from chesstools.reference.verdicts import DRAW


def judge_results(facts: Facts, tags: Tags, marker: Token | None, ending: Ending) -> None:
    """The two places of the result: each one of four tokens (E541), and the same (E542); text behind it (P108)."""
    tag = tags.get("Result")
    if marker is None:
        facts.add("P109", last_token(facts), token=None, expected=tag)
    else:
        text = facts.text(marker)
        value = normalise_result(text)
        if text not in ("1-0", "0-1", DRAW, "*"):
            facts.add("E541", marker, place="marker", expected=value)
        if tag is not None and trim(tag) and not _same_result(tag, text):
            facts.add("E542", marker, expected=tag, found=text)
        tokens = facts.region.tokens[(facts.region.terminator or 0) + 1 :]
        behind = [token for token in tokens if token.kind not in FILLERS and token.kind not in COMMENTS]
        if behind:
            facts.add("P108", behind[0], count=len(behind))
    if tag is not None and tag not in ("1-0", "0-1", DRAW, "*"):
        facts.add("E541", tags.tokens["Result"], token=tag, place="tag", expected=normalise_result(tag))
    ending.result = normalise_result(tag)
    if ending.result in (None, "*") and marker is not None:
        ending.result = normalise_result(facts.text(marker)) or ending.result


def _same_result(tag: str, marker: str) -> bool:
    one, other = normalise_result(tag), normalise_result(marker)
    return one == other if one or other else trim(tag) == marker


def last_token(facts: Facts) -> Token:
    """The last token of a game that is not filler."""
    return next(token for token in reversed(facts.region.tokens) if token.kind not in FILLERS)
