"""What is said of the end and does not fit it, draws by rights and without them, games that were decided without play."""

from __future__ import annotations

from collections.abc import Callable

import chess

from generator import ends, long_lines, starts
from generator.faults import STANDARD, TABLE, WITH_POSITIONS, Kind, Maker, Plant, stopped
from generator.faults_end import _ended
from generator.faults_moves import TEXTS_AMBIGUOUS, find
from generator.play import Play
from generator.scenarios import settle
from generator.score import Sheet, Token
from generator.styles import Draft

PLAIN = STANDARD - {"cutechess", "fastchess"}
"""Styles that begin from the array and do not say that a draw was adjudicated."""


def _kind(name: str, code: str, styles: frozenset[str] = STANDARD) -> Callable[[Plant], Plant]:
    """As `faults.kind`, for games of which the truth is told by their end alone: another try where it is not what is wanted."""

    def enter(plant: Plant) -> Plant:
        def whole(maker: Maker) -> Sheet | None:
            sheet = plant(maker)
            if sheet is None:
                return None
            ends.note(sheet)
            long_lines.note(sheet)
            return sheet if any(row.code == code for row in sheet.rows) else None

        TABLE[name] = Kind(name, code, frozenset(styles), whole)
        return plant

    return enter


def _write(play: Play, maker: Maker, result: str, termination: str | None = None) -> Sheet:
    draft = Draft.of(play)
    draft.result = draft.marker = result
    sheet = maker.write(draft)
    if termination is not None:
        sheet.put("Termination", termination)
    return sheet


def _won(play: Play) -> str:
    """Who won on the board."""
    return "0-1" if play.board.turn else "1-0"


@_kind("claim-lost-and-regained", "D602")
def lost_and_regained(maker: Maker) -> Sheet | None:
    """A right to claim lapsed, and the shuffling began anew."""
    play = maker.director.repeating(2)
    for _ in range(2):
        maker.director.go_on(play, maker.rng.randrange(2, 5))
        cycle = None if play.over else maker.director.cycle(play)
        if cycle is None:
            return None
        for move in cycle * 2:
            play.step(move)
            if play.over or play.only_looks_repeated():
                return None
    play.result, play.reason = "1/2-1/2", "agreed"
    return _write(play, maker, play.result)


@_kind("fivefold-reached", "D603")
def fivefold_reached(maker: Maker) -> Sheet | None:
    """A position stood for the fifth time, and the game was drawn."""
    play = _ended(maker, "fivefold")
    return None if play is None else _write(play, maker, "1/2-1/2")


@_kind("seventyfive-reached", "D612")
def seventyfive_reached(maker: Maker) -> Sheet | None:
    """75 moves of each side without capture or pawn move, and the game was drawn."""
    play = _ended(maker, "seventyfive")
    return None if play is None else _write(play, maker, "1/2-1/2")


@_kind("draw-fits-claim", "D620")
def fits_claim(maker: Maker) -> Sheet | None:
    """A draw where a position had stood three times."""
    play = maker.director.repeating(2)
    play.result, play.reason = "1/2-1/2", "agreed"
    return _write(play, maker, play.result)


@_kind("claim-unsupported", "D621")
def unsupported(maker: Maker) -> Sheet | None:
    """Said to be drawn by repetition or by the 50-move rule, which the game does not bear out."""
    said = maker.rng.choice(("repetition", "50-move rule"))
    return _write(maker.open_game(), maker, "1/2-1/2", f"Game drawn by {said}")


@_kind("result-v-termination", "E520")
def against_termination(maker: Maker) -> Sheet | None:
    """Termination says that the game was drawn, or goes on, and the result that somebody won; or the other way round."""
    play = maker.open_game()
    drawn = play.result == "1/2-1/2"
    said = "unterminated" if drawn else "normal" if play.result == "*" else "Game drawn by agreement"
    return _write(play, maker, play.result, said)


@_kind("agreed-too-early", "E525", PLAIN)
def agreed_too_early(maker: Maker) -> Sheet | None:
    """A draw after one move."""
    play = Play(chess.Board())
    maker.director.go_on(play, 1)
    play.result, play.reason = "1/2-1/2", "agreed"
    return _write(play, maker, play.result)


