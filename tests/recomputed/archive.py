"""An archive with its statistics, and the frames that they are compared with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from pathlib import Path

import pandas as pd

from chesstools import Dataset, ingest
from chesstools.source import Source
from chesstools.stats import Statistics, stats
from recomputed import RECOMPUTED
from recomputed.frames import Frames


class Archive:
    """Sources, read once; what is asked of them is worked out when it is first asked for."""

    def __init__(self, sources: Sequence[Path | Source], folder: Path) -> None:
        ingest(sources, folder, part_games=60)
        self.dataset = Dataset.open(folder)
        self.frames = Frames(self.dataset)

    @cached_property
    def found(self) -> Statistics:
        """All statistics, as the product computes them."""
        return stats(self.dataset)

    @cache  # noqa: B019 - an archive lives as long as the tests do
    def expected(self, name: str) -> pd.DataFrame:
        """A statistic, worked out in the other way."""
        return RECOMPUTED[name](self.frames)
