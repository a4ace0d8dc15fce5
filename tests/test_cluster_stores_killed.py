"""Whatever is killed or lost while a cluster reads from a store and writes to one: the rows are those of an undisturbed run."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pyarrow.dataset as pads
import pyarrow.parquet as pq
import pytest
from cluster_ingest import command, wait_for
from cluster_stores import STRETCH, Bucket, Killer, dropping, put_archive, watching
from command_line import Cli
from command_line import command as cli_command
from cut_off import cut_off, dies_once
from datasets import POSIX
from s3_server import S3, Proxy, proxied
from strategies import FULL
from test_cluster_convert import plain, told
from test_cluster_killed import Daemons, daemons
from test_cluster_killed import _lives as lives
from test_cluster_validate import result

from chesstools import saving
from chesstools.cluster import Cluster, connected
from chesstools.convert import convert
from chesstools.dataset import Dataset, ingest
from chesstools.errors import ChesstoolsError
from chesstools.validate import validate

pytestmark = POSIX
__all__ = ["daemons"]


@pytest.fixture(scope="module")
def bucket(s3: S3) -> Bucket:
    return put_archive(s3, "killed")


@pytest.fixture(scope="module")
def proxy(s3: S3, bucket: Bucket) -> Iterator[Proxy]:
    """Between the store and all that is started here."""
    with proxied(s3) as between:
        yield between


@pytest.fixture(scope="module")
def joined(proxy: Proxy) -> Iterator[Cluster]:
    import dask

    # A worker that is cut off is left alone: else Dask ends it after some seconds.
    with dask.config.set({"distributed.deploy.lost-worker-timeout": "1h"}), connected("local:2") as cluster:
        yield cluster


def test_every_packing_is_cut_as_it_can_be(bucket: Bucket, cluster: Cluster) -> None:
    """Else the other tests would show less than they seem to."""
    ingest(bucket.sources, f"s3://{bucket.name}/many", cluster=cluster, stretch_bytes=STRETCH)
    bucket.check("many")
    entries = Dataset.open(f"s3://{bucket.name}/many").manifest.sources
    parts = {entry.name.rpartition("/in/")[2]: len(entry.parts) for entry in entries}
    assert parts["a.pgn"] >= 5
    assert parts["b.pgn.zst"] >= 2
    assert parts["d.pgn.gz"] == 2
    assert [parts[name] for name in ("c.zip/large.pgn", "c.zip/small.pgn", "c.zip/none.pgn", "e.pgn.gz", "f.pgn")] == [
        1,
        1,
        0,
        1,
        1,
    ]


@pytest.mark.parametrize("seed", range(12 if FULL else 1))
def test_workers_and_connections(bucket: Bucket, cluster: Cluster, proxy: Proxy, seed: int) -> None:
    """Workers die and connections drop, while somebody reads what is there."""
    place = f"s3://{bucket.name}/killed{seed}"
    chance = random.Random(seed)
    kill = Killer(cluster, chance, [1, *chance.sample(range(2, 10), 2 if FULL else 1)])
    told: list[str] = []
    with watching(bucket, f"killed{seed}"), dropping(proxy, chance.randrange(50_000, 150_000)):
        try:
            ingest(
                bucket.sources,
                place,
                cluster=cluster,
                stretch_bytes=STRETCH,
                progress=kill,
                failed=told.append,
                raise_source_errors=False,
            )
        except ChesstoolsError as error:  # the store was lost more often than it is asked
            told.append(str(error))
    assert kill.killed
    if told:  # what could not be done for a reason that passes is left, and done by the next run
        assert bucket.check_begun(f"killed{seed}").manifest.state == "running"
        ingest(bucket.sources, place, cluster=cluster, stretch_bytes=STRETCH)
    bucket.check(f"killed{seed}")


STOPPING = """
import os, signal, sys
from chesstools import saving
from chesstools.cli.main import main
saving.SAVE_SHARE = 0
save, left = saving.Saver.save, {left}
def saved(saver):
    global left
    left -= 1
    if not left and not {is_saved}:
        os.kill(os.getpid(), signal.SIGSTOP)
    save(saver)
    if not left and {is_saved}:
        os.kill(os.getpid(), signal.SIGSTOP)
