"""Anything readable, as one stream of bytes with a name and, where known, a size.

`find_sources` turns what a person names (files, folders, globs, URIs of stores, ``-``) into a list of `Source`; `Source.open`
gives the decompressed bytes block by block. Compression is recognised by the first bytes, never by the name.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from chesstools.bytestream import ByteStream
from chesstools.errors import OptionError, SourceError
from chesstools.sources import local, objects
from chesstools.sources.one import BLOCK_BYTES, Source
from chesstools.sources.wanted import MANIFEST_NAME, PGN, Wanted
from chesstools.stores import identity, is_uri

__all__ = ["BLOCK_BYTES", "MANIFEST_NAME", "PGN", "ByteStream", "Source", "Wanted", "find_sources"]

_STDIN = "-"


def find_sources(
    args: str | os.PathLike[str] | Source | Iterable[str | os.PathLike[str] | Source], wanted: Wanted = PGN
) -> list[Source]:
    """The sources that `args` name: files, folders, globs (``**`` too), ``-`` for standard input, sources as they are.

    A folder is searched with its sub-folders for ``.pgn``, ``.pgn.gz``, ``.pgn.bz2``, ``.pgn.xz``, ``.pgn.zst`` and
    ``.zip`` (in any case); hidden names are passed over and links to folders are not followed. A file that is named itself
    is read whatever its name. A glob whose last part has a dot names its files in this sense; one that ends in ``*``
    finds what a folder would. Every PGN file in a zip archive is a source of its own. `wanted` says what is looked for in
    place of PGN files.

    A URI (``s3://``, ``gs://``, ``hdfs://``, ``abfs://``; `chesstools.stores`) names an object, a folder or a glob of a store in
    the same way.

    Order: as given; sorted by name within a folder, glob or archive. A file that is reached twice is listed once.

    Raises OptionError if there are no arguments, and SourceError if something does not exist, cannot be read, or holds
    no PGN files.

    >>> [source.name for source in find_sources("-")]
    ['-']
    """
    if isinstance(args, str | os.PathLike | Source):
        args = [args]
    found: list[Source] = []
    seen: set[object] = set()
    names: dict[str, int] = {}
    given = False
    for arg in args:
        given = True
        for source in _expand(arg, wanted):
            if (key := _identity(source)) in seen:
                continue
            seen.add(key)
            number = names[source.name] = names.get(source.name, 0) + 1
            if number > 1:  # two members of one name in an archive: the name is a key in the tables
                source.name = f"{source.name}#{number}"
            found.append(source)
    if not given:
        raise OptionError("Name at least one source: a file, a folder, a glob, or - for standard input.")
    return found


def _identity(source: Source) -> object:
    member = source.member and source.member.offset
    if source.path is not None:
        return os.path.realpath(source.path), member
    if source.object is not None or source.dataset is not None:
        return identity(source.object.uri if source.object is not None else str(source.dataset)), member
    return _STDIN if source.data is None and source.reading is None else source


def _expand(arg: str | os.PathLike[str] | Source, wanted: Wanted) -> list[Source]:
    if isinstance(arg, Source):
        return [arg]
    path = os.fsdecode(arg)
    if path == _STDIN:
        return [Source(_STDIN)]
    if not path:
        raise SourceError("A source has an empty name; name a file, a folder, a glob, or - for standard input.")
    return objects.find(path, wanted) if is_uri(path) else local.find(path, wanted)
