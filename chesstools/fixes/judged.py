"""A game as it stands and as it would stand after a fix: judged anew, and told apart by what must not change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from chesstools.finding import Finding
from chesstools.profile_choice import Choice
from chesstools.reference.comments import comment_text
from chesstools.reference.facts import Facts
from chesstools.reference.game import GameFacts, read_game, read_quarantine
from chesstools.reference.lexer import COMMENTS, FILLERS, Kind, Token
from chesstools.reference.line import Line
from chesstools.reference.segment import Region, Segmenter
from chesstools.reference.tags import Tags, read_tags
from chesstools.reference.values import normalise_result
from chesstools.reference.window import Window

# Tokens that the moves, their annotations or nothing at all are made of: what they mean is compared, not how they are written.
_COMPARED_ELSEWHERE = FILLERS | COMMENTS | {
    Kind.TAG, Kind.BAD_TAG, Kind.NUMBER, Kind.DOTS, Kind.MOVE, Kind.NULL, Kind.NAG, Kind.SUFFIX, Kind.EN_PASSANT, Kind.RESULT,
}  # fmt: skip

MAX_SINGLE = 64
"""So many changes to a game are tried one by one: fixes of one rule that cannot be made together, moves that can be meant."""

MAX_SINGLE_BYTES = 8 << 20
"""The same for a long game: so many bytes are judged at most in doing that."""

_INCOMPLETE = frozenset({"P102", "P103", "P108", "P109", "P110", "M390", "N420", "N421"})
"""With one of these it is not certain that the movetext holds all moves."""


@dataclass(frozen=True, slots=True)
class Context:
    """What stands around a game, and how its source is judged.

    Attributes:
        source, game_index, offset, line: where the game stands; `game_index` is None for text of no game.
        before: some bytes before it (`chesstools.reference.window.LOOK_BEHIND` at most).
        after: some bytes behind it: enough to tell where it ends.
        glued: whether it begins with a tag right behind movetext; `too_long`: whether it is the rest of a game that was cut.
    """

    source: str
    game_index: int | None
    offset: int
    line: int
    before: bytes
    after: bytes
    choice: Choice
    glued: bool = False
    too_long: bool = False


@dataclass(slots=True)
class Judged:
    """The text of one game (or of a stretch that is none), and all that the readable engine knows of it."""

    text: bytes
    context: Context
    region: Region
    facts: GameFacts | None
    """None for text of no game, and where only some tokens are looked at (`chesstools.fixes.together`)."""
    findings: list[Finding] = field(default_factory=list)

    @property
    def encoding(self) -> str:
        return self.facts.encoding if self.facts is not None else "utf-8"

    def span(self, token: Token) -> tuple[int, int]:
        """Where a token stands in `text`."""
        return token.start - self.region.offset, token.end - self.region.offset

    def bytes_of(self, token: Token) -> bytes:
        """The bytes of a token."""
        return self.region.text(token)

    def place(self, finding: Finding) -> tuple[int, int]:
        """Where a finding stands in `text`."""
        start = finding.where.byte_offset - self.region.offset
        return start, start + finding.where.byte_length

    @property
    def tags(self) -> Tags:
        """The tag pairs."""
        return self.facts.tags if self.facts is not None else read_tags(Facts(self.region, self.context.source, None, ""))

    @property
    def in_doubt(self) -> bool:
        """Whether PlyCount speaks of other moves than there are, and the text too looks as if some were missing.

        What says so must not go by and by, each for itself: then it would be the number that looks wrong.
        """
        codes = {one.code for one in self.findings}
        return "T123" in codes and bool(codes & _INCOMPLETE)

    @property
    def line_end(self) -> bytes:
        """The line end that the text uses: its first one, LF where it has none."""
        at = next((number for number, byte in enumerate(self.text) if byte in b"\r\n"), None)
        if at is None:
            return b"\n"
        return b"\r\n" if self.text[at : at + 2] == b"\r\n" else self.text[at : at + 1]


def judge(text: bytes, context: Context, *, is_game: bool = True) -> Judged | None:
    """Judge `text` in its place; None where it is no longer exactly one game (or one stretch of text of no game) there."""
    region = region_of(text, context, is_game=is_game)
    if region is None:
        return None
    if not is_game:
        return Judged(text, context, region, None, read_quarantine(region, context.source, context.choice))
    facts = read_game(region, context.source, context.game_index or 0, context.choice, keys=False)
    return Judged(text, context, region, facts, facts.findings)


def max_single(text: bytes) -> int:
    """How many changes to a game may be tried one by one: each takes the time of judging it again.

    >>> max_single(b"1. e4 *"), max_single(bytes(1 << 20)), max_single(bytes(9 << 20))
    (64, 7, 0)
    """
    return min(MAX_SINGLE, MAX_SINGLE_BYTES // (len(text) + 1))


def region_of(text: bytes, context: Context, *, is_game: bool = True) -> Region | None:
    """The tokens of `text` in its place; None where `judge` gives None."""
    window = Window([context.before + text + context.after], context.offset - len(context.before))
    segmenter = Segmenter(window, context.offset, context.line, glued=context.glued, too_long=context.too_long)
    region = next(iter(segmenter), None)
    if region is None or len(region.data) != len(text) or region.is_game != is_game:
        return None
    return region


@dataclass(slots=True)
class Meaning:
    """What a game says, however it is written: what a fix must not change unless it says so."""

    tags: list[tuple[str, str]]
    moves: list[object]
    """Moves, glyphs and variations of all lines."""
    comments: list[object]
    """All comments in order, and those of the moves with their places."""
    unread: list[str]
    result: str
    start: str | None


def meaning(judged: Judged) -> Meaning:
    """What a game says. Move numbers, marks, glyphs written as suffixes, blanks and escapes are no part of that."""
    facts = judged.facts
    if facts is None:
        return Meaning([], [], [], [_decoded(judged)], "*", None)
    tokens = judged.region.tokens
    text = facts_text(judged)
    moves, placed = _tree(facts.mainline)
    comments = [*(comment_text(token, text(token)) for token in tokens if token.kind in COMMENTS), *placed]
    unread = [
        text(token) for token in tokens if token.kind not in _COMPARED_ELSEWHERE and token.kind not in (Kind.OPEN, Kind.CLOSE)
    ]
    results = [
        text(token) for number, token in enumerate(tokens) if token.kind is Kind.RESULT and number != judged.region.terminator
    ]
    return Meaning(
        facts.tags.pairs,
        moves,
        comments,
        unread + results,
        facts.ending.result or normalise_result(facts.ending.marker) or "*",
        facts.start_fen,
    )


def facts_text(judged: Judged) -> Callable[[Token], str]:
    """Reads tokens in the encoding of the game."""
    return lambda token: judged.region.text(token).decode(judged.encoding, "replace")


def _decoded(judged: Judged) -> str:
    """The solid tokens of text that is no game."""
    from chesstools.reference.facts import encoding_of

    name = encoding_of(judged.text)
    return " ".join(
        judged.region.text(token).decode(name, "replace") for token in judged.region.tokens if token.kind not in FILLERS
    )


def _tree(mainline: Line) -> tuple[list[object], list[object]]:
    """Moves, glyphs and variations of a line and all lines in it, as one flat list (variations may nest deeply); and comments."""
    flat: list[object] = []
    comments: list[object] = []
    todo: list[Line] = [mainline]
    while todo:
        line = todo.pop()
        flat += ["line", line.path, line.stopped, line.rest]
        comments.append((line.path, 0, line.comments))
        for ply in line.plies:
            flat += [ply.move.uci(), sorted(ply.nags), len(ply.variations)]
            comments.append((line.path, ply.number, ply.comments))
            todo += ply.variations
    return flat, comments
