"""What is true of every scan, whatever the bytes: nothing raises, nothing is lost, and nothing depends on how it is read."""

from __future__ import annotations

import re
from typing import Any

import chess
import chess.pgn
import chess.variant
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from strategies import STARTS, any_bytes, archive, game_text, movetext, pgn_of, random_walk, sans

from chesstools.compression import HEAD_BYTES, sniff
from chesstools.profiles import get_profile
from chesstools.reference import comments, engine, lexer, replay, segment, values
from chesstools.reference.engine import Job, Position
from chesstools.reference.fen import read_fen
from chesstools.reference.lexer import Kind, tokens
from chesstools.reference.parallel import cut, judge_stretch
from chesstools.reference.segment import Segmenter
from chesstools.reference.window import Window
from chesstools.rules import Selection, get_rule, render
from chesstools.scan import games, scan, scan_source
from chesstools.schema import TABLES
from chesstools.source import Source
from chesstools.summary import SourceSummary

Rows = dict[str, list[dict[str, Any]]]


def rows(data: bytes, **options: Any) -> tuple[Rows, SourceSummary]:
    """All rows of all tables, and the counts."""
    scanned = scan(Source.from_bytes(data, "x"), **options)
    tables = {name: table.to_pylist() for name, table in scanned.to_tables().items()}
    return tables, scanned.summary.sources[0]


def as_text() -> st.SearchStrategy[bytes]:
    """Any bytes that are not taken for a compressed file or for UTF-16."""
    return any_bytes().filter(lambda data: sniff(data[:HEAD_BYTES]) is None and data[:2] not in (b"\xff\xfe", b"\xfe\xff"))


def naive_line(data: bytes, offset: int) -> int:
    before = data[:offset]
    return 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")


def check_everything(data: bytes, tables: Rows, summary: SourceSummary) -> None:
    """Counts reconcile; places lie where they say; findings are of the catalogue and can be put into words."""
    assert summary.bytes == summary.game_bytes + summary.quarantined_bytes == len(data)
    assert summary.games == len(tables["games"])
    assert sum(game["byte_length"] for game in tables["games"]) == summary.game_bytes
    assert [game["game_index"] for game in tables["games"]] == list(range(summary.games))
    assert sum(summary.results.values()) == summary.games
    assert summary.plies == len(tables["plies"]) == sum(game["legal_ply_count"] for game in tables["games"])
    assert sum(summary.findings.values()) == len(tables["findings"]) == sum(summary.severities.values())
    spans = {}
    for game in tables["games"]:
        start, end = game["byte_offset"], game["byte_offset"] + game["byte_length"]
        spans[game["game_index"]] = (start, end)
        assert game["line"] == naive_line(data, start)
        assert game["ply_count"] >= game["legal_ply_count"]
        found = [one for one in tables["findings"] if one["game_index"] == game["game_index"]]
        assert game["codes"] == sorted({one["code"] for one in found})
        assert [game["errors"], game["warnings"], game["infos"]] == [
            sum(one["severity"] == severity for one in found) for severity in ("error", "warning", "info")
        ]
        if game["final_fen"] is not None:
            assert game["final_status"] is None or game["final_status"] in ("checkmate", "stalemate", "dead", "none")
    for one in tables["findings"]:
        assert get_rule(one["code"]).active
        start, end = spans.get(one["game_index"], (0, len(data)))
        assert start <= one["byte_offset"] <= one["byte_offset"] + one["byte_length"] <= end
        assert one["line"] == naive_line(data, one["byte_offset"])
        message = render(one["code"], one)
        assert message
        assert "\n" not in message


@given(as_text())
@settings(max_examples=settings().max_examples * 2)
@example(b"")
@example(b"{")
@example("1.\u00a0e4 *".encode())
@example(b'[TimeControl "%b"]\n\n*' % (b"9" * 400))
@example(b'[FEN "8/8/8/8/8/8/8/8 w - - %b 1"]\n\n*' % (b"9" * 5000))
def test_any_bytes_are_read_and_accounted_for(data: bytes) -> None:
    tables, summary = rows(data)
    check_everything(data, tables, summary)


@given(any_bytes())
def test_utf16_is_read_as_text(data: bytes) -> None:
    text = data.decode("latin-1")
    assume(sniff(text.encode()[:HEAD_BYTES]) is None)
    tables, summary = rows(text.encode("utf-16"))
    plain, _ = rows(text.encode())
    assert tables["games"] == plain["games"]
    assert tables["plies"] == plain["plies"]
    assert summary.bytes == len(text.encode())


