"""`chesstools fen convert`: FEN to EPD and back."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from . import fen_options, options
from .engine import chosen_engine
from .fen_complaints import Complaints
from .fen_tables import place_schema, with_place
from .output import text_output
from .positions import watched
from .tables import table_output
from .words import Words

if TYPE_CHECKING:
    import pyarrow as pa

    from chesstools.fen.reading import Positions

FORMATS = ("text", *fen_options.TABLES)

EPILOG = """\b
Exit status: 0, 1 some positions could not be read, 2 could not do the job.

\b
Examples:
  chesstools fen convert --to epd '4k3/8/8/8/8/8/8/4K2R w K - 3 40'
  chesstools fen convert --to fen '4k3/8/8/8/8/8/8/4K2R w K - hmvc 3; fmvn 40;'
  chesstools fen convert --to fen suite.epd -o suite.csv
"""


@click.command("convert", epilog=EPILOG, short_help="Convert FEN to EPD and back.")
@fen_options.fens
@click.option("--to", type=click.Choice(("epd", "fen")), required=True, help="What to convert to.")
@fen_options.column
@fen_options.form(FORMATS)
@options.output_file
@click.option("--rejects", metavar="FILE", help="Lines that cannot be read go to FILE, not unchanged to the output.")
@fen_options.chess960
@options.engine
@options.lang
@options.quiet
def fen_convert(
    fens: tuple[str, ...],
    to: str,
    column: str | None,
    form: str | None,
    output: str | None,
    rejects: str | None,
    chess960: bool,
    engine: str | None,
    lang: str,
    quiet: bool,
) -> int:
    """Convert positions between FEN (six fields) and EPD (four fields and operations).

    Counters become the operations hmvc and fmvn and come back from there (else 0 and 1). All other operations of an EPD are kept
    as they are written; what a FEN has no place for is counted, and stands in the column operations of tables. Fields are not
    changed: see 'chesstools fen normalise'.
    """
    form = fen_options.chosen_form(form, output, FORMATS)

    import pyarrow as pa

    judged_by = chosen_engine(engine, quiet=quiet)
    complaints = Complaints(lang, chess960=chess960)
    count, left = 0, Counter[str]()
    schema = place_schema(pa.schema([("converted", pa.string()), ("operations", pa.list_(pa.field("item", pa.string())))]))
    with ExitStack() as stack:
        text = stack.enter_context(text_output(output)) if form == "text" else None
        table = None if form == "text" else stack.enter_context(table_output(form, output, schema))
        bad = stack.enter_context(text_output(rejects)) if rejects else None
        for part in watched(fens, column, output, lang, quiet=quiet):
            rows = _convert(part, to, chess960, judged_by)
            converted, lines = rows.column("converted").to_pylist(), part.lines.to_pylist()
            wrong = [row for row, line in enumerate(lines) if line is not None and converted[row] is None]
            count += len(lines)
            left.update(rows.column("operations").flatten().to_pylist())
            complaints.tell(part, wrong)
            if bad is not None:
                bad.writelines(f"{lines[row]}\n" for row in wrong)
            if text is not None:
                written = [new if bad or new is not None else line for new, line in zip(converted, lines, strict=True)]
                text.writelines(f"{line}\n" for line in written if line is not None)
            if table is not None:
                whole = with_place(part, rows)
                table.write(whole if bad is None else whole.take(pa.array(sorted({*range(len(lines))} - {*wrong}), pa.int64())))
    complaints.end()
    if not quiet:
        sys.stdout.flush()
        words = Words(lang)
        kinds = words("comma").join(f"{opcode} {number:,}" for opcode, number in sorted(left.items()))
        click.echo(words("converted", count=count, bad=complaints.count or None, left=kinds or None), err=True)
    return int(complaints.count > 0)


def _convert(part: Positions, to: str, chess960: bool, engine: str) -> pa.RecordBatch:
    """Columns `converted` and `operations` (opcodes that were left behind); null where a field cannot be read."""
    import pyarrow as pa

    from chesstools.fen.epd import from_epd_line, to_epd_line
    from chesstools.fen.rows import check_rows

    read = check_rows(part.lines, chess960=chess960, engine=engine)[0].column("read").to_pylist()
    converted: list[str | None] = []
    operations: list[list[str] | None] = []
    for line, is_read in zip(part.lines.to_pylist(), read, strict=True):
        new, left = (None, None) if not is_read else (to_epd_line(line), []) if to == "epd" else from_epd_line(line)
        converted.append(new)
        operations.append(left)
    columns = [pa.array(converted, pa.string()), pa.array(operations, pa.list_(pa.field("item", pa.string())))]
    return pa.RecordBatch.from_arrays(columns, ["converted", "operations"])
