"""What must be reported about the end of a game: its result against what is said of it and against the men that are left.

Worked out from the tags and the result as they will be written, after everything else in the game has been decided.
"""

from __future__ import annotations

import itertools
import re

import chess

from generator import laws
from generator.score import Place, Sheet

RESULTS = {
    **{text: text for text in ("1-0", "0-1", "1/2-1/2", "*")},
    **{"1:0": "1-0", "1–0": "1-0", "0:1": "0-1", "0–1": "0-1"},
    **dict.fromkeys(("½-½", "0.5-0.5", "1/2", "1/2:1/2"), "1/2-1/2"),
}
"""Spellings that the generator uses, and what they mean."""

DRAW = "1/2-1/2"
_WINNERS = {"1-0": chess.WHITE, "0-1": chess.BLACK}
_SAID = {
    "by checkmate": "checkmate",
    "by resignation": "resignation",
    "on time": "time",
    "by agreement": "agreement",
    "by stalemate": "stalemate",
    "by insufficient material": "dead",
    "by repetition": "threefold",
    "by 50-move rule": "fifty",
}


def note(sheet: Sheet) -> None:
    """Add the rows of a game that is ready to be written."""
    if sheet.play is None:
        return
    _End(sheet).note()


class _End:
    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.play = sheet.play
        tag, marker = sheet.tag("Result"), sheet.marker()
        written = [text for text in (tag.value if tag else None, marker.text if marker else None) if text]
        values = [RESULTS.get(text) for text in written]
        self.both_lose = "0-0" in written
        known = [value for value in values if value not in (None, "*")]
        self.result = known[0] if known else next((value for value in reversed(values) if value), None)
        self.moves = self.play.moves[: sheet.sound]
        self.board = self.play.board_at(sheet.sound)
        self.ended, self.why = laws.end_index(self.play.start, self.moves)
        whole = sheet.sound == sheet.plies() or (self.ended == sheet.sound and self.why in ("checkmate", "stalemate"))
        self.judged = whole and not sheet.broken
        self.status = self.why if self.why in ("checkmate", "stalemate", "dead") else ""
        self.reason, self.side = self._said()

    def _said(self) -> tuple[str, str]:
        """Why the game ended, as Termination says, and for whom: white, black, draw, unfinished or nothing."""
        tag = self.sheet.tag("Termination")
        value = "" if tag is None or tag.raw is not None else tag.value
        white, black = (getattr(self.sheet.tag(name), "value", "") for name in ("White", "Black"))
        for start, side in ((f"{white} won ", "white"), (f"{black} won ", "black"), ("Game drawn ", "draw")):
            if value.startswith(start):
                return _SAID[value.removeprefix(start)], side
        words = {"normal": ("normal", ""), "unterminated": ("", "unfinished"), "time forfeit": ("time", "")}
        return words.get(value.lower(), ("", ""))

    def note(self) -> None:
        sheet, end = self.sheet, self.sheet.at_result()
        tag = sheet.tag("Termination") or end
        if self.both_lose:
            marker = sheet.marker()
            sheet.add("A802", "info", None, marker if marker and marker.text == "0-0" else sheet.tag("Result") or "first")
        elif self._contradicts():
            sheet.add("E520", "warning", None, tag, f"{self.result} with {self.reason or self.side}")
        if self.result == DRAW and self.judged:
            self._draws(end, tag)
        if self.result == "*" and self.judged and (self.status or self.why):
            sheet.add("E543", "info", None, end, self.why)
        self._without_play(end)
        if self.judged and self.reason == "time" and self.status:
            sheet.add("E533", "warning", None, tag, self.status)
        winner = _WINNERS.get(self.result or "")
        if self.judged and winner is not None and not self.status and self.board.has_insufficient_material(winner):
            bare = chess.popcount(self.board.occupied_co[winner]) == 1
            if self.reason == "resignation":
                sheet.add("E534", "warning", None, end)
            elif bare:
                if not self._left_to_lichess():
                    sheet.add("E531", "warning" if self._adjudicated() else "error", None, end)
            elif self.reason == "time":
                sheet.add("E532", "error", None, end)
        if self.judged and winner is not None and self.status != "checkmate" and self.reason == "time":
            self._flag(winner)

    def _flag(self, winner: chess.Color) -> None:
        """Who is said to have run out of time had half of it, and a minute, behind the last of their moves."""
        control = self.sheet.tag("TimeControl")
        whole = None if control is None else re.fullmatch(r"(\d+)(\+\d+)?", control.value)
        last = self.sheet.plies()
        turn = self.play.start.turn if last % 2 else not self.play.start.turn
        ply = last - 1 if turn == winner else last
        if ply < 1:
            return
        tokens = self.sheet.tokens[self.sheet.tokens.index(self.sheet.move(ply)) + 1 :]
        behind = itertools.takewhile(lambda token: token.kind in ("nag", "comment"), tokens)
        clocks = re.findall(r"\[%clk (-?)(\d+):(\d+):([\d.]+)\]", " ".join(token.text for token in behind))
        if not clocks or clocks[-1][0]:
            return
        hours, minutes, seconds = (float(part) for part in clocks[-1][1:])
        comfortable = 600 if whole is None else max(int(whole[1]) / 2, 60)
        if 3600 * hours + 60 * minutes + seconds >= comfortable:
            self.sheet.add("C705", "info", ply, self.sheet.move(ply), clocks[-1][-1])

    def _contradicts(self) -> bool:
        if self.result is None:
            return False
        if self.result == "*":
            return bool(self.reason) or self.side in ("white", "black", "draw")
        if self.side == "unfinished":
            return True
        if self.result == DRAW:
            unfair = self.judged and not any(self.board.has_insufficient_material(side) for side in chess.COLORS)
            return self.side in ("white", "black") or (self.reason == "time" and unfair)
        return self.side == "draw" or self.side == {"1-0": "black", "0-1": "white"}[self.result]

    def _draws(self, end: Place, tag: Place) -> None:
        sheet, last = self.sheet, len(self.moves)
        open_now = [
            fact.code
            for fact in laws.draw_facts(self.play.start, self.moves, DRAW)
            if fact.code in ("D601", "D611") and fact.last == last
        ]
        for code in open_now:
            sheet.add("D620", "info", None, end, code)
        claimed, drawn = {"threefold": ("D601", "D603"), "fifty": ("D611", "D612")}.get(self.reason, ("", ""))
        by_itself = [fact.code for fact in laws.right_facts(self.play.start, self.moves, [])]
        if claimed and claimed not in open_now and drawn not in by_itself and not self._too_late(claimed):
            sheet.add("D621", "warning", None, tag, self.reason)

    def _too_late(self, claimed: str) -> bool:
        """Whether only that the game was over already stood against the claim at the last position."""
        if self.why not in ("dead", "fivefold", "seventyfive"):
            return False
        if claimed == "D611":
            return self.board.halfmove_clock >= laws.FIFTY
        board = self.play.start.copy(stack=False)
        keys = [laws.position_key(board)]
        for move in self.moves:
            board.push(move)
            keys.append(laws.position_key(board))
        return keys.count(keys[-1]) >= laws.THREEFOLD

    def _without_play(self, end: Place) -> None:
        sheet = self.sheet
        if sheet.plies() > 1 or sheet.tag("FEN") or not self.judged:
            return
        if self.result in _WINNERS:
            sheet.add("A801", "info", None, end)
        elif self.result == DRAW and self.reason in ("", "normal", "agreement") and not self._adjudicated():
            sheet.add("E525", "warning", None, end)

    def _adjudicated(self) -> bool:
        tag = self.sheet.tag("Termination")
        return tag is not None and tag.value == "adjudication"

    def _left_to_lichess(self) -> bool:
        """Where Lichess says no more than normal, the loser resigned."""
        site = self.sheet.tag("Site")
        return self.reason == "normal" and site is not None and "lichess.org" in site.value
