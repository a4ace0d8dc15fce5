"""Archives of several files: each member is a source."""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
from pathlib import Path

import pytest
import xxhash
from sources import GAME, TEXT, make_zip, names, put, read, read_broken, zstd

from chesstools.errors import SourceError
from chesstools.source import find_sources


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_zip_members_are_sources(here: Path, method: int) -> None:
    members = {
        "b.pgn": TEXT,
        "sub/A.PGN": GAME,
        "../../evil.pgn": GAME,
        "c.pgn.gz": gzip.compress(TEXT),
        "d.pgn.zst": zstd(TEXT),
        "empty.pgn": b"",
        "readme.txt": b"no",
        "__MACOSX/._b.pgn": b"no",
        "sub/.hidden.pgn": b"no",
    }
    make_zip("x.ZIP", members, method)
    sources = find_sources(["x.ZIP"])
    assert [source.name for source in sources] == [
        f"x.ZIP/{name}" for name in ["../../evil.pgn", "b.pgn", "c.pgn.gz", "d.pgn.zst", "empty.pgn", "sub/A.PGN"]
    ]
    for block_bytes in (1, 100, 1 << 20):
        assert [read(source, block_bytes) for source in sources] == [GAME, TEXT, TEXT, TEXT, b"", GAME]
    with sources[2].open() as stream:
        assert b"".join(stream) == TEXT
        assert stream.hash() == xxhash.xxh3_128_hexdigest(members["c.pgn.gz"])  # of the member, not of its packed form
        assert stream.stored_bytes_read == sources[2].size
    assert sorted(path.name for path in here.iterdir()) == ["x.ZIP"]  # nothing is unpacked to disk
    assert not (here.parent.parent / "evil.pgn").exists()


def test_zips_in_folders_and_globs(here: Path) -> None:
    Path("d").mkdir()
    make_zip("d/x.zip", {"a.pgn": GAME})
    make_zip("d/other.zip", {"a.txt": GAME})
    put("d/y.pgn")
    assert names("d") == names("d/*") == ["d/x.zip/a.pgn", "d/y.pgn"]


def test_a_zip_is_told_by_its_bytes(here: Path) -> None:
    make_zip("archive", {"a.pgn": GAME})
    put("text.zip")
    prefixed = b"#!/bin/sh\n" + Path("archive").read_bytes()
    put("self-extracting.zip", prefixed)
    assert names("archive", "text.zip", "self-extracting.zip") == ["archive/a.pgn", "text.zip", "self-extracting.zip/a.pgn"]
    assert [read(source) for source in find_sources(["text.zip", "self-extracting.zip"])] == [GAME, GAME]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_members_of_one_name_stay_apart(here: Path) -> None:
    with zipfile.ZipFile("x.zip", "w") as archive:
        archive.writestr("a.pgn", GAME)
        archive.writestr("a.pgn", TEXT)
    sources = find_sources(["x.zip"])
    assert [source.name for source in sources] == ["x.zip/a.pgn", "x.zip/a.pgn#2"]
    assert [read(source) for source in sources] == [GAME, TEXT]


def test_a_zip_without_games(here: Path) -> None:
    make_zip("x.zip", {"a.txt": GAME})
    with pytest.raises(SourceError, match=r"^The archive x.zip holds no PGN files; unpack it and name the files"):
        find_sources(["x.zip"])


def test_an_encrypted_member(here: Path) -> None:
    make_zip("x.zip", {"a.pgn": GAME})
    data = bytearray(Path("x.zip").read_bytes())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    put("x.zip", bytes(data))
    with pytest.raises(SourceError, match=r"^x.zip/a.pgn is encrypted; unpack the archive with its password"):
        find_sources(["x.zip"])


def test_an_unknown_method(here: Path) -> None:
    make_zip("x.zip", {"a.pgn": GAME})
    data = bytearray(Path("x.zip").read_bytes())
    struct.pack_into("<H", data, data.index(b"PK\x01\x02") + 10, 99)
    put("x.zip", bytes(data))
    with pytest.raises(SourceError, match=r"^x.zip/a.pgn is packed in a way that is not supported \(method 99\); unpack"):
        find_sources(["x.zip"])


def test_a_damaged_member(here: Path) -> None:
    make_zip("x.zip", {"a.pgn": TEXT}, zipfile.ZIP_STORED)
    data = Path("x.zip").read_bytes()
    put("x.zip", data.replace(b"Oak Cup 50", b"Oak Cup 5O"))
    got, sentence = read_broken(find_sources("x.zip")[0])
    assert got == TEXT.replace(b"Oak Cup 50", b"Oak Cup 5O")
    assert sentence == "x.zip/a.pgn has damaged zip data (its checksum is wrong); the games up to there were read."


def streamed_zip(members: dict[str, bytes], method: int) -> bytes:
    """A zip that was written to a pipe: sizes and checksums stand behind the members."""

    class Pipe(io.RawIOBase):
        written = b""

        def writable(self) -> bool:
            return True

        def write(self, data: bytes) -> int:  # type: ignore[override]
            self.written += bytes(data)
            return len(data)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return pipe.written


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("streamed", [False, True])
def test_a_cut_zip_gives_what_can_be_read(here: Path, method: int, streamed: bool) -> None:
    members = {"a.pgn": GAME, "z.pgn": TEXT, "readme.txt": b"no games"}
    if streamed:
        whole = streamed_zip(members, method)
    else:
        make_zip("whole.zip", members, method)
        whole = Path("whole.zip").read_bytes()
    put("x.zip", whole)
    assert [read(source) for source in find_sources("x.zip")] == [GAME, TEXT]
    second = whole.index(b"PK\x03\x04", 4)
    third = whole.index(b"PK\x03\x04", second + 4)
    for length, count in [(60, 1), (second - 1, 1), (second, 1), (second + 20, 1), (second + 50, 2), (third - 30, 2), (third, 2)]:
        put("x.zip", whole[:length])
        sources = find_sources("x.zip")
        assert len(sources) == count
        assert all(read(source) == GAME for source in sources[:-1])
        got, sentence = read_broken(sources[-1])
        assert (TEXT if count == 2 else GAME).startswith(got)
        assert sentence == f"{sources[-1].name} ends in the middle of its zip data; the games up to there were read."
    for length in (third + 10, third + 50, len(whole) - 1):  # all games are there, and still it is cut
        put("x.zip", whole[:length])
        sources = find_sources("x.zip")
        assert [read(sources[0]), read_broken(sources[1])[0]] == [GAME, TEXT]


def test_a_zip_cut_in_its_first_bytes(here: Path) -> None:
    make_zip("whole.zip", {"a.pgn": GAME})
    put("x.zip", Path("whole.zip").read_bytes()[:20])
    with pytest.raises(SourceError, match=r"^x.zip is a damaged zip archive \(.*\); fetch it again\.$"):
        find_sources("x.zip")
    put("x.zip", b"")
    assert (
        read_broken(find_sources("x.zip")[0])[1] == "x.zip ends in the middle of its zip data; the games up to there were read."
    )
