"""Real archives: everything is read, and every game is judged as an independent replay judges it, game by game."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

import corpora
import independent_replay
import pytest
from corpora import ARCHIVES, FIRST, FULL, GAMES, SMALL, Judged, judged, needs_corpus, text, verdicts

from chesstools.reference.segment import Segmenter
from chesstools.reference.window import Window
from chesstools.scan import scan
from chesstools.source import Source, find_sources

pytestmark = needs_corpus

SHOWN = 10

OTB_FACTS = {
    2_500: {
        "plies": 206_456,
        "illegal": 0,
        "threefold": 94,
        "fivefold": 1,
        "fifty": 0,
        "seventyfive": 0,
        "checkmate": 15,
        "stalemate": 3,
        "dead": 13,
    },
    20_000: {
        "plies": 1_669_647,
        "illegal": 0,
        "threefold": 1_202,
        "fivefold": 6,
        "fifty": 15,
        "seventyfive": 2,
        "checkmate": 209,
        "stalemate": 47,
        "dead": 195,
    },
}
"""What the first games of `otb` hold, by how many they are."""


def differences(ours: list[Any], theirs: list[Any]) -> list[str]:
    """The first games on which two lists disagree."""
    pairs = enumerate(zip_longest(ours, theirs))
    different = [f"game {index}: {mine} is not {other}" for index, (mine, other) in pairs if mine != other]
    return [*different[:SHOWN], f"{len(different)} differences"] if different else []


# ---------------------------------------------------------------------------------------------- everything is read


@pytest.mark.parametrize("name", ARCHIVES)
def test_number_of_games(name: str) -> None:
    found = judged(name)
    assert found.summary.games == found.games.num_rows == FIRST.get(name, GAMES[name])


@pytest.mark.parametrize("name", FIRST)
def test_number_of_games_in_the_whole_archive(name: str) -> None:
    if name == "otb" and not FULL:
        pytest.skip("reads 82 MB: set CHESSTOOLS_FULL=1")
    # In otb 125,619 lines begin with [Event, and one more stands behind two NULs on the line of a result.
    (source,) = find_sources(corpora.path(name))
    games = size = 0
    for region in Segmenter(Window(source.open())):
        assert region.is_game
        games += 1
        size += len(region.data)
    assert games == GAMES[name]
    assert size == sum(len(block) for block in source.open())


@pytest.mark.parametrize("name", ARCHIVES)
def test_games_begin_where_an_independent_reader_finds_them(name: str) -> None:
    offsets = [offset for offset, _ in independent_replay.split_games(text(name))]
    assert not differences(judged(name).column("byte_offset"), offsets)


@pytest.mark.parametrize("name", ARCHIVES)
def test_bytes_reconcile(name: str) -> None:
    summary = judged(name).summary
    assert summary.bytes == summary.game_bytes + summary.quarantined_bytes == len(text(name))
    assert sum(judged(name).column("byte_length")) == summary.game_bytes
    assert (summary.quarantined_regions, summary.error) == (0, None)


@pytest.mark.parametrize("name", ARCHIVES)
def test_rows_reconcile_with_the_summary(name: str) -> None:
    found = judged(name)
    summary = found.summary
    assert summary.plies == found.plies.num_rows == sum(found.column("legal_ply_count"))
    assert summary.findings.total() == found.findings.num_rows == summary.severities.total()
    assert sum(sum(found.column(kind)) for kind in ("errors", "warnings", "infos")) == found.findings.num_rows
    assert summary.results.total() == summary.games


# ------------------------------------------------------------------------------------------- every game is judged


def first_illegal(found: Judged) -> dict[int, tuple[int, str]]:
    """Ply and token at which chesstools stopped to replay the mainline of a game, for those where it did."""
    stopped: dict[int, tuple[int, str]] = {}
    for row in found.findings.select(["game_index", "code", "ply", "token", "variation"]).to_pylist():
        code = row["code"]
        if row["variation"] is None and (code in ("N401", "P110") or (code[0] == "M" and code not in ("M390", "M391"))):
            stopped.setdefault(row["game_index"], (row["ply"], row["token"]))
    return stopped


@pytest.mark.parametrize("name", ARCHIVES)
def test_illegal_moves(name: str) -> None:
    theirs = {index: verdict.illegal for index, verdict in enumerate(verdicts(name)) if verdict.illegal is not None}
    assert first_illegal(judged(name)) == theirs


@pytest.mark.parametrize("name", ARCHIVES)
def test_plies(name: str) -> None:
    rows = judged(name).rows("ply_count", "legal_ply_count", "termination_marker")
    theirs = [(verdict.plies_written, verdict.legal_plies, verdict.marker) for verdict in verdicts(name)]
    assert not differences([tuple(row.values()) for row in rows], theirs)


@pytest.mark.parametrize("name", ARCHIVES)
def test_draws(name: str) -> None:
    columns = ("first_threefold_ply", "first_fivefold_ply", "first_fifty_ply", "first_seventyfive_ply")
    theirs = [
        (verdict.first_threefold, verdict.first_fivefold, verdict.first_fifty, verdict.first_seventyfive)
        for verdict in verdicts(name)
    ]
    assert not differences([tuple(row.values()) for row in judged(name).rows(*columns)], theirs)


@pytest.mark.parametrize("name", ARCHIVES)
def test_final_positions(name: str) -> None:
    theirs = [(verdict.status, verdict.final_fen) for verdict in verdicts(name)]
    assert not differences([tuple(row.values()) for row in judged(name).rows("final_status", "final_fen")], theirs)


def test_otb_has_what_is_known_of_it() -> None:
    found = verdicts("otb")
    counts = {
        "plies": sum(verdict.legal_plies for verdict in found),
        "illegal": sum(verdict.illegal is not None for verdict in found),
        "threefold": sum(verdict.first_threefold is not None for verdict in found),
        "fivefold": sum(verdict.first_fivefold is not None for verdict in found),
        "fifty": sum(verdict.first_fifty is not None for verdict in found),
        "seventyfive": sum(verdict.first_seventyfive is not None for verdict in found),
        "checkmate": sum(verdict.status == "checkmate" for verdict in found),
        "stalemate": sum(verdict.status == "stalemate" for verdict in found),
        "dead": sum(verdict.status == "dead" for verdict in found),
    }
    assert counts == OTB_FACTS[len(found)]


def test_the_one_illegal_move_of_otb() -> None:
    # Gelfand-Gareev, World Blitz 2019: the queen takes on the square of its own king.
    (source,) = find_sources(corpora.path("otb"))
    data = b"".join(source.open())
    found = data.index(b"30.Bg5 Nf6 31.Qxe1 Qd4  0-1")
    game = data[data.rindex(b"[Event ", 0, found) : data.index(b"[Event ", found)]
    rows = scan(Source.from_bytes(game)).to_tables()["findings"].select(["code", "ply", "token", "count"]).to_pylist()
    assert [tuple(row.values()) for row in rows] == [("M305", 61, "Qxe1", None), ("M390", 62, "Qd4", 1)]
    assert independent_replay.replay(game, details=False).illegal == (61, "Qxe1")


# ------------------------------------------------------------------------------------------ every ply is described


@pytest.mark.parametrize("name", SMALL)
def test_moves(name: str) -> None:
    ours = judged(name).plies_of_games("san", "uci", "san_standard", "captured", "castling", "en_passant")
    theirs = [
        [(ply.written, ply.uci, ply.san, ply.captured, ply.castling, ply.en_passant) for ply in verdict.plies]
        for verdict in verdicts(name)
    ]
    assert not differences(ours, theirs)


@pytest.mark.parametrize("name", SMALL)
def test_positions(name: str) -> None:
    ours = judged(name).plies_of_games("check", "mate", "position_key", "halfmove_clock", "repetition")
    theirs = [
        [(ply.check, ply.mate, ply.key, ply.halfmove_clock, ply.repetition) for ply in verdict.plies]
        for verdict in verdicts(name)
    ]
    assert not differences(ours, theirs)


# --------------------------------------------------------------------------------------------------- crazyhouse


def test_without_a_variant_tag_the_first_drop_is_a_move_of_no_man() -> None:
    codes = {
        row["game_index"]: (row["code"], row["ply"])
        for row in judged("fics_crazyhouse").findings.select(["game_index", "code", "ply"]).to_pylist()
        if row["code"] not in ("M390", "M391")
    }
    for index, verdict in enumerate(verdicts("fics_crazyhouse")):
        if verdict.illegal is None:
            assert index not in codes
        else:
            ply, token = verdict.illegal
            assert "@" in token
            assert codes[index] == ("M302", ply)


def test_with_the_variant_tag_every_drop_is_legal() -> None:
    found, theirs = corpora.crazyhouse()
    assert not first_illegal(found)
    assert not [verdict.illegal for verdict in theirs if verdict.illegal is not None]
    ours = found.plies_of_games("san", "uci", "check", "mate", "captured")
    moves = [[(ply.written, ply.uci, ply.check, ply.mate, ply.captured) for ply in verdict.plies] for verdict in theirs]
    assert not differences(ours, moves)
    ends = [(verdict.status, verdict.final_fen) for verdict in theirs]
    assert not differences([tuple(row.values()) for row in found.rows("final_status", "final_fen")], ends)
