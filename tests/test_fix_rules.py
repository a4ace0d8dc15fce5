"""What each repair makes of a bad text: edits on bytes, checked by judging the result again."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path

import pytest
from fixes_page import page

from chesstools.fix import Fixed, fix
from chesstools.fixes import guesses, judged
from chesstools.fixes.judged import Context, Judged
from chesstools.profile_choice import read_choice
from chesstools.rules import Rule, all_rules, get_rule
from chesstools.scan import scan
from chesstools.source import Source

ROSTER = '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "?"]\n[Black "?"]\n[Result "{}"]\n'
SAMPLES = Path(__file__).parent.parent / "sample_data" / "rules"


def repaired(
    text: str | bytes, *, unsafe: bool = False, ignore: str | None = "P106", select: str | None = None
) -> tuple[bytes, Fixed]:
    """The bytes that come out, and the counts, which are compared with what is found in these bytes."""
    out = io.BytesIO()
    data = text if isinstance(text, bytes) else text.encode()
    done = fix(Source.from_bytes(data), out, unsafe=unsafe, ignore=ignore, select=select)
    assert +done.after == found(out.getvalue())
    return out.getvalue(), done


def found(data: bytes) -> Counter[str]:
    """Findings by code."""
    scanning = scan(Source.from_bytes(data), tables=("findings",))
    for _ in scanning:
        pass
    return +scanning.summary.findings


# ------------------------------------------------------------------------------------------------ the catalogue


def test_every_rule_says_what_is_repaired_or_why_nothing_is() -> None:
    for rule in all_rules():
        assert set(rule.fix) in ({"safe"}, {"unsafe"}, {"safe", "unsafe"}, {"none"}), rule.code
        for text in rule.fix.values():
            assert text.endswith(".")


def test_the_page_is_made_from_the_catalogue() -> None:
    assert (Path(__file__).parent.parent / "docs" / "fixes.md").read_text(encoding="utf-8") == page()


STAYS = {
    ("E542", True),  # 1-0 against 0-1: neither board nor * decides
    ("N401", True),  # the game ends with the move, so either is legal to the end
    ("P102", False),  # what was swallowed looks like moves
    ("P105", False),  # two values
    ("P105", True),
    ("T120", False),  # the day or the month stands first
    ("T120", True),
}
"""Samples whose finding a repair exists for, but not in their case: rule, and whether with --unsafe."""


@pytest.mark.parametrize("unsafe", [False, True])
@pytest.mark.parametrize(
    "rule", [rule for rule in all_rules() if rule.active and rule.command == "validate"], ids=lambda rule: rule.code
)
def test_of_the_samples_all_is_repaired_that_a_rule_promises(rule: Rule, unsafe: bool) -> None:
    bad = (SAMPLES / f"{rule.code}-{rule.name}" / "bad.pgn").read_bytes()
    text, done = repaired(bad, unsafe=unsafe, ignore=None)
    promised = "safe" in rule.fix or (unsafe and "unsafe" in rule.fix)
    left = 0 if promised and (rule.code, unsafe) not in STAYS else done.before[rule.code]
    assert done.after[rule.code] == left
    assert not +done.dropped
    assert repaired(text, unsafe=unsafe, ignore=None)[0] == text


# ---------------------------------------------------------------------------------------------------- one by one

SAFE = [
    # bytes
    ("P101", b'[White "M\xfcller"]\n\n1. e4 {\x93x\x94} *', '[White "Müller"]\n\n1. e4 {“x”} *'.encode()),
    ("P101", b"1. e4\x00\x00e5 \x00*", b"1. e4 e5 *"),
    ("P101", b"1. e4 *\n\n\xef\xbb\xbf1. d4 *", b"1. e4 *\n\n1. d4 *"),
    ("P101", b"1.\xc2\xa0e4 e5\xe2\x80\x8b *", b"1. e4 e5 *"),
    ("P101", b"\xef\xbb\xbf1. e4 *", b"\xef\xbb\xbf1. e4 *"),  # at the beginning of a file it is no finding
    # comments
    ("P102", b"1. e4 {a fine move", b"1. e4 {a fine move} *"),
    ("P102", b"1. e4 {a fine move e5 2. Nf3", b"1. e4 {a fine move e5 2. Nf3"),
    # tags
    ("P104", b'[Event "The "Oak" Open"]\n\n*', b'[Event "The \\"Oak\\" Open"]\n\n*'),
    ("P104", b'[Event "The \\"Oak" Open"]\n\n*', b'[Event "The \\"Oak\\" Open"]\n\n*'),
    ("P104", b'[Site "C:\\a\\"]\n\n*', b'[Site "C:\\\\a\\\\"]\n\n*'),
    ("P104", b'[Event "Oak"\n\n*', b'[Event "Oak"]\n\n*'),
    ("P104", b'[Event "Oak\n\n*', b'[Event "Oak\n\n*'),
    ("P104", b"[White Ann A]\n\n*", b'[White "Ann A"]\n\n*'),
    ("P104", b'[Event "Oak\nCup"]\n\n*', b'[Event "Oak Cup"]\n\n*'),
    ("P104", b'[White-Elo "2500"]\n\n1. e4 *', b'[White-Elo "2500"]\n\n1. e4 *'),
    ("P105", b'[White "A"]\r\n[White "A"]\r\n\r\n1. e4 *', b'[White "A"]\r\n\r\n1. e4 *'),
    ("P105", b'[White "A"][White "A"]\n\n1. e4 *', b'[White "A"]\n\n1. e4 *'),
    ("P105", b'[White "A"]\n[White "B"]\n\n1. e4 *', b'[White "A"]\n[White "B"]\n\n1. e4 *'),
    ("P107", b'1. e4 *\n[Event "x"]\n\n1. d4 *', b'1. e4 *\n\n[Event "x"]\n\n1. d4 *'),
    ("P107", b'1. e4 * [Event "x"]\n\n1. d4 *', b'1. e4 * \n\n[Event "x"]\n\n1. d4 *'),
    # result
    ("P109", b'[Result "1-0"]\n\n1. e4 e5', b'[Result "1-0"]\n\n1. e4 e5 1-0'),
    ("P109", b'[Result "1-0"]\n\n1. e4 ; fine\n', b'[Result "1-0"]\n\n1. e4 ; fine\n1-0\n'),
    ("P109", b'[Result "1-0"]\r\n[ECO "A00"]\r\n', b'[Result "1-0"]\r\n[ECO "A00"]\r\n\r\n1-0\r\n'),
    ("P109", b"1. e4 e5\n", b"1. e4 e5 *\n"),
    ("P109", b'[Result "won"]\n\n1. e4 e5', b'[Result "won"]\n\n1. e4 e5'),
    ("E541", '[Result "½-½"]\n\n1. e4 e5 0.5-0.5', b'[Result "1/2-1/2"]\n\n1. e4 e5 1/2-1/2'),
    ("E541", b'[Result "0-0"]\n\n1. e4 e5 0-0', b'[Result "0-0"]\n\n1. e4 e5 0-0'),
    # values
    ("T120", b'[Date "1984-5-1"]\n\n1. e4 *', b'[Date "1984.05.01"]\n\n1. e4 *'),
    ("T120", b'[Date "01.05.1984"]\n\n1. e4 *', b'[Date "01.05.1984"]\n\n1. e4 *'),
    ("T123", b'[PlyCount "7"]\n\n1. e4 e5 *', b'[PlyCount "2"]\n\n1. e4 e5 *'),
    ("T123", b'[PlyCount "7"]\n\n1. e4 e5', b'[PlyCount "7"]\n\n1. e4 e5'),  # moves may be missing: nothing is done
    ("T123", b'[PlyCount "7"]\n\n1. e4 e5 3. Nf3 Nc6 *', b'[PlyCount "7"]\n\n1. e4 e5 3. Nf3 Nc6 *'),
    (
        "T124",
        b'[Variant "From Position"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *',
        b'[Variant "From Position"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *',
    ),
    (
        "F202",
        b'[Variant "From Position"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w"]\n\n1. e4 *',
        b'[Variant "From Position"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *',
    ),
    (
        "F209",
        b'[Variant "From Position"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K2R w KQkq e3 0 1"]\n\n1. e4 *',
        b'[Variant "From Position"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1"]\n\n1. e4 *',
    ),
    # moves
    ("N402", b"1. e4 e5 2. Ng1f3 *", b"1. e4 e5 2. Nf3 *"),
    ("N403", b"1. e4 d5 2. ed5 Qd5 *", b"1. e4 d5 2. exd5 Qxd5 *"),
    ("N404", b"1. e2e4 e7-e5 2. Ng1-f3 nc6 *", b"1. e4 e5 2. Nf3 Nc6 *"),
    ("N404", b"1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 o-o *", b"1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O *"),
    ("N404", b"1. e4 a6 2. e5 d5 3. exd6 e.p. *", b"1. e4 a6 2. e5 d5 3. exd6 *"),
    ("N404", b"1. e4 a6 2. e5 d5 3. exd6e.p. h6 *", b"1. e4 a6 2. e5 d5 3. exd6 h6 *"),
    ("N405", b"1. e4 e5+ 2. Nf3# *", b"1. e4 e5 2. Nf3 *"),
    ("N406", b"1. f3 e5 2. g4 Qh4+ 0-1", b"1. f3 e5 2. g4 Qh4# 0-1"),
    ("N407", b"1. e4! e5?! {x} 2. Nf3 ?? Nc6!?(2... d6!!) *", b"1. e4 $1 e5 $6 {x} 2. Nf3 $4 Nc6 $5 (2... d6 $3) *"),
    ("N420", b"1. e4 e5 1. Nf3 Nc6 3. Bb5 3. a6 *", b"1. e4 e5 2. Nf3 Nc6 3. Bb5 3... a6 *"),
    ("N420", b"1. e4 (2. d4 d5 3. c4) 1... e5 *", b"1. e4 (1. d4 d5 2. c4) 1... e5 *"),
    ("N420", b"1. e4 e5 1. Nf3 Nf3 2. Bb5 *", b"1. e4 e5 1. Nf3 Nf3 2. Bb5 *"),  # it tells of the bad move behind it
    ("N421", b"1. e4 e5 3. Nf3 Nc6 4. Bb5 *", b"1. e4 e5 3. Nf3 Nc6 4. Bb5 *"),
]

UNSAFE = [
    ("P102", b"1. e4 {a {fine} move} e5 *", b"1. e4 {a (fine) move} e5 *"),
    ("P102", b"1. e4 {a fine move e5 2. Nf3", b"1. e4 {a fine move e5 2. Nf3} *"),
    ("P103", b"1. e4 e5 2. Nf3 (2. f4 exf4 *", b"1. e4 e5 2. Nf3 (2. f4 exf4) *"),
    ("P103", b"1. e4 e5 2. Nf3 ) Nc6 *", b"1. e4 e5 2. Nf3  Nc6 *"),
    ("P104", b'[Event "Oak\n\n1. e4 *', b'[Event "Oak"]\n\n1. e4 *'),
    (
        "F220",
        b'[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *',
        b'[SetUp "1"]\n[Variant "From Position"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 *',
    ),
    ("E501", b'[Result "1-0"]\n\n1. f3 e5 2. g4 Qh4# 1-0', b'[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1'),
    ("E543", b"1. f3 e5 2. g4 Qh4# *", b"1. f3 e5 2. g4 Qh4# 0-1"),
    ("E542", b'[Result "*"]\n\n1. e4 e5 1-0', b'[Result "1-0"]\n\n1. e4 e5 1-0'),
    ("E542", b'[Result "1-0"]\n\n1. e4 e5 *', b'[Result "1-0"]\n\n1. e4 e5 1-0'),
    ("E542", b'[Result "1-0"]\n\n1. e4 e5 0-1', b'[Result "1-0"]\n\n1. e4 e5 0-1'),
    ("E542", b'[Result "1-0"]\n\n1. f3 e5 2. g4 Qh4# 0-1', b'[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1'),
    ("N401", b"1. Nf3 d5 2. d3 Nf6 3. Nd2 e6 4. Nb3 *", b"1. Nf3 d5 2. d3 Nf6 3. Nd2 e6 4. Nb3 *"),  # either can go on
    ("N401", b"1. Nf3 d5 2. d3 Nf6 3. Nd2 e6 4. Nc3 *", b"1. Nf3 d5 2. d3 Nf6 3. Nfd2 e6 4. Nc3 *"),
    (
        "M391",
        b"1. e4 e5 2. Nf3 Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O *",
        b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O *",
    ),
    (  # PlyCount speaks against it
        "M391",
        b'[PlyCount "10"]\n\n1. e4 e5 2. Nf3 Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O *',
        b'[PlyCount "10"]\n\n1. e4 e5 2. Nf3 Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O *',
    ),
    (
        "M391",
        b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc4 dxc6 5. O-O f6 6. d4 exd4 7. Nxd4 c5 *",
        b"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O f6 6. d4 exd4 7. Nxd4 c5 *",
    ),
    (
        "M341",
        b'[Variant "From Position"]\n[SetUp "1"]\n[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8 Kg7 2. Qb8 *',
        b'[Variant "From Position"]\n[SetUp "1"]\n[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8=Q Kg7 2. Qb8 *',
    ),
    (
        "M341",
        b'[Variant "From Position"]\n[SetUp "1"]\n[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8 Kg7 2. Nb6 *',
        b'[Variant "From Position"]\n[SetUp "1"]\n[FEN "8/P6k/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8=N Kg7 2. Nb6 *',
    ),
]


@pytest.mark.parametrize(("code", "bad", "good"), SAFE, ids=lambda value: value if isinstance(value, str) else "")
def test_safe(code: str, bad: str | bytes, good: bytes) -> None:
    text, done = repaired(bad)
    assert text == good
    data = bad.encode() if isinstance(bad, str) else bad
    assert (done.after[code] == 0) is (data != good or code not in done.before)
    assert repaired(text)[0] == text


@pytest.mark.parametrize(("code", "bad", "good"), UNSAFE, ids=lambda value: value if isinstance(value, str) else "")
def test_unsafe(code: str, bad: bytes, good: bytes) -> None:
    _, done = repaired(bad)
    assert done.after[code] == done.before[code] > 0
    text, done = repaired(bad, unsafe=True)
    assert text == good
    assert (done.after[code] == 0) is (bad != good)
    assert repaired(text, unsafe=True)[0] == text
    assert get_rule(code).fix["unsafe"]


@pytest.mark.parametrize(("code", "move"), [("M341", "1. a8"), ("N401", "1. Nd2")])
@pytest.mark.parametrize("many", [3, 100])
def test_only_so_many_moves_that_can_be_meant_are_tried(code: str, move: str, many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes judging the whole game again, so that all of them would take time that grows with the square."""
    start = b'[Variant "From Position"]\n[SetUp "1"]\n[FEN "8/P6k/8/8/8/5N2/8/KN6 w - - 0 1"]\n\n1. Ka2 '
    bad = start + f"({move} Kg7) ".encode() * many + b"Kg7 *"
    tried: list[bytes] = []

    def judge(text: bytes, context: Context) -> Judged | None:
        tried.append(text)
        return judged.judge(text, context)

    monkeypatch.setattr(guesses, "judge", judge)
    now = judged.judge(bad, Context("a.pgn", 0, 0, 1, b"", b"", read_choice()))
    assert now is not None
    assert sum(finding.code == code for finding in now.findings) == many
    proposed = list(guesses.fixes(now, lambda wanted: wanted == code))
    if code == "M341":  # one of four for each; the queen is tried first
        assert [fix.edits[0].text for fix in proposed] == [b"a8=Q"] * min(many, judged.MAX_SINGLE // 4)
        assert len(tried) == len(proposed)
    else:  # either knight can have been meant
        assert not proposed
        assert len(tried) == min(2 * many, judged.MAX_SINGLE)


def test_roster_tags_come_into_their_places_with_the_line_ends_of_the_game() -> None:
    bad = b'[Site "x"]\r\n[White "A"]\r\n[ECO "C20"]\r\n\r\n1. e4 e5 1-0\r\n'
    good = (
        b'[Event "?"]\r\n[Site "x"]\r\n[Date "????.??.??"]\r\n[Round "?"]\r\n[White "A"]\r\n[Black "?"]\r\n[Result "1-0"]\r\n'
        b'[ECO "C20"]\r\n\r\n1. e4 e5 1-0\r\n'
    )
    assert repaired(bad, ignore=None)[0] == good
    assert repaired("1. e4 * 1. d4 1-0", ignore=None)[0].decode() == (
        ROSTER.format("*") + "\n1. e4 * \n\n" + ROSTER.format("1-0") + "\n1. d4 1-0"
    )
    # An empty line stands before them, or they would be said to be glued to what is there.
    assert repaired("1. e4 *\n1. d4 1-0", ignore=None)[0].decode() == (
        ROSTER.format("*") + "\n1. e4 *\n\n" + ROSTER.format("1-0") + "\n1. d4 1-0"
    )


DRAWN = [
    "8/8/4k3/8/8/8/8/K5N1 w - - 0 1",  # no one can mate
    "8/8/4k1n1/8/8/8/8/K5N1 w - - 0 1",  # a helpmate only
    "8/8/4k3/8/8/8/8/K4NN1 w - - 0 1",  # two knights: no forced mate
    "8/8/4kb2/8/8/8/8/K5B1 w - - 0 1",
    "8/8/4k3/8/8/8/8/K7 w - - 0 1",
]


@pytest.mark.parametrize("fen", DRAWN)
@pytest.mark.parametrize("result", ["1-0", "0-1"])
def test_a_result_is_never_changed_because_of_material_that_only_looks_drawn(fen: str, result: str) -> None:
    start = f'[Variant "From Position"]\n[SetUp "1"]\n[FEN "{fen}"]\n'
    bad = f'{start}[Result "{result}"]\n[Termination "time forfeit"]\n\n1. Ka2 {result}\n'
    text, done = repaired(bad, unsafe=True)
    assert text == bad.encode()
    assert not done.changes


def test_one_of_two_rules_of_a_move() -> None:
    bad = b"1. e4 d5 2. e4d5 Qxd5 3. Nb1-c3+ *"
    assert repaired(bad)[0] == b"1. e4 d5 2. exd5 Qxd5 3. Nc3 *"
    assert repaired(bad, select="N405")[0] == b"1. e4 d5 2. e4d5 Qxd5 3. Nb1-c3 *"
    assert repaired(bad, ignore="N405,P106")[0] == b"1. e4 d5 2. exd5 Qxd5 3. Nc3+ *"


def test_what_hides_another_finding_is_not_made() -> None:
    """Text in Windows-1252 whose … is a word there and dots in UTF-8: the game would not say the same."""
    bad = b"1. e4 e5 \x85 Nf3 *"
    text, done = repaired(bad)
    assert text == bad
    assert done.dropped == {"P101": 1}
