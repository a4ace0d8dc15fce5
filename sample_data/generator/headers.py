"""The tag sections that producers write. All names are invented."""

from __future__ import annotations

from random import Random

from generator.play import Play
from generator.score import Tag

FAMILY = (
    *("Abel", "Bakker", "Conti", "Dahl", "Eriksen", "Farkas", "García", "Horvat", "Iversen", "Jansen", "Kovács", "Lindqvist"),
    *("Müller", "Novák", "Ostrowski", "Petrov", "Quist", "Rossi", "Šimek", "Tanaka", "Ueda", "Vidal", "Wolff", "Yılmaz"),
)
GIVEN = (
    *("Ada", "Ben", "Clara", "Dario", "Eva", "Finn", "Greta", "Hugo", "Ines", "Jonas", "Karin", "Leo", "Mina", "Nils", "Olga"),
    *("Paul", "Rosa", "Stefan", "Tereza", "Viktor"),
)
HANDLES = ("amber", "copper", "delta", "fork", "night", "oak", "orbit", "pawn", "quiet", "river", "rook", "skewer", "stone")
ENGINES = ("Alder 3.1", "Birch 2.0", "Cedar dev-2f41", "Dogwood 11", "Elm 0.9.4", "Fir 6")
PLACES = ("Utrecht NED", "Brno CZE", "Reykjavik ISL", "Graz AUT", "Porto POR", "Turku FIN", "Pécs HUN", "Gent BEL")
EVENTS = ("Club Championship", "City Open", "Winter Masters", "Team Cup", "Memorial", "Spring Swiss")

_BY_REPLY = {
    ("e4", "e5"): ("C20", "King's Pawn Game"),
    ("e4", "c5"): ("B20", "Sicilian Defense"),
    ("e4", "e6"): ("C00", "French Defense"),
    ("e4", "c6"): ("B10", "Caro-Kann Defense"),
    ("d4", "d5"): ("D00", "Queen's Pawn Game"),
    ("d4", "Nf6"): ("A45", "Indian Defense"),
    ("d4", "f5"): ("A80", "Dutch Defense"),
    ("c4", "e5"): ("A20", "English Opening: King's English Variation"),
}
_BY_MOVE = {
    "e4": ("B00", "King's Pawn Game"),
    "d4": ("A40", "Queen's Pawn Game"),
    "c4": ("A10", "English Opening"),
    "Nf3": ("A04", "Zukertort Opening"),
}
_ENDS = {
    "mate": "by checkmate",
    "resigned": "by resignation",
    "time": "on time",
    "agreed": "by agreement",
    "stalemate": "by stalemate",
    "dead": "by insufficient material",
    "fivefold": "by repetition",
    "seventyfive": "by 50-move rule",
}


def opening(play: Play) -> tuple[str, str]:
    """ECO code and name of the first moves."""
    first = play.sans[0] if play.sans else ""
    reply = play.sans[1] if len(play.sans) > 1 else ""
    return _BY_REPLY.get((first, reply)) or _BY_MOVE.get(first) or ("A00", "Irregular Opening")


def roster(rng: Random, style: str, result: str) -> list[Tag]:
    """The seven tags that every game has."""
    day = f"{rng.randrange(2023, 2026)}.{rng.randrange(1, 13):02}.{rng.randrange(1, 29):02}"
    if style in ("lichess", "chesscom"):
        white, black = (f"{rng.choice(HANDLES)}_{rng.choice(HANDLES)}{rng.randrange(100)}" for _ in range(2))
    elif style in ("cutechess", "fastchess", "tcec"):
        white, black = rng.sample(ENGINES, 2)
    else:
        white, black = (f"{name}, {rng.choice(GIVEN)}" for name in rng.sample(FAMILY, 2))
    event, site, turn = f"{rng.choice(EVENTS)} {day[:4]}", rng.choice(PLACES), f"{rng.randrange(1, 10)}"
    if style == "lichess":
        letters = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
        event = f"Rated {rng.choice(('Bullet', 'Blitz', 'Rapid'))} game"
        site, turn = "https://lichess.org/" + "".join(rng.choice(letters) for _ in range(8)), "-"
    elif style == "chesscom":
        event, site, turn = "Live Chess", "Chess.com", "-"
    elif style in ("cutechess", "fastchess"):
        event, site = f"Batch {rng.randrange(9)}: test vs master", "?"
    elif style == "tcec":
        event, site = "Engine Cup - FRC", "https://example.org/cup"
    elif rng.random() < 0.1:
        day = day[:4] + rng.choice((".??.??", day[4:7] + ".??"))
    return [
        Tag("Event", event),
        Tag("Site", site),
        Tag("Date", day),
        Tag("Round", turn if style != "twic" else f"{turn}.{rng.randrange(1, 30)}"),
        Tag("White", white),
        Tag("Black", black),
        Tag("Result", result),
    ]


