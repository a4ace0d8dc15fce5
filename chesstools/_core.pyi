"""Types of the native core; see `chesstools/native.py` for how it is used."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, final

from chesstools.profile_choice import Choice

__all__ = [
    "IS_DEBUG_BUILD",
    "LIMITS",
    "Batches",
    "Block",
    "Boundaries",
    "Export",
    "File",
    "Openings",
    "Part",
    "Scan",
    "SeenPositions",
    "Text",
    "Unique",
    "count_activity",
    "count_material",
    "count_survival",
    "fen_check",
    "fen_key",
    "fen_moves",
    "fen_normalise",
    "fen_perft",
    "follow_kings",
    "moves_of",
    "put_numbers",
    "winnable",
]

IS_DEBUG_BUILD: Final[bool]
"""Built without optimisation, and with checks that are left out otherwise."""

LIMITS: Final[dict[str, int]]
"""The numbers of `chesstools/limits.py`, as the core has them."""

_Position = tuple[int, int, int, bool, bool]
"""The fields of a `chesstools.step.Position`."""

@final
class File:
    """A local file that the core reads by itself, and what is told of its bytes as stored."""

    @staticmethod
    def open(path: str, with_hash: bool) -> File | None:
        """None for what Python must read: a pipe, an archive, UTF-16, a few bytes, or what cannot be opened."""

    @staticmethod
    def open_at(path: str, entry: int, begin: int) -> File | None:
        """The bytes from the stored byte `entry` on, which stands at `begin` in the stream."""

    @property
    def stored_bytes_read(self) -> int: ...
    @property
    def notes(self) -> list[str]: ...
    def hash(self) -> str | None:
        """xxh3_128 of the bytes as stored, in hexadecimal; None unless it is wanted and all of them were read."""

@final
class Openings:
    """The names of openings, read once for all scans."""

    def __new__(cls, entries: Sequence[tuple[str, str, str, Sequence[str]]]) -> Openings:
        """From `chesstools.openings.Table.entries`. Raises ValueError for one that cannot be read."""

@final
class Scan:
    """Judges a stream of bytes. Iterate it: each `Part` stands for rows that wait in the streams of `batches`.

    What `file` cannot give comes from `rest`: called with a place in the stream, it gives the blocks from there on.
    """

    def __new__(
        cls,
        file: File | None,
        rest: Callable[[int], Iterator[bytes]],
        *,
        start: _Position,
        stop: int | None = None,
        source: str,
        schemas: Mapping[str, Any],
        choice: Choice,
        codes: set[str],
        nodes: int | None,
        openings: Openings | None,
        batch_games: int | None,
        jobs: int,
    ) -> Scan: ...
    def __iter__(self) -> Scan: ...
    def __next__(self) -> Part: ...
    def batches(self, table: str) -> Batches:
        """The stream of record batches of one table: after each part one batch waits in it."""

    def close(self) -> None:
        """Stop the threads. What was not read by then is not read."""

@final
class Boundaries:
    """Goes from region to region without judging them. `file` and `rest` as for `Scan`."""

    def __new__(cls, file: File | None, rest: Callable[[int], Iterator[bytes]], *, start: _Position) -> Boundaries: ...
    def until(self, offset: int) -> _Position:
        """The first place between two regions at `offset` or behind it, or the end. Places only come in order."""

@final
class Part:
    """Some consecutive regions: judged (then `counts` tells of them), or games that the readable engine must judge."""

    end: _Position
    first_game: int
    counts: dict[str, Any] | None
    games: list[tuple[Any, ...]] | None

@final
class Batches:
    """The batches of one table as an Arrow stream."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

@final
class Export:
    """Writes the games of a stream of bytes in another format. Iterate it for the parts of the text, in order.

    `file` and `rest` are those of `Scan`; `options` those of `chesstools.formats` that mean something to the format.
    """

    def __new__(
        cls,
        file: File | None,
        rest: Callable[[int], Iterator[bytes]],
        *,
        source: str,
        format: str,
        options: Mapping[str, Any],
        jobs: int,
    ) -> Export: ...
    def __iter__(self) -> Export: ...
    def __next__(self) -> Text: ...
    def close(self) -> None:
        """Stop the threads. What was not read by then is not read."""

