"""Which cluster is meant: one for this run, or one that is running."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass

from chesstools.errors import OptionError
from chesstools.processors import processors
from chesstools.stores import shown_name

_ADDRESS = re.compile(r"(tcp|tls|ws|wss|ucx)://.+:[0-9]+/?")

HOW = "give local, local:N, tcp://HOST:PORT or the file that `dask scheduler --scheduler-file` wrote"


@dataclass(frozen=True, slots=True)
class Local:
    """A cluster on this machine that is started for the run and ends with it."""

    workers: int


@dataclass(frozen=True, slots=True)
class Running:
    """A cluster that is running: its address, or the file of its scheduler that tells it."""

    address: str | None
    file: str | None

    @property
    def shown(self) -> str:
        """As the user gave it."""
        return self.address or shown_name(self.file or "")

    def now(self) -> str:
        """The address of the scheduler: one that was started again has written its file anew. Raises OptionError."""
        if self.file is None:
            return self.address or ""
        try:
            with open(self.file, encoding="utf-8") as file:
                address = json.load(file)["address"]
        except (OSError, ValueError, KeyError, TypeError):
            address = None
        if not isinstance(address, str) or not _ADDRESS.fullmatch(address):
            raise OptionError(f"{self.shown} is no file of a Dask scheduler that can be read; {HOW}.")
        return address


def read_address(text: str) -> Local | Running:
    """What the address of a cluster means. Raises OptionError where it is none, or the file is not there.

    >>> read_address("local:2")
    Local(workers=2)
    >>> read_address("tcp://10.0.0.7:8786").shown
    'tcp://10.0.0.7:8786'
    """
    if text == "local":
        return Local(processors())
    if text.startswith("local:"):
        if not re.fullmatch(r"local:[1-9][0-9]{0,5}", text):
            raise OptionError(f"{text} names no number of workers; give local, or local:2 for two of them.")
        return Local(int(text.removeprefix("local:")))
    if _ADDRESS.fullmatch(text):
        return Running(text, None)
    if os.path.isfile(text):
        return Running(None, text)
    if re.fullmatch(r"(tcp|tls)://[^/:]+/?", text):
        raise OptionError(f"{text} names no port; give it too, as in {text.rstrip('/')}:8786.")
    if re.fullmatch(r"[^/:]+:[0-9]+", text):
        raise OptionError(f"{text} does not say how to reach a Dask scheduler; give tcp://{text}.")
    if re.match(r"[a-z0-9]+://", text):
        raise OptionError(f"{shown_name(text)} is no address of a Dask scheduler; {HOW}.")
    if os.path.isdir(text):
        raise OptionError(f"{text} is a folder; {HOW}.")
    if not text:
        raise OptionError(f"The address of the cluster is empty; {HOW}.")
    raise OptionError(f"There is no scheduler file {text}; {HOW}.")
