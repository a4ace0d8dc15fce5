"""Places at which a region begins whatever stands before: there a text can be read from without knowing what came first.

What the segmenter remembers is not a state out of few: the names of tags, how deep variations are nested, how far a comment or
a game has come towards its limit; and a `{` may wait for its `}` over eight megabytes. So nothing can answer for all states
that a text may be entered in. But most texts soon come to a place where all of them become one, and `find_anchor` finds it. It
stands at the `[` of a tag pair where

1. a further tag pair fills the next line, and neither holds a `}`,
2. before it stand at least two line breaks with nothing but blanks, tabs and line breaks around them,
3. before those a line ends with `1-0`, `0-1`, `1/2-1/2` or `*` as a word of its own, does not begin with `%` and holds neither
   `;` nor `"`, nor any of `[ ] {` behind its last `}`,
4. every `{` behind the last `}` is ended by a game inside, whatever may follow,
5. a `}`, or another place with (1) and (2), stands before it in the data, and
6. another place with (1) to (5) stands before it in the data.

(1) to (4) are the conditions of `_rust/src/safe_place.rs`, whose head says why a region begins there, and nothing is to be
remembered of the text before, *if the data begins with a region*. Here it may begin anywhere, so three things more must be
ruled out:

- A comment that began before the data and reaches over the place. It ends at the first `}` in the data at the latest, or (where
  braces nest) at one behind that before any blank line. Where there is none, the tag pairs of (5) end it, or the limit of
  comments does before these end. A comment that begins in the data cannot reach the limit, as the data is much shorter.
- A limit of comments or of games that is reached inside of the data because of what stood before: any token may be the last
  before the cut. In a game or in the rest of one this changes nothing, as the tag pair begins a new region all the same. Only
  where a region of no game is cut right behind the result of (3), the white space behind it would belong to the next game.
- That last case cannot be at the second of two such places: at the first a game begins, or up to `MAX_SPACE` before it, and all
  regions from there on are shorter than any limit.
"""

from __future__ import annotations

import re

from chesstools.reference.lexer import game_inside
from chesstools.reference.segment import count_lines

WINDOW_BYTES = 1 << 18
"""So much text is searched for an anchor: hundreds of games, and much less than any limit of `chesstools.limits` that matters
here (a token has at least one byte)."""

MAX_SPACE = 48
"""Most white space before an anchor; a result before it is then near enough to be found in an open comment."""

MAX_OPEN = 16
"""Most unclosed braces before an anchor."""

_TAG_PAIRS = re.compile(
    rb"""(?<=[\r\n]) \[[A-Za-z0-9_]+ [ \t]* " [^\r\n}]{0,1000} " [ \t]* \] [ \t]*
    (?:\r\n|\n|\r) [ \t]* \[[A-Za-z0-9_]+ [ \t]* " [^\r\n}]{0,1000} " [ \t]* \] [^\r\n}]{0,1000} [\r\n]""",
    re.VERBOSE,
)
_RESULT = re.compile(rb"[ \t\r\n](?:1-0|0-1|1/2-1/2|\*)\Z")


def find_anchor(data: bytes) -> int | None:
    """The first anchor in `data`, which is some text from anywhere, `WINDOW_BYTES` at most; None where it has none.

    >>> game = b'[Event "a"]\\n[Site "b"]\\n\\n1. e4 {good} *\\n\\n'
    >>> find_anchor(game * 4) == 2 * len(game)
    True
    """
    known = False
    """Whether a comment from before the data has ended."""
    passed = False
    close = -1
    for pairs in _TAG_PAIRS.finditer(data):
        place = pairs.start()
        if not _follows_blank_line(data, place):
            continue
        close = max(close, data.rfind(b"}", close + 1, place))
        if (known or close >= 0) and _follows_result(data, place) and _braces_are_decided(data, close + 1, place):
            if passed:
                return place
            passed = True
        known = True
    return None


def _follows_blank_line(data: bytes, place: int) -> bool:
    """Condition 2. The line break that ends the line before the blank one is in the data too."""
    return count_lines(_space(data, place)) >= 2


def _space(data: bytes, place: int) -> bytes:
    near = data[max(0, place - MAX_SPACE - 1) : place]
    solid = near.rstrip(b" \t\r\n")
    return near[len(solid) :] if solid else b""


def _follows_result(data: bytes, place: int) -> bool:
    """Condition 3."""
    end = place - len(_space(data, place))
    if _RESULT.search(data, max(0, end - 8), end) is None:
        return False
    begin = max(data.rfind(b"\n", 0, end), data.rfind(b"\r", 0, end)) + 1
    line = data[begin:end]
    behind_comments = line[line.rfind(b"}") + 1 :]
    return begin > 0 and not line.startswith(b"%") and not set(line) & set(b';"') and not set(behind_comments) & set(b"[]{")


def _braces_are_decided(data: bytes, begin: int, place: int) -> bool:
    """Condition 4: whether what follows the place decides nothing about the braces from `begin` on."""
    at = begin - 1
    for _ in range(MAX_OPEN + 1):
        at = data.find(b"{", at + 1, place)
        if at < 0:
            return True
        if game_inside(data, at, place, closed=True, inner=-1) != game_inside(data, at, place, closed=False, inner=-1):
            return False
    return False