@final
class Text:
    """Consecutive games: their text, or (then that is None) games of variants that the readable engine must write."""

    first_game: int
    games: int
    text: bytes | None
    keys: bytes | None
    """Keys of the positions, 16 bytes for each line, where they are wanted."""
    left: dict[str, int] | None
    """What was left behind, by kind."""
    elsewhere: list[tuple[Any, ...]] | None
    end: _Position

@final
class Unique:
    """Tells the lines of positions that did not stand in the text before. It remembers 16 bytes of each."""

    def __new__(cls) -> Unique: ...
    def keep(self, text: bytes, keys: bytes) -> bytes:
        """The lines of `text` whose key, of the 16 bytes for each in `keys`, is new."""

def winnable(fen: str, *, chess960: bool, white: bool, limit: int | None) -> tuple[str, str | None, list[str], int]:
    """Verdict, method, line in standard notation, and number of positions looked at: see `chesstools.winnable`.

    Quick without a `limit`, else a search of at most so many positions. Raises ValueError for a position that cannot be played.
    """

@final
class Block:
    """The plies of some whole games, which tallies of `chesstools.stats` count. Columns are arrays of numbers."""

    def __new__(cls, moves: object, columns: Sequence[object], lengths: object, black: object) -> Block:
        """`columns` are role, captured, castling, check, mate and en passant, of 8 bits. Raises ValueError for numbers that are
        not the plies of games of these lengths, which Black begins where `black` is not 0."""

def follow_kings(block: Block, homes: object, queens: object, squares: object) -> tuple[bytes, bytes, bytes, bytes, bytes, bytes]:
    """Wing, castled move, moves, squares, farthest ranks of all kings: see `chesstools.stats.kings`. Adds to `squares`."""

def count_activity(block: Block, arrays: Sequence[object]) -> None:
    """Adds to the arrays of `chesstools.stats.activity`."""

def count_material(
    block: Block,
    results: object,
    starts: Sequence[object],
    changes: Sequence[object],
    arrays: Sequence[object],
    with_queens: object,
) -> tuple[bytes, bytes]:
    """Adds to the arrays of `chesstools.stats.material`; returns kinds of imbalances and six counts of each."""

def count_survival(block: Block, results: object, from_array: object, arrays: Sequence[object]) -> None:
    """Adds to the arrays of `chesstools.stats.survival`."""

def moves_of(words: object) -> bytes:
    """Moves in UCI form as numbers of 16 bits: see `chesstools.stats.columns`."""

def put_numbers(places: object, numbers: object, rows: object) -> None:
    """Puts the number at each place of a column of places in its row; leaves rows as they are where the place is null.

    Raises ValueError for a place without a number, and for other rows than places.
    """

# Positions: rows as `chesstools/reference/fen_rows.py` tells them. Lines are a column of strings.

_Found = tuple[str, str | None, str | None, list[tuple[str, object]]]

def fen_check(lines: object, *, chess960: bool) -> tuple[Batches, list[_Found]]:
    """Columns `read`, `playable` and `problems`, and what the last one points into."""

def fen_normalise(lines: object, *, en_passant: str, castling: str, reset_counters: bool, chess960: bool) -> Batches:
    """Columns `fen` and `changes`."""

def fen_key(lines: object, *, chess960: bool) -> Batches:
    """Columns `position_key` and `position`."""

def fen_moves(lines: object, *, chess960: bool) -> Batches:
    """Columns `san` and `uci`."""

def fen_perft(line: str, depth: int, *, chess960: bool) -> list[tuple[str, int]]:
    """Moves (UCI) and the number of lines that begin with them. Raises ValueError for a position that is not understood."""

@final
class SeenPositions:
    """The positions that were seen so far."""

    def __new__(cls, *, by_text: bool, chess960: bool) -> SeenPositions: ...
    def add(self, lines: object) -> Batches:
        """Columns `is_new` and `is_understood`."""
