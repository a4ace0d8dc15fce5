"""How one game ended: what `endings.py` finds out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Ending:
    """How a game ended, as far as it can be told."""

    result: str | None = None
    """The result in its standard spelling: the tag's, or else the marker's."""
    marker: str | None = None
    status: str | None = None
    """checkmate, stalemate, dead or none; None where there is no board."""
    reason: str | None = None
    basis: str | None = None
    unclaimed_draw: bool | None = None
