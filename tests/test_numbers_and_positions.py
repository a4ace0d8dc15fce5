"""Jumps of move numbers (N421), positions in comments (F230), annotations as suffixes (N407): on both engines."""

from __future__ import annotations

from typing import Any

import pytest

from chesstools.engines import why_not_native
from chesstools.scan import scan
from chesstools.source import Source

ENGINES = ["reference"] if why_not_native() is not None else ["reference", "native"]
FEN = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
WRONG = FEN.replace("4P3", "3P4")


def found(movetext: str, *codes: str, tags: str = "") -> list[dict[str, Any]]:
    """The findings with these codes; the same on both engines."""
    # Two games more: so that a game in the middle can be a plain one.
    text = f'[Event "a"]\n\n1. d4 *\n\n[Event "b"]\n{tags}\n{movetext}\n\n[Event "c"]\n\n1. c4 *\n'
    told = []
    for engine in ENGINES:
        rows = scan([Source.from_bytes(text.encode())], engine=engine).to_tables()["findings"].to_pylist()
        told.append([row for row in rows if row["code"] in codes])
    assert all(one == told[0] for one in told)
    return told[0]


@pytest.mark.parametrize(
    ("movetext", "numbers"),
    [
        ("1. e4 e5 3. Nf3 Nc6 4. Bb5 *", [("N421", "2.", "3.", 1)]),
        ("1. e4 e5 3. Nf3 Nc6 *", [("N420", "2.", "3.", None)]),
        ("1. e4 e5 3. Nf3 Nc6 3. Bb5 *", [("N420", "2.", "3.", None), ("N420", "4.", "3.", None)]),
        ("1. e4 e5 1. Nf3 Nc6 2. Bb5 *", [("N420", "2.", "1.", None)]),
        # Back to the right numbers: nothing is missing there.
        ("1. e4 e5 1. Nf3 Nc6 3. Bb5 a6 4. Ba4 *", [("N420", "2.", "1.", None), ("N420", "2.", "3.", None)]),
        ("1. e4 e5 3. Nf3 Nc6 4. Bb5 a6 9. Ba4 Nf6 10. O-O *", [("N421", "2.", "3.", 1), ("N421", "5.", "9.", 4)]),
        # An illegal move behind it: the number is only wrong.
        ("1. e4 e5 3. Nf3 Nc6 4. Ke3 *", [("N420", "2.", "3.", None)]),
        # Numbers inside of variations do not count, and are judged by themselves.
        ("1. e4 e5 3. Nf3 (3. f4 exf4 4. Nf3) Nc6 *", [("N420", "2.", "3.", None)]),
        ("1. e4 e5 (1... c5 3. Nf3 d6 4. d4) 2. Nf3 *", [("N420", "2.", "3.", None)]),
    ],
)
def test_numbers_that_jump(movetext: str, numbers: list[tuple[str, str, str, int | None]]) -> None:
    rows = found(movetext, "N420", "N421")
    assert [(row["code"], row["expected"], row["found"], row["count"]) for row in rows] == numbers


@pytest.mark.parametrize(
    ("clocks", "control", "severity"),
    [
        (("0:04:59", "0:10:00"), "5400", "info"),
        (("0:10:00", "0:04:59"), "", "info"),
        (("0:10:00", "0:04:59.9"), "5400+29", "info"),
        (("0:10:00", "0:04:59"), "5400+30", "warning"),
        (("0:05:00", "0:05:00"), "5400", "warning"),
    ],
)
def test_in_time_trouble_a_jump_is_only_information(clocks: tuple[str, str], control: str, severity: str) -> None:
    movetext = f"1. e4 {{[%clk {clocks[0]}]}} e5 {{[%clk {clocks[1]}]}} 3. Nf3 Nc6 4. Bb5 *"
    (row,) = found(movetext, "N421", tags=f'[TimeControl "{control}"]\n' if control else "")
    assert row["severity"] == severity
    assert dict(row["evidence"]) == ({"clock": "0:04:59"} if severity == "info" else {})


@pytest.mark.parametrize(
    ("comment", "differs"),
    [
        (FEN, False),
        (WRONG, True),
        (WRONG.replace(" 0 2", ""), True),
        (f"FEN: {WRONG}", True),
        (f"adjourned [%fen {WRONG}] here", True),
        (f"adjourned [%fen {FEN}] here", False),
        (WRONG.replace(" ", "\n", 1), True),
        # Rights and counters are no reason, nor is another way to count empty squares.
        (FEN.replace("KQkq - 0 2", "- e6 7 9"), False),
        (FEN.replace("4p3", "1111p12"), False),
        (FEN.replace(" w ", " b "), True),
        # Not certain to be a position.
        (f"like {WRONG}", False),
        (WRONG.replace("/8/", "/7/", 1), False),
        (WRONG.replace(" KQkq -", ""), False),
        (f"{WRONG} 3", False),
    ],
)
def test_a_position_in_a_comment_is_compared(comment: str, differs: bool) -> None:
    rows = found(f"1. e4 e5 {{{comment}}} 2. Nf3 *", "F230")
    assert [row["ply"] for row in rows] == ([2] if differs else [])
    if differs:
        assert (rows[0]["expected"], rows[0]["byte_length"]) == (FEN, len(comment) + 2)
        assert comment.replace("\n", " ").find(rows[0]["found"]) >= 0


def test_positions_are_compared_everywhere_and_told_once() -> None:
    (row,) = found(f"{{{FEN}}} 1. e4 {{{FEN}}} e5 *", "F230")
    assert row["ply"] is None
    (row,) = found(f"1. e4 e5 (1... c5 {{{WRONG}}}) 2. Nf3 {{{FEN}}} *", "F230")
    assert (row["ply"], row["variation"]) == (2, "2.1")
    (row,) = found(f"1. e4 e5 * {{{WRONG}}}", "F230")
    assert row["ply"] == 2
    assert found(f"1. e4 Ke5 {{{WRONG}}} *", "F230") == []


def test_suffixes_are_told_once_with_their_number() -> None:
    (row,) = found("1. e4 e5 2. Nf3!? Nc6 ?? (2... d6!) 3. Bb5 $1 *", "N407")
    assert (row["ply"], row["token"], row["expected"], row["count"]) == (3, "!?", "$5", 3)
    assert found("1. e4 $1 e5 $2 *", "N407") == []
