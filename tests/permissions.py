"""Permissions of files that hold for the superuser too, as whom tests run in containers."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

CAN_BE_TESTED = sys.platform == "linux" or (hasattr(os, "geteuid") and os.geteuid() != 0)

_OVERRIDE = 0b110
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: to read and write whatever the permissions of files are (capabilities(7))."""

_VERSION_3 = 0x20080522


class _Header(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class _Sets(ctypes.Structure):
    _fields_ = [("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32)]


@contextmanager
def obeyed() -> Iterator[None]:
    """This thread, and those that it starts, may not do what the permissions of files forbid."""
    if os.geteuid() != 0:
        yield
        return
    system = ctypes.CDLL(None, use_errno=True)
    header, sets = _Header(_VERSION_3, 0), (_Sets * 2)()
    if system.capget(ctypes.byref(header), sets):
        raise OSError(ctypes.get_errno(), "capget")
    before = sets[0].effective

    def set_effective(wanted: int) -> None:
        sets[0].effective = wanted
        if system.capset(ctypes.byref(header), sets):
            raise OSError(ctypes.get_errno(), "capset")

    set_effective(before & ~_OVERRIDE)
    try:
        yield
    finally:
        set_effective(before)
