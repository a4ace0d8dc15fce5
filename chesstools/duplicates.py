"""Games that stand more than once in what was read (A860): told when all of it was read.

Two games are copies of each other if the same two players made the same moves, from the same start to the same end. Tags do not
matter otherwise: sources spell events, sites and rounds in their own ways, and dates are often incomplete.

* Names are compared by their words, in any case and order: ``Carlsen, Magnus`` and ``Magnus Carlsen`` are the same. A game
  of which a player is not named is compared with none.
* Games of fewer than ten moves are left out: the same two players may well agree to a draw twice on the same line. So are
  games that could not be replayed to their end, as what they hold is not known.
* Other players with the same moves are no copies: that happens, with long games too where openings or traps are well known.

The first copy counts as the game, and each later one gets a finding that names it. Where a copy has the colours exchanged, one of
the two is wrong and nobody knows which: then the first gets one too. A game gets one finding at most.

Moves and names are compared by hashes of 64 bits each, which must both be equal. That two games agree in them by chance is not to
be expected in any archive, whatever its size.

Memory does not grow with the number of games: what is compared is written to a temporary folder (about a hundred bytes a game)
and sorted there (`chesstools.sorter`). The order of findings is that of the games.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import xxhash
from numpy.typing import NDArray

from chesstools.rules import get_rule
from chesstools.schema import COMPARED, FINDINGS, PLAYERS
from chesstools.scratch import scratching
from chesstools.sorter import Records, Sorter
from chesstools.summary import SourceSummary

CODE = "A860"

LEAST_PLIES = 20
"""Games that are shorter are not compared."""

NOBODY = frozenset({"", "nn", "n n", "unknown", "anonymous", "white", "black", "player", "computer"})
"""Names, as `player_key` writes them, that tell nothing of who played."""

Batches = Callable[[], Iterator[tuple[int, pa.RecordBatch]]]
"""Gives all games in order, as often as it is called: the number of their source, and rows of `COMPARED`."""

# A game among those that are compared. `place` is the number of its source and that of the game in it.
_GAME = np.dtype([("moves", "<u8"), ("players", "<u8"), ("place", "<u8"), ("line", "<u8"), ("reversed", "u1")])
# A copy: which other game it is a copy of, and whether with colours exchanged.
_COPY = np.dtype([("place", "<u8"), ("other", "<u8"), ("line", "<u8"), ("reversed", "u1")])

_INDEX_BITS = 40
_INDEX = (1 << _INDEX_BITS) - 1


@dataclass(frozen=True, slots=True)
class Copies:
    """Findings on copies among consecutive games of one source, with who played these games, and the counts."""

    source: int
    findings: pa.RecordBatch
    players: pa.RecordBatch
    summary: SourceSummary


class Spool:
    """Rows of `COMPARED` in a file, to be read again in the same order."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "games.arrows"
        self._schema = pa.schema([pa.field("number", pa.int32()), *list(COMPARED)[1:]])
        with scratching(self._path):
            options = pa.ipc.IpcWriteOptions(compression="lz4")
            self._writer = pa.ipc.new_stream(str(self._path), self._schema, options=options)

    def add(self, number: int, batch: pa.RecordBatch) -> None:
        """Take in games of the source with that number."""
        if batch.num_rows:
            numbers = pa.array(np.full(batch.num_rows, number, "i4"))
            with scratching(self._path):
                self._writer.write_batch(pa.RecordBatch.from_arrays([numbers, *batch.columns[1:]], schema=self._schema))

    def close(self) -> None:
        """Nothing is added any more."""
        with scratching(self._path):
            self._writer.close()

    def __call__(self) -> Iterator[tuple[int, pa.RecordBatch]]:
        with pa.OSFile(str(self._path)) as file, pa.ipc.open_stream(file) as reader:
            for batch in reader:
                yield batch.column(0)[0].as_py(), batch


def find_copies(batches: Batches, names: Sequence[str], folder: Path) -> Iterator[Copies]:
    """The copies among games, in the order of the games. `names` are those of the sources; files are made in `folder`."""
    games = Sorter(_GAME, ["moves", "players", "place"], folder)
    for number, batch in batches():
        if batch.num_rows:
            games.add(_compared(number, batch))
    copies = Sorter(_COPY, ["place"], folder)
    for found in _copies(games.blocks()):
        copies.add(found)
    yield from _told(copies.blocks(), batches, names)


@lru_cache(maxsize=1 << 16)
def player_key(name: str) -> str:
    """What a player is told by: the words of the name in the order of the alphabet, without marks.

    >>> player_key("Carlsen, Magnus") == player_key("MAGNUS CARLSEN")
    True
    >>> player_key("Carlsen,M"), player_key("?")
    ('carlsen m', '')
    """
    return " ".join(sorted(re.findall(r"[^\W_]+", name.casefold())))


def _player_hash(name: str | None) -> int:
    """0 for nobody."""
    key = player_key(name or "")
    return 0 if key in NOBODY else xxhash.xxh3_64_intdigest(key.encode("utf-8", "replace"))


