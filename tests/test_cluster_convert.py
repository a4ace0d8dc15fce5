"""Parquet that workers wrote together has the rows of one machine, and is there as a whole or not at all."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pyarrow.dataset as pads
import pyarrow.parquet as pq
import pytest
from command_line import Cli, command
from datasets import sentence
from hypothesis import given, settings
from hypothesis import strategies as st
from loop_cluster import LoopCluster, connected_loop
from strategies import FULL, archive, as_text
from test_cluster_validate import BAD, loop, varied
from test_plan import GAME
from test_plan_packed import PACK, packed

import chesstools.cluster
from chesstools.cluster import Cluster, converting, parquet_folder, planning
from chesstools.cluster.planning import for_workers
from chesstools.conversion import Conversion
from chesstools.convert import convert
from chesstools.dataset import ingest
from chesstools.errors import OptionError, OutputError
from chesstools.readers import ANY
from chesstools.source import Source, find_sources

KINDS: list[dict[str, Any]] = [
    {},
    {"table": "plies"},
    {"table": "findings"},
    {"table": "tokens"},
    {"table": "tokens", "max_plies": 2},
    {"columns": "lichess"},
]


def told(conversion: Conversion) -> tuple[object, ...]:
    return conversion.games, conversion.left, conversion.errors, conversion.notes, conversion.foreign


def plain(table: pa.Table) -> pa.Table:
    """Without dictionaries, which depend on how the rows are cut."""
    kinds = [field.type.value_type if pa.types.is_dictionary(field.type) else field.type for field in table.schema]
    return table.cast(pa.schema([field.with_type(kind) for field, kind in zip(table.schema, kinds, strict=True)]))


def check(sources: list[Source], folder: Path, stretch_bytes: int, seed: int = 0, **options: Any) -> list[str]:
    """The names of the parts, having looked that they are the whole."""
    options = {"raise_source_errors": False, **options}
    one, many = folder / "one.parquet", folder / "many.parquet"
    wanted = told(convert([replace(source) for source in sources], one, **options))
    assert (
        told(convert([replace(source) for source in sources], many, cluster=loop(seed), stretch_bytes=stretch_bytes, **options))
        == wanted
    )
    names = sorted(os.listdir(many))
    assert names == [f"part-{number:06}.parquet" for number in range(len(names))]
    table = plain(pq.read_table(one))
    assert plain(pa.concat_tables([pq.read_table(many / name) for name in names])).equals(table)
    assert plain(pads.dataset(many).to_table()).equals(table)
    assert pq.read_schema(many / names[0]).equals(pq.read_schema(one), check_metadata=True)
    assert sorted(os.listdir(folder)) == ["many.parquet", "one.parquet"]
    return names


@pytest.mark.parametrize("options", KINDS, ids=str)
def test_every_table(options: dict[str, Any], tmp_path: Path) -> None:
    sources = [
        Source.from_bytes((BAD + GAME) * 40, "a"),
        Source.from_bytes(packed("gzip", varied(300), 2_000) + b"garbage behind it", "b"),
        Source.from_bytes(packed("zstd", varied(300), 2_000)[:-40], "c"),
        Source.from_bytes(b"e2e4 e7e5\nd2d4 d7d5\n" * 30, "d.uci"),
    ]
    assert len(check(sources, tmp_path, 900, **options)) > 10


@settings(max_examples=100 if FULL else 8)
@given(
    st.lists(st.lists(st.one_of(as_text(), archive(), st.just(GAME * 4), st.just(BAD * 3)), max_size=4), min_size=1, max_size=3),
    st.sampled_from([1, 60, 300]),
    st.sampled_from(["", *PACK]),
    st.sampled_from(KINDS),
)
def test_any_bytes(
    tmp_path_factory: pytest.TempPathFactory, sources: list[list[bytes]], stretch_bytes: int, kind: str, options: dict[str, Any]
) -> None:
    texts = [b"".join(parts) for parts in sources]
    data = [packed(kind, text, 150) if kind else text for text in texts]
    named = [Source.from_bytes(one, f"{n}") for n, one in enumerate(data)]
    check(named, tmp_path_factory.mktemp("any"), stretch_bytes, source_format="pgn", **options)


def test_nothing_has_its_columns(tmp_path: Path) -> None:
    assert check([Source.from_bytes(b"", "x")], tmp_path, 100) == ["part-000000.parquet"]


def test_small_sources_are_written_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To one part, in their order; alone where they kill their worker together."""
    monkeypatch.setattr(planning, "BATCH_SOURCES", 20)
    sources = [Source.from_bytes(varied(number % 3), f"{number}") for number in range(30)]
    sources[7] = Source("7", 1000, 0, True, path="/nowhere/7.pgn")
    assert len(check(sources, tmp_path, 1 << 20)) == 2
    assert len(check([Source.from_bytes(b"", f"{number}") for number in range(21)], tmp_path, 1 << 20)) == 1
    cluster = LoopCluster()
    cluster.breaks = "0-0-0-with-19"
    target = tmp_path / "many.parquet"
    conversion = convert(sources, target, cluster=cast("Cluster", cluster), raise_source_errors=False)
    (error,) = conversion.errors
    assert error.startswith("7 could not be read to its end")
    assert len(cluster.keys) == 1 + 20 + 1
    assert pq.read_table(target).num_rows == conversion.games == sum(number % 3 for number in range(30)) - 1


