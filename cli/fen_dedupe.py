"""`chesstools fen dedupe`: each position once."""

from __future__ import annotations

import sys

import click

from . import fen_options, options
from .engine import chosen_engine
from .fen_tables import place_schema, with_place
from .output import text_output
from .positions import watched
from .tables import table_output
from .words import Words

FORMATS = ("text", *fen_options.TABLES)

EPILOG = """\b
Examples:
  chesstools fen dedupe positions.fen -o once.fen
  chesstools fen dedupe puzzles.csv --by text -o once.csv
"""


@click.command("dedupe", epilog=EPILOG, short_help="Leave out positions that came before.")
@fen_options.fens
@fen_options.column
@click.option(
    "--by",
    type=click.Choice(("position", "text")),
    default="position",
    show_default=True,
    help="What is the same: positions under FIDE 9.2.3, whatever their counters are; or lines, but for blanks at their ends.",
)
@fen_options.form(FORMATS)
@options.output_file
@fen_options.chess960
@options.engine
@options.lang
@options.quiet
def fen_dedupe(
    fens: tuple[str, ...],
    column: str | None,
    by: str,
    form: str | None,
    output: str | None,
    chess960: bool,
    engine: str | None,
    lang: str,
    quiet: bool,
) -> int:
    """Leave out positions that came before; the others stay as they are written, in their order.

    What cannot be understood is told by its text, and counted at the end. CSV, Parquet and Arrow files come out with all their
    columns in these formats.
    Each distinct position takes 20 to 40 bytes of memory: 128 bits of a hash, and no more can be told apart by mistake than by
    chance among 10^18.
    """
    form = fen_options.chosen_form(form, output, FORMATS)

    import pyarrow as pa

    from chesstools.fen.rows import seen_positions

    seen = seen_positions(by_text=by == "text", chess960=chess960, engine=chosen_engine(engine, quiet=quiet))
    count = kept = bad = 0
    if form == "text":
        with text_output(output) as out:
            for part in watched(fens, column, output, lang, quiet=quiet):
                rows = seen.add(part.lines)
                bad += rows["is_understood"].false_count
                lines = part.lines.filter(rows["is_new"]).drop_null()
                count += len(part.lines) - part.lines.null_count
                kept += len(lines)
                out.writelines(f"{line}\n" for line in lines.to_pylist())
    else:
        nothing = pa.schema([])
        with table_output(form, output, place_schema(nothing)) as table:
            for part in watched(fens, column, output, lang, quiet=quiet):
                told = seen.add(part.lines)
                bad += told["is_understood"].false_count
                mask = told["is_new"]
                whole = part.table if part.table is not None and form not in ("json", "jsonl") else None
                rows = with_place(part, pa.RecordBatch.from_arrays([], schema=nothing)) if whole is None else whole
                count += len(part.lines)
                kept += mask.true_count
                table.write(rows.filter(mask))
    if not quiet:
        sys.stdout.flush()
        click.echo(Words(lang)("deduped", count=count, kept=kept, left=count - kept, bad=bad or None), err=True)
    return 0
