"""Records to PGN text: whatever a record holds, it becomes one game, with its exact tags, and no part of its neighbours.

Values from tables are untrusted: a tag value may hold a line break, movetext a whole second game or a comment that never
ends. What PGN cannot say is changed as little as possible, and counted in the report.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from chesstools.errors import SourceError
from chesstools.limits import MAX_COMMENT_BYTES
from chesstools.readers.report import Report
from chesstools.readers.tag_text import read_pairs, tag_text
from chesstools.reference.lexer import COMMENTS, FILLERS, Kind, Token, tokens
from chesstools.reference.raw_text import has_name
from chesstools.reference.segment import Region, Segmenter
from chesstools.reference.values import normalise_result
from chesstools.reference.window import Window

BLOCK_BYTES = 64 * 1024

_BLANKS = b" \t\r\n\x0b\x0c"
_BREAKS = re.compile(rb"[\r\n]+")
_TAGS = frozenset({Kind.TAG, Kind.BAD_TAG})

_MOVE = r"(?:[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](?:=?[QRBNqrbn])?|O-O(?:-O)?|--)[+#]?+[!?]{0,2}+"
_COMMENT = r"\{(?:[^{}\r\n]++|\r?+\n(?![ \t]*[\[\r\n]))*+\}"
"""A comment in which no line looks as if a game began there."""
_BLANK = r"(?: {1,4}(?:\r?\n)?|\r?\n)(?!\r?\n)"
_PIECE = rf"(?:[1-9][0-9]{{0,3}}+\.++|{_MOVE}|\$[0-9]{{1,3}}+|{_COMMENT}|\((?=[^=])|\))"
_PLAIN = re.compile(rf"(?P<body>(?:{_PIECE}(?:{_BLANK}|(?=[)])|(?<=[(.])|$))*+)(?P<result>1-0|0-1|1/2-1/2|\*)?\s*+")
"""Movetext of which it is certain that it is one game: what the standard's own export looks like."""

_UNTAGGED = re.compile(rf"(?:[1-9][0-9]{{0,3}}\.+ ?)?(?:{_MOVE})|1-0|0-1|1/2-1/2|\*")
"""With what it must begin to be a game where no tag pair stands before it."""

_PLAIN_CHARS = 1 << 20
"""Longer movetext is looked at token by token: limits might cut it."""

_FIRST = b"1. {} "
"""A move number and an empty comment are no part of a game, but show that one begins."""

MARKED = "games without a marker that had to be ended by one, as nothing else shows where they end"

_NEXT = b'[Event "?"]\n[Site "?"]\n[Date "?"]\n\n*\n'
"""A game, to see whether what stands before it ends where it should."""


@dataclass(slots=True)
class Record:
    """One game as a reader found it: tag pairs with exact values, and movetext with its termination marker, if it has one."""

    place: str
    """Where it stands, for messages: "line 7"."""
    tags: list[tuple[str, str]]
    movetext: str
    unread_tags: list[str] = field(default_factory=list)
    """Lines that look like tag pairs but cannot be read."""
    is_pgn: bool = False
    """Whether `movetext` is PGN with its own tags (`tags` is empty then); more than one game in it are more than one game."""


@dataclass(slots=True)
class _Text:
    data: bytes
    has_tags: bool
    ends: bool
    """Whether it has a termination marker."""
    has_body: bool
    """Whether it has movetext (other than comments), which ends at the next tag pair."""
    names: Sequence[str] = ()
    """Names of its tags."""
    closing: bytes = b""
    """What ends it where variations were left open: only a tag pair behind it would do so otherwise."""
    marker: bytes = b"*"
    """What ends it where something must."""


def to_pgn(records: Iterable[Record], report: Report) -> Iterator[bytes]:
    """The records as PGN text, in blocks. What is wrong with the source is raised behind the games in front of it."""
    pending = bytearray()
    failure: SourceError | None = None
    before: _Text | None = None
    games = iter(records)
    while True:
        try:
            record = next(games, None)
        except SourceError as error:
            failure, record = error, None
        if record is None:
            break
        text = _game_text(record, report)
        text.marker = _marker(record)
        if before is not None:
            pending += _end(before, text, record.place, report)
        pending += text.data
        before = text
        if len(pending) >= BLOCK_BYTES:
            yield bytes(pending)
            pending.clear()
    if pending:
        yield bytes(pending) + b"\n"
    if failure is not None:
        raise failure
    report.finish()


