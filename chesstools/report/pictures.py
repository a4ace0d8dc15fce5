"""The plots of a page as files, for people who write papers: PNG to look at, SVG to print at any size."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chesstools.places import cannot_write, complete
from chesstools.report.model import Plot
from chesstools.report.text import plain
from chesstools.report.theme import resolved

WIDTH = 720
LETTER = 5.6
"""Pixels of a letter of a caption, on average."""

SCALE = 2.5
"""PNG pixels for each of the width: 1800 in all, 300 an inch on a page with 15 cm of text."""


def save_pictures(plots: list[Plot], folder: Path) -> Iterator[Path]:
    """Write each plot as ``NAME.png`` and ``NAME.svg`` on white to `folder`, which is made if need be; yields the files.

    Raises OutputError where they cannot be written.
    """
    import vl_convert

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(folder, error) from None
    for plot in plots:
        spec = on_white(plot)
        to_svg, to_png = (
            (vl_convert.vega_to_svg, vl_convert.vega_to_png)
            if plot.raw
            else (vl_convert.vegalite_to_svg, vl_convert.vegalite_to_png)
        )
        for suffix, data in ((".svg", to_svg(spec).encode()), (".png", to_png(spec, scale=SCALE))):
            with complete(folder / f"{plot.id}{suffix}") as place:
                try:
                    place.write_bytes(data)
                except OSError as error:
                    raise cannot_write(folder / f"{plot.id}{suffix}", error) from None
            yield folder / f"{plot.id}{suffix}"


def on_white(plot: Plot) -> dict[str, Any]:
    """The plot with its title and caption, colours in place of their names, on white, and as wide as a page."""
    spec: dict[str, Any] = resolved(plot.printable)
    spec["background"] = "white"
    width = WIDTH
    if spec.get("width") == "container":
        width = spec["width"] = WIDTH * 2 // 3 if plot.half else WIDTH
    elif plot.square:
        width = spec["width"]
    lines = textwrap.wrap(plain(plot.caption, 2_000), width=int(max(width, 360) / LETTER))
    spec["title"] = {
        "text": plain(plot.title),
        "subtitle": lines,
        "anchor": "start",
        "frame": "bounds" if not plot.raw else "group",
        "fontSize": 15,
        "subtitleFontSize": 11,
        "subtitleColor": resolved("var(--muted)"),
        "subtitlePadding": 5,
        "offset": 12,
    }
    # A plot of Vega has a fixed size, to which the title comes on top.
    spec["padding"] = {"top": 44 + 14 * len(lines), "left": 10, "right": 10, "bottom": 10} if plot.raw else 10
    return spec
