"""The repairs of many games at once: the same as one by one, and only where the native core says that they may be made."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from corpora import ARCHIVES, needs_corpus, path

from chesstools.engines import why_not_native
from chesstools.fix import Changed, fix
from chesstools.fixes import moves, stream, together
from chesstools.fixes.edit import Edit, Fix, key_of
from chesstools.fixes.judged import Judged
from chesstools.fixes.task import Task
from chesstools.fixes.trial import Repaired
from chesstools.source import Source, find_sources

pytestmark = pytest.mark.skipif(why_not_native() is not None, reason="the native core is not here")

GAME = (
    b'[Event "A"]\n[Site "B"]\n[Date "2001.02.03"]\n[White "C"]\n[Black "D"]\n[Result "1-0"]\n\n'
    b"1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n"
)
"""It lacks Round."""

FAULTS: list[Callable[[bytes], bytes]] = [
    lambda game: game,
    lambda game: game.replace(b"#", b""),
    lambda game: game.replace(b"e4", b"e4!?").replace(b"Ke7", b"Ke7??"),
    lambda game: game.replace(b'"C"', b'"M\xfcller"'),
    lambda game: game.replace(b"2001.02.03", b"2001-2-3"),
    lambda game: game.replace(b'[Site "B"]\n', b'[Site "B" x"]\n'),
    lambda game: game.replace(b'[Site "B"]\n', b'[Site "B"]\n[Site "B"]\n'),
    lambda game: game.rstrip() + b"\n",
    lambda game: game.rstrip() + b" ",
    lambda game: game.partition(b"\n\n")[2],
    lambda game: game.replace(b"\n", b"\r\n"),
    lambda game: game.replace(b"1-0", b"1:0"),
    lambda game: game.replace(b"e5 2", b"e5 {\xc2\xa0a} 2"),
    lambda game: b"{before}\n" + game,
    lambda game: game.replace(b"Qh5", b"Qd1h5"),
]

LEFT: list[Callable[[bytes], bytes]] = [
    lambda game: game.replace(b"1-0\n\n", b"\n\n"),
    lambda game: game.replace(b"e5 2", b"e5 zz! 2"),
    lambda game: game.replace(b"Ke7", b"Ke6!"),
    lambda game: b"prose\n\n" + game,
    lambda game: game.replace(b"[Event", b"[Ev\xe9nt"),
    lambda game: b"\xef\xbb\xbf" + game.replace(b"1-0", b"1-0\x00"),
]


def outcome(data: bytes, **args: object) -> tuple[bytes, list[Changed]]:
    """The bytes and what is said of each game."""
    out = io.BytesIO()
    games: list[Changed] = []
    fix(Source.from_bytes(data), out, changed=games.append, **args)  # type: ignore[arg-type]
    return out.getvalue(), games


def told(games: list[Changed]) -> list[Changed]:
    """What must be the same; evidence of findings has other types from other engines."""
    return [replace(game, repaired=replace(game.repaired, before=[], findings=[])) for game in games]


def places(games: list[Changed]) -> list[list[object]]:
    return [[(one.code, one.where, one.severity) for one in (*game.repaired.before, *game.repaired.findings)] for game in games]


@pytest.mark.parametrize(
    "args", [{}, {"ignore": "P106"}, {"select": "P106,P107"}, {"select": "P106,N4"}, {"unsafe": True}, {"jobs": 2}]
)
def test_all_engines_repair_alike(args: dict[str, object]) -> None:
    chance = random.Random(11)
    data = b"".join(chance.choice(FAULTS + LEFT)(GAME) for _ in range(120))
    one, games = outcome(data, engine="native", **args)
    other, others = outcome(data, **{**args, "engine": "reference", "jobs": 1})
    assert one == other
    assert told(games) == told(others)
    assert places(games) == places(others)


@needs_corpus
@pytest.mark.parametrize("name", ARCHIVES)
def test_archives_are_repaired_alike(name: str) -> None:
    (source,) = find_sources([path(name)])
    with source.open(24_000) as blocks:
        data = next(blocks)
    data = re.sub(rb"(?m)^\[Round [^\n]*\n", b"", data)
    one, games = outcome(data, engine="native")
    other, others = outcome(data, engine="reference")
    assert one == other
    assert told(games) == told(others)
    assert places(games) == places(others)
    assert len(games) >= 2


def test_the_common_repairs_need_no_readable_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"".join(fault(GAME) for fault in FAULTS) + GAME
    expected = outcome(data, engine="reference")
    monkeypatch.setattr("chesstools.fixes.stream.work", no_work)
    repaired, games = outcome(data, engine="native")
    assert repaired == expected[0]
    assert [game.game_index for game in games] == list(range(len(FAULTS) + 1))


def no_work(task: Task) -> Repaired | None:
    raise AssertionError(task)


@pytest.mark.parametrize("answer", ["_same_trees", "_is_answered", "_judged_again"])
def test_what_is_not_agreed_upon_is_looked_at_one_by_one(monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    data = b"".join(fault(GAME) for fault in FAULTS)
    expected = outcome(data, engine="native")
    no: dict[str, Callable[..., object]] = {
        "_same_trees": lambda drafts, jobs: [False] * len(drafts),
        "_is_answered": lambda draft, then, tasks: False,
        "_judged_again": lambda *args: {},
    }
    monkeypatch.setattr(together, answer, no[answer])
    seen: list[int | None] = []
    work = stream.work

    def one_by_one(task: Task) -> Repaired | None:
        seen.append(task.region.game_index)
        return work(task)

    monkeypatch.setattr(stream, "work", one_by_one)
    repaired, games = outcome(data, engine="native")
    assert (repaired, told(games)) == (expected[0], told(expected[1]))
    assert seen == list(range(len(FAULTS)))


def test_trees_that_differ_are_told() -> None:
    whole = b'{"game_index":0,"tags":[["Event","x"],["Round","?"]],"unread_tags":[],"moves":["e4"],"result":"1:0","behind":null}'
    without = whole.replace(b',["Round","?"]', b"")
    assert together._is_same(without, whole, frozenset({"Round"}))
    assert not together._is_same(without, whole, frozenset())
    assert not together._is_same(whole, whole.replace(b'"x"', b'"y"'), frozenset({"Round"}))
    assert not together._is_same(whole, whole.replace(b"e4", b"d4"), frozenset({"Round"}))
    assert together._is_same(whole, whole.replace(b"1:0", b"1-0"), frozenset())
    assert not together._is_same(whole, whole.replace(b"1:0", b"0-1"), frozenset())
    assert not together._is_same(whole, whole.replace(b'"1:0"', b"null"), frozenset())
    assert not together._is_same(whole, whole.replace(b"null", b'"x"'), frozenset())
    assert not together._is_same(b"", b"", frozenset())


def test_a_repair_that_would_change_the_game_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong edit by a family is found out by both ways."""

    def wrong(judged: Judged, wants: object) -> Iterator[Fix]:
        for one in judged.findings:
            if one.code == "N406":
                yield Fix((key_of(one),), (Edit(*judged.place(one), b"Qxe5+ Kxe5"),))

    monkeypatch.setattr(moves, "fixes", wrong)
    data = FAULTS[1](GAME)
    assert outcome(data, engine="native", ignore="P106") == (data, [])


def test_tags_behind_a_game_that_is_not_repaired_still_stand_there() -> None:
    whole = GAME.replace(b"[White", b'[Round "1"]\n[White').rstrip() + b"\n"
    data = whole + b"\n" + whole + GAME
    repaired, (game,) = outcome(data, engine="native", select="P106")
    assert repaired == outcome(data, engine="reference", select="P106")[0]
    assert {"P107"} == {one.code for one in game.repaired.findings if one.code[0] == "P"}
