"""Stretches judged each on its own give the rows and the counts of the whole, for any size and any bytes."""

from __future__ import annotations

import pickle
import random
from collections.abc import Sequence
from pathlib import Path

import corpora
import hard_inputs
import pyarrow as pa
import pytest
from corpora import needs_corpus
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import FULL, any_bytes, archive, as_text

from chesstools.engines import why_not_native
from chesstools.errors import OptionError, SourceError
from chesstools.plan import Stretch, fold, plan, ranges, survey
from chesstools.plan.anchor import find_anchor
from chesstools.reference import lexer, segment
from chesstools.reference.segment import Segmenter
from chesstools.reference.window import Window
from chesstools.scan import scan_source
from chesstools.schema import SCHEMAS, TABLES
from chesstools.source import Source, find_sources
from chesstools.step import Position, Step
from chesstools.summary import SourceSummary

ENGINES = ["reference"] if why_not_native() else ["native", "reference"]
GAME = b'[Event "a"]\n[Site "b"]\n\n1. e4 e5 {one} 2. Nf3 *\n\n'
CRLF = GAME.replace(b"\n", b"\r\n")

HOSTILE = {
    "nothing": b"",
    "one byte": b"x",
    "games without tags": b"1. e4 *\n\n" * 40,
    "games without tags, and a comment": b"1. e4 {good} 1-0\n\n1. d4 1/2-1/2\n\n" * 20,
    "no results": b'[Event "a"]\n[Site "b"]\n\n1. e4 e5\n\n' * 30,
    "one tag": b'[Event "a"]\n\n1. e4 e5 *\n\n' * 30,
    "CRLF": CRLF * 30,
    "CR": GAME.replace(b"\n", b"\r") * 30,
    "a comment that is never closed": GAME * 5 + b"1. e4 {never closed\n\n" + GAME * 10,
    "only comments that are never closed": b"1. e4 {never closed *\n\n" * 40,
    "braces that are closed where another game stands": GAME * 5 + b"{ { {" + GAME * 10 + b"} } }" + GAME * 10,
    "games in a comment": GAME * 3 + b"{" + (b'[Event "q"]\n\n1. e4 *\n\n' * 20) + b"}\n\n" + GAME * 6,
    "tags that are never closed": GAME * 3 + b'[Event "a\n\n1. e4 *\n\n' * 20 + GAME * 6,
    "escaped lines": (GAME + b"% 1-0\n\n" + GAME + b"% {\n\n") * 10,
    "comments to the end of the line": (GAME + b"1. e4 ; { 1-0\n\n" + GAME) * 10,
    "glued games": (GAME.rstrip() + b"\n") * 30,
    "a byte order mark before each game": (b"\xef\xbb\xbf" + GAME) * 20,
    "NULs": (GAME + b"\0\0\0") * 20,
    "prose": (GAME + b"prose between games\n\n1-0\n\n") * 20,
    "both lose": b'[Event "a"]\n[Result "0-0"]\n\n1. e4 0-0\n\n' * 20,
    "nothing but braces": b"{" * 500,
    "nothing but line breaks": b"\r\n\n\r" * 100,
}
SIZES = [1, 2, 7, 50, 100, 150, 400, 1000]


def judged(source: Source, stretches: Sequence[Stretch], engine: str) -> tuple[dict[str, pa.Table], SourceSummary]:
    """All rows and counts of some stretches, which are judged backwards and put in order."""
    steps: list[list[Step]] = []
    for stretch in reversed(stretches):
        steps.append(list(scan_source(source, start=stretch.start, stop=stretch.stop, entry=stretch.entry, engine=engine)))
    ordered = [step for some in reversed(steps) for step in some]
    tables = {name: pa.Table.from_batches([step.batches[name] for step in ordered], SCHEMAS[name]) for name in TABLES}
    summary = SourceSummary(source.name)
    for step in ordered:
        summary.merge(step.summary)
    return {name: table.unify_dictionaries().combine_chunks() for name, table in tables.items()}, summary


