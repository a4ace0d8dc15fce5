"""Where a run took place, in one paragraph: figures without it say nothing."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from .measures import reported, run
from .peers import DRIVER


def describe(peers: Mapping[str, str], repeat: int, load: float, folder: Path) -> str:
    """Processor, system, versions, number of rounds; and that the machine was busy, if it was."""
    versions = reported(run([sys.executable, str(DRIVER), "versions"], folder))
    engine = "" if versions["engine"] == "native" else f" ({versions['engine']} engine)"
    named = [f"chesstools {versions['chesstools']}{engine}", f"Python {versions['python']}"]
    named += [f"pyarrow {versions['pyarrow']}", f"python-chess {versions['python-chess']}"]
    named += [f"{peer} {version}" for peer, version in peers.items()]
    cores = os.cpu_count() or 1
    rounds = f"Median of {repeat} rounds" if repeat > 1 else "One round"
    text = f"{rounds} on {processor()}, {cores} {'cores' if cores > 1 else 'core'}, {system()}; {', '.join(named)}."
    if load > cores / 4:
        text += f" The machine had other things to do (load {load:.1f})."
    return text


def processor() -> str:
    """``Intel(R) Xeon(R) Processor``, with what tells it from others of the same name."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        told = dict(re.findall(r"^(model name|model|stepping)\s*: (.*)$", text, re.MULTILINE))
    except OSError:
        told = {}
    name = re.sub(r"\((?:R|TM)\)", "", told.get("model name", "")) or platform.processor() or platform.machine()
    number = f" (model {told['model']}, stepping {told['stepping']})" if {"model", "stepping"} <= told.keys() else ""
    return f"{name}{number}"


def system() -> str:
    """``Debian GNU/Linux 12, Linux 6.1``."""
    kernel = f"{platform.system()} {'.'.join(platform.release().split('.')[:2])}"
    try:
        return f"{platform.freedesktop_os_release()['PRETTY_NAME']}, {kernel}"
    except (OSError, KeyError):
        return kernel
