"""The moves of a game as they were replayed: lines of plies, with their comments and variations."""

from __future__ import annotations

from dataclasses import dataclass, field

import chess

from chesstools.reference.comments import Annotations
from chesstools.reference.lexer import Token
from chesstools.tree import Item


@dataclass(slots=True)
class Ply:
    """One replayed move."""

    number: int
    token: Token
    written: str
    san: str
    """In standard notation, check marks included."""
    move: chess.Move
    role: chess.PieceType | None
    captured: chess.PieceType | None
    check: bool
    mate: bool
    castling: str | None
    """``kingside``, ``queenside`` or None."""
    en_passant: bool
    halfmove_clock: int
    """After the move."""
    position_key: int | None = None
    repetition: int = 1
    nags: list[int] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    variations: list[Line] = field(default_factory=list)
    variation_spans: list[tuple[int, int]] = field(default_factory=list)
    annotations: Annotations = field(default_factory=Annotations)
    used_ms: int | None = None
    """Time used for the move, as stated or derived (`chesstools.reference.clocks`)."""
    after: list[Item | Line] = field(default_factory=list)
    """What stands behind the move, in order, for the game tree (`chesstools.reference.tree`)."""


@dataclass(slots=True)
class Line:
    """The mainline (`path` None) or a variation. What stands behind a bad token is counted, not judged."""

    path: str | None
    first_ply: int
    plies: list[Ply] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    """Comments before the first move."""
    nags: list[int] = field(default_factory=list)
    """NAGs before the first move."""
    stopped: bool = False
    over: bool = False
    """Stopped because the game was over on the board."""
    unjudged: int = 0
    """Plies as written behind the token that stopped the line, that token not counted."""
    bad_token: Token | None = None
    wrong_side: bool = False
    """Whether the number before the bad token gives it to the side that is not to move."""
    first_unjudged: Token | None = None
    rest: list[str] = field(default_factory=list)
    """The bad token and the unjudged ones, as written."""
    rest_tokens: list[Token] = field(default_factory=list)
    """The same as tokens."""
    before: list[Item | Line] = field(default_factory=list)
    """What stands before the first move, in order, for the game tree."""
    raw: list[Token] = field(default_factory=list)
    """All tokens of the part that could not be replayed, the numbers right before it too."""
    raw_open: int = 0
    """How many brackets these leave open."""

    @property
    def next_ply(self) -> int:
        """Number of the ply that would come next."""
        return self.first_ply + len(self.plies)

    @property
    def plies_written(self) -> int:
        """Plies as written: replayed, bad, and unjudged ones."""
        return len(self.plies) + (self.bad_token is not None) + self.unjudged
