"""docs/ratings.md, made from the code: ``python -m tests.ratings_page > docs/ratings.md``."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pyarrow as pa

from chesstools.ratings import points
from chesstools.ratings.state import SCHEMA as STATE
from chesstools.ratings.tables import GAMES, PLAYERS
from chesstools.rules import get_rule

HEAD = """# Ratings

Made from the code by `python -m tests.ratings_page > docs/ratings.md`; do not edit.

`chesstools ratings SOURCE|DATASET… -o DIR` and `chesstools.ratings(…)` rate the players of all games, one game after the
other.

## Order, players, games

Games come in the order of UTCDate (or else Date), UTCTime (or else Time), the numbers in Round and in Board, and then as they
were given. What is not known comes last: a game of 2024.05.?? behind all of May 2024, one without a year behind all others
(or not at all, with `--unknown-dates reject`). DuckDB sorts, in a scratch folder where memory ends; memory grows with the
number of players alone.

A player is told by his name: in composed letters (NFC) and without regard to white space (`--names clean`), exactly, without
regard to case, or by its words in any order (`words`: `Carlsen, Magnus` is `MAGNUS CARLSEN`).

Every game between two different named players that has a result counts. Not counted, and told by G951, are:

"""

METHODS = f"""
Games with illegal moves (M301 to M343) count with their recorded result and are marked `tainted`; `--illegal skip` leaves
them out. Games that were declared lost for both sides (A802) move nothing.

## Elo

The expected score is 1 / (1 + 10^(-d/400)); with `--elo-expectation table` it comes from FIDE's table, which gives hundredths
for whole points. A difference of more than 400 points counts as 400 (`--elo-most-difference`). K is FIDE's: 40 for the first
30 games, then 20, and 10 for good once the rating has reached 2400, with no more than 700 / n for n games of one period; or a
number (`--elo-k`). A player whose rating at the beginning comes from a tag or a table is not new. Source: FIDE Handbook B.02.
Not done, as games do not tell it: K = 40 for juniors, initial ratings from whole tournaments, rounding of the monthly list.

Each game is a rating period of its own. With `--period month` the games of a month are rated together, with the ratings and K
at its beginning, as FIDE does: *before* is then the rating at the beginning of the period, *after* the one with all games of
the period so far.

## Glicko-2

As in Mark E. Glickman's paper *Example of the Glicko-2 system*: a rating, its deviation (how unsure it is) and a volatility.
Rating periods are months, or what `--period` says; *before* and *after* are as above, so the last game of a player in a
period has his rating at its end. Between periods with games the deviation grows, up to that of a new player. With `--period
game` each game is a period for its two players, and deviations do not grow while a player is away.

Three packages for Python were tried on the example of the paper, on the same example 800 points higher (which must give the
same, 800 points higher), and read:

| package | licence, release | found |
|---|---|---|
| glicko2 2.1.0 | MIT, 2024 | used most, but wrong, see below |
| glicko2-py 0.1.0 | MIT, 2026 | right and typed, one release so far; wants all opponents of a period at once |
| pyglicko2 0.0.1a2 | MIT, 2024 | an alpha; right, but a period without games does not change the deviation it shows |

glicko2 puts the rating where the deviation belongs when it looks for the volatility, so its results depend on where 1500 is:
0.059999 instead of 0.059996 in the second example. The example of the paper has a player of 1500, which hides it.

riix (licence not for commercial use) and skelo (built on the first) were left aside. A stream of any length that can be
interrupted within a period needs the two sums of a player's games kept instead of the games, which none of them does. So the
steps stand in `chesstools/ratings/glicko2.py`, 60 lines, tested on every number of the paper and against glicko2-py (equal to
seven digits).

## The points system

{{points}}

All transfers are decimal numbers, each with up to two places more than the points before. They are exact, up to
{points.MOST_PLACES} places: a transfer with more is rounded, half up, and its row says so. Without that limit numbers grow
with the games behind them: rating 10,000, 20,000 and 40,000 games exactly took 5.5, 29 and 120 seconds and numbers of 16,000
to 43,000 bits, four times as much for twice the games. `--points-places` sets another limit. As both players get the same
transfer, the sum of all points never changes.

`provisional` marks players with fewer than 50 games, after which gains are settled, as the text observes.

## Going on

`--state FILE` is read if it is there, and written last. It holds all players with exact values, also in the middle of a
rating period, so that parts of a stream, each from where the last one ended, give the rows of the whole. Games that come
before the last one of the state, sources that it counts already, and other settings are refused. With the same `-o DIR` the
folder grows by a file for each run, named by the number of its first game; files of an earlier try of the same run are
replaced.

## Tables

In `DIR`: `METHOD/games/*.parquet`, `METHOD/players.parquet`, and `findings/*.parquet` with the columns of a dataset's
findings. The same meanings stand in the metadata of each file.
"""


def page() -> str:
    """The whole page."""
    return HEAD + _reasons() + METHODS.replace("{points}", _points()) + "".join(_tables())


def _reasons() -> str:
    return "".join(f"- `{name}`: {text}\n" for name, text in get_rule("G951").phrases["reason"].items())


def _points() -> str:
    """What the module says, as Markdown."""
    lines = (points.__doc__ or "").replace("``", "`").strip().splitlines()[2:]
    table = [number for number, line in enumerate(lines) if line.startswith("===")]
    first, _, last = table
    spans = [(match.start(), match.end()) for match in re.finditer("=+", lines[first])]
    cells = [
        [line[start : end + 2].strip() for start, end in spans] for line in lines[first + 1 : last] if not line.startswith("=")
    ]
    rows = ["| " + " | ".join(row) + " |" for row in cells]
    rows.insert(1, "|---" * len(spans) + "|")
    return "\n".join([*lines[:first], *rows, *lines[last + 1 :]])


def _tables() -> Iterator[str]:
    for method in GAMES:
        yield f"\n### {method}/games\n\n" + _columns(GAMES[method])
        yield f"\n### {method}/players.parquet\n\n" + _columns(PLAYERS[method])
    yield "\n### The state\n\n" + _columns(STATE)


def _columns(schema: pa.Schema) -> str:
    rows = (f"| {field.name} | {_kind(field.type)} | {field.metadata[b'meaning'].decode()} |\n" for field in schema)
    return "| column | type | |\n|---|---|---|\n" + "".join(rows)


def _kind(kind: pa.DataType) -> str:
    return "string" if pa.types.is_dictionary(kind) else str(kind)


if __name__ == "__main__":
    print(page(), end="")
