"""convert_text() and fix_text(): games that stand in memory as text, and answers in the form in which they were given.

They take a string, a list, an Arrow array or a pandas Series (see `chesstools.fen.columns`). Each text is one or several games,
or none, and stands by itself: nothing of it touches the next.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from chesstools.conversion import Task
from chesstools.engines import choose
from chesstools.errors import OptionError
from chesstools.fen.columns import Column
from chesstools.fix import fix
from chesstools.formats import check_options, get_format
from chesstools.languages import get_language
from chesstools.output import STDOUT, Output
from chesstools.profile_choice import AUTO
from chesstools.profiles import Profile
from chesstools.readers import as_pgn
from chesstools.readers.foreign import in_english
from chesstools.source import Source
from chesstools.writers.text import texts_of


def convert_text(
    given: Any,
    to: str,
    *,
    source_format: str | None = None,
    input_language: str = "en",
    output_language: str | None = None,
    left: Counter[str] | None = None,
    engine: str | None = None,
    **options: object,
) -> Any:
    """Games in another format that is text: what `chesstools.convert` would write of each text, without the line ends behind it.

    `left` counts what the format could not hold, as `Conversion.left` does. The other arguments are those of `convert`. With
    ``unique`` positions are told apart within one text. None (null) stays null.

    >>> convert_text("1. e4 {best} e5 *", "uci")
    'e2e4 e7e5'
    >>> convert_text(["e2e4 e7e5", None], "pgn", source_format="moves")
    ['1. e4 e5 *', None]

    Raises OptionError for a format that is none or no text, for options that mean nothing to it, and for what is no text;
    SourceError, which names the row (from 0), for a text that cannot be read.
    """
    form = get_format(to)
    if not form.is_text:
        raise OptionError(f"{form.name} is no text; convert() writes it to a file.")
    if output_language is not None:
        options = {**options, "letters": get_language(output_language).written}
    checked, chosen = check_options(form, options), choose(engine)

    def work(text: str, name: str) -> str:
        sources = in_english(as_pgn([_source(text, name)], source_format), input_language, chosen)
        written = io.BytesIO()
        for part, _, lost in texts_of(Task(sources, Output(STDOUT), form.name, checked, engine=chosen)).of(sources[0]):
            written.write(part)
            if left is not None:
                left.update({kind: count for kind, count in lost.items() if count})
        return written.getvalue().decode().rstrip("\n")

    return _each(given, work)


def fix_text(
    given: Any,
    *,
    unsafe: bool = False,
    select: Sequence[str] | str | None = None,
    ignore: Sequence[str] | str | None = None,
    profile: str | Profile = AUTO,
    engine: str | None = None,
) -> Any:
    """Games repaired as `chesstools.fix` does it; no other sign changes. The arguments are those of `fix`. Nulls stay.

    >>> fix_text("1. e2e4 e5 2. Ng1f3 1/2", ignore="P106")
    '1. e4 e5 2. Nf3 1/2-1/2'

    Raises OptionError where nothing can be repaired that is selected, and for what is no text.
    """

    def work(text: str, name: str) -> str:
        fixed = io.BytesIO()
        fix(_source(text, name), fixed, unsafe=unsafe, select=select, ignore=ignore, profile=profile, engine=engine)
        return fixed.getvalue().decode()

    return _each(given, work)


def _source(text: str, name: str) -> Source:
    try:
        return Source.from_bytes(text.encode(), name)
    except UnicodeEncodeError:
        raise OptionError(f"{name} has signs that are no Unicode text; convert it first.") from None


def _each(given: Any, work: Callable[[str, str], str]) -> Any:
    if isinstance(given, str):
        return work(given, "the text")
    column = Column(given, "Games")
    row = 0
    parts = []
    for texts in column.slices():
        answers = [None if text is None else work(text, f"row {row + at}") for at, text in enumerate(texts.to_pylist())]
        parts.append(pa.array(answers, pa.string()))
        row += len(texts)
    return column.like(pa.chunked_array(parts, pa.string()))