def position_tags(play: Play, variant: str) -> list[Tag]:
    """FEN, SetUp and Variant, where the game does not begin from the array."""
    fen = play.start.fen()
    if fen == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1":
        return []
    return [Tag("Variant", variant), Tag("SetUp", "1"), Tag("FEN", fen)]


def lichess(rng: Random, tags: list[Tag], play: Play, control: str) -> list[Tag]:
    """What Lichess adds to the roster."""
    eco, name = opening(play)
    more = [
        Tag("UTCDate", tags[2].value),
        Tag("UTCTime", f"{rng.randrange(24):02}:{rng.randrange(60):02}:{rng.randrange(60):02}"),
        Tag("WhiteElo", str(rng.randrange(800, 2600))),
        Tag("BlackElo", str(rng.randrange(800, 2600))),
        Tag("WhiteRatingDiff", f"{rng.randrange(-12, 13):+d}"),
        Tag("BlackRatingDiff", f"{rng.randrange(-12, 13):+d}"),
    ]
    place = position_tags(play, "Chess960" if play.start.chess960 else "From Position")
    if not place:
        more += [Tag("Variant", "Standard"), Tag("ECO", eco), Tag("Opening", name)]
    ends = {"time": "Time forfeit", "unfinished": "Unterminated"}
    return [*tags, *more, *place, Tag("TimeControl", control), Tag("Termination", ends.get(play.reason, "Normal"))]


def chesscom(rng: Random, tags: list[Tag], play: Play, control: str) -> list[Tag]:
    """What chess.com adds to the roster."""
    names = {"1-0": tags[4].value, "0-1": tags[5].value}
    winner = names.get(play.result)
    if winner:
        ending = f"{winner} won {_ENDS.get(play.reason, 'by resignation')}"
    else:
        ending = f"Game drawn {_ENDS.get(play.reason, 'by agreement')}"
    more = [
        Tag("ECO", opening(play)[0]),
        Tag("WhiteElo", str(rng.randrange(400, 2400))),
        Tag("BlackElo", str(rng.randrange(400, 2400))),
        Tag("TimeControl", control),
        Tag("EndTime", f"{rng.randrange(24)}:{rng.randrange(60):02}:{rng.randrange(60):02} PST"),
    ]
    return [*tags, *more] if play.result == "*" else [*tags, *more, Tag("Termination", ending)]


def engine_match(rng: Random, tags: list[Tag], play: Play, control: str, variant: str) -> list[Tag]:
    """What the programs that let engines play against each other add."""
    end = "unterminated" if play.result == "*" else "normal"
    if play.reason == "time":
        end = "time forfeit"
    elif play.reason in ("resigned", "agreed"):
        end = "adjudication"
    more = [
        Tag("GameDuration", f"00:{rng.randrange(60):02}:{rng.randrange(60):02}"),
        Tag("PlyCount", "0"),
        Tag("Termination", end),
        Tag("TimeControl", control),
    ]
    return [*tags, *position_tags(play, variant), *more]


def bulletin(rng: Random, tags: list[Tag], play: Play) -> list[Tag]:
    """What a weekly bulletin adds to the roster."""
    more = [
        Tag("WhiteTitle", rng.choice(("GM", "IM", "FM", "WGM"))),
        Tag("WhiteElo", str(rng.randrange(1900, 2750))),
        Tag("BlackElo", str(rng.randrange(1900, 2750))),
        Tag("ECO", opening(play)[0]),
        Tag("EventDate", tags[2].value),
    ]
    return [*tags, *more, Tag("PlyCount", "0")] if rng.random() < 0.3 else [*tags, *more]


def annotated(rng: Random, tags: list[Tag], play: Play) -> list[Tag]:
    """What a book or a magazine adds to the roster."""
    more = [Tag("Annotator", f"{rng.choice(FAMILY)}, {rng.choice(GIVEN)}"), Tag("PlyCount", "0")]
    return [*tags, *position_tags(play, "From Position"), *more]
