"""Names of things in object stores: what they name, how they are shown, and what is said where something is wrong."""

from __future__ import annotations

import subprocess
import sys

import pyarrow as pa
import pytest
from s3_server import KEY, S3, SECRET

from chesstools.errors import DatasetError, SourceError
from chesstools.output import Output
from chesstools.store_folder import StoreFolder
from chesstools.store_object import StoreObject
from chesstools.stores import identity, is_uri, joined, located, sentence, shown, take_apart, telling


@pytest.mark.parametrize("name", ["s3://b/k", "S3://b/k", "gs://b", "gcs://b/k", "hdfs://h:1/a", "abfs://c@a/k", "abfss://c@a/k"])
def test_uris(name: str) -> None:
    assert is_uri(name)


@pytest.mark.parametrize("name", ["s3:/b/k", "a/s3://b", "C:\\games", "c:/games", "file:///a", "http://a/b", "-", "", "s3"])
def test_names_of_files_are_no_uris(name: str) -> None:
    assert not is_uri(name)


@pytest.mark.parametrize(
    ("uri", "shows"),
    [
        ("s3://games/a.pgn", "s3://games/a.pgn"),
        ("S3://games/a.pgn/", "s3://games/a.pgn"),
        ("s3://games", "s3://games"),
        ("s3://AKIA1:topsecret@games/a.pgn", "s3://games/a.pgn"),
        ("s3://AKIA1:top%2Fse+cret@games/a.pgn", "s3://games/a.pgn"),
        ("s3://AKIA1:top/se/cret@games/a.pgn", "s3://games/a.pgn"),
        ("s3://AKIA1:top/se/cret@games", "s3://games"),
        ("s3://games/a.pgn?access_key=AKIA1&secret_key=topsecret&region=x", "s3://games/a.pgn"),
        ("s3://games/b@c/a:b.pgn", "s3://games/b@c/a:b.pgn"),
        ("s3://games/odd%20name.pgn", "s3://games/odd name.pgn"),
        ("s3://games/odd name#1.pgn", "s3://games/odd name%231.pgn"),
        ("s3://games/why?.pgn", "s3://games/why%3F.pgn"),
        ("s3://games/2024-0?.pgn?region=x", "s3://games/2024-0%3F.pgn"),
        ("gs://anonymous@games/ü.pgn", "gs://games/ü.pgn"),
        ("hdfs://ann:topsecret@node:8020/games", "hdfs://node:8020/games"),
        ("abfs://games@account.dfs.core.windows.net/a.pgn", "abfs://games@account.dfs.core.windows.net/a.pgn"),
        ("abfs://account:topsecret@games/a.pgn", "abfs://games/a.pgn"),
        ("abfs://account:top/secret==@games/a.pgn", "abfs://games/a.pgn"),
        ("abfss://games:topsecret@account.dfs.core.windows.net/a.pgn", "abfss://games@account.dfs.core.windows.net/a.pgn"),
    ],
)
def test_what_is_shown(uri: str, shows: str) -> None:
    assert shown(uri) == shows
    assert shown(shows) == shows


def test_the_uri_of_another_object_keeps_all_but_the_key() -> None:
    uri = joined("s3://AK%2F:a%2Bb@games/x/y.pgn?region=eu-west-1&scheme=http", "z/50% of #1?.pgn")
    assert uri == "s3://AK%2F:a%2Bb@games/z/50%25 of %231%3F.pgn?region=eu-west-1&scheme=http"
    assert take_apart(uri)[1:5] == ("AK/", "a+b", "games", "z/50% of #1?.pgn")


@pytest.mark.parametrize("uri", ["s3://", "s3:///a.pgn", "s3://?region=x", "gs://"])
def test_a_uri_without_a_bucket(uri: str) -> None:
    with pytest.raises(SourceError, match=r"names no bucket; give one, as in (s3|gs)://bucket/folder\."):
        located(uri)


def test_a_name_that_is_no_text() -> None:
    with pytest.raises(SourceError, match=r"write each % that is meant as %25\."):
        located("s3://games/per%cent.pgn")


def test_what_names_an_object_says_whether_two_uris_are_one() -> None:
    plain = identity("s3://games/a.pgn")
    for same in ("s3://AKIA1:topsecret@games/a.pgn", "s3://games/a.pgn?region=us-east-1&scheme=http", "S3://games/%61.pgn"):
        assert identity(same) == plain
    for other in ("s3://games/b.pgn", "s3://game/a.pgn", "s3://games/a.pgn?endpoint_override=localhost:9000"):
        assert identity(other) != plain
    on_azure = [f"abfs://{container}:key1@account.dfs.core.windows.net/a.pgn" for container in ("games", "other")]
    assert identity(on_azure[0]) != identity(on_azure[1])
    assert take_apart(on_azure[0]).authority == "games:key1@account.dfs.core.windows.net"
    assert identity("gcs://games/a.pgn?retry_limit_seconds=3") == identity("gs://games/a.pgn")


def test_nothing_secret_is_in_what_debuggers_show() -> None:
    uri = "s3://AKIA1:topsecret@games/a.pgn?secret_key=hidden"
    assert repr(take_apart(uri)) == "Parts(s3://games/a.pgn)"
    for shows in (repr(Output(uri)), repr(StoreObject(uri)), repr(StoreFolder(uri))):
        assert not [secret for secret in ("AKIA1", "topsecret", "hidden") if secret in shows]


