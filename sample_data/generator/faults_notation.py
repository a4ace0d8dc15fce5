"""Legal moves written badly: too much or too little disambiguation, marks, forms, and wrong move numbers."""

from __future__ import annotations

from collections.abc import Callable

import chess

from generator.faults import Maker, kind
from generator.play import Play
from generator.score import Sheet, Token
from generator.styles import Draft

Rewrite = Callable[[Maker, chess.Board, chess.Move, str], "str | None"]


def _plant(maker: Maker, code: str, severity: str, rewrite: Rewrite) -> Sheet | None:
    """Write one move of a game otherwise than the standard does."""
    play = maker.game()
    board = play.start.copy(stack=False)
    sites: dict[int, str] = {}
    for ply, (move, san) in enumerate(zip(play.moves, play.sans, strict=True), start=1):
        text = rewrite(maker, board, move, san)
        if text is not None and text != san:
            sites[ply] = text
        board.push(move)
    if not sites:
        return None
    ply = maker.rng.choice(list(sites))
    draft = Draft.of(play)
    draft.texts[ply - 1] = sites[ply]
    sheet = maker.write(draft)
    sheet.add(code, severity, ply, sheet.move(ply), f"{sites[ply]} for {play.sans[ply - 1]}")
    return sheet


def _over_disambiguated(maker: Maker, board: chess.Board, move: chess.Move, san: str) -> str | None:
    """The file of the man is named although there is no need to, or its rank too."""
    body = san.rstrip("+#")
    if san[0] not in "NBRQ" or len(body.replace("x", "")) != 3:
        return None
    return san[0] + chess.square_name(move.from_square)[maker.rng.randrange(2)] + san[1:]


def _capture_mark(maker: Maker, board: chess.Board, move: chess.Move, san: str) -> str | None:
    if san[0] not in "NBRQK":
        return None
    if "x" in san:
        return san.replace("x", "")
    target = chess.square_name(move.to_square)
    return san.replace(target, "x" + target)


def _non_san(maker: Maker, board: chess.Board, move: chess.Move, san: str) -> str | None:
    """Castling with zeros, promotion without the sign, long algebraic notation, UCI, a small letter."""
    if san.startswith("O-O"):
        return san.replace("O", "0")
    if "=" in san:
        body, piece = san.split("=")
        return maker.rng.choice((f"{body}{piece}", f"{body}({piece[0]}){piece[1:]}"))
    if san[-1] in "+#" or "x" in san:
        return None
    source, target = chess.square_name(move.from_square), chess.square_name(move.to_square)
    letter = san[0] if san[0] in "NBRQK" else ""
    forms = [source + target, f"{letter}{source}-{target}"]
    if san[0] in "NRQK":
        forms.append(san[0].lower() + san[1:])
    return maker.rng.choice(forms)


def _check_mark_wrong(maker: Maker, board: chess.Board, move: chess.Move, san: str) -> str | None:
    if san[-1] == "#":
        return None
    return san[:-1] + "#" if san[-1] == "+" else san + maker.rng.choice("+#")


def _check_mark_missing(maker: Maker, board: chess.Board, move: chess.Move, san: str) -> str | None:
    return san[:-1] if san[-1] in "+#" else None


@kind("over-disambiguated", "N402")
def over_disambiguated(maker: Maker) -> Sheet | None:
    """`Ngf3` where `Nf3` says it."""
    return _plant(maker, "N402", "info", _over_disambiguated)


@kind("capture-mark", "N403")
def capture_mark(maker: Maker) -> Sheet | None:
    """An x too much or too little."""
    return _plant(maker, "N403", "info", _capture_mark)


@kind("non-san-form", "N404")
def non_san_form(maker: Maker) -> Sheet | None:
    """A legal move in another notation."""
    return _plant(maker, "N404", "info", _non_san)


@kind("check-mark-wrong", "N405")
def check_mark_wrong(maker: Maker) -> Sheet | None:
    """`+` without check, `#` without mate."""
    return _plant(maker, "N405", "warning", _check_mark_wrong)


@kind("check-mark-missing", "N406")
def check_mark_missing(maker: Maker) -> Sheet | None:
    """Check or mate without its mark."""
    return _plant(maker, "N406", "info", _check_mark_missing)


@kind("move-number-wrong", "N420")
def move_number_wrong(maker: Maker) -> Sheet | None:
    """One move number is not the one that is due, or all are one too low from one move on.

    Numbers are counted on from the last one that was written: so a single wrong one is noticed, and the return too.
    """
    sheet = maker.write(_numbered(maker.open_game()))
    numbers = _numbers_from(maker, sheet)
    due = int(numbers[0].text.rstrip("."))
    shift = maker.rng.choice((1, 2, 10, -1)) if due > 1 else 1
    onwards = shift < 0 and maker.rng.random() < 0.5
    if numbers[0].ply == 1 and due > 1:
        return None
    for token in numbers if onwards else numbers[:1]:
        _shift(token, shift)
    for token in numbers[:1] if onwards else numbers[:2]:
        sheet.add("N420", "warning", token.ply, token, f"{token.text}, shift {shift}")
    return sheet


@kind("move-number-gap", "N421")
def move_number_gap(maker: Maker) -> Sheet | None:
    """All numbers are too high from one move on, as where moves are missing. There are no clocks that excuse it."""
    sheet = maker.write(_numbered(maker.open_game()))
    numbers = _numbers_from(maker, sheet)
    if (
        len(numbers) < 2
        or (numbers[0].ply == 1 and numbers[0].text != "1.")
        or any("%clk" in token.text for token in sheet.tokens)
    ):
        return None
    shift = maker.rng.choice((1, 2, 10))
    for token in numbers:
        _shift(token, shift)
    sheet.add("N421", "warning", numbers[0].ply, numbers[0], f"{numbers[0].text}, shift {shift}")
    return sheet


@kind("suffix-annotation", "N407")
def suffix_annotation(maker: Maker) -> Sheet | None:
    """`!` and `??` behind moves, in place of glyphs."""
    play = maker.open_game()
    draft = Draft.of(play)
    plies = sorted(maker.rng.sample(range(1, len(play) + 1), maker.rng.randrange(1, 4)))
    for ply in plies:
        draft.texts[ply - 1] += maker.rng.choice(("!", "?", "!!", "??", "!?", "?!"))
    sheet = maker.write(draft)
    sheet.add("N407", "info", plies[0], sheet.move(plies[0]), f"{len(plies)} in the game")
    return sheet


def _numbered(play: Play) -> Draft:
    """A draft that is written without comments that repeat numbers."""
    draft = Draft.of(play)
    draft.plain = True
    return draft


def _numbers_from(maker: Maker, sheet: Sheet) -> list[Token]:
    """The move numbers from a random one of White's moves on."""
    numbers = [token for token in sheet.tokens if token.kind == "number"]
    first = maker.rng.choice([at for at, token in enumerate(numbers) if not token.text.endswith("..")])
    return numbers[first:]


def _shift(token: Token, shift: int) -> None:
    digits = token.text.rstrip(".")
    token.text = f"{int(digits) + shift}{token.text[len(digits) :]}"
