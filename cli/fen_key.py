"""`chesstools fen key`: what tells positions apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from . import fen_options, options
from .engine import chosen_engine
from .fen_complaints import Complaints
from .fen_tables import place_schema, with_place
from .output import text_output
from .positions import watched
from .tables import table_output

if TYPE_CHECKING:
    from chesstools.fen.reading import Positions

FORMATS = ("text", *fen_options.TABLES)

EPILOG = """\b
Exit status: 0, 1 some positions could not be understood, 2 could not do the job.

\b
Examples:
  chesstools fen key 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
  chesstools fen key positions.fen -o keys.parquet
"""


@click.command("key", epilog=EPILOG, short_help="Tell positions apart: a 64-bit key, and the text of what counts.")
@fen_options.fens
@fen_options.column
@fen_options.form(FORMATS)
@options.output_file
@fen_options.chess960
@options.jobs
@options.engine
@options.lang
@options.quiet
def fen_key(
    fens: tuple[str, ...],
    column: str | None,
    form: str | None,
    output: str | None,
    chess960: bool,
    jobs: int,
    engine: str | None,
    lang: str,
    quiet: bool,
) -> int:
    """What makes positions the same (FIDE 9.2.3), as a number and as text.

    The key is that of the column position_key of the plies of a dataset. The text has placement, side to move, castling rights,
    and the en passant square where a capture there is legal. Equal keys do not prove equal positions, equal texts do. Text has
    both on a line; tables have the columns source, line, fen, position_key, position.
    """
    form = fen_options.chosen_form(form, output, FORMATS)

    import pyarrow as pa

    from chesstools.fen.rows import in_order, key_rows

    judged_by = chosen_engine(engine, quiet=quiet)
    complaints = Complaints(lang, chess960=chess960)

    def work(part: Positions) -> tuple[Positions, pa.RecordBatch]:
        return part, key_rows(part.lines, chess960=chess960, engine=judged_by)

    parts = in_order(watched(fens, column, output, lang, quiet=quiet), work, jobs)
    if form == "text":
        with text_output(output) as out:
            for part, rows in parts:
                complaints.tell_nulls(part, rows.column(0))
                keys, texts = rows.column(0).to_pylist(), rows.column(1).to_pylist()
                out.writelines(f"{key} {text}\n" for key, text in zip(keys, texts, strict=True) if text is not None)
    else:
        schema = place_schema(pa.schema([("position_key", pa.uint64()), ("position", pa.string())]))
        with table_output(form, output, schema) as table:
            for part, rows in parts:
                complaints.tell_nulls(part, rows.column(0))
                table.write(with_place(part, rows))
    complaints.end()
    return int(complaints.count > 0)
