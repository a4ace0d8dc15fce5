"""Parquet that workers wrote together to a store has the rows of one machine, and nothing that a reader could take for a part."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.dataset as pads
import pyarrow.parquet as pq
import pytest
from datasets import sentence
from s3_server import S3
from test_cluster_convert import plain, told
from test_cluster_validate import BAD, loop, varied
from test_plan import GAME

from chesstools import store_place
from chesstools.convert import convert
from chesstools.errors import OptionError, OutputError
from chesstools.folder import LOCK_NAME
from chesstools.source import Source
from chesstools.store_folder import StoreFolder

SOURCES = [Source.from_bytes((BAD + GAME) * 40, "a"), Source.from_bytes(varied(60), "b"), Source.from_bytes(varied(1), "c")]


def rows(s3: S3, path: str) -> pa.Table:
    return plain(pads.dataset(path, filesystem=s3.filesystem).to_table())


@pytest.mark.parametrize("copy_bytes", [store_place.COPY_BYTES, 1000])
def test_the_same_as_one_machine(s3: S3, monkeypatch: pytest.MonkeyPatch, copy_bytes: int) -> None:
    """Also where parts are too large to be copied within the store; and what a run left that was killed is taken away."""
    monkeypatch.setattr(store_place, "COPY_BYTES", copy_bytes)
    bucket = s3.bucket("folders")
    s3.put("folders/.x.parquet.0123456789abcdef.parts/0-0-0.parquet", b"what a killed run left")
    wanted = told(convert(SOURCES, f"{bucket}/one.parquet", table="plies"))
    for stretch_bytes in (900, 3000):  # a folder that stood there before is replaced, also where it had more parts
        conversion = convert(
            SOURCES, f"{bucket}/x.parquet", table="plies", cluster=loop(stretch_bytes), stretch_bytes=stretch_bytes
        )
        assert told(conversion) == wanted
        keys = s3.keys("folders")
        count = len(keys) - 2
        assert count > 2
        names = ["_SUCCESS", *(f"part-{number:06}.parquet" for number in range(count))]
        assert keys == ["one.parquet", *(f"x.parquet/{name}" for name in names)]
        one = plain(pq.read_table("folders/one.parquet", filesystem=s3.filesystem))
        assert rows(s3, "folders/x.parquet").equals(one)


def test_what_is_seen_meanwhile(s3: S3) -> None:
    """What stood there before, up to the end; also where the run is stopped, or another one comes."""
    bucket = s3.bucket("folders")
    target = f"{bucket}/a/x.parquet"
    convert(Source.from_bytes(GAME, "x"), target, cluster=loop())
    before = rows(s3, "folders/a/x.parquet")
    assert before.num_rows == 1
    looks = []

    def look(*_: Any) -> None:
        assert rows(s3, "folders/a/x.parquet").equals(before)
        looks.append(s3.keys("folders"))

    convert(SOURCES, target, cluster=loop(), stretch_bytes=900, progress=look)
    assert [key for key in looks[-1] if key.startswith("a/.x.parquet.")]
    after = rows(s3, "folders/a/x.parquet")

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        convert(SOURCES, target, cluster=loop(), stretch_bytes=900, progress=stop)

    def come(*_: Any) -> None:
        s3.put(f"folders/a/x.parquet/{LOCK_NAME}", b"of another run")

    with pytest.raises(OutputError) as error:
        convert(SOURCES, target, cluster=loop(), stretch_bytes=900, progress=come)
    assert sentence(error) == f"Another run has begun to write to {target}; wait for it to end, or choose another folder."
    assert rows(s3, "folders/a/x.parquet").equals(after)
    assert not [key for key in s3.keys("folders") if "/.x" in key]


def test_a_task_that_comes_late_writes_nothing(s3: S3) -> None:
    bucket = s3.bucket("folders")
    with store_place.complete_in_store(f"{bucket}/x.parquet") as place:
        late = place.parts / "late.parquet"
        late.check()
        note = StoreFolder(f"{bucket}/x.parquet", place.parts.target._note)
        place.commit([])
    assert s3.keys("folders") == ["x.parquet/_SUCCESS"]
    with pytest.raises(Exception, match="Another run has begun"):
        store_place.StorePart(store_place.StoreParts(note, place.parts.folder), "late.parquet").check()


def test_places_that_are_refused(s3: S3) -> None:
    bucket = s3.bucket("folders")
    s3.put("folders/x.parquet/notes.txt", b"private")
    s3.put("folders/one.parquet", b"a file")
    s3.put("folders/y.parquet/a.pgn", GAME)
    for place, refusal in (
        (
            f"{bucket}/x.parquet",
            f"The folder {bucket}/x.parquet holds other files (notes.txt); choose another name, or move them away.",
        ),
        (f"{bucket}/one.parquet", f"{bucket}/one.parquet is a file; give the name of a folder for the table."),
        ("s3://x.parquet", "s3://x.parquet is a bucket; give the name of a folder in it, as in s3://x.parquet/games.parquet."),
    ):
        with pytest.raises(OutputError) as error:
            convert(Source.from_bytes(GAME, "x"), place, cluster=loop())
        assert sentence(error) == refusal
    with pytest.raises(OptionError, match=r"y\.parquet holds one of the sources; give the output another name"):
        convert(f"{bucket}/y.parquet/a.pgn", f"{bucket}/y.parquet", cluster=loop())
    assert s3.keys("folders") == ["one.parquet", "x.parquet/notes.txt", "y.parquet/a.pgn"]
