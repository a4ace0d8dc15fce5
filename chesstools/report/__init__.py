"""One self-contained HTML page about an archive: what it is, how good it is, what happened in its games."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from chesstools.errors import ChesstoolsError
from chesstools.output import Output
from chesstools.places import cannot_write, files_only
from chesstools.profile_choice import AUTO
from chesstools.stores import is_uri

if TYPE_CHECKING:
    from chesstools.given import AnyGiven, Given
    from chesstools.profiles import Profile
    from chesstools.report.model import Page
    from chesstools.run import Progress

NEEDED = ("altair", "jinja2", "vl_convert")


@dataclass(frozen=True, slots=True)
class Report:
    """A report that was made. In a notebook it shows itself."""

    page: Page
    """What it is made of: sections with plots, tables and boards (`chesstools.report.model`)."""
    html: str
    """The page: one file that needs no other and asks the network for nothing."""
    errors: list[str]
    """What was wrong with sources that could not be read to their end; their other games are in the report."""

    def save(self, output: str | os.PathLike[str]) -> None:
        """Write the page to a file (packed if its name ends in .gz or .zst), or to standard output for ``-``.

        A folder that is missing is made. Raises OutputError where it cannot be written.
        """
        place = Output(os.fspath(output))
        if not place.is_stdout and not is_uri(place.name):
            folder = Path(place.name).parent
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise cannot_write(folder, error) from None
        with place.stream() as stream:
            stream.write(self.html.encode())

    def save_pictures(self, folder: str | os.PathLike[str]) -> Iterator[Path]:
        """Write each plot as PNG and SVG to a folder, which is made if need be; yields each file when it is written.

        Raises OutputError where it cannot be written.
        """
        from chesstools.report.pictures import save_pictures

        files_only(folder, "pictures")
        return save_pictures(self.page.plots, Path(folder))

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self.html)}" style="width:100%;height:50rem;border:0" title="Report"></iframe>'


def report(
    given: AnyGiven,
    *,
    title: str | None = None,
    include_invalid: bool = False,
    unique: bool = False,
    profile: str | Profile = AUTO,
    profile_file: str | os.PathLike[str] | None = None,
    jobs: int = 1,
    engine: str | None = None,
    progress: Progress | None = None,
) -> Report:
    """Make a page about the games in `given`: datasets, or sources, which are judged first.

    Args:
        given: datasets, paths of datasets, sources (see `chesstools.given.opened`).
        title: the heading. Default: the name of the source, or how many there are.
        include_invalid: whether games with errors count in the statistics too. They are always in the part on quality.
        unique: whether a game that stands several times (`game_id`) counts once in the statistics.
        profile, profile_file, jobs, engine, progress: as for `chesstools.ingest`; datasets stay as they were judged.

    Raises:
        ChesstoolsError: the extra ``report`` is not installed.
        SourceError, DatasetError, OptionError: as `chesstools.given.opened` and `chesstools.database.connect`.

    >>> from chesstools.source import Source
    >>> made = report(Source.from_bytes(b'[Result "1-0"]\\n\\n1. e4 e5 1-0\\n', "a.pgn"))
    >>> [section.title for section in made.page.sections][:2], made.html[:15]
    (['The archive', 'Its quality'], '<!doctype html>')
    """
    need_extra()
    from chesstools.given import opened

    with opened(
        given, profile=profile, profile_file=profile_file, jobs=jobs, engine=engine, progress=progress, raise_source_errors=False
    ) as found:
        return of_given(found, title=title, include_invalid=include_invalid, unique=unique)


def of_given(
    found: Given, *, title: str | None = None, include_invalid: bool = False, unique: bool = False, threads: int | None = None
) -> Report:
    """The same, of datasets that are open already; `threads` count, by default one for each processor."""
    need_extra()
    from chesstools.report.contents import make_page
    from chesstools.report.page import html

    page = make_page(found.datasets, title=title, include_invalid=include_invalid, unique=unique, threads=threads)
    return Report(page, html(page), found.errors)


def need_extra() -> None:
    """Raises ChesstoolsError where a package of the extra ``report`` is missing."""
    for name in NEEDED:
        try:
            import_module(name)
        except ImportError:
            raise ChesstoolsError("A report needs a few more packages: pip install 'chesstools-pgn[report]'.") from None
