"""Sources in object stores where something is wrong: what is told, and what is kept."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from in_stores import LOREM, put_games, zipped
from s3_server import S3, Proxy, environment, in_environment, proxied
from sources import GAME, TEXT, read, read_broken

from chesstools import found_object, ranged
from chesstools.errors import SourceError
from chesstools.source import find_sources
from chesstools.stores import filesystems


@pytest.fixture(scope="module")
def games_bucket(s3: S3) -> str:
    return put_games(s3)


@pytest.fixture
def proxy(s3: S3, games_bucket: str) -> Iterator[Proxy]:
    with proxied(s3) as between:
        yield between


@pytest.mark.parametrize("after", [10_000, 500_000])
def test_a_connection_that_drops_is_made_again(proxy: Proxy, after: int) -> None:
    (source,) = find_sources("s3://games/large.pgn")
    proxy.cut(after)
    assert read(source) == LOREM
    assert proxy.cuts == 0


def test_a_store_that_always_breaks_off_is_told_after_what_could_be_read(proxy: Proxy) -> None:
    (source,) = find_sources("s3://games/large.pgn")
    stream = source.open(1000)
    got = next(stream)
    proxy.cut(1, times=1000)
    with pytest.raises(SourceError) as raised:  # noqa: PT012
        for block in stream:
            got += block
    says = (
        "s3://games/large.pgn could not be read to its end (it cannot be reached); the games up to there were read; "
        "check the network and the address of the store, and give the command again."
    )
    assert str(raised.value) == says
    assert LOREM.startswith(got)
    assert len(got) >= ranged.LEAST_BYTES // 1000 * 1000
    assert proxy.cuts > 900, "it is tried without end"


def test_a_store_that_stops_in_the_midst_of_an_answer_is_given_up(
    s3: S3, games_bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else this would not end."""
    monkeypatch.setattr(filesystems, "S3_ATTEMPTS", 1)
    with proxied(s3) as proxy:
        (source,) = find_sources("s3://games/large.pgn")
        proxy.stall_at = proxy.sent + 500_000
        got, says = read_broken(source, 1000)
    assert LOREM.startswith(got)
    assert "s3://games/large.pgn could not be read to its end (it cannot be reached)" in says


def test_an_object_that_has_changed_since_it_was_found(s3: S3) -> None:
    s3.bucket("changing")
    s3.put("changing/a.pgn", TEXT)
    (source,) = find_sources("s3://changing/a.pgn")
    s3.put("changing/a.pgn", TEXT + GAME)
    says = (
        "s3://changing/a.pgn could not be read to its end (it has changed since it was found); the games up to there were read; "
        "give the command again when it is complete."
    )
    assert read_broken(source) == (b"", says)


def test_an_object_that_changes_while_it_is_read(s3: S3, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranged, "LEAST_BYTES", 1000)
    s3.bucket("changing")
    s3.put("changing/a.pgn", TEXT)
    (source,) = find_sources("s3://changing/a.pgn")
    stream = source.open(100)
    got = next(stream)
    s3.put("changing/a.pgn", TEXT.swapcase())
    with pytest.raises(SourceError) as raised:  # noqa: PT012
        for block in stream:
            got += block
    assert TEXT.startswith(got)
    assert "it was changed while it was read" in str(raised.value)


def test_an_answer_that_is_too_short(games_bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (source,) = find_sources("s3://games/all/plain.pgn")
    assert source.object is not None
    file = source.object.open()

    class Short:
        def seek(self, start: int) -> None:
            pass

        def readinto(self, buffer: bytearray) -> int:
            return len(buffer) - 1

    monkeypatch.setattr(file, "_files", [Short()])
    monkeypatch.setattr(file, "_state", "the same")
    with pytest.raises(OSError, match=r"^it came with less than the 42\d+ bytes that were asked for$"):
        file.read(10)


@pytest.mark.parametrize("last", [b"x", bytes([found_object._MARKS[0]])])
@pytest.mark.parametrize("missing", [0, 1, 20])
def test_a_complete_answer_with_less_than_was_asked_for(
    proxy: Proxy, s3: S3, monkeypatch: pytest.MonkeyPatch, missing: int, last: bytes
) -> None:
    """Arrow gives what stood in memory then, in place of what did not come."""
    data = b"y" * 5000 + last
    s3.put("games/short.pgn", data)
    (source,) = find_sources("s3://games/short.pgn")
    proxy.missing = missing
    for read_it in (read, lambda one: one.read_at(1000, 100_000)):
        if not missing:
            assert data.endswith(read_it(source))
        else:
            with pytest.raises(SourceError, match=r"came with less than the [45]001 bytes that were asked for"):
                read_it(source)


@pytest.mark.parametrize(
    ("uri", "says"),
    [
        ("s3://games/none.pgn", "There is no object or folder s3://games/none.pgn; check the name."),
        ("s3://games/none/", "There is no object or folder s3://games/none; check the name."),
        ("s3://no-such-bucket/a.pgn", "s3://no-such-bucket/a.pgn is in a bucket that does not exist; check its name."),
        ("s3://no-such-bucket", "s3://no-such-bucket is in a bucket that does not exist; check its name."),
        ("s3://no-such-bucket/*.pgn", "Nothing that could be read matches s3://no-such-bucket/*.pgn; check the pattern."),
        ("s3://games/no*.pgn", "Nothing that could be read matches s3://games/no*.pgn; check the pattern."),
        (
            "s3://nothing-in",
            "The folder s3://nothing-in holds no PGN files (.pgn, .pgn.zst, .zip and the like); check the path or "
            "name the files.",
        ),
        (
            "s3://games/all/no//such.pgn",
            "s3://games/all/no//such.pgn has two slashes one after the other in its name, which Arrow does not read; "
            "give the object another name.",
        ),
    ],
)
def test_what_is_not_there(s3: S3, games_bucket: str, uri: str, says: str) -> None:
    s3.bucket("nothing-in")
    with pytest.raises(SourceError) as raised:
        find_sources(uri)
    assert str(raised.value) == says


def test_an_archive_without_games_and_one_that_is_cut(s3: S3) -> None:
    s3.bucket("archives")
    s3.put("archives/none.zip", zipped({"a.txt": GAME}))
    s3.put("archives/cut.zip", zipped({"a.pgn": TEXT, "b.pgn": TEXT})[:-30])
    with pytest.raises(SourceError, match=r"^The archive s3://archives/none\.zip holds no PGN files; unpack it"):
        find_sources("s3://archives/none.zip")
    with pytest.raises(SourceError, match=r"^s3://archives/cut\.zip is a damaged zip archive \(.*\); fetch it again\.$"):
        find_sources("s3://archives/cut.zip")


def test_a_server_that_does_not_answer(games_bucket: str) -> None:
    with in_environment(environment("127.0.0.1:1")), pytest.raises(SourceError) as raised:
        find_sources("s3://games/large.pgn")
    says = "cannot be reached; check the network and the address of the store, and give the command again."
    assert str(raised.value) == f"s3://games/large.pgn {says}"
