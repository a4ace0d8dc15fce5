"""Object stores by URI (``s3://bucket/key``, ``gs://``, ``hdfs://``, ``abfs://``): how they are named and shown, the filesystem
of Arrow behind each, and what went wrong as a sentence. Credentials are never shown.
"""

from chesstools.stores.errors import StoreError, is_known, is_of_store, sentence, telling, what_is_wrong
from chesstools.stores.filesystems import located
from chesstools.stores.uri import (
    Parts,
    ends_in_slash,
    identity,
    is_uri,
    joined,
    names_in,
    object_of,
    on_disk_only,
    refuse_other_schemes,
    shown,
    shown_name,
    take_apart,
)

__all__ = [
    "Parts",
    "StoreError",
    "ends_in_slash",
    "identity",
    "is_known",
    "is_of_store",
    "is_uri",
    "joined",
    "located",
    "names_in",
    "object_of",
    "on_disk_only",
    "refuse_other_schemes",
    "sentence",
    "shown",
    "shown_name",
    "take_apart",
    "telling",
    "what_is_wrong",
]
