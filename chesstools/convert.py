"""convert(): games from any format that can be read to any that can be written; nothing is lost without being counted."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pyarrow as pa

from chesstools.conversion import Conversion, Progress, Task
from chesstools.engines import choose
from chesstools.errors import OptionError
from chesstools.formats import PACKED, Format, check_options, format_and_packing, format_of_name
from chesstools.languages import get_language
from chesstools.output import Output
from chesstools.overwriting import may_hold, place_of, refuse_source_as_output
from chesstools.places import check
from chesstools.readers import ANY, as_pgn
from chesstools.readers.foreign import in_english
from chesstools.readers.in_memory import ArrowTable, table_source
from chesstools.scan import Sources
from chesstools.source import BLOCK_BYTES, Source, find_sources
from chesstools.stores import is_uri
from chesstools.zstd_frames import MAX_FRAME_BYTES

if TYPE_CHECKING:
    from chesstools.cluster import Cluster


def convert(
    sources: Sources | ArrowTable,
    output: str | os.PathLike[str],
    *,
    to: str | None = None,
    source_format: str | None = None,
    input_language: str = "en",
    output_language: str | None = None,
    jobs: int = 1,
    block_bytes: int = BLOCK_BYTES,
    progress: Progress | None = None,
    raise_source_errors: bool = True,
    engine: str | None = None,
    frames: int | None = None,
    cluster: Cluster | None = None,
    stretch_bytes: int | None = None,
    **options: object,
) -> Conversion:
    """Write the games in `sources` to `output` in another format, and tell what that could not hold.

    Args:
        sources: files, folders, globs, ``-`` (see `chesstools.source.find_sources`), or `Source` objects; or a table of games in
            memory, or a column of PGN text: of Arrow, pandas, polars, or of what else knows the Arrow interface.
        output: a file, or its URI in a store, which appears when it is complete, packed where its name ends in .zst or .gz;
            ``-`` is standard output.
        to: name of the format (`chesstools.formats.FORMATS`), with .zst or .gz behind it to have it packed (``pgn.zst``); None:
            what the name of the output says.
        source_format: name of the format of the sources (`chesstools.readers.READERS`); None: what each holds and is called.
        input_language: letters of the men in the sources (`chesstools.readers.foreign.INPUT_LANGUAGES`); ``auto``: for each game,
            what its letters and moves tell; where they do not, it stays as it stands, and `Conversion.notes` say so.
        output_language: letters to write, in place of the option ``letters`` (`chesstools.languages.LANGUAGES`).
        jobs: processors to work on; has no effect on what is written.
        block_bytes: bytes read at a time; has no effect on what is written.
        progress: called now and then with the stored bytes read and the games converted so far.
        raise_source_errors: whether to raise, after all was written that could be read, what was wrong with a source. Either way
            `Conversion.errors` tells.
        engine: ``native``, ``reference`` or ``auto``, as for `chesstools.scan`; has no effect on what is written.
        frames: where the output is packed as .zst: pack about so many bytes of text on their own, whole games each, with a
            table of where they begin, so that several processes can read the file together (`chesstools.plan`); None: in one.
        cluster: a cluster (`chesstools.cluster.connected`) whose workers write Parquet together: `output` becomes a folder of
            part-000000.parquet and so on, in order, which appears when it is complete. They must see it, and the sources.
        stretch_bytes: stored bytes of a source that one task of the cluster converts, about, or of small ones together; None:
            64 MB. It has no effect on the rows.
        options: those of the format (`chesstools.formats.OPTIONS`), such as ``line_width=0`` or ``comments=False``.

    Raises OptionError for a format or an option that cannot be used, SourceError for a source that cannot be found or read,
    OutputError where the output cannot be written.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from chesstools.source import Source
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "games.uci")
    ...     conversion = convert(Source.from_bytes(b"1. e4 {best} e5 *"), file)
    ...     file.read_text(), conversion.games, dict(conversion.left)
    ('e2e4 e7e5\\n', 1, {'comments': 1, 'results': 1})
    """
    form, packing = format_and_packing(to) if to is not None else (None, None)
    place = Output(os.fspath(output), frames, packing)
    _check_packing(place)
    if frames is not None:
        _check_frames(place, frames)
    form = form or _format_of(place)
    if output_language is not None:
        options = {**options, "letters": get_language(output_language).written}
    checked = check_options(form, options)
    if cluster is not None and form.name == "parquet" and place.is_stdout:
        raise OptionError("A cluster writes a folder of Parquet files; name it in place of -, or leave --cluster out.")
    if not form.is_text:
        _refuse_stream(form, place)
    if cluster is not None and form.name != "parquet":
        how = "chesstools ingest writes datasets on one" if form.name == "dataset" else "give a name that ends in .parquet"
        raise OptionError(f"A cluster writes no {form.name}; {how}, or leave --cluster out.")
    found = [table_source(sources)] if isinstance(sources, ArrowTable | pa.Array) else find_sources(sources, ANY)
    _refuse_source_as_output(place, found)
    if form.name != "dataset" and cluster is None and is_uri(place.name):
        check(place.name)  # else the first request would be the last one, after all work
    if cluster is not None:
        from chesstools.cluster.planning import for_workers

        found = for_workers(found)
    started = time.monotonic()
    chosen = choose(engine)
    texts = in_english(as_pgn(found, source_format), input_language, chosen)
    if cluster is None:
        conversion = form.write(Task(texts, place, form.name, checked, jobs, chosen, block_bytes, progress))
    else:
        from chesstools.cluster.parquet_folder import write_folder

        conversion = write_folder(
            cluster, texts, place.name, checked, stretch_bytes=stretch_bytes, engine=chosen, progress=progress
        )
    if input_language != "en":
        conversion.foreign = 0
    conversion.seconds = time.monotonic() - started
    if raise_source_errors:
        conversion.raise_errors()
    return conversion


def _format_of(place: Output) -> Format:
    form = None if place.is_stdout else format_of_name(place.shown)
    if form is None:
        raise OptionError(f"The name {place.shown} does not say which format is wanted; say it with --to.")
    return form


def _check_packing(place: Output) -> None:
    said = next((ending for ending in PACKED if place.shown.lower().endswith(ending)), place.asked)
    if place.asked not in (None, said):
        raise OptionError(
            f"{place.shown} is to be packed as {place.asked}; give it a name that ends so, or leave that out of --to."
        )


def _check_frames(place: Output, frames: int) -> None:
    if not place.ending.lower().endswith(".zst"):
        how = "say --to pgn.zst" if place.is_stdout else f"give {place.shown} a name that ends in .zst"
        raise OptionError(f"Frames are for Zstandard files; {how}, or leave --frames out.")
    if not 1 <= frames <= MAX_FRAME_BYTES:
        raise OptionError(f"A frame can have 1 to {MAX_FRAME_BYTES} bytes of text, not {frames}.")


def _refuse_stream(form: Format, place: Output) -> None:
    if place.is_stdout:
        raise OptionError(f"{form.name} is not text for standard output; name a file.")
    if place.ending.lower().endswith(PACKED):
        raise OptionError(f"{form.name} is packed by itself; give {place.shown} a name without that ending.")


def _refuse_source_as_output(place: Output, sources: list[Source]) -> None:
    """An archive must not be replaced by what is made of it while it is read."""
    if place.is_stdout:
        return
    refuse_source_as_output(place.name, {where: None for source in sources if (where := place_of(source)) is not None})
    for source in sources:
        is_inside = source.object is not None and is_uri(place.name) and may_hold(place.name, source.object.uri)
        with suppress(OSError):
            if is_inside or (source.path is not None and os.path.samefile(os.path.dirname(source.path) or ".", place.name)):
                raise OptionError(f"{place.shown} holds one of the sources; give the output another name.")
