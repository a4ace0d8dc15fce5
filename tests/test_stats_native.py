"""What the native core counts of plies: the same as arrays do, of games of every kind, no harm from rows without meaning."""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Callable
from functools import partial
from itertools import cycle
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from small_archive import chess960_walk
from test_stats_walk import WALK, WALKED, check_equal
from walks import STARTS, pgn_of, random_walk, sans

from chesstools import Dataset, DatasetError, ingest
from chesstools.engines import VARIABLE, why_not_native
from chesstools.source import Source
from chesstools.stats import Statistics, stats
from chesstools.stats.blocks import blocks

pytestmark = pytest.mark.skipif(why_not_native() is not None, reason="no native core")

CASTLES = """[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 d6 4. O-O Bg4 5. h3 Qd7 6. hxg4 O-O-O 7. c3 Qxg4 8. d4 Qxd1 9. Rxd1 Kb8 10. Kf1 Kc8 11. Ke2 1-0

"""
QUEENS = """[Result "0-1"]

1. d4 c5 2. dxc5 b6 3. cxb6 Qc7 4. bxc7 Nc6 5. Qxd7+ Kxd7 6. cxb8=Q 0-1

[Result "*"]

1. e4 d5 2. exd5 c6 3. dxc6 Qd6 4. cxb7 Qxd2+ 5. Kxd2 Kd7 6. bxa8=Q e5 7. Kc3 e4 8. f4 exf3 9. Kd4 fxg2 10. Qxb8 gxh1=N
11. Qxc8+ Kd6 *

"""
NULLS = '[Result "*"]\n\n1. e4 -- 2. -- Ke7 3. Ke2 -- *\n\n[Result "1/2-1/2"]\n\n1. e4 e5 2. Ke3 1/2-1/2\n\n'
MATE = '[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n'


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Random games from the array and from positions, those of Chess960, and some in which much happens, in several parts."""
    walks = [random_walk(seed, 120) for seed in range(24)] + [random_walk(seed, 60, fen=fen) for seed, fen in enumerate(STARTS)]
    random = b"".join(pgn_of(start, sans(start, moves)) for start, moves in walks)
    shuffled = b"".join(chess960_walk(seed) for seed in range(8))
    shuffle = " ".join(f"{2 * n + 1}. Nf3 Nf6 {2 * n + 2}. Ng1 Ng8" for n in range(160))
    long = f'[Result "1-0"]\n\n1. e4 d5 2. exd5 {shuffle.split(" ", 1)[1].replace("1. Nf3", "2. Nf3")} 1-0\n\n'
    few = (CASTLES + QUEENS + NULLS + MATE + long).encode()
    folder = tmp_path_factory.mktemp("archive")
    ingest([Source.from_bytes(text, name) for name, text in (("a", random), ("b", shuffled), ("c", few))], folder, part_games=15)
    return Dataset.open(folder)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Statistics]:
    """All statistics of moves by one of the engines, in blocks of so many rows."""

    def count(archive: Dataset, engine: str, *, block_rows: int = 400, **options: bool) -> Statistics:
        monkeypatch.setenv(VARIABLE, engine)
        monkeypatch.setattr(importlib.import_module(WALK), "blocks", partial(blocks, block_rows=block_rows))
        return stats(archive, tables=WALKED, **options)

    return count


def test_both_engines_count_the_same(archive: Dataset, counted: Callable[..., Statistics]) -> None:
    native = counted(archive, "native", include_invalid=True)
    check_equal(native, counted(archive, "reference", include_invalid=True, block_rows=1))
    # What is compared is not empty.
    activity, walks = native.to_pandas("piece_activity"), native.to_pandas("king_walks")
    assert activity[["moves", "captures", "checks", "mates"]].sum().gt(0).all()
    assert native.to_pandas("captures")["en_passant"].sum()
    assert native.to_pandas("promotions")["promotions"].min()
    assert set(native.to_pandas("castling_moves")["wing"]) == {"kingside", "queenside"}
    assert not walks[walks["until"] == "end"]["games"].equals(walks[walks["until"] == "queen"]["games"])
    assert len(native["imbalances"]) > 3
    assert len(native["material_scores"]) > 3
    assert native.to_pandas("material_by_move")["queens_share"].between(0, 1, inclusive="neither").any()


def rewritten(archive: Dataset, folder: Path, *changes: tuple[str, str]) -> Dataset:
    """The dataset with other plies: each part has one of the changes, a column and what its moves have there."""
    shutil.copytree(archive.path, folder, dirs_exist_ok=True)
    for file, (column, value) in zip(sorted((folder / "plies").glob("*.parquet")), cycle(changes), strict=False):
        table = pq.read_table(file)
        field = table.schema.field(column)
        plain = table[column].cast(pa.string())
        values = pc.if_else(pc.is_valid(table["role"]), value, plain).cast(field.type)
        pq.write_table(table.set_column(table.schema.get_field_index(column), field, values), file)
    written = Dataset.open(folder)
    for part in written.manifest.parts:  # else the file would be taken for a damaged one
        part.bytes["plies"] = (folder / "plies" / part.name).stat().st_size
    return written


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_captures_by_nobody_are_refused(
    archive: Dataset, tmp_path: Path, counted: Callable[..., Statistics], engine: str
) -> None:
    with pytest.raises(DatasetError, match=r"say what is captured and not by what; ingest again with --overwrite\."):
        counted(rewritten(archive, tmp_path, ("role", "dragon")), engine)


def test_games_that_cannot_be_are_counted_alike(archive: Dataset, tmp_path: Path, counted: Callable[..., Statistics]) -> None:
    changes = [("uci", "a7a8q"), ("uci", "nonsense"), ("castling", "queenside"), ("captured", "queen"), ("captured", "king")]
    odd = rewritten(archive, tmp_path, *changes)
    check_equal(counted(odd, "native"), counted(odd, "reference"))


def test_arrays_of_another_size_are_refused() -> None:
    from chesstools._core import Block, count_activity, follow_kings

    one, moves = np.zeros(1, np.uint8), np.array([12 | 28 << 6], np.uint16)
    nothing = np.full(1, 255, np.uint8)
    block = Block(moves, [one, nothing, nothing, one, one, one], np.ones(1, np.int64), one)
    squares = np.zeros((4, 2, 64), np.int64)
    kings = follow_kings(block, np.array([4, 60], np.uint8), np.ones(2, np.int64), squares)
    assert kings[0] == b"\xff\xff"
    assert squares[2, 0, 4] == squares[2, 1, 60] == 1
    with pytest.raises(ValueError, match="not of the same length"):
        follow_kings(block, np.array([4, 60], np.uint8), np.ones(2, np.int64), squares[:3].copy())
    with pytest.raises(ValueError, match="not of the same length"):
        count_activity(block, [np.zeros(2, np.int64)] * 6)
    squares.flags.writeable = False
    with pytest.raises(ValueError, match="cannot be written"):
        follow_kings(block, np.array([4, 60], np.uint8), np.ones(2, np.int64), squares)
    with pytest.raises(ValueError, match="not the plies of these games"):
        Block(moves, [one, nothing, nothing, one, one, one], np.full(1, 2, np.int64), one)
    with pytest.raises(ValueError, match="not the plies of these games"):
        Block(moves, [one + 6, nothing, nothing, one, one, one], np.ones(1, np.int64), one)
