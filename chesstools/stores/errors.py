"""What went wrong in a store, as one sentence in which nothing is secret."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import unquote

from chesstools.errors import ChesstoolsError, SourceError
from chesstools.stores.uri import shown, take_apart

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


@contextmanager
def telling(uri: str, raises: type[ChesstoolsError] = SourceError) -> Iterator[None]:
    """Whatever Arrow finds wrong with a store becomes an error of ours, of one sentence without credentials."""
    import pyarrow as pa

    try:
        yield
    except (OSError, pa.ArrowException) as error:
        raise raises(sentence(uri, error)) from None  # the message of the cause may hold the whole URI


def sentence(uri: str, error: Exception) -> str:
    """What went wrong with the object of a URI, without what is secret.

    >>> sentence("s3://games/a.pgn", FileNotFoundError(2, "Path does not exist 'games/a.pgn'"))
    's3://games/a.pgn does not exist; check its name.'
    """
    wrong, advice = what_is_wrong(uri, error)
    return f"{shown(uri)} {wrong}; {advice}."


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