def _end(before: _Text, text: _Text, place: str, report: Report) -> bytes:
    """What parts a game from the one behind it: a blank line, and a marker where only that could tell."""
    if text.has_tags and (before.ends or before.has_body):
        return b"\n\n"
    if before.closing:
        report.change(place, "variations closed that were left open, as nothing else shows where their game ends")
        return before.closing + b"\n\n"
    if before.ends or (text.names and text.names[0] in before.names and text.names[0] in ("Event", "FEN", before.names[0])):
        return b"\n\n"
    report.change(place, MARKED)
    return (b"\n\n" if before.has_tags and not before.has_body else b"\n") + before.marker + b"\n\n"


def _game_text(record: Record, report: Report) -> _Text:
    movetext = record.movetext
    if record.is_pgn:
        return _whole(record, movetext, report)
    if record.unread_tags and not record.tags and not any(map(has_name, record.unread_tags)):
        # Before the moves they would belong to the game before, as nothing else begins this one. Movetext of tables has them.
        there = set(movetext.splitlines())
        behind = [line for line in record.unread_tags if line not in there]
        movetext = "\n".join([_closed(_encoded(movetext)).decode(), *behind])
        record = replace(record, movetext=movetext, unread_tags=[])
    lines = [tag_text(name, value, record.place, report) for name, value in record.tags]
    head = "".join(lines) + "".join(line + "\n" for line in record.unread_tags)
    names = [name for (name, _), line in zip(record.tags, lines, strict=True) if line]
    has_tags = bool(names)
    plain = _PLAIN.fullmatch(movetext) if len(movetext) < _PLAIN_CHARS else None
    if plain and not record.unread_tags:
        body = plain["body"]
        if body.count("(") == body.count(")") and (has_tags or _UNTAGGED.match(movetext)):
            text = head + "\n" + movetext.rstrip() if has_tags else movetext.rstrip()
            has_body = bool(body) and not body.startswith("{")
            return _Text(_encoded(text), has_tags, plain["result"] is not None, has_body, names)
    if not head and not movetext.strip():
        return _Text(b"*", False, True, True)
    return _careful(record, head, names, report)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")  # half a surrogate pair, as JSON may hold, is no character


def _careful(record: Record, head: str, names: list[str], report: Report) -> _Text:
    """As the segmenter sees it; what does not come out as one game is changed until it does."""
    tags = _encoded(head) + (b"\n" if head else b"")
    wanted = read_pairs(tags)
    body = _without_tags(_encoded(record.movetext).strip(_BLANKS), wanted, record, report)
    region = _one_game(tags + body, wanted)
    if region is None and not names:  # text that begins otherwise than with a move is no game where no tags say so
        region = _one_game(tags + _FIRST + body, wanted)
        body = _FIRST + body if region else body
    if region is None and not _has_play(tags + body) and _one_game(tags + body + b"\n*", wanted):
        if names:
            return _Text(tags + body, True, False, False, names)  # nothing ends it yet; a marker will, where another game follows
        report.change(record.place, MARKED)
        return _Text(tags + body + b"\n*", False, True, False)
    if region is None:
        cut = _first_end(tags + body) - len(tags)
        if cut > 0 and body[cut:].strip(_BLANKS):
            report.change(record.place, "what stands behind the first game of a record is kept as a comment")
            body = body[:cut] + b"\n" + _as_comment(body[cut:])
            region = _one_game(tags + body, wanted)
    if region is None:
        report.change(record.place, "movetext that is not one game is kept as a comment")
        body = _as_comment(_encoded(record.movetext)) + b"*"
        region = _one_game(tags + body, wanted)
    if region is None:
        report.change(record.place, "lines that are no tag pairs are kept as a comment")
        lines = _encoded("".join(line + "\n" for line in record.unread_tags))
        tags = tags[: len(tags) - len(lines) - 1] + b"\n"
        body = _as_comment(lines) + body
        region = _one_game(tags + body, read_pairs(tags))
    if region is None:
        report.skip(record.place, "cannot be written as one game")
        return _Text(b"", True, True, True)
    ends = region.terminator is not None
    return _Text(tags + body, bool(names), ends, _has_play(tags + body), names, _closing(region, _marker(record)))


