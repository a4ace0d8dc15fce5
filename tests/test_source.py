"""Sources: what is found, what comes out of it, and what is said when it does not."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import permissions
import pytest
import xxhash
from sources import GAME, TEXT, names, put, read, read_broken

from chesstools.errors import OptionError, SourceError
from chesstools.source import Source, find_sources

# --- what is found -----------------------------------------------------------------------------------------------------


def test_a_file_has_its_name_size_and_time(here: Path) -> None:
    file = put("games/a.pgn")
    (source,) = find_sources(["games/a.pgn"])
    assert (source.name, source.size, source.resumable) == ("games/a.pgn", len(GAME), True)
    assert source.mtime_ns == file.stat().st_mtime_ns
    assert read(source) == GAME


def test_names_are_as_given(here: Path) -> None:
    put("games/a.pgn")
    assert names("./games/a.pgn") == ["./games/a.pgn"]
    assert names(Path("games")) == ["games/a.pgn"]
    assert names("games/") == ["games/a.pgn"]
    assert names(here / "games") == [f"{here.as_posix()}/games/a.pgn"]


def test_one_argument_needs_no_list(here: Path) -> None:
    put("a.pgn")
    assert [source.name for source in find_sources("a.pgn")] == ["a.pgn"]
    assert [source.name for source in find_sources(Path("a.pgn"))] == ["a.pgn"]


def test_a_name_without_pgn_is_read_when_it_is_given(here: Path) -> None:
    put("games.txt")
    put("noname")
    assert names("games.txt", "noname") == ["games.txt", "noname"]


def test_a_folder_is_searched_to_its_depths_and_sorted(here: Path) -> None:
    for name in ["d/b.pgn", "d/a/z.PGN", "d/c.pgn.gz", "d/e.pgn.bz2", "d/f.Pgn.Xz", "d/g.pgn.zst", "d/readme.txt", "d/h.pgn.txt"]:
        put(name)
    for name in ["d/.hidden.pgn", "d/.git/x.pgn", "d/._a.pgn"]:
        put(name)
    assert names("d") == ["d/a/z.PGN", "d/b.pgn", "d/c.pgn.gz", "d/e.pgn.bz2", "d/f.Pgn.Xz", "d/g.pgn.zst"]


def test_globs(here: Path) -> None:
    for name in ["d/a.pgn", "d/b.pgn", "d/x/c.pgn", "d/x/notes.txt", "e.txt"]:
        put(name)
    assert names("d/*.pgn") == ["d/a.pgn", "d/b.pgn"]
    assert names("d/[b]*") == ["d/b.pgn"]
    assert names("d/**/*.pgn") == ["d/a.pgn", "d/b.pgn", "d/x/c.pgn"]
    assert names("d/**") == ["d/a.pgn", "d/b.pgn", "d/x/c.pgn"]  # finds what a folder would
    assert names("d/x/*.txt", "*.txt") == ["d/x/notes.txt", "e.txt"]  # a pattern with a dot names files
    assert names("?") == ["d/a.pgn", "d/b.pgn", "d/x/c.pgn"]


def test_a_file_with_signs_of_a_glob_in_its_name_is_that_file(here: Path) -> None:
    put("a[1].pgn")
    put("a1.pgn")
    assert names("a[1].pgn") == ["a[1].pgn"]


def test_what_is_named_twice_is_read_once(here: Path) -> None:
    put("d/a.pgn")
    put("d/b.pgn")
    Path("link.pgn").symlink_to("d/a.pgn")
    assert names("d/b.pgn", "d", "./d/a.pgn", "link.pgn", "d/*.pgn", "-", "-") == ["d/b.pgn", "d/a.pgn", "-"]


def test_a_link_in_a_circle_is_not_followed(here: Path) -> None:
    put("d/a.pgn")
    Path("d/again").symlink_to("../d", target_is_directory=True)
    assert names("d") == ["d/a.pgn"]


def test_a_name_that_is_no_text_becomes_one(here: Path) -> None:
    try:
        Path(os.fsdecode(b"caf\xe9.pgn")).write_bytes(GAME)
    except OSError:
        pytest.skip("the file system takes only UTF-8")
    (source,) = find_sources(".")
    assert source.name == "./caf\\xe9.pgn"
    assert read(source) == GAME


def test_sources_pass_through() -> None:
    source = Source.from_bytes(GAME, "mine")
    assert find_sources([source, source]) == [source]
    assert find_sources(source) == [source]
    assert read(source) == read(source) == GAME


@pytest.mark.parametrize(
    ("arg", "sentence"),
    [
        ("missing.pgn", "There is no file or folder missing.pgn; check the path."),
        ("", "A source has an empty name; name a file, a folder, a glob, or - for standard input."),
        ("d/missing/x.pgn", "There is no file or folder d/missing/x.pgn; check the path."),
        ("d/readme.txt/x.pgn", "There is no file or folder d/readme.txt/x.pgn; check the path."),
        ("*.zst", "Nothing that could be read matches *.zst; check the pattern."),
        ("d/*", "Nothing that could be read matches d/*; check the pattern."),
        (
            "d",
            "The folder d holds no PGN files (.pgn, .pgn.zst, .zip and the like); check the path or name the files.",
        ),
        ("a\0b", "a\\x00b cannot be read (embedded null byte); check the name and its permissions."),
    ],
)
def test_what_cannot_be_found(here: Path, arg: str, sentence: str) -> None:
    put("d/readme.txt")
    with pytest.raises(SourceError) as raised:
        find_sources([arg])
    assert str(raised.value) == sentence


def test_dangling_links_are_named(here: Path) -> None:
    Path("d").mkdir()
    Path("d/a.pgn").symlink_to("gone.pgn")
    for arg in ("d", "d/*.pgn"):
        with pytest.raises(SourceError, match=r"^d/a.pgn is a link to a file that does not exist; "):
            find_sources([arg])


def test_no_arguments_is_an_error() -> None:
    with pytest.raises(OptionError, match=r"^Name at least one source: "):
        find_sources([])


@pytest.mark.skipif(not permissions.CAN_BE_TESTED, reason="root may read everything")
@pytest.mark.parametrize("arg", ["d/a.pgn", "d"])
def test_permissions(here: Path, arg: str) -> None:
    put("d/a.pgn").chmod(0)
    sentence = r"^d/a.pgn cannot be read \(Permission denied\); check the name and its permissions\.$"
    with permissions.obeyed(), pytest.raises(SourceError, match=sentence):
        find_sources([arg])


def test_an_unreadable_file_is_told_at_once(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put("a.pgn")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", "a.pgn")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(SourceError, match=r"^a.pgn cannot be read \(Permission denied\); check the name and its permissions\.$"):
        find_sources(["a.pgn"])


def test_a_file_that_goes_away_before_it_is_read(here: Path) -> None:
    file = put("a.pgn")
    (source,) = find_sources(["a.pgn"])
    file.unlink()
    assert read_broken(source) == (
        b"",
        "a.pgn could not be read to its end (No such file or directory); the games up to there were read.",
    )


def test_block_bytes_must_be_positive() -> None:
    with pytest.raises(OptionError, match="block_bytes must be 1 or more, not 0"):
        Source.from_bytes(GAME).open(0)


# --- blocks, progress, hash -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("block_bytes", [1, 7, 100, 1 << 20])
def test_blocks_progress_and_hash(block_bytes: int) -> None:
    for stored in (TEXT, gzip.compress(TEXT) + b"\0" * 50):
        with Source.from_bytes(stored).open(block_bytes) as stream:
            assert (stream.stored_bytes_read, stream.hash()) == (0, None)
            blocks = list(stream)
            assert stream.stored_bytes_read == len(stored)
            assert stream.hash() == xxhash.xxh3_128_hexdigest(stored)
        assert b"".join(blocks) == TEXT
        assert {len(block) for block in blocks[:-1]} <= {block_bytes}
        assert 0 < len(blocks[-1]) <= block_bytes


def test_progress_goes_on_while_reading(here: Path) -> None:
    put("a.pgn", TEXT)
    with find_sources("a.pgn")[0].open(1000) as stream:
        next(stream)
        assert stream.stored_bytes_read == 1000
        assert stream.hash() is None


def test_an_empty_source_has_no_blocks(here: Path) -> None:
    put("a.pgn", b"")
    with find_sources("a.pgn")[0].open() as stream:
        assert list(stream) == []
        assert stream.hash() == xxhash.xxh3_128_hexdigest(b"")


@pytest.mark.parametrize("end", ["read to the end", "close", "drop", "error"])
def test_files_are_closed(here: Path, end: str) -> None:
    put("a.pgn.gz", gzip.compress(TEXT)[:-10] if end == "error" else gzip.compress(TEXT))
    stream = find_sources("a.pgn.gz")[0].open(10)
    next(stream)
    descriptors = Path("/proc/self/fd")
    if not descriptors.exists():
        pytest.skip("needs /proc")

    def is_open() -> bool:
        return any(os.path.realpath(link).endswith("a.pgn.gz") for link in descriptors.iterdir())

    assert is_open()
    if end == "read to the end":
        assert list(stream)
    elif end == "close":
        stream.close()
    elif end == "error":
        with pytest.raises(SourceError):
            list(stream)
    else:
        del stream
    assert not is_open()
