"""How a game ended against what the source says of it: results, flags, resignations, forfeits (E520 to E543, A8xx)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import chess

from chesstools.finding import Severity
from chesstools.profiles import Profile
from chesstools.reference.facts import Facts, Place
from chesstools.reference.flags import is_bare, why_drawn_on_time, why_no_mate
from chesstools.reference.lexer import COMMENTS, Token
from chesstools.reference.replay import Replay
from chesstools.reference.said import Said
from chesstools.reference.setup_check import side_name
from chesstools.reference.tags import Tags
from chesstools.reference.text import trim
from chesstools.reference.values import parse_date

DRAW = "1/2-1/2"
DECISIVE = {"1-0": chess.WHITE, "0-1": chess.BLACK}

DRAWN = frozenset(
    {
        "stalemate", "dead_position", "threefold", "fivefold", "fifty", "seventyfive", "agreement",
        "timeout_v_insufficient_material",
    }
)  # fmt: skip
"""Reasons that make a draw."""
LOST = frozenset({"checkmate", "resignation", "forfeit"})
"""Reasons that make no draw, whatever stands on the board."""
FINAL = DRAWN | LOST | {"time", "rules_infraction"}
"""Reasons with which a game has a result."""
DECREED = frozenset({"rules_infraction", "abandoned", "forfeit", "disconnection", "adjudication", "death", "emergency"})
"""Reasons by which a side can win, whatever it has on the board."""

LAST_ADJOURNMENTS = 2000
"""The last year in which a bad last move is taken for a sealed one, though nothing says that it was sealed."""


@dataclass(frozen=True, slots=True)
class Case:
    """One game, and all that its end is judged by."""

    facts: Facts
    tags: Tags
    replay: Replay
    profile: Profile
    certain: bool
    """Whether it is known that these rules were in force."""
    result: str | None
    """In its standard spelling."""
    marker: Token | None
    end: Token
    """Where findings about the end are placed."""
    status: str | None
    """checkmate, stalemate, dead or none; None where there is no board."""
    judged: bool
    """Whether all of the mainline was replayed."""
    standard: bool
    """Whether it is standard chess or Chess960."""
    said: Sequence[Said]
    reason: str | None
    """Why the game ended, as far as it is known."""
    drawn_by_itself: str | None
    """threefold, fivefold, fifty or seventyfive where the game was drawn without a claim, else None."""

    @property
    def winner(self) -> chess.Color | None:
        """Who won; None where nobody did."""
        return DECISIVE.get(self.result or "")


def check_end(case: Case) -> None:
    """Report what does not fit together."""
    both_lose = _both_lose(case)
    if not both_lose:
        _result_against_words(case)
    _unfinished(case)
    _without_play(case)
    _sealed_move(case)
    if case.judged and case.standard:
        _flag_after_end(case)
        _unwinnable(case)


def _both_lose(case: Case) -> bool:
    """Report a game that both sides lost (A802)."""
    for token in (case.marker, case.tags.tokens.get("Result")):
        if token is None:
            continue
        text = case.facts.text(token) if token is case.marker else trim(case.tags.get("Result") or "")
        if re.sub(r"[‐-―−:\x96\x97]", "-", text) in ("0-0", "-/-", "---"):
            case.facts.add("A802", token, found=text)
            return True
    for said in case.said:
        if said.outcome == "both":
            case.facts.add("A802", said.token or case.end, found=said.text)
            return True
    return False


def _result_against_words(case: Case) -> None:
    """Report words about the end that do not fit the result, or not the last position (E520): the first of them."""
    for said in case.said:
        contradicts, reason = _contradicts(case, said), said.reason if _is_not_on_board(case, said) else None
        if contradicts or reason is not None:
            evidence = {
                "expected": said.text,
                "found": case.result,
                "basis": said.basis,
                "reason": None if contradicts else reason,
            }
            case.facts.add("E520", said.token or case.end, evidence=evidence)
            return


def _is_not_on_board(case: Case, said: Said) -> bool:
    """Whether mate or stalemate is said to have ended a game whose last position is neither."""
    if not case.judged or not case.standard or said.reason not in ("checkmate", "stalemate"):
        return False
    # Who annotates a game may mean a mate that nobody waited for.
    may_be_prose = said.basis == "comment" and said.text.lower().endswith(" mates")
    return said.reason != case.status and not may_be_prose


def _contradicts(case: Case, said: Said) -> bool:
    if case.result is None:
        return False
    if case.result == "*":
        return said.normal or said.reason in FINAL or said.outcome in ("white", "black", "draw")
    if said.outcome == "unfinished":
        return True
    if case.result == DRAW:
        if said.outcome in ("white", "black") or said.reason in LOST:
            return True
        return said.reason == "time" and said.outcome != "draw" and not _may_be_drawn_on_time(case)
    if said.outcome == "draw" or said.reason in DRAWN:
        return True
    return said.outcome in ("white", "black") and said.outcome != side_name(DECISIVE[case.result])


def _may_be_drawn_on_time(case: Case) -> bool:
    """Whether a side whose time ran out can have drawn: its opponent could not mate, or this is not known."""
    board = case.replay.board
    if board is None or not case.judged or not case.standard:
        return True
    # On Lichess a draw that was offered stands when the time is overstepped.
    return case.profile.flag_draw == "lichess" or any(why_drawn_on_time(board, side, case.profile) for side in chess.COLORS)


def _unfinished(case: Case) -> None:
    """Report a game without a result that the board has ended (E543)."""
    if case.result != "*" or not case.judged:
        return
    shown = case.drawn_by_itself if case.status in ("none", None) else case.status
    if shown is not None:
        case.facts.add("E543", case.end, reason=shown)


def _without_play(case: Case) -> None:
    """Report games that were decided or drawn without play (A801, E525); not fragments, which begin at a FEN."""
    line = case.replay.mainline
    plies = line.plies_written
    if plies > 1 or line.stopped or not case.standard or "FEN" in case.tags.values:
        return
    if case.winner is not None:
        case.facts.add("A801", case.end, count=plies, found=case.tags.get("Termination"))
        return
    may_be_agreed = all(said.normal or said.reason in (None, "agreement") for said in case.said)
    too_early = case.certain and case.profile.agreed_draw_needs_moves
    if too_early and case.result == DRAW and may_be_agreed:
        case.facts.add("E525", case.end, count=plies)


def _sealed_move(case: Case) -> None:
    """Report a bad last move of the side that lost, which fits a wrongly sealed one (A803).

    Where the source says that it was sealed, the move is no error.
    """
    line, board = case.replay.mainline, case.replay.board
    bad = line.bad_token
    if bad is None or line.unjudged or line.over or board is None or case.winner in (None, board.turn):
        return
    code = next(
        (code for code in case.facts.codes_at(bad) if code == "N401" or (code.startswith("M3") and code != "M391")), "P110"
    )
    sealed = _speaks_of_sealing(case)
    date = parse_date(case.tags.get("Date") or "")
    old = date is not None and date.year is not None and date.year <= LAST_ADJOURNMENTS
    if not sealed and (not old or code == "P110"):
        return
    if sealed:
        case.facts.lower(code, bad, Severity.INFO)
    reason = _SEALED.get(code, "illegal")
    case.facts.add("A803", bad, Place(line.next_ply), side=side_name(board.turn), reason=reason)


_SEALED = {"N401": "ambiguous", "P110": "meaningless"}


def _speaks_of_sealing(case: Case) -> bool:
    """Whether Termination, or a comment from the last good move on, has the word."""
    plies, facts = case.replay.mainline.plies, case.facts
    start = plies[-1].token.start if plies else -1
    comments = (token for token in facts.region.tokens if token.kind in COMMENTS and token.start > start)
    texts = [case.tags.get("Termination") or "", *map(facts.text, comments)]
    return any(re.search("sealed", text, re.IGNORECASE | re.ASCII) for text in texts)


def _flag_after_end(case: Case) -> None:
    """Report a flag that is said to have fallen after the board had ended the game (E533)."""
    said = next((said for said in case.said if said.reason == "time"), None)
    if said is not None and case.status in ("checkmate", "stalemate", "dead"):
        case.facts.add("E533", said.token or case.end, reason=case.status, found=said.text)


def _unwinnable(case: Case) -> None:
    """Report a side that won though it could not mate (E531, E532, E534)."""
    board, winner = case.replay.board, case.winner
    if board is None or winner is None or case.status != "none":
        return
    fen, method = board.fen, None
    if any(said.reason == "resignation" for said in case.said):
        if case.profile.resign_unwinnable_draws and (method := why_no_mate(board, winner)):
            case.facts.add("E534", case.end, fen=fen(), side=side_name(not winner), reason=method, found=case.result)
    elif is_bare(board, winner):
        if case.reason != "resignation":
            severity = Severity.WARNING if case.reason in DECREED else None
            case.facts.add("E531", case.end, severity=severity, fen=fen(), side=side_name(winner), found=case.result)
    elif case.reason == "time" and (method := why_drawn_on_time(board, winner, case.profile)):
        severity = None if method == "material" else Severity.WARNING
        evidence = {"side": side_name(winner), "reason": method, "found": case.result}
        case.facts.add("E532", case.end, evidence=evidence, severity=severity, fen=fen())
