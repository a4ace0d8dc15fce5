"""Findings that are too much to travel with what else is told of a task, and the scratch folder through which they pass."""

from __future__ import annotations

import errno
import gzip
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest
from command_line import Cli, command
from datasets import sentence
from full_disk import fill_up
from loop_cluster import LoopCluster, connected_loop
from permissions import CAN_BE_TESTED, obeyed
from strategies import in_blocks
from test_cluster_validate import BAD, little_travels, loop, nobody_reaches, result, varied
from test_plan import GAME

import chesstools.cluster
from chesstools import bytestream
from chesstools.cluster import Cluster, Done
from chesstools.cluster.shared_scratch import SharedScratch
from chesstools.cluster.travelling import Judged
from chesstools.errors import ChesstoolsError, DatasetError
from chesstools.plan import packed as packed_text
from chesstools.scratch import scratch_folder
from chesstools.source import BLOCK_BYTES, Source
from chesstools.store_folder import StoreFolder
from chesstools.summary import SourceSummary
from chesstools.validate import validate

MUCH = {
    "plain": (BAD * 3 + GAME) * 2_000,
    "gzip": gzip.compress(BAD * 20_000),
    "UTF-16": ("\ufeff" + BAD.decode() * 20_000).encode("utf-16-le"),
}


@pytest.mark.parametrize("kind", MUCH)
def test_much_that_is_found_passes_through_the_scratch_folder(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One task judges all of it, and nothing stays behind."""
    little_travels(monkeypatch)
    source = Source.from_bytes(MUCH[kind], "x")
    cluster = LoopCluster()
    found = validate(source, cluster=cast("Cluster", cluster), stretch_bytes=1 << 30, scratch=str(tmp_path))
    assert result(found) == result(validate(source))
    assert cluster.keys == ["0-0-0"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", MUCH)
def test_much_that_is_found_travels_in_several_tasks(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where workers do not reach the scratch folder."""
    little_travels(monkeypatch)
    nobody_reaches(monkeypatch)
    source = Source.from_bytes(MUCH[kind], "x")
    cluster = LoopCluster()
    found = validate(source, cluster=cast("Cluster", cluster), stretch_bytes=1 << 30)
    assert result(found) == result(validate(source))
    assert len(cluster.keys) >= 2


def test_what_must_be_read_again_and_again_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A large source that cannot be cut is not unpacked from its beginning for each task."""
    little_travels(monkeypatch)
    nobody_reaches(monkeypatch)
    validation = validate(Source.from_bytes(gzip.compress(varied(20_000)), "x.gz"), cluster=loop(), stretch_bytes=20_000)
    found, summary = result(validation)
    assert re.fullmatch(
        r"x\.gz has more findings than its worker can hand over, and was judged up to line \d+ only; "
        r"name a folder with --scratch that they and this process reach\.",
        str(summary.sources[0].error),
    )
    assert 0 < summary.games < 20_000
    assert summary.findings["M303"] == summary.games == sum(one.finding.code == "M303" for one in found)


@pytest.mark.parametrize("members", [1, 40])
def test_how_often_a_byte_is_unpacked(members: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a source is: once by those who judge, and where it can be cut once by the surveys."""
    little_travels(monkeypatch)
    unpacked = Counter[str]()

    def counted(by: str, unpack: Any) -> Any:
        def count(*args: Any) -> Iterator[bytes]:
            for block in unpack(*args):
                unpacked[by] += len(block)
                yield block

        return count

    monkeypatch.setattr(bytestream, "unpack", counted("judging", bytestream.unpack))
    monkeypatch.setattr(packed_text, "unpack", counted("surveys", packed_text.unpack))
    monkeypatch.setattr(packed_text, "WINDOW_BYTES", 4 << 10)
    monkeypatch.setattr(packed_text, "_STEP_BYTES", 4 << 10)
    for games in (40_000, 160_000):
        text = varied(games)
        data = b"".join(gzip.compress(block, 1) for block in in_blocks(text, -(-len(text) // members)))
        unpacked.clear()
        found = validate(
            Source.from_bytes(data, "x"),
            cluster=cast("Cluster", LoopCluster(does_again=False)),
            stretch_bytes=len(data) // 4,
            scratch=str(tmp_path),
        )
        assert sum(batch.num_rows for batch in found.batches()) == found.summary.findings.total() >= games
        again = 0 if members == 1 else len(text) // members + BLOCK_BYTES  # before a stretch in its member, and behind it
        assert len(text) <= unpacked["judging"] <= len(text) + 5 * again
        surveys = 0 if members == 1 else len(text)
        assert surveys // 2 <= unpacked["surveys"] <= surveys + 5 * again + 100_000  # and a little to see what it is


def test_a_scratch_folder_without_room_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told once, and not for each stretch."""
    little_travels(monkeypatch)

    fill_up(monkeypatch)
    with pytest.raises(
        ChesstoolsError, match=r"cannot be written \(No space left on device\); free some space there, or name anoth"
    ):
        list(validate(Source.from_bytes(BAD * 100, "x"), cluster=loop(), stretch_bytes=500, scratch=str(tmp_path)))
    assert list(tmp_path.iterdir()) == []


def test_a_scratch_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    where = tmp_path / "nowhere"
    with pytest.raises(ChesstoolsError) as raised:
        list(validate(Source.from_bytes(BAD, "x"), cluster=loop(), scratch=str(where)))
    assert sentence(raised) == f"{where} cannot be written (No such file or directory); name another folder with --scratch."


@pytest.mark.skipif(not CAN_BE_TESTED, reason="permissions hold for nobody here")
def test_workers_that_may_not_read_the_scratch_folder_do_not_reach_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of another user: nothing of what they judge is lost."""
    little_travels(monkeypatch)
    done: Any = LoopCluster._done

    def by_another_user(*args: Any) -> Done[Any]:
        tmp_path.chmod(0)
        try:
            with obeyed():
                return cast("Done[Any]", done(*args))
        finally:
            tmp_path.chmod(0o700)

    monkeypatch.setattr(LoopCluster, "_done", by_another_user)
    source = Source.from_bytes(MUCH["plain"], "x")
    cluster = LoopCluster()
    found = validate(source, cluster=cast("Cluster", cluster), stretch_bytes=1 << 30, scratch=str(tmp_path))
    assert result(found) == result(validate(source))
    assert len(cluster.keys) >= 2


class Unreadable(BytesIO):
    def read(self, *_: Any) -> bytes:
        raise OSError(errno.EIO, "Input/output error")


def gone(*_: Any) -> BinaryIO:
    raise FileNotFoundError(errno.ENOENT, "No such file or directory")


@pytest.mark.parametrize(
    ("opened", "why"),
    [
        (gone, "No such file or directory"),
        (lambda data: BytesIO(data[:-300]), "[^.]+"),
        (lambda _: Unreadable(), "Input/output error"),
    ],
    ids=["gone", "cut off", "unreadable"],
)
def test_what_lies_in_the_scratch_folder_cannot_be_read(
    opened: Callable[..., BinaryIO], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    little_travels(monkeypatch)
    monkeypatch.setattr(SharedScratch, "open", lambda self, name: opened((self.folder.path / name).read_bytes()))
    source = Source.from_bytes(BAD * 3_000, "x")
    with pytest.raises(ChesstoolsError) as raised:
        list(validate(source, cluster=loop(), stretch_bytes=1 << 30, scratch=str(tmp_path)))
    advice = "give the command again, or name another folder with --scratch"
    assert re.fullmatch(rf"{tmp_path}/chesstools-\w+ cannot be read \({why}\); {advice}\.", sentence(raised))
    assert list(tmp_path.iterdir()) == []


def test_a_store_says_itself_what_is_to_be_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, where rows are written to it and where they are read."""
    store = SharedScratch(StoreFolder("s3://bucket/scratch"), "p-")
    judged = Judged({"findings": "0-0-0.findings.arrows"}, 5, SourceSummary("x"), 0, scratch=store)

    def refuse(*_: Any) -> BinaryIO:
        raise OSError("When reading: AWS Error NETWORK_CONNECTION during GetObject operation: curlCode: 7")

    monkeypatch.setattr(SharedScratch, "open", refuse)
    told = "s3://bucket/scratch cannot be reached; check the network and the address of the store, and give the command again."
    with pytest.raises(ChesstoolsError) as raised:
        list(judged.steps())
    assert sentence(raised) == told
    assert str(store.unwritable(DatasetError(told))) == told


def test_others_write_to_the_scratch_folder_while_it_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOTEMPTY, "Directory not empty")

    with monkeypatch.context() as patch, scratch_folder(tmp_path) as folder:
        patch.setattr(os, "rmdir", refuse)
    assert folder.exists()


def test_what_a_killed_run_left_beside_its_output_is_hidden_and_cleared(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    little_travels(monkeypatch)
    monkeypatch.setattr(chesstools.cluster, "connected", connected_loop)
    monkeypatch.setenv("CHESSTOOLS_LANG", "en")
    (tmp_path / "in.pgn").write_bytes(BAD * 3_000)
    folder = tmp_path / "out"
    left = folder / ".x.json.0123abcd.parts" / "chesstools-abc"
    left.mkdir(parents=True)
    (left / "0-0-0.findings.arrows").touch()
    (folder / ".x.json.0123abcd.part").touch()
    there: set[str] = set()
    open_it = SharedScratch.open

    def look(self: SharedScratch, name: str) -> BinaryIO:
        there.update(os.listdir(folder))
        return open_it(self, name)

    monkeypatch.setattr(SharedScratch, "open", look)
    cli: Cli = command(capsys, "validate")
    assert cli(tmp_path / "in.pgn", "-o", folder / "x.json", "-q", "--cluster", "local").status == 1
    assert len(there) == 3  # the folder, its file, and what is written
    assert all(re.fullmatch(r"\.x\.json\.[0-9a-f]{8}\.parts?", name) for name in there)
    assert os.listdir(folder) == ["x.json"]
