"""The games that were found, as games: for conversion to PGN and other formats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from chesstools.damage import reading
from chesstools.parquet_file import parquet_file

if TYPE_CHECKING:
    import pyarrow as pa

    from chesstools.dataset import Dataset
    from chesstools.folder import File


def write_games(datasets: Sequence[Dataset], found: Mapping[str, Iterable[int]], file: Path) -> None:
    """Write the rows of games that were found to a Parquet file, in the order of the archive.

    `found` has the numbers of games by source. Memory is that of the games of one part of a dataset.
    """
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    from chesstools.schema import GAMES

    wanted = {source: pa.array(sorted(set(numbers)), pa.int64()) for source, numbers in found.items()}
    with pq.ParquetWriter(file, GAMES, compression="zstd") as writer, reading(datasets):
        for dataset in datasets:
            for part in dataset.files("games"):
                keys = _read(part, ["source", "game_index"])
                chosen = pa.nulls(keys.num_rows, pa.bool_()).fill_null(False)
                for source in keys["source"].unique().to_pylist():
                    if source in wanted:
                        inside = pc.and_(pc.equal(keys["source"], source), pc.is_in(keys["game_index"], wanted[source]))
                        chosen = pc.or_(chosen, inside.combine_chunks())
                if pc.any(chosen).as_py():
                    writer.write_table(_read(part).filter(chosen))


def _read(part: File, columns: list[str] | None = None) -> pa.Table:
    from chesstools.schema import GAMES

    with parquet_file(part) as file:
        table = file.read(columns=columns)
    return table if columns else table.select(GAMES.names).cast(GAMES)
