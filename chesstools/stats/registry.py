"""All statistics, in the order in which they are told of. A new family is added here, and nowhere else."""

from __future__ import annotations

from chesstools.stats import (
    activity,
    draws,
    endings,
    king_routes,
    material,
    move_times,
    openings,
    outcomes,
    players,
    quality,
    rating_tags,
    ratings,
    remarkable,
    survival,
    swings,
)
from chesstools.stats.statistic import Statistic

FAMILIES = {
    "Outcomes": outcomes.STATISTICS,
    "Ratings": (*ratings.STATISTICS, *rating_tags.STATISTICS),
    "Openings": openings.STATISTICS,
    "Endings": endings.STATISTICS,
    "Draws": draws.STATISTICS,
    "Players": players.STATISTICS,
    "Games": remarkable.STATISTICS,
    "Quality": quality.STATISTICS,
    "Pieces and squares": activity.STATISTICS,
    "The 32 men": survival.STATISTICS,
    "Kings": king_routes.STATISTICS,
    "Material": material.STATISTICS,
    "Time": move_times.STATISTICS,
    "Evaluations": swings.STATISTICS,
}
"""Headings of `docs/statistics.md`, and what stands under them."""

STATISTICS: dict[str, Statistic] = {statistic.name: statistic for family in FAMILIES.values() for statistic in family}
"""The statistics by name."""
