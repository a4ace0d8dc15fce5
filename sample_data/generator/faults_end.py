"""Results that contradict the board, games that go on after their end, draws that a player did not claim and then lost."""

from __future__ import annotations

import chess

from generator import laws, starts
from generator.faults import WITH_POSITIONS, Maker, kind
from generator.play import Play
from generator.scenarios import settle
from generator.score import Sheet
from generator.styles import Draft

_SPELLINGS = {
    "1-0": ("1:0", "1–0"),
    "0-1": ("0:1", "0–1"),
    "1/2-1/2": ("½-½", "0.5-0.5", "1/2", "1/2:1/2"),
}


def _ended(maker: Maker, over: str) -> Play | None:
    """A game that ended on the board in that way."""
    scenarios = {"checkmate": "mating", "stalemate": "stalemating", "fivefold": "fivefold", "seventyfive": "seventyfive"}
    if over != "dead":
        play = maker.game(scenarios[over])
    elif maker.style in WITH_POSITIONS:
        play = maker.from_board(starts.ending(maker.rng, ("KB/kp", "KN/kp", "KB/kr", "KN/kq", "KP/kn")), 80)
    else:
        play = maker.director.go_on(Play(maker.director.start()), 10)
        settle(maker.director.go_on(play, 320, "greedy"), maker.rng)
    return play if play.over == over else None


def _other(maker: Maker, *results: str) -> str:
    return maker.rng.choice([result for result in ("1-0", "0-1", "1/2-1/2") if result not in results])


def _contradict(maker: Maker, over: str, code: str) -> Sheet | None:
    play = _ended(maker, over)
    if play is None:
        return None
    draft = Draft.of(play)
    draft.result = draft.marker = _other(maker, play.result)
    sheet = maker.write(draft)
    sheet.add(code, "error", None, sheet.at_result(), f"{draft.result} after {over}")
    return sheet


@kind("result-contradicts-mate", "E501")
def contradicts_mate(maker: Maker) -> Sheet | None:
    """Mate on the board, another result."""
    return _contradict(maker, "checkmate", "E501")


@kind("result-contradicts-stalemate", "E502")
def contradicts_stalemate(maker: Maker) -> Sheet | None:
    """Stalemate on the board, a decisive result."""
    return _contradict(maker, "stalemate", "E502")


@kind("result-contradicts-dead", "E503")
def contradicts_dead(maker: Maker) -> Sheet | None:
    """Nobody can mate any more, a decisive result."""
    return _contradict(maker, "dead", "E503")


@kind("result-contradicts-autodraw", "E516")
def contradicts_autodraw(maker: Maker) -> Sheet | None:
    """Fivefold repetition or 75 moves, a decisive result."""
    return _contradict(maker, maker.rng.choice(("fivefold", "fivefold", "seventyfive")), "E516")


def _after_the_end(maker: Maker, over: str, code: str) -> Sheet | None:
    """After mate or stalemate no move is possible; what is written there looks like one."""
    play = _ended(maker, over)
    if play is None:
        return None
    board = play.board
    king = board.king(board.turn)
    assert king is not None
    square = chess.square_name(maker.rng.choice(list(board.attacks(king))))
    draft = Draft.of(play)
    texts = ["K" + square, maker.rng.choice(("Kd4", "Rd1", "h5"))]
    draft.texts += texts[: maker.rng.choice((1, 1, 2))]
    sheet = maker.write(draft)
    ply = len(play) + 1
    sheet.add(code, "error", ply, sheet.move(ply))
    return sheet


@kind("moves-after-mate", "E511")
def after_mate(maker: Maker) -> Sheet | None:
    """The mated side moves on."""
    return _after_the_end(maker, "checkmate", "E511")


@kind("moves-after-stalemate", "E512")
def after_stalemate(maker: Maker) -> Sheet | None:
    """The side without a move moves."""
    return _after_the_end(maker, "stalemate", "E512")


def _played_on(maker: Maker, over: str, code: str) -> Sheet | None:
    """The game was drawn by itself, but nobody stopped it."""
    play = _ended(maker, over)
    if play is None:
        return None
    end = len(play)
    play.over = ""
    for _ in range(maker.rng.randrange(1, 9)):
        move = maker.director.player.choose(play, "quiet" if over == "seventyfive" else "normal")
        if move is None:
            break
        play.step(move)
        if play.only_looks_repeated():
            play.undo()
            break
        if play.over in ("checkmate", "stalemate") or (play.over == "dead" and over != "dead"):
            play.undo()
            break
    index, reason = laws.end_index(play.start, play.moves)
    if len(play) == end or (index, reason) != (end, over):
        return None
    sheet = maker.write(Draft.of(play))
    sheet.add(code, "warning", end + 1, sheet.move(end + 1), f"over since index {end}")
    return sheet


