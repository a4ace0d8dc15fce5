"""What tests of the report share: small archives, and what stands on the page that is made of them."""

from __future__ import annotations

from pathlib import Path

import chesstools
from chesstools.source import Source

MIXED = Path(__file__).resolve().parent.parent / "sample_data" / "games" / "generated_mixed.pgn"

ILLEGAL = '[Event "A"]\n[Date "2001.02.03"]\n[White "W"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Ke3 1-0\n'
BARE = "1. e4 e5 2. Nf3 Nc6 1/2-1/2\n"


def of(text: str, name: str = "a.pgn", **options: bool) -> chesstools.report.Report:  # type: ignore[name-defined]
    return chesstools.report(Source.from_bytes(text.encode(), name), **options)


def items(made: object, kind: type) -> list:  # type: ignore[type-arg]
    return [item for section in made.page.sections for item in section.items if isinstance(item, kind)]  # type: ignore[attr-defined]
