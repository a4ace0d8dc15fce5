"""Comments, glyphs and nested variations, such as a book has them. All moves in the variations are legal."""

from __future__ import annotations

from random import Random

import chess

from generator.play import Play
from generator.score import Token

REMARKS = (
    "the usual move",
    "an idea worth remembering; Black has to be careful now",
    "threatening to win a pawn",
    "After this the position opens up, and the bishops begin to tell.",
    "not 12... Nd7 at once",
    "[%cal Ge2e4,Rd7d5] with the initiative",
    "? was played in an earlier game (1-0, 34 moves)",
    "missing the chance of the game",
    "N",
)
GLYPHS = ("$1", "$2", "$3", "$5", "$6", "$10", "$14", "$16", "$18", "$146")


class Annotator:
    """Called with each ply in turn, gives the tokens that stand behind it."""

    def __init__(self, rng: Random, play: Play, sound: int, plain: bool) -> None:
        self.rng = rng
        self.play = play
        self.sound = sound
        self.plain = plain
        self.board = play.start.copy(stack=False)
        self.density = rng.choice((0.03, 0.08, 0.15))

    def __call__(self, ply: int) -> list[Token]:
        rng = self.rng
        if ply == 0:
            return [Token("comment", "{A game from the archive of the club.}")] if rng.random() < 0.3 else []
        before = None
        if ply <= self.sound and ply <= len(self.play.moves):
            before = self.board.copy(stack=False)
            self.board.push(self.play.moves[ply - 1])
        tokens: list[Token] = []
        if rng.random() < self.density:
            tokens.append(Token("nag", rng.choice(GLYPHS)))
        if rng.random() < self.density:
            tokens.append(self._remark())
        if before is not None and not self.plain and rng.random() < self.density:
            for _ in range(rng.choice((1, 1, 2))):
                tokens += self._variation(before, self.play.moves[ply - 1], 0)
        return tokens

    def _remark(self) -> Token:
        text = self.rng.choice(REMARKS)
        if self.rng.random() < 0.1:
            return Token("comment", "; " + text, ends_line=True)
        return Token("comment", "{" + text + "}")

    def _variation(self, before: chess.Board, played: chess.Move | None, depth: int) -> list[Token]:
        others = [move for move in before.legal_moves if move != played]
        if not others:
            return []
        rng = self.rng
        board = before.copy(stack=False)
        move = rng.choice(others)
        tokens = [Token("open", "(")]
        numbered = False
        for _ in range(rng.randrange(1, 6)):
            if board.turn or not numbered:
                tokens.append(Token("number", move_number(board), glue=tokens[-1].kind == "open"))
            numbered = True
            here = board.copy(stack=False)
            tokens.append(Token("move", board.san_and_push(move)))
            if rng.random() < 0.08:
                tokens.append(Token("comment", "{" + rng.choice(REMARKS) + "}"))
                numbered = False
            if depth < 2 and rng.random() < 0.12 and (inner := self._variation(here, move, depth + 1)):
                tokens += inner
                numbered = False
            replies = list(board.legal_moves)
            if not replies:
                break
            move = rng.choice(replies)
        tokens.append(Token("close", ")", glue=True))
        return tokens


def move_number(board: chess.Board) -> str:
    """The number before the next move, with its dots."""
    return f"{board.fullmove_number}." if board.turn else f"{board.fullmove_number}..."
