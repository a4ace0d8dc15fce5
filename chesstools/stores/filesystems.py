"""The filesystems of Arrow behind the URIs of stores.

Credentials are found by the libraries of Arrow: in the environment, in the files and services of each cloud, or in the URI.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from chesstools.stores.errors import telling
from chesstools.stores.uri import Parts, take_apart

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

S3_ATTEMPTS = 4
"""How often S3 is asked before it is given up: some seconds, as each wait is longer than the one before."""

GS_SECONDS = 15
"""How long Google's store is asked, where the URI does not say (``retry_limit_seconds``); Arrow does for a quarter of an hour."""


def located(uri: str) -> tuple[FileSystem, str]:
    """The filesystem that a URI names, and the path in it. Nothing is read but, on S3, the region of a bucket that is not told.

    A filesystem is made once in a process for each bucket. Raises SourceError where Arrow cannot make one.

    >>> filesystem, path = located("s3://games/2024/may.pgn?region=eu-west-1")
    >>> filesystem.type_name, path
    ('s3', 'games/2024/may.pgn')
    """
    parts = take_apart(uri)
    with telling(uri):
        filesystem, base = _filesystem(*parts._replace(key=""))
    return filesystem, f"{base.rstrip('/')}/{parts.key}" if parts.key else base


@lru_cache(maxsize=64)
def _filesystem(*place: str) -> tuple[FileSystem, str]:
    from pyarrow import fs

    parts = Parts(*place)
    scheme, parameters = parts.scheme, parts.parameters
    is_anonymous = parts.user == "anonymous" and not parts.password
    # Of Google's store Arrow knows no other user without a password; of S3 none at all.
    takes_users = scheme == "hdfs" or (scheme in ("gs", "gcs") and is_anonymous)
    authority = parts.authority if parts.password or takes_users else parts.host
    if scheme in ("gs", "gcs") and "retry_limit_seconds=" not in parameters:
        parameters = f"{parameters}&retry_limit_seconds={GS_SECONDS}".removeprefix("&")
    filesystem, path = fs.FileSystem.from_uri(f"{scheme}://{authority}/" + (f"?{parameters}" if parameters else ""))
    if scheme == "s3":
        # A URI cannot say how to try again, and what Arrow does by itself does not cover a connection that drops in the midst.
        _, (settings,) = filesystem.__reduce__()
        retry = fs.AwsStandardS3RetryStrategy(max_attempts=S3_ATTEMPTS)
        ours = {"anonymous": is_anonymous, "retry_strategy": retry, "allow_delayed_open": True}  # small objects in one request
        # Else whoever writes never waits, and what a slow store has not taken yet is held in memory, however much that is.
        filesystem = fs.S3FileSystem(**{**settings, **ours, "background_writes": False})
    return filesystem, path
