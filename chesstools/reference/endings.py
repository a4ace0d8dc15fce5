"""The end of a game: result against board, moves after the end, draws that nobody claimed, and why it ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import chess

from chesstools.finding import Severity
from chesstools.profile_choice import Chosen
from chesstools.profiles import Profile
from chesstools.reference.claims import Claims, position_token
from chesstools.reference.draws import FIFTY, THREEFOLD, DrawWatch, Run, Visual
from chesstools.reference.facts import Facts, Place
from chesstools.reference.flags import why_drawn_on_time
from chesstools.reference.lexer import COMMENTS, FILLERS, Token
from chesstools.reference.line import Ply
from chesstools.reference.material import is_dead
from chesstools.reference.replay import Replay
from chesstools.reference.said import Said, read_comments_said, read_tags_said
from chesstools.reference.setup_check import side_name
from chesstools.reference.tags import Tags
from chesstools.reference.text import trim
from chesstools.reference.values import normalise_result, parse_termination
from chesstools.reference.verdicts import DECISIVE, DRAW, Case, check_end


@dataclass(slots=True)
class Ending:
    """How a game ended, as far as it can be told."""

    result: str | None = None
    """The result in its standard spelling: the tag's, or else the marker's."""
    marker: str | None = None
    status: str | None = None
    """checkmate, stalemate, dead or none; None where there is no board."""
    reason: str | None = None
    basis: str | None = None
    unclaimed_draw: bool | None = None


def judge(facts: Facts, tags: Tags, replay: Replay, rules: str | None, chosen: Chosen) -> Ending:
    """Report what is wrong with the end of a game that was replayed."""
    ending = Ending()
    marker = _marker(facts)
    ending.marker = None if marker is None else facts.text(marker)
    _results(facts, tags, marker, ending)
    end = marker or tags.tokens.get("Result") or _last(facts)
    profile = chosen.profile
    board, line = replay.board, replay.mainline
    standard = rules in ("standard", "chess960")
    judged = board is not None and (not line.stopped or line.over)
    if board is not None:
        ending.status = _status(board, rules, profile, replay)
        if line.over and line.bad_token is not None:
            code = "E511" if ending.status == "checkmate" else "E512"
            facts.add(code, line.bad_token, Place(line.next_ply), fen=board.fen(), count=1 + line.unjudged)
        if judged:
            _board_against_result(facts, end, replay, ending)
        if standard and replay.first_dead is not None:
            _played_on(facts, "E513", replay, replay.first_dead, method=replay.dead_method)
    tags_said, comments_said = read_tags_said(tags), read_comments_said(facts, line, tags)
    said = tags_said if comments_said is None else [*tags_said, comments_said]
    watch = replay.watch if board is not None and standard else None
    if watch is not None:
        _draws(facts, tags, replay, watch, ending, end, judged, chosen.certain)
        claims = Claims(facts, tags, replay, watch)
        claims.automatic()
        claims.lapses()
        if judged and ending.result == DRAW:
            claims.fitting(end)
            claims.unsupported(said, end)
    automatic = None if watch is None or not judged else _first_automatic(watch)
    _reason(tags, replay, ending, judged, said)
    check_end(
        Case(
            facts, tags, replay, profile, chosen.certain, ending.result, marker, end, ending.status, judged, standard,
            said, ending.reason, automatic,
        )
    )  # fmt: skip
    return ending


def _marker(facts: Facts) -> Token | None:
    region = facts.region
    return None if region.terminator is None else region.tokens[region.terminator]


def _last(facts: Facts) -> Token:
    return next(token for token in reversed(facts.region.tokens) if token.kind not in FILLERS)


def _results(facts: Facts, tags: Tags, marker: Token | None, ending: Ending) -> None:
    """The two places of the result: each one of four tokens (E541), and the same (E542); text behind it (P108)."""
    tag = tags.get("Result")
    if marker is None:
        facts.add("P109", _last(facts), token=None, expected=tag)
    else:
        text = facts.text(marker)
        value = normalise_result(text)
        if text not in ("1-0", "0-1", DRAW, "*"):
            facts.add("E541", marker, place="marker", expected=value)
        if tag is not None and trim(tag) and not _same_result(tag, text):
            facts.add("E542", marker, expected=tag, found=text)
        tokens = facts.region.tokens[(facts.region.terminator or 0) + 1 :]
        behind = [token for token in tokens if token.kind not in FILLERS and token.kind not in COMMENTS]
        if behind:
            facts.add("P108", behind[0], count=len(behind))
    if tag is not None and tag not in ("1-0", "0-1", DRAW, "*"):
        facts.add("E541", tags.tokens["Result"], token=tag, place="tag", expected=normalise_result(tag))
    ending.result = normalise_result(tag)
    if ending.result in (None, "*") and marker is not None:
        ending.result = normalise_result(facts.text(marker)) or ending.result


def _same_result(tag: str, marker: str) -> bool:
    one, other = normalise_result(tag), normalise_result(marker)
    return one == other if one or other else trim(tag) == marker


def _status(board: chess.Board, rules: str | None, profile: Profile, replay: Replay) -> str:
    if not any(board.generate_legal_moves()):
        return "checkmate" if board.is_check() else "stalemate"
    if rules not in ("standard", "chess960"):
        return "none"
    stays_dead = profile.dead_position == "any-series" and replay.first_dead is not None
    if stays_dead or is_dead(board, profile.dead_position):
        return "dead"
    return "none"


def _board_against_result(facts: Facts, end: Token, replay: Replay, ending: Ending) -> None:
    board = replay.board
    assert board is not None
    result = ending.result
    if result is None or result == "*":
        return
    fen = board.fen()
    if ending.status == "checkmate":
        due = "0-1" if board.turn == chess.WHITE else "1-0"
        if result != due:
            facts.add("E501", end, expected=due, found=result, fen=fen)
    elif ending.status == "stalemate" and result != DRAW:
        facts.add("E502", end, expected=DRAW, found=result, fen=fen)
    elif ending.status == "dead" and result != DRAW:
        facts.add("E503", end, expected=DRAW, found=result, fen=fen, first_ply=replay.first_dead, method=replay.dead_method)


def _played_on(facts: Facts, code: str, replay: Replay, index: int, limit: int | None = None, method: str | None = None) -> None:
    """Report the plies that were played after the game had ended at position `index`."""
    plies = replay.mainline.plies
    if index < len(plies):
        following = plies[index]
        count = len(plies) - index
        facts.add(code, following.token, Place(following.number), first_ply=index, count=count, limit=limit, method=method)


def _draws(
    facts: Facts, tags: Tags, replay: Replay, watch: DrawWatch, ending: Ending, end: Token, judged: bool, certain: bool
) -> None:
    """`certain` says whether it is known which Laws were in force: if not, what could be claimed is for information only."""
    profile = watch.profile
    automatic = [(index, name) for index, name in _automatic(watch) if index is not None]
    if watch.drawn_by_repetition is not None:
        _played_on(facts, "E514", replay, watch.drawn_by_repetition, profile.automatic_repetition)
    if watch.drawn_by_moves is not None:
        _played_on(facts, "E515", replay, watch.drawn_by_moves, (profile.automatic_moves or 0) // 2)
    if judged and automatic and ending.result in DECISIVE:
        first, name = min(automatic)
        facts.add("E516", end, first_ply=first, reason=name, expected=DRAW, found=ending.result)
    last = len(replay.mainline.plies)
    supported = watch.drawn_by_repetition == last or any(run.kind == "repetition" and run.last == last for run in watch.runs)
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


def _automatic(watch: DrawWatch) -> list[tuple[int | None, str]]:
    """Where the game was drawn without a claim, and what that is called."""
    profile = watch.profile
    repetition = "threefold" if profile.automatic_repetition == THREEFOLD else "fivefold"
    moves = "fifty" if profile.automatic_moves == FIFTY else "seventyfive"
    return [(watch.drawn_by_repetition, repetition), (watch.drawn_by_moves, moves)]


def _effect(run: Run, last: int, result: str | None) -> str:
    if result == DRAW:
        return "ended_here" if run.last == last else "drawn_later"
    if result in DECISIVE:
        return "decisive_for_claimant" if DECISIVE[result] == run.side else "decisive_against_claimant"
    return "unfinished"


def _report_run(facts: Facts, tags: Tags, replay: Replay, run: Run, effect: str, certain: bool) -> None:
    repetition = run.kind == "repetition"
    cost = certain and effect == "decisive_against_claimant"
    facts.add(
        "D601" if repetition else "D611",
        position_token(facts, tags, replay, run.first),
        Place(run.first),
        severity=Severity.WARNING if cost else Severity.INFO,
        side=side_name(run.side),
        first_ply=run.first,
        last_ply=run.last,
        count=run.windows,
        limit=run.limit,
        effect=effect,
        occurrences=run.occurrences or None,
        forms="".join(sorted(run.forms)),
        claim_moves=" ".join(run.claim_moves) or None,
        clock=None if repetition else run.clock,
        extension=run.extension,
    )


def _report_visual(facts: Facts, tags: Tags, replay: Replay, visual: Visual, unsupported_claim: bool) -> None:
    facts.add(
        "D605",
        position_token(facts, tags, replay, visual.index),
        Place(visual.index),
        severity=Severity.WARNING if unsupported_claim else Severity.INFO,
        first_ply=visual.index,
        occurrences=visual.occurrences,
        reason=visual.reason,
    )


def _claims_repetition(tags: Tags, replay: Replay) -> bool:
    """Whether the source says that the game was drawn by repetition."""
    if parse_termination(tags.get("Termination") or "")[1] == "threefold":
        return True
    plies: list[Ply] = replay.mainline.plies
    said = " ".join(plies[-1].comments).lower() if plies else ""
    return "repetition" in said or "threefold" in said


def _first_automatic(watch: DrawWatch) -> str | None:
    """Why the game was drawn without a claim, by now or before; None where it was not."""
    known = ((index, name) for index, name in _automatic(watch) if index is not None)
    return min(known, default=(0, None))[1]


def _reason(tags: Tags, replay: Replay, ending: Ending, judged: bool, said: Sequence[Said]) -> None:
    """Why the game ended: the first of these that tells.

    The board (mate, stalemate, dead position, fivefold, 75 moves); Termination and TerminationDetails; the last comment; again
    the board, by a claim that the last position bears out (not one with a written move: the board does not show that it was
    made); what Lichess calls normal where only one thing is left; the loser's clock.
    """
    watch, board = replay.watch, replay.board
    last = len(replay.mainline.plies)
    drawn = ending.result == DRAW
    if judged and ending.status in ("checkmate", "stalemate", "dead"):
        ending.reason, ending.basis = ("dead_position" if ending.status == "dead" else ending.status), "board"
        return
    if judged and drawn and watch is not None:
        for index, name in _automatic(watch):
            if index == last:
                ending.reason, ending.basis = name, "board"
                return
    stated = next((words for words in said if words.reason is not None), None)
    if stated is not None:
        ending.reason, ending.basis = stated.reason, stated.basis
        if stated.reason == "time" and drawn and judged and watch is not None and _drawn_on_time(board, watch.profile):
            ending.reason = "timeout_v_insufficient_material"
        return
    if judged and drawn and watch is not None:
        for run in watch.runs:
            if run.last == last and _is_complete(run):
                ending.reason = "threefold" if run.kind == "repetition" else "fifty"
                ending.basis = "board"
                return
    if judged and ending.status == "none" and any(words.normal for words in said) and _is_from_lichess(tags):
        # Its other words are for time, rules and games that were left; and it knows no claims with a written move.
        ending.reason = "agreement" if drawn else "resignation" if ending.result in DECISIVE else None
        ending.basis = None if ending.reason is None else "termination"
    elif judged and not said and ending.result in DECISIVE and _is_out_of_time(replay, not DECISIVE[ending.result]):
        ending.reason, ending.basis = "time", "clock"


def _drawn_on_time(board: chess.Board | None, profile: Profile) -> bool:
    return board is not None and any(why_drawn_on_time(board, side, profile) for side in chess.COLORS)


def _is_from_lichess(tags: Tags) -> bool:
    return "lichess.org" in (tags.get("Site") or "")


def _is_out_of_time(replay: Replay, side: chess.Color) -> bool:
    """Whether the clock behind the last move of `side` shows nothing left."""
    board, plies = replay.board, replay.mainline.plies
    assert board is not None
    own = plies[-1:] if board.turn != side else plies[-2:-1]
    clock = own[0].annotations.clock_ms if own else None
    return clock is not None and clock <= 0


def _is_complete(run: Run) -> bool:
    """Whether at its last index the position has stood often enough, or the count is full, without a further move."""
    if run.kind == "repetition":
        return run.occurrences[-1] == run.last
    return run.clock >= 2 * run.limit