saving.Saver.save = saved
sys.exit(main())
"""
"""`chesstools`, which stands still when it writes a manifest for the `left`-th time behind a task, before or behind that."""


@pytest.mark.parametrize("seed", range(6 if FULL else 1))
def test_the_command(bucket: Bucket, proxy: Proxy, seed: int) -> None:
    """It is killed again and again, and each time the same command goes on. What others left is never read, and taken away."""
    name = f"command{seed}"
    chance = random.Random(seed)
    words = ["ingest", *bucket.sources, "-o", f"s3://{bucket.name}/{name}", "--cluster", "local:2", "--stretch", str(STRETCH)]
    games = 0
    for is_saved in (True, bool(seed % 2)) if FULL else (False,):
        code = STOPPING.format(left=chance.randint(2, 4), is_saved=is_saved)
        with subprocess.Popen([sys.executable, "-c", code, *words], start_new_session=True) as process:
            wait_for(lambda pid=process.pid: stands_still(pid), 600)
            process.kill()
        wait_for(lambda pid=process.pid: not lives(pid), 600)
        before = bucket.check_begun(name)
        assert before.manifest.state == "running"
        assert before.summary.games > games
        games = before.summary.games
        digits = before.manifest.job()
        for stray in (f"part-0000000-000099-{digits}", f"part-0000009-000000-{digits}", "part-0000000-000000-00000000"):
            bucket.s3.put(f"{bucket.name}/{name}/plies/{stray}.parquet", b"what a killed run left")
        assert bucket.check_begun(name).summary.games == games
    run = subprocess.run(command(*words), capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    bucket.check(name)


def stands_still(process: int) -> bool:
    import psutil

    return bool(psutil.Process(process).status() == psutil.STATUS_STOPPED)


@pytest.mark.parametrize("seed", range(4 if FULL else 1))
def test_the_scheduler(bucket: Bucket, proxy: Proxy, daemons: Daemons, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """It is killed with its workers, and comes back, while somebody reads what is there."""
    name = f"scheduler{seed}"
    left = iter(range(random.Random(seed).randint(2, 8), -1000, -1))
    monkeypatch.setattr(saving, "SAVE_SHARE", 0)
    lost = threading.Event()

    def lose(stored: int, games: int) -> None:
        if not next(left):
            daemons.kill()
            daemons.start()
            lost.set()

    with watching(bucket, name), connected(daemons.address, patience=600) as cluster:
        ingest(bucket.sources, f"s3://{bucket.name}/{name}", cluster=cluster, stretch_bytes=STRETCH, progress=lose)
    assert lost.is_set()
    bucket.check(name)


@pytest.mark.parametrize(
    ("is_checked", "at_the_end"), [(True, True), *([(False, False), (False, True), (True, False)] if FULL else [])]
)
def test_a_task_that_runs_twice(bucket: Bucket, cluster: Cluster, tmp_path: Path, is_checked: bool, at_the_end: bool) -> None:
    """A worker is cut off when it has all rows of a part, another one does the same part, and then the first one goes on.

    It does so while the run is under way, or when it is over; and before it looks whether the run is its own, or behind that.
    """
    name = f"twice-{is_checked}-{at_the_end}"
    became: list[str] = []

    def go_on(stored: int, games: int) -> None:
        if marks.is_redone and not became and not at_the_end:
            became.append(marks.let_go())

    with watching(bucket, name), cut_off(cluster, tmp_path, "part-0000000-000002-", is_checked=is_checked) as marks:
        ingest(bucket.sources, f"s3://{bucket.name}/{name}", cluster=cluster, stretch_bytes=STRETCH, progress=go_on)
        bucket.check(name)
        if at_the_end:
            before = bucket.objects(name)
            became.append(marks.let_go())
            assert bucket.objects(name) == before
    if at_the_end and not is_checked:
        assert became == [
            f"Another run has begun to write to s3://{bucket.name}/{name}; wait for it to end, or choose another folder."
        ]
    else:
        assert became == ["written"]
    bucket.check(name)


def test_validate(bucket: Bucket, cluster: Cluster, proxy: Proxy) -> None:
    """The findings are those of one machine, in their order, though a worker dies and connections drop."""
    wanted = result(validate(bucket.sources, also="A860"))
    kill = Killer(cluster, random.Random(1), [3])
    with dropping(proxy, 30_000, most=3):
        found = result(validate(bucket.sources, also="A860", cluster=cluster, stretch_bytes=STRETCH, progress=kill))
    assert found == wanted
    assert kill.killed


@pytest.mark.parametrize("table", ["games", *(["plies", "findings", "tokens"] if FULL else [])])
def test_convert(bucket: Bucket, cluster: Cluster, proxy: Proxy, table: str) -> None:
    """The folder in the store has the rows of one machine's file, in their order, and no part of a task that did not end."""
    one, many = f"{table}.parquet", f"{table}-many.parquet"
    wanted = told(convert(bucket.sources, f"s3://{bucket.name}/{one}", table=table))
    kill = Killer(cluster, random.Random(2), [3, 7] if FULL else [3])
    with dropping(proxy, 30_000, most=3):
        conversion = convert(
            bucket.sources, f"s3://{bucket.name}/{many}", table=table, cluster=cluster, stretch_bytes=STRETCH, progress=kill
        )
    assert told(conversion) == wanted
    assert kill.killed
    store = bucket.s3.filesystem
    names = [key.removeprefix(f"{many}/") for key in bucket.s3.keys(bucket.name) if many in key]
    assert names == ["_SUCCESS", *(f"part-{number:06}.parquet" for number in range(len(names) - 1))]
    assert len(names) > 8
    rows = plain(pads.dataset(f"{bucket.name}/{many}", filesystem=store).to_table())
    assert rows.equals(plain(pq.read_table(f"{bucket.name}/{one}", filesystem=store)))


def test_stats(bucket: Bucket, cluster: Cluster, proxy: Proxy, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Dataset, tables and what workers pass on to each other stand in the store, one dies, and the tables are the same."""
    place = f"s3://{bucket.name}"
    ingest(bucket.sources, f"{place}/parts", part_games=80)
    names = "players,king_squares,findings_by_year"
    cli: Cli = cli_command(capsys, "stats")
    assert cli(f"{place}/parts", "-o", f"{place}/tables/one", "--tables", names, "--unique").status == 0
    address = cluster.client.scheduler_info()["address"]
    scratch = ["--cluster", address, "--scratch", f"{place}/scratch"]
    with dies_once(cluster, tmp_path), dropping(proxy, 50_000, most=3):
        run = cli(f"{place}/parts", "-o", f"{place}/tables/many", "--tables", names, "--unique", *scratch)
    assert run.status == 0, run.err
    keys = bucket.s3.keys(bucket.name)
    one, many = ([key for key in keys if key.startswith(f"tables/{name}/")] for name in ("one", "many"))
    assert [key.replace("many", "one") for key in many] == one
    for key, other in zip(one, many, strict=True):
        if key.endswith(".parquet"):
            table, same = (pq.read_table(f"{bucket.name}/{name}", filesystem=bucket.s3.filesystem) for name in (key, other))
            assert same.equals(table, check_metadata=True), key
    assert not [key for key in keys if key.startswith("scratch")]
