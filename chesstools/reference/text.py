"""Blanks as PGN knows them: ASCII ones. Unicode has more, and they are content."""

from __future__ import annotations

BLANKS = " \t\r\n\x0b\x0c"
_TO_SPACE = str.maketrans(dict.fromkeys(BLANKS, " "))


def trim(text: str) -> str:
    """`text` without ASCII blanks at its ends.

    >>> trim(" a\u00a0 ")
    'a\\xa0'
    """
    return text.strip(BLANKS)


def words(text: str) -> list[str]:
    """The parts of `text` between ASCII blanks.

    >>> words(" a  b ")
    ['a', 'b']
    """
    return [word for word in text.translate(_TO_SPACE).split(" ") if word]
