"""Tells that the slow engine runs, where nobody asked for it."""

from __future__ import annotations

import os

import click

from chesstools import engines


def chosen_engine(engine: str | None, *, quiet: bool) -> str:
    """What `engine` or the environment chooses. Where that is the slow engine for lack of the core, standard error says so."""
    chosen = engines.choose(engine)
    wanted = engine or os.environ.get(engines.VARIABLE) or "auto"
    if chosen == "reference" and wanted == "auto" and not quiet:
        why = engines.why_not_native()
        click.echo(
            f"chesstools: the slow engine runs, as the native one cannot be used ({why}): {engines.HOW_TO_GET_IT}.", err=True
        )
    return chosen
