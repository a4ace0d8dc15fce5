"""`chesstools fen moves`: the legal moves of positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from . import fen_options, options
from .engine import chosen_engine
from .fen_complaints import Complaints
from .fen_tables import place_schema, with_place
from .output import text_output
from .positions import position, watched
from .tables import table_output
from .terminal import printable

if TYPE_CHECKING:
    import pyarrow as pa

    from chesstools.fen.reading import Positions

FORMATS = ("text", *fen_options.TABLES)

EPILOG = """\b
Exit status: 0, 1 some positions could not be understood, 2 could not do the job.

\b
Examples:
  chesstools fen moves '7k/8/8/8/8/8/6pK/8 b - - 0 1'
  chesstools fen moves positions.fen --notation uci
  chesstools fen moves positions.fen -o moves.parquet
"""


@click.command("moves", epilog=EPILOG, short_help="List the legal moves.")
@fen_options.fens
@fen_options.column
@click.option(
    "--notation",
    type=click.Choice(("san", "uci")),
    default="san",
    show_default=True,
    help="How text and JSON write moves; CSV, Parquet and Arrow have both.",
)
@fen_options.form(FORMATS)
@options.output_file
@fen_options.chess960
@options.jobs
@options.engine
@options.lang
@options.quiet
def fen_moves(
    fens: tuple[str, ...],
    column: str | None,
    notation: str,
    form: str | None,
    output: str | None,
    chess960: bool,
    jobs: int,
    engine: str | None,
    lang: str,
    quiet: bool,
) -> int:
    """List the legal moves of positions, in the order of python-chess.

    Text has a line a position: the FEN (or file:line) and the moves. JSON has an object a position. CSV, Parquet and Arrow have
    a row a move: source, line, fen, move (from 1), san, uci.
    """
    form = fen_options.chosen_form(form, output, FORMATS)

    from chesstools.fen.rows import in_order, moves_rows

    judged_by = chosen_engine(engine, quiet=quiet)
    complaints = Complaints(lang, chess960=chess960)

    def work(part: Positions) -> tuple[Positions, pa.RecordBatch]:
        return part, moves_rows(part.lines, chess960=chess960, engine=judged_by)

    parts = in_order(watched(fens, column, output, lang, quiet=quiet), work, jobs)
    if form == "text":
        with text_output(output) as out:
            for part, rows in parts:
                complaints.tell_nulls(part, rows.column("san"))
                for row, moves in enumerate(rows.column(notation).to_pylist()):
                    if moves is not None:
                        out.write(f"{printable(position(part, row).place)}: {' '.join(moves)}\n")
    else:
        with table_output(form, output, place_schema(_rows_schema(form))) as table:
            for part, rows in parts:
                complaints.tell_nulls(part, rows.column("san"))
                table.write(with_place(part, rows.select([notation])) if form in ("json", "jsonl") else _a_row_a_move(part, rows))
    complaints.end()
    return int(complaints.count > 0)


def _rows_schema(form: str) -> pa.Schema:
    import pyarrow as pa

    return pa.schema([] if form in ("json", "jsonl") else [("move", pa.int32()), ("san", pa.string()), ("uci", pa.string())])


def _a_row_a_move(part: Positions, rows: pa.RecordBatch) -> pa.RecordBatch:
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    sans, ucis = rows.column("san"), rows.column("uci")
    parents = pc.list_parent_indices(sans)
    places = with_place(part, pa.RecordBatch.from_arrays([], schema=pa.schema([]))).take(parents)
    lengths = pc.fill_null(pc.list_value_length(sans), 0).to_numpy()
    starts = np.cumsum(lengths) - lengths
    numbers = pa.array(np.arange(len(parents)) - starts[parents.to_numpy()] + 1, pa.int32())
    columns = [*places.columns, numbers, sans.flatten(), ucis.flatten()]
    return pa.RecordBatch.from_arrays(columns, schema=place_schema(_rows_schema("csv")))
