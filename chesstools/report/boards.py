"""Games of an archive to look at, each with a board that can be stepped through to the move at which something was found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import chess
import chess.svg
import chess.variant

from chesstools import rules
from chesstools.report.model import Board, Problem, Step
from chesstools.report.page import board_svg
from chesstools.report.text import move_of, plain

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
_MARKS = {"error": "#d9583f", "noted": "#e3a93c"}
"""Squares without scripts; with them the style sheet marks them, and stripes those of warnings and infos."""

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


def games_to_look_at(
    connection: duckdb.DuckDBPyConnection, files: Mapping[str, str] | None = None, most: int = MOST_GAMES
) -> list[Board]:
    """Games with findings among the views of `connection`, the gravest first; none where no game has an error or a warning.

    `files` tells what sources are called on the page (`text.file_names`).
    Of each game no more is held than what is shown, however long it is and however much is wrong with it.
    """
    keys: list[Key] = [(source, index) for source, index in connection.execute(_WORST, [most]).fetchall()]
    return [_board(connection, f"game-{number}", key, files or {}) for number, key in enumerate(keys, 1)]


_GAME = """
SELECT source, game_index, line, byte_offset, white, black, event, site, date, round, result, rules, start_fen, final_fen,
    (SELECT count(*) FROM findings AS f WHERE f.source = $source AND f.game_index = $index) AS findings,
    (SELECT coalesce(max(ply), 0) FROM plies AS p WHERE p.source = $source AND p.game_index = $index) AS last
FROM games WHERE source = $source AND game_index = $index
"""

_ORDER = "list_position(['error', 'warning', 'info'], severity), ply IS NULL, coalesce(ply, 0), byte_offset, code"
_MAINLINE = "ply IS NOT NULL AND variation IS NULL"

_FINDINGS = f"""
SELECT * EXCLUDE (source, game_index)
FROM findings WHERE source = $source AND game_index = $index
QUALIFY row_number() OVER (PARTITION BY code ORDER BY {_ORDER}) <= 2
    OR ({_MAINLINE} AND row_number() OVER (PARTITION BY {_MAINLINE} ORDER BY {_ORDER}) = 1)
