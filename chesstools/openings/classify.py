"""The openings of games: of one by its moves, of many by rows of plies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from chesstools.openings.names import Opening, load
from chesstools.usual_array import FIRST_MOVES

if TYPE_CHECKING:
    import chess
    import pyarrow as pa


def opening_of(moves: Iterable[chess.Move | str]) -> Opening | None:
    """The opening of moves from the usual array, given as moves or in standard notation; None where there is none.

    Raises ValueError for a text that is no legal move.

    >>> opening_of([]) is None
    True
    """
    import chess

    from chesstools.reference.position_key import position_key

    board = chess.Board()
    keys = []
    for _, move in zip(range(load().depth), moves, strict=False):
        board.push(board.parse_san(move) if isinstance(move, str) else move)
        keys.append(position_key(board))
    return load().classify(keys)


def openings_of(plies: pa.Table) -> pa.Table:
    """The openings of games, from rows of the table plies, in the order of their first rows.

    Columns: `source`, `game_index`, `eco_by_moves`, `opening_by_moves`, `opening_family` and `opening_ply` (see `Opening`; the
    family is that of the deepest position that Lichess names); in games `eco` and `opening` are what the source says. The last
    four are null for games that do not begin with a move from the array, as far as these rows tell: those after whose first ply
    none of the twenty positions stands that White can reach at once. By which rules a game is played, and what it begins with,
    stands in games only; `chesstools.openings.add_game_openings` looks there, and so has no row for a game of Chess960 from the
    array, or for one from a set-up position that comes to stand there.

    >>> from chesstools import scan
    >>> from chesstools.source import Source
    >>> plies = scan(Source.from_bytes(b"1. c4 d5 2. d4 *"), tables=["plies"]).to_tables()["plies"]
    >>> openings_of(plies).select(["game_index", "eco_by_moves", "opening_by_moves", "opening_ply"]).to_pylist()
    [{'game_index': 0, 'eco_by_moves': 'D06', 'opening_by_moves': "Queen's Gambit", 'opening_ply': 3}]
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    table = load()
    entries = list(table.by_key.values())
    families = pa.array([entry.family for entry in entries], pa.string())
    keys = pa.array(table.by_key, pa.uint64())
    shallow = plies.select(["source", "game_index", "ply", "position_key"]).filter(pc.less_equal(plies["ply"], table.depth))
    shallow = shallow.set_column(0, "source", shallow["source"].cast(pa.string()))
    game = ["source", "game_index"]
    first = shallow.filter(pc.equal(shallow["ply"], 1))
    games = first.select(game)
    begun = first.filter(pc.is_in(first["position_key"], pa.array(list(FIRST_MOVES), pa.uint64()))).select(game)
    named = shallow.append_column("entry", pc.index_in(shallow["position_key"], keys))
    named = named.filter(pc.is_valid(named["entry"])).join(begun, game, join_type="left semi")
    of_family = named.filter(pc.is_valid(families.take(named["entry"].combine_chunks())))
    deepest = _deepest(named).join(_deepest(of_family), game, join_type="left outer", right_suffix="_of_family")
    games = games.append_column("place", pa.array(range(games.num_rows), pa.int64()))
    joined = games.join(deepest, game, join_type="left outer").sort_by("place")
    chosen = joined["entry"].combine_chunks()
    chosen_family = joined["entry_of_family"].combine_chunks()
    columns = {
        "source": joined["source"],
        "game_index": joined["game_index"],
        "eco_by_moves": pa.array([entry.eco for entry in entries], pa.string()).take(chosen),
        "opening_by_moves": pa.array([entry.name for entry in entries], pa.string()).take(chosen),
        "opening_family": families.take(chosen_family),
        "opening_ply": joined["ply"],
    }
    return pa.table(columns)


def _deepest(named: pa.Table) -> pa.Table:
    """The row of the deepest position of each game."""
    game = ["source", "game_index"]
    deepest = named.group_by(game).aggregate([("ply", "max")]).rename_columns([*game, "ply"])
    return deepest.join(named, [*game, "ply"], join_type="inner").select([*game, "ply", "entry"])
