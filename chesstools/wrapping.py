"""Breaks text into lines for a terminal, where Chinese characters take two columns each.

Chinese is written without blanks, so a line may end behind any of its characters; but no line begins with a mark that
closes (，。”) or ends in one that opens (“（). Words of other scripts stay whole.
"""

from __future__ import annotations

import re
import unicodedata

_WIDE = "\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\uffe0-\uffe6"
_OPENING = "（“‘《〈【「"
_CLOSING = "，。；：、？！）”’》〉】」…"
# What stays on one line: one wide character or a word of others, with the marks that cling to it.
_UNIT = re.compile(rf"( *)([{_OPENING}]*(?:[{_WIDE}]|[^ {_WIDE}]+)[{_CLOSING}]*)")


def cells(text: str) -> int:
    """How many columns of a terminal a text takes.

    >>> cells("king"), cells("国王")
    (4, 4)
    """
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def pad(text: str, width: int) -> str:
    """`text` with blanks behind it up to `width` columns.

    >>> pad("王", 4) + "|"
    '王  |'
    """
    return text + " " * (width - cells(text))


def wrap(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """The lines of a paragraph. `first` and `rest` stand before the first and each further line and count as part of it.

    A word that is longer than a line is not broken. Runs of blanks count as one.

    >>> wrap("The king moves", 9, rest="  "), wrap("王被将死，对局结束。", 8)
    (['The king', '  moves'], ['王被将', '死，对局', '结束。'])
    """
    lines, line, empty = [], first, True
    for match in _UNIT.finditer(text):
        blank, unit = " " if match[1] and not empty else "", match[2]
        if not empty and cells(line) + len(blank) + cells(unit) > width:
            lines.append(line)
            line, blank = rest, ""
        line += blank + unit
        empty = False
    return [*lines, line]