@given(as_text(), st.sampled_from([1, 2, 3, 7, 64]), st.sampled_from([1, 2, 3]))
def test_blocks_and_batches_do_not_matter(data: bytes, block_bytes: int, batch_games: int) -> None:
    assert rows(data, block_bytes=block_bytes, batch_games=batch_games) == rows(data)


@given(as_text())
def test_tables_do_not_depend_on_one_another(data: bytes) -> None:
    tables, _ = rows(data)
    for name in TABLES:
        assert rows(data, tables=[name])[0] == {name: tables[name]}


def step_rows(steps: list[engine.Step]) -> Rows:
    return {name: [row for step in steps for row in step.batches[name].to_pylist()] for name in TABLES}


@given(as_text(), st.integers(1, 2))
def test_reading_goes_on_from_any_step(data: bytes, batch_games: int) -> None:
    source = Source.from_bytes(data, "x")
    steps = list(scan_source(source, batch_games=batch_games))
    for number, step in enumerate(steps, 1):
        rest = list(scan_source(source, start=step.end, batch_games=batch_games))
        assert step_rows(rest) == step_rows(steps[number:])
        assert [one.end for one in rest] == [one.end for one in steps[number:]]
    assert not steps or steps[-1].end.byte_offset == len(data)


@given(as_text())
def test_stretches_for_other_processes_give_the_same(data: bytes) -> None:
    """What several processes do, done in this one."""
    job = Job("x", TABLES, get_profile("fide-2023"), Selection(), 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "STEP_BYTES", 50)
        patch.setattr("chesstools.reference.parallel.STEP_BYTES", 50)
        apart = [judge_stretch(job, stretch) for stretch in cut(Segmenter(Window([data])), 0, 1)]
        steps = list(scan_source(Source.from_bytes(data, "x"), batch_games=1))
    assert step_rows(apart) == step_rows(steps)
    assert [step.end for step in apart] == [step.end for step in steps]
    assert [step.summary for step in apart] == [step.summary for step in steps]


@given(as_text())
def test_over_the_limits(data: bytes) -> None:
    """With limits so low that every text is over them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segment, "MAX_GAME_BYTES", 80)
        patch.setattr(segment, "MAX_GAME_TOKENS", 15)
        patch.setattr(lexer, "MAX_COMMENT_BYTES", 20)
        patch.setattr(lexer, "MAX_TAG_LINE_BYTES", 40)
        patch.setattr(replay, "MAX_VARIATION_DEPTH", 1)
        check_everything(data, *rows(data))


CORNERS = b"""[Event "a"]