def _player_hashes(column: pa.Array) -> NDArray[np.uint64]:
    known = column.cast(pa.string()).dictionary_encode()
    hashes = np.array([_player_hash(name) for name in known.dictionary.to_pylist()] + [0], np.uint64)
    of_rows: NDArray[np.uint64] = hashes[known.indices.fill_null(len(hashes) - 1).to_numpy(zero_copy_only=False)]
    return of_rows


def _compared(number: int, batch: pa.RecordBatch) -> Records:
    """The games of a batch that can be compared."""
    white, black = (_player_hashes(batch.column(name)) for name in ("white", "black"))
    plies, legal = (batch.column(name).to_numpy() for name in ("ply_count", "legal_ply_count"))
    games = np.empty(batch.num_rows, _GAME)
    games["moves"] = batch.column("moves_hash").to_numpy()
    # The same for both orders, and another number for each pair: sums wrap around.
    one, other = np.minimum(white, black), np.maximum(white, black)
    games["players"] = one * np.uint64(0x9E3779B97F4A7C15) + other * np.uint64(0xC2B2AE3D27D4EB4F)
    games["place"] = (number << _INDEX_BITS) + batch.column("game_index").to_numpy().astype("<u8")
    games["line"] = batch.column("line").to_numpy()
    games["reversed"] = white > black
    kept: Records = games[(plies >= LEAST_PLIES) & (plies == legal) & (white != 0) & (black != 0)]
    return kept


def _copies(blocks: Iterator[Records]) -> Iterator[Records]:
    """The copies among games that come in the order of moves, players and place.

    The first game of a group that may go on in the next block is put before that block, so that each is looked at alone.
    """
    first = np.empty(0, _GAME)
    first_is_told = False
    for block in blocks:
        games = np.concatenate([first, block])
        begins = np.ones(len(games), bool)
        begins[1:] = (games["moves"][1:] != games["moves"][:-1]) | (games["players"][1:] != games["players"][:-1])
        leader = np.maximum.accumulate(np.where(begins, np.arange(len(games)), 0))
        later = np.flatnonzero(~begins)
        exchanged = games["reversed"][later] != games["reversed"][leader[later]]
        yield _pairs(games, later, leader[later], exchanged)
        # Of those with other colours than the first, the earliest is told of with the first.
        told, earliest = np.unique(leader[later[exchanged]], return_index=True)
        partners = later[exchanged][earliest]
        wanted = (told > 0) if first_is_told else np.ones(len(told), bool)
        yield _pairs(games, told[wanted], partners[wanted], np.ones(int(wanted.sum()), bool))
        last = int(leader[-1])
        first_is_told = last in told or (last == 0 and len(first) > 0 and first_is_told)
        first = games[last : last + 1]


def _pairs(games: Records, copies: NDArray[np.intp], others: NDArray[np.intp], exchanged: NDArray[np.bool_]) -> Records:
    pairs = np.empty(len(copies), _COPY)
    pairs["place"] = games["place"][copies]
    pairs["other"], pairs["line"] = games["place"][others], games["line"][others]
    pairs["reversed"] = exchanged
    return pairs


def _told(copies: Iterator[Records], batches: Batches, names: Sequence[str]) -> Iterator[Copies]:
    """Findings on copies, which come in the order of the games; where these stand and who played is read again."""
    waiting = next(copies, None)
    for number, batch in batches():
        if waiting is None:
            return
        if not batch.num_rows:
            continue
        places = (number << _INDEX_BITS) + batch.column("game_index").to_numpy().astype("<u8")
        here: list[Records] = []
        while waiting is not None:
            count = int(np.searchsorted(np.ascontiguousarray(waiting["place"]), places[-1], "right"))
            here.append(waiting[:count])
            if count < len(waiting):
                waiting = waiting[count:]
                break
            waiting = next(copies, None)
        found = np.concatenate(here)
        if len(found):
            rows = batch.take(pa.array(np.searchsorted(places, found["place"])))
            yield _findings(number, rows, found, names)


def _findings(number: int, games: pa.RecordBatch, copies: Records, names: Sequence[str]) -> Copies:
    name, severity = names[number], get_rule(CODE).severity.value
    rows = games.to_pylist()
    findings: list[dict[str, Any]] = [
        {
            "source": name,
            "game_index": game["game_index"],
            "code": CODE,
            "severity": severity,
            "line": game["line"],
            "byte_offset": game["byte_offset"],
            "byte_length": game["byte_length"],
            "found": "reversed" if copy["reversed"] else "duplicate",
            "evidence": [
                ("other_source", names[int(copy["other"]) >> _INDEX_BITS]),
                ("other_game", str(int(copy["other"]) & _INDEX)),
                ("other_line", str(copy["line"])),
            ],
            "profile": game["profile"],
        }
        for game, copy in zip(rows, copies, strict=True)
    ]
    players = [{"source": name, **{key: game[key] for key in PLAYERS.names[1:]}} for game in rows]
    counts = SourceSummary(name, findings=Counter({CODE: len(rows)}), severities=Counter({severity: len(rows)}))
    return Copies(
        number,
        pa.RecordBatch.from_pylist(findings, FINDINGS),
        pa.RecordBatch.from_pylist(players, PLAYERS),
        counts,
    )
