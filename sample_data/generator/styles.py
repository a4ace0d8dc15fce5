"""Writes a game the way a producer writes it: lichess, chesscom, cutechess, fastchess, twic, annotated, chess960."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from generator import annotate, headers
from generator.play import Play
from generator.score import Sheet, Token

STYLES = ("lichess", "chesscom", "cutechess", "fastchess", "twic", "annotated", "chess960")

Comments = Callable[[int], list[Token]]


@dataclass
class Draft:
    """A game that is to be written: the play it rests on, and the mainline and result as they will stand there.

    Only the first `sound` plies are moves that can be replayed; the rest of `texts` is what follows a fault.
    """

    play: Play
    texts: list[str]
    sound: int
    result: str
    marker: str | None
    fault: str = ""
    plain: bool = False
    """Without variations: where they would hang on moves that cannot be replayed."""
    first_number: int = 0
    white_first: bool = True
    numbers: dict[int, str] = field(default_factory=dict)
    """Move numbers that are written otherwise than they should be, by ply; an empty one is left out."""

    def __post_init__(self) -> None:
        self.first_number = self.first_number or self.play.start.fullmove_number
        self.white_first = self.play.start.turn

    @classmethod
    def of(cls, play: Play) -> Draft:
        """A game without a fault."""
        return cls(play, list(play.sans), len(play), play.result, play.result)

    def number(self, ply: int) -> str:
        """The move number that belongs before that ply, with its dots."""
        half = 2 * self.first_number + (0 if self.white_first else 1) + ply - 1
        return f"{half // 2}." if half % 2 == 0 else f"{half // 2}..."


def compose(draft: Draft, style: str, rng: Random) -> Sheet:
    """Write the draft in that style."""
    play = draft.play
    producer = "tcec" if style == "chess960" and rng.random() < 0.5 else "lichess" if style == "chess960" else style
    tags = headers.roster(rng, producer, draft.result)
    width: int | None = 80
    again = True
    glued = False
    comments: Comments = _silent
    flag = _flag(draft)
    if producer == "lichess":
        base, step = rng.choice(((60, 0), (180, 2), (300, 3), (600, 0), (900, 10)))
        tags = headers.lichess(rng, tags, play, f"{base}+{step}")
        width = None
        kind = rng.random()
        comments = _silent if kind < 0.45 else _server(rng, base, step, flag, evals=kind > 0.85, tenths=False, blanks=True)
    elif producer == "chesscom":
        base, step = rng.choice(((60, 0), (180, 0), (600, 0), (180, 2)))
        daily = rng.random() < 0.4
        tags = headers.chesscom(rng, tags, play, "1/86400" if daily else f"{base}+{step}" if step else f"{base}")
        comments = _silent if daily else _server(rng, base, step, flag, evals=False, tenths=True, blanks=False)
    elif producer in ("cutechess", "fastchess", "tcec"):
        control = {"cutechess": "40/60", "fastchess": "10+0.1", "tcec": "7200+30"}[producer]
        tags = headers.engine_match(rng, tags, play, control, "fischerandom" if producer == "tcec" else "From Position")
        comments = _engine(rng, len(draft.texts))
        again = False
    elif producer == "twic":
        tags = headers.bulletin(rng, tags, play)
        glued = True
    else:
        tags = headers.annotated(rng, tags, play)
        comments = annotate.Annotator(rng, draft.play, draft.sound, draft.plain)
    tokens = _movetext(draft, comments, again, glued)
    if draft.marker is not None:
        tokens.append(Token("result", draft.marker))
    if producer == "tcec":
        tokens.insert(0, Token("comment", "{WhiteEngineOptions: Hash=16384; Threads=16;}", ends_line=True))
    sheet = Sheet(tags, tokens, width, fault=draft.fault)
    if plycount := sheet.tag("PlyCount"):
        plycount.value = str(len(draft.texts))
    return sheet


def _movetext(draft: Draft, comments: Comments, again: bool, glued: bool) -> list[Token]:
    """Numbers, moves, and what `comments` says after each ply; `again`: a number after a comment for Black too."""
    tokens: list[Token] = list(comments(0))
    white = draft.white_first
    interrupted = True
    for ply, text in enumerate(draft.texts, start=1):
        if white or interrupted or ply in draft.numbers:
            number = draft.numbers.get(ply, draft.number(ply))
            if number:
                tokens.append(Token("number", number, ply))
        tokens.append(Token("move", text, ply, glue=glued and tokens[-1].kind == "number"))
        more = comments(ply)
        interrupted = again and any(token.kind in ("comment", "close") for token in more)
        tokens += more
        white = not white
    return tokens


def _silent(ply: int) -> list[Token]:
    return []


def _flag(draft: Draft) -> int:
    """The last ply of a player who runs out of time; 0 where nobody does."""
    if draft.play.reason != "time" or draft.result not in ("1-0", "0-1"):
        return 0
    last = len(draft.texts)
    white_moved_last = draft.white_first == (last % 2 == 1)
    return last if white_moved_last == (draft.result == "0-1") else last - 1


def _server(rng: Random, base: int, step: int, flag: int, *, evals: bool, tenths: bool, blanks: bool) -> Comments:
    """Clock, and perhaps evaluation, after every ply; hardly any time is left after the ply `flag`."""
    left = [float(base), float(base)]
    score = [20.0]

    def after(ply: int) -> list[Token]:
        if ply == 0:
            return []
        side = ply % 2
        left[side] = max(left[side] - rng.random() * left[side] / 25, 0.4) + (step if ply > 2 else 0)
        seconds = left[side] if ply != flag else min(left[side], 2.5)
        shown = f"{seconds % 60:04.1f}" if tenths else f"{int(seconds) % 60:02}"
        if shown.startswith("60"):
            shown = "59.9"
        clock = f"[%clk {int(seconds) // 3600}:{int(seconds) // 60 % 60:02}:{shown}]"
        score[0] += rng.gauss(0, 35)
        text = f"[%eval {score[0] / 100:.2f}] {clock}" if evals else clock
        return [Token("comment", f"{{ {text} }}" if blanks else f"{{{text}}}")]

    return after


def _engine(rng: Random, plies: int) -> Comments:
    """Score, depth and time after every ply, from the side of the engine that moved; a few book moves first."""
    book = rng.randrange(5)
    silent = rng.random() < 0.4
    score = [0.2]

    def after(ply: int) -> list[Token]:
        if ply == 0 or silent:
            return []
        if ply <= book:
            return [Token("comment", "{book}")]
        score[0] += rng.gauss(0, 0.3)
        seen = score[0] if ply % 2 else -score[0]
        return [Token("comment", f"{{{seen:+.2f}/{rng.randrange(9, 32)} {rng.random() * 3:.3f}s}}")]

    return after