1. e4 (1. d4 1-0

   [Event x]
[Site "y"]

1. d4 {open

[Event "c"]
[Site "d"]

1. Nf3 {a {b} c} Nf6 2. Ng1 *
[x y] [Event "e"]

{b} 1. e4 e5 2. Ke3 *

prose

1. e4 M\xfcller *
"""


def test_several_processes_give_the_same() -> None:
    data = CORNERS + b"".join(pgn_of(start, sans(start, moves)) for start, moves in (random_walk(seed, 20) for seed in range(6)))
    assert rows(data, jobs=2, batch_games=1) == rows(data, batch_games=1)


def test_several_processes_go_on_in_the_middle() -> None:
    source = Source.from_bytes(CORNERS, "x")
    steps = list(scan_source(source, batch_games=1))
    middle = steps[1].end
    assert step_rows(list(scan_source(source, start=middle, jobs=2, batch_games=1))) == step_rows(steps[2:])


# ------------------------------------------------------------------------------------- games side by side


def moved(tables: Rows, by: Position) -> Rows:
    """The rows as they are if the text stands behind other text."""

    def move(row: dict[str, Any]) -> dict[str, Any]:
        row = dict(row)
        if row.get("game_index") is not None:
            row["game_index"] += by.game_index
        if "byte_offset" in row:
            row["byte_offset"] += by.byte_offset
            row["line"] += by.line - 1
        return row

    return {name: [move(row) for row in found] for name, found in tables.items()}


def stands_alone(data: bytes) -> bool:
    """Whether a text is complete: one more game behind it, with tags and a blank line before, cannot be taken for part of it.

    It must hold no comment whose end may be looked for in what follows, and end with a game that has its result, so that the
    blank line behind it is the end of that game.
    """
    if any(token.kind in (Kind.OPEN_COMMENT, Kind.INNER_BRACE_COMMENT) for token in tokens(data)):
        return False
    found = list(Segmenter(Window([data])))
    return bool(found) and found[-1].is_game and found[-1].terminator == len(found[-1].tokens) - 1


LAST_GAME = b'\n\n[Event "last"]\n[Site "?"]\n\n1. e4 *\n\n'


def begins_with_tags(data: bytes) -> bool:
    """Whether a text begins with a well-formed tag line, so that a game begins there whatever stands before it."""
    return re.match(rb'\[[A-Za-z0-9_]+ "[^"\\\r\n]*"\][\r\n]', data) is not None


@given(archive(closed=True, max_games=2), archive(max_games=2))
@settings(max_examples=settings().max_examples // 2)
def test_files_joined_are_results_joined(first: bytes, second: bytes) -> None:
    """The separator that this needs: the first file ends with a finished game and a blank line, the second begins with a tag."""
    first = first + LAST_GAME
    second = b'[Event "second"]\n' + second
    assume(stands_alone(first))
    assert begins_with_tags(second)
    one, counts = rows(first)
    other, more = rows(second)
    place = Position(len(first), naive_line(first, len(first)), counts.games)
    shifted = moved(other, place)
    both, together = rows(first + second)
    for name in TABLES:
        assert both[name] == one[name] + shifted[name]
    counts.merge(more)
    assert together == counts


@given(game_text(closed=True), archive(broken=False, max_games=1), archive(broken=False, max_games=1))
@settings(max_examples=settings().max_examples // 2)
def test_a_game_is_judged_without_regard_to_its_neighbours(text: bytes, before: bytes, after: bytes) -> None:
    """Broken as it may be: what is found in a game between good ones is what is found in it alone."""
    text = b'[Event "alone"]\n' + text + LAST_GAME
    before = before + LAST_GAME
    assume(stands_alone(text) and stands_alone(before))
    alone, counts = rows(text)
    around, _ = rows(before + text + b'[Event "after"]\n' + after)
    place = Position(len(before), naive_line(before, len(before)), rows(before)[1].games)
    expected = moved(alone, place)
    first, last = place.game_index, place.game_index + counts.games
    for name in ("games", "plies"):
        assert [row for row in around[name] if first <= row["game_index"] < last] == expected[name]
    begin, end = len(before), len(before) + len(text)
    assert [row for row in around["findings"] if begin <= row["byte_offset"] < end] == expected["findings"]


@given(archive(), st.sampled_from([b"\r\n", b"\r"]))
def test_line_breaks_of_other_systems_change_nothing(data: bytes, line_break: bytes) -> None:
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    one, _ = rows(data)
    other, _ = rows(data.replace(b"\n", line_break))
    for mine, theirs in zip(one["findings"], other["findings"], strict=True):
        for column in ("game_index", "code", "severity", "line", "ply", "variation", "fen_before"):
            assert mine[column] == theirs[column]
    for column in ("tags", "ply_count", "final_fen", "result_value", "codes", "moves_hash", "comment"):
        assert [game[column] for game in one["games"]] == [game[column] for game in other["games"]]


# --------------------------------------------------------------------------------------------- python-chess


@given(as_text())
@example(b'[Variant "Bughouse"]\n\n1. e4 *')
@example(b'[Variant "Atomic"]\n[FEN "none"]\n\n1. e4 *')
@example(b'[Event "a\nb"]\n[Site "\\\r"]\n\n1. e4 {a } b} *')
def test_games_can_be_handed_to_python_chess(data: bytes) -> None:
    for game in games(Source.from_bytes(data)):
        node = game.to_chess()
        assert [child.move for child in node.mainline()] == [ply.move for ply in game.moves]
        assert node.accept(chess.pgn.StringExporter())
        if game.final_fen is not None and game.facts.start.rules in ("standard", "chess960"):
            assert node.end().board().fen() == game.final_fen


VARIANTS = [chess.Board, *chess.variant.VARIANTS]
FEN_SIGNS = "KQRBNPkqrbnp12345678/9~wb- KQkqAHah abcdefgh36 0 1 99 -1 +[]xhmvc;"
REFUSED = (
    chess.STATUS_NO_WHITE_KING
    | chess.STATUS_NO_BLACK_KING
    | chess.STATUS_TOO_MANY_KINGS
    | chess.STATUS_PAWNS_ON_BACKRANK
    | chess.STATUS_BAD_CASTLING_RIGHTS
    | chess.STATUS_INVALID_EP_SQUARE
    | chess.STATUS_OPPOSITE_CHECK
    | chess.STATUS_EMPTY
)


@st.composite
def fens(draw: st.DrawFn) -> str:
    """Good FENs with something changed, and texts that look like FENs from far away."""
    if draw(st.booleans()):
        return draw(st.one_of(st.text(max_size=40), st.text(FEN_SIGNS, max_size=60)))
    text = draw(st.sampled_from([*STARTS, chess.STARTING_FEN, "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        insert = draw(st.one_of(st.just(""), st.text(FEN_SIGNS, min_size=1, max_size=2)))
        text = text[:at] + insert + text[at + draw(st.integers(0, 2)) :]
    return text


@given(fens(), st.booleans(), st.sampled_from(VARIANTS))
@settings(max_examples=settings().max_examples * 4)
@example("4k3/8/8/8/8/8/8/4K2R w KQkq e3 0 1", False, chess.Board)
@example("k7/8/KQ6/8/8/8/8/8 w 0- - 0 1", False, chess.variant.SuicideBoard)
@example("٣k٤/8/8/8/8/8/8/4K3 w - - ٠ ١", False, chess.Board)
def test_any_fen_is_read(text: str, chess960: bool, variant: type[chess.Board]) -> None:
    setup = read_fen(text, chess960=chess960, variant=variant)
    assert all(get_rule(code).active for code, _ in setup.problems)
    board = setup.board
    if board is None:
        assert setup.problems
        return
    assert not board.status() & (REFUSED if variant is chess.Board else chess.STATUS_OPPOSITE_CHECK)
    again = type(board)(board.fen(), chess960=board.chess960)
    assert again.fen() == board.fen()
    assert list(board.legal_moves) == list(again.legal_moves)
    if not setup.problems and variant is chess.Board:
        assert chess.Board(text, chess960=board.chess960).fen() == board.fen()


VARIANT_NAMES = ["Chess960", "From Position", *(variant.aliases[0] for variant in chess.variant.VARIANTS)]


@given(fens(), st.sampled_from(VARIANT_NAMES), movetext())
@settings(max_examples=settings().max_examples * 2)
def test_games_of_any_variant_are_read(fen: str, variant: str, text: bytes) -> None:
    fen = fen.replace("\\", "").replace('"', "")
    data = f'[SetUp "1"]\n[FEN "{fen}"]\n[Variant "{variant}"]\n\n'.encode("utf-8", "replace") + text + b" *\n"
    check_everything(data, *rows(data))


@given(st.one_of(st.text(), st.text("0123456789.:?-+/*= '½–abcXn")))
def test_any_value_is_read(text: str) -> None:
    """Values of tags are parsed or null."""
    date = values.parse_date(text)
    assert date is None or date.value is None or date.value.strftime("%Y")
    assert values.parse_elo(text) is None or 0 < int(text) <= values.MAX_ELO
    control = values.parse_time_control(text)
    assert control is None or control.stages
    assert values.normalise_result(text) in (None, "1-0", "0-1", "1/2-1/2", "*")
    values.parse_termination(text)


COMMAND_PIECES = ["[%clk ", "[%emt ", "[%eval ", "[%csl ", "]", "0:01:02", "0:01:02.5", "-0:00:01", "1:99", "99999:00:00"]
COMMAND_PIECES += [
    "0.17",
    "-3.5,20",
    "0,17",
    "#3",
    "#-12,30",
    "M5",
    "-M5",
    "+M12",
    "x",
    " ",
    "  ",
    "\n",
    "\r\n",
    "\t",
    "é",
    "\u00a0",
]
COMMAND_PIECES += [
    "+0.31/12 3.4s",
    "-M7/20",
    "M3/9 0.01s",
    "book",
    "d=12, ",
    "sd=30, ",
    "mt=1000, ",
    "mt=00:00:01, ",
    "tl=90000, ",
]
COMMAND_PIECES += ["wv=0.31, ", "wv=-M12, ", "wv=#5, ", "=", ","]


@given(st.one_of(st.text(), st.lists(st.sampled_from(COMMAND_PIECES), max_size=12).map("".join)))
@settings(max_examples=settings().max_examples * 5)
def test_any_comment_is_read(text: str) -> None:
    into = comments.Annotations()
    last = 0
    for fault in comments.read_commands(text, into):
        assert last <= fault.start < fault.end <= len(text)
        assert text[fault.start : fault.end] == fault.text
        last = fault.end
    comments.read_tcec(text, into)
    comments.read_engine(text, into, white_moved=True)
    assert "\n" not in comments.normalise(text)
    for limit, value in (
        (31, into.eval_cp),
        (31, into.eval_mate),
        (15, into.eval_depth),
        (63, into.clock_ms),
        (63, into.elapsed_ms),
    ):
        assert value is None or abs(value) < 1 << limit
