"""Moves with the letters of another language, and the numbers of correspondence chess (ICCF), in one game's movetext, to English.

Which language it is, the letters tell that English has not: of all languages that have every letter of the game, those stay that
give it another meaning. Where several stay, the one under which the game can be played to its end is right, if it is just one.
Else nothing is changed: what is ambiguous is reported, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from chesstools.languages import AUTO, ICCF, LANGUAGES, Language
from chesstools.reference.lexer import Kind, Token, tokens

_ENGLISH = frozenset(LANGUAGES["en"].roles)
_SIGNS = sorted({sign for language in LANGUAGES.values() for sign in language.roles}, key=len, reverse=True)
_LETTER = "(?:" + "|".join(map(re.escape, _SIGNS)) + ")"
_MOVE = re.compile(
    rf"""(?P<role>{_LETTER})?
         (?P<middle>[a-hасе]?[1-8]?[-x:×]?[a-hасе][1-8])
         (?P<sign>=|/)? (?P<bracket>\()? (?P<promotion>{_LETTER})? (?(bracket)\))
         (?P<end>(?:e\.?p\.?)?[+\#†‡]*)""",
    re.VERBOSE,
)
_ICCF = re.compile(r"(?P<from>[1-8]{2})(?P<to>[1-8]{2})(?P<promotion>[1-4])?")
_DESCRIPTIVE = re.compile(r"[KQ]?[KQRBNP][KQRBNP]?[-x][KQ]?[KQRBNP][1-8]?(?:ch|\+)?|P-[KQ]?[RNBKQ][1-8].*")
_PROMOTIONS = {"1": "q", "2": "r", "3": "b", "4": "n"}
_LOOKALIKES = str.maketrans("асе×†‡", "acex+#")
"""Cyrillic а, с and е look as a, c and e do, and are typed for them; the others are signs of books."""

_WORDS = frozenset({Kind.MOVE, Kind.WORD})

PlayTest = Callable[[bytes], bool]
"""Whether the text of a game can be played to its end."""


@dataclass(frozen=True, slots=True)
class Word:
    """A move as it is written, and its place in the text (bytes)."""

    start: int
    end: int
    match: re.Match[str]

    @property
    def letters(self) -> Iterator[str]:
        """The letters of men in it."""
        return (sign for sign in (self.match["role"], self.match["promotion"]) if sign)


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found out about one game.

    Attributes:
        text: it with English letters; None where nothing was changed.
        language: what it was read as; empty where it is English.
        rivals: the languages that are as good as each other; the text is unchanged then.
        is_descriptive: whether it is in descriptive notation (P-K4), which is not read.
    """

    text: bytes | None = None
    language: str = ""
    rivals: tuple[str, ...] = ()
    is_descriptive: bool = False


def read(data: bytes, wanted: str, can_be_played: PlayTest) -> Reading:
    """A game's text with English letters. `wanted` is ``auto``, ``iccf`` or the name of a language.

    >>> reading = read(b"1. Sf3 Sf6 2. g3 {Lg2} Lg7 *", "auto", lambda data: True)
    >>> reading.text, reading.language
    (b'1. Nf3 Nf6 2. g3 {Lg2} Bg7 *', 'German/Danish/Norwegian/Swedish')
    >>> read(b"1. 5254 5755 *", "auto", lambda data: True).text
    b'1. e2e4 e7e5 *'
    """
    found = [token for token in tokens(data) if token.kind in _WORDS]
    if wanted in (AUTO, ICCF):
        numbers = list(_numbers(data, found))
        if numbers:
            return Reading(_replaced(data, numbers), "ICCF numbers")
        if wanted == ICCF:
            return Reading()
    if any(_DESCRIPTIVE.fullmatch(data[token.start : token.end].decode("ascii", "replace")) for token in found):
        return Reading(is_descriptive=True)
    words = list(_words(data, found))
    if wanted != AUTO:
        language = LANGUAGES[wanted]
        text = _replaced(data, _english(words, language.roles))
        return Reading(text if text != data else None, language.title if text != data else "")
    return _decide(data, words, can_be_played)


def _decide(data: bytes, words: list[Word], can_be_played: PlayTest) -> Reading:
    letters = {sign for word in words for sign in word.letters}
    if letters <= _ENGLISH:
        return Reading()
    texts: dict[bytes, list[Language]] = {}
    for language in LANGUAGES.values():
        if language.name != "en" and letters <= language.roles.keys():
            texts.setdefault(_replaced(data, _english(words, language.roles)), []).append(language)
    if len(texts) > 1:
        playable = {text: languages for text, languages in texts.items() if can_be_played(text)}
        if len(playable) != 1:
            rivals = [_titles(languages) for languages in (playable or texts).values()]
            return Reading(rivals=tuple(rivals))
        texts = playable
    for text, languages in texts.items():
        return Reading(text, _titles(languages)) if text != data else Reading()
    return Reading()


def _titles(languages: Iterable[Language]) -> str:
    """The languages, of which nobody needs to know which it is, as the letters mean the same in all of them."""
    return "/".join(language.title for language in languages)


def _numbers(data: bytes, found: list[Token]) -> Iterator[tuple[int, int, str]]:
    """Moves as ICCF writes them, in UCI form. None unless all words of the game are such."""
    made = []
    for token in found:
        match = _ICCF.fullmatch(data[token.start : token.end].decode("ascii", "replace"))
        if match is None:
            return
        squares = "".join("abcdefgh"[int(square[0]) - 1] + square[1] for square in (match["from"], match["to"]))
        made.append((token.start, token.end, squares + _PROMOTIONS.get(match["promotion"] or "", "")))
    yield from made


def _words(data: bytes, found: list[Token]) -> Iterator[Word]:
    for token in found:
        match = _MOVE.fullmatch(data[token.start : token.end].decode("utf-8", "replace"))
        if match is not None:
            yield Word(token.start, token.end, match)


def _english(words: list[Word], roles: Mapping[str, str]) -> Iterator[tuple[int, int, str]]:
    """The words that are written otherwise in English."""
    for word in words:
        match = word.match
        role = roles.get(match["role"], match["role"]) if match["role"] else ""
        promotion = match["promotion"] or ""
        tail = (match["sign"] or "") + (match["bracket"] or "") + roles.get(promotion, promotion)
        tail += ")" if match["bracket"] else ""
        text = ("" if role == "P" else role) + match["middle"].translate(_LOOKALIKES) + tail + match["end"].translate(_LOOKALIKES)
        if text != match.group():
            yield word.start, word.end, text


def _replaced(data: bytes, edits: Iterable[tuple[int, int, str]]) -> bytes:
    out = []
    at = 0
    for start, end, text in edits:
        out += [data[at:start], text.encode()]
        at = end
    return b"".join([*out, data[at:]])
