"""For each parameter of a profile the smallest game that comes out otherwise under it; both engines."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

import chess
import pytest
from long_games import game as long_game
from long_games import to_and_fro, tours

from chesstools.engines import why_not_native
from chesstools.extensions import Extension
from chesstools.profile_file import read_profiles
from chesstools.profiles import Profile, builtin_profiles, get_profile
from chesstools.reference.extended import extension_for
from chesstools.reference.material import is_dead
from chesstools.scan import scan
from chesstools.source import Source

ENGINES = ["reference", *(["native"] if why_not_native() is None else [])]

KNIGHTS = ["Nf3", "Nf6", "Ng1", "Ng8"]
TO_AND_FRO = KNIGHTS * 4
"""After each four plies the start position stands again: after 16 for the fifth time."""

Finding = tuple[str, int | None, int | None, str | None]


def pgn(moves: Iterable[str], result: str = "*", fen: str | None = None) -> bytes:
    start = f'[SetUp "1"]\n[FEN "{fen}"]\n' if fen else ""
    return f'[Event "?"]\n{start}\n{" ".join(moves)} {result}\n'.encode()


def tables(data: bytes, profile: str | Profile, engine: str) -> dict[str, list[dict[str, Any]]]:
    scanning = scan(Source.from_bytes(data, "x"), profile=profile, engine=engine)
    return {name: table.to_pylist() for name, table in scanning.to_tables().items()}


def found(data: bytes, profile: str | Profile, engine: str) -> list[Finding]:
    """What is said of draws: code, ply, limit, and how the right came about."""
    rows = tables(data, profile, engine)["findings"]
    picked = [row for row in rows if row["code"][0] in "DE" and row["code"] not in ("D602", "D603", "D612", "D620", "D621")]
    return [(row["code"], row["ply"], row["limit"], dict(row["evidence"]).get("forms")) for row in picked]


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


# --- repetition ---------------------------------------------------------------------------------------------------------


def test_threefold_claims(engine: str) -> None:
    game = pgn([*TO_AND_FRO[:8], "e4"])
    both = [("D601", 7, 3, "A"), ("D601", 8, 3, "AB")]
    assert found(game, "fide-2023", engine) == found(game, "seed-1992", engine) == both
    # Servers know no written move.
    assert found(game, "lichess", engine) == [("D601", 8, 3, "B")]
    without = replace(get_profile("fide-2023"), threefold_claim=None, threefold_announced=False)
    assert found(game, without, engine) == []


def test_threefold_automatic(engine: str) -> None:
    game = pgn([*TO_AND_FRO[:8], "e4"], "1-0")
    assert found(game, "chesscom", engine) == [("E514", 9, 3, None), ("E516", None, None, None)]
    (row,) = tables(pgn(TO_AND_FRO[:8], "1/2-1/2"), "chesscom", engine)["games"]
    assert (row["end_reason"], row["end_basis"]) == ("threefold", "board")


def dated(data: bytes, day: str, site: str) -> bytes:
    return data.replace(b'"?"]\n', f'"?"]\n[Site "{site}"]\n[Date "{day}"]\n'.encode(), 1)


def test_what_a_server_did_before_it_drew_by_itself(engine: str) -> None:
    """The day of the game decides, whether its Site chooses the profile or the user does; no day: as it is now."""
    repeated = pgn([*TO_AND_FRO[:8], "e4"], "1-0")
    quiet = pgn(["Ra2", "Kd8"], "1-0", rook_ending(99))
    five = pgn([*TO_AND_FRO, "e4"], "1-0")
    for game, server, first, last, code in (
        (repeated, "chess.com", "2019.07.01", "2019.06.30", "E514"),
        (quiet, "chess.com", "2019.07.01", "2019.06.30", "E515"),
        (five, "lichess.org", "2020.02.01", "2020.01.31", "E514"),
    ):
        for profile in ("auto", server.replace(".com", "com").removesuffix(".org")):
            days = [(first, True), (last, False), ("????.??.??", True), (first[:4] + ".??.??", True), (last[:7] + ".??", False)]
            for day, ended in days:
                rows = tables(dated(game, day, server), profile, engine)
                codes = {row["code"] for row in rows["findings"]}
                assert ({code, "E516"} <= codes) == ended, (server, profile, day)
                assert ({code, "E516"} & codes != set()) == ended, (server, profile, day)
                assert {row["profile"] for row in rows["games"]} == {server.replace(".com", "com").removesuffix(".org")}


def test_a_minor_piece_on_each_side_was_no_draw_on_chess_com(engine: str) -> None:
    game = pgn(["Kd2", "Kd7"], "1/2-1/2", "3bk3/8/8/8/8/8/8/2N1K3 w - - 0 60")
    for day, codes in (("2019.06.30", set()), ("2019.07.01", {"E513"})):
        found = {row["code"] for row in tables(dated(game, day, "chess.com"), "auto", engine)["findings"]}
        assert {code for code in found if code[0] == "E"} == codes


def test_what_a_server_did_before_is_known_of_claims_too(engine: str) -> None:
    """What could only be claimed then cost half a point, and draws a game in which somebody did."""
    game = dated(pgn([*TO_AND_FRO[:8], "e4"], "1-0"), "2019.01.01", "chess.com")
    assert ("D601", 8, 3, "B") in found(game, "auto", engine)
    assert not {"E514", "E516"} & {row[0] for row in found(game, "auto", engine)}
    drawn = dated(pgn(TO_AND_FRO[:8], "1/2-1/2"), "2019.01.01", "chess.com")
    (row,) = tables(drawn, "auto", engine)["games"]
    assert (row["end_reason"], row["end_basis"]) == ("threefold", "board")
    assert {row["code"] for row in tables(drawn, "auto", engine)["findings"]} >= {"D601", "D620"}


def test_fivefold(engine: str) -> None:
    game = pgn([*TO_AND_FRO, "e4"])
    for name, ends in (("fide-2009", False), ("fide-2014", True), ("fide-2023", True), ("iccf", False), ("lichess", True)):
        assert (("E514", 17, 5, None) in found(game, name, engine)) == ends, name
    # A fact under any of them.
    for name in ("fide-2009", "fide-2023"):
        (row,) = tables(game, name, engine)["games"]
        assert (row["first_threefold_ply"], row["first_fivefold_ply"]) == (8, 16)


def test_fivefold_consecutive(engine: str) -> None:
    # The other knights go to and fro once, so that the start position does not stand at each fourth ply.
    detour = ["Nc3", "Nf6", "Nb1", "Ng8", "Nf3", "Nc6", "Ng1", "Nb8"]
    apart = [*KNIGHTS, *KNIGHTS, "Nc3", "Nf6", "Nf3", "Ng8", "Nb1", "Nf6", "Ng1", "Ng8", *KNIGHTS]
    assert all(("E514", 17, 5, None) in found(pgn([*TO_AND_FRO, "e4"]), name, engine) for name in ("fide-2014", "fide-2017"))
    for name, ends in (("fide-2014", False), ("fide-2017", True)):
        codes = [code for code, *_ in found(pgn([*apart, "e4"]), name, engine)]
        assert ("E514" in codes) == ends, name
    # Going to and fro with other men is going to and fro.
    assert "E514" in [code for code, *_ in found(pgn([*KNIGHTS, *detour, *KNIGHTS, "e4"]), "fide-2014", engine)]


def test_castling_key(engine: str) -> None:
    # f8 is attacked whenever White is to move: castling is never possible, but at first there is the right.
    game = pgn(["Rf2", "Ke7", "Rf1", "Ke8", "Rf2", "Ke7", "Rf1", "Ke8"], fen="4k2r/8/8/8/8/8/8/5RK1 w k - 0 1")
    now = replace(get_profile("fide-2023"), castling_key="available-now")
    assert [code for code, *_ in found(game, "fide-2023", engine)] == ["D605"]
    assert [code for code, *_ in found(game, now, engine)] == ["D601", "D601"]


@pytest.mark.parametrize(
    ("fen", "same"),
    [
        ("4r1k1/3p4/8/4P3/8/8/8/4K1N1 b - - 0 1", {"legal"}),  # the pawn that could capture is pinned
        ("6k1/3p4/8/8/8/8/8/4K1N1 b - - 0 1", {"legal", "pseudo"}),  # there is none
        ("6k1/3p4/8/4P3/8/8/8/4K1N1 b - - 0 1", set()),  # it can
    ],
)
def test_ep_key(engine: str, fen: str, same: set[str]) -> None:
    game = pgn(["d5", "Nf3", "Kf8", "Ng1", "Kg8", "Nf3", "Kf8", "Ng1", "Kg8"], fen=fen)
    for key in ("legal", "pseudo", "fen"):
        codes = {code for code, *_ in found(game, replace(get_profile("fide-2023"), ep_key=key), engine)}
        assert ("D605" in codes) == (key not in same), key


# --- moves without capture or pawn move ---------------------------------------------------------------------------------


def rook_ending(clock: int) -> str:
    return f"4k3/8/8/8/8/8/8/R3K3 w - - {clock} 120"


def test_fifty_announced(engine: str) -> None:
    game = pgn(["Ra2"], fen=rook_ending(98))
    assert found(game, "fide-1997", engine) == [("D611", 1, 50, "A")]
    assert found(game, "seed-1992", engine) == found(game, "lichess", engine) == []
    assert found(pgn(["Ra2"], fen=rook_ending(99)), "seed-1992", engine) == [("D611", 1, 50, "B")]


def test_fifty_automatic(engine: str) -> None:
    game = pgn(["Ra2", "Kd8"], "1-0", fen=rook_ending(99))
    for name in ("lichess", "chesscom"):
        assert found(game, name, engine) == [("E515", 2, 50, None), ("E516", None, None, None)]
    assert [code for code, *_ in found(game, "iccf", engine)] == []


def test_fifty_min_men(engine: str) -> None:
    seven, eight = "4k3/pp3r2/8/8/8/8/PP6/R3K3 w - - 99 120", "4k3/ppp2r2/8/8/8/8/PP6/R3K3 w - - 99 120"
    assert chess.popcount(chess.Board(eight).occupied) == 9
    fewer = seven.replace("pp3r2", "p4r2")
    assert chess.popcount(chess.Board(fewer).occupied) == 7
    for fen, claims in ((seven, True), (eight, True), (fewer, False)):
        assert bool(found(pgn(["Rc1"], fen=fen), "iccf", engine)) == claims
        assert found(pgn(["Rc1"], fen=fen), "fide-2018", engine)


def test_nothing_is_claimed_where_75_moves_have_drawn(engine: str) -> None:
    """The position that fills the count stands for the third time: there is no claim, as the game is over."""
    moves = ["Ra2", "Kd8", "Ra1", "Ke8"] * 2
    for clock, claims in ((120, [7, 8]), (141, [7, 8]), (142, [7]), (143, [])):
        rows = found(pgn(moves, fen=rook_ending(clock)), "fide-2023", engine)
        assert [ply for code, ply, *_ in rows if code == "D601"] == claims, clock


def test_seventyfive(engine: str) -> None:
    game = pgn(["Ra2", "Kd8"], fen=rook_ending(149))
    for name, ends in (("fide-2009", False), ("fide-2014", True), ("fide-2023", True), ("uscf", False)):
        assert (("E515", 2, 75, None) in found(game, name, engine)) == ends, name
        (row,) = tables(game, name, engine)["games"]
        assert row["first_seventyfive_ply"] == 1


@cache
def rook_and_bishop_against_rook(plies: int) -> tuple[str, tuple[str, ...]]:
    """A long ending without captures: its start and its moves."""
    fen = "4k3/4r3/8/8/8/8/8/R3KB2 w - - 0 1"
    choice = random.Random(1989)
    board = chess.Board(fen)
    moves: list[str] = []
    while len(moves) < plies:
        quiet = [move for move in board.legal_moves if not board.is_zeroing(move)]
        choice.shuffle(quiet)
        for move in quiet:
            san = board.san(move)
            board.push(move)
            if any(not board.is_zeroing(reply) for reply in board.legal_moves):
                moves.append(san)
                break
            board.pop()
    return fen, tuple(moves)


@pytest.mark.parametrize(
    ("name", "first", "limit", "extension"),
    [
        ("seed-1992", 100, 50, None),
        ("fide-1997", 99, 50, None),
        ("fide-1989", 150, 75, "KRBvKR"),
        ("fide-1985", 200, 100, "KRBvKR"),
    ],
)
def test_rook_and_bishop_against_rook(engine: str, name: str, first: int, limit: int, extension: str | None) -> None:
    """As in Nikolic-Arsovic 1989, where this ending went on for more than 100 moves: when could a draw be claimed?"""
    fen, moves = rook_and_bishop_against_rook(206)
    rows = [row for row in tables(pgn(moves, fen=fen), name, engine)["findings"] if row["code"] == "D611"]
    assert min(row["ply"] for row in rows) == first
    assert {row["limit"] for row in rows} == {limit}
    assert {dict(row["evidence"]).get("extension") for row in rows} == {extension}
    assert max(row["last_ply"] for row in rows) == 206
    (game,) = tables(pgn(moves, fen=fen), name, engine)["games"]
    assert (game["first_fifty_ply"], game["first_seventyfive_ply"]) == (100, 150)


def test_announced_extensions(engine: str) -> None:
    fen, moves = rook_and_bishop_against_rook(206)
    mine = read_profiles('announced = [{ material = "KRBvKR", moves = 60 }]', "mine.toml", builtin_profiles())
    rows = [row for row in tables(pgn(moves, fen=fen), mine["seed-1992"], engine)["findings"] if row["code"] == "D611"]
    assert min(row["ply"] for row in rows) == 120


BLOCKED, ROOK_PAWNS, _ = get_profile("fide-1985").fifty_extensions
ON_SEVENTH = Extension("KQPvKQ", 75, "pawn-on-seventh")


@pytest.mark.parametrize(
    ("extension", "fen", "fits"),
    [
        (BLOCKED, "4k3/8/8/8/p7/N7/8/N3K3 w - - 100 90", True),  # black pawn a4, just on the line
        (BLOCKED, "4k3/8/8/8/8/p7/N7/N3K3 w - - 100 90", False),  # too far
        (BLOCKED, "4k3/8/8/8/p7/8/N7/N3K3 w - - 100 90", False),  # no knight before it
        (BLOCKED, "8/8/8/8/p7/Nk6/8/4K2N w - - 100 90", False),  # the king can take the knight
        (BLOCKED, "8/8/8/8/p7/Nk6/8/1N2K3 w - - 100 90", True),  # it is protected
        (BLOCKED, "n3k3/8/n7/P7/8/8/8/4K3 b - - 100 90", True),  # mirrored
        (BLOCKED, "n3k3/n7/P7/8/8/8/8/4K3 b - - 100 90", False),
        (ROOK_PAWNS, "4k3/8/8/8/3b4/p7/P7/R3K3 w - - 100 90", True),  # a2, a3, dark squares
        (ROOK_PAWNS, "4k3/8/8/8/4b3/p7/P7/R3K3 w - - 100 90", False),
        (ROOK_PAWNS, "4k3/8/8/8/4b3/7p/7P/R3K3 w - - 100 90", True),  # h2, h3, light squares
        (ROOK_PAWNS, "r3k3/p7/P7/4B3/8/8/8/4K3 w - - 100 90", False),
        (ROOK_PAWNS, "r3k3/p7/P7/3B4/8/8/8/4K3 w - - 100 90", True),  # a7, a6, light squares
        (ROOK_PAWNS, "4k3/8/8/8/3b4/8/P2p4/R3K3 w - - 100 90", False),
        (ON_SEVENTH, "4k3/q2P4/8/8/8/8/8/Q3K3 w - - 100 90", True),
        (ON_SEVENTH, "4k3/q7/3P4/8/8/8/8/Q3K3 w - - 100 90", False),
        (ON_SEVENTH, "4k3/q7/8/8/8/8/3p4/Q5K1 w - - 100 90", True),
        (Extension("KBBvKN", 75), "4k3/8/8/3nb3/8/8/8/4K2B w - - 100 90", False),  # not all bishops on one side
        (Extension("KBBvKN", 75), "2b1kb2/8/8/8/8/8/8/4K2N w - - 100 90", True),
    ],
)
def test_conditions_of_extensions(engine: str, extension: Extension, fen: str, fits: bool) -> None:
    board = chess.Board(fen)
    assert (extension_for(board, [extension]) is extension) == fits
    profile = replace(get_profile("seed-1992"), fifty_extensions=(extension,))
    # Without the extension the player to move could claim at once.
    claims = [limit for code, ply, limit, _ in found(pgn([], fen=fen), profile, engine) if code == "D611" and ply == 0]
    assert claims == ([] if fits else [50])


# --- dead positions -----------------------------------------------------------------------------------------------------

RULES = ("three-cases", "any-series", "uscf", "lichess", "chesscom")


@pytest.mark.parametrize(
    ("board", "dead"),
    [
        ("4k3/8/8/8/8/8/8/4K3", set(RULES)),
        ("4k3/8/8/8/8/8/8/4KN2", set(RULES)),
        ("2b1k3/8/8/8/8/8/8/4KB2", set(RULES)),  # bishops on squares of one colour
        ("4kb2/8/8/8/8/8/8/4KB2", {"chesscom"}),  # on squares of both
        ("4kn2/8/8/8/8/8/8/4KB2", {"chesscom"}),
        ("4kn2/8/8/8/8/8/8/4KN2", {"chesscom"}),
        ("4k3/8/8/8/8/8/8/3NKN2", {"chesscom"}),
        ("4kn2/8/8/8/8/8/8/3NKN2", set()),
        ("4k3/8/8/8/8/7B/8/4KB2", {"any-series", "lichess"}),  # more bishops on squares of one colour
        ("4k3/8/8/8/8/8/8/2B1KB2", set()),
        ("4k3/8/8/8/8/8/8/3QK3", set()),
    ],
)
def test_dead_by_material(engine: str, board: str, dead: set[str]) -> None:
    fen = f"{board} w - - 0 1"
    assert {rule for rule in RULES if is_dead(chess.Board(fen), rule)} == dead
    for rule in RULES:
        (row,) = tables(pgn(["Kd2"], fen=fen), replace(get_profile("fide-2023"), dead_position=rule), engine)["games"]
        assert (row["first_dead_ply"] == 0) == (rule in dead), rule
        assert (row["final_status"] == "dead") == (rule in dead), rule


def test_dead_position_in_a_plain_game(engine: str) -> None:
    """A game from the array, with another one behind it."""
    moves = _to_bare_knights()
    game = f'[Event "a"]\n\n{" ".join(moves)} 1/2-1/2\n\n[Event "b"]\n\n*\n'.encode()
    plies = {name: tables(game, name, engine)["games"][0]["first_dead_ply"] for name in ("fide-2023", "chesscom")}
    assert plies == {"fide-2023": None, "chesscom": len(moves)}


@cache
def _to_bare_knights() -> tuple[str, ...]:
    """Random captures from the array until each side has a knight or a bishop and nothing else."""
    for seed in range(100000):
        choice, board, moves = random.Random(seed), chess.Board(), []
        while len(moves) < 400 and not board.is_game_over():
            legal = list(board.legal_moves)
            takes = [move for move in legal if board.is_capture(move) and board.piece_type_at(move.to_square) not in (2, 3)]
            move = choice.choice(takes or legal)
            moves.append(board.san(move))
            board.push(move)
            if is_dead(board, "chesscom") and not is_dead(board, "any-series"):
                return tuple(moves)
            if not takes and is_dead(board, "any-series"):
                break
    raise AssertionError("no such game")


# --- long games ---------------------------------------------------------------------------------------------------------


def about_draws(data: str, engine: str) -> list[dict[str, Any]]:
    """Findings about draws, their evidence among the other fields."""
    rows = tables(data.encode(), "fide-2009", engine)["findings"]
    return [{**row, **dict(row["evidence"])} for row in rows if row["code"][0] == "D"]


@pytest.mark.parametrize(("rounds", "stood"), [(99, None), (100, "101"), (300, "301")])
def test_evidence_names_the_first_hundred_times_that_a_position_stood(rounds: int, stood: str | None, engine: str) -> None:
    found = about_draws(long_game(to_and_fro(4 * rounds), None), engine)
    (white,) = [one for one in found if (one["code"], one["side"]) == ("D601", "white")]
    assert white["occurrences"] == list(range(0, 4 * rounds + 1, 4))[:100]
    assert (white["count"], white.get("stood")) == (2 * rounds - 3, stood)


def test_a_position_to_come_is_counted_where_it_is_not_named(engine: str) -> None:
    # The start position has stood 101 times; with 202... Ng8 it would once more.
    moves = [*to_and_fro(400), "Nf3", "Nf6", "Ng1", "a6"]
    last = [one for one in about_draws(long_game(moves, None), engine) if one["code"] == "D601"][-1]
    assert (last["last_ply"], last["side"], last["forms"]) == (403, "black", "A")
    assert (last["claim_moves"], last["occurrences"], last["stood"]) == ("Ng8", list(range(0, 400, 4)), "102")


def test_diagram_that_stood_often_with_other_rights(engine: str) -> None:
    data = long_game([*to_and_fro(480), "Nc3", "Nc6", "Rb1", "Nb8", "Ra1", "Nc6", "Nb1", "Nb8"], None)
    (one,) = [row for row in about_draws(data, engine) if (row["code"], row["ply"]) == ("D605", 488)]
    assert (one["reason"], one["occurrences"], one["stood"]) == ("castling", list(range(0, 400, 4)), "122")


def test_moves_to_claim_with_are_named_up_to_a_hundred(engine: str) -> None:
    """After two tours any move of a third one brings something back."""
    found = [one for one in about_draws(long_game(tours(6000)), engine) if one["code"] == "D601"]
    most = max(found, key=lambda one: len((one.get("claim_moves") or "").split()))["claim_moves"].split()
    assert 20 < len(most) == len(set(most)) <= 100