@kind("moves-after-dead", "E513")
def after_dead(maker: Maker) -> Sheet | None:
    """Bare kings wander on."""
    return _played_on(maker, "dead", "E513")


@kind("moves-after-fivefold", "E514")
def after_fivefold(maker: Maker) -> Sheet | None:
    """A position stood for the fifth time, and the game went on."""
    return _played_on(maker, "fivefold", "E514")


@kind("moves-after-75", "E515")
def after_seventyfive(maker: Maker) -> Sheet | None:
    """75 moves of each side without capture or pawn move, and the game went on."""
    return _played_on(maker, "seventyfive", "E515")


@kind("result-token", "E541")
def result_token(maker: Maker) -> Sheet | None:
    """A result in a spelling that the standard does not know: in the tag, in the marker, or in both."""
    play = maker.open_game()
    rng = maker.rng
    draft = Draft.of(play)
    if rng.random() < 0.15:
        draft.result = draft.marker = "0-0"
    elif play.result == "*":
        return None
    where = "both" if draft.result == "0-0" else rng.choice(("tag", "marker", "both"))
    sheet = maker.write(draft)
    tag, marker = sheet.tag("Result"), sheet.marker()
    assert tag is not None
    assert marker is not None
    if draft.result != "0-0" and where != "marker":
        tag.value = rng.choice(_SPELLINGS[play.result])
    if draft.result != "0-0" and where != "tag":
        marker.text = rng.choice(_SPELLINGS[play.result])
    if where != "marker":
        sheet.add("E541", "error", None, tag, tag.value)
    if where != "tag":
        sheet.add("E541", "error", None, marker, marker.text)
    return sheet


@kind("result-mismatch", "E542")
def result_mismatch(maker: Maker) -> Sheet | None:
    """The Result tag and the termination marker say different things."""
    play = maker.open_game()
    draft = Draft.of(play)
    draft.marker = maker.rng.choice([text for text in ("1-0", "0-1", "1/2-1/2", "*") if text != play.result])
    sheet = maker.write(draft)
    sheet.add("E542", "error", None, sheet.at_result(), f"{draft.result} and {draft.marker}")
    return sheet


def _unclaimed(maker: Maker, play: Play) -> Sheet | None:
    """Give the game to the other side."""
    draft = Draft.of(play)
    for result in maker.rng.sample(("1-0", "0-1"), 2):
        facts = laws.draw_facts(play.start, play.moves, result)
        if any(fact.severity == "warning" for fact in facts):
            draft.result = draft.marker = play.result = result
            play.reason = "resigned"
            return maker.write(draft)
    return None


@kind("threefold-unclaimed", "D601")
def threefold_unclaimed(maker: Maker) -> Sheet | None:
    """A player could have claimed a threefold repetition, played on, and lost."""
    play = maker.director.game("repeating")
    maker.director.go_on(play, maker.rng.randrange(1, 25))
    return None if play.over else _unclaimed(maker, play)


@kind("fifty-unclaimed", "D611")
def fifty_unclaimed(maker: Maker) -> Sheet | None:
    """The same for the 50-move rule."""
    play = maker.director.shuffling(maker.rng.randrange(100, 112))
    maker.director.go_on(play, maker.rng.randrange(0, 20))
    return None if play.over else _unclaimed(maker, play)


@kind("visual-repetition", "D605")
def visual_repetition(maker: Maker) -> Sheet | None:
    """The diagram comes back twice, but the first time a castling or an en passant right was still there."""
    director = maker.director
    play = director.go_on(Play(director.start()), maker.rng.randrange(6, 30))
    while len(play) and not (play.board.has_legal_en_passant() or play.board.castling_rights):
        play.undo()
    if play.over or not len(play):
        return None
    cycle = director.cycle(play, losing_rights=not play.board.has_legal_en_passant())
    if cycle is None:
        return None
    for move in cycle * 2:
        play.step(move)
        if play.over:
            return None
    director.go_on(play, maker.rng.randrange(0, 12))
    if play.over or not any(fact.code == "D605" for fact in laws.draw_facts(play.start, play.moves, "*")):
        return None
    play.result, play.reason = "1/2-1/2", "agreed"
    return maker.write(Draft.of(play))
