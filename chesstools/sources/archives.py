"""The members of a zip archive as sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chesstools.archive import METHODS, Member
from chesstools.errors import SourceError
from chesstools.sources.one import Source
from chesstools.sources.wanted import Wanted


def member_sources(archive: Source, members: Sequence[Member], wanted: Wanted) -> list[Source]:
    """A source for each member that is wanted, beside what else `archive` is.

    Raises SourceError where there is none, or one cannot be read.
    """
    name = archive.name
    chosen = [member for member in members if wanted.fits(member.name) and not member.name.startswith("__MACOSX/")]
    if chosen and members[-1].cut:  # said once, behind the last games that can be read
        chosen[-1] = replace(chosen[-1], cut=True)
    for member in chosen:
        if member.encrypted:
            raise SourceError(f"{name}/{member.name} is encrypted; unpack the archive with its password and name the files.")
        if member.method not in METHODS:
            how = f"is packed in a way that is not supported (method {member.method})"
            raise SourceError(f"{name}/{member.name} {how}; unpack the archive and name the files.")
    return [
        replace(archive, name=f"{name}/{member.name}", size=member.packed_bytes, resumable=True, member=member)
        for member in chosen
    ]


def no_members(archive: str, wanted: Wanted) -> SourceError:
    """The error for an archive, named itself, that holds nothing that is wanted."""
    return SourceError(f"The archive {archive} holds no {wanted.what}; unpack it and name the files that are to be read.")


def damaged(archive: str, error: Exception) -> SourceError:
    """The error for an archive that cannot be opened."""
    return SourceError(f"{archive} is a damaged zip archive ({error}); fetch it again.")
