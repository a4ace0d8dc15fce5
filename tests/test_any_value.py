"""FENs, tag values and comments of any kind are read; and what was read can be handed to python-chess."""

from __future__ import annotations

import chess
import chess.pgn
import chess.variant
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scanned import check_everything, rows
from strategies import as_text, movetext
from walks import STARTS

from chesstools.catalogue_text import translated
from chesstools.reference import comments, values
from chesstools.reference.fen import read_fen
from chesstools.rules import get_rule
from chesstools.scan import games
from chesstools.source import Source
from chesstools.time_control import KINDS, TimeControl


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
@example("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Kk - 0 1", False, chess.Board)
@example("4k3/8/8/b7/7b/8/8/4K3 w - - 0 1", False, chess.Board)
@example("", False, chess.variant.CrazyhouseBoard)
@example("\u3000 \u3000", False, chess.variant.CrazyhouseBoard)
@example("4k3/8/8/8/8/8/8/4K3", False, chess.variant.CrazyhouseBoard)
@example("/4k3/8/8/8/8/8/8/4K3 w - - 0 1", False, chess.variant.CrazyhouseBoard)
@example("4k3/8/8/8/8/8/8/4K3 w - - 0 1 1+2+3", False, chess.variant.ThreeCheckBoard)
def test_any_fen_is_read(text: str, chess960: bool, variant: type[chess.Board]) -> None:
    setup = read_fen(text, chess960=chess960, variant=variant)
    assert all(get_rule(code).active for code, _ in setup.problems)
    for reason in (str(evidence["reason"]) for _, evidence in setup.problems):
        assert translated(reason, "zh") != reason
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


@given(st.one_of(st.text(), st.text("0123456789.:?-+/*= '½–abcdXn")))
@example("9" * 400)
@example("1.5e9+1")
def test_any_value_is_read(text: str) -> None:
    """Values of tags are parsed or null."""
    date = values.parse_date(text)
    assert date is None or date.value is None or date.value.strftime("%Y")
    assert values.parse_elo(text) is None or 0 < int(text) <= values.MAX_ELO
    control = TimeControl.parse(text)
    assert control is None or control.kind in KINDS
    assert control is None or TimeControl.parse(str(control)) == control
    assert control is None or control.base_s is None or control.base_s < 1e9  # not infinite
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
