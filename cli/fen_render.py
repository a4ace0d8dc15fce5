"""`chesstools fen render`: a diagram of a position."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from chesstools.errors import OptionError
from chesstools.places import written
from chesstools.stores import shown_name

from . import fen_options
from .output import is_stdout
from .positions import positions

FORMATS = ("svg", "png")

EPILOG = """\b
Examples:
  chesstools fen render 'r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4' -o mate.svg
  chesstools fen render '4k3/8/8/8/8/8/8/4K2R w K - 0 1' --arrow h1h8:red --square e8 --flipped -o board.svg
"""


@click.command("render", epilog=EPILOG, short_help="Draw a diagram as SVG or PNG.")
@click.argument("fen", metavar="FEN")
@click.option(
    "-o", "--output", metavar="FILE", help="Write to FILE; its name (.svg, .png) tells the format. Default: SVG on stdout."
)
@click.option("--format", "form", type=click.Choice(FORMATS), help="Default: what the name of --output says; SVG on stdout.")
@click.option("--last-move", metavar="MOVE", help="Colour the squares of this move (e2e4).")
@click.option(
    "--arrow",
    "arrows",
    multiple=True,
    metavar="ARROW",
    help="Draw an arrow: e2e4, or e2e4:red (green, red, yellow, blue); e4e4 is a circle. May be given several times.",
)
@click.option("--square", "squares", multiple=True, metavar="SQUARE", help="Highlight a square: e4. May be given several times.")
@click.option("--flipped", is_flag=True, help="Black below.")
@click.option("--no-coordinates", is_flag=True, help="Without letters and numbers at the edge.")
@click.option("--size", type=click.IntRange(16, 8192), default=400, show_default=True, metavar="N", help="Pixels of a side.")
@fen_options.chess960
def fen_render(
    fen: str,
    output: str | None,
    form: str | None,
    last_move: str | None,
    arrows: tuple[str, ...],
    squares: tuple[str, ...],
    flipped: bool,
    no_coordinates: bool,
    size: int,
    chess960: bool,
) -> None:
    """Draw a diagram of one position: FEN is a FEN in quotation marks, or a file (or -) with one.

    A king in check is marked. PNG needs the extra render: pip install 'chesstools-pgn[render]'.
    """
    from chesstools.fen import render, render_png

    form = form or _form_of(output)
    found = list(zip(positions([fen]), range(2), strict=False))
    if len(found) != 1:
        raise OptionError(f"{fen} holds {'no position' if not found else 'several positions'}; name one to draw.")
    if form == "png" and is_stdout(output) and sys.stdout.isatty():
        raise OptionError("PNG is not text for a terminal; add --output FILE.")
    draw = render_png if form == "png" else render
    drawn = draw(
        found[0][0].fen,
        last_move=last_move,
        arrows=arrows,
        squares=squares,
        flipped=flipped,
        coordinates=not no_coordinates,
        size=size,
        chess960=chess960,
    )
    data = drawn if isinstance(drawn, bytes) else f"{drawn}\n".encode()
    if is_stdout(output):
        sys.stdout.buffer.write(data)
        return
    with written(str(output)) as out:
        out.write(data)


def _form_of(output: str | None) -> str:
    """What the name of the file says.

    >>> _form_of("board.PNG"), _form_of(None)
    ('png', 'svg')
    """
    if output is None or is_stdout(output):
        return "svg"
    form = Path(shown_name(output)).suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise OptionError(f"The name {shown_name(output)} does not say which format is wanted; say it with --format.")
    return form
