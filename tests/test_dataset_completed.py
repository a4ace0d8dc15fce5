"""A run that ends with an error right behind its last writing of the manifest: whatever that lists must stay."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from loop_cluster import LoopCluster

from chesstools.cluster import Cluster
from chesstools.dataset import Dataset, ingest
from chesstools.errors import DatasetError
from chesstools.local_folder import NewLocalFile
from chesstools.manifest import FILE_NAME

GAME = """\
[Event "Cup"]
[White "Adams, Ann"]
[Black "Baker, Bob"]
[Date "2020.01.01"]
[Result "*"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 *

"""


@pytest.mark.parametrize("on_cluster", [False, True])
@pytest.mark.parametrize("is_full", [False, True])
def test_what_a_complete_manifest_lists_is_there(
    here: Path, monkeypatch: pytest.MonkeyPatch, on_cluster: bool, is_full: bool
) -> None:
    """Be the dataset complete on the disk, or running again: both are true of the files."""
    Path("a.pgn").write_text(GAME * 2)
    published, closed = NewLocalFile.publish, NewLocalFile.close
    manifest = Path("many", FILE_NAME)

    def is_complete() -> bool:
        return manifest.exists() and '"state": "complete"' in manifest.read_text()

    def publish(file: NewLocalFile) -> int:
        size = published(file)
        if is_complete():
            raise KeyboardInterrupt
        return size

    def close(file: NewLocalFile) -> None:
        if is_full and is_complete():
            raise DatasetError("There is no room.")
        closed(file)

    cluster = cast("Cluster", LoopCluster(1)) if on_cluster else None
    with monkeypatch.context() as patch:
        patch.setattr(NewLocalFile, "publish", publish)
        patch.setattr(NewLocalFile, "close", close)
        with pytest.raises(KeyboardInterrupt):
            ingest("a.pgn", "many", also="A860", cluster=cluster)
    assert is_complete() is is_full
    if not is_full:
        ingest("a.pgn", "many", also="A860", cluster=cluster)
    dataset = Dataset.open("many")
    assert len(dataset.to_pandas("games")) == 2
    assert "A860" in dataset.to_pandas("findings")["code"].tolist()
