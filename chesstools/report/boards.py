"""The worst games of an archive, each with a board that can be stepped through to the move that is bad."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import chess
import chess.svg
import chess.variant

from chesstools import rules
from chesstools.report.model import Board, Problem, Step
from chesstools.report.page import board_svg
from chesstools.report.text import plain

if TYPE_CHECKING:
    import duckdb

MOST_GAMES = 12
MOST_PROBLEMS = 6
"""Findings that are told beside a board."""

BEFORE, AFTER = 400, 60
"""Plies kept before and after the bad move, so that one endless game does not fill the page."""

Row = Mapping[str, Any]
Key = tuple[str, int]

_COLOURS = {"margin": "#5d4733", "coord": "#f5ead8", "inner border": "#3f3022", "outer border": "#3f3022"}
_BAD = "#d9583f"

_SQUARE = re.compile("[a-h][1-8]")

_WORST = """
WITH bad AS (
    SELECT source, game_index, code, severity, bool_or(ply IS NOT NULL) AS placed
    FROM findings WHERE game_index IS NOT NULL AND severity IN ('error', 'warning')
    GROUP BY ALL
), ranked AS (
    SELECT bad.*, errors, warnings, row_number() OVER (
        PARTITION BY code ORDER BY severity, placed DESC, errors DESC, warnings DESC, source, game_index
    ) AS turn
    FROM bad JOIN games USING (source, game_index)
)
SELECT source, game_index
FROM ranked GROUP BY source, game_index, errors, warnings
ORDER BY bool_or(severity = 'error') DESC, min(turn), bool_or(placed) DESC, errors DESC, warnings DESC, source, game_index
LIMIT ?
"""
"""Errors before warnings; and one game for each rule before a second one for any, so that not all are alike."""


def worst_games(connection: duckdb.DuckDBPyConnection, most: int = MOST_GAMES) -> list[Board]:
    """The worst games among the views of `connection`, the worst first; none where no game has an error or a warning."""
    keys: list[Key] = [(source, index) for source, index in connection.execute(_WORST, [most]).fetchall()]
    if not keys:
        return []
    games, findings, plies = (_by_game(_rows(connection, table, keys)) for table in ("games", "findings", "plies"))
    return [
        _board(f"game-{number}", games[key][0], findings.get(key, []), plies.get(key, [])) for number, key in enumerate(keys, 1)
    ]


_COLUMNS = {
    "games": "line, byte_offset, white, black, event, site, date, round, result, rules, start_fen, final_fen",
    "plies": "ply, san_standard, uci",
    "findings": "* EXCLUDE (source, game_index)",
}
_ORDER = {"games": "line", "plies": "ply", "findings": "byte_offset, code"}


def _rows(connection: duckdb.DuckDBPyConnection, table: str, keys: Sequence[Key]) -> list[dict[str, Any]]:
    """All that a table has of these games."""
    wanted = ", ".join("(?, ?)" for _ in keys)
    result = connection.execute(
        f"SELECT source, game_index, {_COLUMNS[table]} FROM {table} WHERE (source, game_index) IN ({wanted}) "
        f"ORDER BY source, game_index, {_ORDER[table]}",
        [value for key in keys for value in key],
    )
    names = [description[0] for description in result.description or []]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def _by_game(rows: Sequence[dict[str, Any]]) -> dict[Key, list[dict[str, Any]]]:
    found: dict[Key, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault((row["source"], row["game_index"]), []).append(row)
    return found


def _board(name: str, game: Row, findings: Sequence[Row], plies: Sequence[Row]) -> Board:
    order = ("error", "warning", "info")
    findings = sorted(findings, key=lambda row: (order.index(row["severity"]), row["ply"] is None, row["ply"] or 0))
    board, steps = _steps(game, plies)
    worst = next((row for row in findings if _on_mainline(row)), None)
    bad: dict[int, list[str]] = {}
    if worst is not None and worst["ply"] == len(steps):  # the move that could not be played: the position before it once more
        steps.append(Step(steps[-1].men, (), f"{_number(board)} {plain(worst['token'], 20)} ✗"))
    for row in findings:
        if row["severity"] != "info" and _on_mainline(row) and row["ply"] < len(steps):
            bad.setdefault(row["ply"], []).extend(_squares(row, steps[row["ply"]]))
    start = min(worst["ply"], len(steps) - 1) if worst is not None else len(steps) - 1
    first = max(0, start - BEFORE)
    kept = steps[first : start + AFTER + 1]
    told = _told(findings)
    problems = [_problem(row, first, len(kept)) for row in told]
    title = f"{plain(game['white']) or '?'} – {plain(game['black']) or '?'}"
    facts = [plain(game[key]) for key in ("event", "site", "round", "date", "result") if game[key] not in (None, "", "?")]
    return Board(
        id=name,
        title=title,
        subtitle=", ".join(facts),
        place=f"{plain(game['source'])}: game {game['game_index']}, line {game['line']}, byte {game['byte_offset']}",
        svg=_svg(kept[start - first], bad.get(start, []), f"Board: {title}"),
        steps=kept,
        start=start - first,
        bad={ply - first: squares for ply, squares in bad.items() if 0 <= ply - first < len(kept)},
        problems=problems,
        more=len(findings) - len(told),
    )


def _told(findings: Sequence[Row]) -> list[Row]:
    """Those that are told beside the board: of each rule two at most."""
    seen: Counter[str] = Counter()
    told: list[Row] = []
    for row in findings:
        seen[row["code"]] += 1
        if seen[row["code"]] <= 2 and len(told) < MOST_PROBLEMS:
            told.append(row)
    return told


def _on_mainline(row: Row) -> bool:
    return row["ply"] is not None and row["variation"] is None


def _squares(row: Row, step: Step) -> list[str]:
    """What to mark: the squares that the finding names, or else those of the move."""
    evidence = row["evidence"] or {}
    named = [plain(evidence.get(key)) for key in ("square", "attacker")]
    found = _SQUARE.findall(plain(row["token"])) if not step.squares else list(step.squares)
    return sorted({*found, *(name for name in named if _SQUARE.fullmatch(name))})


def _problem(row: Row, first: int, shown: int) -> Problem:
    step = row["ply"] - first if _on_mainline(row) else None
    at = [f"line {row['line']}", f"byte {row['byte_offset']}"]
    if row["ply"] is not None:
        at.append(f"ply {row['ply']}" + (" of a variation" if row["variation"] is not None else ""))
    return Problem(
        code=row["code"],
        severity=row["severity"],
        message=plain(rules.render(row["code"], row), 500),
        place=", ".join(at),
        step=step if step is not None and 0 <= step < shown else None,
    )


def _steps(game: Row, plies: Sequence[Row]) -> tuple[chess.Board, list[Step]]:
    """The positions of the mainline as far as it was replayed; one empty board where the game has no start position."""
    try:
        board = _start(game)
        steps = [Step(board.board_fen(promoted=False), (), "Start position")]
        for row in plies:
            move = board.parse_uci(row["uci"])
            text = f"{_number(board)} {row['san_standard']}"
            squares = tuple(dict.fromkeys(square for square in _SQUARE.findall(row["uci"])))
            board.push(move)
            steps.append(Step(board.board_fen(promoted=False), squares, text))
    except (ValueError, AssertionError):  # rules that python-chess does not know, or reads in another way
        board = chess.Board()
        board.set_board_fen(_men(game["final_fen"]))
        steps = [Step(board.board_fen(), (), "Last position")]
    return board, steps


def _start(game: Row) -> chess.Board:
    kind = game["rules"] or "standard"
    if game["start_fen"] is None:
        raise ValueError("no start position")
    if kind in ("standard", "chess960"):
        return chess.Board(game["start_fen"], chess960=kind == "chess960")
    return chess.variant.find_variant(kind)(game["start_fen"])


def _men(fen: str | None) -> str:
    try:
        board = chess.Board(None)
        board.set_board_fen(re.sub(r"\[.*|~", "", (fen or "8/8/8/8/8/8/8/8").split()[0]))
    except ValueError:
        return "8/8/8/8/8/8/8/8"
    return board.board_fen()


def _number(board: chess.Board) -> str:
    return f"{board.fullmove_number}{'.' if board.turn == chess.WHITE else '...'}"


def _svg(step: Step, bad: Sequence[str], title: str) -> str:
    board = chess.Board(None)
    board.set_board_fen(step.men)
    fill = {chess.parse_square(square): _BAD for square in bad}
    return board_svg(chess.svg.board(board, fill=fill, colors=_COLOURS, size=320), title)
