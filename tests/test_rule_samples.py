"""Every active rule has a pair of samples: `bad.pgn` raises what its first lines say and nothing else, `good.pgn` is clean.

A bad sample begins with lines ``% expect CODE line=N [ply=P] severity=S``, one for each finding. Readers of PGN skip lines
that begin with ``%``, so the file is an ordinary one for them.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from chesstools.ratings import ratings
from chesstools.rules import Rule, all_rules
from chesstools.scan import scan

SAMPLES = Path(__file__).parent.parent / "sample_data" / "rules"
EXPECT = re.compile(rb"% expect (?P<code>[A-Z]\d{3}) line=(?P<line>\d+)(?: ply=(?P<ply>\d+))? severity=(?P<severity>[a-z]+)")
ACTIVE = [rule for rule in all_rules() if rule.active]

# code, line, ply (None where the finding belongs to no ply), severity
Raised = tuple[str, int, int | None, str]


def folder(rule: Rule) -> Path:
    return SAMPLES / f"{rule.code}-{rule.name}"


def expected(path: Path) -> Counter[Raised]:
    """The findings that the expect lines at the top of a sample announce."""
    announced: Counter[Raised] = Counter()
    for line in path.read_bytes().splitlines():
        if not line.startswith(b"%"):
            break
        match = EXPECT.fullmatch(line)
        assert match, f"{path}: not an expect line: {line!r}"
        ply = match["ply"]
        announced[match["code"].decode(), int(match["line"]), None if ply is None else int(ply), match["severity"].decode()] += 1
    return announced


def raised(path: Path, rule: Rule) -> Counter[Raised]:
    """The findings that the engine makes; of optional rules only those of this one. `ratings` tells some too."""
    rows = scan([path], also=rule.code if rule.optional else None).to_tables()["findings"].to_pylist()
    if rule.command == "ratings":
        told = ratings(path, "points").findings
        assert told is not None
        rows += told.to_pylist()
    return Counter((row["code"], row["line"], row["ply"], row["severity"]) for row in rows)


@pytest.mark.parametrize("rule", ACTIVE, ids=lambda rule: rule.code)
def test_bad_sample_raises_exactly_what_it_announces(rule: Rule) -> None:
    path = folder(rule) / "bad.pgn"
    announced = expected(path)
    assert rule.code in {code for code, *_ in announced}
    assert raised(path, rule) == announced


@pytest.mark.parametrize("rule", ACTIVE, ids=lambda rule: rule.code)
def test_good_sample_is_clean(rule: Rule) -> None:
    path = folder(rule) / "good.pgn"
    assert not expected(path)
    assert raised(path, rule) == Counter()


def test_every_active_rule_has_a_pair_and_every_pair_a_rule() -> None:
    pairs = {(path.name, name.name) for path in SAMPLES.iterdir() for name in path.iterdir()}
    assert pairs == {(folder(rule).name, name) for rule in ACTIVE for name in ("bad.pgn", "good.pgn")}
