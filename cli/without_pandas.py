"""A command does without pandas: none hands out a DataFrame, but pyarrow would load it to convert the first value."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class _WithoutPandas(MetaPathFinder):
    """Says of pandas that it is not installed, which every library that can use it is prepared for."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname == "pandas":
            raise ModuleNotFoundError("No module named 'pandas': the command does without it", name="pandas")
        return None


def keep_out() -> None:
    """From here on this process has no pandas, unless it is loaded already. It saves a command 0.2 to 0.4 seconds."""
    sys.meta_path.insert(0, _WithoutPandas())
