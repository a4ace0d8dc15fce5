"""Which engine judges: the native core, or the readable one where the core was not built.

Both give the same rows. The environment variable ``CHESSTOOLS_ENGINE`` chooses where no argument does.
"""

from __future__ import annotations

import os
import warnings
from functools import cache

from chesstools.errors import OptionError

ENGINES = ("auto", "native", "reference")

VARIABLE = "CHESSTOOLS_ENGINE"


def choose(engine: str | None = None) -> str:
    """``native`` or ``reference``: what `engine` names, else what the environment names, else the fastest there is.

    Raises OptionError for a name that is none, and for ``native`` where the core cannot be loaded.

    >>> choose("reference")
    'reference'
    """
    wanted, named_by = (engine, "engine") if engine is not None else (os.environ.get(VARIABLE) or "auto", VARIABLE)
    if wanted not in ENGINES:
        raise OptionError(f"{named_by} is {wanted!r}; choose from {', '.join(ENGINES)}.")
    if wanted == "reference":
        return wanted
    problem = why_not_native()
    if problem is None:
        return "native"
    if wanted == "native":
        raise OptionError(f"The native engine cannot be used ({problem}); {HOW_TO_GET_IT}, or choose the reference engine.")
    return "reference"


HOW_TO_GET_IT = "install Rust and then chesstools again, or a ready-made wheel"

DEBUG_BUILD = "The native core is a debug build, which is many times slower: install chesstools with pip, which makes a fast one."


@cache
def why_not_native() -> str | None:
    """What keeps the native core from being used; None where it is there. Warns of a core that is there but slow."""
    try:
        import chesstools._core as core
    except ImportError as error:
        return "it was not built" if isinstance(error, ModuleNotFoundError) else str(error)
    if core.IS_DEBUG_BUILD:
        warnings.warn(DEBUG_BUILD, RuntimeWarning, stacklevel=2)
    return None
