"""The end of a game: result against board, moves after the end, draws that nobody claimed, and why it ended."""

from __future__ import annotations

import chess

from chesstools.profile_choice import Chosen
from chesstools.profiles import Profile
from chesstools.reference.claims import Claims
from chesstools.reference.end_reason import find_reason
from chesstools.reference.ending import Ending
from chesstools.reference.facts import Facts, Place
from chesstools.reference.lexer import Kind, Token
from chesstools.reference.material import is_dead
from chesstools.reference.replay import Replay
from chesstools.reference.results import judge_results, last_token
from chesstools.reference.said import read_comments_said, read_tags_said
from chesstools.reference.tags import Tags
from chesstools.reference.unclaimed import first_automatic_draw, judge_draws, played_on
from chesstools.reference.verdicts import DRAW, Case, check_end


def judge(facts: Facts, tags: Tags, replay: Replay, rules: str | None, chosen: Chosen) -> Ending:
    """Report what is wrong with the end of a game that was replayed."""
    ending = Ending()
    marker = _marker(facts)
    ending.marker = None if marker is None else facts.text(marker)
    judge_results(facts, tags, marker, ending)
    end = marker or tags.tokens.get("Result") or last_token(facts)
    profile = chosen.profile
    board, line = replay.board, replay.mainline
    standard = rules in ("standard", "chess960")
    judged = board is not None and (not line.stopped or line.over)
    if board is not None:
        ending.status = _status(board, rules, profile, replay)
        # A word behind the end is no move: it is reported as an unknown token.
        behind = [token for token in line.rest_tokens if token.kind is not Kind.WORD] if line.over else []
        if behind:
            code = "E511" if ending.status == "checkmate" else "E512"
            facts.add(code, behind[0], Place(line.next_ply), fen=board.fen(), count=len(behind))
        if judged:
            _board_against_result(facts, end, replay, ending)
        if standard and replay.first_dead is not None:
            played_on(facts, "E513", replay, replay.first_dead, method=replay.dead_method)
    tags_said, comments_said = read_tags_said(tags), read_comments_said(facts, line, tags)
    said = tags_said if comments_said is None else [*tags_said, comments_said]
    watch = replay.watch if board is not None and standard else None
    if watch is not None:
        judge_draws(facts, tags, replay, watch, ending, end, judged, chosen.certain)
        claims = Claims(facts, tags, replay, watch)
        claims.automatic()
        claims.lapses()
        if judged and ending.result == DRAW:
            claims.fitting(end)
            claims.unsupported(said, end)
    automatic = None if watch is None or not judged else first_automatic_draw(watch)
    find_reason(tags, replay, ending, judged, said)
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
