"""The table tokens: a game a row, its moves as numbers of fixed size (`chesstools.tokens`), beside what models are taught by."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from chesstools.schema import GAMES
from chesstools.tokens import encode_move

_BESIDE = (
    "source",
    "game_index",
    "game_id",
    "rules",
    "start_fen",
    "white_elo",
    "black_elo",
    "time_control_kind",
    "legal_ply_count",
)
_Codes = np.ndarray[tuple[int], np.dtype[np.uint16]]
_RESULTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}


def token_schema(max_plies: int) -> pa.Schema:
    """The columns; `moves` has lists of just so many plies, or of any length for 0."""
    moves = pa.list_(pa.field("item", pa.uint16(), nullable=False), max_plies or -1)
    return pa.schema(
        [
            *(GAMES.field(name) for name in _BESIDE),
            pa.field("result", pa.int8(), metadata={"meaning": "1 White won, 0 drawn, -1 Black won; null where not known."}),
            pa.field("moves", moves, nullable=False, metadata={"meaning": "The replayed moves as numbers: chesstools.tokens."}),
        ]
    )


def token_batch(
    games: pa.RecordBatch, plies: pa.RecordBatch, max_plies: int, words: dict[str, int]
) -> tuple[pa.RecordBatch, int]:
    """The rows for `games`, whose moves `plies` holds, and how many moves had no room; `words` keeps what was worked out."""
    schema = token_schema(max_plies)
    codes = _codes(plies.column("uci"), words)
    first = games.column("game_index")[0].as_py() if games.num_rows else 0
    rows = plies.column("game_index").to_numpy(zero_copy_only=False) - first
    counts = np.bincount(rows, minlength=games.num_rows) if len(rows) else np.zeros(games.num_rows, np.int64)
    ends = np.cumsum(counts)
    cut = 0
    if max_plies:
        place = np.arange(len(codes)) - np.repeat(ends - counts, counts)
        fits = place < max_plies
        filled = np.zeros((games.num_rows, max_plies), np.uint16)
        filled[rows[fits], place[fits]] = codes[fits]
        cut = int(len(codes) - fits.sum())
        moves = pa.FixedSizeListArray.from_arrays(pa.array(filled.reshape(-1)), type=schema.field("moves").type)
    else:
        offsets = pa.array(np.concatenate([[0], ends]).astype(np.int32))
        moves = pa.ListArray.from_arrays(offsets, pa.array(codes), type=schema.field("moves").type)
    results = pa.array([_RESULTS.get(text) for text in games.column("result_value").to_pylist()], pa.int8())
    beside = [games.column(name).cast(schema.field(name).type) for name in _BESIDE]
    return pa.RecordBatch.from_arrays([*beside, results, moves], schema=schema), cut


def _codes(uci: pa.Array, words: dict[str, int]) -> _Codes:
    """The number of each move. There are few different ones: each is worked out once."""
    kinds = uci if pa.types.is_dictionary(uci.type) else uci.dictionary_encode()
    numbers = np.empty(len(kinds.dictionary), np.uint16)
    for place, word in enumerate(kinds.dictionary.to_pylist()):
        if word not in words:
            words[word] = encode_move(word)
        numbers[place] = words[word]
    codes: _Codes = numbers[kinds.indices.to_numpy(zero_copy_only=False)]
    return codes
