"""fix(): sources, repaired byte by byte; and revert(): the bytes as they were."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, BinaryIO

from chesstools.catalogue import all_rules
from chesstools.errors import ChesstoolsError, OptionError, OutputError, SourceError
from chesstools.fixes.report import REPORT, ReportWriter, format_of, report_writer, rows_of
from chesstools.fixes.revert import originals
from chesstools.fixes.stream import Changed, Counts, Repairer
from chesstools.fixes.target import targets, targets_in_place
from chesstools.language import check
from chesstools.output import packed
from chesstools.places import Places, cannot_write, files_only
from chesstools.profile_choice import AUTO, read_choice
from chesstools.profiles import Profile
from chesstools.rules import Selection
from chesstools.scan import Progress, Sources
from chesstools.source import BLOCK_BYTES, Source, find_sources

__all__ = ["Changed", "Fixed", "FixedSource", "fix", "revert"]


@dataclass(slots=True)
class FixedSource(Counts):
    """What became of one source; see `chesstools.fixes.stream.Counts`."""

    name: str = ""
    output: str | None = None
    """Where its bytes are; None where they were not written."""
    error: str | None = None
    """Why it could not be repaired; None if it was."""


@dataclass(slots=True)
class Fixed(Counts):
    """What became of all sources together."""

    sources: list[FixedSource] = field(default_factory=list)

    @property
    def errors(self) -> list[str]:
        """Why sources could not be repaired."""
        return [source.error for source in self.sources if source.error]


def fix(
    sources: Sources,
    output: str | os.PathLike[str] | BinaryIO | None = None,
    *,
    unsafe: bool = False,
    select: Sequence[str] | str | None = None,
    ignore: Sequence[str] | str | None = None,
    report: str | os.PathLike[str] | None = None,
    in_place: bool = False,
    profile: str | Profile = AUTO,
    profile_file: str | os.PathLike[str] | None = None,
    jobs: int = 1,
    block_bytes: int = BLOCK_BYTES,
    progress: Progress | None = None,
    changed: Callable[[Changed], object] | None = None,
    raise_source_errors: bool = True,
    engine: str | None = None,
    lang: str = "en",
) -> Fixed:
    """Repair what the catalogue knows a repair for, and change no other byte.

    A repair stays only where the game, judged again, no longer has the findings that it answers, has no new ones, and says
    the same: tags, moves, glyphs, comments, variations and result. What else a repair may change its rule says
    (``chesstools rule CODE``). A result is never changed because of the material on the board.

    Args:
        sources: files, folders, globs, ``-`` (see `chesstools.source.find_sources`), or `Source` objects.
        output: a file (packed where its name ends in .zst or .gz), or a folder that gets a file for each source; a binary
            stream; None to write nothing. Files appear when everything is done.
        unsafe: whether repairs are made too that a person should look at.
        select, ignore: which rules are repaired (codes, beginnings of codes, names).
        report: a file (.jsonl, .csv or .parquet) that gets a row for each change (`chesstools.fixes.report.REPORT`).
        in_place: replace the sources by what they become; needs `report`, and no `output`.
        changed: called with each game that was changed, in order.
        lang: language of the reasons in the report.

    The other arguments, and errors, are as for `chesstools.scan.scan`. Also raises OutputError where nothing can be written.

    >>> import io
    >>> from chesstools.source import Source
    >>> out = io.BytesIO()
    >>> done = fix(Source.from_bytes(b"1. e2e4 e5 2. Ng1f3 1/2"), out, ignore="P106")
    >>> out.getvalue(), dict(done.changes)
    (b'1. e4 e5 2. Nf3 1/2-1/2', {'N404': 1, 'N402': 1, 'E541': 1})
    """
    check(lang)
    for place in (output, report):
        if isinstance(place, (str, os.PathLike)):
            files_only(place, "repaired games and their report")
    found = find_sources(sources)
    wanted = _wanted(Selection(select, ignore), unsafe)
    choice = read_choice(profile, profile_file)
    if in_place and (output is not None or report is None):
        raise OptionError("Sources are replaced only if a report is written from which they can be had back, and nothing else.")
    if in_place and report is not None and os.path.lexists(report):
        raise OptionError(
            f"{os.fspath(report)} is there already, and may be all that brings an archive back; give the report another name."
        )
    if report is not None and any(source.path and os.path.realpath(report) == os.path.realpath(source.path) for source in found):
        raise OptionError(f"{os.fspath(report)} is one of the sources; give the report another name.")
    total = Fixed()
    places = Places()
    chosen = _places(found, output, in_place=in_place, hint=", or use --in-place with --report")
    if report is not None and any(place is not None and os.path.realpath(place) == os.path.realpath(report) for place in chosen):
        raise OptionError(f"{os.fspath(report)} is to hold the repaired games; give the report another name.")
    first_error: ChesstoolsError | None = None
    stored = games = 0
    try:
        with _rows(report, places) as rows:
            for source, place in zip(found, chosen, strict=True):
                one = FixedSource(name=source.name, output=None if place is None else str(place))
                total.sources.append(one)

                def note(game: Changed, where: str | None = one.output) -> None:
                    if rows is not None:
                        for row in rows_of(game, where, lang):
                            rows.write(row)
                    if changed is not None:
                        changed(game)

                with _stream(places, place, output) as write:
                    repairer = Repairer(
                        source, wanted, choice, write, note,
                        unsafe=unsafe, jobs=jobs, block_bytes=block_bytes, engine=engine,
                    )  # fmt: skip
                    try:
                        for done in repairer.run():
                            if progress is not None:
                                progress(stored + source.stored_bytes_read, games + done)
                        row = _file_row(repairer, one)
                    except SourceError as error:
                        one.error = str(error)
                        first_error = first_error or error
                if one.error is not None:
                    one.output = None
                    if place is not None:
                        places.drop(place)
                elif rows is not None:
                    rows.write(row)
                for item in fields(Counts):
                    setattr(one, item.name, getattr(repairer.counts, item.name))
                _add(total, one)
                stored += source.stored_bytes_read
                games += one.games
        places.commit()
    finally:
        places.discard()
    if first_error is not None and raise_source_errors:
        raise first_error
    return total


def _wanted(selection: Selection, unsafe: bool) -> frozenset[str]:
    """The codes of the rules that are wanted and have a repair."""
    levels = {"safe", "unsafe"} if unsafe else {"safe"}
    fixable = {rule.code for rule in all_rules() if levels & set(rule.fix)}
    wanted = frozenset(fixable & selection.codes)
    if not wanted:
        hint = "" if unsafe else " without --unsafe"
        raise OptionError(f"Nothing that is selected can be repaired{hint}; 'chesstools rule --all' shows what can.")
    return wanted


def _places(found: list[Source], output: object, *, in_place: bool = False, hint: str = "") -> list[Path | None]:
    if in_place:
        return list(targets_in_place(found))
    if isinstance(output, (str, os.PathLike)):
        return list(targets(found, os.fspath(output), hint))
    if output is not None and len(found) > 1:
        raise OptionError("Several sources do not go into one stream; name a folder.")
    return [None] * len(found)


@contextmanager
def _stream(places: Places, place: Path | None, output: object) -> Iterator[Callable[[bytes], object]]:
    """What takes the bytes of one source."""
    if place is not None:
        part = places.part(place, folders=True)
        try:
            file = open(part, "wb")  # noqa: SIM115
        except OSError as error:
            raise cannot_write(place, error) from None
        with file, packed(file, place.name) as out:
            yield out.write
    else:
        yield getattr(output, "write", lambda data: None)


@contextmanager
def _rows(report: str | os.PathLike[str] | None, places: Places) -> Iterator[ReportWriter | None]:
    """What takes the rows of the report. Its file is the first to come into its place."""
    if report is None:
        yield None
        return
    form = format_of(os.fspath(report))
    path = places.part(Path(report), folders=True)
    try:
        writer = report_writer(form, path)
    except OSError as error:
        raise cannot_write(Path(report), error) from None
    try:
        yield writer
    finally:
        writer.close()


def _file_row(repairer: Repairer, one: FixedSource) -> dict[str, Any]:
    """The row about a whole source."""
    was = repairer.utf16
    size, digest = (repairer.read.size, repairer.read.hash) if was is None else (was.size, was.xxh3.hexdigest())
    if was is not None and (repairer.as_utf16.size, repairer.as_utf16.hash) != (size, digest):
        raise SourceError(f"{one.name} is not whole UTF-16, so that a repair could not be undone; convert it to UTF-8 first.")
    return {
        **dict.fromkeys(REPORT.names),
        "kind": "file",
        "source": one.name,
        "output": one.output,
        "code": None if was is None else "P101",
        "before": None if was is None else was.codec,
        "bytes_before": size,
        "hash_before": digest,
        "bytes_after": repairer.written.size,
        "hash_after": repairer.written.hash,
    }


def _add(total: Fixed, one: FixedSource) -> None:
    """Add the counts of a source to those of all."""
    for item in fields(Counts):
        mine, theirs = getattr(total, item.name), getattr(one, item.name)
        if isinstance(mine, Counter):
            for name, count in theirs.items():
                mine[name] += count
        else:
            setattr(total, item.name, mine + theirs)


def revert(
    report: str | os.PathLike[str], fixed: Sources, output: str | os.PathLike[str] | BinaryIO
) -> list[tuple[str, str | None]]:
    """Write the bytes that sources had before they were repaired (unpacked ones).

    Args:
        report: the report that `fix` wrote.
        fixed: the files that it wrote, all or some: files, folders or globs; they may have been packed meanwhile.
        output: a file, or where there are several a folder that gets a file for each; they appear when all are complete and
            their hashes are the right ones. Or a binary stream, for one.

    Returns of each file the name of the source that it was, and where its bytes are now (None: in the stream).

    Raises ChesstoolsError where `fixed` is not what the report speaks of or the report was changed, OptionError where the output
    is one of the files that are read or holds no several files, OutputError where it cannot be written.
    """
    found = find_sources(fixed)
    name = os.fspath(report)
    if isinstance(output, (str, os.PathLike)):
        files_only(output, "repaired games and their report")
    chosen = _places(found, output)
    for place in chosen:
        if place is not None and os.path.realpath(place) == os.path.realpath(name):
            raise OptionError(f"{place} is what is read; give --output another name.")
    place_of = {id(source): place for source, place in zip(found, chosen, strict=True)}
    places = Places()
    try:
        rows = originals(name, found, lambda source: _stream(places, place_of[id(source)], output))
        places.commit()
    except OSError as error:
        raise OutputError(f"{output} cannot be written ({error.strerror}); choose another place.") from None
    finally:
        places.discard()
    return [(row["source"], None if place is None else str(place)) for row, place in zip(rows, chosen, strict=True)]
