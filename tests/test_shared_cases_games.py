"""What the collected cases say in words about results, positions, variants, the Laws, data and size."""

from __future__ import annotations

import bz2
from collections.abc import Iterator

import chess
import chess.pgn
import pytest
from shared_cases import FINDINGS, ON_TEXT, Case, Sayings, bad, needs_cases, play, positions, read, reason_of, relevant, sans

from chesstools.errors import SourceError
from chesstools.game import Game
from chesstools.scan import games, scan
from chesstools.source import Source

pytestmark = needs_cases

says = Sayings()


@pytest.mark.parametrize("name", [name for name in FINDINGS if name[:3] not in ON_TEXT])
def test_what_the_case_says(name: str) -> None:
    says.check(name)


@says("RES-01")
def _(case: Case) -> None:
    row = case.tables["games"][0]
    assert (row["result"], row["termination_marker"], row["legal_ply_count"]) == ("1/2-1/2", "0-1", 2)
    assert sans(case.game.facts.mainline) == ["e4", "e5"]


@says("RES-03")
def _(case: Case) -> None:
    rows = case.tables["games"][:2]
    assert [(row["result"], row["termination_marker"], row["result_value"]) for row in rows] == [("0-0", "0-0", None)] * 2


@says("RES-05")
def _(case: Case) -> None:
    assert case.game.facts.mainline.comments == ["Both players were late"]


@says("RES-07")
def _(case: Case) -> None:
    assert [game.tags["Result"] for game in case.games] == ["0.5-0.5", "1:0"]


@says("FEN-02")
def _(case: Case) -> None:
    moves = ("dxe6", "exd3", "dxe6")
    for game, move, code in zip(case.games, moves, ("M307", "M336", "M310"), strict=True):
        assert bad(play(game.tags["FEN"], move)) == [code]
        assert game.start_fen is not None
        assert game.start_fen.split()[3] == "-"


@says("FEN-05")
def _(case: Case) -> None:
    # Our policy: EPD operations are read, and said to be there.
    assert case.games[0].start_fen == "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
    assert case.games[1].start_fen == "nqrbbkrn/pppppppp/8/8/8/8/PPPPPPPP/NQRBBKRN w KQkq - 0 1"


@says("FEN-06")
def _(case: Case) -> None:
    assert [str(game.start_fen).split()[2] for game in case.games] == ["kq", "-", "KQq"]
    assert bad(play(case.games[0].tags["FEN"], "O-O")) == ["M321"]
    written = [game.to_chess().headers["FEN"].split()[2] for game in case.games]
    assert written == ["kq", "-", "KQq"]


@says("FEN-08")
def _(case: Case) -> None:
    outer, inner = (play(game.tags["FEN"], "O-O-O") for game in case.games)
    (finding,) = [finding for finding in outer.findings if finding.code == "M326"]
    assert (finding.evidence["blocker"], outer.moves) == ("b1", [])
    assert (sans(inner.facts.mainline), inner.final_fen) == (["O-O-O"], "7k/8/8/8/8/8/8/R1KR4 b - - 1 1")
    boards = [game.facts.start.setup for game in case.games]
    assert [board and board.castling_shredder_fen() for board in boards] == ["A", "B"]


@says("FEN-10")
def _(case: Case) -> None:
    assert sans(case.game.facts.mainline) == ["e4", "e5", "d3", "d6"]
    assert case.game.start_fen == "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1"
    assert case.game.facts.start.setup is not None
    assert case.game.facts.start.setup.castling_shredder_fen() == "FCfc"
    assert case.tables["games"][0]["rules"] == "chess960"


@says("FEN-11")
def _(case: Case) -> None:
    assert case.game.start_fen == "rkrbnnbq/pppppppp/8/8/8/8/PPPPPPPP/RKRBNNBQ w - - 0 1"


@says("FEN-12")
def _(case: Case) -> None:
    assert (sans(case.game.facts.mainline), case.game.final_fen) == (["O-O"], "4k3/8/8/8/8/8/8/5RK1 b - - 1 1")


