"""What games are written as: the bytes of every format, the same by both engines, on any text and cut anywhere."""

from __future__ import annotations

import io
import json
import os
import random
import sys
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import corpora
import pytest
from exported import ENGINES, WAYS, difference, pgn, written
from hypothesis import example, given
from hypothesis import strategies as st
from shared_cases import cases, needs_cases
from strategies import FULL, any_bytes
from test_native_equal import cases as all_cases

from chesstools.engines import why_not_native
from chesstools.source import Source, find_sources

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = Path(__file__).resolve().parent / "golden"
GAMES = GOLDEN / "games.pgn"
SLICE = 1_000_000 if FULL else 60_000
sys.path.insert(0, str(ROOT / "sample_data"))

HERE = [engine for engine in ENGINES if engine == "reference" or why_not_native() is None]
needs_core = pytest.mark.skipif(why_not_native() is not None, reason="the native core is not here")

GOLDENS: dict[str, tuple[str, dict[str, Any]]] = {
    "games.export.pgn": ("pgn", {}),
    "games.reduced.pgn": ("pgn", {"reduced": True}),
    "games.lan.pgn": (
        "pgn",
        {"moves": "lan", "line_width": 40, "tag_order": "standard", "letters": ("♔", "♕", "♖", "♗", "♘", "♙")},
    ),
    "games.no-clocks.pgn": ("pgn", {"clocks": False, "nags": False, "variations": False, "roster": True, "line_width": 0}),
    "games.jsonl": ("jsonl", {}),
    "games.san": ("san", {}),
    "games.lan": ("lan", {}),
    "games.uci": ("uci", {}),
    "games.fen": ("fen", {}),
    "games.every.fen": ("fen", {"positions": "every", "ep": "standard"}),
    "games.epd": ("epd", {"positions": "every", "unique": True}),
}


@pytest.mark.parametrize("engine", HERE)
@pytest.mark.parametrize("name", GOLDENS)
def test_golden_files(name: str, engine: str) -> None:
    """The bytes that were looked at by a person. CHESSTOOLS_GOLDEN=1 writes them anew, to be looked at again."""
    form, options = GOLDENS[name]
    text, games, _ = written(Source.from_bytes(GAMES.read_bytes(), "games.pgn"), form, engine, **options)
    assert games == 6
    if os.environ.get("CHESSTOOLS_GOLDEN"):
        (GOLDEN / name).write_bytes(text)
    assert text == (GOLDEN / name).read_bytes()


# ------------------------------------------------------------------------------------------------- cases


def exported(text: str, **options: Any) -> str:
    return pgn(text.encode(), **options).decode()


EXPORTS = {
    "DAT-12": "1. e4 { c } 1... e5 (1... d5 2. exd5) 2. Nf3 *\n\n",
    "NUM-04": "1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n",
    "TAG-01": '[Event "Blitz 3\'+2\\""]\n[Site "C:\\\\dir"]\n[Result "*"]\n\n1. e4 *\n\n',
    "COM-01": '[Event "Oak Cup"]\n[Result "0-1"]\n\n1. e4 { Smith-Jones 1-0 1/2-1/2 } 1... e5 0-1\n\n',
    "COM-02": '[Event "Oak Cup"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 { see [Event "not a tag"] [%cal Gd8h4] } 2... Qh4# 0-1\n\n',
    "COM-03": "1. e4 ; outer {inner} still? 1... c5\n1... e5 2. Nf3 *\n\n",
    "COM-05": "1. e4 { a; b [%c_effect e4;square;e4;persistent;true] } 1... e5 2. Nf3 *\n\n",
    "COM-09": "{ before } 1. e4 { after } 1... e5 ({ alt } 1... c5 { s }) { tail } 2. Nf3 *\n\n",
    "COM-10": "1. e4 e5 2. Qh5 { a } $15 { b } $17 2... Nc6 3. Bc4 $6 *\n\n",
    "COM-11": "1. e4 e5 { ... } 2. Nf3 *\n\n",
    "COM-13": '[Event "Oak Cup"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 { 50 % of the time } 2... Nc6 *\n\n',
    "COM-14": "1. e4 e5 } 2. Nf3 *\n\n",
}
"""Cases whose export form is known, and the form."""


