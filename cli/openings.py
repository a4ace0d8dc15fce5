"""`chesstools openings`: openings of games, as tables and to look at."""

from __future__ import annotations

import os
from difflib import get_close_matches

import click

from .lazy_group import LazyGroup

COMMANDS = {
    "tree": "openings_tree",
    "explore": "openings_explore",
}
"""Subcommand → the module beside this one that defines it under the module's name."""

EPILOG = """\b
Examples:
  chesstools openings archive.pgn.zst -o openings
  chesstools openings explore archive.pgn.zst '1. e4 c5'
"""


class TreeUnlessNamed(LazyGroup):
    """Takes what begins with no subcommand for the arguments of `tree`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (*COMMANDS, *ctx.help_option_names):
            is_mistyped = get_close_matches(args[0], COMMANDS, 1, 0.8) and not os.path.exists(args[0])
            if not is_mistyped:
                args = ["tree", *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=TreeUnlessNamed,
    modules=COMMANDS,
    epilog=EPILOG,
    short_help="Name openings by position; opening trees as Parquet, and to look at.",
)
def openings() -> None:
    """Name the openings of games by their positions, count an opening tree, and look at it.

    'chesstools openings SOURCE|DATASET... -o DIR' is short for 'chesstools openings tree'. A file called explore is given as
    ./explore.
    """
