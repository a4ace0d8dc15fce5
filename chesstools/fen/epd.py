"""to_epd(), from_epd() and operations(): FEN and EPD (PGN standard 16.1, 16.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa

from chesstools.fen.answers import answer
from chesstools.fen.rows import check_rows
from chesstools.reference import epd_line
from chesstools.reference.epd_line import COUNTER_OPCODE, split_line
from chesstools.reference.text import BLANKS, trim, words

_FILLED_IN = ("", "w", "-", "-", "0", "1")
_COUNTERS = ("hmvc", "fmvn")


def operations(line: str) -> dict[str, str]:
    """The operations of an EPD: opcodes and their operands as they are written, in their order.

    The last one counts where an opcode comes twice. Nothing is interpreted: moves need not be legal, numbers stay texts.

    >>> operations('4k3/8/8/8/8/8/8/4K2R w K - bm O-O Kf2; id "a; b"; hmvc 3;')
    {'bm': 'O-O Kf2', 'id': '"a; b"', 'hmvc': '3'}
    """
    return dict(_operations(line))


def _operations(line: str) -> list[tuple[str, str]]:
    """Opcodes with operands, counters as operations too."""
    rest = split_line(line).rest
    text = trim(line)
    if not rest:
        fields = words(text)
        rest = " ".join(fields[4:]) if len(fields) > 4 and fields[4] in _COUNTERS else ""
    found = []
    for operation in epd_line.operations(rest.lstrip(BLANKS + ";")):
        opcode = words(operation)[0]
        found.append((opcode, trim(operation[len(opcode) :])))
    return found


def to_epd_line(line: str) -> str:
    """The line as an EPD. Counters become `hmvc` and `fmvn`, operations stay; what is an EPD already stays as it is."""
    position, rest = split_line(line)
    given = words(trim(line)[: len(trim(line)) - len(rest)].rstrip("; "))
    if rest and len(given) == 4:
        return trim(line)
    if not rest and any(opcode in _COUNTERS for opcode, _ in _operations(line)):
        return trim(line)
    fields = words(position.rstrip("; "))
    four = [*fields, *_FILLED_IN[len(fields) :]][:4]
    if len(fields) < 5:
        return " ".join(four)
    number = fields[5] if len(fields) > 5 else "1"
    behind = trim(rest.lstrip(BLANKS + ";"))
    return " ".join([*four, f"hmvc {fields[4]};", f"fmvn {number};", *([behind] if behind else [])])


def from_epd_line(line: str) -> tuple[str, list[str]]:
    """The line as a FEN with six fields, and the opcodes of operations that a FEN has no place for."""
    position, rest = split_line(line)
    found = _operations(line)
    if rest:
        has_fields = len(words(trim(line)[: len(trim(line)) - len(rest)])) > 4
        return position, [opcode for opcode, _ in found if has_fields or opcode not in _COUNTERS]
    fields = words(trim(line).rstrip("; "))
    if found:
        counters = dict(COUNTER_OPCODE.findall(trim(line)))
        return " ".join([*fields[:4], counters.get("hmvc", "0"), counters.get("fmvn", "1")]), []
    return " ".join([*fields, *_FILLED_IN[len(fields) :]]), []


def to_epd(fens: Any, *, chess960: bool = False, engine: str | None = None) -> Any:
    """Positions as EPD: four fields, and the counters as the operations `hmvc` and `fmvn`. Fields and operations stay as they
    were written (see `normalise`); a line that is an EPD already is not changed.

    >>> to_epd("4k3/8/8/8/8/8/8/4K2R w K - 3 40")
    '4k3/8/8/8/8/8/8/4K2R w K - hmvc 3; fmvn 40;'

    None (null) for a position with a field that cannot be read; OptionError for one given as a string.
    """
    return _each(fens, to_epd_line, chess960, engine)


def from_epd(epds: Any, *, chess960: bool = False, engine: str | None = None) -> Any:
    """EPDs as FENs with six fields: counters from `hmvc` and `fmvn`, else 0 and 1. A FEN has no place for other operations; see
    `operations`. Nulls and errors as for `to_epd`.

    >>> from_epd(['4k3/8/8/8/8/8/8/4K2R w K - bm O-O; fmvn 40;'])
    ['4k3/8/8/8/8/8/8/4K2R w K - 0 40']
    """
    return _each(epds, lambda line: from_epd_line(line)[0], chess960, engine)


def _each(lines: Any, convert: Callable[[str], str], chess960: bool, engine: str | None) -> Any:
    def work(texts: pa.StringArray) -> pa.Array:
        read = check_rows(texts, chess960=chess960, engine=engine)[0].column("read").to_pylist()
        converted = [convert(text) if is_read else None for text, is_read in zip(texts.to_pylist(), read, strict=True)]
        return pa.array(converted, pa.string())

    return answer(lines, work, pa.string(), chess960=chess960)
