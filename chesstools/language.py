"""The languages in which findings are told and rules explained, and which of them a person has chosen.

Codes, names of rules, columns and evidence are the same in all of them; only sentences differ.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from chesstools.errors import OptionError

LANGUAGES = ("en", "zh")
"""English, and Chinese in simplified characters."""

VARIABLE = "CHESSTOOLS_LANG"

_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The first of these that is set says which language messages have (POSIX)."""


def check(lang: str) -> str:
    """`lang`, where it is one of `LANGUAGES`.

    >>> check("fr")
    Traceback (most recent call last):
    chesstools.errors.OptionError: There is no language 'fr'; choose from en, zh.

    Raises `OptionError` otherwise.
    """
    if lang not in LANGUAGES:
        raise OptionError(f"There is no language {lang!r}; choose from {', '.join(LANGUAGES)}.")
    return lang


def preferred(environment: Mapping[str, str] = os.environ) -> str:
    """The language that the environment asks for: that of ``CHESSTOOLS_LANG``, else that of the locale.

    Every Chinese locale is ``zh``, every other one ``en``.

    >>> preferred({"LANG": "zh_CN.UTF-8"}), preferred({"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}), preferred({})
    ('zh', 'en', 'en')
    >>> preferred({"CHESSTOOLS_LANG": "zh", "LC_ALL": "de_DE.UTF-8"})
    'zh'

    Raises `OptionError` where ``CHESSTOOLS_LANG`` names no language of `LANGUAGES`.
    """
    chosen = environment.get(VARIABLE)
    if chosen:
        if _language_of(chosen) not in LANGUAGES:
            raise OptionError(f"{VARIABLE} is {chosen!r}; choose from {', '.join(LANGUAGES)}.")
        return _language_of(chosen)
    locale = next((environment[name] for name in _LOCALE if environment.get(name)), "")
    return "zh" if _language_of(locale) == "zh" else "en"


def _language_of(locale: str) -> str:
    """``zh`` of ``zh_CN.UTF-8``, ``zh-Hans`` or ``ZH``."""
    return locale.replace("-", "_").split(".")[0].split("_")[0].lower()
