"""Faults of real tools with real files, as collected beside the project: every case behaves as its `expected` says.

The cases are not part of the project; where ``../shared`` is absent these tests are skipped, and the tests of the same kinds of
faults in ``test_known_faults_*.py`` stand for them. `FINDINGS` says for every case what is found in each of its games and nothing
else; `test_shared_cases_text.py` and `test_shared_cases_games.py` add what a case says in words besides. Where a case leaves a
policy open, a comment tells ours.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from shared_cases import FINDINGS, Case, cases, needs_cases, relevant, sans

from chesstools.finding import Finding

pytestmark = needs_cases

# Ours differs from `expected_games` where that has "*" for a result that is missing (missing data is null), and where it takes a
# lenient reading that we do not.
DIFFERENT: dict[str, list[dict[str, Any]]] = {
    "TAG-11": [{"result": None}, {"result": None}],
    "SAN-12": [
        {
            "mainline": ["e4", "e5"],
            "final_fen": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            "final_fen_pgn_ep": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2",
        },
        {},
    ],
}


def expected_games(case: Case) -> list[dict[str, Any]]:
    games = case.record.get("expected_games") or []
    return [game | ours for game, ours in zip(games, DIFFERENT.get(case.id, [{}] * len(games)), strict=True)]


def test_no_case_is_left_out() -> None:
    assert len(FINDINGS) == 95
    assert set(cases()) == set(FINDINGS)


@pytest.mark.parametrize("name", FINDINGS)
def test_a_test_of_the_projects_own_stands_for_the_case(name: str) -> None:
    own = Path(__file__).parent.glob("test_known_faults_*.py")
    named = {
        word
        for path in own
        for line in path.read_text("utf-8").splitlines()
        if "# " in line
        for word in re.split("[^A-Z0-9-]", line)
    }
    assert name in named


@pytest.mark.parametrize("name", FINDINGS)
def test_moves_results_tags_and_positions(name: str) -> None:
    case = cases()[name]
    assert len(case.games) == len(FINDINGS[name])
    for game, expected in zip(case.games, expected_games(case), strict="expected_games" in case.record):
        assert sans(game.facts.mainline) == expected["mainline"]
        assert game.final_fen == expected["final_fen"]
        assert game.to_chess().end().board().fen(en_passant="fen") == expected.get("final_fen_pgn_ep", expected["final_fen"])
        assert {tag: game.tags.get(tag) for tag in expected["tags"]} == expected["tags"]
        if "start_fen" in expected:
            assert game.start_fen == expected["start_fen"]
        if expected["result"] is not None or case.id in DIFFERENT:
            assert game.result == expected["result"]


@pytest.mark.parametrize("name", FINDINGS)
def test_findings(name: str) -> None:
    for game, text in zip(cases()[name].games, FINDINGS[name], strict=True):
        wanted = [wanted_of(spec) for spec in text.split(";") if spec]
        found = [facts_of(finding) for finding in relevant(game)]
        seen = [{key: facts.get(key) for key in want} for facts, want in zip(found, wanted, strict=False)]
        assert [facts["code"] for facts in found] == [want["code"] for want in wanted]
        assert seen == wanted


def wanted_of(spec: str) -> dict[str, str]:
    code, *facts = spec.split()
    return {"code": code, **dict(fact.split("=", 1) for fact in facts)}


def facts_of(finding: Finding) -> dict[str, str]:
    where = finding.where
    facts: dict[str, object] = {"code": finding.code, "severity": finding.severity.value, "token": finding.token}
    facts |= {"line": where.line, "byte": where.byte_offset, "ply": where.ply, "variation": where.variation}
    return {key: str(value).replace(" ", "") for key, value in {**facts, **finding.evidence}.items()}
