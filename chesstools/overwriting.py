"""What is read must not be replaced by what is made of it, on a disk or in a store."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from chesstools.errors import OptionError
from chesstools.places import lies_in_dataset
from chesstools.stores import is_uri, object_of, shown_name

if TYPE_CHECKING:
    from chesstools.source import Source


def refuse_source_as_output(output: str, sources: Iterable[str], *, what: str = "the output") -> None:
    """Raise OptionError where `output`, a file or a folder, is one of the sources, or lies in a dataset that is read.

    Args:
        output: a path or a URI.
        sources: paths and URIs of files and of datasets.
        what: how the sentence calls the output.

    >>> refuse_source_as_output("sample_data/games/generated_mixed.pgn", ["./sample_data/games/generated_mixed.pgn"])
    Traceback (most recent call last):
    chesstools.errors.OptionError: sample_data/games/generated_mixed.pgn is one of the sources; give the output another name.
    """
    name = shown_name(output)
    for source in sources:
        if lies_in_dataset(output, source):
            raise OptionError(f"{name} lies in the dataset {shown_name(source)}, which is read; give {what} another place.")
        if _is_same(source, output):
            raise OptionError(f"{name} is one of the sources; give {what} another name.")


def place_of(source: Source) -> str | None:
    """The path or URI of what a source is read from, an archive where it is a member of one; None where it has none."""
    if source.dataset is not None:
        return source.dataset
    return source.object.uri if source.object is not None else source.path


def may_hold(source: str, output: str) -> bool:
    """Whether `output` may be one of the files that `source`, a name of a folder or a glob, stands for.

    Of a store this is told by the names, so that nothing is asked there for an output elsewhere.

    >>> may_hold("s3://games/2024/*/a.pgn", "s3://games/2024/x.csv"), may_hold("s3://games/2024", "s3://games/2024.csv")
    (True, False)
    """
    if not (is_uri(source) and is_uri(output)):
        return not is_uri(source) and not is_uri(output) and not os.path.isdir(output) and os.path.exists(output)
    inside, around = object_of(output), object_of(source)
    plain = around.key[: next((place for place, sign in enumerate(around.key) if sign in "*?["), len(around.key))]
    folder = plain if plain != around.key else f"{plain}/".lstrip("/")
    return inside._replace(key="") == around._replace(key="") and inside.key.startswith(folder)


def _is_same(source: str, output: str) -> bool:
    if is_uri(source) or is_uri(output):
        return is_uri(source) and is_uri(output) and object_of(source) == object_of(output)
    try:
        return os.path.samefile(source, output)
    except (OSError, ValueError):
        return False
