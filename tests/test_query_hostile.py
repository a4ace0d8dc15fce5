"""What SQL from anybody must not do: write, read other files, reach the network, change settings."""

from __future__ import annotations

import duckdb
import pyarrow as pa
import pytest

from chesstools import ChesstoolsError, Dataset, OptionError, ingest, query
from chesstools.given import opened
from chesstools.source import Source
from chesstools.sql.locked import makes_something, statements
from chesstools.sql.running import answer

GAME = b'[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n'

HOSTILE = [
    # Statements that do more than ask.
    "COPY games TO '{out}'",
    "COPY (SELECT 1) TO '{part}' (FORMAT parquet)",
    "COPY (PIVOT plies ON role USING count(*)) TO '{part}'",
    "COPY games FROM '{secret}'",
    "EXPORT DATABASE '{out}'",
    "IMPORT DATABASE '{out}'",
    "ATTACH '{out}' AS other",
    "ATTACH ':memory:' AS other; CREATE TABLE other.t AS SELECT 1; SELECT 1",
    "ATTACH '{secret}' AS other (TYPE sqlite)",
    "INSTALL httpfs",
    "LOAD '{secret}'",
    "FORCE INSTALL httpfs FROM 'http://localhost:1'",
    "UPDATE EXTENSIONS",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "SET memory_limit = '64GB'",
    "SET allowed_paths = ['{secret}']",
    "RESET memory_limit",
    "PRAGMA enable_profiling = 'json'",
    "PRAGMA profiling_output = '{out}'",
    "PRAGMA database_list",
    "CALL enable_logging(storage = 'file', storage_path = '{out}')",
    "CHECKPOINT",
    "CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b')",
    "CREATE PERSISTENT SECRET s (TYPE http, BEARER_TOKEN 'a')",
    "CREATE SCHEMA s",
    "EXPLAIN ANALYZE COPY games TO '{out}'",
    "EXPLAIN /* a */ ANALYZE -- b\n COPY (SELECT 1) TO '{part}'",
    "SELECT 1; COPY games TO '{out}'; SELECT 2",
    "PREPARE p AS COPY games TO '{out}'; EXECUTE p",
    "USE memory",
    "BEGIN; SELECT 1; COMMIT",
    "INSERT INTO games SELECT * FROM games",
    "DELETE FROM games",
    "DROP VIEW games",
    "VACUUM",
    # Questions that look elsewhere.
    "SELECT * FROM '{secret}'",
    "SELECT * FROM read_csv('{secret}')",
    "SELECT * FROM read_text('{secret}')",
    "SELECT * FROM read_blob('{folder}/*')",
    "SELECT * FROM read_json_auto('{secret}')",
    "SELECT * FROM read_parquet('{secret}')",
    "SELECT * FROM parquet_metadata('{secret}')",
    "SELECT * FROM sniff_csv('{secret}')",
    "SELECT * FROM glob('{folder}/*')",
    "SELECT * FROM read_parquet(['{part}', '{secret}'])",
    "SELECT * FROM read_text('{part}/../../../secret.txt')",
    "SELECT * FROM read_text('file://{secret}')",
    "SELECT * FROM read_csv('http://localhost:1/x.csv')",
    "SELECT * FROM 's3://bucket/x.parquet'",
    "SELECT * FROM read_text('/dev/stdin')",
    "SELECT * FROM read_text('/proc/self/environ')",
    "SELECT getenv('PATH')",
    "SELECT * FROM query('COPY games TO ''{out}''')",
    "CREATE MACRO look() AS TABLE SELECT * FROM read_text('{secret}'); FROM look()",
    "CREATE VIEW v AS SELECT * FROM read_text('{secret}'); FROM v",
    "SELECT * FROM hidden_variable",
    "SELECT * FROM python_map_function(1, 2)",
    "SELECT * FROM arrow_scan(1, 2, 3)",
    "SELECT * FROM pandas_scan(1)",
    "SELECT * FROM read_duckdb('{secret}')",
    "SELECT * FROM query_table('{secret}')",
    "SELECT * FROM duckdb_extensions()",
]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "secret.txt").write_text("a,b\nsecret,2\n")
    ingest(Source.from_bytes(GAME, "blitz.pgn"), folder / "dataset")
    return Dataset.open(folder / "dataset")