def test_a_dataset(here: Path) -> None:
    """Is found by workers that stand in other folders, and it is told why it is one task."""
    ingest(Source.from_bytes(GAME * 30, "x"), "dataset")
    conversion = convert("dataset", "x.parquet", cluster=loop(), stretch_bytes=100)
    assert conversion.games == 30
    assert conversion.left_whole == ["dataset is no PGN and is read as a whole; convert it to PGN to have it cut."]
    (source,) = for_workers(find_sources(["dataset"], ANY))
    assert source.dataset == str(here / "dataset")


def test_letters_of_another_language(tmp_path: Path) -> None:
    source = Source.from_bytes(b"1. Cf3 Cf6 *\n\n" * 30, "x")
    assert check([source], tmp_path, 50, input_language="es") == ["part-000000.parquet"]


def test_what_stood_there_stays_until_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source.from_bytes((BAD + GAME) * 20, "x")
    target = tmp_path / "x.parquet"
    target.write_bytes(b"old")

    def look(*_: Any) -> None:
        assert target.read_bytes() == b"old"

    convert(source, target, cluster=loop(), stretch_bytes=500, progress=look)
    count = len(os.listdir(target))
    assert count > 3
    convert(Source.from_bytes(GAME, "x"), target, cluster=loop())  # a folder of parts is replaced too
    assert os.listdir(target) == ["part-000000.parquet"]

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        convert(source, target, cluster=loop(), stretch_bytes=500, progress=stop)
    assert os.listdir(tmp_path) == ["x.parquet"]
    assert os.listdir(target) == ["part-000000.parquet"]
    (target / "notes.txt").touch()
    with pytest.raises(OutputError) as raised:
        convert(source, target, cluster=loop())
    assert sentence(raised) == f"The folder {target} holds other files (notes.txt); choose another name, or move them away."


def test_a_place_that_workers_do_not_see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin = converting.whole_part
    monkeypatch.setattr(converting, "whole_part", lambda path: begin(Path("/nowhere", path.name)))
    with pytest.raises(OutputError, match=r"\.parquet cannot be written \(No such file or directory\); choose another place\."):
        convert(Source.from_bytes(GAME, "x"), tmp_path / "x.parquet", cluster=loop())
    assert os.listdir(tmp_path) == []


def test_what_a_run_left_that_was_killed_is_taken_away(tmp_path: Path) -> None:
    (tmp_path / ".x.parquet.0123abcd.part").touch()
    (tmp_path / ".x.parquet.0123abcd.parts").mkdir()
    (tmp_path / ".x.parquet.0123abcd.parts" / "0-0-0.parquet").touch()
    convert(Source.from_bytes(GAME, "x"), tmp_path / "x.parquet", cluster=loop())
    assert os.listdir(tmp_path) == ["x.parquet"]


