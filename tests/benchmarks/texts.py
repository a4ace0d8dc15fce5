"""The texts that are read: the archive plain and packed, the beginnings of it that slow peers get, and it with comments.

Making them takes memory, so each is made in a process of its own (`python texts.py MAKER …`): the process that measures
stays small. The same archive always gives the same bytes.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

BLOCK = 1 << 20

HEADS = {"head for pgn-extract": 10_000, "head for read_game": 1_000, "head for reference": 100, "ten games": 10}
"""Beginnings of the archive, in games: programs that are slow are compared by the byte."""


@dataclass(frozen=True)
class Text:
    """A file of games; `games` is how many chesstools finds in it."""

    name: str
    path: Path
    games: int

    @property
    def size(self) -> int:
        """Bytes."""
        return self.path.stat().st_size


def make(maker: str, *arguments: object) -> dict[str, int]:
    """Run one of the makers below in a process of its own; the counts that it prints."""
    command = [sys.executable, str(Path(__file__).resolve()), maker, *map(str, arguments)]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    counts: dict[str, int] = json.loads(result.stdout)
    return counts


def text_paths(folder: Path) -> dict[str, Path]:
    """Where each text stands, made or not."""
    files = {"archive": "archive.pgn", "packed": "archive.pgn.zst", "commented": "commented.pgn"}
    files |= {name: f"{name.replace(' ', '_')}.pgn" for name in HEADS}
    return {name: folder / file for name, file in files.items()}


def make_texts(archive: Path, folder: Path, games: int | None, wanted: Collection[str]) -> dict[str, Text]:
    """The archive, or its first `games`, and the other texts that are wanted, by name."""
    paths = text_paths(folder)
    plain = paths["archive"]
    have = make("unpack", archive, plain, games or 0)["games"]
    texts = {"archive": Text("archive", plain, have)}
    if "packed" in wanted:
        if games is None and archive.suffix == ".zst":
            shutil.copyfile(archive, paths["packed"])
        else:
            make("pack", plain, paths["packed"])
        texts["packed"] = Text("packed", paths["packed"], have)
    for name in HEADS.keys() & wanted:
        texts[name] = Text(name, paths[name], make("unpack", plain, paths[name], HEADS[name])["games"])
    if "commented" in wanted:
        texts["commented"] = Text("commented", paths["commented"], make("comment", plain, paths["commented"])["games"])
    return texts


def tenfold(text: Text) -> Text:
    """A text ten times over, beside it."""
    path = text.path.with_name(f"tenfold_{text.path.name}")
    with path.open("wb") as out:
        for _ in range(10):
            with text.path.open("rb") as data:
                shutil.copyfileobj(data, out, BLOCK)
            out.write(b"\n\n")
    return Text(f"tenfold {text.name}", path, 10 * text.games)


# ------------------------------------------------------------------------------------- makers, in their own process


def unpack(archive: str, out: str, games: str) -> dict[str, int]:
    """The first games of an archive, or all if `games` is 0, as plain text."""
    from chesstools.source import find_sources

    (source,) = find_sources(archive)
    with open(out, "wb") as file:
        for block in source.open():
            file.write(block)
    end, found = game_places(out, int(games))
    if end is not None:
        with open(out, "r+b") as file:
            file.truncate(end)
    return {"games": found}


def game_places(file: str, games: int) -> tuple[int | None, int]:
    """Where game number `games` begins (None if there are not so many, or it is 0), and how many games stand before."""
    from chesstools import scan

    found = 0
    for batch in scan(file, tables=["games"]):
        if games and found + batch.data.num_rows > games:
            return batch.data["byte_offset"][games - found].as_py(), games
        found += batch.data.num_rows
    return None, found


def pack(plain: str, out: str) -> dict[str, int]:
    """Packed as the big servers do it."""
    import zstandard

    with open(plain, "rb") as data, open(out, "wb") as file:
        zstandard.ZstdCompressor(level=19 if Path(plain).stat().st_size < BLOCK else 3).copy_stream(data, file)
    return {}


def comment(plain: str, out: str) -> dict[str, int]:
    """The same games as Lichess writes them: all on one line, with a comment after every ply that holds evaluation and clock."""
    from chesstools.scan import scan_source
    from chesstools.source import find_sources

    (source,) = find_sources(plain)
    written = 0
    comments = Comments()
    with open(out, "wb") as file:
        for step in scan_source(source, tables=("games", "plies")):
            games, plies = step.batches["games"], step.batches["plies"]
            places = zip(plies["game_index"].to_pylist(), plies["san"].to_pylist(), strict=True)
            sans: dict[int, list[str]] = {}
            for index, san in places:
                sans.setdefault(index, []).append(san)
            columns = (games[name].to_pylist() for name in ("game_index", "tags", "start_fen", "termination_marker"))
            for index, tags, fen, marker in zip(*columns, strict=True):
                write_game(file, tags, comments.movetext(sans.get(index, []), fen), marker or "*")
                written += 1
    return {"games": written}


def write_game(file: BinaryIO, tags: list[tuple[str, str]], movetext: str, marker: str) -> None:
    """One game in export format."""
    for name, value in tags:
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        file.write(f'[{name} "{escaped}"]\n'.encode())
    file.write(f"\n{movetext}{marker}\n\n".encode())


class Comments:
    """Evaluations that wander and clocks that run down, the same in every run."""

    CLOCK = 180

    def __init__(self) -> None:
        chance = random.Random(960)
        self._swings = [round(chance.gauss(0, 35)) for _ in range(10_007)]
        self._thinks = [min(int(chance.expovariate(0.4)), 20) for _ in range(10_009)]
        self._evals = [f"{value / 100:.2f}" for value in range(-1200, 1201)]
        self._clocks = [f"0:{value // 60:02}:{value % 60:02}" for value in range(self.CLOCK + 1)]
        self._at = 0

    def movetext(self, sans: list[str], fen: str | None) -> str:
        """Moves with numbers, and a comment after each."""
        return "".join(self._pieces(sans, fen))

    def _pieces(self, sans: list[str], fen: str | None) -> Iterator[str]:
        fields = (fen or "").split()
        black = fields[1:2] == ["b"]
        number = int(fields[5]) if len(fields) == 6 and fields[5].isdigit() else 1
        value, clocks = 20, [self.CLOCK, self.CLOCK]
        for san in sans:
            self._at += 1
            value = max(-1200, min(1200, value + self._swings[self._at % 10_007]))
            clocks[black] = max(1, clocks[black] - self._thinks[self._at % 10_009] + 2 * (clocks[black] < 60))
            dots = "..." if black else "."
            clock = self._clocks[clocks[black]]
            yield f"{number}{dots} {san} {{ [%eval {self._evals[value + 1200]}] [%clk {clock}] }} "
            number += black
            black = not black


MAKERS = {maker.__name__: maker for maker in (unpack, pack, comment)}

if __name__ == "__main__":
    print(json.dumps(MAKERS[sys.argv[1]](*sys.argv[2:])))
