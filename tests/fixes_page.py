"""docs/fixes.md, made from the catalogue: ``python -m tests.fixes_page > docs/fixes.md``."""

from __future__ import annotations

from chesstools.fixes.report import REPORT
from chesstools.rules import all_rules

HEAD = """# What `chesstools fix` repairs

Made from the catalogue by `python -m tests.fixes_page > docs/fixes.md`; do not edit.

**safe** repairs are made by default. They cannot change what a game says: its tags (but for the one that is repaired), moves,
glyphs, comments, variations and result are the same before and after. **unsafe** ones are made with `--unsafe`, and want to be
looked at. A repair stays only where the game, judged again, no longer has the findings that it answers and has no new ones.
Where both are given, the safe part is made by default.

Two things are decided so:

- Missing roster tags get `?`, by default: this is what the standard has for values that are not known, so nothing is claimed.
  `--ignore P106` leaves them out.
- `!` and `?` become glyphs, by default, as the export format has nothing else. `--ignore N407` leaves them.

Where PlyCount speaks of other moves than there are, and the text too looks as if some were missing (no result, an open comment,
numbers that jump), number, result, comment and PlyCount stay as they are: one of them must not be made to fit after the other.

| rule | repair | |
|---|---|---|
"""


REPORT_HEAD = """
## The report

`--report FILE` writes these columns, whether to JSON Lines, CSV or Parquet. Bytes stand in it as text: UTF-8 as it is, a
backslash as `\\\\`, line ends as `\\r` and `\\n`, all that is no printable text as `\\x` and two digits. `--revert` takes the
changes back, of one file or of several (a folder, a glob), and compares size and hash of what comes out.

| column | |
|---|---|
"""


def page() -> str:
    """The whole page."""
    rows = []
    for rule in all_rules():
        for level, text in rule.fix.items():
            rows.append(f"| {rule.code} {rule.name} | {'–' if level == 'none' else level} | {text} |\n")
    columns = [f"| {field.name} | {field.metadata[b'meaning'].decode()} |\n" for field in REPORT]
    return HEAD + "".join(rows) + REPORT_HEAD + "".join(columns)


if __name__ == "__main__":
    print(page(), end="")
