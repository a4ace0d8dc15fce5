"""JSON as it is found in files: one value a line, one document that holds a long list, or a bare list. Memory stays flat.

A line that is no JSON costs that line only. Within one document nothing can be read behind a mistake.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from chesstools.compression import Feed
from chesstools.readers.lines import MAX_LINE_BYTES, Line, lines
from chesstools.readers.report import Report, shown

_LIST = re.compile(rb'\s*(?:\[|\{\s*"games"\s*:\s*\[)\s*(?=[\[{\]"0-9tfn-])')
_BETWEEN = re.compile(r"\s*(,|\])\s*")
_READ_BYTES = 64 * 1024


@dataclass(slots=True)
class JsonValue:
    """A value and where it begins."""

    place: str
    value: Any


def json_values(feed: Feed, report: Report) -> Iterator[JsonValue]:
    """The values of a file: of each line, or of the list that the document is or has under the key ``games``.

    What is no JSON is reported. Raises SourceError where nothing can be read behind it.
    """
    feed = Feed(_without_bom(feed))
    head = feed.peek(4096)
    if match := _LIST.match(head):
        yield from _items(feed, match.end(), report)
        return
    first = head.lstrip()
    if first.startswith(b"{") and re.match(rb"\{\s*[\r\n]", first):  # written over many lines
        yield from _document(feed, report)
        return
    for line in lines(feed):
        if not line.data.strip():
            continue
        try:
            value = _loads(line)
        except ValueError as error:
            report.skip(f"line {line.number}", str(error))
            continue
        yield JsonValue(f"line {line.number}", value)


def _without_bom(feed: Feed) -> Iterator[bytes]:
    if feed.peek(3) == codecs.BOM_UTF8:
        feed.take(3)
    yield from feed.rest()


def _loads(line: Line) -> Any:
    """The value of a line. Raises ValueError with what is wrong, to go on after its place."""
    if line.is_cut:
        raise ValueError(f"is longer than {MAX_LINE_BYTES >> 20} MB")
    try:
        return json.loads(line.data)
    except json.JSONDecodeError as error:
        raise ValueError(f"is no JSON ({shown(error.msg)} at character {error.pos + 1})") from None
    except UnicodeDecodeError:
        raise ValueError("is no UTF-8 text") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    except ValueError as error:  # a number of thousands of digits
        raise ValueError(f"cannot be read ({shown(str(error))})") from None


def _document(feed: Feed, report: Report) -> Iterator[JsonValue]:
    data = b""
    for block in feed.rest():
        data += block
        if len(data) > MAX_LINE_BYTES:
            raise report.broken("line 1", f"the document is longer than {MAX_LINE_BYTES >> 20} MB; write one game a line")
    try:
        value = json.loads(data)
    except json.JSONDecodeError as error:
        raise report.broken(f"line {error.lineno}", f"it is no JSON ({error.msg})") from None
    except UnicodeDecodeError:
        raise report.broken("line 1", "it is no UTF-8 text") from None
    except (RecursionError, ValueError) as error:
        raise report.broken("line 1", f"it is nested too deeply or has a number too long ({error})") from None
    if isinstance(value, dict) and isinstance(value.get("games"), list):
        for number, item in enumerate(value["games"], 1):
            yield JsonValue(f"game {number}", item)
    else:
        yield JsonValue("line 1", value)


def _items(feed: Feed, start: int, report: Report) -> Iterator[JsonValue]:
    """The items of a list, which begins `start` bytes on, one after the other."""
    head = feed.take(start)
    while len(head) < start:
        head += feed.take(start - len(head))
    decoder = codecs.getincrementaldecoder("utf-8")(errors="strict")
    scan = json.JSONDecoder()
    text, at, line, number = "", 0, 1 + head.count(b"\n"), 0
    wanted = _READ_BYTES
    ended, is_first = False, True
    while True:
        while not ended and len(text) - at < wanted:
            block = feed.take(_READ_BYTES)
            try:
                more = decoder.decode(block, final=not block)
            except UnicodeDecodeError:
                raise report.broken(f"line {line}", "it is no UTF-8 text") from None
            line += text.count("\n", 0, at)
            text, at = text[at:] + more, 0
            ended = not block
        if is_first and text.startswith("]"):
            return
        number += is_first
        try:
            value, end = scan.raw_decode(text, at)
            between = _BETWEEN.match(text, end)
            if between is None or (between.end() == len(text) and not ended):
                raise json.JSONDecodeError("Expecting ',' or ']'", text, end)
        except (ValueError, RecursionError) as error:
            if not ended and len(text) - at <= MAX_LINE_BYTES and not isinstance(error, RecursionError):
                wanted = max(2 * wanted, _READ_BYTES)  # it may go on behind what was read; look again when there is as much more
                continue
            message = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply or a number too long"
            where = line + text.count("\n", 0, error.pos if isinstance(error, json.JSONDecodeError) else at)
            raise report.broken(f"line {where}", f"it is no JSON ({message}) in item {number} of the list") from None
        yield JsonValue(f"game {number}", value)
        if between.group(1) == "]":
            return
        at, number, is_first, wanted = between.end(), number + 1, False, _READ_BYTES
