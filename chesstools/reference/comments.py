"""What comments say in a form that machines write: clocks, times, evaluations. What is not certain stays text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from chesstools.reference.lexer import Kind, Token
from chesstools.reference.text import trim, words

_LINE_BREAK = re.compile(r"\r\n|\n|\r")
_COMMAND = re.compile(r"\[%(clk|emt|eval)([ \t\r\n\x0b\x0c][^\[\]]{0,100})\]")
_CLOCK = re.compile(r"(-)?([0-9]{1,4}):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]{1,3})[0-9]*)?")
_EVAL = re.compile(r"([+-]?[0-9]{1,6}(?:\.[0-9]{1,3})?)(?:[,/]([0-9]{1,3}))?")
_MATE = re.compile(r"#([+-]?[0-9]{1,4})(?:[,/]([0-9]{1,3}))?")
_ODD_MATE = re.compile(r"([+-]?)M([+-]?[0-9]{1,4})(?:[,/]([0-9]{1,3}))?")
_COMMA_DECIMALS = re.compile(r"[+-]?[0-9]+,[0-9]+(?:[,/][0-9]+)?")

_ENGINE = re.compile(
    r"""(?: ([+-]?)M([0-9]{1,4}) | ([+-]?[0-9]{1,5}\.[0-9][0-9]) ) / ([0-9]{1,3})
        (?: [ ]+ ([0-9]{1,7}(?:\.[0-9]{1,3})?) s )? (?=[ ,;]|\Z)""",
    re.VERBOSE,
)
_TCEC_PAIR = re.compile(r"(?:^|[, ])(d|mt|tl|wv)=([^, ]+)")
_TCEC_SHAPE = re.compile(r"[A-Za-z0-9]+=[^,]*, *[A-Za-z0-9]+=[^,]*, *[A-Za-z0-9]+=[^,]*,")


@dataclass(slots=True)
class Annotations:
    """Typed values found in the comments of one ply; all None where nothing is said.

    Times are milliseconds, `eval_cp` is centipawns from White's side, `eval_mate` moves to mate, positive if White mates.
    """

    clock_ms: int | None = None
    elapsed_ms: int | None = None
    eval_cp: int | None = None
    eval_mate: int | None = None
    eval_depth: int | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """A command that cannot be read (C701, C706), with its place in the comment."""

    code: str
    start: int
    end: int
    text: str
    tag: str
    reason: str


def normalise(text: str) -> str:
    r"""Comment text without outer blanks, with line breaks as one blank: wrapping is not content.

    >>> normalise(" line one\r\nline two ")
    'line one line two'
    """
    if "\n" not in text and "\r" not in text:
        return trim(text)
    lines = (trim(line) for line in _LINE_BREAK.split(text))
    return " ".join(line for line in lines if line)


def comment_text(token: Token, raw: str) -> str:
    """What a comment says: its text `raw` without the signs around it and without line breaks."""
    end = None if token.kind in (Kind.OPEN_COMMENT, Kind.LINE_COMMENT) else -1
    return normalise(raw[1:end])


def read_commands(text: str, into: Annotations) -> Iterator[Fault]:
    """Read `[%clk]`, `[%emt]` and `[%eval]` commands into `into`; yield those that cannot be read."""
    for match in _COMMAND.finditer(text):
        name, value = match.group(1), " ".join(words(match.group(2)))
        fault = None
        if name == "eval":
            fault = _read_eval(value, into)
        else:
            milliseconds = _read_clock(value)
            if milliseconds is None:
                fault = "syntax"
            elif name == "clk":
                into.clock_ms = milliseconds
            else:
                into.elapsed_ms = milliseconds
        if fault is not None:
            code = "C706" if name == "eval" else "C701"
            yield Fault(code, match.start(), match.end(), match.group(), f"%{name}", fault)


def _read_clock(text: str) -> int | None:
    """H:MM:SS with decimals, in milliseconds; None where it is not that."""
    match = _CLOCK.fullmatch(text)
    if match is None:
        return None
    sign, hours, minutes, seconds, decimals = match.groups()
    total = ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int((decimals or "0").ljust(3, "0"))
    return -total if sign else total


def _read_eval(text: str, into: Annotations) -> str | None:
    """Read the value of `[%eval]`; what is wrong with it, or None."""
    if match := _MATE.fullmatch(text):
        into.eval_cp, into.eval_mate = None, int(match.group(1))
        into.eval_depth = int(match.group(2)) if match.group(2) else None
        return None
    if match := _ODD_MATE.fullmatch(text):
        moves = int(match.group(2))
        into.eval_cp, into.eval_mate = None, -moves if match.group(1) == "-" else moves
        into.eval_depth = int(match.group(3)) if match.group(3) else None
        return "non-standard"
    if _COMMA_DECIMALS.fullmatch(text) and "." not in text.split(",")[0]:
        # "0,17" is 0.17 with a decimal comma, or 0 at depth 17: not ours to choose.
        return "ambiguous"
    if match := _EVAL.fullmatch(text):
        into.eval_cp, into.eval_mate = round(float(match.group(1)) * 100), None
        into.eval_depth = int(match.group(2)) if match.group(2) else None
        return None
    return "syntax"


def read_engine(text: str, into: Annotations, *, white_moved: bool) -> None:
    """Read a comment of cutechess or fastchess, such as ``+0.89/27 11.1s``: the mover's evaluation, depth and time.

    The shape alone does not say from whose side the evaluation is. Call this only for games that name their producer
    by its tags (`written_by_engine_match`).
    """
    match = _ENGINE.match(text)
    if match is None:
        return
    sign, mate, pawns, depth, seconds = match.groups()
    flip = 1 if white_moved else -1
    if mate is not None:
        into.eval_mate = flip * (-int(mate) if sign == "-" else int(mate))
    else:
        into.eval_cp = flip * round(float(pawns) * 100)
    into.eval_depth = int(depth)
    if seconds is not None:
        into.elapsed_ms = round(float(seconds) * 1000)


def written_by_engine_match(tags: dict[str, str]) -> bool:
    """Whether the tags are those that cutechess and fastchess write, whose evaluations are the mover's own.

    >>> written_by_engine_match({"GameStartTime": "2025-03-06T17:56:00 +0300", "GameEndTime": "", "PlyCount": "61"})
    True
    """
    return "GameStartTime" in tags and "GameEndTime" in tags


def read_tcec(text: str, into: Annotations) -> None:
    """Read a comment of ``key=value,`` pairs as TCEC writes them: d, mt, tl, and wv, the evaluation from White's side.

    The older key ``ev`` does not say from whose side it is and stays text.
    """
    if _TCEC_SHAPE.match(text) is None:
        return
    pairs = dict(_TCEC_PAIR.findall(text))
    if "mt" in pairs:
        into.elapsed_ms = _tcec_time(pairs["mt"])
    if "tl" in pairs:
        into.clock_ms = _tcec_time(pairs["tl"])
    value = pairs.get("wv", "")
    if re.fullmatch(r"[+-]?[0-9]{1,6}\.[0-9]{1,2}", value):
        into.eval_cp = round(float(value) * 100)
    elif match := re.fullmatch(r"([+-]?)[M#]([0-9]{1,4})", value):
        into.eval_mate = -int(match.group(2)) if match.group(1) == "-" else int(match.group(2))
    if (into.eval_cp is not None or into.eval_mate is not None) and re.fullmatch(r"[0-9]{1,4}", pairs.get("d", "")):
        into.eval_depth = int(pairs["d"])


def _tcec_time(text: str) -> int | None:
    """``00:06:16`` or a number of milliseconds."""
    if re.fullmatch(r"[0-9]{1,10}", text):
        return int(text)
    return _read_clock(text)
