"""SQL over datasets: macros, examples, answers, limits."""

from __future__ import annotations

import random
import time
from pathlib import Path

import chess
import pyarrow as pa
import pytest

from chesstools import ChesstoolsError, Dataset, OptionError, fen, ingest, query
from chesstools.openings import opening_of
from chesstools.schema import SCHEMAS, TABLES
from chesstools.source import Source
from chesstools.sql.errors import RESERVED
from chesstools.sql.examples import Example, example, examples
from chesstools.sql.macros import Macro, macros
from chesstools.sql.opening_of_text import opening_of_text
from chesstools.sql.running import answer

SAMPLES = Path(__file__).parent.parent / "sample_data" / "games"
START = chess.STARTING_FEN


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("query") / "it's [1]"
    ingest([SAMPLES / "generated_mixed.pgn", SAMPLES / "historic_classics.pgn"], folder)
    return Dataset.open(folder)


def rows(given: object, sql: str) -> list[tuple[object, ...]]:
    table = query(given, sql, arrow=True)  # type: ignore[arg-type]
    return [tuple(row.values()) for row in table.to_pylist()]


# ------------------------------------------------------------------------------------------------------- macros


@pytest.mark.parametrize("macro", macros(), ids=lambda macro: macro.name)
def test_the_example_of_each_macro(dataset: Dataset, macro: Macro) -> None:
    (row,) = rows(dataset, macro.example)
    assert " ".join(map(str, row)) == macro.answer


def test_macros_are_all_that_is_there(dataset: Dataset) -> None:
    (row,) = rows(dataset, "SELECT list(function_name) FILTER (NOT internal), list(function_name) FROM duckdb_functions()")
    ours, everything = (set(names) for names in row)  # type: ignore[call-overload]
    known = {macro.name for macro in macros()}
    assert {name for name in ours if not name.startswith("_")} <= known <= everything


def boards() -> list[chess.Board]:
    """Positions of random games."""
    chance = random.Random(6)
    found = []
    for _ in range(12):
        board = chess.Board()
        while not board.is_game_over() and len(board.move_stack) < 150:
            found.append(board.copy(stack=False))
            board.push(chance.choice(list(board.legal_moves)))
    return found


def test_macros_against_python_chess(dataset: Dataset) -> None:
    known = boards()
    texts = ", ".join(f"({number}, '{board.fen()}')" for number, board in enumerate(known))
    squares = ", ".join(f"piece_on(fen, '{name}')" for name in chess.SQUARE_NAMES)
    sql = f"""
    SELECT fen_key(fen), piece_count(fen), material(fen), material_balance(fen), side_to_move(fen), [{squares}]
    FROM (VALUES {texts}) t(n, fen) ORDER BY n
    """
    values = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}
    for board, (key, count, material, balance, turn, on) in zip(known, rows(dataset, sql), strict=True):
        men = [man.symbol() for man in board.piece_map().values()]
        white = "".join(sorted((man for man in men if man.isupper()), key="KQRBNP".index))
        black = "".join(sorted((man.upper() for man in men if man.islower()), key="KQRBNP".index))
        assert key == fen.key(board.fen())
        assert count == len(men)
        assert material == f"{white}v{black}"
        assert balance == sum(values[man.lower()] * (1 if man.isupper() else -1) for man in men)
        assert turn == ("white" if board.turn else "black")
        assert on == [man.symbol() if (man := board.piece_at(square)) else "." for square in chess.SQUARES]


@pytest.mark.parametrize(
    "text", ["NULL", "''", "'x'", "'8/8/8/8/8/8/8/9 w - - 0 1'", "'8/8/8 w - -'", "'44/8/8/8/8/8/8/8x w - - 0 1'"]
)
def test_macros_of_what_is_no_position(dataset: Dataset, text: str) -> None:
    names = ["fen_key", "fen_squares", "piece_count", "material", "material_balance"]
    (row,) = rows(
        dataset, f"SELECT {', '.join(f'{name}({text})' for name in names)}, piece_on({text}, 'e4'), piece_on('{START}', 'j9')"
    )
    assert set(row) == {None}


def test_fen_playable_of_nothing_is_nothing(dataset: Dataset) -> None:
    assert rows(dataset, "SELECT fen_playable(NULL), fen_playable('x')") == [(None, False)]


