"""What the source says about the end of a game: the Termination tags, and the last comment.

Only sentences that programs write, or that can mean nothing else, are read: who resigned, whose time ran out, by what a game
was drawn. Prose ("a draw by repetition would be just") is left alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile

from chesstools.reference.comments import comment_text
from chesstools.reference.facts import Facts
from chesstools.reference.lexer import COMMENTS, FILLERS, Token
from chesstools.reference.line import Line
from chesstools.reference.tags import Tags
from chesstools.reference.text import trim
from chesstools.reference.values import parse_termination

MAX_CLAUSE = 200
"""A clause of more characters than this is prose."""

_CLAUSE_ENDS = re.compile(r"[.,:;!?()\[\]{}\n\r]")
_TO_LOWER = str.maketrans({chr(code): chr(code + 32) for code in range(ord("A"), ord("Z") + 1)})

WHOLE: dict[str, tuple[str | None, str | None]] = {
    "unterminated": (None, "unfinished"),
    "draw agreed": ("agreement", "draw"),
    "agreed draw": ("agreement", "draw"),
    "draw by agreement": ("agreement", "draw"),
    "players agreed to a draw": ("agreement", "draw"),
    "stalemate": ("stalemate", "draw"),
    "threefold repetition": ("threefold", "draw"),
    "3-fold repetition": ("threefold", "draw"),
    "3-fold rep": ("threefold", "draw"),
    "fivefold repetition": ("fivefold", "draw"),
    "50-move rule": ("fifty", "draw"),
    "fifty moves rule": ("fifty", "draw"),
    "75-move rule": ("seventyfive", "draw"),
    "insufficient material": ("dead_position", "draw"),
    "neither player has mating material": ("dead_position", "draw"),
    "game drawn - timeout vs insufficient material": ("timeout_v_insufficient_material", "draw"),
    "game drawn - insufficient material": ("dead_position", "draw"),
    "game drawn because both players ran out of time": ("time", "draw"),
    "tcec draw rule": ("adjudication", "draw"),
    "tcec win rule": ("adjudication", None),
    "tb position": ("adjudication", None),
    "syzygytb": ("adjudication", None),
    "time forfeit": ("time", None),
}
"""Texts that are read as a whole: the reason, and for whom the game ended (None: not said)."""

BOTH_LOSE = frozenset(
    {
        "both players lose",
        "both players lost",
        "both players forfeit",
        "both players forfeited",
        "both lose",
        "both lost",
        "both forfeit",
        "lost by both",
        "lost for both",
        "double forfeit",
        "0-0",
    }
)
"""Clauses that say that neither side scored."""

DRAWN_BY = ("draw by ", "drawn by ", "game drawn by ", "the game was drawn by ")
DRAWN_BY_WHAT = {
    "stalemate": "stalemate",
    "repetition": "threefold",
    "threefold repetition": "threefold",
    "3-fold repetition": "threefold",
    "fivefold repetition": "fivefold",
    "5-fold repetition": "fivefold",
    "50-move rule": "fifty",
    "the 50 move rule": "fifty",
    "fifty moves rule": "fifty",
    "fifty-move rule": "fifty",
    "75-move rule": "seventyfive",
    "agreement": "agreement",
    "mutual agreement": "agreement",
    "insufficient material": "dead_position",
    "insufficient mating material": "dead_position",
    "timeout vs insufficient material": "timeout_v_insufficient_material",
    "adjudication": "adjudication",
}
WINS = {
    " wins by checkmate": "checkmate",
    " won by checkmate": "checkmate",
    " mates": "checkmate",
    " wins by resignation": "resignation",
    " won by resignation": "resignation",
    " wins on time": "time",
    " won on time": "time",
    " wins by adjudication": "adjudication",
    " won by adjudication": "adjudication",
    " wins by forfeit": "forfeit",
    " won by forfeit": "forfeit",
    " wins by default": "forfeit",
    " won by default": "forfeit",
    " won - game abandoned": "abandoned",
}
"""What is said behind the name of the winner."""

LOSES = {
    " checkmated": "checkmate",
    " is checkmated": "checkmate",
    " resigns": "resignation",
    " resigned": "resignation",
    " loses on time": "time",
    " lost on time": "time",
    " forfeits on time": "time",
    " forfeited on time": "time",
    " ran out of time": "time",
    " time out": "time",
    " forfeits": "forfeit",
    " forfeited": "forfeit",
    " forfeits by disconnection": "disconnection",
    " disconnects": "disconnection",
    "'s connection stalls": "disconnection",
    " left the game": "abandoned",
    " makes an illegal move": "rules_infraction",
}
"""What is said behind the name of the loser."""


@dataclass(frozen=True, slots=True)
class Said:
    """What one place of the source says."""

    reason: str | None
    """Why the game ended; None where only the outcome is given."""
    outcome: str | None
    """white or black (who won), draw, both (lost), unfinished; None where it is not given."""
    text: str
    """The words that say so."""
    basis: str
    """termination or comment."""
    token: Token | None = None
    """The tag; None for a comment."""
    normal: bool = False
    """Whether Termination says just that: normal."""


Words = tuple[str | None, str | None, str]
"""Reason, outcome, and the words that say so."""


def read_tags_said(tags: Tags) -> list[Said]:
    """What Termination and TerminationDetails say, in this order; nothing for one that says nothing that can be read."""
    found = []
    for name in ("Termination", "TerminationDetails"):
        text = trim(tags.get(name) or "")
        words = read_sentence(text, tags)
        if words is None and name == "Termination":
            known, reason = parse_termination(text)
            words = (reason, None, text) if known else None
        if words is not None:
            normal = name == "Termination" and words[:2] == (None, None)
            found.append(Said(*words, "termination", tags.tokens[name], normal))
    return found


def read_comments_said(facts: Facts, line: Line, tags: Tags) -> Said | None:
    """What the comments behind the last move say; None where they say nothing of the end. The last that does counts."""
    for comment in reversed(_last_comments(facts, line)):
        words = read_sentence(comment, tags)
        if words is not None:
            return Said(*words, "comment")
    return None


def _last_comments(facts: Facts, line: Line) -> list[str]:
    if not line.rest:
        return line.plies[-1].comments if line.plies else line.comments
    # Comments on moves that were not judged are not gathered: those around the result are about the game.
    tokens, end = facts.region.tokens, facts.region.terminator
    before = takewhile(lambda token: token.kind in FILLERS or token.kind in COMMENTS, reversed(tokens[:end]))
    behind = [] if end is None else tokens[end + 1 :]
    around = [token for token in [*reversed(list(before)), *behind] if token.kind in COMMENTS]
    return [comment_text(token, facts.text(token)) for token in around]


def read_sentence(text: str, tags: Tags) -> Words | None:
    """What a text gives as a whole, or else the last of its clauses that gives a reason or an outcome.

    >>> read_sentence("White wins on time.", Tags())
    ('time', 'white', 'White wins on time')
    >>> read_sentence("+0.31/14 1.2s, Draw by 3-fold repetition", Tags())
    ('threefold', 'draw', 'Draw by 3-fold repetition')
    >>> read_sentence("a draw by repetition would be just", Tags()) is None
    True
    """
    if not text:
        return None
    whole = WHOLE.get(text.translate(_TO_LOWER)) if _is_short(text) else None
    whole = whole or _read_clause(text, tags)
    if whole is not None:
        return *whole, text
    for clause in map(trim, reversed(_CLAUSE_ENDS.split(text))):
        said = _read_clause(clause, tags)
        if said is not None:
            return *said, clause
    return None


def _is_short(text: str) -> bool:
    return len(text) <= MAX_CLAUSE


def _read_clause(clause: str, tags: Tags) -> tuple[str | None, str | None] | None:
    if not _is_short(clause):
        return None
    text = clause.translate(_TO_LOWER)
    if text in BOTH_LOSE:
        return "both_lose", "both"
    for start in DRAWN_BY:
        if text.startswith(start) and text[len(start) :] in DRAWN_BY_WHAT:
            return DRAWN_BY_WHAT[text[len(start) :]], "draw"
    # As old TCEC programs write it: "X draws against Y by 50-move rule".
    if " draws against " in text and " by " in text and text.rpartition(" by ")[2] in DRAWN_BY_WHAT:
        return DRAWN_BY_WHAT[text.rpartition(" by ")[2]], "draw"
    return _read_named(text, tags)


def _read_named(text: str, tags: Tags) -> tuple[str | None, str | None] | None:
    """A clause that begins with the name of a side or of a player. Where both have the same name, who won is not said."""
    white, black = (trim(tags.get(name) or "").translate(_TO_LOWER) for name in ("White", "Black"))
    for name, side, other in (
        ("white", "white", "black"),
        ("black", "black", "white"),
        (white, "white", "black"),
        (black, "black", "white"),
    ):
        if not name or not text.startswith(name):
            continue
        rest = text[len(name) :]
        if rest == " ran out of time and " + (black if side == "white" else white) + " has no material to mate":
            return "timeout_v_insufficient_material", "draw"
        told = name in ("white", "black") or white != black
        if rest in WINS:
            return WINS[rest], side if told else None
        if rest in LOSES:
            return LOSES[rest], other if told else None
    return None
