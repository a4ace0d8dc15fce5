"""Findings of stretches that workers judged are those of one machine, in every form, to the byte."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from pathlib import Path
from typing import Any, cast

import corpora
import pytest
from command_line import Cli, command
from corpora import needs_corpus
from hypothesis import given, settings
from hypothesis import strategies as st
from loop_cluster import LoopCluster, connected_loop
from strategies import FULL, archive, as_text
from test_plan import GAME, HOSTILE
from test_plan_packed import PACK, packed

import chesstools.cluster
from chesstools.cluster import Cluster, in_order, planning, travelling, validating, waiting
from chesstools.cluster.shared_scratch import SharedScratch
from chesstools.errors import OptionError, SourceError
from chesstools.source import Source
from chesstools.summary import Summary
from chesstools.validate import ReportedFinding, Validation, validate

BAD = b'[Event "a"]\n[Site "b"]\n[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 2. Ke3 {bad} *\n\n'
SAMPLES = sorted(Path("sample_data").rglob("*.pgn"))
FORMS = ("text", "table", "json", "jsonl", "csv", "sarif", "github", "parquet")


def varied(games: int) -> bytes:
    """What does not pack to nothing."""
    return b"".join(BAD.replace(b"{bad}", b"{%d}" % (n * 7919**3)) for n in range(games))


def loop(seed: int = 0, **options: int) -> Cluster:
    return cast("Cluster", LoopCluster(seed, **options))


def result(validation: Validation) -> tuple[list[ReportedFinding], Summary]:
    """All findings and counts, but for the time."""
    found = list(validation)
    summary = validation.summary
    summary.seconds = 0.0
    return found, summary


def check(sources: Any, stretch_bytes: int, seed: int = 0, **options: Any) -> None:
    wanted = result(validate(sources, **options))
    assert result(validate(sources, cluster=loop(seed), stretch_bytes=stretch_bytes, **options)) == wanted


@pytest.mark.parametrize("also", [None, "ALL"])
def test_samples(also: str | None) -> None:
    """All samples as one run, of which A860 tells what stands twice."""
    for stretch_bytes in [200, 3_000] if FULL else [700]:
        check(SAMPLES, stretch_bytes, also=also)


@settings(max_examples=200 if FULL else 10)
@given(
    st.lists(st.lists(st.one_of(as_text(), archive(), st.just(GAME * 4), st.just(BAD * 3)), max_size=4), min_size=1, max_size=3),
    st.sampled_from([1, 60, 300]),
    st.sampled_from(["", *PACK]),
    st.integers(0, 99),
)
def test_any_bytes(sources: list[list[bytes]], stretch_bytes: int, kind: str, seed: int) -> None:
    texts = [b"".join(parts) for parts in sources]
    data = [packed(kind, text, 150) if kind else text for text in texts]
    check([Source.from_bytes(one, f"{n}") for n, one in enumerate(data)], stretch_bytes, seed, also="A860")


@pytest.mark.parametrize("form", FORMS)
def test_every_form(form: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """On standard output, on standard error and in the file, and the exit status."""
    monkeypatch.setattr(chesstools.cluster, "connected", connected_loop)
    monkeypatch.setattr(validating, "STRETCH_BYTES", 700)
    monkeypatch.setenv("CHESSTOOLS_LANG", "en")
    cli: Cli = command(capsys, "validate")
    (tmp_path / "a.pgn").write_bytes((BAD + GAME) * 30)
    (tmp_path / "b.pgn.gz").write_bytes(gzip.compress(varied(100)))
    (tmp_path / "c.pgn.gz").write_bytes(gzip.compress(varied(100))[:-30])
    sources = [tmp_path / name for name in ("a.pgn", "b.pgn.gz", "c.pgn.gz")]
    for options in (["--severity", "info"], ["--ignore", "P", "--fail-on", "info"], ["--select", "T120", "--also", "A860"]):
        told = []
        for number, where in enumerate(([], ["--cluster", "local"])):
            output = tmp_path / f"{number}"
            run = cli(*sources, "--format", form, *options, "--output", output, *where)
            err = re.sub(r" in [0-9.]+ s.*", "", run.err)
            if where:
                err, count = re.subn(r"\S+b\.pgn\.gz is gzip data that can only be read from its beginning; .*\n", "", err)
                assert count == 1
                err = re.sub(r"\S+c\.pgn\.gz is gzip data that can only .*\n", "", err)
            told.append((run.status, run.out, err, re.sub(rb"\"seconds\": [0-9.]+", b"", output.read_bytes())))
        assert told[0] == told[1]
    for more, status in ([], 1), (["--fail-on", "never"], 0), (["--stretch", "1kB"], 1):
        assert cli(sources[0], "--cluster", "local", "-q", "--format", "csv", *more).status == status
    refused = cli(sources[0], "--stretch", "1kB")
    assert (refused.status, "--stretch is for work on a cluster; add --cluster" in refused.err) == (2, True)


def nobody_reaches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SharedScratch, "is_reached", False)


def little_travels(monkeypatch: pytest.MonkeyPatch) -> None:
    init: Any = travelling.Way.__init__

    def begin(self: travelling.Way, *args: Any) -> None:
        init(self, *args[:2], result_bytes=1)

    monkeypatch.setattr(travelling.Way, "__init__", begin)


def test_small_sources_are_judged_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a large one between them, and some that cannot be read; and alone where they kill their worker together."""
    monkeypatch.setattr(planning, "BATCH_SOURCES", 15)
    small = [Source.from_bytes(BAD * (number % 3), f"{number}") for number in range(40)]
    small[7] = Source("7", 1000, 0, True, path="/nowhere/7.pgn")
    sources = [*small[:20], Source.from_bytes((BAD + GAME) * 60, "large"), *small[20:]]
    wanted = result(validate(sources, also="A860"))
    assert wanted[1].sources[7].error
    for breaks in ("", "0-0-0-with-14"):
        cluster = LoopCluster(1)
        cluster.breaks = breaks
        assert result(validate(sources, also="A860", cluster=cast("Cluster", cluster), stretch_bytes=5_000)) == wanted
        assert sum(not key.startswith("survey") for key in cluster.keys) < 10 + (15 if breaks else 0)
    little_travels(monkeypatch)
    nobody_reaches(monkeypatch)
    monkeypatch.setattr(in_order.in_order, "__kwdefaults__", {**in_order.in_order.__kwdefaults__, "ahead_bytes": 1})
    cluster = LoopCluster(2)  # what was found in one is all that may travel: another task goes on with the next
    assert result(validate(sources, also="A860", cluster=cast("Cluster", cluster), stretch_bytes=5_000)) == wanted
    assert len(cluster.keys) > 30


