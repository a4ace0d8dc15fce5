"""All statistics, in the order in which they are told of. A new family is added here, and nowhere else."""

from __future__ import annotations

from chesstools.stats import outcomes
from chesstools.stats.statistic import Statistic

FAMILIES = {
    "Outcomes": outcomes.STATISTICS,
}
"""Headings of `docs/statistics.md`, and what stands under them."""

STATISTICS: dict[str, Statistic] = {statistic.name: statistic for family in FAMILIES.values() for statistic in family}
"""The statistics by name."""
