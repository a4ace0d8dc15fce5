"""What a table leaves behind, by the kinds of docs/conversion.md. The table games leaves nothing of a game: its text is in it."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc


def of_columns(games: pa.RecordBatch, columns: pa.RecordBatch) -> dict[str, int]:
    """Games as columns of tags beside the movetext: those without one, or with a value that its type cannot hold."""
    held = sum(columns.num_rows - column.null_count for name, column in zip(columns.schema.names, columns.columns, strict=True))
    return {"tags": _tags(games) - (held - columns.num_rows)}  # movetext is no tag


def of_plies(games: pa.RecordBatch) -> dict[str, int]:
    """Moves a row each: comments, NAGs and variations stand beside them, all else of a game does not."""
    return {
        "tags": _tags(games),
        "comments": _present(games, "comment"),
        "results": _present(games, "termination_marker"),
    } | _tails(games)


def of_tokens(games: pa.RecordBatch, plies: pa.RecordBatch, cut: int) -> dict[str, int]:
    """Moves as numbers, with result and ratings: the comments of a move count as one, its variations too."""
    has_result = pc.and_(pc.is_valid(games.column("result")), pc.is_valid(games.column("result_value")))
    held = _sum(has_result) + _present(games, "white_elo") + _present(games, "black_elo")
    nags = _sum(pc.list_value_length(plies.column("nags")))
    commands = _sum(pc.count_substring(plies.column("comment"), "[%"))
    return {
        "tags": _tags(games) - held,
        "moves": cut,
        "comments": _present(plies, "comment") + _present(games, "comment"),
        "commands": commands,
        "nags": nags,
        "variations": _present(plies, "variations"),
    } | _tails(games)


def _tails(games: pa.RecordBatch) -> dict[str, int]:
    written, replayed = games.column("ply_count"), games.column("legal_ply_count")
    return {"tails": _sum(pc.greater(written, replayed))}


def _tags(games: pa.RecordBatch) -> int:
    offsets = games.column("tags").offsets
    count: int = offsets[-1].as_py() - offsets[0].as_py()
    return count


def _sum(numbers: pa.Array) -> int:
    total: int | None = pc.sum(numbers).as_py()
    return total or 0


def _present(batch: pa.RecordBatch, name: str) -> int:
    count: int = batch.num_rows - batch.column(name).null_count
    return count
