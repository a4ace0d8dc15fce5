"""The openings of games beside what their sources tell: the ECO and Opening tags, and whether these fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from chesstools.eco_tag import code_sql
from chesstools.openings.named import add_game_openings
from chesstools.openings.names import load
from chesstools.scan import scan
from chesstools.source import Source

if TYPE_CHECKING:
    import duckdb

GAMES_AT_ONCE = 5_000

_PLAIN = r"\s*[A-E][0-9][0-9]\s*"
"""Tags that T126 judges: codes without anything finer (and not A00)."""


def make_told(connection: duckdb.DuckDBPyConnection, engine: str | None = None) -> None:
    """Make the temporary tables `game_openings` and `told_openings` (see `GAMES`) in a connection with the views games and plies.

    T126 is optional, so most datasets do not have it: games whose code is of another family than their moves are judged again,
    by their code and first moves alone, which is all that the rule looks at.
    """
    add_game_openings(connection)
    connection.execute(
        f"""
        CREATE TEMP TABLE told_openings AS
        SELECT
            source, game_index, {code_sql()} AS code, eco_by_moves,
            rules = 'standard' AND code != 'A00' AND regexp_full_match(eco, '{_PLAIN}') AS is_judged,
            left(code, 2) != left(eco_by_moves, 2) AS is_far,
            is_judged AND is_far AS in_doubt,
            CASE WHEN is_judged AND NOT is_far THEN false END AS contradicted,
            row_number() OVER (PARTITION BY in_doubt ORDER BY source, game_index) - 1 AS number
        FROM games JOIN game_openings USING (source, game_index)
        WHERE code IS NOT NULL"""
    )
    connection.execute(
        f"""
        CREATE TEMP TABLE told_lines AS
        SELECT number, any_value(code) AS code, string_agg(san_standard, ' ' ORDER BY ply) AS moves
        FROM plies JOIN told_openings USING (source, game_index)
        WHERE in_doubt AND ply <= {load().depth} GROUP BY number"""
    )
    (count,) = connection.sql("SELECT count(*) FROM told_lines").fetchall()[0]
    found = [start + index for start in range(0, count, GAMES_AT_ONCE) for index in _contradicted(connection, start, engine)]
    connection.from_arrow(pa.table({"number": pa.array(found, pa.int64())})).create_view("told_found")
    connection.execute("UPDATE told_openings SET contradicted = number IN (FROM told_found) WHERE in_doubt")


def _contradicted(connection: duckdb.DuckDBPyConnection, start: int, engine: str | None) -> list[int]:
    """Which of the lines from `start` on T126 tells of, counted from there."""
    lines = connection.sql(
        f"SELECT code, moves FROM told_lines WHERE number >= {start} AND number < {start + GAMES_AT_ONCE} ORDER BY number"
    ).fetchall()
    text = "".join(f'[ECO "{code}"]\n\n{moves} *\n\n' for code, moves in lines)
    findings = scan(Source.from_bytes(text.encode(), "openings"), select="T126", tables=("findings",), engine=engine)
    found: list[int] = findings.to_tables()["findings"]["game_index"].to_pylist()
    return found


def games_sql() -> str:
    """SQL of the table of games, in the order of its rows, after `make_told`."""
    return """
        SELECT
            source, game_index, line, eco, opening, opens.eco_by_moves, opening_by_moves, opening_family, opening_ply,
            told.code = opens.eco_by_moves AS eco_agrees, told.contradicted AS eco_contradicted
        FROM games
        LEFT JOIN game_openings AS opens USING (source, game_index)
        LEFT JOIN told_openings AS told USING (source, game_index)
        ORDER BY source, game_index"""