def _whole(record: Record, movetext: str, report: Report) -> _Text:
    """A record that is PGN itself."""
    data = _closed(_encoded(movetext).strip(_BLANKS))
    regions = [region for region in Segmenter(Window([data + b"\n\n" + _NEXT])) if region.offset < len(data)]
    games = [region for region in regions if region.is_game]
    if not games:
        report.skip(record.place, "holds no game")
        return _Text(b"", True, True, True)
    if len(games) > 1:
        report.change(record.place, "records that hold several games are several games")
    last = regions[-1]
    has_tags = regions[0].is_game and regions[0].tokens[0].kind is Kind.TAG
    return _Text(
        data, has_tags, not last.is_game or last.terminator is not None, _has_play(last.data), closing=_closing(last, b"*")
    )


def _closed(data: bytes) -> bytes:
    """With an end for comments that have none, so that they do not swallow the game behind."""
    out = b""
    at = 0
    for token in tokens(data + b"\n\n" + _NEXT):
        if token.kind is Kind.OPEN_COMMENT and token.start < len(data):
            out += data[at : token.start] + _as_comment(data[token.start + 1 : token.end])
            at = token.end
    return out + data[at:]


def _has_play(data: bytes) -> bool:
    """Whether a tag pair behind a blank line would begin the next game."""
    return any(token.kind not in FILLERS | COMMENTS | _TAGS for token in tokens(data))


def _marker(record: Record) -> bytes:
    """The marker that ends a record where something must: what its Result tag is read as."""
    said = next((value for name, value in record.tags if name == "Result"), None)
    return (normalise_result(said) or "*").encode()


def _closing(region: Region, marker: bytes) -> bytes:
    depth = 0
    for token in region.tokens[: region.terminator and region.terminator + 1]:
        if token.kind is Kind.OPEN:
            depth += 1
        elif token.kind is Kind.CLOSE:
            depth = max(0, depth - 1)
        elif token.kind is Kind.RESULT:
            marker = region.text(token)
    return b"\n" + b")" * depth + b" " + marker if depth else b""


def _one_game(data: bytes, pairs: list[tuple[str, str]]) -> Region | None:
    """The region, where `data` is one game with just these tag pairs, however the next begins; else None."""
    regions = list(Segmenter(Window([data + b"\n\n" + _NEXT])))
    if len(regions) != 2 or not all(region.is_game for region in regions) or regions[1].data != _NEXT:
        return None
    first = regions[0]
    if any(token.kind is Kind.OPEN_COMMENT for token in first.tokens):
        return None
    return first if read_pairs(first.data, first.tokens) == pairs else None


def _first_end(data: bytes) -> int:
    """Where the first game ends, with its termination marker if it has one; 0 where there is none."""
    region = next((region for region in Segmenter(Window([data])) if region.is_game), None)
    if region is None:
        return 0
    return region.offset + len(region.data) if region.terminator is None else region.tokens[region.terminator].end


def _without_tags(body: bytes, pairs: list[tuple[str, str]], record: Record, report: Report) -> bytes:
    """Movetext in which no tag pair stands: what is a tag (or an unread one) of the record already is taken out, others become
    comments.

    Comments that have no end get one.
    """
    body = _closed(body)
    if b"[" not in body:
        return body
    left, unread = Counter(pairs), Counter(record.unread_tags)
    out = bytearray()
    at = 0
    for token in tokens(body):
        if token.kind not in _TAGS:
            continue
        written = body[token.start : token.end]
        found = read_pairs(written, [Token(token.kind, 0, len(written))])
        if not found:
            line = written.decode("utf-8", "replace")
            if unread[line]:
                unread[line] -= 1
                out += body[at : token.start]
                at = token.end
            continue
        out += body[at : token.start]
        at = token.end
        if left[found[0]]:
            left[found[0]] -= 1
        else:
            report.change(record.place, "tag pairs in the movetext that are no tags of the record are kept as comments")
            out += _as_comment(written)
    return bytes(out + body[at:])


def _as_comment(data: bytes) -> bytes:
    """Any text as a comment to the end of the line, which nothing in it can end; in several where it is very long."""
    line = b" ".join(part for line in _BREAKS.split(data) if (part := line.strip(_BLANKS)))
    most = MAX_COMMENT_BYTES // 2
    return b"".join(b"; " + line[start : start + most] + b"\n" for start in range(0, len(line), most))
