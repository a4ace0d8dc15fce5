"""What is written to a store that is slow, or that fails: memory stays bounded, and nothing is fetched or left in vain."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from datasets import pgn
from s3_server import S3, proxied

from chesstools.damage import reading
from chesstools.dataset import Dataset, ingest
from chesstools.errors import DatasetError, OutputError
from chesstools.folder import folder_at
from chesstools.source import Source
from chesstools.store_folder import StoreFolder
from chesstools.store_object import Upload
from chesstools.table_folder import TableFolder

MB = 1 << 20


def test_who_writes_waits_for_a_slow_store(s3: S3) -> None:
    """What the store has not taken is not piled up in memory."""
    s3.bucket("slow")
    data = bytes(MB)
    goes_on = threading.Event()
    written: list[int] = []
    with proxied(s3) as proxy:
        hear = proxy.hear

        def waits(request: bytes) -> None:
            if request.startswith(b"PUT"):
                goes_on.wait(30)
            hear(request)

        proxy.hear = waits  # type: ignore[method-assign]
        upload = Upload("s3://slow/a.bin")

        def write() -> None:
            for _ in range(50):
                upload.write(data)
                written.append(MB)
            upload.commit()

        writing = threading.Thread(target=write)
        writing.start()
        try:
            time.sleep(2)
            assert MB <= sum(written) <= 24 * MB
        finally:
            goes_on.set()
            writing.join()
    assert s3.filesystem.get_file_info("slow/a.bin").size == 50 * MB


@pytest.fixture
def two(s3: S3) -> list[Dataset]:
    """Two datasets in a store, of some row groups each."""
    s3.bucket("asked")
    for name in ("one", "two"):
        ingest(Source.from_bytes(pgn(0, 30).encode()), f"s3://asked/{name}", part_games=3)
    return [Dataset.open(f"s3://asked/{name}") for name in ("one", "two")]


def test_a_request_that_fails_fetches_nothing_more(s3: S3, two: list[Dataset]) -> None:
    lost = OSError(
        "When reading information for key 'two/games/part-000000.parquet' in bucket 'asked': AWS Error NETWORK_CONNECTION "
        "during HeadObject operation: curlCode: 56"
    )
    with proxied(s3) as proxy:
        with pytest.raises(DatasetError) as raised, reading(two):
            raise lost
        assert proxy.asked == []
    assert str(raised.value).startswith("s3://asked/two cannot be reached; check the network")


def test_of_damage_only_sizes_and_footers_are_looked_at(s3: S3, two: list[Dataset]) -> None:
    size = sum(sum(part.bytes.values()) for dataset in two for part in dataset.manifest.parts)
    with proxied(s3) as proxy:
        with pytest.raises(DatasetError, match=r"^s3://asked/one cannot be used \(Corrupt data\)"), reading(two):
            raise OSError("Corrupt data")
        gets = [one for one in proxy.asked if one[0] == "GET" and "parquet" in one[1]]
        assert len(gets) <= sum(len(dataset.manifest.parts) for dataset in two) * 3
        assert proxy.fetched <= size


def test_a_store_that_fails_is_no_folder_without_tables(s3: S3, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the tables that were there before would stay beside the new ones."""
    s3.bucket("asked")
    tables = TableFolder(folder_at("s3://asked/tables"), "statistics")
    tables.start(["old.parquet"])
    read = StoreFolder.read

    def fails(folder: StoreFolder, name: str) -> bytes | None:
        if name == "_statistics.json":
            raise DatasetError("s3://asked/tables cannot be reached; check the network.")
        return read(folder, name)

    with monkeypatch.context() as broken:
        broken.setattr(StoreFolder, "read", fails)
        with pytest.raises(OutputError, match="cannot be reached"):
            tables.finish(["new.parquet"], {})
    assert tables._listed() == ["old.parquet"]


def test_a_list_that_says_nothing_is_none(here: Path) -> None:
    Path("tables").mkdir()
    Path("tables/_statistics.json").write_bytes(b"{")
    assert TableFolder(folder_at("tables"), "statistics")._listed() is None
