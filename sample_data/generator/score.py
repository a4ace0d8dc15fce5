"""A score sheet: tags, movetext tokens and findings, and how it becomes lines of text.

Faults change the tokens before the sheet is written; findings point at tags and tokens, and get their line numbers when
the text is laid out.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from generator.play import Play

ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")


@dataclass(eq=False)
class Tag:
    """A tag pair. `raw` replaces the whole line (or lines) where the tag is to be broken."""

    name: str
    value: str
    raw: str | None = None

    def text(self) -> str:
        """The tag as written."""
        if self.raw is not None:
            return self.raw
        value = self.value.replace("\\", "\\\\").replace('"', '\\"')
        return f'[{self.name} "{value}"]'


@dataclass(eq=False)
class Token:
    """A piece of movetext. Blanks inside the text are places where a line may be broken.

    `kind` is number, move, comment, nag, open, close, result or stray. `ply` is the ply of a mainline number or move and 0
    otherwise. A token with `glue` follows the one before it without a blank; after one with `ends_line` a new line begins.
    A comment to the end of the line (`;`) is never broken.
    """

    kind: str
    text: str
    ply: int = 0
    glue: bool = False
    ends_line: bool = False


Place = Tag | Token | tuple[Token, str] | str
"""Where a finding is: a tag, a token, a text within a token, or "first": the first line of the game."""


@dataclass(frozen=True)
class Row:
    """One finding that a validator must report."""

    code: str
    severity: str
    ply: int | None
    where: Place
    detail: str = ""


@dataclass
class Sheet:
    """One game as it will be written. `width` is where lines are wrapped; None leaves the movetext on one line."""

    tags: list[Tag]
    tokens: list[Token]
    width: int | None = 80
    rows: list[Row] = field(default_factory=list)
    encoding: str = "utf-8"
    lead: str = "\n"
    """What stands between the game before and this one: an empty line."""
    fault: str = ""
    """The kind of the planted fault; empty where there is none."""
    play: Play | None = None
    """The game as it was played; None where nothing is told of its end."""
    sound: int = 0
    """How many of its plies stand there and can be replayed."""
    broken: bool = False
    """Whether there is more in the mainline than the play has, or no board to judge it on."""
    open_ended: bool = False
    """Whether a comment runs on into what follows the game, so that nothing but a tag section may follow."""

    def tag(self, name: str) -> Tag | None:
        """The first tag of that name."""
        return next((tag for tag in self.tags if tag.name == name), None)

    def put(self, name: str, value: str) -> Tag:
        """Set a tag, or add it at the end."""
        tag = self.tag(name)
        if tag is None:
            tag = Tag(name, value)
            self.tags.append(tag)
        tag.value = value
        return tag

    def drop(self, name: str) -> None:
        """Remove every tag of that name."""
        self.tags = [tag for tag in self.tags if tag.name != name]

    def move(self, ply: int) -> Token:
        """The mainline move token of that ply."""
        return next(token for token in self.tokens if token.kind == "move" and token.ply == ply)

    def marker(self) -> Token | None:
        """The termination marker, where there is one."""
        return next((token for token in reversed(self.tokens) if token.kind == "result"), None)

    def at_result(self) -> Place:
        """Where findings about the result are located: at the marker, else at the Result tag."""
        return self.marker() or self.tag("Result") or "first"

    def plies(self) -> int:
        """Mainline plies as written."""
        return sum(token.kind == "move" and token.ply > 0 for token in self.tokens)

    def add(self, code: str, severity: str, ply: int | None, where: Place, detail: str = "") -> None:
        """Note a finding."""
        self.rows.append(Row(code, severity, ply, where, detail))


@dataclass
class Layout:
    """The text of a sheet, and on which of its lines (from 0) each tag, token and word stands."""

    text: str
    lines: dict[int, int]
    words: dict[int, list[tuple[str, int]]]

    def line_of(self, where: Place) -> int:
        """The line, from 0, of a place in the sheet."""
        if isinstance(where, str):
            return 0
        if isinstance(where, tuple):
            token, text = where
            return next(line for word, line in self.words[id(token)] if text in word)
        return self.lines[id(where)]


def lay_out(sheet: Sheet) -> Layout:
    """Write the sheet: tag lines, an empty line, movetext broken at blanks."""
    lines: dict[int, int] = {}
    words: dict[int, list[tuple[str, int]]] = {}
    head: list[str] = []
    for tag in sheet.tags:
        lines[id(tag)] = len(head)
        head.extend(tag.text().split("\n"))
    head.append("")
    body: list[str] = []
    current = ""
    for token in sheet.tokens:
        pieces = [token.text] if token.text.startswith(";") else token.text.split(" ")
        for number, piece in enumerate(pieces):
            blank = "" if not current or (number == 0 and token.glue) else " "
            if current and blank and sheet.width is not None and len(current) + 1 + len(piece) > sheet.width:
                body.append(current)
                current, blank = "", ""
            current += blank + piece
            place = len(head) + len(body)
            if number == 0:
                lines[id(token)] = place
            words.setdefault(id(token), []).append((piece, place))
        if token.ends_line:
            body.append(current)
            current = ""
    if current:
        body.append(current)
    return Layout("\n".join(head + body) + "\n", lines, words)
