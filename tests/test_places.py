"""Files that appear when they are complete: what stood there before, links, modes, and what runs that were killed left behind."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import Cli
from datasets import POSIX

from chesstools.convert import convert
from chesstools.errors import OutputError
from chesstools.places import Places, complete
from chesstools.source import Source

GAME = b"1. e4 e5 *\n"

WRITER = """
import sys, time
from pathlib import Path
from chesstools.places import complete
with complete(Path(sys.argv[1])) as place:
    place.write_text("half")
    print(place.name, flush=True)
    sys.stdin.read()
"""


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_what_stood_there_stays_until_all_is_written(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")

    def fail() -> None:
        with complete(file) as place:
            place.write_text("new")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert (file.read_text(), names(tmp_path)) == ("old", ["a.txt"])
    with complete(file) as place:
        place.write_text("new")
        assert file.read_text() == "old"
    assert (file.read_text(), names(tmp_path)) == ("new", ["a.txt"])


def test_folders_are_made_where_that_is_wanted(tmp_path: Path) -> None:
    file = tmp_path / "b" / "a.txt"
    with pytest.raises(OutputError, match=r"a\.txt cannot be written \(No such file or directory\); choose another place\."):
        Places().part(file)
    places = Places()
    places.part(file, folders=True).write_text("x")
    places.commit()
    assert file.read_text() == "x"


def test_several_files_come_into_their_places_together(tmp_path: Path) -> None:
    places = Places()
    for name in "abc":
        places.part(tmp_path / name).write_text(name)
    places.drop(tmp_path / "b")
    assert not {"a", "b", "c"} & set(names(tmp_path))
    places.commit()
    assert names(tmp_path) == ["a", "c"]


@POSIX
def test_link_stays_a_link_and_the_mode_stays(tmp_path: Path) -> None:
    file, link = tmp_path / "a.pgn", tmp_path / "link.pgn"
    file.write_bytes(b"old")
    file.chmod(0o640)
    link.symlink_to(file)
    convert(Source.from_bytes(GAME), str(link))
    assert link.is_symlink()
    assert b"1. e4 e5 *" in file.read_bytes()
    assert file.stat().st_mode & 0o777 == 0o640
    assert names(tmp_path) == ["a.pgn", "link.pgn"]


@POSIX
def test_link_to_nothing_becomes_one_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    link = tmp_path / "link.txt"
    link.symlink_to(Path("b", "a.txt"))
    with complete(link) as place:
        place.write_text("x")
    assert (link.is_symlink(), (tmp_path / "b" / "a.txt").read_text(), names(tmp_path / "b")) == (True, "x", ["a.txt"])


@POSIX
@pytest.mark.parametrize(
    "args",
    [
        ("convert", "{dir}/game.pgn", "--to", "pgn", "-o", "{dir}/link"),
        ("convert", "{dir}/game.pgn", "--to", "fen", "-o", "{dir}/link"),
        ("validate", "{dir}/game.pgn", "-o", "{dir}/link"),
        ("validate", "{dir}/game.pgn", "--format", "parquet", "-o", "{dir}/link"),
        ("fen", "normalise", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "-o", "{dir}/link"),
        ("fen", "render", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "--format", "svg", "-o", "{dir}/link"),
        ("fix", "{dir}/game.pgn", "-o", "{dir}/link"),
    ],
    ids=lambda args: " ".join(args[:5]),
)
def test_commands_write_through_links_and_keep_modes(args: tuple[str, ...], cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "game.pgn").write_bytes(GAME)
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("old")
    file.chmod(0o604)
    link.symlink_to("file")
    run = cli(*(arg.format(dir=tmp_path) for arg in args))
    assert run.status in (0, 1), run.err
    assert link.is_symlink()
    assert file.read_bytes() != b"old"
    assert file.stat().st_mode & 0o777 == 0o604
    assert names(tmp_path) == ["file", "game.pgn", "link"]


@POSIX
def test_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    with complete(tmp_path / "a") as place:
        place.write_text("x")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "usual").stat().st_mode


@POSIX
def test_what_a_killed_run_left_is_taken_away_by_the_next_and_what_a_living_one_writes_is_not(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    others = [".a.txt.part", ".a.txt.notes.part", ".a.txt.bak.12ab.part", ".b.txt.12ab.part"]
    for name in others:
        (tmp_path / name).touch()

    def start() -> tuple[subprocess.Popen[str], str]:
        process = subprocess.Popen([sys.executable, "-c", WRITER, str(file)], stdin=-1, stdout=-1, text=True)
        assert process.stdout is not None
        return process, process.stdout.readline().strip()

    killed, left = start()
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert names(tmp_path) == sorted([left, *others])
    living, part = start()
    assert names(tmp_path) == sorted([part, *others])
    with complete(file) as place:
        place.write_text("mine")
        assert names(tmp_path) == sorted([part, place.name, *others])
    assert file.read_text() == "mine"
    living.communicate("")
    assert (living.returncode, file.read_text(), names(tmp_path)) == (0, "half", sorted(["a.txt", *others]))
