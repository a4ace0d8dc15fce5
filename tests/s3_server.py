"""An S3 server on loopback (moto's), for one module of tests at a time."""

from __future__ import annotations

import os
import re
import socket
import socketserver
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
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
        with self.filesystem.open_output_stream(path, compression=None) as out:
            out.write(data)

    def get(self, path: str) -> bytes:
        """The bytes of an object."""
        with self.filesystem.open_input_stream(path, compression=None) as file:
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
    from chesstools import found_object
    from chesstools.stores import filesystems

    others = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    with mock.patch.dict(os.environ, {**others, **values}, clear=True):
        filesystems._filesystem.cache_clear()
        found_object._opened.cache_clear()
        yield
    filesystems._filesystem.cache_clear()
    found_object._opened.cache_clear()


@dataclass
class Proxy:
    """Stands between a server and whoever asks it: hears what is asked, and can cut connections in the midst of an answer."""

    host: str = ""
    asked: list[tuple[str, str, int]] = field(default_factory=list)
    """Of each request: method, path, and the bytes of the range that it asked for, -1 for all."""
    sent: int = 0
    """Bytes of answers."""
    cut_at: int | None = None
    """Where the answers are cut, counted as `sent` is."""
    cuts: int = 0
    """How often that is still to be done: from there on, each time that anything comes."""
    every: int = 0
    """After how many bytes of answers the connection is cut again and again; 0 for never."""
    most: int = 0
    """How often that may be done."""
    lost: int = 0
    """How often it was done."""
    missing: int = 0
    """So many bytes less are in the answers with a range, which say so."""
    stall_at: int | None = None
    """Where nothing goes through any more, counted as `sent` is, and connections stay as they are."""
    ended: threading.Event = field(default_factory=threading.Event)
    refuse: bytes = b""
    """What is answered in place of the server, if anything."""

    def cut(self, after: int, times: int = 1) -> None:
        """Cut when so many more bytes were sent, so many times."""
        self.cut_at, self.cuts = self.sent + after, times

    def hear(self, data: bytes) -> None:
        for method, path, rest in re.findall(rb"(?:\A|\r\n\r\n)([A-Z]+) (\S+) HTTP/1.1\r\n(.*?)(?=\r\n\r\n)", data, re.DOTALL):
            span = re.search(rb"range: bytes=(\d+)-(\d+)", rest, re.IGNORECASE)
            self.asked.append((method.decode(), path.decode(), int(span[2]) - int(span[1]) + 1 if span else -1))

    def shortened(self, data: bytes) -> bytes:
        """A request, for `missing` bytes less than it asks for."""
        return re.sub(
            rb"(?i)(?<=range: bytes=)(\d+)-(\d+)",
            lambda span: b"%s-%d" % (span[1], max(int(span[1]), int(span[2]) - self.missing)),
            data,
        )

    def passes(self, data: bytes) -> bytes | None:
        """What of an answer goes through; None where the connection is cut now."""
        before, self.sent = self.sent, self.sent + len(data)
        if self.every and self.lost < self.most and before // self.every < self.sent // self.every:
            self.lost += 1
            return None
        if self.cuts and self.cut_at is not None and self.sent >= self.cut_at:
            self.cuts -= 1
            return None
        return data

    @property
    def fetched(self) -> int:
        """Bytes of all ranges that were asked for."""
        return sum(count for method, _, count in self.asked if method == "GET" and count > 0)


@contextmanager
def proxied(server: S3) -> Iterator[Proxy]:
    """A proxy before a server, which is found in the environment then."""
    proxy = Proxy()
    address, port = server.host.split(":")

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            if proxy.refuse:
                self.request.recv(1 << 16)
                self.request.sendall(proxy.refuse)
                return
            with socket.create_connection((address, int(port))) as behind, suppress(OSError):
                threading.Thread(target=self.ask, args=(behind,), daemon=True).start()
                while data := behind.recv(1 << 16):
                    passed = proxy.passes(data)
                    if passed is None:
                        break
                    if proxy.stall_at is not None and proxy.sent >= proxy.stall_at:
                        proxy.ended.wait()
                    self.request.sendall(passed)
            with suppress(OSError):
                self.request.shutdown(socket.SHUT_RDWR)

        def ask(self, behind: socket.socket) -> None:
            with suppress(OSError):
                while data := self.request.recv(1 << 16):
                    proxy.hear(data)
                    behind.sendall(proxy.shortened(data))
                behind.shutdown(socket.SHUT_WR)

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        allow_reuse_address = True

    with Server(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        proxy.host = f"127.0.0.1:{listening.server_address[1]}"
        try:
            with in_environment(environment(proxy.host)):
                yield proxy
        finally:
            proxy.ended.set()
            listening.shutdown()
            thread.join()
