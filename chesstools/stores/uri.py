"""Names of what is in object stores: URIs (``s3://bucket/key``, ``gs://``, ``hdfs://``, ``abfs://``), and how they are shown.

In a URI ``%`` begins the code of a sign (``%20``), and a ``?`` with ``name=`` behind it the parameters, which are those of Arrow:
``endpoint_override``, ``scheme``, ``region`` and so on. All other signs stand for themselves, blanks and ``#`` too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import quote, unquote_to_bytes

from chesstools.errors import ChesstoolsError, OptionError, SourceError

_URI = re.compile(r"(s3|gs|gcs|hdfs|abfss?)://", re.IGNORECASE)
_ANY_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_COLLAPSED = re.compile(r"((?:s3|gs|gcs|hdfs|abfss?):)[/\\]", re.IGNORECASE)
"""What is left of a URI that somebody took for a path."""
_AZURE_FILES = ".dfs.core.windows.net"
_PARAMETERS = re.compile(r"\?(?=[a-z_]+=)")
_WITH_BUCKETS = ("s3", "gs", "gcs", "abfs", "abfss")
_SERVERS = ("endpoint_override", "blob_storage_authority", "dfs_storage_authority")


class Parts(NamedTuple):
    """A URI taken apart; nothing in it is quoted any more but the parameters."""

    scheme: str
    user: str
    password: str
    host: str
    """The bucket, or the name of a server, or ``container@account`` of Azure."""
    key: str
    """What stands behind the slash, without slashes at the end."""
    parameters: str

    def __repr__(self) -> str:
        return f"Parts({self.scheme}://{self.host}/{self.key})"  # nothing of what may be secret

    @property
    def login(self) -> str:
        """What stands before the host in a URI, with its ``@``, and of Azure with the container before the key."""
        if not self.password:
            return f"{quote(self.user, safe='')}@" if self.user else ""
        return f"{quote(self.user, safe='')}:{quote(self.password, safe='')}@"

    @property
    def authority(self) -> str:
        """Login and host, as a URI has them."""
        container, at, account = self.host.partition("@")
        if at and self.password:
            return f"{container}:{quote(self.password, safe='')}@{account}"
        return self.login + self.host


def is_uri(name: str) -> bool:
    """Whether a name is that of something in a store.

    >>> is_uri("s3://games/2024.pgn.zst"), is_uri("games/2024.pgn"), is_uri(r"C:\\\\games"), is_uri("https://example.org/a.pgn")
    (True, False, False, False)
    """
    return _URI.match(name) is not None


def take_apart(uri: str) -> Parts:
    """The parts of a URI. Raises SourceError where it names no bucket, or is no text when it is unquoted.

    >>> parts = take_apart("s3://AKIA:secret@games/the%20best/1.pgn?region=eu-west-1")
    >>> parts
    Parts(s3://games/the best/1.pgn)
    >>> parts.user, parts.parameters
    ('AKIA', 'region=eu-west-1')
    """
    scheme, rest = uri.split("://", 1)
    scheme = scheme.lower()
    rest, *parameters = _PARAMETERS.split(rest, maxsplit=1)
    authority = rest.split("/", 1)[0]
    if scheme in _WITH_BUCKETS and ":" in authority and "@" not in authority and "@" in rest:
        authority = rest[: rest.index("/", rest.index("@"))] if "/" in rest[rest.index("@") :] else rest  # a / in the secret
    key = rest[len(authority) + 1 :].rstrip("/")
    login, _, host = authority.rpartition("@")
    user, _, password = login.partition(":")
    if scheme.startswith("abfs") and login and not password:  # abfs://container@account is no login
        user, host = "", authority
    elif scheme.startswith("abfs") and user and host.endswith(_AZURE_FILES):
        user, host = "", f"{user}@{host}"  # abfs://container:key@account
    if not host and scheme != "hdfs":
        raise SourceError(f"{scheme}:// names no bucket; give one, as in {scheme}://bucket/folder.")
    try:
        user, password, host, key = (unquote_to_bytes(part).decode() for part in (user, password, host, key))
    except UnicodeDecodeError:
        raise SourceError(f"A {scheme}:// name is no text when it is unquoted; write each % that is meant as %25.") from None
    return Parts(scheme, user, password, host, key, "".join(parameters))


def ends_in_slash(uri: str) -> bool:
    """Whether a URI is written as the name of a folder.

    >>> ends_in_slash("s3://games/2024/?region=eu-west-1"), ends_in_slash("s3://games/a.pgn?region=a/")
    (True, False)
    """
    return _PARAMETERS.split(uri, maxsplit=1)[0].endswith("/")


def shown(uri: str) -> str:
    """A URI as it may be printed and stored: without user, password and parameters, any of which may be secret.

    What comes out names the same object again, where the store is found without the parameters.

    >>> shown("s3://AKIA:secret@games/100%25%20sure.pgn?region=eu-west-1")
    's3://games/100%25 sure.pgn'
    """
    parts = take_apart(uri)
    return f"{parts.scheme}://{parts.host}" + ("/" + _quoted(parts.key) if parts.key else "")


def shown_name(name: str) -> str:
    """A name as it may be printed: a URI as `shown`, any other as it is.

    >>> shown_name("s3://AKIA:secret@games/a.pgn"), shown_name("a.pgn")
    ('s3://games/a.pgn', 'a.pgn')
    """
    return shown(name) if is_uri(name) else name


def refuse_other_schemes(name: str | os.PathLike[str], raises: type[ChesstoolsError]) -> None:
    """See that a name is a path, where it is no URI of a store: no file is meant to be in a folder called ``https:``.

    What `pathlib` makes of a URI (``s3:/games``) is no path either, unless there is such a folder. Raises `raises`.

    >>> refuse_other_schemes("./s3a:/a.pgn", SourceError)
    >>> refuse_other_schemes("s3a://games/a.pgn", SourceError)
    Traceback (most recent call last):
    chesstools.errors.SourceError: s3a:// names no store that is known; give a path, or one of s3://, gs://, hdfs://, abfs://.
    """
    text = os.fspath(name)
    if (scheme := _ANY_SCHEME.match(text)) and not is_uri(text):
        raise raises(f"{scheme[0]} names no store that is known; give a path, or one of s3://, gs://, hdfs://, abfs://.")
    if (scheme := _COLLAPSED.match(text)) and not is_uri(text) and not os.path.isdir(scheme[1]):
        raise raises(f"{scheme[0]}… is no path; give the URI as text, with {scheme[1]}// before the bucket.")


def on_disk_only(name: str | os.PathLike[str], what: str) -> None:
    """See that a file is not in a store, whence `what` is not read. Raises OptionError.

    >>> on_disk_only("s3://AKIA:secret@games/a.toml", "profiles")
    Traceback (most recent call last):
    chesstools.errors.OptionError: s3://games/a.toml is in an object store, whence profiles are not read; copy it to a disk.
    """
    if is_uri(os.fspath(name)):
        raise OptionError(f"{shown(os.fspath(name))} is in an object store, whence {what} are not read; copy it to a disk.")


def joined(uri: str, key: str) -> str:
    """The URI of the object `key` (unquoted) in the bucket of `uri`.

    >>> joined("s3://games/2024?region=eu-west-1", "2025/50% off.pgn")
    's3://games/2025/50%25 off.pgn?region=eu-west-1'
    """
    return names_in(uri)(key)[0]


def names_in(uri: str) -> Callable[[str], tuple[str, str]]:
    """Tells of any object (unquoted) in the bucket of `uri` its URI, and that as `shown`: for many, in little time.

    >>> names_in("s3://AKIA:secret@games/2024?region=eu-west-1")("2025/50% off.pgn")
    ('s3://AKIA:secret@games/2025/50%25 off.pgn?region=eu-west-1', 's3://games/2025/50%25 off.pgn')
    """
    parts = take_apart(uri)
    before, behind = f"{parts.scheme}://{parts.authority}/", f"?{parts.parameters}" if parts.parameters else ""
    bucket = f"{parts.scheme}://{parts.host}"

    def names(key: str) -> tuple[str, str]:
        quoted, is_one = _quoted(key), key.strip("/")
        return f"{before}{quoted}{behind}", f"{bucket}/{quoted.rstrip('/')}" if is_one else bucket

    return names


def identity(uri: str) -> object:
    """What is equal of two URIs of one object, whoever asks for it.

    Of the parameters only those count that name a server.

    >>> identity("s3://AKIA:secret@games/a%20b.pgn?region=eu-west-1") == identity("S3://games/a b.pgn")
    True
    """
    parameters = sorted(take_apart(uri).parameters.split("&"))
    return object_of(uri), *(one for one in parameters if one.partition("=")[0] in _SERVERS)


def object_of(uri: str) -> Parts:
    """What names the object, without login and parameters: one that may be overwritten is the same on whatever server.

    >>> object_of("gcs://anonymous@games/a.pgn?scheme=http") == object_of("gs://games/a.pgn")
    True
    """
    parts = take_apart(uri)
    scheme = {"gcs": "gs", "abfss": "abfs"}.get(parts.scheme, parts.scheme)
    return parts._replace(scheme=scheme, user="", password="", parameters="")


def _quoted(key: str) -> str:
    return re.sub("[%?#]", lambda sign: f"%{ord(sign[0]):02X}", key)
