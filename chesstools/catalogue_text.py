"""The text of the catalogue, ``rules.toml`` and its translation ``rules.zh.toml``: read late, and no more than is asked for.

What the rules are made of this text is in `chesstools.catalogue`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

from chesstools import template


@cache
def _source(lang: str) -> str:
    name = "rules.toml" if lang == "en" else f"rules.{lang}.toml"
    return resources.files("chesstools").joinpath(name).read_text(encoding="utf-8")


@cache
def tables(lang: str = "en") -> dict[str, str]:
    """The TOML text of each rule, by code.

    A rule is parsed when it is first asked for: the whole file takes 15 ms, which a short run need not pay, and one
    table 0.1 ms. Cutting at the headers is exact because text at the start of a line never looks like one.
    """
    source = _source(lang)
    starts = [(match[1], match.start()) for match in re.finditer(r"^\[([A-Z]\d{3})\]$", source, re.MULTILINE)]
    ends = [start for _, start in starts[1:]] + [len(source)]
    return {code: source[start:end] for (code, start), end in zip(starts, ends, strict=True)}


def words_of(name: str, lang: str = "en") -> Mapping[str, str]:
    """What the words of a field are called in all messages.

    >>> words_of("side")["white"], words_of("side", "zh")["white"]
    ('White', '白方')
    """
    words: Mapping[str, str] = _head(lang)["words"].get(name, {})
    return words


def titles_of(lang: str) -> Mapping[str, str]:
    """Titles and fixed words of explanations, by what they stand for."""
    titles: Mapping[str, str] = _head(lang)["titles"]
    return titles


def reasons_of(lang: str) -> Mapping[str, str]:
    """Why there is no repair, by the word that stands in the rules."""
    reasons: Mapping[str, str] = _head(lang)["reasons"]
    return reasons


def translated(sentence: str, lang: str) -> str:
    """A sentence that an engine has written into the evidence, in English, in another language; as it is where none is known.

    >>> translated("rank 3 has 9 squares instead of 8", "zh")
    '第 3 横线有 9 格，应为 8 格'
    """
    for english, other in _sentences(lang):
        values = english.values(sentence)
        if values is not None:
            return other.fill({name: words_of(name, lang).get(value.lower(), value) for name, value in values.items()}.get)
    return sentence


@cache
def _head(lang: str) -> dict[str, Any]:
    """What a file says before its first rule."""
    return tomllib.loads(_source(lang)[: _source(lang).index("\n[P101]")])


@cache
def _sentences(lang: str) -> list[tuple[template.Template, template.Template]]:
    """Sentences of the engines, English and translated."""
    return [(template.parse(english), template.parse(other)) for english, other in _head(lang).get("sentences", {}).items()]


def prose(text: str) -> str:
    """The paragraph on one line; how it is wrapped in the file means nothing. Chinese has no blank where a line ends."""
    return " ".join(re.sub(r"(?<=[\u3000-\uffff])\n", "", text).split())


def _blocks(text: str) -> Iterator[tuple[bool, str]]:
    """The parts of an example: whether one is a fragment (indented by four blanks) or prose, and its text."""
    for block in text.strip("\n").split("\n\n"):
        fragment = block.startswith("    ")
        yield fragment, block if fragment else prose(block)


def example(text: str) -> str:
    """Fragments line by line, and the paragraphs between them each on one line."""
    return "\n\n".join(block for _, block in _blocks(text))


def told(shown: str, said: str) -> str:
    """An example with other prose: the fragments belong to no language and stand in ``rules.toml`` alone."""
    return "\n\n".join([*(block for fragment, block in _blocks(shown) if fragment), prose(said)])