def test_what_waits_for_its_turn_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """While nothing may wait, no piece is begun before those that run; and what waits comes from the disk unchanged."""
    monkeypatch.setattr(waiting, "MEMORY_BYTES", 0)
    monkeypatch.setattr(waiting.Waiting.__init__, "__defaults__", (0,))
    monkeypatch.setattr(in_order.in_order, "__kwdefaults__", {**in_order.in_order.__kwdefaults__, "ahead_bytes": 1})
    source = Source.from_bytes((BAD + GAME) * 150, "x")
    most = 0
    put = waiting.Waiting.put

    def measured(self: Any, turn: Any, result: Any, size: int) -> None:
        nonlocal most
        put(self, turn, result, size)
        most = max(most, len(self._held))

    monkeypatch.setattr(waiting.Waiting, "put", measured)
    for seed in range(2):
        cluster = loop(seed, at_once=10)
        assert result(validate(source, cluster=cluster, stretch_bytes=500)) == result(validate(source))
        assert len(cast("LoopCluster", cluster).keys) > 50
    assert 2 < most <= 10


def test_a_piece_that_kills_its_workers_is_told_and_the_rest_goes_on() -> None:
    source = Source.from_bytes(BAD * 40, "x")
    cluster = LoopCluster()
    cluster.breaks = "0-1-0"
    validation = validate([source, Source.from_bytes(BAD, "y")], cluster=cast("Cluster", cluster), stretch_bytes=len(BAD) * 10)
    found = Counter((one.finding.where.source, one.finding.code) for one in validation)
    assert found["x", "M303"] == 30
    assert found["y", "M303"] == 1
    assert not validation.ok
    assert validation.summary.sources[0].error == (
        f"x was not judged from byte {len(BAD) * 12} to {len(BAD) * 22}: "
        "every worker that tried it died; give workers more memory."
    )


def test_several_pieces_that_kill_their_workers_are_told_together() -> None:
    """In one sentence, and beside it what is wrong with the source itself."""
    size = len(BAD)
    cluster = LoopCluster()
    cluster.breaks = ("0-1-0", "0-3-0")
    validation = validate(Source.from_bytes(BAD * 40, "x"), cluster=cast("Cluster", cluster), stretch_bytes=size * 10)
    assert sum(one.finding.code == "M303" for one in validation) == 22
    assert validation.summary.sources[0].error == (
        f"x was not judged from byte {size * 12} to {size * 22}, from {size * 32} to its end: "
        "every worker that tried it died; give workers more memory."
    )
    cluster = LoopCluster()
    cluster.breaks = "0-1-0"
    cut_off = Source.from_bytes(b"".join(gzip.compress(varied(100)) for _ in range(5))[:-9], "x")
    validation = validate(cut_off, cluster=cast("Cluster", cluster), stretch_bytes=1_200)
    list(validation)
    assert re.fullmatch(
        r"x was not judged from byte \d+ to \d+: every worker that tried it died; give workers more memory\. "
        r"x ends in the middle of its gzip data; the games up to there were read\.",
        str(validation.summary.sources[0].error),
    )


def test_sources_that_cannot_be_read_to_their_end() -> None:
    data = gzip.compress(BAD * 500) + gzip.compress(GAME * 500)
    sources = [Source.from_bytes(data[:-20], "x"), Source.from_bytes(data + b"garbage behind it", "y")]
    check(sources, 100)
    with pytest.raises(SourceError, match="x ends in the middle of its gzip data; the games up to there were read"):
        list(validate(sources, cluster=loop(), stretch_bytes=100, raise_source_errors=True))


def test_a_file_that_is_not_there_any_more(tmp_path: Path) -> None:
    source = Source(str(tmp_path / "x.pgn"), 1000, 0, True, path=str(tmp_path / "x.pgn"))
    validation = validate([source, Source.from_bytes(BAD, "y")], cluster=loop())
    assert len(list(validation)) > 0
    assert "x.pgn could not be read to its end (No such file" in str(validation.summary.sources[0].error)


def test_standard_input_is_refused() -> None:
    with pytest.raises(OptionError, match="- can be read by this process only; save it as a file that the workers can read, or"):
        validate("-", cluster=loop())


def test_nothing_and_one_game() -> None:
    for name in ("nothing", "one byte", "nothing but braces", "no results"):
        check(Source.from_bytes(HOSTILE[name], "x"), 1)
    check(Source.from_bytes(GAME, "x"), 1 << 20)


@needs_corpus
@pytest.mark.parametrize("name", corpora.ARCHIVES)
def test_archives(name: str) -> None:
    data = corpora.text(name)
    check(Source.from_bytes(data if FULL else data[:150_000], name), 40_000, also="ALL" if FULL else "A860")
