"""Some games written by a worker as one Parquet file, which is a part of a folder of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chesstools.cluster.judging import Wanted, judge_piece
from chesstools.cluster.piece import Piece
from chesstools.conversion import Conversion
from chesstools.errors import DatasetError
from chesstools.folder_places import whole_part
from chesstools.places import cannot_write
from chesstools.profile_choice import read_choice
from chesstools.rules import Selection
from chesstools.step import Step
from chesstools.writers.sinks import ParquetSink
from chesstools.writers.tables import Maker

if TYPE_CHECKING:
    from chesstools.store_place import StoreParts


@dataclass(frozen=True, slots=True)
class PartsWanted:
    """What is to be made of all sources: the options of the format parquet, and the folder of the parts."""

    folder: Path | StoreParts
    options: Mapping[str, Any]
    engine: str


@dataclass(slots=True)
class Written:
    """What became of a piece.

    Attributes:
        conversion: what was converted, left behind and told of the source.
        rows: how many came of it.
        part: the name of the file, which is told with the first piece in it; None where no rows are in it.
        stored_bytes_read: how much of the source was read.
        unwritable: why nothing can be written there: a sentence.
        lost: why no worker could tell anything of the piece.
        rest, size: nothing is left for another task, and hardly anything travels.
    """

    conversion: Conversion = field(default_factory=lambda: Conversion("parquet"))
    rows: int = 0
    stored_bytes_read: int = 0
    part: str | None = None
    unwritable: str | None = None
    lost: str | None = None
    rest: None = None
    size: int = 0

    @property
    def games(self) -> int:
        """How many were converted."""
        return self.conversion.games


def write_part(name: str, pieces: Sequence[Piece], wanted: PartsWanted) -> list[Written]:
    """Write the rows of some pieces, one after the other, to a file of that name; no rows without a piece.

    What is wrong with a source is told by its conversion, beside the rows of all that could be read.

    >>> import tempfile
    >>> from chesstools.formats import check_options, get_format
    >>> from chesstools.plan import fold
    >>> from chesstools.source import Source
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     wanted = PartsWanted(Path(folder), check_options(get_format("parquet"), {}), "reference")
    ...     piece = Piece(0, Source.from_bytes(b"1. e4 *\\n\\n1. d4 *"), 0, fold([])[0], 16)
    ...     written = write_part("a.parquet", [piece], wanted)
    ...     [(one.part, one.rows, one.conversion.games) for one in written], [file.name for file in Path(folder).iterdir()]
    ([('a.parquet', 2, 2)], ['a.parquet'])
    """
    written = [Written() for _ in pieces] or [Written()]
    path = wanted.folder / name
    make = Maker(**wanted.options)
    try:
        with whole_part(path) as file:
            sink = ParquetSink(file, make.schema, wanted.options["table"])
            for piece, one in zip(pieces, written, strict=False):
                _add(sink, make, piece, wanted.engine, one)
            sink.close()
        if any(one.rows for one in written):
            written[0].part = name
    except OSError as error:
        written[0].unwritable = str(cannot_write(path, error))
    except DatasetError as error:
        written[0].unwritable = str(error)
    return written


def _add(sink: ParquetSink, make: Maker, piece: Piece, engine: str, written: Written) -> None:
    def take(step: Step) -> None:
        batch, left = make(step)
        written.conversion.add(step.summary.games, left)
        written.rows += batch.num_rows
        if batch.num_rows:
            sink.add(batch)

    wanted = Wanted(make.made_of, read_choice(), Selection(), None, engine)
    error = judge_piece(piece, wanted, take).error
    if error is not None:
        written.conversion.errors.append(str(error))
    if piece.stretch.stop is None:  # what is to be known of the source, it knows that came to its end
        written.conversion.notes += [f"{piece.source.name}: {note}" for note in piece.source.notes]
    written.stored_bytes_read = piece.source.stored_bytes_read
