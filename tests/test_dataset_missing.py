"""Sources of an unfinished dataset that are missing, and are there again; and where none is left."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from cluster_ingest import tables
from command_line import command
from datasets import Stop, manifest, pgn, stop_after
from loop_cluster import LoopCluster

from chesstools.cluster import Cluster
from chesstools.dataset import ingest
from chesstools.errors import OptionError

NAMES = ["a.pgn", "b.pgn", "c.pgn"]


def run(sources: Sequence[str], *, on_cluster: bool = False, **options: Any) -> list[tuple[int, str | None]]:
    """The games and errors of the sources."""
    if on_cluster:
        options |= {"cluster": cast("Cluster", LoopCluster(1)), "stretch_bytes": 1000}
    summary = ingest(sources, "many", part_games=10, block_bytes=100, engine="reference", raise_source_errors=False, **options)
    return [(source.games, source.error) for source in summary.sources]


@pytest.mark.parametrize("on_cluster", [False, True])
def test_a_source_that_is_there_again(here: Path, on_cluster: bool) -> None:
    """Nothing of it is lost, however far it was read before it was given up."""
    for number, name in enumerate(NAMES):
        Path(name).write_text(pgn(40 * number, 40 * number + 40))
    with pytest.raises(Stop):
        run(NAMES, on_cluster=on_cluster, progress=stop_after(4 if on_cluster else 6))
    gone = next(entry["name"] for entry in manifest("many")["sources"] if not entry["done"])
    Path(gone).rename("away")
    with pytest.raises(Stop):
        run([name for name in NAMES if name != gone], on_cluster=on_cluster, without_missing=True, progress=stop_after(1))
    assert [entry["name"] for entry in manifest("many")["sources"] if entry.get("given_up")] == [gone]
    Path("away").rename(gone)
    assert run(NAMES, on_cluster=on_cluster) == [(40, None)] * 3
    assert manifest("many")["state"] == "complete"
    ingest(NAMES, "one", part_games=10, engine="reference")
    assert tables("many") == tables("one")


def test_no_source_is_left(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.pgn").write_text(pgn(0, 40))
    with pytest.raises(Stop):
        run(["a.pgn"], progress=stop_after(1))
    read = manifest("many")["sources"][0]["summary"]["games"]
    Path("a.pgn").unlink()
    with pytest.raises(OptionError, match=r"^Name at least one source"):
        run([])
    for options in ({"output": "none"}, {"output": "many", "overwrite": True}):
        with pytest.raises(OptionError, match=r"^Name at least one source"):
            ingest([], without_missing=True, **options)  # type: ignore[arg-type]
    cli = command(capsys)
    assert cli("ingest", "-o", "many", "-q").err.startswith("chesstools: Name at least one source")
    assert [(games, error is None) for games, error in run([], without_missing=True)] == [(read, False)]
    assert manifest("many")["state"] == "complete"
