"""What a game tree can hold: what can come from reading PGN. All else could not be written as PGN and read as the same.

Each ``why_not`` says in a few words what is wrong with a text for its place in a tree, or gives None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from chesstools.errors import OptionError
from chesstools.limits import MAX_VARIATION_DEPTH
from chesstools.reference.comments import normalise
from chesstools.reference.lexer import COMMENTS, FILLERS, Kind, Token, tokens
from chesstools.reference.raw_text import FIRST_NUMBER, has_name, raw_pieces
from chesstools.reference.tags import read_bad

__all__ = ["MAX_VARIATION_DEPTH"]

_TAGS = frozenset({Kind.TAG, Kind.BAD_TAG})
_NUMBERS = frozenset({Kind.NUMBER, Kind.DOTS})
_MOVES = frozenset({Kind.MOVE, Kind.NULL, Kind.WORD})
_TAG_NAME = re.compile(r'[^ \t\r\n\x0b\x0c\[\]"{}();$%]+')


def why_not_text(text: str) -> str | None:
    """Why it is no text: half of a surrogate pair is no character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "must be made of whole characters"
    return None


def why_not_tag_name(text: str) -> str | None:
    """Why no tag has that name."""
    return None if _TAG_NAME.fullmatch(text) else "must be a name without blanks, brackets and quotes"


def why_not_unread_tag(text: str) -> str | None:
    """Why no line of a tag section is read so."""
    found = tokens(text.encode())
    if len(found) == 1 and found[0].kind is Kind.BAD_TAG and read_bad(text)[1] is None:
        return None
    return "must be a line that looks like a tag pair and is none"


def check_order(unread_tags: list[str]) -> None:
    """Raise OptionError where one that has a name stands behind one that has none."""
    named = [has_name(line) for line in unread_tags]
    if named != sorted(named, reverse=True):
        raise OptionError("unread_tags must have those with a name before those without.")


def why_not_comment(text: str) -> str | None:
    """Why no comment says that."""
    return None if text and normalise(text) == text else "must be text without line breaks and without blanks at its ends"


def why_not_result(text: str) -> str | None:
    """Why it is no termination marker."""
    kinds = [token.kind for token in tokens(text.encode())]
    return None if kinds == [Kind.RESULT] or text == "0-0" else "must be a termination marker"


def why_not_move(text: str) -> str | None:
    """Why it cannot be a move, whatever the position."""
    kinds = [token.kind for token in _tokens(text)]
    return None if len(kinds) == 1 and kinds[0] in (Kind.MOVE, Kind.NULL) else "must be a move"


def why_not_unread(text: str, *, in_variation: bool) -> str | None:
    """Why it is no token that means nothing."""
    kinds = [token.kind for token in _tokens(text)]
    fine = {Kind.SYMBOL, Kind.BAD_NAG, Kind.NAG, Kind.EN_PASSANT, Kind.OFFER, Kind.RESULT if in_variation else Kind.CLOSE}
    if len(kinds) != 1 or kinds[0] not in fine or (kinds[0] is Kind.NAG and int(text[1:]) <= 255):
        return "must be one token that means nothing where it stands"
    return None


def why_not_unread_of(depth: int) -> Callable[[str], str | None]:
    """`why_not_unread` for a line so deep in variations."""
    return partial(why_not_unread, in_variation=depth > 0)


def why_not_rest(text: str, *, in_variation: bool) -> str | None:
    """Why no line that is replayed ends so."""
    kinds = _raw_kinds(text)
    solid = [kind for kind in kinds or () if kind not in _NUMBERS]
    if kinds is not None and (not solid or solid[0] not in _MOVES):
        return "must begin with a move or a word"
    return _why_not_brackets(kinds, in_variation=in_variation)


def why_not_rest_of(depth: int) -> Callable[[str], str | None]:
    """`why_not_rest` for a line so deep in variations."""
    return partial(why_not_rest, in_variation=depth > 0)


def why_not_tail(text: str) -> str | None:
    """Why it is not the text of a variation that is nested too deeply to be replayed."""
    return _why_not_brackets(_raw_kinds(text), in_variation=True)


def why_not_behind(text: str) -> str | None:
    """Why it cannot stand behind a termination marker."""
    if _raw_kinds(text) is None:
        return _NOT_RAW
    for piece in raw_pieces(text):
        if not piece.is_comment and any(map(FIRST_NUMBER.fullmatch, _numbers(piece.text))):
            return "must not hold the move number 1"
    return None


_NOT_RAW = "must be in the form of raw text, without tag pairs"


def _why_not_brackets(kinds: list[Kind] | None, *, in_variation: bool) -> str | None:
    if kinds is None:
        return _NOT_RAW
    depth = 0
    for kind in kinds:
        depth += (kind is Kind.OPEN) - (kind is Kind.CLOSE)
        if depth < 0 and in_variation:
            return "must not close the variation"
        depth = max(depth, 0)
        if kind is Kind.RESULT and not depth and not in_variation:
            return "must not hold a termination marker outside brackets"
    return "must close the brackets that it opens" if depth else None


def _tokens(piece: str) -> list[Token]:
    """Tokens of text that stands behind something else on its line."""
    return tokens(b"{}" + piece.encode())[1:]


def _numbers(piece: str) -> Iterator[str]:
    """The move numbers in text that stands behind something else on its line."""
    data = piece.encode()
    for token in _tokens(piece):
        if token.kind is Kind.NUMBER:
            yield data[token.start - 2 : token.end - 2].decode(errors="replace")


def _raw_kinds(text: str) -> list[Kind] | None:
    """Kinds of the tokens of a raw text; None where it is none."""
    kinds: list[Kind] = []
    again: list[str] = []
    for piece in raw_pieces(text):
        found = [token.kind for token in _tokens(piece.text)]
        if piece.is_comment:
            said = piece.text[2:-2] if piece.text[0] == "{" else piece.text[2:]
            if len(found) != 1 or found[0] not in (Kind.COMMENT, Kind.LINE_COMMENT) or why_not_comment(said):
                return None
        elif not (_TAGS | FILLERS | COMMENTS).isdisjoint(found):
            return None
        kinds += found
        if again and not again[-1].endswith("\n"):
            again.append(" ")
        again.append(piece.text + "\n" * piece.text.startswith(";"))
    # One blank between two pieces, and none elsewhere.
    return kinds if kinds and "".join(again) == text else None
