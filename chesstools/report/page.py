"""A page as HTML: one file with its styles, scripts and data in it, and a policy that forbids it every request.

Nothing from an archive is ever markup: jinja2 escapes it, the data of plots is written as JSON without any ``<``, ``>`` or ``&``,
and the policy names the two scripts of the page by their hash, so that no other could run.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib import resources
from typing import Any

import chess.svg
import jinja2
from markupsafe import Markup, escape

from chesstools.report import model
from chesstools.report.scripts import json_text, plotting_script
from chesstools.report.text import plain
from chesstools.report.theme import DARK, FONT, LIGHT, style_variables

MAX_PARAGRAPH = 5_000
"""Characters of a text; nothing that the page says itself is as long."""


def html(page: model.Page) -> str:
    """The page as one HTML text."""
    plotting = plotting_script() if page.plots else ""
    script = _file("page.js")
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_file),
        autoescape=True,
        finalize=_printable,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
    )
    environment.filters["json_text"] = lambda value: Markup(json_text(value))
    environment.filters["safe_svg"] = Markup
    environment.filters["board_data"] = _board_data
    environment.filters["is_a"] = lambda item, name: type(item).__name__ == name
    return environment.get_template("page.html.j2").render(
        page=page,
        version=_version(),
        policy=_policy(plotting, script),
        style=Markup(_style()),
        plotting=Markup(plotting),
        script=Markup(script),
        men=_men(),
        explained={item.code for section in page.sections for item in section.items if isinstance(item, model.Explanation)},
    )


def _printable(value: Any) -> Any:
    """What is put into the page: text without signs that are not seen. Only what is markup already stays as it is."""
    return plain(value, MAX_PARAGRAPH) if isinstance(value, str) and not isinstance(value, Markup) else value


def _policy(*scripts: str) -> str:
    """Content-Security-Policy: these scripts, styles in the page, and nothing from anywhere."""
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" for script in scripts if script
    )
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    )


@cache
def _style() -> str:
    light, dark = style_variables(LIGHT), style_variables(DARK)
    return (
        f":root{{--font:{FONT};color-scheme:light dark;{light}}}"
        f"@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"
        f"@media print{{:root{{color-scheme:light;--paper:#fff}}}}{_file('page.css')}"
    )


def _board_data(board: model.Board) -> dict[str, Any]:
    steps = [(step.men, step.squares, step.text) for step in board.steps]
    return {"steps": steps, "start": board.start, "bad": board.bad, "noted": board.noted}


_STRIPES = "".join(
    f'<pattern id="noted-{name}" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    f'<rect width="9" height="9" fill="{ground}"/><rect width="4" height="9" fill="{stripe}"/></pattern>'
    for name, ground, stripe in (("light", "#ffce9e", "#e3a93c"), ("dark", "#d18b47", "#f0c060"))
)
"""What the squares of warnings and infos are filled with: not told from those of errors by colour only."""


@cache
def _men() -> str:
    """The drawings of the men, which all boards share."""
    return f"<defs>{_STRIPES}{''.join(chess.svg.PIECES[letter] for letter in 'PNBRQKpnbrqk')}</defs>"


def board_svg(svg: str, title: str) -> str:
    """A board of python-chess without the drawings of the men, which stand once on the page, and with a name to be read out."""
    svg = re.sub(r"<defs>.*?</defs>|<desc>.*?</desc>", "", svg, flags=re.DOTALL)
    svg = re.sub(r' xlink:href="[^"]*"| xmlns:xlink="[^"]*"| width="\d+" height="\d+"(?=>)', "", svg)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{escape(title)}" ', 1)


@cache
def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _version() -> str:
    from chesstools import __version__

    return __version__
