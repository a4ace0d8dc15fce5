"""What a file holds, from its first bytes, and from its name where these leave it open."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from chesstools.compression import SUFFIXES
from chesstools.readers import BY_SUFFIX
from chesstools.readers.arrow_tables import ARROW_MAGIC, PARQUET_MAGIC, STREAM_MAGIC
from chesstools.readers.csv_table import delimiter_of
from chesstools.readers.move_list import UCI_LINE
from chesstools.readers.positions import POSITION_LINE

HEAD_BYTES = 4096

_JSON = re.compile(rb'\s*(?:\{\s*(?:"|\}\s*\Z)|\[\s*[{\]])')
_PGN = re.compile(rb'\s*(?:\[[ \t]*[A-Za-z0-9_]+[ \t]*"|[%;{(]|1[ \t]*\.)')


def recognise(name: str, head: bytes) -> str:
    """The format of a file that begins with `head` (`HEAD_BYTES` of it, unpacked): a key of `chesstools.readers.READERS`.

    >>> recognise("games.json", b'{"tags": []}'), recognise("games.txt", b"e2e4 e7e5\\n"), recognise("x", b"PAR1")
    ('json', 'moves', 'parquet')
    """
    if head.startswith(PARQUET_MAGIC):
        return "parquet"
    if head.startswith((ARROW_MAGIC, STREAM_MAGIC)):
        return "arrow"
    suffix = suffix_of(name)
    head = head.removeprefix(b"\xef\xbb\xbf")
    line = _first_line(head)
    if _JSON.match(head) and suffix != ".pgn":
        return "json"
    named = BY_SUFFIX.get(suffix)
    if named == "pgn" or (named in ("csv", "moves", "positions", "json") and not _is_tag_line(line)):
        return named
    if POSITION_LINE.match(line):
        return "positions"
    if UCI_LINE.fullmatch(line):
        return "moves"
    if not _PGN.match(head) and delimiter_of(line.decode("utf-8", "replace")):
        return "csv"
    return "pgn"


def suffix_of(name: str) -> str:
    """The last part of a name behind a dot, in small letters, without that of a packing.

    >>> suffix_of("a/b.JSONL.zst")
    '.jsonl'
    """
    path = PurePosixPath(name.lower())
    return PurePosixPath(path.stem).suffix if path.suffix in SUFFIXES else path.suffix


def _is_tag_line(line: bytes) -> bool:
    """Whether this is PGN, whatever the name says."""
    return re.match(rb'\s*\[[ \t]*[A-Za-z0-9_]+[ \t]*"[^\r\n]*"[ \t]*\]\s*\Z', line) is not None


def _first_line(head: bytes) -> bytes:
    return next((line for line in re.split(rb"[\r\n]+", head) if line.strip() and not line.startswith(b"#")), b"")
