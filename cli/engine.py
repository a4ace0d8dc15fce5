"""Tells that the slow engine runs, where nobody asked for it."""

from __future__ import annotations

import os

import click

from chesstools.engines import HOW_TO_GET_IT, VARIABLE, choose, why_not_native


def chosen_engine(engine: str | None, *, quiet: bool) -> str:
    """What `engine` or the environment chooses. Where that is the slow engine for lack of the core, standard error says so."""
    chosen = choose(engine)
    wanted = engine or os.environ.get(VARIABLE) or "auto"
    if chosen == "reference" and wanted == "auto" and not quiet:
        click.echo(
            f"chesstools: the slow engine runs, as the native one cannot be used ({why_not_native()}): {HOW_TO_GET_IT}.", err=True
        )
    return chosen
