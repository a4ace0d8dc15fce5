"""What DuckDB says of a query that fails, as one sentence."""

from __future__ import annotations

import re

_KIND = re.compile(r"^(?:\w+ ){1,3}Error: ")
_PLACE = re.compile(r"(?<!\n)\n+LINE (\d+): (.*)\n( *)\^[\^ ]*", re.DOTALL)
_ADVICE = re.compile(r"""[.;]?\s+Use "SET [^"]*" [^.\n]*\.?""")
"""Settings are locked here, so nobody can do so."""

RESERVED = ("check", "limit")
"""Columns that are words of SQL too."""

_MOST = 500
"""Letters of a message; DuckDB sometimes lists all functions there are."""

_LONG = 10_000
"""Letters of a message that says again what somebody wrote: of such no more than the beginning is looked at."""


def sentence(error: Exception, *, before: str = "", lines_more: int = 0) -> str:
    """The message on one line, with the place in the SQL behind it.

    `before` is what the user wrote before this statement, `lines_more` the number of lines that were put before it.

    >>> import duckdb
    >>> try:
    ...     duckdb.sql("SELECT 1 +")
    ... except duckdb.Error as error:
    ...     print(sentence(error))
    The SQL cannot be run: syntax error at or near "+" (line 1, column 10).
    """
    message = str(error)
    if len(message) > _LONG:
        message = message[: 2 * _MOST]
    place = ""
    if found := _PLACE.search(message):
        column = len(found[3]) - len(f"LINE {found[1]}: ") + 1
        shown = found[2].startswith("...")  # a long line is cut
        number = int(found[1]) - lines_more
        if number == 1:
            column += len(before.rpartition("\n")[2])
        number += before.count("\n")
        place = f" (line {number})" if shown or column < 1 else f" (line {number}, column {column})"
        message = message[: found.start()] + message[found.end() :]
    message = _ADVICE.sub("", _KIND.sub("", message))
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    text = lines[0].rstrip(".!:") if lines else type(error).__name__
    for line in lines[1:]:
        text += ("; " if not text.endswith((":", ";")) else " ") + (line[0].lower() + line[1:] if line[1:2].islower() else line)
    text = text.rstrip(".!")
    if len(text) > _MOST:
        text = text[:_MOST] + " …"
    for name in RESERVED:
        if text.endswith(f'at or near "{name}"'):
            place += f'; the column of that name is written "{name}", with the marks'
    return f"The SQL cannot be run: {text}{place}{'' if text.endswith('?') and not place else '.'}"
