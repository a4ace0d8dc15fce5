"""How a legal move is written: move numbers, forms other than SAN, capture, check and disambiguation marks."""

from __future__ import annotations

import re

import chess

from chesstools.reference.facts import Facts, Place
from chesstools.reference.lexer import Token
from chesstools.reference.san import Written


def check_number(
    facts: Facts, board: chess.Board, token: Token, text: str, shift: int, place: Place
) -> tuple[chess.Color | None, int]:
    """Compare a move number (with its dots) with the board; a wrong one is reported once and then counted from.

    Returns the side that the number speaks of (None where it has no dots), and by how much the numbers as written now
    run ahead of the board's.
    """
    digits = re.match(r"[0-9]+", text)
    number = int(digits.group()) if digits else 0
    dots = len(text) - len(digits.group()) if digits else 0
    dots += 2 * text.count("…")
    side = None if dots == 0 else chess.WHITE if dots == 1 else chess.BLACK
    due = board.fullmove_number + shift
    wrong_dots = side == chess.WHITE and board.turn == chess.BLACK
    if number == due and not wrong_dots:
        return side, shift
    expected = f"{due}{'.' if board.turn else '...'}"
    facts.add("N420", token, place, token=text, expected=expected, found=text)
    return side, number - board.fullmove_number


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