def test_a_piece_that_kills_its_workers_is_told_and_the_rest_is_there(tmp_path: Path) -> None:
    cluster = LoopCluster()
    cluster.breaks = "0-1-0"
    source = Source.from_bytes(GAME * 40, "x")
    conversion = convert(
        source,
        tmp_path / "x.parquet",
        cluster=cast("Cluster", cluster),
        stretch_bytes=len(GAME) * 10,
        raise_source_errors=False,
    )
    assert conversion.games == pq.read_table(tmp_path / "x.parquet").num_rows == 30
    (error,) = conversion.errors
    assert error.startswith("x was not converted from byte 588 to 1078: every worker that tried it died;")


def test_what_goes_wrong_with_a_source_again_and_again_is_one_sentence(tmp_path: Path) -> None:
    size = len(GAME)
    cluster = LoopCluster()
    cluster.breaks = tuple(f"0-{number}-0" for number in range(1, 7))
    sources = [Source.from_bytes(GAME * 40, "x"), Source.from_bytes(GAME, "y")]
    options: dict[str, Any] = {"stretch_bytes": size * 4, "raise_source_errors": False}
    conversion = convert(sources, tmp_path / "x.parquet", cluster=cast("Cluster", cluster), **options)
    (error,) = conversion.errors
    assert re.fullmatch(
        r"x was not converted from byte \d+ to \d+, from \d+ to \d+, from \d+ to \d+, and in 3 more places: "
        r"every worker that tried it died; give workers more memory\.",
        error,
    )
    file = tmp_path / "x.pgn"
    file.write_bytes(GAME * 40)

    def vanish(*_: int) -> None:
        file.unlink(missing_ok=True)

    conversion = convert(file, tmp_path / "x.parquet", cluster=loop(at_once=1), progress=vanish, **options)
    (error,) = conversion.errors
    assert error.startswith(f"{file} could not be read to its end (No such file or directory)")
    assert error.count("could not be read") == 1


def test_sources_are_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "x.parquet"
    convert(Source.from_bytes(GAME, "x"), target, cluster=loop())
    with pytest.raises(OptionError, match=r"x\.parquet holds one of the sources; give the output another name"):
        convert(target, target, cluster=loop())


def test_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(chesstools.cluster, "connected", connected_loop)
    monkeypatch.setattr(parquet_folder, "STRETCH_BYTES", 700)
    monkeypatch.setenv("CHESSTOOLS_LANG", "en")
    cli: Cli = command(capsys, "convert")
    (tmp_path / "a.pgn.gz").write_bytes(packed("gzip", varied(100), 100_000))
    run = cli(tmp_path / "a.pgn.gz", "-o", tmp_path / "x.parquet", "--cluster", "local")
    assert run.status == 0
    assert "a.pgn.gz is gzip data that can only be read from its beginning; write it with `chesstools convert" in run.err
    assert "100 games converted in" in run.err
    run = cli(tmp_path / "a.pgn.gz", "-o", tmp_path / "x.parquet", "--cluster", "local", "--stretch", "1MB")
    assert (run.status, run.err.count("\n")) == (0, 1)
    run = cli(tmp_path / "a.pgn.gz", "-o", tmp_path / "x.parquet", "--stretch", "1MB")
    assert (run.status, "--stretch is for work on a cluster; add --cluster" in run.err) == (2, True)
    for name, refusal in (
        ("x.uci", "A cluster writes no uci; give a name that ends in .parquet, or leave --cluster out."),
        ("x.dataset", "A cluster writes no dataset; chesstools ingest writes datasets on one, or leave --cluster out."),
    ):
        refused = cli(tmp_path / "a.pgn.gz", "-o", tmp_path / name, "--cluster", "local")
        assert refused.status == 2
        assert refusal in refused.err
