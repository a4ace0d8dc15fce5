"""A small archive that has something of everything that statistics count, made by rules from fixed seeds.

The sample games bring sources of all kinds, faults and draws that nobody saw. What they lack stands here: time controls of all
classes, random games with castling, promotions and captures en passant from the array and from elsewhere, Chess960, clocks and
evaluations.
"""

from __future__ import annotations

import random
from pathlib import Path

import chess
from walks import pgn_of, random_walk, sans

from chesstools.source import Source

SAMPLES = Path(__file__).resolve().parent.parent / "sample_data" / "games"

RESULTS = ["1-0", "0-1", "1/2-1/2", "*"]

SHORT = """\
[Event "Blitz"]
[Site "Nowhere"]
[Date "2019.05.01"]
[Round "1"]
[White "Vier, A"]
[Black "Fünf, B"]
[Result "0-1"]
[WhiteElo "2412"]
[BlackElo "2437"]
[WhiteTitle "gm"]
[BlackTitle "-"]
[TimeControl "{}"]

1. e4 e5 2. Nf3 0-1

"""

NOT_CLAIMED = """\
[Event "Rapid"]
[Date "2018.05.01"]
[White "Fünf, B"]
[Black "Vier, A"]
[Result "1-0"]

1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. e4 1-0

"""

TIME_CONTROLS = ["15", "60", "60+3", "180+2", "300", "600+15", "5400+30", "40/7200:3600", "1/86400", "-", "?", "5/move", "120+5d"]

CONTROLS = ["15", "60+0", "180+2", "600+5", "5400+30", "1/86400", "-", "?", "40/7200:3600", None]


def sources() -> list[Path | Source]:
    """The sources of the archive, in their order."""
    walks = [random_walk(seed, 20 + seed) for seed in range(66)]
    generated = SAMPLES / "generated_mixed.pgn"
    third = b"".join(b"[Event " + game for game in generated.read_bytes().split(b"[Event ")[3::3])
    made = {
        "generated.pgn": third,
        "more.pgn": "".join([*map(SHORT.format, TIME_CONTROLS), NOT_CLAIMED]).encode(),
        "walks.pgn": b"".join(pgn_of(start, sans(start, moves), RESULTS[seed % 4]) for seed, (start, moves) in enumerate(walks)),
        "fischer.pgn": b"".join(map(chess960_walk, range(15))),
        "timed.pgn": "".join(map(timed_game, range(50))).encode(),
        "timed_too.pgn": "".join(map(timed_game, range(50, 80))).encode(),
        "long.pgn": long_game().encode(),
    }
    files = sorted(path for path in SAMPLES.rglob("*.pgn") if path != generated)  # a third of its games is enough
    return [*files, *(Source.from_bytes(data, name) for name, data in made.items())]


def chess960_walk(seed: int) -> bytes:
    """A random game of Chess960 that castles where it can."""
    choose = random.Random(seed)
    board = chess.Board.from_chess960_pos(choose.randrange(960))
    start, moves = board.copy(), []
    for _ in range(60):
        legal = list(board.legal_moves)
        castling = [move for move in legal if board.is_castling(move)]
        if not legal:
            break
        moves.append(choose.choice(castling or legal))
        board.push(moves[-1])
    return pgn_of(start, sans(start, moves), choose.choice(RESULTS), chess960=True)


def timed_game(seed: int) -> str:
    """A random game, in which some comments have a clock, an evaluation, both or nothing."""
    choose = random.Random(seed)
    start, moves = random_walk(3 * seed, 30 + seed)  # a multiple of three begins with the usual array
    control = CONTROLS[seed % len(CONTROLS)]
    tags = {"Result": choose.choice(["1-0", "0-1", "1/2-1/2", "*"]), "TimeControl": control}
    tags |= {f"{side}Elo": choose.choice([None, str(choose.randrange(500, 3000)), "7000"]) for side in ("White", "Black")}
    tags |= {side: choose.choice([None, "?", f"{side} {seed % 5}"]) for side in ("White", "Black")}
    lines = [f'[{name} "{value}"]' for name, value in tags.items() if value is not None]
    words = []
    clocks = [choose.choice([15.0, 60.0, 700.0, 5400.0, 20_000.0])] * 2
    for ply, san in enumerate(sans(start, moves)):
        commands = []
        if seed % 4 and choose.random() < 0.9:
            clocks[ply % 2] = round(max(0.0, clocks[ply % 2] * choose.choice([1, 1, 0.999, 0.99, 0.9, 0.7])), 1)
            seconds = clocks[ply % 2]
            commands.append(f"[%clk {int(seconds // 3600)}:{int(seconds // 60 % 60):02}:{seconds % 60:04.1f}]")
        if seed % 4 == 3:
            commands.append(f"[%emt 0:00:{choose.randrange(60):02}]")
        if seed % 3 and choose.random() < 0.9:
            mate = choose.random() < 0.1
            commands.append(f"[%eval {'#' + str(choose.choice([-3, -1, 1, 8])) if mate else round(choose.gauss(0, 4), 2)}]")
        words.append(san + (f" {{ {' '.join(commands)} }}" if commands else ""))
    return "\n".join(lines) + "\n\n" + " ".join([*words, tags["Result"] or "*"]) + "\n\n"


def long_game() -> str:
    """More moves than tables tell apart, in a year in which no rule ended such a game; with clocks and evaluations.

    White could have claimed a draw by the rule of 50 moves.
    """
    tags = {
        "Event": "Long",
        "Date": "1950.01.02",
        "White": "Lang, A",
        "Black": "Weil, B",
        "Result": "0-1",
        "TimeControl": "9000",
    }
    tags |= {"WhiteElo": "3990", "BlackElo": "3400"}
    ways = [("Nf3", "Nf6"), ("Ng1", "Ng8"), ("Nc3", "Nc6"), ("Nb1", "Nb8")]
    pawns = [(f"{file}{rank}", f"{file}{9 - rank}") for rank in (3, 4) for file in "abdegh"]
    words = []
    for move in range(1, 316):
        pair = pawns[move // 60] if move % 60 == 0 else ways[(move - move // 60 - 1) % 4]
        for ply, san in enumerate(pair):
            left = 9000 - 25 * move - ply
            clock = f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02}"
            words.append(f"{san} {{ [%clk {clock}] [%eval {(move % 7 - 3) / 4 * (1 - 3 * ply)}] }}")
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + f"\n{' '.join(words)} 0-1\n"
