"""How games end: what Termination, comments and clocks say, against result and board; on both engines."""

from __future__ import annotations

from typing import Any

import pytest

from chesstools.engines import ENGINES
from chesstools.scan import scan
from chesstools.source import Source

both_engines = pytest.mark.parametrize("engine", ENGINES)
DRAW = "1/2-1/2"


def judged(moves: str, result: str, engine: str, **tags: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The row of a game, and its findings about draws and endings. A second game follows, so that the first can be plain."""
    known = {"Event": "?", "Site": "?", "Date": "2024.05.04", "Round": "?", "White": "Ann", "Black": "Bob", "Result": result}
    head = "".join(f'[{name} "{value}"]\n' for name, value in {**known, **tags}.items())
    text = f'{head}\n{moves} {result}\n\n[Event "?"]\n\n*\n'
    tables = scan(Source.from_bytes(text.encode()), engine=engine).to_tables()
    findings = [row for row in tables["findings"].to_pylist() if row["game_index"] == 0 and row["code"][0] in "DEA"]
    return tables["games"].to_pylist()[0], findings


def codes(moves: str, result: str, engine: str, **tags: str) -> list[str]:
    return [finding["code"] for finding in judged(moves, result, engine, **tags)[1]]


def reason(moves: str, result: str, engine: str, **tags: str) -> tuple[str | None, str | None]:
    row, _ = judged(moves, result, engine, **tags)
    return row["end_reason"], row["end_basis"]


OPEN = "1. e4 e5 2. Nf3 Nc6"
MATE = "1. f3 e5 2. g4 Qh4#"
SHUFFLE = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8"


# ------------------------------------------------------------------------------------------------ result against words


@both_engines
@pytest.mark.parametrize(
    ("said", "fitting"),
    [
        ("normal", "1-0 0-1 1/2-1/2"),
        ("unterminated", "*"),
        ("abandoned", "1-0 0-1 1/2-1/2 *"),
        ("adjudication", "1-0 0-1 1/2-1/2 *"),
        ("death", "1-0 0-1 1/2-1/2 *"),
        ("emergency", "1-0 0-1 1/2-1/2 *"),
        ("rules infraction", "1-0 0-1 1/2-1/2"),
        ("Time forfeit", "1-0 0-1"),
        ("Ann won on time", "1-0"),
        ("Bob won by resignation", "0-1"),
        ("Bob won - game abandoned", "0-1"),
        ("Game drawn by agreement", "1/2-1/2"),
        ("Game drawn by timeout vs insufficient material", "1/2-1/2"),
        ("White resigns", "0-1"),
        ("something else", "1-0 0-1 1/2-1/2 *"),
    ],
)
def test_termination_fits_these_results_and_no_others(engine: str, said: str, fitting: str) -> None:
    fits = [result for result in ("1-0", "0-1", DRAW, "*") if "E520" not in codes(OPEN, result, engine, Termination=said)]
    assert fits == fitting.split()


@both_engines
@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("White resigns", ["E520"]),
        ("[%clk 0:01:00] BLACK LOST ON TIME.", []),
        ("Ann checkmated", ["E520"]),
        ("+1.20/12 0.3s, Draw by adjudication", ["E520"]),
        ("White could have drawn by repetition", []),
        ("a draw by agreement was refused", []),
    ],
)
def test_the_last_comment_is_held_against_the_result(engine: str, comment: str, expected: list[str]) -> None:
    assert codes(f"{OPEN} {{{comment}}}", "1-0", engine) == expected


@both_engines
def test_words_stand_in_the_finding(engine: str) -> None:
    (finding,) = judged(f"{OPEN} {{0.10/3, White resigns}}", "1-0", engine)[1]
    assert (finding["expected"], finding["found"], dict(finding["evidence"])) == ("White resigns", "1-0", {"basis": "comment"})


@both_engines
def test_a_draw_on_time_fits_where_one_side_cannot_mate(engine: str) -> None:
    lone = {"SetUp": "1", "FEN": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 60", "Termination": "Time forfeit"}
    assert codes("60. e4", DRAW, engine, **lone) == []
    assert reason("60. e4", DRAW, engine, **lone) == ("timeout_v_insufficient_material", "termination")
    assert codes("60. e4", "0-1", engine, **lone) == ["E531"]
    assert codes("60. e4", "1-0", engine, **lone) == []


@both_engines
@pytest.mark.parametrize(
    ("moves", "result", "said", "expected"),
    [
        (OPEN, "1-0", "Ann won by checkmate", "checkmate"),
        (OPEN, "0-1", "Ann won by checkmate", None),  # the result speaks against it, too
        (MATE, "0-1", "Bob won by checkmate", ""),
        (MATE.removesuffix("#"), "0-1", "Bob won by checkmate", ""),
        (OPEN, DRAW, "Game drawn by stalemate", "stalemate"),
        # What was not judged may hold the mate.
        (f"{OPEN} 3. Ke5", "1-0", "Ann won by checkmate", ""),
        (f"{OPEN} 3. Ke5 Nf6", "1-0", "Ann won by checkmate", ""),
        (OPEN, "1-0", "Ann won by resignation", ""),
        (OPEN, "*", "Ann won by checkmate", None),
    ],
)
def test_a_mate_that_is_said_stands_on_the_board(engine: str, moves: str, result: str, said: str, expected: str | None) -> None:
    """`expected` is what the board has not, None where the result is wrong, and empty where nothing is."""
    found = [row for row in judged(moves, result, engine, Termination=said)[1] if row["code"] == "E520"]
    assert [dict(row["evidence"]).get("reason") for row in found] == ([] if expected == "" else [expected])


@both_engines
def test_a_mate_on_another_board(engine: str) -> None:
    said = {"Variant": "Crazyhouse", "Termination": "Ann won by checkmate"}
    assert codes(OPEN, "1-0", engine, **said) == []
    start = "bnrbkqrn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKQRN w GCgc - 0 1"
    said = {"Variant": "Chess960", "SetUp": "1", "FEN": start, "Termination": "Ann won by checkmate"}
    assert codes("1. e4 e5", "1-0", engine, **said) == ["E520"]


@both_engines
def test_a_mate_in_a_comment(engine: str) -> None:
    """Programs say who was mated; an annotator may say who mates in the end."""
    for comment, expected in (("Bob checkmated", ["E520"]), ("White mates", []), ("WHITE MATES.", []), ("0.00/1, Ann mates", [])):
        assert codes(f"{OPEN} {{{comment}}}", "1-0", engine) == expected, comment
    assert codes(OPEN, "1-0", engine, Termination="White mates") == ["E520"]


# ------------------------------------------------------------------------------------------------ reason and basis


@both_engines
@pytest.mark.parametrize(
    ("moves", "result", "tags", "expected"),
    [
        (MATE, "0-1", {"Termination": "Time forfeit"}, ("checkmate", "board")),
        (OPEN, "1-0", {"Termination": "Time forfeit"}, ("time", "termination")),
        (OPEN, DRAW, {"Termination": "adjudication", "TerminationDetails": "TCEC draw rule"}, ("adjudication", "termination")),
        (OPEN, DRAW, {"TerminationDetails": "3-fold repetition"}, ("threefold", "termination")),
        (OPEN + " {Bob resigned}", "1-0", {}, ("resignation", "comment")),
        (OPEN + " {White wins on time}", "1-0", {"Termination": "Normal"}, ("time", "comment")),
        (OPEN, "1-0", {"Termination": "Normal"}, (None, None)),
        (OPEN, "1-0", {"Termination": "Normal", "Site": "https://lichess.org/abcdefgh"}, ("resignation", "termination")),
        (OPEN, DRAW, {"Termination": "Normal", "Site": "https://lichess.org/abcdefgh"}, ("agreement", "termination")),
        (SHUFFLE, DRAW, {"Termination": "Normal", "Site": "https://lichess.org/abcdefgh"}, ("threefold", "board")),
        (OPEN + " {[%clk 0:00:00]}", "1-0", {}, ("time", "clock")),
        (OPEN + " {[%clk 0:00:00]}", "0-1", {}, (None, None)),
        (OPEN + " {[%clk 0:00:01]}", "1-0", {}, (None, None)),
        (OPEN, "*", {}, (None, None)),
    ],
)
def test_reason(engine: str, moves: str, result: str, tags: dict[str, str], expected: tuple[str | None, str | None]) -> None:
    assert reason(moves, result, engine, **tags) == expected


@both_engines
def test_a_comment_at_the_result_counts_where_the_moves_stop(engine: str) -> None:
    assert reason("1. e4 Ke6 2. d4 {White resigns}", "0-1", engine) == ("resignation", "comment")
    assert reason("1. e4 Ke6 {White resigns} 2. d4", "0-1", engine) == (None, None)


@both_engines
def test_a_draw_that_a_server_gave_at_once_is_no_claim_of_a_diagram_alone(engine: str) -> None:
    moves = "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Ke2 Ke7 5. Ke1 Ke8 6. Ke2 Ke7"
    said = {"Site": "Chess.com", "Termination": "Game drawn by repetition"}
    _, findings = judged(moves, DRAW, engine, **said)
    assert {(row["code"], row["severity"]) for row in findings} == {("D605", "info")}
    _, findings = judged(moves.rpartition(" 6.")[0], DRAW, engine, **said)
    assert [(row["code"], row["severity"]) for row in findings] == [("D621", "warning"), ("D605", "warning")]


# ------------------------------------------------------------------------------------------------ no play, no winner


@both_engines
@pytest.mark.parametrize(
    ("moves", "result", "tags", "expected"),
    [
        ("", "1-0", {}, ["A801"]),
        ("1. e4", "0-1", {"Termination": "rules infraction"}, ["A801"]),
        ("1. e4 e5", "0-1", {}, []),
        ("1. e4", DRAW, {}, ["E525"]),
        ("1. e4", DRAW, {"Date": "2017.06.30"}, []),
        ("1. e4", DRAW, {"Date": "2017.??.??"}, []),
        ("1. e4", DRAW, {"Date": "2018.??.??"}, ["E525"]),
        ("1. e4", DRAW, {"Date": "????.??.??"}, []),
        ("1. e4", DRAW, {"Termination": "adjudication"}, []),
        ("", DRAW, {"Termination": "Game drawn by agreement"}, ["E525"]),
        ("1. e4 e5", DRAW, {}, []),
        ("", "1-0", {"SetUp": "1", "FEN": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 60"}, []),
        (OPEN, "*", {"Termination": "rules infraction: both players forfeit"}, ["A802"]),
        (OPEN + " {Double forfeit}", "*", {}, ["A802"]),
        (MATE, "*", {}, ["E543"]),
        (OPEN, "*", {}, []),
    ],
)
def test_games_without_play_or_result(engine: str, moves: str, result: str, tags: dict[str, str], expected: list[str]) -> None:
    assert codes(moves, result, engine, **tags) == expected


@both_engines
def test_win_against_which_nothing_can_be_said_but_that_it_was_decreed(engine: str) -> None:
    fen = {"SetUp": "1", "FEN": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 60"}
    found = {
        said: [(row["code"], row["severity"]) for row in judged("60. e4", "0-1", engine, Termination=said, **fen)[1]]
        for said in ("normal", "rules infraction", "abandoned", "Bob won by resignation")
    }
    assert found == {
        "normal": [("E531", "error")],
        "rules infraction": [("E531", "warning")],
        "abandoned": [("E531", "warning")],
        "Bob won by resignation": [("E534", "warning")],
    }


@both_engines
def test_flags_in_positions_that_cannot_be_won(engine: str) -> None:
    mates = "7r/2PR4/6pk/6q1/5P1K/r7/8/8 w - - 0 60"
    for fen, moves, expected in [
        ("4kn2/8/8/8/8/8/8/4KQ2 w - - 0 60", "60. Qd3", ("error", "material")),
        (mates, "", ("warning", "forced")),
        (mates.replace("6q1", "7q"), "", None),
    ]:
        result = "0-1"
        findings = judged(moves, result, engine, SetUp="1", FEN=fen, Termination="Time forfeit")[1]
        found = [(row["severity"], dict(row["evidence"])["reason"]) for row in findings if row["code"] == "E532"]
        assert found == ([] if expected is None else [expected]), fen


@both_engines
@pytest.mark.parametrize(
    ("move", "result", "date", "expected"),
    [
        ("Nd2 {sealed}", "0-1", "1974.05.04", [("A803", "info"), ("N401", "info")]),
        ("Nd2 {the sealed move}", "0-1", "2024.05.04", [("A803", "info"), ("N401", "info")]),
        ("Nd2", "0-1", "1974.05.04", [("A803", "info"), ("N401", "error")]),
        ("Nd2", "0-1", "2024.05.04", [("N401", "error")]),
        ("Nd2 {sealed}", "1-0", "1974.05.04", [("N401", "error")]),
        ("Nd2 {sealed} Nc6", "0-1", "1974.05.04", [("N401", "error")]),
    ],
)
def test_sealed_moves(engine: str, move: str, result: str, date: str, expected: list[tuple[str, str]]) -> None:
    text = f'[Date "{date}"]\n[Result "{result}"]\n\n1. Nf3 d5 2. d3 Nf6 3. {move} {result}\n'
    rows = scan(Source.from_bytes(text.encode()), engine=engine).to_tables()["findings"].to_pylist()
    assert [(row["code"], row["severity"]) for row in rows if row["code"] in ("A803", "N401")] == expected


# ------------------------------------------------------------------------------------------------ claims

FIVEFOLD = SHUFFLE + " 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1 Ng8"
ROOK = {"SetUp": "1", "FEN": "4k3/8/8/8/8/8/8/R3K3 w - - 149 75"}


@both_engines
def test_columns_of_claims(engine: str) -> None:
    row, findings = judged(f"{SHUFFLE} 5. e4 e5 6. Nf3 Nf6 7. Ng1 Ng8 8. Nf3 Nf6 9. Ng1 Ng8 10. d4", "0-1", engine)
    names = [
        f"{side}_{kind}_{end}_ply" for kind in ("repetition", "fifty") for side in ("white", "black") for end in ("first", "last")
    ]
    assert [row[name] for name in names] == [8, 18, 7, 17, None, None, None, None]
    assert (row["first_automatic_draw_ply"], row["plies_past_automatic_draw"], row["unclaimed_draw"]) == (None, None, True)
    lapses = [(one["side"], one["first_ply"], one["last_ply"]) for one in findings if one["code"] == "D602"]
    assert lapses == [("black", 8, 17), ("white", 9, 18)]


@both_engines
def test_plies_past_an_automatic_draw(engine: str) -> None:
    row, findings = judged(f"{FIVEFOLD} 9. e4 e5", DRAW, engine)
    assert (row["first_automatic_draw_ply"], row["plies_past_automatic_draw"]) == (16, 2)
    (reached,) = [one for one in findings if one["code"] == "D603"]
    assert (reached["ply"], reached["occurrences"], reached["limit"]) == (16, [0, 4, 8, 12, 16], 5)
    row, findings = judged(FIVEFOLD, DRAW, engine)
    assert (row["plies_past_automatic_draw"], row["end_reason"], row["end_basis"]) == (0, "fivefold", "board")
    assert "D620" not in [one["code"] for one in findings]


@both_engines
@pytest.mark.parametrize(
    ("moves", "said", "reached"),
    [
        (SHUFFLE, "Game drawn by repetition", None),
        (SHUFFLE.rsplit(" ", 1)[0], "Game drawn by repetition", None),  # Ng8 would be the third time
        (SHUFFLE.rsplit(" ", 3)[0], "Game drawn by repetition", 2),
        (OPEN, "Game drawn by repetition", 1),
        (OPEN, "Game drawn by 50-move rule", 2),
    ],
)
def test_claims_that_the_game_does_not_bear_out(engine: str, moves: str, said: str, reached: int | None) -> None:
    found = [one for one in judged(moves, DRAW, engine, Termination=said)[1] if one["code"] == "D621"]
    assert [one["count"] for one in found] == ([] if reached is None else [reached])


@both_engines
@pytest.mark.parametrize(
    ("moves", "tags", "reached"),
    [
        # drawn by the fifth time, and played on
        (FIVEFOLD + " 9. e4 e5", {"Termination": "Game drawn by repetition"}, None),
        (FIVEFOLD + " 9. Nf3", {"Termination": "Game drawn by repetition"}, None),
        (FIVEFOLD + " 9. e4 e5", {"Termination": "Game drawn by 50-move rule"}, 0),
        # drawn by a server at the third time, and played on until the fifth
        (FIVEFOLD, {"Site": "Chess.com", "Termination": "Game drawn by repetition"}, None),
        # drawn by the count of moves
        ("75. Ra2 Kd8 76. Ra1", {**ROOK, "Termination": "Game drawn by 50-move rule"}, None),
        ("75. Ra2 Kd8 76. Ra1", {**ROOK, "Termination": "Game drawn by repetition"}, 1),
        (
            "75. Ra2 Kd8 76. Ra1 Ke8 77. Ra2 Kd8 78. Ra1 Ke8",
            {**ROOK, "Termination": "Game drawn by repetition"},
            None,  # a claim came too late, but there was something to claim
        ),
    ],
)
def test_what_is_said_of_a_draw_that_nobody_had_to_claim(
    engine: str, moves: str, tags: dict[str, str], reached: int | None
) -> None:
    found = [one for one in judged(moves, DRAW, engine, **tags)[1] if one["code"] == "D621"]
    assert [one["count"] for one in found] == ([] if reached is None else [reached])


@both_engines
def test_a_diagram_alone_is_no_claim_where_the_game_had_been_drawn_by_repetition(engine: str) -> None:
    moves = "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Ke2 Ke7 5. Ke1 Ke8 6. Ke2 Ke7 7. Nf3"
    said = {"Site": "Chess.com", "Termination": "Game drawn by repetition"}
    found = [(row["code"], row["severity"]) for row in judged(moves, DRAW, engine, **said)[1]]
    assert ("D605", "info") in found
    assert ("D605", "warning") not in found
    assert "D621" not in {code for code, _ in found}


@both_engines
@pytest.mark.parametrize(
    ("behind", "expected"),
    [
        ("mate", [("P110", 7, None)]),
        ("mate foo", [("P110", 7, None)]),
        ("Ke2", [("E511", 7, 1)]),
        ("mate 3. Ke2 Nc6", [("P110", 7, None), ("E511", 7, 2)]),
        ("3. Ke2 foo Nc6", [("E511", 7, 2)]),
    ],
)
def test_words_behind_mate_are_no_moves(engine: str, behind: str, expected: list[tuple[str, int, int | None]]) -> None:
    text = f'[Result "0-1"]\n\n1. f3 e5 2. a3 a6 3. g4 Qh4# {behind} 0-1\n'
    findings = scan(Source.from_bytes(text.encode()), engine=engine).to_tables()["findings"].to_pylist()
    found = [(row["code"], row["ply"], row["count"]) for row in findings if row["code"] in ("P110", "E511", "M390")]
    assert found == expected
    assert {row["token"] for row in findings if row["code"] == "P110"} <= {"mate"}
