"""What `convert` can write, and which options each format knows. A format is an entry here and a module that writes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, cast

from chesstools.errors import OptionError

if TYPE_CHECKING:
    from chesstools.conversion import Conversion, Task

PACKED = (".zst", ".gz")
"""Endings of names whose files are packed on the way out."""

ENGLISH = ("K", "Q", "R", "B", "N", "P")
"""Letters of king, queen, rook, bishop, knight and pawn."""


@dataclass(frozen=True, slots=True)
class Option:
    """Something that can be asked of a format: ``--name`` on the command line, or ``--no-name`` where it is on by default."""

    name: str
    default: object
    what: str
    """What it may be, for the sentence that says that something is not."""
    fits: Callable[[object], bool]

    @property
    def flag(self) -> str:
        """As the command line writes it."""
        name = self.name.replace("_", "-")
        return f"--no-{name}" if self.default is True else f"--{name}"


def _switch(name: str, default: bool) -> Option:
    return Option(name, default, "true or false", lambda value: isinstance(value, bool))


def _choice(name: str, *choices: str) -> Option:
    return Option(name, choices[0], " or ".join(choices), lambda value: value in choices)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 1_000_000


def _is_position(value: object) -> bool:
    return value in ("final", "start", "every") or _is_count(value)


def _are_letters(value: object) -> bool:
    are_six = isinstance(value, tuple | list) and len(value) == len(ENGLISH)
    return are_six and all(isinstance(sign, str) and sign != "" for sign in cast("list[object]", value))


OPTIONS = {
    option.name: option
    for option in (
        Option("line_width", 80, "a number of characters, or 0 for lines of any length", _is_count),
        _switch("comments", True),
        _switch("nags", True),
        _switch("variations", True),
        _switch("clocks", True),
        _switch("commands", True),
        _switch("seven_tags", False),
        _switch("roster", False),
        _choice("tag_order", "as-read", "standard"),
        _switch("reduced", False),
        _choice("moves", "san", "lan", "uci"),
        Option("letters", ENGLISH, "the six letters of king, queen, rook, bishop, knight and pawn", _are_letters),
        Option("positions", "final", "final, start, every, or a number of plies", _is_position),
        _switch("unique", False),
        _choice("ep", "legal", "standard", "never"),
        _choice("table", "games", "plies", "findings", "tokens"),
        _choice("columns", "all", "lichess"),
        Option("max_plies", 0, "a number of plies, or 0 for lists of any length", _is_count),
        _switch("overwrite", False),
    )
}

PARTS = ("comments", "nags", "variations", "clocks", "commands")


@dataclass(frozen=True, slots=True)
class Format:
    """Something that games can be written as.

    Attributes:
        name: as ``--to`` has it.
        suffixes: endings of file names that mean it, without those of packing.
        options: names of the `OPTIONS` that mean something to it.
        home: the module with its function ``write(task: Task) -> Conversion``; it is loaded when it is wanted.
        is_text: whether it can go to standard output, and be packed by the ending of its name.
    """

    name: str
    suffixes: tuple[str, ...]
    options: tuple[str, ...]
    home: str
    is_text: bool = True

    def write(self, task: Task) -> Conversion:
        """Do the work."""
        return cast("Conversion", import_module(self.home).write(task))


_TEXT = "chesstools.writers.text"
_TABLES = "chesstools.writers.tables"
_TABLE_OPTIONS = ("table", "columns", "max_plies")

FORMATS: dict[str, Format] = {
    form.name: form
    for form in (
        Format(
            "pgn",
            (".pgn",),
            ("line_width", *PARTS, "seven_tags", "roster", "tag_order", "reduced", "moves", "letters"),
            _TEXT,
        ),
        Format("jsonl", (".jsonl", ".ndjson"), PARTS, _TEXT),
        Format("san", (".san",), ("letters",), _TEXT),
        Format("lan", (".lan",), ("letters",), _TEXT),
        Format("uci", (".uci",), (), _TEXT),
        Format("fen", (".fen",), ("positions", "unique", "ep"), _TEXT),
        Format("epd", (".epd",), ("positions", "unique", "ep"), _TEXT),
        Format("csv", (".csv",), _TABLE_OPTIONS, _TABLES),
        Format("parquet", (".parquet",), _TABLE_OPTIONS, _TABLES, is_text=False),
        Format("arrow", (".arrow", ".feather", ".ipc"), _TABLE_OPTIONS, _TABLES, is_text=False),
        Format("arrow-stream", (".arrows",), _TABLE_OPTIONS, _TABLES),
        Format("dataset", (".dataset",), ("overwrite",), "chesstools.writers.dataset", is_text=False),
    )
}
"""By name. Whoever writes another format adds it here."""


def get_format(name: str) -> Format:
    """The format of that name. Raises OptionError where there is none.

    >>> get_format("uci").suffixes
    ('.uci',)
    """
    if name not in FORMATS:
        raise OptionError(f"There is no format {name!r}; choose from {', '.join(FORMATS)}.")
    return FORMATS[name]


def format_and_packing(name: str) -> tuple[Format, str | None]:
    """The format of that name, behind which an ending of packing may stand: that ending then, else None.

    Raises OptionError where there is no such format.

    >>> form, packing = format_and_packing("pgn.zst")
    >>> form.name, packing
    ('pgn', '.zst')
    """
    packing = next((ending for ending in PACKED if name.endswith(ending)), None)
    return get_format(name if packing is None else name.removesuffix(packing)), packing


def format_of_name(path: str) -> Format | None:
    """The format that the name of a file asks for, None where it asks for none.

    >>> one, other = format_of_name("games.pgn.zst"), format_of_name("games")
    >>> one.name if one else None, other
    ('pgn', None)
    """
    name = PurePath(path).name.lower()
    for packed in PACKED:
        name = name.removesuffix(packed)
    return next((form for form in FORMATS.values() if name.endswith(form.suffixes)), None)


def check_options(form: Format, given: Mapping[str, object]) -> dict[str, Any]:
    """The options that mean something to `form`: those that were given, and for the others what they are by default.

    Raises OptionError for an option that is none, that means nothing to the format, or that has a value it cannot have.

    >>> check_options(get_format("epd"), {"positions": 12})
    {'positions': 12, 'unique': False, 'ep': 'legal'}
    """
    for name, value in given.items():
        option = OPTIONS.get(name)
        if option is None:
            raise OptionError(f"There is no option {name!r} of a conversion; there are {', '.join(OPTIONS)}.")
        if name not in form.options:
            meant = [other.name for other in FORMATS.values() if name in other.options]
            raise OptionError(f"{option.flag} means nothing for {form.name}, only for {', '.join(meant)}; leave it out.")
        if not option.fits(value):
            raise OptionError(f"{option.flag.replace('--no-', '--')} is {value!r}; it must be {option.what}.")
    return {name: given.get(name, OPTIONS[name].default) for name in form.options}
