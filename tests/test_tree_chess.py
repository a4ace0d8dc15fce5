"""Game trees and python-chess: it reads what is written, and finds the same tree; and games of it become trees."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import replace

import chess
import chess.pgn
import pytest
import tree_strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import FULL
from trees import as_written, read, trees

from chesstools.errors import OptionError
from chesstools.tree import Comment, GameTree, Item, Move, Nag, Unread, Variation

MUCH = settings(max_examples=3000 if FULL else 80)


def as_python_chess_has_it(tree: GameTree) -> GameTree:
    """A tree with the order that python-chess knows: NAGs by number, one comment, variations; those that begin a variation
    stand beside it."""
    return GameTree.from_chess(as_written(tree).to_chess())


def blanks_as_one(tree: GameTree) -> GameTree:
    """A tree with one blank for any run of white space in comments, and none at their ends: where a line was broken is lost."""

    def items(found: list[Item]) -> list[Item]:
        made: list[Item] = []
        for item in found:
            if isinstance(item, Comment):
                text = " ".join(item.text.split())
                if text:
                    made.append(Comment(text))
            elif isinstance(item, Variation):
                made.append(Variation(items(item.before), moves(item.moves), item.rest))
            else:
                made.append(item)
        return made

    def moves(found: list[Move]) -> list[Move]:
        return [Move(move.san, move.uci, items(move.after)) for move in found]

    return replace(tree, before=items(tree.before), moves=moves(tree.moves))


@MUCH
@given(tree_strategies.trees(clean=True), st.sampled_from([0, 20, 80]))
def test_python_chess_finds_the_same_tree(tree: GameTree, width: int) -> None:
    text = tree.to_pgn(line_width=width)
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    found, expected = GameTree.from_chess(game), as_python_chess_has_it(tree)
    named = dict(tree.tags)
    # python-chess has its own forms of FEN and Variant, and fills the roster.
    assert {name: value for name, value in found.tags if name in named and name not in START} == {
        name: value for name, value in named.items() if name not in START
    }
    assert blanks_as_one(replace(found, tags=[], result=None)) == blanks_as_one(replace(expected, tags=[], result=None))
    assert game.headers["Result"] in (named.get("Result"), as_written(tree).result)


START = ("FEN", "SetUp", "Variant", "Result")


@MUCH
@given(tree_strategies.trees())
def test_what_python_chess_has_no_place_for_is_counted(tree: GameTree) -> None:
    left: Counter[str] = Counter()
    game = tree.to_chess(left)
    again = GameTree.from_chess(game)
    again.check()
    assert [move.san for move in again.moves] == [move.san for move in tree.moves]
    assert left["tails"] >= (tree.rest is not None)
    assert left["behind"] == (tree.behind is not None)
    if not +left:
        # Nothing is lost but order: all comments and NAGs are there.
        assert sorted(texts(again)) == sorted(texts(tree))


def texts(tree: GameTree) -> list[str]:
    """All words of comments, all NAGs and all moves."""
    found: list[str] = []
    todo: list[GameTree | Variation] = [tree]
    while todo:
        line = todo.pop()
        for items in (line.before, *(move.after for move in line.moves)):
            for item in items:
                if isinstance(item, Comment):
                    found += item.text.split(" ")
                elif isinstance(item, Nag):
                    found.append(f"${item.number}")
                elif isinstance(item, Variation):
                    todo.append(item)
        found += [move.san for move in line.moves]
    return found


def test_games_of_python_chess_become_trees() -> None:
    text = '[Event "x \\"y\\""]\n[Result "1-0"]\n\n{ before } 1. e4 $2 $1 { a } ( { b } 1. d4 d5 ) ( 1. c4 ) 1... e5 2. -- 1-0\n'
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    tree = GameTree.from_chess(game)
    assert tree.tag("Event") == 'x "y"'
    assert tree.result == "1-0"
    assert tree.to_pgn(line_width=0).split("\n\n")[1] == (
        "{ before } 1. e4 $1 $2 { a } ({ b } 1. d4 d5) (1. c4) 1... e5 2. -- 1-0"
    )


def test_a_game_of_python_chess_with_an_illegal_move_is_refused() -> None:
    game = chess.pgn.Game()
    game.add_variation(chess.Move.from_uci("e2e5"))
    with pytest.raises(OptionError, match=r"^e2e5 is no legal move in rnbqkbnr/"):
        GameTree.from_chess(game)
    game = chess.pgn.Game({"FEN": "x"})
    with pytest.raises(OptionError, match=r"^The game has no position to start from: "):
        GameTree.from_chess(game)


def test_the_game_object_holds_the_tree() -> None:
    (game,) = read('[White "Alder"]\n\n1.e4! {c}(1.d4;x\n) e5 2.Ke3 {d} Nf6 1-0 foo')
    tree = game.tree
    assert tree == GameTree(
        tags=[("White", "Alder")],
        moves=[
            Move("e4", "e2e4", [Nag(1), Comment("c"), Variation(moves=[Move("d4", "d2d4", [Comment("x")])])]),
            Move("e5", "e7e5"),
        ],
        rest="2.Ke3 { d } Nf6",
        result="1-0",
        behind="foo",
    )
    assert game.to_pgn() == tree.to_pgn()
    assert trees(game.to_pgn()) == [tree]
    assert game.tree is not tree


def test_moves_of_any_notation_make_a_tree() -> None:
    tree = GameTree.from_moves(["e2e4", "e7-e5", "Ng1-f3", "Nc6", "--", "a6"], [("White", "Alder")], "*")
    assert [move.san for move in tree.moves] == ["e4", "e5", "Nf3", "Nc6", "--", "a6"]
    tree.check()
    black = GameTree.from_moves(["O-O-O"], [("FEN", "r3k3/8/8/8/8/8/8/4K3 b q - 0 1")])
    assert [move.uci for move in black.moves] == ["e8c8"]
    with pytest.raises(OptionError, match=r"^moves\[1\] is 'Nf9'; Black has no such move in move 1\.$"):
        GameTree.from_moves(["e4", "Nf9"])
    with pytest.raises(OptionError, match=r"^No game can start from the position"):
        GameTree.from_moves([], [("FEN", "8/8/8/8/8/8/8/8 w - - 0 1")])


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (GameTree(moves=[Move("e4", "e2e3")]), r"^moves\[0\] is 'e4', 'e2e3'; White has no such move in move 1\.$"),
        (GameTree(moves=[Move("e2e4", "e2e4")]), r"^moves\[0\]\.san is 'e2e4'; it must be 'e4'\.$"),
        (
            GameTree(moves=[Move("e4", "e2e4", [Unread("$"), Variation(moves=[Move("e5", "e7e5")])])]),
            r"^moves\[0\]\.after\[1\]\.variation\.moves\[0\] is 'e5', 'e7e5'; White has no such move in move 1\.$",
        ),
    ],
)
def test_illegal_trees_are_told(tree: GameTree, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        tree.check()


@MUCH
@given(tree_strategies.trees())
def test_all_trees_that_are_read_are_legal(tree: GameTree) -> None:
    tree.check()
    (again,) = trees(tree.to_pgn())
    again.check()


def test_each_variation_of_crazyhouse_has_the_pockets_of_its_own() -> None:
    text = '[Variant "Crazyhouse"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3[Pp] w - - 0 1"]\n\n1. Kd2 (1. P@a4 P@a5) (1. P@a3 P@h6) P@d6 *'
    (game,) = read(text)
    assert [finding.code for finding in game.findings] == ["P106", "T124"]
    (first, second) = (item for item in game.tree.moves[0].after if isinstance(item, Variation))
    assert [move.uci for line in (first, second) for move in line.moves] == ["P@a4", "P@a5", "P@a3", "P@h6"]