ORDER BY {_ORDER}
"""
"""Two findings of each rule, and the first of the mainline."""

_MARKED = f"""
SELECT ply, token, evidence, severity
FROM findings
WHERE source = $source AND game_index = $index AND {_MAINLINE} AND ply BETWEEN $first AND $last
QUALIFY row_number() OVER (PARTITION BY ply ORDER BY {_ORDER}) <= {MOST_PROBLEMS}
ORDER BY {_ORDER}
"""


def _rows(connection: duckdb.DuckDBPyConnection, sql: str, key: Key, **more: int) -> list[dict[str, Any]]:
    """What a query tells of a game."""
    result = connection.execute(sql, {"source": key[0], "index": key[1], **more})
    names = [description[0] for description in result.description or []]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def _moves(connection: duckdb.DuckDBPyConnection, key: Key, last: int) -> Iterator[tuple[str, str]]:
    """The moves of a game up to a ply, in UCI form and as they are written."""
    result = connection.execute(
        "SELECT uci, san_standard FROM plies WHERE source = ? AND game_index = ? AND ply <= ? ORDER BY ply", [*key, last]
    )
    while rows := result.fetchmany(10_000):
        yield from rows


def _board(connection: duckdb.DuckDBPyConnection, name: str, key: Key, files: Mapping[str, str]) -> Board:
    (game,) = _rows(connection, _GAME, key)
    findings = _rows(connection, _FINDINGS, key)
    worst = next((row for row in findings if _on_mainline(row)), None)
    # A move that could not be played is shown on the position before it, once more.
    unplayed = worst is not None and worst["ply"] == game["last"] + 1
    start = game["last"] if worst is None else min(worst["ply"], game["last"] + unplayed)
    first = max(0, start - BEFORE)
    try:
        board = _start(game)
        steps = _steps(board, _moves(connection, key, start + AFTER), first)
    except (ValueError, AssertionError):  # rules that python-chess does not know, or reads in another way
        board = _last(game)
        steps = [Step(board.board_fen(), (), "Last position")]
        unplayed = worst is not None and worst["ply"] == 1
        start, first = int(unplayed), 0
    if worst is not None and unplayed:
        steps.append(Step(steps[-1].men, (), f"{_number(board)} {plain(worst['token'], 20)} ✗"))
    bad: dict[int, list[str]] = {}
    noted: dict[int, list[str]] = {}
    for row in _rows(connection, _MARKED, key, first=first, last=first + len(steps) - 1):
        marks = bad if row["severity"] == "error" else noted
        marks.setdefault(row["ply"] - first, []).extend(_squares(row, steps[row["ply"] - first]))
    told = _told(findings)
    title = f"{plain(game['white']) or '?'} – {plain(game['black']) or '?'}"
    facts = [plain(game[key]) for key in ("event", "site", "round", "date", "result") if game[key] not in (None, "", "?")]
    return Board(
        id=name,
        title=title,
        subtitle=", ".join(facts),
        place=f"{plain(files.get(key[0], key[0]))}: game {game['game_index']}, line {game['line']}, byte {game['byte_offset']}",
        svg=_svg(steps[start - first], bad.get(start - first, []), noted.get(start - first, []), f"Board: {title}"),
        steps=steps,
        start=start - first,
        bad=bad,
        noted=noted,
        problems=[_problem(row, first, len(steps), _first_ply(game["start_fen"])) for row in told],
        more=game["findings"] - len(told),
    )


def _first_ply(start_fen: str | None) -> int:
    """The ply that a game begins with, counted from the usual array: 2 where Black has the first move.

    >>> _first_ply(None), _first_ply("8/8/8/8/8/8/8/K1k5 b - - 0 30")
    (1, 60)
    """
    fields = (start_fen or "").split()
    turn, number = (fields[1], fields[-1]) if len(fields) > 2 else ("w", "1")
    return 2 * int(number if number.isdecimal() else 1) - (turn != "b")


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


def _as_players_say(row: Row, first_ply: int) -> Row:
    """A finding whose message tells plies of the mainline with the number of the move too."""
    plies = {name: row[name] for name in ("first_ply", "last_ply") if row[name]} if row["variation"] is None else {}
    return {**row, **{name: f"{ply} ({move_of(ply, first_ply)})" for name, ply in plies.items()}}


def _problem(row: Row, first: int, shown: int, first_ply: int) -> Problem:
    step = row["ply"] - first if _on_mainline(row) else None
    at = [f"line {row['line']}", f"byte {row['byte_offset']}"]
    if row["ply"] is not None:
        if _on_mainline(row) and row["ply"] > 0:
            at.insert(0, f"{move_of(row['ply'], first_ply)} (ply {row['ply']})")
        else:
            at.insert(0, f"ply {row['ply']}" + (" of a variation" if row["variation"] is not None else ""))
    return Problem(
        code=row["code"],
        severity=row["severity"],
        message=plain(rules.render(row["code"], _as_players_say(row, first_ply)), 500),
        place=", ".join(at),
        step=step if step is not None and 0 <= step < shown else None,
    )


def _steps(board: chess.Board, moves: Iterator[tuple[str, str]], first: int) -> list[Step]:
    """The positions from that after ply `first` on; the board is left in the last one."""
    for uci, _ in islice(moves, max(0, first - 1)):
        board.push(chess.Move.from_uci(uci))  # not asked again whether it can be played, nor drawn
        board.clear_stack()
    steps = [] if first else [Step(board.board_fen(promoted=False), (), "Start position")]
    for uci, san in moves:
        move = board.parse_uci(uci)
        text = f"{_number(board)} {san}"
        board.push(move)
        steps.append(Step(board.board_fen(promoted=False), tuple(dict.fromkeys(_SQUARE.findall(uci))), text))
    return steps


def _start(game: Row) -> chess.Board:
    kind = game["rules"] or "standard"
    if game["start_fen"] is None:
        raise ValueError("no start position")
    if kind in ("standard", "chess960"):
        return chess.Board(game["start_fen"], chess960=kind == "chess960")
    return chess.variant.find_variant(kind)(game["start_fen"])


def _last(game: Row) -> chess.Board:
    """The men of the last position; an empty board where it is not known."""
    board = chess.Board(None)
    try:
        board.set_board_fen(re.sub(r"\[.*|~", "", (game["final_fen"] or "8/8/8/8/8/8/8/8").split()[0]))
    except ValueError:
        board.clear_board()
    return board


def _number(board: chess.Board) -> str:
    return f"{board.fullmove_number}{'.' if board.turn == chess.WHITE else '...'}"


def _svg(step: Step, bad: Sequence[str], noted: Sequence[str], title: str) -> str:
    board = chess.Board(None)
    board.set_board_fen(step.men)
    fill = {chess.parse_square(square): _MARKS["noted"] for square in noted}
    fill |= {chess.parse_square(square): _MARKS["error"] for square in bad}
    return board_svg(chess.svg.board(board, fill=fill, colors=_COLOURS, size=320), title)
