"""What chesstools is measured against: other programs that read PGN, and the floor that no reader can go below."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .measures import BenchmarkError, Counts, Outcome, Way, reported

ROOT = Path(__file__).resolve().parent.parent.parent
CRATE = ROOT / "chesstools" / "_rust"
DRIVER = Path(__file__).resolve().with_name("driver.py")

FLOOR, SHAKMATY, COMMENTED = "floor", "shakmaty", "shakmaty commented"
PGN_EXTRACT, PGN_EXTRACT_UCI, READ_GAME = "pgn-extract", "pgn-extract uci", "read_game"
PEERS = {
    FLOOR: ("the floor: a plain scan for line ends, `wc -l`, kernel and all", "archive"),
    SHAKMATY: ("pgn-reader + shakmaty: legality of the mainline, no more", "archive"),
    PGN_EXTRACT: ("`pgn-extract -r`", "head for pgn-extract"),
    PGN_EXTRACT_UCI: ("`pgn-extract -Wuci`, which writes the games", "head for pgn-extract"),
    READ_GAME: ("python-chess `read_game`", "head for read_game"),
    COMMENTED: ("pgn-reader + shakmaty: legality of the mainline, no more", "commented"),
}
"""The row of each in the table, and the text that it reads."""


@dataclass
class Peers:
    """The peers that are here, and why the others are not."""

    ways: list[Way] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)


def find_peers(paths: Mapping[str, Path], wanted: Collection[str], *, build: bool) -> Peers:
    """Those of the `wanted` keys that can be run. The loop around shakmaty is built first if `build` says so."""
    peers = Peers()
    if FLOOR in wanted:
        _add_floor(peers, paths)
    if SHAKMATY in wanted or COMMENTED in wanted:
        _add_shakmaty(peers, paths, build=build)
    if PGN_EXTRACT in wanted or PGN_EXTRACT_UCI in wanted:
        _add_pgn_extract(peers, paths)
    if READ_GAME in wanted:
        label, text = PEERS[READ_GAME]
        command = [sys.executable, str(DRIVER), "read_game", str(paths[text])]
        peers.ways.append(Way(READ_GAME, label, text, command, _count_reported, reports=True))
    peers.ways = [way for way in peers.ways if way.key in wanted]
    return peers


def _add_floor(peers: Peers, paths: Mapping[str, Path]) -> None:
    program = shutil.which("wc")
    if program is None:
        peers.missing[FLOOR] = "wc is not installed"
        return

    def count(outcome: Outcome) -> Counts:
        return Counts(lines=int(outcome.output.split()[0]))

    label, text = PEERS[FLOOR]
    peers.ways.append(Way(FLOOR, label, text, [program, "-l", *[str(paths[text])] * 20], count, times=20, in_kernel=True))


def _add_shakmaty(peers: Peers, paths: Mapping[str, Path], *, build: bool) -> None:
    program = build_shakmaty() if build else "it was not built, as was asked for"
    if isinstance(program, str):
        peers.missing[SHAKMATY] = program
        return

    def count(outcome: Outcome) -> Counts:
        match = re.search(r": (\d+) games, (\d+) plies, (\d+) with an illegal move$", outcome.output.strip())
        if match is None:
            raise BenchmarkError(f"The loop around shakmaty prints {outcome.output!r}.")
        games, plies, bad = map(int, match.groups())
        return Counts(games=games, plies=plies, bad_games=bad)

    for key in (SHAKMATY, COMMENTED):
        label, text = PEERS[key]
        peers.ways.append(Way(key, label, text, [str(program), str(paths[text])], count))
    lock = (CRATE / "Cargo.lock").read_text(encoding="utf-8")
    for crate in ("pgn-reader", "shakmaty"):
        match = re.search(rf'name = "{crate}"\nversion = "(.*?)"', lock)
        peers.versions[crate] = match[1] if match else "of unknown version"
    peers.versions["rustc"] = subprocess.run(["rustc", "--version"], capture_output=True, text=True).stdout.split()[1]


def build_shakmaty() -> Path | str:
    """The program, built by cargo for speed; or why there is none."""
    cargo = shutil.which("cargo")
    if cargo is None:
        return "cargo is not installed"
    command = [cargo, "build", "--release", "--locked", "--example", "shakmaty_validate", "--message-format", "json"]
    result = subprocess.run(command, cwd=CRATE, stdout=subprocess.PIPE, text=True, env=os.environ | {"CARGO_TERM_COLOR": "never"})
    if result.returncode:
        return "cargo could not build it"
    for line in result.stdout.splitlines():
        message = json.loads(line)
        if message.get("executable") and message["target"]["name"] == "shakmaty_validate":
            return Path(message["executable"])
    return "cargo does not say where it is"


def _add_pgn_extract(peers: Peers, paths: Mapping[str, Path]) -> None:
    program = shutil.which("pgn-extract") or shutil.which("pgn-extract", path="/usr/games")  # Debian puts it there
    if program is None:
        peers.missing |= dict.fromkeys((PGN_EXTRACT, PGN_EXTRACT_UCI), "pgn-extract is not installed")
        return

    def count(outcome: Outcome) -> Counts:
        match = re.search(r"(\d+) games? matched out of (\d+)", outcome.errors)
        if match is None:
            raise BenchmarkError(f"pgn-extract prints {outcome.errors[-500:]!r}.")
        matched, games = map(int, match.groups())
        return Counts(games=games, bad_games=games - matched)

    for key, options in ((PGN_EXTRACT, ["-r"]), (PGN_EXTRACT_UCI, ["-Wuci", "-o", "extracted.pgn"])):
        label, text = PEERS[key]
        peers.ways.append(Way(key, label, text, [program, *options, str(paths[text])], count))
    told = subprocess.run([program, "--version"], capture_output=True, text=True)
    match = re.search(r"v(\d+-\d+)", told.stdout + told.stderr)
    peers.versions[PGN_EXTRACT] = match[1] if match else "of unknown version"


def _count_reported(outcome: Outcome) -> Counts:
    told = reported(outcome)
    return Counts(games=told["games"], plies=told["plies"], bad_games=told["bad_games"])