def check(source: Source, stretch_bytes: int, engine: str) -> list[Stretch]:
    """The stretches of a source, having looked that they are the whole."""
    stretches = plan(source, stretch_bytes, engine=engine).stretches
    assert [one.stop for one in stretches] == [*(one.start.byte_offset for one in stretches[1:]), None]
    tables, summary = judged(source, stretches, engine)
    wanted, counts = judged(source, fold([]), engine)
    assert summary == counts
    for name, table in tables.items():
        assert table.equals(wanted[name]), name
    return stretches


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", HOSTILE)
def test_any_size_gives_the_whole(name: str, engine: str) -> None:
    source = Source.from_bytes(HOSTILE[name], "x")
    for stretch_bytes in SIZES if FULL else [7, 100, 400] if engine == "native" else [150]:
        check(source, stretch_bytes, engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_stretches_of_a_byte(engine: str) -> None:
    """Where there is no anchor, each region is a stretch of its own."""
    data = b"1. e4 *\n\n" * 5 + b"prose\n\n1. e4 1-0\n" + GAME.rstrip() + b"\n" + GAME + b"{ never closed"
    assert [one.start.byte_offset for one in check(Source.from_bytes(data, "x"), 1, engine)] == sorted(boundaries(data))[:-1]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_plain_game_right_behind_a_result(engine: str) -> None:
    """It is told that no blank line stands before it, also where reading begins there."""
    source = Source.from_bytes(b"1. e4 *\n" + GAME * 2, "x")
    start = Position(8, 2, 1, glued=True)
    steps = list(scan_source(source, start=start, tables=["findings"], engine=engine))
    assert [row["game_index"] for step in steps for row in step.batches["findings"].to_pylist() if row["code"] == "P107"] == [1]


@pytest.mark.parametrize("name", [name for name, case in hard_inputs.CASES.items() if case.less])
def test_hard_inputs(name: str) -> None:
    case = hard_inputs.CASES[name]
    source = Source.from_bytes(case.text(min(case.less, 3_000)) + GAME * 20 + case.text(min(case.less, 300)), "x")
    check(source, len(source.data or b"") // 8, ENGINES[0])


@settings(max_examples=400 if FULL else 40)
@given(st.lists(st.one_of(as_text(), archive(), st.just(GAME * 4), st.just(CRLF * 3)), max_size=6), st.sampled_from(SIZES))
@example([b"\r", b"\n"], 1)
def test_any_bytes(parts: list[bytes], stretch_bytes: int) -> None:
    data = b"".join(parts)
    if ranges(Source.from_bytes(data), stretch_bytes).why_whole is None:
        check(Source.from_bytes(data, "x"), stretch_bytes, ENGINES[0])


@settings(max_examples=400 if FULL else 15)
@given(st.lists(st.one_of(any_bytes(), st.just(GAME * 4)), max_size=5), st.sampled_from(SIZES))
def test_both_engines_make_the_same_plan(parts: list[bytes], stretch_bytes: int) -> None:
    source = Source.from_bytes(b"".join(parts), "x")
    assert len({pickle.dumps(plan(source, stretch_bytes, engine=engine).stretches) for engine in ENGINES}) == 1


# ------------------------------------------------------------------------------------------------------------------ anchors


def boundaries(data: bytes) -> dict[int, bool]:
    """Where regions begin, and whether nothing of the text before is to be remembered there."""
    segmenter = Segmenter(Window([data]))
    found = {0: True}
    for _ in segmenter:
        found[segmenter.offset] = not segmenter.glued
    return found


@given(st.lists(st.one_of(any_bytes(), st.just(GAME * 3)), max_size=8), st.randoms(use_true_random=False))
def test_a_region_begins_at_an_anchor_whatever_stands_before(parts: list[bytes], chance: random.Random) -> None:
    data = b"".join(parts)
    found = boundaries(data)
    for start in chance.sample(range(len(data)), min(20, len(data))):
        anchor = find_anchor(data[start:])
        assert anchor is None or found[start + anchor], (start, data)


@pytest.mark.parametrize(
    "before", [b"word " * 100, b"1. e4 " + b"e5 " * 150, b"1. e4 {" + b"word " * 100, b"( " * 100, b"\n1-0\n" * 60]
)
def test_limits_that_are_reached_before_an_anchor_change_nothing(before: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the text before is cut: behind the result before an anchor, in the tags behind it, and between."""
    window = 3 * len(GAME) + 20
    data = before + b" 1-0\n\n" + GAME * 12
    anchors = {start + at for start in range(len(before) - 20, len(data)) if (at := find_anchor(data[start : start + window]))}
    assert anchors
    for limit in range(window + 50, len(before) + 150):
        monkeypatch.setattr(segment, "MAX_GAME_BYTES", limit)
        monkeypatch.setattr(lexer, "MAX_COMMENT_BYTES", limit)
        assert anchors <= boundaries(data).keys(), limit


def test_an_anchor_is_the_second_of_two_places() -> None:
    """At the first one the white space before it may belong to its game: the text of no game before it was cut there."""
    assert find_anchor(GAME * 2) is None
    assert find_anchor(GAME * 3) == 2 * len(GAME)
    assert find_anchor(GAME[10:] + GAME * 2) == 2 * len(GAME) - 10
    assert find_anchor(b"1. d4 *\n\n" + GAME.replace(b"{one}", b"") * 4) == 9 + 2 * len(GAME.replace(b"{one}", b""))


# ------------------------------------------------------------------------------------------------------------------ surveys


def test_surveys_are_put_together_in_any_order() -> None:
    source = Source.from_bytes(GAME * 200, "x")
    surveys = [survey(source, *one) for one in ranges(source, 700).ranges]
    stretches = fold(surveys)
    assert len(stretches) == 14
    assert fold(reversed(surveys)) == stretches == plan(source, 700).stretches
    assert len(pickle.dumps(surveys)) < 10_000
    with pytest.raises(OptionError, match="The survey of the range at byte 2100 is missing; survey all ranges"):
        fold(one for one in surveys if one.start != 2100)


def test_a_file_is_entered_where_a_stretch_begins(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(GAME * 20_000)
    (source,) = find_sources(path)
    for engine in ENGINES:
        stretches = plan(source, 100_000, engine=engine).stretches
        assert len(stretches) == 10
        last = stretches[-2]
        assert last.stop is not None
        steps = list(scan_source(source, start=last.start, stop=last.stop, entry=last.entry, engine=engine, tables=["games"]))
        assert sum(step.summary.bytes for step in steps) == last.stop - last.start.byte_offset
        assert source.stored_bytes_read < 250_000
    check(source, 300_000, ENGINES[0])


def test_a_source_that_changes_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(GAME * 100)
    (source,) = find_sources(path)
    first, *_ = plan(source, 1000).stretches
    path.write_bytes(GAME * 3)
    other = Source.from_bytes(GAME * 3, "games.pgn")  # as where nothing tells when it was changed
    told = (
        r"games\.pgn (could not be read to its end \(it has changed since|is not what it was when it was planned; make the plan)"
    )
    for engine in ENGINES:
        for one in (source, other):
            with pytest.raises(SourceError, match=told):
                list(scan_source(one, start=first.start, stop=first.stop, entry=first.entry, engine=engine))


@pytest.mark.parametrize("name", HOSTILE)
def test_what_no_anchor_follows_is_not_surveyed_to_its_end(name: str) -> None:
    """And yet no stretch is empty, but that of a source of nothing."""
    data = HOSTILE[name]
    for stretches in (plan(Source.from_bytes(data, "x"), size).stretches for size in (1, 7, 100)):
        assert all(one.start.byte_offset < len(data) for one in stretches) or (len(stretches) == 1 and not data)


def test_why_a_source_is_not_cut() -> None:
    text = (GAME * 20).decode()
    assert plan(Source.from_bytes(text.encode(), "x"), 1 << 20).why_whole is None
    utf16 = plan(Source.from_bytes(text.encode("utf-16"), "x"), 100)
    assert utf16.why_whole == ("x is UTF-16 and is read as a whole; convert it to UTF-8 to have it cut.")
    check(Source.from_bytes(text.encode("utf-16"), "x"), 100, ENGINES[0])
    (stdin,) = find_sources("-")
    assert plan(stdin, 100).why_whole == "- can be read only once and is read as a whole; save it as a file to have it cut."
    with pytest.raises(OptionError, match="A stretch must have 1 byte or more, not 0"):
        plan(Source.from_bytes(b"1. e4 *"), 0)


@needs_corpus
@pytest.mark.parametrize("name", corpora.ARCHIVES)
def test_archives(name: str) -> None:
    data = corpora.text(name)
    source = Source.from_bytes(data if FULL else data[:300_000], name)
    stretches = check(source, 10_000 if not FULL else 100_000, ENGINES[0])
    assert len(stretches) > 5
    for stretch_bytes in [333, 50_000] if FULL else [50_000]:
        check(source, stretch_bytes, ENGINES[0])


def test_what_is_little_longer_than_a_stretch_is_not_told() -> None:
    games = GAME * 40
    one = b"1. e4 {" + b"x" * len(games) + b"} *\n"
    for text, stretch_bytes, told in ((games, len(games) - 30, False), (one, len(one) - 1, False), (one, len(one) // 3, True)):
        found = plan(Source.from_bytes(text, "x"), stretch_bytes)
        assert len(found.stretches) == 1
        assert (found.why_whole is not None) == told
