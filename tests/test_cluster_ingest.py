"""`ingest` on a cluster makes the dataset that one machine makes, whatever the sources are and wherever they are cut."""

from __future__ import annotations

import bz2
import gzip
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import corpora
import pytest
import zstandard
from cluster_ingest import check_same, tables, write_archive
from command_line import Cli, command
from corpora import needs_corpus
from datasets import Stop, manifest, pgn, sentence
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import FULL, archive, as_text

from chesstools.cluster import Cluster, connected
from chesstools.dataset import Dataset, ingest
from chesstools.errors import DatasetError, OptionError, SourceError
from chesstools.source import Source, find_sources

GAME = b'[Event "a"]\n[Site "b"]\n\n1. e4 e5 {one} 2. Nf3 *\n\n'


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with connected("local:2") as joined:
        yield joined


def both(sources: list[Source], place: Path, cluster: Cluster, stretch_bytes: int, **options: object) -> list[str]:
    """The same sources on the cluster and without it; returns why they were not cut."""
    for name in ("one", "many"):
        shutil.rmtree(place / name, ignore_errors=True)
    ingest(sources, place / "one", raise_source_errors=False, **options)  # type: ignore[arg-type]
    summary = ingest(
        sources,
        place / "many",
        raise_source_errors=False,
        cluster=cluster,
        stretch_bytes=stretch_bytes,
        **options,  # type: ignore[arg-type]
    )
    check_same(place / "many", place / "one")
    return summary.whole


@settings(max_examples=100 if FULL else 8, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    st.lists(st.lists(st.one_of(as_text(), archive(), st.just(GAME * 9)), max_size=4), min_size=1, max_size=3),
    st.sampled_from([50, 150, 400, 1000]),
)
def test_any_sources_and_any_size(tmp_path: Path, cluster: Cluster, texts: list[list[bytes]], stretch_bytes: int) -> None:
    sources = [Source.from_bytes(b"".join(parts), f"{number}.pgn") for number, parts in enumerate(texts)]
    both(sources, tmp_path, cluster, stretch_bytes)


@needs_corpus
def test_archives(here: Path, cluster: Cluster) -> None:
    for name in corpora.ARCHIVES:
        Path(f"{name}.pgn").write_bytes(corpora.text(name)[: None if FULL else 150_000])
    sources = find_sources(["."])
    assert both(sources, here, cluster, 200_000 if FULL else 40_000, also="A860") == []
    assert len(Dataset.open("many").manifest.parts) > 20
    if FULL:
        both(sources, here, cluster, 64 << 20, also="A860")


def test_all_kinds_of_files(here: Path, cluster: Cluster) -> None:
    """Cut, and not cut, and many together; with games that stand twice."""
    text = b"".join(bytes(pgn(n, n + 50), "utf-8") + GAME * 10 for n in range(0, 200, 50))
    frames = b"".join(zstandard.compress(text[at : at + 1000]) for at in range(0, len(text), 1000))
    Path("a.pgn").write_bytes(text)
    Path("b.pgn.zst").write_bytes(frames)
    Path("c.pgn.gz").write_bytes(gzip.compress(text))
    Path("d.pgn.bz2").write_bytes(b"".join(bz2.compress(text[at : at + 3000]) for at in range(0, len(text), 3000)))
    for number in range(20):
        Path(f"e{number:02}.pgn").write_text(pgn(number, number + 3) if number % 5 else "")
    why = both(find_sources(["."]), here, cluster, 300, also="A860", tables=["games", "findings"])
    (whole,) = why
    assert whole.startswith("./c.pgn.gz is gzip data that can only be read from its beginning; write it with")
    document = manifest("many")
    assert document["options"] == {"stretch_bytes": 300}
    parts = {entry["name"]: len(entry["parts"]) for entry in document["sources"]}
    assert parts["./a.pgn"] > 20
    assert parts["./b.pgn.zst"] > 3
    assert parts["./e00.pgn"] == 0
    hashes = {entry["name"]: entry["hash"] for entry in document["sources"]}
    assert hashes["./a.pgn"] is None
    assert hashes["./e01.pgn"] is not None


def test_nothing_in_it(here: Path, cluster: Cluster) -> None:
    both([Source.from_bytes(b"", "a.pgn")], here, cluster, 100)
    assert tables("many")["games"].num_rows == 0


def test_what_cannot_be_read_is_told_and_the_rest_goes_on(here: Path, cluster: Cluster) -> None:
    text = pgn(0, 400).encode()
    frames = [zstandard.compress(text[at : at + 2000]) for at in range(0, len(text), 2000)]
    Path("a.pgn.zst").write_bytes(b"".join(frames)[:-20])
    Path("b.pgn.zst").write_bytes(b"".join([*frames[:4], frames[4][:30] + b"\xff" * 9 + frames[4][39:], *frames[5:]]))
    Path("c.pgn.gz").write_bytes(gzip.compress(text)[:-9])
    Path("d.pgn").write_text(pgn(400, 500))
    sources = find_sources(["."])
    told: list[str] = []
    both(sources, here, cluster, 500)
    summary = ingest(sources, "again", raise_source_errors=False, cluster=cluster, stretch_bytes=10_000, failed=told.append)
    errors = [source.error or "" for source in summary.sources]
    assert re.match(r"\./a\.pgn\.zst ends in the middle", errors[0])
    assert errors[3] == ""
    assert sorted(told) == sorted(filter(None, errors))
    with pytest.raises(
        SourceError, match=r"^\./a\.pgn\.zst ends in the middle .*; 2 more sources could not be read to the end\."
    ):
        ingest(sources, "again", overwrite=True, cluster=cluster, stretch_bytes=10_000)


