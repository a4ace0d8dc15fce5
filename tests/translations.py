"""Which English each Chinese text was made from: a digest of it by name, in `translations.toml` beside this file.

Where an English text changes its digest does, and a test asks for a look at the Chinese one. When that says the same again:

    python -m tests.translations NAME…     (or --all)

writes the digests anew. Names are as in ``rules.D601``, ``parameters.late``, ``words.yes``.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import xxhash

from chesstools.rules import all_rules

FILE = Path(__file__).with_name("translations.toml")

HEAD = "# Digests of the English texts that the Chinese ones say; tests/translations.py tells how they are written anew.\n\n"


@cache
def texts() -> Mapping[str, str]:
    """Every English text that is told in Chinese too, by name."""
    found: dict[str, str] = {}
    for rule in all_rules():
        prose = [block for block in rule.example.split("\n\n") if not block.startswith("    ")]
        parts = [rule.message, rule.checks, rule.why, *prose, rule.remedy, rule.severity_note or ""]
        found[f"rules.{rule.code}"] = "\n".join([*parts, repr(dict(rule.fields)), repr(dict(rule.phrases))])
    head = _read("chesstools", "rules.toml")
    found |= _flat("titles", head["titles"])
    found |= _flat("evidence", head["words"])
    found |= _flat("parameters", _read("chesstools", "profiles.toml")["parameters"])
    found |= _flat("words", _read("chesstools.cli", "words.toml")["en"])
    return found


def _read(package: str, name: str) -> dict[str, Any]:
    return tomllib.loads(resources.files(package).joinpath(name).read_text(encoding="utf-8"))


def _flat(prefix: str, table: Mapping[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in table.items():
        found |= _flat(f"{prefix}.{name}", value) if isinstance(value, Mapping) else {f"{prefix}.{name}": str(value)}
    return found


def digests(english: Mapping[str, str]) -> dict[str, str]:
    """A short digest of each text."""
    return {name: xxhash.xxh3_64_hexdigest(text.encode())[:8] for name, text in english.items()}


def stale(known: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    """What is to be looked at, in words."""
    for name in sorted({*known, *now}):
        if name not in now:
            yield f"{name} is gone"
        elif name not in known:
            yield f"{name} is new"
        elif known[name] != now[name]:
            yield f"the English of {name} has changed"


def read() -> dict[str, str]:
    """The digests that were written."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def write(names: list[str]) -> None:
    """Write the digests of these names anew, or of all."""
    known, now = (read() if FILE.exists() else {}), digests(texts())
    every = names == ["--all"]
    if unknown := [name for name in names if not every and name not in {*known, *now}]:
        sys.exit(f"There is no text {unknown[0]!r}.")
    for name in [*known, *now] if every else names:
        known.pop(name, None)
        known |= {name: now[name]} if name in now else {}
    FILE.write_text(HEAD + "".join(f'"{name}" = "{known[name]}"\n' for name in sorted(known)), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("\n".join(stale(read(), digests(texts()))) or "The Chinese texts are up to date.")
    write(sys.argv[1:])