@needs_cases
@pytest.mark.parametrize("name", EXPORTS)
def test_cases_that_speak_of_export(name: str) -> None:
    assert exported(cases()[name].text) == EXPORTS[name]
    assert exported(EXPORTS[name]) == EXPORTS[name]


@needs_cases
def test_lines_are_broken_at_blanks_only() -> None:
    text = cases()["DAT-13"].text
    for width in (80, 20, 12):
        lines = exported(text, line_width=width).splitlines()
        assert lines[0] == '[Result "*"]'
        assert max(map(len, lines[1:])) <= width
        assert " ".join(lines[2:]).split() == text.split("\n\n")[1].split()
    assert len(exported(text, line_width=0).splitlines()) == 4


@needs_cases
def test_a_game_of_20000_plies() -> None:
    for form in ("pgn", "uci", "jsonl", "san"):
        text, games, _ = written(cases()["BIG-02"].data, form)
        assert games == 1
        if form == "san":
            assert text.split() == cases()["BIG-02"].data.split()[:-1]
        if form == "uci":
            assert text.split()[:4] == [b"g1f3", b"g8f6", b"f3g1", b"f6g8"]
            assert len(text.split()) == 20_000


@needs_cases
def test_final_positions_of_all_cases() -> None:
    """What the cases say of the last position, with the two ways to fill the field for en passant."""
    compared = 0
    for case in cases().values():
        games = case.record.get("expected_games") or []
        if not games or any(game.get("final_fen") is None for game in games):
            continue
        legal = written(case.data, "fen")[0].decode().splitlines()
        standard = written(case.data, "fen", ep="standard")[0].decode().splitlines()
        moves = [line.rpartition(" moves")[2].split() for line in written(case.data, "san")[0].decode().splitlines()]
        for game, played, one, other in zip(games, moves, legal, standard, strict=False):
            if len(legal) == len(games) and len(played) == len(game["mainline"]):  # elsewhere our policy is another
                assert (case.id, one) == (case.id, game["final_fen"])
                assert other == game.get("final_fen_pgn_ep", game["final_fen"])
                compared += 1
    assert compared > 50


# ------------------------------------------------------------------------------------- two engines, one text


@needs_core
@pytest.mark.parametrize("way", range(len(WAYS)))
def test_engines_agree_on_samples(way: int) -> None:
    form, options = WAYS[way]
    for folder in ("games", "rules"):
        data = b"".join(
            b"".join(source.open()) + b"\n\n"
            for source in find_sources(ROOT / "sample_data" / folder)
            if (source.size or 0) < SLICE
        )
        assert (told := difference(data, form, **options)) is None, told
    assert (told := difference(GAMES.read_bytes(), form, **options)) is None, told


@needs_core
@needs_cases
@pytest.mark.parametrize("way", [0, 3, 4, 6, 13, 15])
def test_engines_agree_on_cases(way: int) -> None:
    form, options = WAYS[way]
    for _, data in all_cases():
        assert (told := difference(data, form, **options)) is None, told