def test_keys_of_positions_are_those_of_plies(dataset: Dataset) -> None:
    sql = """
    SELECT count(*) FROM games g JOIN plies p ON p.source = g.source AND p.game_index = g.game_index AND p.ply = g.legal_ply_count
    WHERE p.position_key IS NOT NULL AND fen_key(g.final_fen) <> p.position_key
    """
    assert rows(dataset, sql) == [(0,)]


@pytest.mark.parametrize(
    "moves",
    ["e4 c5 Nf3", "d4 d5 c4 c6 Nf3 Nf6 Nc3 dxc4", "Nf3 d5 d4 Nf6 c4 e6 Nc3 c6 e3 Nbd7 Bd3 dxc4 Bxc4 b5", "a3 h5 h4 a6 a4 a5"],
)
def test_opening_of_a_text_and_of_a_list(dataset: Dataset, moves: str) -> None:
    expected = opening_of(moves.split())
    assert opening_of_text(moves) == expected
    told = expected._asdict() if expected else None
    listed = "[" + ", ".join(f"'{move}'" for move in moves.split()) + "]"
    assert rows(dataset, f"SELECT opening('{moves}'), opening({listed})") == [(told, told)]


def test_opening_of_a_hostile_text_takes_linear_time() -> None:
    started = time.process_time()
    for sign in ("(", "{", ")", "1.", "$1 ", "1-0 ", ";", "(" * 7 + "a)"):
        assert opening_of_text(sign * (1_000_000 // len(sign))) is None
    assert opening_of_text("(" * 100_000 + ")" * 100_000 + "1. e4") is not None
    assert time.process_time() - started < 20


def test_opening_of_all_games_in_both_ways(dataset: Dataset) -> None:
    sql = f"""
    WITH played AS (SELECT source, game_index, list(san_standard ORDER BY ply) AS moves FROM plies GROUP BY ALL)
    SELECT count(opening_by_moves), count(*) FILTER (opening(moves).name IS DISTINCT FROM opening_by_moves)
    FROM played JOIN games USING (source, game_index) LEFT JOIN game_openings USING (source, game_index)
    WHERE start_fen = '{START}'
    """
    ((named, different),) = rows(dataset, sql)
    assert isinstance(named, int)
    assert named > 100
    assert different == 0


# ------------------------------------------------------------------------------------------------------ examples


@pytest.mark.parametrize("one", examples(), ids=lambda one: one.name)
def test_each_example(dataset: Dataset, one: Example) -> None:
    table = query(dataset, one.sql, arrow=True)
    assert table.num_columns >= 2
    assert one.title
    nothing = query(Source.from_bytes(b"", "empty.pgn"), one.sql, arrow=True)
    assert nothing.num_rows == 0
    assert nothing.column_names == table.column_names


CLOCKS = b"""[Event "Blitz"]
[White "A"]
[Black "B"]
[WhiteElo "1500"]
[BlackElo "2100"]
[Result "1-0"]
[TimeControl "180+2"]

1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:59]} 2. Qh5 {[%clk 0:02:55]} Nc6 {[%clk 0:02:50]} 3. Bc4 {[%clk 0:02:50]} Nf6
{[%clk 0:02:40]} 4. Qxf7# {[%clk 0:02:45]} 1-0
"""

SHUFFLED = "1. Nf3 Nf6 2. Ng1 Ng8 " + " ".join(f"{n}. Nf3 Nf6 {n + 1}. Ng1 Ng8" for n in range(3, 9, 2))
"""The array stands for the third time after ply 8, for the fifth after ply 16."""


def test_answers_of_examples() -> None:
    def told(name: str) -> list[tuple[object, ...]]:
        return rows(Source.from_bytes(CLOCKS, "blitz.pgn"), example(name).sql)

    assert told("results") == [("1-0", 1, 100.0, 3.5)]
    assert told("players") == [("A", 1, 1.0, 100.0, 1500), ("B", 1, 0.0, 0.0, 2100)]
    assert told("elo-curve") == [(-600, 1, 1.0, 0.031)]
    assert told("upsets") == []  # seven plies
    longer = CLOCKS.replace(b"Qxf7# {[%clk 0:02:45]}", b"Qd1 d6 5. d3 h6 6. h3")
    upset = ("A", 1500, "B", 2100, "1-0", 0.031, "Blitz", None)
    assert rows(Source.from_bytes(longer, "blitz.pgn"), example("upsets").sql) == [upset]
    dated = longer.replace(b"[Result", b'[Date "2024.05.01"]\n[Result')
    many = [dated, *(dated.replace(b"1500", elo).replace(b"2100", b"2600") for elo in (b"1480", b"1450", b"150"))]
    found = rows(Source.from_bytes(b"\n".join(many), "blitz.pgn"), example("upsets").sql)
    assert [row[1] for row in found] == [1450, 1480], "150 is a slip, and so is 2100 beside 2600"
    assert len(rows(Source.from_bytes(b"\n".join(many[1::2]), "blitz.pgn"), example("upsets").sql)) == 2, "too few to tell"
    assert told("first-moves") == [("e4", 1, 100.0, 1500.0)]
    assert told("shortest-mates") == [("blitz.pgn", 1, "A", "B", "Blitz", None, 7)]
    assert told("openings") == [("C20", "King's Pawn Game: Wayward Queen Attack", 1, 100.0)] or told("openings")[0][2:] == (
        1,
        100.0,
    )
    assert [row[:2] for row in told("thinking")] == [("blitz", "first"), ("blitz", "second")]
    assert told("positions") == []  # no ten moves
    (row,) = told("model-table")
    assert row == (
        "blitz.pgn",
        0,
        None,
        "blitz",
        1500,
        2100,
        -600,
        *opening_of(MATE.split())[:2],
        "King's Pawn Game",
        7,
        "1-0",
        1.0,
    )
    assert told("pairs") == [("A", "B", 1, 1.0, 0.0)]


MATE = "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#"


def test_the_example_players_counts_games_with_points() -> None:
    text = "".join(
        f'[White "A"]\n[Black "?"]\n[Round "{n}"]\n[Result "{result}"]\n\n1. e4 e5 {result}\n\n'
        for n, result in enumerate(["1-0", "*", "1/2-1/2"])
    )
    assert rows(Source.from_bytes(text.encode(), "a.pgn"), example("players").sql) == [("A", 2, 1.5, 75.0, None)]


def test_the_example_positions_tells_moves_that_lead_there(dataset: Dataset) -> None:
    found = rows(dataset, example("positions").sql)
    assert len(found) == 20
    played = f"FROM plies JOIN games USING (source, game_index) WHERE ply = 20 AND errors = 0 AND start_fen = '{START}'"
    games: dict[object, object] = dict(rows(dataset, f"SELECT position_key, count(*) {played} GROUP BY ALL"))  # type: ignore[arg-type]
    for count, *_, moves in found:
        board = chess.Board()
        for san in str(moves).replace(".", " ").split():
            if not san.isdigit():
                board.push_san(san)
        assert games[fen.key(board.fen())] == count


def draws(moves: str, *results: str) -> Source:
    games = [
        f'[Event "E"]\n[Date "2020.01.02"]\n[Round "{n}"]\n[Result "{result}"]\n\n{moves} {result}\n\n'
        for n, result in enumerate(results)
    ]
    return Source.from_bytes("".join(games).encode(), "draws.pgn")


def test_examples_of_draws() -> None:
    fen = "4k3/8/8/8/8/8/8/4KB2 w - - 0 1"
    dead = f'[Event "A"]\n[SetUp "1"]\n[FEN "{fen}"]\n[Date "2020.01.02"]\n[Result "1/2-1/2"]\n\n1. Bg2 1/2-1/2\n\n' * 3
    games = [draws(f"{SHUFFLED} 9. Nf3", "1-0", "0-1", "1/2-1/2"), Source.from_bytes(dead.encode(), "dead.pgn")]
    past = rows(games, example("past-the-draw").sql)
    assert past == [("E", 2020, 2020, 3, 0, 3, 0, 1), ("A", 2020, 2020, 3, 0, 0, 3, 1)]
    unclaimed = [(row[5:8]) for row in rows(games, example("unclaimed-draws").sql)]
    assert unclaimed == [("black", "repetition", 7), ("white", "repetition", 8)]


def test_examples_that_promise_all_have_no_limit() -> None:
    many = draws(SHUFFLED, *["1-0"] * 110)
    assert len(rows(many, example("unclaimed-draws").sql)) == 110


def test_an_example_that_is_not_there() -> None:
    with pytest.raises(OptionError, match="did you mean openings"):
        example("opening")


# ------------------------------------------------------------------------------------------------------- answers


def test_the_last_statement_is_answered(dataset: Dataset) -> None:
    sql = "CREATE MACRO twice(x) AS 2 * x; CREATE TEMP TABLE n AS SELECT count(*) c FROM games; SELECT twice(c) = c + c FROM n"
    assert rows(dataset, sql) == [(True,)]
    with pytest.raises(OptionError, match="ends without a question"):
        query(dataset, "CREATE TABLE n AS FROM games")


def test_types_that_everything_reads(dataset: Dataset) -> None:
    table = query(dataset, "SELECT sum(ply) AS n, INTERVAL '1 month 2 days 1.5 seconds' AS n, 1 AS n_1 FROM plies", arrow=True)
    assert table.schema == pa.schema([("n", pa.int64()), ("n_2", pa.string()), ("n_1", pa.int32())])
    assert table.column("n_2").to_pylist() == ["1 month 2 days 1.5 s"]
    with pytest.raises(OptionError, match=r"more than 64 bits; write big::DOUBLE"):
        query(dataset, "SELECT 170141183460469231731687303715884105727 AS big")


def test_a_frame_has_honest_nulls(dataset: Dataset) -> None:
    frame = query(dataset, "SELECT white_elo, ply_count FROM games ORDER BY source, game_index")
    assert str(frame["white_elo"].dtype) == "Int16"
    assert len(frame) == dataset.summary.games


def test_the_first_rows_are_the_first_games(dataset: Dataset) -> None:
    everything = rows(dataset, "SELECT game_index FROM games")
    assert rows(dataset, "SELECT game_index FROM games LIMIT 3") == everything[:3] == [(0,), (1,), (2,)]


def test_sources_and_datasets_together(dataset: Dataset) -> None:
    games = rows([dataset, Source.from_bytes(CLOCKS, "blitz.pgn")], "SELECT count(*) FROM games")
    assert games == [(dataset.summary.games + 1,)]


def test_a_table_that_the_dataset_lacks(tmp_path: Path) -> None:
    ingest(Source.from_bytes(CLOCKS, "a.pgn"), tmp_path, tables=["games"])
    assert rows(tmp_path, "SELECT white FROM games") == [("A",)]
    with pytest.raises(OptionError, match="has no table plies; ingest again with --tables plies among them"):
        query(tmp_path, "SELECT * FROM plies")


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELEC 1", r'syntax error at or near "SELEC" \(line 1, column 1\)\.$'),
        ("SELECT 1;\nSELECT\n  wite FROM games", r'"wite" not found.*"white".*\(line 3, column 3\)\.$'),
        ("SELECT 1; SELECT wite FROM games", r"\(line 1, column 18\)\.$"),
        ("SELECT 1;\n\nSELECT 2; SELECT wite FROM games", r"\(line 3, column 18\)\.$"),
        (
            "SELECT check FROM plies",
            r'"check" \(line 1, column 8\); the column of that name is written "check", with the marks\.$',
        ),
        ("SELECT materiel('x')", r'materiel does not exist; did you mean "material".*\(line 1, column 8\)\.$'),
        ("SELECT san::INTEGER FROM plies", r"Could not convert string '\w+' to INT32"),
        ("SELECT error('no\nno')", "no; no"),
        ("FROM gmes", r'gmes does not exist; did you mean "games"'),
        ("", "There is no SQL"),
        (" ; -- nothing\n", "There is no SQL"),
    ],
)
def test_errors_are_one_sentence(dataset: Dataset, sql: str, message: str) -> None:
    with pytest.raises(OptionError, match=message) as error:
        query(dataset, sql)
    assert "\n" not in str(error.value)


def test_columns_that_are_words_of_sql(dataset: Dataset) -> None:
    words = {word for (word,) in rows(dataset, "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category = 'reserved'")}
    assert {name for table in TABLES for name in SCHEMAS[table].names} & words == set(RESERVED)


def test_a_query_that_takes_too_long(dataset: Dataset) -> None:
    with pytest.raises(ChesstoolsError, match=r"took longer than 0\.3 seconds"):
        query(dataset, "SELECT count(*) FROM range(100000000) a, range(100000) b WHERE a.range % 7 = b.range", timeout_s=0.3)
    with (
        pytest.raises(ChesstoolsError, match="took longer"),
        answer([dataset], "FROM range(100000000000)", timeout_s=0.3) as found,
    ):
        for _ in found.batches:  # the time passes while rows are read
            pass


def test_a_query_that_takes_too_much_memory(dataset: Dataset) -> None:
    with pytest.raises(ChesstoolsError, match="needs more memory"):
        query(dataset, "SELECT list(repeat('x', 1000000)) FROM range(1000)", memory_mb=100)


def test_duckdb_shows_no_bar_of_its_own(dataset: Dataset) -> None:
    assert rows(dataset, "SELECT current_setting('enable_progress_bar')") == [(False,)]
