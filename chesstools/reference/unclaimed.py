"""Draws that could have been claimed, and games that went on after they were drawn."""

from __future__ import annotations

from chesstools.finding import Severity
from chesstools.reference.claims import position_token
from chesstools.reference.draws import FIFTY, THREEFOLD, DrawWatch, Run, Visual
from chesstools.reference.ending import Ending
from chesstools.reference.facts import Facts, Place
from chesstools.reference.lexer import Token
from chesstools.reference.line import Ply
from chesstools.reference.replay import Replay
from chesstools.reference.setup_check import side_name
from chesstools.reference.tags import Tags
from chesstools.reference.values import parse_termination
from chesstools.reference.verdicts import DECISIVE, DRAW


def judge_draws(
    facts: Facts, tags: Tags, replay: Replay, watch: DrawWatch, ending: Ending, end: Token, judged: bool, certain: bool
) -> None:
    """`certain` says whether it is known which Laws were in force: if not, what could be claimed is for information only."""
    profile = watch.profile
    automatic = [(index, name) for index, name in automatic_draws(watch) if index is not None]
    if watch.drawn_by_repetition is not None:
        played_on(facts, "E514", replay, watch.drawn_by_repetition, profile.automatic_repetition)
    if watch.drawn_by_moves is not None:
        played_on(facts, "E515", replay, watch.drawn_by_moves, (profile.automatic_moves or 0) // 2)
    if judged and automatic and ending.result in DECISIVE:
        first, name = min(automatic)
        facts.add("E516", end, first_ply=first, reason=name, expected=DRAW, found=ending.result)
    last = len(replay.mainline.plies)
    supported = watch.drawn_by_repetition is not None or any(run.kind == "repetition" and run.last == last for run in watch.runs)
    unsupported_claim = not supported and _claims_repetition(tags, replay)
    result = ending.result if judged else None
    ending.unclaimed_draw = False
    for run in watch.runs:
        effect = _effect(run, last, result)
        if effect == "decisive_against_claimant":
            ending.unclaimed_draw = True
        _report_run(facts, tags, replay, run, effect, certain)
    for visual in watch.visual:
        _report_visual(facts, tags, replay, visual, unsupported_claim and certain)


def played_on(facts: Facts, code: str, replay: Replay, index: int, limit: int | None = None, method: str | None = None) -> None:
    """Report the plies that were played after the game had ended at position `index`."""
    plies = replay.mainline.plies
    if index < len(plies):
        following = plies[index]
        count = len(plies) - index
        facts.add(code, following.token, Place(following.number), first_ply=index, count=count, limit=limit, method=method)


def automatic_draws(watch: DrawWatch) -> list[tuple[int | None, str]]:
    """Where the game was drawn without a claim, and what that is called."""
    profile = watch.profile
    repetition = "threefold" if profile.automatic_repetition == THREEFOLD else "fivefold"
    moves = "fifty" if profile.automatic_moves == FIFTY else "seventyfive"
    return [(watch.drawn_by_repetition, repetition), (watch.drawn_by_moves, moves)]


def first_automatic_draw(watch: DrawWatch) -> str | None:
    """Why the game was drawn without a claim, by now or before; None where it was not."""
    known = ((index, name) for index, name in automatic_draws(watch) if index is not None)
    return min(known, default=(0, None))[1]


def _effect(run: Run, last: int, result: str | None) -> str:
    if result == DRAW:
        return "ended_here" if run.last == last else "drawn_later"
    if result in DECISIVE:
        return "decisive_for_claimant" if DECISIVE[result] == run.side else "decisive_against_claimant"
    return "unfinished"


def _report_run(facts: Facts, tags: Tags, replay: Replay, run: Run, effect: str, certain: bool) -> None:
    repetition = run.kind == "repetition"
    cost = certain and effect == "decisive_against_claimant"
    evidence: dict[str, object] = {
        "side": side_name(run.side),
        "first_ply": run.first,
        "last_ply": run.last,
        "count": run.windows,
        "limit": run.limit,
        "effect": effect,
        **({} if run.occurrences is None else run.occurrences.evidence()),
        "forms": ("A" if run.announced else "") + ("B" if run.complete is not None else ""),
        "claim_moves": " ".join(run.claim_moves) or None,
        "clock": None if repetition else run.clock,
        "extension": run.extension,
    }
    token = position_token(facts, tags, replay, run.first)
    severity = Severity.WARNING if cost else Severity.INFO
    facts.add("D601" if repetition else "D611", token, Place(run.first), evidence, severity=severity)


def _report_visual(facts: Facts, tags: Tags, replay: Replay, visual: Visual, unsupported_claim: bool) -> None:
    facts.add(
        "D605",
        position_token(facts, tags, replay, visual.index),
        Place(visual.index),
        {"first_ply": visual.index, **visual.occurrences.evidence(), "reason": visual.reason},
        severity=Severity.WARNING if unsupported_claim else Severity.INFO,
    )


def _claims_repetition(tags: Tags, replay: Replay) -> bool:
    """Whether the source says that the game was drawn by repetition."""
    if parse_termination(tags.get("Termination") or "")[1] == "threefold":
        return True
    plies: list[Ply] = replay.mainline.plies
    said = " ".join(plies[-1].comments).lower() if plies else ""
    return "repetition" in said or "threefold" in said
