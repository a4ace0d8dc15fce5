"""Games converted in memory, by either engine, and where the two differ.

    python -m tests.exported FILES…

compares the engines on whole archives, in every format, and shows the first difference. The exit status is 1 where they differ.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from chesstools.convert import convert
from chesstools.source import Source, find_sources

ENGINES = ("reference", "native")

WAYS: list[tuple[str, dict[str, Any]]] = [
    ("pgn", {}),
    ("pgn", {"line_width": 0, "moves": "uci", "roster": True}),
    ("pgn", {"line_width": 40, "clocks": False, "nags": False, "tag_order": "standard", "moves": "lan"}),
    ("pgn", {"commands": False, "variations": False, "seven_tags": True, "letters": ("Кр", "Ф", "Л", "С", "К", "П")}),
    ("pgn", {"reduced": True, "line_width": 20}),
    ("pgn", {"comments": False, "roster": True, "tag_order": "standard", "letters": ("♔", "♕", "♖", "♗", "♘", "♙")}),
    ("jsonl", {}),
    ("jsonl", {"clocks": False, "variations": False, "nags": False}),
    ("jsonl", {"commands": False}),
    ("san", {}),
    ("lan", {"letters": ("K", "D", "T", "L", "S", "B")}),
    ("uci", {}),
    ("fen", {}),
    ("fen", {"positions": "every", "ep": "standard"}),
    ("fen", {"positions": 3, "unique": True, "ep": "never"}),
    ("epd", {"positions": "every", "unique": True}),
    ("epd", {"positions": "start"}),
]
"""Formats with their options, which together go through everything that a writer does."""


def written(source: Source | bytes, form: str, engine: str | None = None, **options: Any) -> tuple[bytes, int, Counter[str]]:
    """The text that a conversion gives, how many games it is of, and what was left behind."""
    if isinstance(source, bytes):
        source = Source.from_bytes(source, "x.pgn")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "out"
        # Bytes at random may look packed and break off.
        conversion = convert(source, place, to=form, source_format="pgn", engine=engine, raise_source_errors=False, **options)
        return place.read_bytes(), conversion.games, conversion.left


def pgn(source: Source | bytes, **options: Any) -> bytes:
    """The games as PGN."""
    return written(source, "pgn", **options)[0]


def difference(source: Source | bytes, form: str, **options: Any) -> str | None:
    """Where the two engines differ, None where they do not."""
    ours, theirs = (written(source, form, engine, **options) for engine in ENGINES)
    if ours == theirs:
        return None
    name = f"{source.name if isinstance(source, Source) else source!r} as {form} {options}"
    if ours[0] == theirs[0]:
        return f"{name}: {ours[1:]} in one engine, {theirs[1:]} in the other"
    lines = [text.split(b"\n") for text in (ours[0], theirs[0])]
    at = next((at for at, (one, other) in enumerate(zip(*lines, strict=False)) if one != other), min(map(len, lines)))
    shown = [f"  {engine:>9}: {text[at : at + 3]!r}" for engine, text in zip(ENGINES, lines, strict=True)]
    return "\n".join([f"{name}, line {at + 1}:", *shown])


def main() -> int:
    """Compare the engines on what the command line names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("sources", nargs="+")
    differences = 0
    for source in find_sources(parser.parse_args().sources):
        started = time.monotonic()
        for form, options in WAYS:
            if told := difference(source, form, **options):
                differences += 1
                print(told, flush=True)
                break
        else:
            print(f"{source.name}: no difference ({time.monotonic() - started:.1f} s)", flush=True)
    return min(differences, 1)


if __name__ == "__main__":
    sys.exit(main())