def test_a_stretch_that_vanishes_is_left_for_another_run(here: Path, cluster: Cluster) -> None:
    write_archive(Path("a.pgn"))
    Path("b.pgn").write_text(pgn(0, 10))
    sources = find_sources(["a.pgn", "b.pgn"])
    ingest(sources, "one")
    stops = iter([True])

    def hide(stored: int, games: int) -> None:
        if next(stops, False):
            Path("a.pgn").rename("hidden")

    told: list[str] = []
    summary = ingest(
        sources, "many", cluster=cluster, stretch_bytes=20_000, progress=hide, failed=told.append, raise_source_errors=False
    )
    assert manifest("many")["state"] == "running"
    assert told
    assert summary.sources[0].error in told
    assert summary.sources[1].error is None
    assert Dataset.open("many").summary.sources[1].games == 10
    Path("hidden").rename("a.pgn")
    ingest(sources, "many", cluster=cluster, stretch_bytes=20_000)
    check_same("many", "one")


def test_a_stopped_run_goes_on_where_it_was(here: Path, cluster: Cluster) -> None:
    write_archive(Path("a.pgn"))
    Path("b.pgn").write_text(pgn(0, 10))
    ingest(["a.pgn", "b.pgn"], "one")
    calls = iter(range(100))

    def stop(stored: int, games: int) -> None:
        if next(calls) == 5:
            raise Stop

    with pytest.raises(Stop):
        ingest(["a.pgn", "b.pgn"], "many", cluster=cluster, stretch_bytes=30_000, progress=stop)
    document = manifest("many")
    assert document["state"] == "running"
    parts = {part["name"] for source in document["sources"] for part in source["parts"]}
    assert len(parts) == 6  # the small source may be among them
    dataset = Dataset.open("many")
    indexes = dataset.to_pandas("games")["game_index"].tolist()
    assert indexes == sorted(indexes)
    assert len(indexes) == dataset.summary.games
    times = {path: path.stat().st_mtime_ns for path in Path("many/games").iterdir()}
    told: list[int] = []
    ingest(["a.pgn", "b.pgn"], "many", cluster=cluster, stretch_bytes=30_000, progress=lambda stored, games: told.append(games))
    assert told[0] > dataset.summary.games
    kept = [path for path in times if path.name in parts]
    assert len(kept) == 6
    assert all(path.stat().st_mtime_ns == times[path] for path in kept)
    check_same("many", "one")


def test_an_unfinished_dataset_of_another_kind(here: Path, cluster: Cluster) -> None:
    Path("a.pgn").write_text(pgn(0, 300))

    def stop(stored: int, games: int) -> None:
        raise Stop

    with pytest.raises(Stop):
        ingest("a.pgn", "one", progress=stop, part_games=10)
    with pytest.raises(DatasetError, match="that was begun without a cluster; leave out --cluster to go on with it") as error:
        ingest("a.pgn", "one", cluster=cluster)
    sentence(error)
    with pytest.raises(Stop):
        ingest("a.pgn", "many", progress=stop, cluster=cluster, stretch_bytes=1000)
    with pytest.raises(
        DatasetError, match=r"begun on a cluster; add --cluster to go on with it \(--cluster local is this machine\)"
    ):
        ingest("a.pgn", "many")
    with pytest.raises(DatasetError, match="made with stretch_bytes 1000, not 900; give --overwrite"):
        ingest("a.pgn", "many", cluster=cluster, stretch_bytes=900)
    Path("a.pgn").write_text(pgn(0, 301))
    with pytest.raises(DatasetError, match=r"before a\.pgn changed; give --overwrite"):
        ingest("a.pgn", "many", cluster=cluster, stretch_bytes=1000)
    with pytest.raises(OptionError, match="stretch_bytes must be 1 or more"):
        ingest("a.pgn", "many", cluster=cluster, stretch_bytes=0)
    with pytest.raises(SourceError, match=r"^- can be read only once, and not by other machines; save it"):
        ingest("-", "many", cluster=cluster)


def test_the_command(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli: Cli = command(capsys)
    Path("a.pgn").write_text(pgn(0, 300))
    Path("b.pgn.gz").write_bytes(gzip.compress(pgn(0, 3).encode())[:-6])
    Path("c.pgn.zst").write_bytes(zstandard.compress(pgn(0, 2000).encode()))
    run = cli("ingest", ".", "-o", "out", "--cluster", "local:1", "--stretch", "2kB")
    assert run.status == 2
    assert run.err.count("./b.pgn.gz ends in the middle") == 1
    assert "./c.pgn.zst is zstd data that can only be read from its beginning; write it with" in run.err
    assert run.out.startswith("2,303 games, ")
    assert manifest("out")["state"] == "complete"
    run = cli("ingest", "a.pgn", "-o", "out2", "--stretch", "2kB")
    assert (run.status, run.err) == (
        2,
        "chesstools: --stretch is for work on a cluster; add --cluster; see 'chesstools ingest --help'.\n",
    )
    for wrong in ("0", "2 miles", "-1"):
        run = cli("ingest", "a.pgn", "-o", "out2", "--cluster", "local", "--stretch", wrong)
        assert run.status == 2
        assert "give a number of bytes, as in 64MB" in run.err
    run = cli("ingest", "a.pgn", "-o", "out2", "--cluster", "local", "--stretch", "10")
    assert "'10' is too little, as each stretch is a task; give 1kB or more, as in 64MB" in run.err


def test_the_stretch_that_help_names_is_the_default() -> None:
    """So a run that was begun without --stretch goes on with it."""
    from chesstools.cli.options import size
    from chesstools.dataset import STRETCH_BYTES

    assert size(None, None, "64MB") == STRETCH_BYTES  # type: ignore[arg-type]
