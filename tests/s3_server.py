"""An S3 server on loopback (moto's), for one module of tests at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest import mock

from pyarrow import fs

KEY, SECRET = "AKIDCHESSTOOLS", "sec/ret+Of%Tests"


@dataclass(frozen=True)
class S3:
    """A running server. Whatever runs while it does finds it, and credentials for it, in the environment."""

    host: str
    """Address and port."""

    @property
    def filesystem(self) -> fs.S3FileSystem:
        """To put objects there, and to look at what was put there."""
        return fs.S3FileSystem(
            endpoint_override=self.host,
            scheme="http",
            region="us-east-1",
            access_key=KEY,
            secret_key=SECRET,
            allow_bucket_creation=True,
            allow_bucket_deletion=True,
        )

    def bucket(self, name: str) -> str:
        """An empty bucket with this name (3 letters or more), as a URI."""
        filesystem = self.filesystem
        if filesystem.get_file_info(name).type != fs.FileType.NotFound:
            filesystem.delete_dir_contents(name)
        filesystem.create_dir(name)
        return f"s3://{name}"

    def put(self, path: str, data: bytes) -> None:
        """Make an object; `path` is ``bucket/key``."""
        with self.filesystem.open_output_stream(path) as out:
            out.write(data)

    def get(self, path: str) -> bytes:
        """The bytes of an object."""
        with self.filesystem.open_input_stream(path) as file:
            return bytes(file.read())

    def keys(self, bucket: str) -> list[str]:
        """All objects of a bucket, sorted."""
        found = self.filesystem.get_file_info(fs.FileSelector(bucket, recursive=True))
        return sorted(one.path.removeprefix(f"{bucket}/") for one in found if one.type == fs.FileType.File)


def environment(host: str) -> dict[str, str]:
    """What finds a server at `host`, and nothing of the machine's own."""
    return {
        "AWS_ENDPOINT_URL": f"http://{host}",
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    }


@contextmanager
def running() -> Iterator[S3]:
    """Start a server, and end it."""
    from moto.server import ThreadedMotoServer

    server: Any = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    try:
        address, port = server.get_host_and_port()
        with in_environment(environment(f"{address}:{port}")):
            yield S3(f"{address}:{port}")
    finally:
        server.stop()


@contextmanager
def in_environment(values: Mapping[str, str]) -> Iterator[None]:
    """With these variables, and without the others of the same cloud. Filesystems that were made before are forgotten."""
    from chesstools import stores

    others = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    with mock.patch.dict(os.environ, {**others, **values}, clear=True):
        stores._filesystem.cache_clear()
        yield
    stores._filesystem.cache_clear()
