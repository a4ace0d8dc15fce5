"""Texts in object stores for the tests of sources there."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile

from s3_server import S3
from sources import TEXT, zstd

from chesstools.zstd_frames import FrameWriter

LOREM = b"".join(
    b'[Event "Oak Cup"]\n[Round "%d"]\n[Result "*"]\n\n1. e4 {%x} e5 %d. Nf3 *\n\n' % (n, n * 2654435761 % 2**64, n * 7919 % 1000)
    for n in range(10_000)
)
"""A text of a megabyte that packs badly."""


def framed(data: bytes, frame_bytes: int) -> bytes:
    out = io.BytesIO()
    with FrameWriter(out, frame_bytes) as writer:
        for game in data.split(b"\n\n[Event")[:1] + [b"[Event" + rest for rest in data.split(b"\n\n[Event")[1:]]:
            writer.write(game + b"\n\n")
    return out.getvalue()


def zipped(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def put_games(s3: S3) -> str:
    """A bucket with the same games in every packing."""
    s3.bucket("games")
    packed = {
        "plain.pgn": TEXT,
        "zst.pgn.zst": zstd(TEXT),
        "frames.pgn.zst": framed(TEXT, 500),
        "gz.pgn.gz": gzip.compress(TEXT[:999]) + gzip.compress(TEXT[999:]),
        "bz2.pgn.bz2": bz2.compress(TEXT),
        "xz.pgn.xz": lzma.compress(TEXT),
        "zip.zip": zipped({"x/a.pgn": TEXT, "b.txt": b"no"}),
    }
    for name, data in packed.items():
        s3.put(f"games/all/{name}", data)
    s3.put("games/large.pgn", LOREM)
    s3.put("games/large.pgn.zst", framed(LOREM, 20_000))
    return "s3://games"
