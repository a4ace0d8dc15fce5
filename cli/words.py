"""What the command line says to people besides messages of rules, in their language; the texts stand in ``words.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from chesstools import template


class Words:
    """The words of one language (`chesstools.language.LANGUAGES`)."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._texts: dict[str, str] = _texts()[lang]
        self._reasons: dict[str, str] = _texts()[lang]["reasons"]
        self._methods: dict[str, str] = _texts()[lang]["methods"]
        self._changes: dict[str, str] = _texts()[lang]["changes"]

    def __call__(self, name: str, **values: object) -> str:
        """The text of that name, filled with values; numbers are grouped by thousands.

        >>> Words("en")("errors", count=1), Words("zh")("errors", count=1200)
        ('1 error', '1,200 个错误')
        """
        texts = {
            key: f"{value:,}" if isinstance(value, int) else str(value) for key, value in values.items() if value is not None
        }
        return template.parse(self._texts[name]).fill(texts.get)

    def size(self, count: int) -> str:
        """A number of bytes as a person says it.

        >>> Words("en").size(999), Words("zh").size(999), Words("en").size(1_234_567)
        ('999 bytes', '999 字节', '1.2 MB')
        """
        if count < 1000:
            return self("bytes", count=count)
        power = 1
        while power < 4 and count / 1000**power >= 999.95:
            power += 1
        return self("large", count=f"{count / 1000**power:.1f}", unit=("kB", "MB", "GB", "TB")[power - 1])

    def duration(self, seconds: float) -> str:
        """A time as a person says it.

        >>> Words("en").duration(0.41), Words("en").duration(75), Words("zh").duration(7384)
        ('0.4 s', '1 min 15 s', '2 小时 3 分')
        """
        if seconds < 60:
            return self("seconds", seconds=f"{seconds:.1f}")
        whole = round(seconds)
        if whole < 3600:
            return self("minutes", minutes=whole // 60, seconds=whole % 60)
        return self("hours", hours=whole // 3600, minutes=whole % 3600 // 60)

    def reason(self, reason: str) -> str:
        """Why a game was drawn, as `Summary.draws_by_reason` names it.

        >>> Words("zh").reason("stalemate"), Words("en").reason("dead_position")
        ('逼和（无子可动）', 'dead position')
        """
        return self._reasons.get(reason, reason.replace("_", " "))

    def change(self, change: str) -> str:
        """What was changed in a position, as `chesstools.reference.normal_form.CHANGES` names it.

        >>> Words("en").change("castling-rights"), Words("zh").change("castling-rights")
        ('castling rights', '易位权')
        """
        return self._changes.get(change, change)

    def method(self, method: str) -> str:
        """What an answer about a position rests on, as `Winnable.method` names it.

        >>> Words("zh").method("material")
        '子力不足'
        """
        return self._methods.get(method, method)


@cache
def _texts() -> dict[str, dict[str, Any]]:
    return tomllib.loads(resources.files(__package__).joinpath("words.toml").read_text(encoding="utf-8"))
