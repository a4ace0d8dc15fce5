"""The scripts that draw plots, and data for them that cannot end a script."""

from __future__ import annotations

import json
from functools import cache
from typing import Any


@cache
def plotting_script() -> str:
    """Vega-Lite, Vega and vega-embed as one script, from the package vl-convert, so that nothing is fetched."""
    import vl_convert

    script: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    if "</script" in script.lower() or "<!--" in script:  # no version so far; a browser would end the script there
        script = script.replace("</script", "<\\/script").replace("<!--", "<\\!--")
    return script


def json_text(value: Any) -> str:
    r"""JSON that can stand in a <script> element: no sign in it means anything to a reader of HTML.

    >>> json_text({"white": "</script>\u2028"})
    '{"white":"\\u003c/script\\u003e\\u2028"}'
    """
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