@says("FEN-14")
def _(case: Case) -> None:
    reasons = [reason_of(game, "F201") for game in case.games]
    for reason, named in zip(reasons, ("rank 6", "rank 6", "rank 7", "side to move"), strict=True):
        assert named in reason
    # Our policy: "44" is an error and has one meaning all the same.
    assert [game.start_fen for game in case.games] == [None, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", None, None]


@says("FEN-15")
def _(case: Case) -> None:
    assert "400" in reason_of(case.games[0], "F208")
    drawn, negative, huge = case.tables["games"]
    assert drawn["first_seventyfive_ply"] == 0  # the game was over before it began
    assert negative["start_fen"] == "4k3/8/8/8/8/8/8/3QK3 w - - 0 1"
    assert huge["start_fen"] == "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    assert "out of range" in reason_of(case.games[2], "F201")


@says("FEN-16")
def _(case: Case) -> None:
    assert [game.start_fen for game in case.games] == ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"] * 2
    reasons = [reason_of(game, "F202") for game in case.games]
    assert [reason.split()[0] for reason in reasons] == ["1", "2"]


@says("FEN-17")
def _(case: Case) -> None:
    assert bad(play(case.games[1].tags["FEN"], "dxe6")) == ["M336"]


@says("VAR-01")
def _(case: Case) -> None:
    assert len(case.game.moves) == 11
    drops = {ply.number: ply.move.uci() for ply in case.game.moves if ply.move.drop}
    assert drops == {8: "P@e4", 11: "P@h6"}
    assert case.game.final_fen == "rnb1kbnr/ppp1pppp/4q2P/8/8/2Np4/PPP1BPPP/R1BQK1NR[p] b KQkq - 1 6"
    (standard,) = read(case.data.replace(b'[Variant "Crazyhouse"]\n', b""))
    assert (len(standard.moves), bad(standard)) == (7, ["M302", "M390"])


@says("VAR-03")
def _(case: Case) -> None:
    given, left, wrong = case.games
    assert given.start_fen == left.start_fen == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+2 0 1"
    assert wrong.start_fen is None
    standard = read(positions(case.text))
    assert [[finding.code for finding in relevant(game)] for game in standard] == [["P113", "F201"]] * 3
    assert [game.start_fen for game in standard] == [None] * 3


@says("VAR-04")
def _(case: Case) -> None:
    assert (sans(case.game.facts.mainline), case.game.final_fen) == (["O-O-O"], "7k/8/8/8/8/8/8/R1KR4 b - - 1 1")


@says("VAR-05")
def _(case: Case) -> None:
    first, second = case.tables["games"]
    assert (first["rules"], first["legal_ply_count"]) == ("chess960", 1)
    # Our policy: the game is kept as text, with rules and positions null; nothing in it is judged by the standard rules.
    assert (second["rules"], second["start_fen"], second["final_fen"]) == (None, None, None)
    assert (second["ply_count"], second["legal_ply_count"]) == (2, 0)
    spellings = ("Standard", "From Position", "normal", "Chess960", "chess 960", "fischerandom")
    text = "".join(f'[Variant "{spelling}"]\n\n1. e4 *\n\n' for spelling in spellings)
    rules = scan(Source.from_bytes(text.encode())).to_tables()["games"]["rules"].to_pylist()
    assert rules == ["standard"] * 3 + ["chess960"] * 3


@says("VAR-06")
def _(case: Case) -> None:
    assert (sans(case.game.facts.mainline), case.game.final_fen) == (["O-O"], "1k6/8/8/8/8/8/8/5RK1 b - - 1 1")


@says("VAR-08")
def _(case: Case) -> None:
    blocked, free = (play(game.tags["FEN"], "1... O-O") for game in case.games)
    (finding,) = [finding for finding in blocked.findings if finding.code[0] == "M"]
    assert (finding.code, finding.evidence["blocker"]) == ("M326", "d8")
    assert (bad(free), free.final_fen) == ([], "5rk1/8/8/8/8/8/8/1K6 w - - 1 2")


@says("RUL-01")
def _(case: Case) -> None:
    assert case.tables["games"][0]["first_threefold_ply"] == 10


@says("RUL-03")
def _(case: Case) -> None:
    assert case.tables["games"][0]["first_threefold_ply"] == 9


@says("RUL-04")
def _(case: Case) -> None:
    assert case.tables["games"][0]["first_threefold_ply"] is None
    assert max(row["repetition"] for row in case.tables["plies"]) == 2


@says("RUL-05")
def _(case: Case) -> None:
    row = case.tables["games"][0]
    assert (row["first_fifty_ply"], row["first_seventyfive_ply"]) == (3, None)
    early = play(case.game.tags["FEN"].replace("97", "50"), "Rh3 Ra2 81. Rh4")
    assert not [finding for finding in early.findings if finding.code[0] in "DE"]


@says("RUL-06")
def _(case: Case) -> None:
    row = case.tables["games"][0]
    assert (row["final_status"], row["end_reason"], row["result_value"]) == ("checkmate", "checkmate", "1-0")
    assert (row["first_fifty_ply"], row["first_seventyfive_ply"], row["unclaimed_draw"]) == (0, None, False)


@says("DAT-02")
def _(case: Case) -> None:
    rows = case.tables["plies"]
    assert [row["eval_mate"] for row in rows] == [-3, None, None, 1, None, None]
    assert [row["eval_cp"] for row in rows] == [None, 17, 641, None, None, None]
    assert [row["eval_depth"] for row in rows] == [None, 20, 12, None, None, None]
    assert rows[5]["comment"] == "+0.25/12 0.5s"


@says("DAT-03")
def _(case: Case) -> None:
    assert [row["eval_cp"] for row in case.tables["plies"]] == [30, -100]


@says("DAT-04")
def _(case: Case) -> None:
    rows = case.tables["plies"]
    assert [row["clock_ms"] for row in rows] == [600_000, 598_000]
    assert [row["eval_cp"] for row in rows] == [25, None]


@says("DAT-07")
def _(case: Case) -> None:
    rows = case.tables["games"]
    seconds = [(row["time_base_s"], row["time_increment_s"]) for row in rows]
    assert seconds == [(300, 3), *[(None, None)] * 5, (60, 0), *[(None, None)] * 3]
    assert [row["time_stages"] for row in rows] == [
        ["300+3"],
        None,
        None,
        ["1/86400"],  # one move in 86400 seconds
        ["40/7200", "3600"],
        ["*60"],
        ["60"],
        None,
        None,
        ["40/7200", "20/3600", "900+30"],
    ]
    assert rows[7]["time_control"] == "15'/game & 10"


@says("DAT-08")
def _(case: Case) -> None:
    assert [(game.tags["Event"], sans(game.facts.mainline)) for game in case.games] == [("A", ["e4"]), ("B", ["d4"])]
    assert read_until_error(case.data[:-3]) == [["e4"]]


@says("DAT-09")
def _(case: Case) -> None:
    members = [f'[Event "{game.tags["Event"]}"]\n\n{game.movetext}\n\n'.encode() for game in case.games]
    assert [sans(game.facts.mainline) for game in read(b"".join(map(bz2.compress, members)))] == [["e4"], ["d4"]]
    assert read_until_error(case.data[:-12])[0] == ["e4"]


def read_until_error(data: bytes) -> list[list[str]]:
    """The games that could be read before the error that must come."""
    found: list[list[str]] = []

    def follow(stream: Iterator[Game]) -> None:
        for game in stream:
            found.append(sans(game.facts.mainline))

    with pytest.raises(SourceError):
        follow(games(Source.from_bytes(data)))
    return found


@says("DAT-11")
def _(case: Case) -> None:
    # The position that the solver sees is the one after the first move.
    board = chess.Board(case.game.start_fen)
    board.push(case.game.moves[0].move)
    assert board.turn == chess.WHITE
    assert case.game.moves[1].move.uci() == "b1b8"


@says("DAT-12")
def _(case: Case) -> None:
    written = case.game.to_chess().accept(chess.pgn.StringExporter(headers=False))
    # python-chess writes blanks inside the brackets.
    assert written.replace("( ", "(").replace(" )", ")") == "1. e4 { c } 1... e5 (1... d5 2. exd5) 2. Nf3 *"
    (again,) = read(written)
    assert again.to_chess().accept(chess.pgn.StringExporter(headers=False)) == written


@says("DAT-13")
def _(case: Case) -> None:
    written = str(case.game.to_chess())
    exporter = chess.pgn.StringExporter(columns=80)
    wrapped = case.game.to_chess().accept(exporter)
    assert max(map(len, wrapped.splitlines())) <= 80
    assert wrapped.split() == written.split()
    assert wrapped.split()[-1] == "*"


@says("BIG-02")
def _(case: Case) -> None:
    (again,) = read(str(case.game.to_chess()))
    assert sans(again.facts.mainline) == sans(case.game.facts.mainline) == case.data.decode().split()[:-1]


@says("BIG-03")
def _(case: Case) -> None:
    assert sans(case.game.facts.mainline) == ["e4", "e5"]
    assert case.game.moves[0].comments == ["x y z " * 833332 + "x y z"]


@says("BIG-04")
def _(case: Case) -> None:
    assert sans(case.game.facts.mainline) == ["e4", "e5"]
    assert case.game.moves[0].nags == [1]


@says("BIG-05")
def _(case: Case) -> None:
    assert sans(case.game.facts.mainline) == ["e4"]
    assert len(case.game.tag_pairs) == 100000