@pytest.mark.parametrize("sql", HOSTILE)
def test_what_sql_must_not_do(small: Dataset, sql: str) -> None:
    folder = small.path.parent
    hidden_variable = pa.table({"a": [1]})
    before = {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    words = {"out": folder / "out", "part": small.files("games")[0], "secret": folder / "secret.txt", "folder": folder}
    with pytest.raises(ChesstoolsError) as error:
        query(small, sql.format(**words))
    assert "secret,2" not in str(error.value)
    assert "took longer" not in str(error.value)
    assert {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()} == before
    assert hidden_variable.num_rows == 1


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "(SELECT 1)",
        "FROM games",
        "WITH a AS (SELECT 1) FROM a",
        "VALUES (1)",
        "DESCRIBE games",
        "SUMMARIZE plies",
        "SHOW TABLES",
        "EXPLAIN SELECT 1",
        "EXPLAIN ANALYZE SELECT count(*) FROM games",
        "PIVOT plies ON role USING count(*)",
        "SELECT * FROM (PIVOT plies ON role USING count(*))",
        "PIVOT plies ON role IN ('pawn', 'king') USING count(*)",
        "-- a remark\nSELECT /* another */ 1;",
        "CREATE OR REPLACE TEMP VIEW mates AS FROM games WHERE final_status = 'checkmate'; FROM mates",
    ],
)
def test_what_sql_may_do(small: Dataset, sql: str) -> None:
    assert query(small, sql, arrow=True).num_columns >= 1


def test_settings_are_locked_whatever_the_statements(small: Dataset) -> None:
    """Even if a statement slipped through: the database itself refuses."""
    import duckdb

    from chesstools.database import connect
    from chesstools.sql.locked import lock

    folder = small.path.parent
    with connect([small]) as connection:
        lock(connection, small.files("games"))
        for sql in (
            f"COPY (SELECT 1) TO '{folder / 'out'}'",
            f"ATTACH '{folder / 'out'}'",
            "SET enable_external_access = true",
            "SET python_enable_replacements = true",
            "INSTALL httpfs",
            "LOAD httpfs",
            f"EXPORT DATABASE '{folder / 'out'}'",
            f"FROM read_text('{folder / 'secret.txt'}')",
        ):
            with pytest.raises(duckdb.Error):
                connection.execute(sql)
    assert not (folder / "out").exists()


def test_a_dataset_is_never_written_to() -> None:
    """The files of a dataset may be opened, so that what writes must not get as far."""
    for sql in (
        "COPY (FROM games) TO 'x'",
        "/* */ COPY games TO 'x'",
        "EXPLAIN ANALYZE (COPY games TO 'x')",
        "EXPORT DATABASE 'x'",
    ):
        with pytest.raises(OptionError):
            statements(sql)


@pytest.mark.parametrize(
    "start",
    ["/**/" * 5000, "/* /* SELECT */ */" * 100, "-- a\n" * 5000 + " " * 5000, "\n" * 50_000],
    ids=["c", "nested", "lines", "n"],
)
def test_comments_before_a_statement_cost_nothing(start: str) -> None:
    assert len(statements(f"{start}SELECT 1")) == 1
    assert not makes_something(f"{start}SELECT 1")
    assert makes_something(f"{start}CREATE{start} TABLE t AS SELECT 1")
    assert len(statements(f"{start}CREATE{start}\tOR {start}REPLACE {start} VIEW t AS SELECT 1")) == 1
    assert len(statements(f"{start} EXPLAIN {start} ANALYZE é{start}".replace("é", "FROM 'é'"))) == 1
    with pytest.raises(OptionError, match=r"^COPY is not allowed here"):
        statements(f"{start}COPY {start} games TO 'games.csv'")


def test_a_comment_does_not_hide_what_is_made() -> None:
    with pytest.raises(OptionError, match=r"^What this CREATE does is not allowed here"):
        statements("CREATE /* /* */ TABLE */ SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b')")


def test_a_long_message_is_cut() -> None:
    with pytest.raises(OptionError) as told, answer([], 'SELECT "' + "\n" * 200_000 + '"'):
        pass
    assert len(str(told.value)) < 600


@pytest.mark.parametrize("name", ["add_game_openings", "add_named_positions"])
def test_time_and_memory_hold_for_the_tables_of_openings_too(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(connection: duckdb.DuckDBPyConnection) -> None:
        connection.execute(
            "CREATE TABLE t AS SELECT count(*) FROM range(100000000) a, range(100000) b WHERE a.range % 7 = b.range"
        )

    def large(connection: duckdb.DuckDBPyConnection) -> None:
        raise duckdb.OutOfMemoryException("all")

    table = name.removeprefix("add_")
    with opened(Source.from_bytes(GAME, "a.pgn")) as given:
        monkeypatch.setattr(f"chesstools.sql.running.{name}", endless)
        with (
            pytest.raises(ChesstoolsError, match=r"longer than 0\.2 seconds"),
            answer(given.datasets, f"FROM {table}", timeout_s=0.2),
        ):
            pass
        monkeypatch.setattr(f"chesstools.sql.running.{name}", large)
        with pytest.raises(ChesstoolsError, match="needs more memory"), answer(given.datasets, f"FROM {table}"):
            pass