def test_a_secret_parameter_is_left_out_of_sentences_unquoted_too() -> None:
    says = sentence("s3://games/a.pgn?session_token=top%2Fse%2Bcret", OSError("odd: top/se+cret, top%2Fse%2Bcret"))
    assert says.startswith("s3://games/a.pgn cannot be used (odd: …, …);")


def test_a_filesystem_is_made_once() -> None:
    first, path = located("s3://games/a/b.pgn?region=eu-west-1")
    again, other = located("s3://games/c%20d.pgn?region=eu-west-1")
    assert first is again
    assert (path, other) == ("games/a/b.pgn", "games/c d.pgn")
    assert located("s3://games?region=eu-west-1")[1] == "games"
    assert located("s3://games/a?region=eu-west-2")[0] is not first


def test_stores_of_other_kinds() -> None:
    assert located("gs://anonymous@games/a.pgn")[0].type_name == "gcs"
    filesystem, path = located("abfs://games@account.dfs.core.windows.net/2024/a.pgn")
    assert (filesystem.type_name, path) == ("abfs", "games/2024/a.pgn")


def test_credentials_in_the_uri_are_those_that_are_used() -> None:
    login = "AK%2F1:top%2Fse%2Bcret"
    _, (settings,) = located(f"s3://{login}@games/a.pgn?region=eu-west-1")[0].__reduce__()
    assert (settings["access_key"], settings["secret_key"], settings["anonymous"]) == ("AK/1", "top/se+cret", False)
    _, (settings,) = located("s3://anonymous@games/a.pgn?region=eu-west-1")[0].__reduce__()
    assert (settings["access_key"], settings["anonymous"]) == (None, True)


def test_a_parameter_that_is_not_known() -> None:
    with pytest.raises(SourceError) as raised:
        located("s3://AKIA1:topsecret@games/a.pgn?sekret_key=topsecret")
    assert str(raised.value) == "s3://games/a.pgn has the parameter sekret_key, which Arrow does not know; leave it out."


def test_no_word_of_arrow_brings_credentials_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "fromenvironment")
    uri = "s3://AKIA1:topsecret@games/a.pgn?secret_key=inparameter"
    said = sentence(uri, OSError(f"odd: {uri} and fromenvironment and topsecret or inparameter of AKIA1"))
    assert (
        said == "s3://games/a.pgn cannot be used (odd: … and … and … or … of …); check the name, the credentials and the store."
    )


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError("AWS Error NO_SUCH_BUCKET during X operation: a"), "is in a bucket that does not exist; check its name."),
        (
            OSError("AWS Error ACCESS_DENIED during HeadObject operation: No response body."),
            "is refused by the store; check the credentials and what they permit.",
        ),
        (
            OSError("AWS Error UNKNOWN (HTTP status 400) during X operation: Bad Request (Request ID: abc)"),
            "cannot be used (Bad Request); check the name, the credentials and the store.",
        ),
        (
            OSError("Unable to load libjvm\ndlopen(…) failed"),
            "needs Hadoop on this machine (libhdfs and Java); install it and set HADOOP_HOME, JAVA_HOME and CLASSPATH.",
        ),
        (
            pa.ArrowInvalid("Empty path component in path a//b"),
            "has two slashes one after the other in its name, which Arrow does not read; give the object another name.",
        ),
    ],
)
def test_errors_are_sentences(error: Exception, says: str) -> None:
    with pytest.raises(DatasetError) as raised, telling("s3://games/a.pgn", DatasetError):
        raise error
    assert str(raised.value) == f"s3://games/a.pgn {says}"
    assert raised.value.__suppress_context__


def test_a_server_that_is_not_there_is_told_in_seconds() -> None:
    uri = "s3://a:b@games/a.pgn?endpoint_override=127.0.0.1:1&scheme=http&region=x"
    filesystem, path = located(uri)
    says = r"^s3://games/a\.pgn cannot be reached; check the network and the address of the store, and give the command again\.$"
    with pytest.raises(SourceError, match=says), telling(uri):
        filesystem.get_file_info(path)


def test_the_environment_says_where_the_store_is(s3: S3) -> None:
    s3.bucket("games")
    s3.put("games/a b.pgn", b"1. e4 *\n")
    filesystem, path = located("s3://games/a%20b.pgn")
    assert filesystem.get_file_info(path).size == 8
    _, (settings,) = filesystem.__reduce__()
    assert settings["endpoint_override"].removeprefix("http://") == s3.host
    with_login, path = located(
        f"s3://{KEY}:{SECRET.replace('%', '%25')}@games/a b.pgn?endpoint_override={s3.host}&scheme=http&region=x"
    )
    assert with_login.get_file_info(path).size == 8
    assert with_login.__reduce__()[1][0]["secret_key"] == SECRET


def test_nothing_of_arrow_s_filesystems_is_loaded_before_it_is_needed() -> None:
    code = "import sys, chesstools.source, chesstools.scan, chesstools.stores; assert 'pyarrow.fs' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
