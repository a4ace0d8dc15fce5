"""Object stores by URI (``s3://bucket/key``, ``gs://``, ``hdfs://``, ``abfs://``): the filesystem of Arrow behind one, how it
is shown, and what went wrong as a sentence.

Credentials are found by the libraries of Arrow: in the environment, in the files and services of each cloud, or in the URI.
They are never shown. Parameters behind ``?`` are those of Arrow: ``endpoint_override``, ``scheme``, ``region`` and so on.

In a URI ``%`` begins the code of a sign (``%20``), and a ``?`` with ``name=`` behind it the parameters. All other signs stand for
themselves, blanks and ``#`` too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote, unquote_to_bytes

from chesstools.errors import ChesstoolsError, OptionError, SourceError

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

_URI = re.compile(r"(s3|gs|gcs|hdfs|abfss?)://", re.IGNORECASE)
_ANY_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_COLLAPSED = re.compile(r"((?:s3|gs|gcs|hdfs|abfss?):)[/\\]", re.IGNORECASE)
"""What is left of a URI that somebody took for a path."""
_AZURE_FILES = ".dfs.core.windows.net"
_PARAMETERS = re.compile(r"\?(?=[a-z_]+=)")
_WITH_BUCKETS = ("s3", "gs", "gcs", "abfs", "abfss")
_SERVERS = ("endpoint_override", "blob_storage_authority", "dfs_storage_authority")

S3_ATTEMPTS = 4
"""How often S3 is asked before it is given up: some seconds, as each wait is longer than the one before."""

GS_SECONDS = 15
"""How long Google's store is asked, where the URI does not say (``retry_limit_seconds``); Arrow does for a quarter of an hour."""


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
    parts = take_apart(uri)
    parameters = f"?{parts.parameters}" if parts.parameters else ""
    return f"{parts.scheme}://{parts.authority}/{_quoted(key)}{parameters}"


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


@contextmanager
def telling(uri: str, raises: type[ChesstoolsError] = SourceError) -> Iterator[None]:
    """Whatever Arrow finds wrong with a store becomes an error of ours, of one sentence without credentials."""
    import pyarrow as pa

    try:
        yield
    except (OSError, pa.ArrowException) as error:
        raise raises(sentence(uri, error)) from None  # the message of the cause may hold the whole URI


_WORDS = (
    (r"NO_SUCH_BUCKET|[Bb]ucket does not exist", "is in a bucket that does not exist", "check its name"),
    (
        r"INVALID_ACCESS_KEY_ID|SIGNATURE_DOES_NOT_MATCH|UNRECOGNIZED_CLIENT|EXPIRED_TOKEN|UNAUTHENTICATED|HTTP status 401",
        "cannot be used with these credentials, which the store does not accept",
        "check them",
    ),
    (
        r"AuthenticationException|Could not create a OAuth2|Failed to get token",
        "cannot be used without credentials, of which none were found",
        "give them in the way of the store (docs/stores.md)",
    ),
    (
        r"ACCESS_DENIED|HTTP status 403|PERMISSION_DENIED|Forbidden",
        "is refused by the store",
        "check the credentials and what they permit",
    ),
    (
        r"NETWORK_CONNECTION|UNAVAILABLE|REQUEST_TIMEOUT|DEADLINE_EXCEEDED|curlCode",
        "cannot be reached",
        "check the network and the address of the store, and give the command again",
    ),
    (
        r"SLOW_DOWN|INTERNAL_FAILURE|HTTP status 5\d\d",
        "cannot be served by the store now",
        "give the command again later",
    ),
    (
        r"Empty path component",
        "has two slashes one after the other in its name, which Arrow does not read",
        "give the object another name",
    ),
    (
        r"libjvm|libhdfs",
        "needs Hadoop on this machine (libhdfs and Java)",
        "install it and set HADOOP_HOME, JAVA_HOME and CLASSPATH",
    ),
)
"""What Arrow and the libraries below it say, what is wrong then, and what to do."""


def sentence(uri: str, error: Exception) -> str:
    """What went wrong with the object of a URI, without what is secret.

    >>> sentence("s3://games/a.pgn", FileNotFoundError(2, "Path does not exist 'games/a.pgn'"))
    's3://games/a.pgn does not exist; check its name.'
    """
    wrong, advice = what_is_wrong(uri, error)
    return f"{shown(uri)} {wrong}; {advice}."


class StoreError(OSError):
    """What is wrong with an object, as `what_is_wrong` tells; nothing in it is secret."""

    def __init__(self, wrong: str, advice: str) -> None:
        super().__init__(f"it {wrong}")
        self.wrong = wrong
        self.advice = advice


def is_of_store(error: BaseException) -> bool:
    """Whether a store is the cause of an error: so that another try may do better.

    >>> try:
    ...     raise SourceError("s3://games/a.pgn could not be read to its end.") from StoreError("cannot be reached", "try again")
    ... except SourceError as error:
    ...     is_of_store(error)
    True
    """
    return isinstance(error.__cause__, StoreError)


def is_known(error: Exception) -> bool:
    """Whether an error of Arrow is one that stores answer with, or that there is no way to the store.

    >>> is_known(OSError("AWS Error NETWORK_CONNECTION during GetObject operation")), is_known(OSError("Corrupt snappy data"))
    (True, False)
    """
    return isinstance(error, StoreError) or any(re.search(pattern, str(error)) for pattern, _, _ in _WORDS)


def what_is_wrong(uri: str, error: Exception) -> tuple[str, str]:
    """What is wrong with the object of a URI, as the rest of a sentence that begins with its name, and what to do.

    >>> what_is_wrong("gs://games/a.pgn", OSError("google::cloud::Status(UNAVAILABLE: Retry policy exhausted, …)"))
    ('cannot be reached', 'check the network and the address of the store, and give the command again')
    """
    if isinstance(error, StoreError):
        return error.wrong, error.advice
    if isinstance(error, FileNotFoundError):
        return "does not exist", "check its name"
    text = next(iter(str(error).splitlines()), type(error).__name__)
    for pattern, wrong, advice in _WORDS:
        if re.search(pattern, text):
            return wrong, advice
    if unknown := re.search(r"Unexpected query parameter in \S+ URI: '(\w+)'", text):
        return f"has the parameter {unknown[1]}, which Arrow does not know", "leave it out"
    reason = _without_secrets(re.sub(r" ?\(Request ID: [^)]*\)", "", text.rpartition(" operation: ")[2]).rstrip(". "), uri)
    return f"cannot be used ({reason})", "check the name, the credentials and the store"


def _without_secrets(text: str, uri: str) -> str:
    """`text` without the URI itself, its login and parameters, and what the environment holds of credentials."""
    parts = take_apart(uri)
    values = [parameter.partition("=")[2] for parameter in parts.parameters.split("&")]
    values += [unquote(value) for value in values]
    login = uri.split("://", 1)[1].rpartition("@")[0]
    known = [value for name, value in os.environ.items() if re.search("KEY|SECRET|TOKEN|PASSWORD|CONNECTION_STRING", name)]
    secrets = [parts.password, parts.user, login, *login.split(":", 1), *values, *known]
    text = re.sub(r"\w+://\S+", "…", text)
    for secret in sorted({secret for secret in secrets if len(secret) > 3}, key=len, reverse=True):
        text = text.replace(secret, "…")
    return text


def _quoted(key: str) -> str:
    return re.sub("[%?#]", lambda sign: f"%{ord(sign[0]):02X}", key)
