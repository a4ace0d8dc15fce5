"""F202, F209, F210, F220: FEN tags that can be read, but are not written as they should be."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from chesstools.finding import Severity
from chesstools.fixes.edit import Edit, Fix, key_of
from chesstools.fixes.judged import Judged
from chesstools.fixes.tags import value_span
from chesstools.reference.fen import six_fields

_VARIANTS = {"position": b"From Position", "chess960-inferred": b"Chess960"}


def fixes(judged: Judged, wants: Callable[[str], bool]) -> Iterator[Fix]:
    """Fixes for the FEN tag; the position as it is read stays the same."""
    facts = judged.facts
    assert facts is not None
    token = facts.tags.tokens.get("FEN")
    if token is None or facts.start_fen is None:
        return
    span = value_span(judged, token)
    if span is None:
        return
    fields = six_fields(judged.text[slice(*span)].decode(judged.encoding, "replace"))
    answers = []
    for finding in judged.findings:
        if not wants(finding.code) or judged.place(finding) != judged.span(token):
            continue
        if finding.code == "F202" and len(fields) == 6:
            fields[0] = re.sub(r"(?<![A-Za-z])~", "", fields[0])
        elif finding.code == "F209" and finding.severity is not Severity.INFO and len(fields) == 6:
            fields[2] = str(finding.evidence["expected"])
        elif finding.code == "F210" and len(fields) == 6:
            fields[3] = "-"
        elif finding.code == "F220" and (name := _VARIANTS.get(str(finding.evidence.get("reason")))):
            at = judged.span(token)[0]
            pair = b'[Variant "' + name + b'"]' + judged.line_end
            yield Fix((key_of(finding),), (Edit(at, at, pair),), unsafe=True, tags=frozenset({"Variant"}))
            continue
        else:
            continue
        answers.append(key_of(finding))
    if answers:
        yield Fix(tuple(answers), (Edit(*span, " ".join(fields).encode()),), tags=frozenset({"FEN"}))
