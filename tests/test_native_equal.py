"""The native core gives the rows of the readable engine: on every sample, case and archive, and on text that was broken.

`python -m tests.native_diff FILES…` compares whole archives and shows the first difference.
"""

from __future__ import annotations

import base64
import json
import random
import sys
from collections.abc import Iterator
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from native_diff import compare
from strategies import FULL, any_bytes
from test_mutations import block
from walks import pgn_of, random_walk, sans, shuffling_walk

from chesstools.engines import why_not_native
from chesstools.rules import Selection
from chesstools.source import Source, find_sources

pytestmark = pytest.mark.skipif(why_not_native() is not None, reason="the native core is not here")

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
sys.path.insert(0, str(ROOT / "sample_data"))

SLICE = 4_000_000 if FULL else 150_000
"""Bytes of each archive that are compared."""


def check(data: bytes, name: str = "text", **options: object) -> None:
    assert (difference := compare(Source.from_bytes(data, name), **options)) is None, str(difference)


@pytest.mark.parametrize("folder", ["games", "rules"])
def test_samples(folder: str) -> None:
    for source in find_sources(ROOT / "sample_data" / folder):
        if source.size is not None and source.size < SLICE:
            assert (difference := compare(source)) is None, str(difference)


def cases() -> Iterator[tuple[str, bytes]]:
    for line in (SHARED / "cases" / "faults.jsonl").read_text().rstrip("\n").split("\n"):
        case = json.loads(line)
        if "minimal_input_b64" in case:
            yield case["id"], base64.b64decode(case["minimal_input_b64"])
        elif "minimal_input" in case:
            yield case["id"], case["minimal_input"].encode("utf-8", "surrogateescape")


@pytest.mark.skipif(not SHARED.is_dir(), reason="the cases in ../shared are not here")
def test_cases() -> None:
    for name, data in cases():
        check(data, name)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the archives in ../shared are not here")
@pytest.mark.parametrize("path", sorted((SHARED / "corpus").glob("*.pgn.zst")), ids=lambda path: path.name)
def test_archives(path: Path) -> None:
    """The beginning of an archive, and a piece out of its middle that is cut at both ends."""
    data = bytearray()
    for part in find_sources(path)[0].open():
        data += part
        if len(data) > 3 * SLICE:
            break
    check(bytes(data[:SLICE]), path.name)
    check(bytes(data[2 * SLICE : 2 * SLICE + SLICE // 4]), f"middle of {path.name}")


@pytest.mark.parametrize("seed", range(20 if FULL else 1))
def test_generated_archives(seed: int) -> None:
    from generator.archive import Options, write_archive  # type: ignore[import-not-found]

    pgn = BytesIO()
    write_archive(Options(games=150, seed=1000 + seed, fault_rate=0.5, style="mixed", plies=40), pgn, StringIO())
    check(pgn.getvalue())


@pytest.mark.parametrize("number", range(60 if FULL else 3))
def test_mutated_games(number: int) -> None:
    """Walks that are rich in pins, checks, castling, en passant and promotion, with a token broken in each."""
    check(b"\n\n".join(pgn_of(game.start, game.tokens) for game in block(number)))


@pytest.mark.parametrize("seed", range(100 if FULL else 5))
def test_positions_that_come_back(seed: int) -> None:
    start, moves = shuffling_walk(seed, 200)
    check(pgn_of(start, sans(start, moves), ("1-0", "0-1", "1/2-1/2", "*")[seed % 4]))


@pytest.mark.parametrize("seed", range(100 if FULL else 5))
def test_chess960(seed: int) -> None:
    import chess

    start, moves = random_walk(seed, 80, fen=chess.Board.from_chess960_pos(seed * 9 % 960).fen())
    check(pgn_of(start, sans(start, moves), chess960=True))


@given(any_bytes())
@example(b"{\x00}.{")
@example(b"1. d4 d5 ")
@example(b'[0"\x80"]\xe2\x99\x94a1')
def test_any_bytes(data: bytes) -> None:
    check(data)


@given(any_bytes(), st.integers(1, 9))
def test_steps_of_any_size(data: bytes, batch_games: int) -> None:
    check(data, batch_games=batch_games)


@given(any_bytes(), st.sampled_from(["M", "N,P106", "P", "D601"]))
def test_selected_findings(data: bytes, select: str) -> None:
    check(data, selection=Selection(select))


@pytest.mark.parametrize("seed", range(60 if FULL else 4))
def test_samples_with_flipped_bytes(seed: int) -> None:
    """Bytes of real games are replaced, dropped, doubled and moved, a few in each game."""
    choose = random.Random(seed)
    sources = [source for source in find_sources(ROOT / "sample_data") if (source.size or 0) < 60_000]
    data = bytearray(b"".join(choose.choice(sources).open())[: 20_000 if FULL else 6_000])
    signs = b'{}()[]";%$!?.=+#-x \n\r\t\x00\xff\xc2*0189abNQO\\@'
    for _ in range(len(data) // 150 + 1):
        at = choose.randrange(len(data))
        match choose.randrange(4):
            case 0:
                data[at] = choose.choice(signs)
            case 1:
                del data[at : at + choose.randrange(1, 9)]
            case 2:
                data[at:at] = bytes([choose.choice(signs)])
            case 3:
                data[at:at] = data[at : at + choose.randrange(1, 200)]
    check(bytes(data))


def test_empty_comment_behind_another_adds_nothing() -> None:
    check(b'[A""]{\x00};')
    check(b"1. e4 {a} {} {b} ; \n e5 {} *")


def test_figurine_in_text_that_is_not_utf8_is_no_figurine() -> None:
    check(b'[A"M\xfcller"]\n\n1. \xe2\x99\x98f3 *')
