"""What is true of every scan, whatever the bytes: nothing raises, nothing is lost, and nothing depends on how it is read."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scanned import check_everything, rows, step_rows
from strategies import any_bytes, as_text
from walks import pgn_of, random_walk, sans

from chesstools.compression import HEAD_BYTES, sniff
from chesstools.profile_choice import read_choice
from chesstools.reference import engine, lexer, replay, segment
from chesstools.reference.engine import Job
from chesstools.reference.parallel import cut, judge_stretch
from chesstools.reference.segment import Segmenter
from chesstools.reference.window import Window
from chesstools.rules import Selection
from chesstools.scan import scan_source
from chesstools.schema import TABLES
from chesstools.source import Source


@given(as_text())
@settings(max_examples=settings().max_examples * 2)
@example(b"")
@example(b"{")
@example("1.\u00a0e4 *".encode())
@example(b'[TimeControl "%b"]\n\n*' % (b"9" * 400))
@example(b'[FEN "8/8/8/8/8/8/8/8 w - - %b 1"]\n\n*' % (b"9" * 5000))
def test_any_bytes_are_read_and_accounted_for(data: bytes) -> None:
    tables, summary = rows(data)
    check_everything(data, tables, summary)


@given(any_bytes())
def test_utf16_is_read_as_text(data: bytes) -> None:
    text = data.decode("latin-1")
    assume(sniff(text.encode()[:HEAD_BYTES]) is None)
    tables, summary = rows(text.encode("utf-16"))
    plain, _ = rows(text.encode())
    assert tables["games"] == plain["games"]
    assert tables["plies"] == plain["plies"]
    assert summary.bytes == len(text.encode())


@given(as_text(), st.sampled_from([1, 2, 3, 7, 64]), st.sampled_from([1, 2, 3]))
def test_blocks_and_batches_do_not_matter(data: bytes, block_bytes: int, batch_games: int) -> None:
    assert rows(data, block_bytes=block_bytes, batch_games=batch_games) == rows(data)


@given(as_text())
def test_tables_do_not_depend_on_one_another(data: bytes) -> None:
    tables, _ = rows(data)
    for name in TABLES:
        assert rows(data, tables=[name])[0] == {name: tables[name]}


@given(as_text(), st.integers(1, 2))
def test_reading_goes_on_from_any_step(data: bytes, batch_games: int) -> None:
    source = Source.from_bytes(data, "x")
    steps = list(scan_source(source, batch_games=batch_games))
    for number, step in enumerate(steps, 1):
        rest = list(scan_source(source, start=step.end, batch_games=batch_games))
        assert step_rows(rest) == step_rows(steps[number:])
        assert [one.end for one in rest] == [one.end for one in steps[number:]]
    assert not steps or steps[-1].end.byte_offset == len(data)


@given(as_text())
def test_stretches_for_other_processes_give_the_same(data: bytes) -> None:
    """What several processes do, done in this one."""
    job = Job("x", TABLES, read_choice(), Selection(), 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "STEP_BYTES", 50)
        patch.setattr("chesstools.reference.parallel.STEP_BYTES", 50)
        apart = [judge_stretch(job, stretch) for stretch in cut(Segmenter(Window([data])), 0, 1)]
        steps = list(scan_source(Source.from_bytes(data, "x"), batch_games=1, engine="reference"))
    assert step_rows(apart) == step_rows(steps)
    assert [step.end for step in apart] == [step.end for step in steps]
    assert [step.summary for step in apart] == [step.summary for step in steps]


@given(as_text())
def test_over_the_limits(data: bytes) -> None:
    """With limits so low that every text is over them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segment, "MAX_GAME_BYTES", 80)
        patch.setattr(segment, "MAX_GAME_TOKENS", 15)
        patch.setattr(lexer, "MAX_COMMENT_BYTES", 20)
        patch.setattr(lexer, "MAX_TAG_LINE_BYTES", 40)
        patch.setattr(replay, "MAX_VARIATION_DEPTH", 1)
        check_everything(data, *rows(data, engine="reference"))


CORNERS = b"""[Event "a"]

1. e4 (1. d4 1-0

   [Event x]
[Site "y"]

1. d4 {open

[Event "c"]
[Site "d"]

1. Nf3 {a {b} c} Nf6 2. Ng1 *
[x y] [Event "e"]

{b} 1. e4 e5 2. Ke3 *

prose

1. e4 M\xfcller *
"""


def test_several_processes_give_the_same() -> None:
    data = CORNERS + b"".join(pgn_of(start, sans(start, moves)) for start, moves in (random_walk(seed, 20) for seed in range(6)))
    assert rows(data, jobs=2, batch_games=1) == rows(data, batch_games=1)


def test_several_processes_go_on_in_the_middle() -> None:
    source = Source.from_bytes(CORNERS, "x")
    steps = list(scan_source(source, batch_games=1))
    middle = steps[1].end
    assert step_rows(list(scan_source(source, start=middle, jobs=2, batch_games=1))) == step_rows(steps[2:])
