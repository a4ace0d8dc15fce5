"""Lines of more bytes than the standard lets them have, wherever they come from: many producers write a game on one line."""

from __future__ import annotations

from generator.score import Sheet, lay_out

MOST_BYTES = 255


def note(sheet: Sheet) -> None:
    """Add the row of a game that is ready to be written: at the first of its long lines, if there are any."""
    layout = lay_out(sheet)
    sizes = [len(line.encode(sheet.encoding)) for line in layout.text.split("\n")]
    long = [number for number, size in enumerate(sizes) if size > MOST_BYTES]
    if long:
        where = next(part for part in (*sheet.tags, *sheet.tokens) if layout.lines[id(part)] == long[0])
        sheet.add("P112", "info", None, where, f"{len(long)} lines, the longest {max(sizes)} bytes")
