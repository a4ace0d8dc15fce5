"""Letters of the men in other languages, as books and programs write moves there (PGN standard 8.2.3.2 has English only)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from chesstools.errors import OptionError

ROLES = "KQRBNP"
"""King, queen, rook, bishop, knight and pawn, in the order of all letters here."""


@dataclass(frozen=True, slots=True)
class Language:
    """One way to write the men.

    Attributes:
        name: as ``--input-language`` and ``--output-language`` have it.
        title: what to call it in a sentence.
        letters: of king, queen, rook, bishop, knight and pawn. Where there are several for one, the first is written and all are
            read.
    """

    name: str
    title: str
    letters: tuple[tuple[str, ...], ...]

    @property
    def written(self) -> tuple[str, ...]:
        """The six letters that are written.

        >>> LANGUAGES["ru"].written
        ('Кр', 'Ф', 'Л', 'С', 'К', 'п')
        """
        return tuple(signs[0] for signs in self.letters)

    @property
    def roles(self) -> dict[str, str]:
        """Letter → English letter.

        >>> LANGUAGES["de"].roles["S"]
        'N'
        """
        return {sign: role for role, signs in zip(ROLES, self.letters, strict=True) for sign in signs}


def _language(name: str, title: str, letters: str) -> Language:
    return Language(name, title, tuple(tuple(signs.split("/")) for signs in letters.split()))


LANGUAGES = {
    language.name: language
    for language in (
        _language("en", "English", "K Q R B N P"),
        _language("de", "German", "K D T L S B"),
        _language("da", "Danish", "K D T L S B"),
        _language("no", "Norwegian", "K D T L S B"),
        _language("sv", "Swedish", "K D T L S B"),
        _language("nl", "Dutch", "K D T L P p"),
        _language("fr", "French", "R D T F C P"),
        _language("es", "Spanish", "R D T A C P"),
        _language("it", "Italian", "R D T A C P"),
        _language("pt", "Portuguese", "R D T B C P"),
        _language("pl", "Polish", "K H W G S P"),
        _language("cs", "Czech", "K D V S J P"),
        _language("hu", "Hungarian", "K V B F H Gy/G"),
        _language("ru", "Russian", "Кр Ф Л С К п/П"),
        _language("zh", "Chinese", "王/帅 后/後 车/車 象 马/馬 兵"),
        _language("figurine", "figurines", "♔/♚ ♕/♛ ♖/♜ ♗/♝ ♘/♞ ♙/♟"),
    )
}
"""By name. English is what PGN has; figurines are read wherever they stand."""

AUTO = "auto"
"""Whatever language the letters and moves of a game tell."""

ICCF = "iccf"
"""Moves as numbers, as the correspondence chess federation writes them: 5254 for e2-e4."""

INPUT_LANGUAGES = (AUTO, *LANGUAGES, ICCF)
"""What moves can be read in."""


def get_language(name: str) -> Language:
    """The language of that name. Raises OptionError where it is none of `LANGUAGES`.

    >>> get_language("pl").title
    'Polish'
    """
    if name not in LANGUAGES:
        raise OptionError(f"There is no language {name!r} to write moves in; choose from {', '.join(LANGUAGES)}.")
    return LANGUAGES[name]


_FOREIGN = re.compile("(?:Gy?|Кр?|[DTLSFCAHWVJФЛСпП王帅后後车車象马馬兵])[a-h1-8x:-]{0,3}[a-h][1-8](?![a-h1-8x:-])")
"""What a move with letters that English has not begins with; `chesstools/_rust/src/export/foreign.rs` is the same."""


def looks_foreign(word: str) -> bool:
    """Whether a word begins with a letter of men that English has not, and a square.

    >>> [looks_foreign(word) for word in ("Sf3", "Dd1xd8+", "马f3", "Nf3", "Side", "S")]
    [True, True, True, False, False, False]
    """
    return _FOREIGN.match(word) is not None
