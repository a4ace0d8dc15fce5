"""`chesstools fen normalise`: positions in one way of writing them."""

from __future__ import annotations

import os
import sys
from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from chesstools.errors import OptionError

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
Exit status: 0, 1 some positions could not be understood, 2 could not do the job.

\b
Examples:
  chesstools fen normalise 'k2r4/8/8/3Pp3/8/8/8/3K4 w K e6' --ep legal
  chesstools fen normalise positions.fen -o normal.fen --report changes.csv --rejects bad.fen
  chesstools fen normalise puzzles.csv --castling shredder -o normal.csv
"""


@click.command("normalise", epilog=EPILOG, short_help="Bring positions into one form, and tell what was changed.")
@fen_options.fens
@fen_options.column
@click.option(
    "--ep",
    type=click.Choice(("standard", "legal", "never")),
    default="standard",
    show_default=True,
    help="The en passant square: where it was given and can be (PGN standard 16.1.3.4), only where a capture is legal, or never.",
)
@click.option(
    "--castling",
    type=click.Choice(("xfen", "shredder")),
    default="xfen",
    show_default=True,
    help="K and Q, with the file of the rook where those would be unclear; or always the file of the rook.",
)
@click.option(
    "--counters",
    type=click.Choice(("keep", "reset")),
    default="keep",
    show_default=True,
    help="Halfmove clock and move number: as they are, or 0 and 1.",
)
@fen_options.form(FORMATS)
@options.output_file
@click.option("--report", metavar="FILE", help="Write what was changed to FILE: CSV, JSON lines, Parquet or Arrow, by its name.")
@click.option("--rejects", metavar="FILE", help="Lines that cannot be understood go to FILE, not unchanged to the output.")
@fen_options.chess960
@options.jobs
@options.engine
@options.lang
@options.quiet
def fen_normalise(
    fens: tuple[str, ...],
    column: str | None,
    ep: str,
    castling: str,
    counters: str,
    form: str | None,
    output: str | None,
    report: str | None,
    rejects: str | None,
    chess960: bool,
    jobs: int,
    engine: str | None,
    lang: str,
    quiet: bool,
) -> int:
    """Bring positions into one form: six fields, one space between, no castling rights without king and rook.

    Missing fields are filled in (White to move, no castling, no en passant, 0, 1); operations of an EPD stay as they are. Nothing
    is guessed: a position with a field that cannot be read, or from which no game can be played, is told and comes through
    unchanged. CSV, Parquet and Arrow files come out with all their columns in these formats.
    """
    form = fen_options.chosen_form(form, output, FORMATS)
    report_form = report and fen_options.chosen_form(None, report, fen_options.TABLES)
    if report_form == "text":
        raise click.BadParameter("name it .csv, .jsonl, .json, .parquet or .arrow", param_hint="--report")

    named = [os.path.realpath(name) for name in (output, report, rejects) if name]
    if len(set(named)) < len(named):
        raise OptionError("The output, --report and --rejects are to be different files; give them different names.")

    from chesstools.fen.forms import make_form
    from chesstools.fen.rows import in_order, normalise_rows

    judged_by = chosen_engine(engine, quiet=quiet)
    wanted = make_form(ep, castling, counters)
    complaints = Complaints(lang, chess960=chess960)
    count, changed, changes = 0, 0, Counter[str]()

    def work(part: Positions) -> Normal:
        return Normal(part, normalise_rows(part.lines, wanted, chess960=chess960, engine=judged_by))

    with ExitStack() as stack:
        text = stack.enter_context(text_output(output)) if form == "text" else None
        table = None if form == "text" else stack.enter_context(table_output(form, output, Normal.schema()))
        told = stack.enter_context(table_output(report_form, report, Normal.schema())) if report_form and report else None
        bad = stack.enter_context(text_output(rejects)) if rejects else None
        for normal in in_order(watched(fens, column, output, lang, quiet=quiet), work, jobs):
            count += len(normal.part.lines)
            changed += normal.changed()
            changes.update(normal.changes())
            normal.complain(complaints)
            if bad is not None:
                bad.writelines(f"{line}\n" for line in normal.rejected())
            if text is not None:
                text.writelines(f"{line}\n" for line in normal.lines(rejected=bad is not None))
            if table is not None:
                table.write(normal.rows(form, rejected=bad is not None))
            if told is not None:
                told.write(normal.report())
    complaints.end()
    if not quiet:
        sys.stdout.flush()
        words = Words(lang)
        kinds = [f"{words.change(name)} {number:,}" for name, number in sorted(changes.items())]
        values = {"count": count, "changed": changed, "kinds": words("comma").join(kinds) or None}
        click.echo(words("normalised", **values, bad=complaints.count or None), err=True)
    return int(complaints.count > 0)


class Normal:
    """Some positions, and what they became."""

    def __init__(self, part: Positions, rows: pa.RecordBatch) -> None:
        import pyarrow.compute as pc

        self.part = part
        self._fens = rows.column("fen")
        self._changes = rows.column("changes")
        self._is_bad = pc.and_(part.lines.is_valid(), self._fens.is_null())
        self._is_changed = pc.fill_null(pc.greater(pc.list_value_length(self._changes), 0), False)

    @staticmethod
    def schema() -> pa.Schema:
        """Of the report, and of rows that come from no table."""
        import pyarrow as pa

        return place_schema(pa.schema([("normal", pa.string()), ("changes", pa.list_(pa.field("item", pa.string())))]))

    def changed(self) -> int:
        """How many were changed."""
        return int(self._is_changed.true_count)

    def changes(self) -> Counter[str]:
        """How often each change was made."""
        import pyarrow.compute as pc

        counted = pc.value_counts(self._changes.flatten())
        return Counter({row["values"]: row["counts"] for row in counted.to_pylist()})

    def complain(self, complaints: Complaints) -> None:
        """Tell of those that come through unchanged."""
        complaints.tell_nulls(self.part, self._fens)

    def rejected(self) -> list[str]:
        """Their lines."""
        lines: list[str] = self.part.lines.filter(self._is_bad).to_pylist()
        return lines

    def lines(self, *, rejected: bool) -> list[str]:
        """The lines to write, without those that were rejected or else as they were."""
        import pyarrow.compute as pc

        fens = self._fens if rejected else pc.coalesce(self._fens, self.part.lines)
        lines: list[str] = fens.drop_null().to_pylist()
        return lines

    def rows(self, form: str, *, rejected: bool) -> pa.RecordBatch:
        """The rows to write: those of a table with all columns, else as in `schema`."""
        import pyarrow.compute as pc

        if self.part.table is None or form in ("json", "jsonl"):
            rows = self._all()
        else:
            at = self.part.table.schema.get_field_index(self.part.column)
            rows = self.part.table.set_column(at, self.part.column, pc.coalesce(self._fens, self.part.lines))
        return rows.filter(pc.invert(self._is_bad)) if rejected else rows

    def report(self) -> pa.RecordBatch:
        """The rows that were changed, and those that were not understood (`normal` is null)."""
        import pyarrow.compute as pc

        return self._all().filter(pc.or_(self._is_changed, self._is_bad))

    def _all(self) -> pa.RecordBatch:
        import pyarrow as pa

        return with_place(self.part, pa.RecordBatch.from_pydict({"normal": self._fens, "changes": self._changes}))