def _small(maker: Maker, men: str) -> Play:
    play = Play(starts.ending(maker.rng, (men,)))
    maker.director.go_on(play, maker.rng.randrange(2, 6))
    settle(play, maker.rng)
    return play


def _weaker(play: Play, count: int) -> chess.Color | None:
    """The side that has so many men, where the other has more and the game goes on."""
    sides = [side for side in chess.COLORS if chess.popcount(play.board.occupied_co[side]) == count]
    return sides[0] if len(sides) == 1 and not play.over else None


@_kind("lone-king-wins", "E531", WITH_POSITIONS)
def lone_king_wins(maker: Maker) -> Sheet | None:
    """The side that has only its king left is said to have won on time."""
    play = _small(maker, "KPP/k")
    winner = _weaker(play, 1)
    if winner is None:
        return None
    return _write(play, maker, "1-0" if winner else "0-1", "time forfeit")


@_kind("flag-unwinnable", "E532", WITH_POSITIONS)
def flag_unwinnable(maker: Maker) -> Sheet | None:
    """A knight against a queen is said to have won on time."""
    play = _small(maker, "KQ/kn")
    winner = next((side for side in chess.COLORS if play.board.pieces(chess.KNIGHT, side)), None)
    if winner is None or play.over:
        return None
    return _write(play, maker, "1-0" if winner else "0-1", "time forfeit")


@_kind("flag-after-end", "E533")
def flag_after_end(maker: Maker) -> Sheet | None:
    """Mate on the board, and Termination speaks of time."""
    play = _ended(maker, "checkmate")
    return None if play is None else _write(play, maker, _won(play), "time forfeit")


@_kind("resign-unwinnable", "E534", WITH_POSITIONS)
def resigned_unwinnable(maker: Maker) -> Sheet | None:
    """The side with pawns is said to have resigned against a lone king."""
    play = _small(maker, "KPP/k")
    winner = _weaker(play, 1)
    if winner is None:
        return None
    sheet = _write(play, maker, "1-0" if winner else "0-1")
    name = sheet.tag("White" if winner else "Black")
    assert name is not None
    sheet.put("Termination", f"{name.value} won by resignation")
    return sheet


@_kind("unfinished", "E543")
def unfinished(maker: Maker) -> Sheet | None:
    """Mate on the board, and no result."""
    play = _ended(maker, "checkmate")
    return None if play is None else _write(play, maker, "*")


@_kind("forfeit-win", "A801", PLAIN)
def forfeit(maker: Maker) -> Sheet | None:
    """A win after no move or one."""
    play = Play(chess.Board())
    maker.director.go_on(play, 1)
    play.result, play.reason = maker.rng.choice(("1-0", "0-1")), "resigned"
    return _write(play, maker, play.result)


@_kind("both-lose", "A802")
def both_lose(maker: Maker) -> Sheet | None:
    """No result, and a comment that both players forfeit."""
    play = maker.open_game()
    play.result, play.reason = "*", "unfinished"
    sheet = maker.write(Draft.of(play))
    sheet.drop("Termination")
    if any(token.kind == "close" for token in sheet.tokens[-4:]):
        return None
    marker = sheet.marker()
    assert marker is not None
    sheet.tokens.insert(sheet.tokens.index(marker), Token("comment", "{both players forfeit}"))
    sheet.add("A802", "info", None, marker)
    return sheet


@_kind("sealed-move-loss", "A803")
def sealed_move(maker: Maker) -> Sheet | None:
    """The last move is ambiguous, a comment says that it was sealed, and its side lost."""
    play = maker.game()
    site = find(maker, play, "N401", TEXTS_AMBIGUOUS)
    if site is None:
        return None
    index, text = site
    white = play.board_at(index).turn
    draft = stopped(play, index, text, 0)
    draft.result = draft.marker = draft.play.result = "0-1" if white else "1-0"
    draft.play.reason = "resigned"
    sheet = maker.write(draft)
    marker = sheet.marker()
    assert marker is not None
    sheet.tokens.insert(sheet.tokens.index(marker), Token("comment", "{sealed}"))
    sheet.drop("Termination")
    for code in ("A803", "N401"):
        sheet.add(code, "info", index + 1, sheet.move(index + 1), text)
    return sheet
