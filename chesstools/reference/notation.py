"""How a legal move is written: move numbers, forms other than SAN, capture, check and disambiguation marks."""

from __future__ import annotations

import re
from dataclasses import dataclass

import chess

from chesstools.reference.facts import Facts, Place
from chesstools.reference.lexer import Token
from chesstools.reference.san import Written


@dataclass(frozen=True, slots=True)
class WrongNumber:
    """A move number other than the one that was due; see `chesstools.reference.numbers`."""

    token: Token
    place: Place
    text: str
    expected: str
    skipped: int
    """Numbers that it skips; negative where it goes back, 0 where only the dots are wrong."""
    shift: int
    """By how much the numbers from here on run ahead of the board's."""


def check_number(
    board: chess.Board, token: Token, text: str, shift: int, place: Place
) -> tuple[chess.Color | None, WrongNumber | None]:
    """Compare a move number (with its dots) with the board; a wrong one is told once and then counted from.

    `shift` is by how much the numbers as written run ahead of the board's. Returns the side that the number speaks of (None
    where it has no dots), and what is wrong.
    """
    digits = re.match(r"[0-9]+", text)
    number = int(digits.group()) if digits else 0
    dots = len(text) - len(digits.group()) if digits else 0
    dots += 2 * text.count("…")
    side = None if dots == 0 else chess.WHITE if dots == 1 else chess.BLACK
    due = board.fullmove_number + shift
    wrong_dots = side == chess.WHITE and board.turn == chess.BLACK
    if number == due and not wrong_dots:
        return side, None
    expected = f"{due}{'.' if board.turn else '...'}"
    skipped = 0 if wrong_dots else number - due
    return side, WrongNumber(token, place, text, expected, skipped, number - board.fullmove_number)


def check_form(
    facts: Facts,
    after: chess.Board,
    token: Token,
    text: str,
    written: Written,
    body: str,
    check: bool,
    mate: bool,
    place: Place,
) -> None:
    """Report how the text of a legal move departs from the standard's. `body` is the standard text without check marks."""
    expected = body + ("#" if mate else "+" if check else "")
    if written.form and written.form != "check-mark":
        facts.add("N404", token, place, expected=expected)
    else:
        if written.form == "check-mark":
            facts.add("N404", token, place, expected=expected)
        if not written.castling and not written.drop:
            _check_capture_and_source(facts, token, text, body, expected, place)
    mark = written.check[:1] if written.form != "check-mark" else ("+" if check else written.check[:1])
    if (mark == "#" and not mate) or (mark == "+" and not check):
        facts.add("N405", token, place, expected=expected)
    elif written.role is not None and ((mate and mark != "#") or (check and not mark)):
        facts.add("N406", token, place, expected=expected)


def _check_capture_and_source(facts: Facts, token: Token, text: str, body: str, expected: str, place: Place) -> None:
    plain = text.rstrip("+#")
    if plain == body:
        return
    if ("x" in plain) != ("x" in body):
        facts.add("N403", token, place, expected=expected)
    if plain.replace("x", "") != body.replace("x", ""):
        facts.add("N402", token, place, expected=expected)
