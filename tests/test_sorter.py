"""Records sorted on disk: the same as in memory, whatever fits there, and nothing is left behind."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chesstools import sorter
from chesstools.errors import ChesstoolsError
from chesstools.scratch import scratch_folder, scratching
from chesstools.sorter import Sorter

KIND = np.dtype([("first", "<u8"), ("second", "u1"), ("number", "<u8"), ("value", "<u4")])
KEYS = ["first", "second", "number"]


@given(
    st.lists(st.lists(st.tuples(st.sampled_from([0, 1, 2**63, 2**64 - 1]), st.integers(0, 3)), max_size=20), max_size=12),
    st.integers(1, 30),
    st.integers(2, 4),
)
def test_as_in_memory(batches: list[list[tuple[int, int]]], memory: int, most_runs: int) -> None:
    rows = [(first, second, 0, 7) for batch in batches for first, second in batch]
    rows = [(first, second, number % 5 * 1000 + number, number) for number, (first, second, *_) in enumerate(rows)]
    waiting = iter(rows)
    with scratch_folder() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorter, "MOST_RUNS", most_runs)
        records = Sorter(KIND, KEYS, folder, memory)
        for batch in batches:
            records.add(np.array([next(waiting) for _ in batch], KIND))
        blocks = list(records.blocks())
        assert not list(folder.iterdir())
    assert [tuple(row.tolist()) for block in blocks for row in block] == sorted(rows)
    assert all(len(block) for block in blocks)


def test_what_is_held_does_not_grow() -> None:
    """Blocks are read and given so that no more than the memory allowed is in use."""
    with scratch_folder() as folder:
        records = Sorter(KIND, KEYS, folder, memory=1000)
        numbers = np.random.default_rng(1).permutation(50_000)
        for start in range(0, 50_000, 100):
            batch = np.zeros(100, KIND)
            batch["number"] = numbers[start : start + 100]
            records.add(batch)
        assert len(list(folder.iterdir())) == 50
        read = [block["number"] for block in records.blocks()]
    assert max(map(len, read)) <= 1000
    assert np.array_equal(np.concatenate(read), np.arange(50_000))


def test_a_folder_is_removed_whatever_happens() -> None:
    with suppress(KeyboardInterrupt), scratch_folder() as folder:
        (folder / "file").write_text("text")
        raise KeyboardInterrupt
    assert not folder.exists()


def test_what_the_system_refuses_is_one_sentence(tmp_path: Path) -> None:
    missing = tmp_path / "missing" / "file"
    sentence = r"file cannot be written \(No such file or directory\); free some space there"
    with pytest.raises(ChesstoolsError, match=sentence), scratching(missing):
        missing.write_bytes(b"")