@needs_core
@corpora.needs_corpus
@pytest.mark.parametrize("way", [0, 2, 4, 6, 11, 15])
@pytest.mark.parametrize("name", corpora.ARCHIVES)
def test_engines_agree_on_archives(name: str, way: int) -> None:
    form, options = WAYS[way]
    data = corpora.text(name)[: SLICE // 2]
    assert (told := difference(data, form, **options)) is None, told


@needs_core
@given(any_bytes(), st.sampled_from(WAYS))
@example(b"1. $1 e4 *", WAYS[0])
@example(b"1. e4 (= *", WAYS[0])
def test_engines_agree_on_any_bytes(data: bytes, way: tuple[str, dict[str, Any]]) -> None:
    form, options = way
    assert (told := difference(data, form, **options)) is None, told


@needs_core
@given(st.integers(0, 10_000))
@example(1868)
def test_engines_agree_on_broken_games(seed: int) -> None:
    choose = random.Random(seed)
    data = bytearray(GAMES.read_bytes())
    signs = b'{}()[]";%$!?.+=#-x \n\r\t\x00\xff\xc2*0189abNQO\\@'
    for _ in range(choose.randrange(1, 25)):
        at = choose.randrange(len(data))
        if choose.random() < 0.5:
            data[at] = choose.choice(signs)
        else:
            data[at:at] = bytes([choose.choice(signs)])
    for form in ("pgn", "jsonl"):
        assert (told := difference(bytes(data), form)) is None, told


# ------------------------------------------------------------------------------------------ what must be true


@pytest.mark.parametrize("name", [*corpora.ARCHIVES, "golden"])
def test_export_of_an_export_is_the_same(name: str) -> None:
    if name != "golden" and not corpora.FOLDER.is_dir():
        pytest.skip("the shared test archives are not here")
    data = GAMES.read_bytes() if name == "golden" else corpora.text(name)
    for options in ({}, {"line_width": 30}, {"reduced": True}):
        once = pgn(data, **options)
        assert pgn(once, **options) == once
    assert written(once, "uci")[0] == written(data, "uci")[0]


@corpora.needs_corpus
@pytest.mark.parametrize("name", corpora.ARCHIVES)
def test_json_lines_say_the_same_before_and_after(name: str) -> None:
    """The trees of games are those of their export."""
    data = corpora.text(name)[:SLICE]
    before, after = (
        [json.loads(line) for line in written(text, "jsonl")[0].splitlines()] for text in (data, pgn(data, line_width=50))
    )
    for one, other in zip(before, after, strict=True):
        if one["result"] is None:
            del one["result"], other["result"]
        assert one == other


@corpora.needs_corpus
@pytest.mark.parametrize("name", [name for name in corpora.ARCHIVES if name != "fics_crazyhouse"])
def test_python_chess_finds_the_same_tree(name: str) -> None:
    """Of the archive and of its export: the same tags, moves, comments, NAGs and variations."""
    sys.setrecursionlimit(10_000)
    data = corpora.text(name)[:SLICE]
    data = data[: data.rindex(b"\n\n[") + 1]
    streams = [io.StringIO(text.decode()) for text in (data, pgn(data))]
    number = 0
    while True:
        before, after = map(chess.pgn.read_game, streams)
        if before is None or after is None:
            assert before is after
            break
        number += 1
        assert not after.errors or before.errors
        assert dict(before.headers) == dict(after.headers)
        one, other = ([" ".join(before.comment.split()), *flat(before)], [" ".join(after.comment.split()), *flat(after)])
        assert one == other
    assert number > 1


def flat(game: chess.pgn.Game) -> list[Any]:
    """All nodes in order, without recursion."""
    found: list[Any] = []
    todo: list[chess.pgn.GameNode] = [game]
    while todo:
        node = todo.pop()
        for child in node.variations:
            found.append((child.ply(), child.move, sorted(child.nags), " ".join(child.comment.split())))
        todo.extend(reversed(node.variations))
    return found


@given(st.integers(1, 400), st.integers(1, 3), st.sampled_from(WAYS))
def test_neither_blocks_nor_jobs_change_a_byte(block_bytes: int, jobs: int, way: tuple[str, dict[str, Any]]) -> None:
    form, options = way
    data = GAMES.read_bytes()
    assert written(data, form, block_bytes=block_bytes, jobs=jobs, **options) == written(data, form, **options)


@corpora.needs_corpus
@needs_core
@pytest.mark.parametrize("way", [0, 6, 13, 15])
def test_jobs_change_nothing_in_archives(way: int) -> None:
    form, options = WAYS[way]
    source = find_sources(corpora.path("lichess_clk"))[0]
    one, two = (written(source, form, "native", jobs=jobs, **options) for jobs in (1, 3))
    assert one == two
