"""A860: games that stand more than once, in one source or in several."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from datasets import POSIX, Stop, files, manifest, stop_after
from test_dataset_resumed import CRASH

from chesstools import duplicates
from chesstools.dataset import Dataset, ingest
from chesstools.duplicates import LEAST_PLIES, player_key
from chesstools.engines import why_not_native
from chesstools.errors import ChesstoolsError, OptionError, SourceError
from chesstools.finding import Finding
from chesstools.folder import LOCK_NAME
from chesstools.scan import scan
from chesstools.source import Source
from chesstools.validate import validate

ENGINES = ["reference"] if why_not_native() else ["reference", "native"]
every_engine = pytest.mark.parametrize("engine", ENGINES)


def _moves(text: str) -> list[str]:
    return text.split()


SPANISH = _moves("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5 Bc2 c5 d4 Qc7")
GAMBIT = _moves("d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O Nf3 Nbd7 Rc1 c6 Bd3 dxc4 Bxc4 Nd5 Bxe7 Qxe7")
LINES = [SPANISH, GAMBIT, SPANISH[:20], SPANISH[:21]]


def game(white: str | None, black: str | None, moves: Sequence[str] = SPANISH, tags: str = "", end: str = "*") -> str:
    names = "".join(f'[{side} "{name}"]\n' for side, name in (("White", white), ("Black", black)) if name is not None)
    numbered = (f"{ply // 2 + 1}. {san}" if ply % 2 == 0 else san for ply, san in enumerate(moves))
    return f'[Event "?"]\n{tags}{names}[Result "{end}"]\n\n{" ".join(numbered)} {end}\n\n'


# Source, game, what it is, source and game that are named.
Told = tuple[str, int, str, str, int]


def told(findings: Iterable[Finding]) -> list[Told]:
    return [
        (one.where.source, one.where.game_index or 0, str(one.evidence["found"]), str(one.evidence["other_source"]),
         int(str(one.evidence["other_game"])))
        for one in findings
    ]  # fmt: skip


def found(sources: str | Sequence[Source], engine: str = ENGINES[-1], jobs: int = 1) -> list[Told]:
    given = [Source.from_bytes(sources.encode(), "a")] if isinstance(sources, str) else sources
    return told(item.finding for item in validate(given, select="A860", engine=engine, jobs=jobs))


@every_engine
def test_later_copies_name_the_first_and_exchanged_colours_name_each_other(engine: str) -> None:
    text = "".join(game(*names) for names in [("A", "B"), ("A", "B"), ("B", "A"), ("A", "B"), ("B", "A"), ("A", "C")])
    assert found(text, engine) == [
        ("a", 0, "reversed", "a", 2),
        ("a", 1, "duplicate", "a", 0),
        ("a", 2, "reversed", "a", 0),
        ("a", 3, "duplicate", "a", 0),
        ("a", 4, "reversed", "a", 0),
    ]


@every_engine
def test_a_finding_says_where_both_games_stand(engine: str) -> None:
    one = game("Alder, Ann", "Birch, Bob")
    first, later = Source.from_bytes(one.encode(), "first.pgn"), Source.from_bytes(("\n\n" + one + one).encode(), "later.pgn")
    items = list(validate([first, later], select="A860", engine=engine))
    assert [(item.white, item.black) for item in items] == [("Alder, Ann", "Birch, Bob")] * 2
    where = items[1].finding.where
    assert (where.source, where.game_index, where.line, where.ply) == ("later.pgn", 1, 10, None)
    assert (where.byte_offset, where.byte_length) == (2 + len(one), len(one))
    assert items[1].finding.evidence == {
        "found": "duplicate",
        "other_source": "first.pgn",
        "other_game": "0",
        "other_line": "1",
    }
    assert items[1].message == "the same moves of the same players stand earlier: game 0, line 1 of first.pgn"


@every_engine
@pytest.mark.parametrize(
    ("one", "other", "copies"),
    [
        (game("Carlsen, Magnus", "Müller, J."), game("Magnus Carlsen", "J MÜLLER"), 1),
        (game("Carlsen, M", "Müller, J."), game("Carlsen, Magnus", "Müller, J."), 0),
        (game("A", "B", SPANISH[:20]), game("A", "B", SPANISH[:20], end="1-0", tags='[Site "Utrecht"]\n'), 1),
        (game("A", "B", SPANISH[:19]), game("A", "B", SPANISH[:19]), 0),  # too short to tell
        (game("A", "B", SPANISH), game("A", "B", SPANISH[:21]), 0),
        (game("A", "B"), game("C", "D"), 0),
        (game("A", "?"), game("A", "?"), 0),
        (game("A", None), game("A", None), 0),
        (game("NN", "B"), game("N.N.", "B"), 0),
        (game("A", "A"), game("A", "A"), 1),
        (game("A", "B", [*SPANISH, "Kxe8"]), game("A", "B", [*SPANISH, "Kxe8"]), 0),  # not known to its end
        (game("A", "B", tags='[Variant "Atomic"]\n'), game("A", "B", tags='[Variant "Atomic"]\n'), 1),
        (game("A", "B", tags='[Variant "Unheard of"]\n'), game("A", "B", tags='[Variant "Unheard of"]\n'), 0),
    ],
)
def test_what_is_a_copy(engine: str, one: str, other: str, copies: int) -> None:
    assert len(found(one + other, engine)) == copies


@every_engine
def test_the_start_position_matters(engine: str) -> None:
    shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"] * 5
    fen = '[SetUp "1"]\n[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNR w KQkq - 0 1"]\n'
    assert found(game("A", "B", shuffle) + game("A", "B", shuffle, tags=fen), engine) == []
    assert len(found(game("A", "B", shuffle, tags=fen) * 2, engine)) == 1


@pytest.mark.parametrize("name", ["", "?", "N.N.", "nn", "Unknown", "-"])
def test_who_is_nobody(name: str) -> None:
    assert player_key(name) in duplicates.NOBODY


def archives(seed: int, games: int) -> list[Source]:
    """Three sources with games of few players and few lines."""
    choose = random.Random(seed)
    texts = ["", "", ""]
    for _ in range(games):
        white, black = choose.choices(["Ann A.", "a ann", "Bob", "BOB", "Cid", "?"], k=2)
        texts[choose.randrange(3)] += game(white, black, choose.choice([*LINES, SPANISH[:12]]))
    return [Source.from_bytes(text.encode(), name) for text, name in zip(texts, "abc", strict=True)]


def expected(sources: Sequence[Source]) -> list[Told]:
    """The same, found by comparing whole games in memory."""
    rows = [row for source in sources for row in scan(source, tables=["games"]).to_tables()["games"].to_pylist()]
    groups: dict[object, list[tuple[str, int, str]]] = {}
    for row in rows:
        names = ["".join(sorted(name.lower().replace(".", " ").split())) for name in (row["white"], row["black"])]
        if row["ply_count"] >= 20 and "?" not in names:
            groups.setdefault((row["movetext"], *sorted(names)), []).append((row["source"], row["game_index"], names[0]))
    findings: list[Told] = []
    for first, *others in groups.values():
        exchanged = [other for other in others if other[2] != first[2]]
        findings += [(*first[:2], "reversed", *exchanged[0][:2])] if exchanged else []
        findings += [(*one[:2], "reversed" if one in exchanged else "duplicate", *first[:2]) for one in others]
    return sorted(findings)


@pytest.mark.parametrize("memory", [1, 2, 3, 7, 1000])
def test_as_games_compared_in_memory(memory: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chesstools.sorter.MOST_RUNS", 3)
    monkeypatch.setattr(duplicates, "Sorter", lambda *args: duplicates_sorter(*args, memory))
    from chesstools.sorter import Sorter as duplicates_sorter

    for seed in range(4):
        sources = archives(seed, 150)
        assert len(expected(sources)) > 40
        assert found(sources) == expected(sources)


@every_engine
def test_findings_do_not_depend_on_how_sources_are_read(engine: str) -> None:
    sources = archives(9, 40)
    tables = [
        scan(sources, select="A860", engine=engine, **options).to_tables()["findings"]  # type: ignore[arg-type]
        for options in ({}, {"block_bytes": 11}, {"batch_games": 3}, {"jobs": 2, "batch_games": 5}, {"tables": ("findings",)})
    ]
    assert tables[0].num_rows
    assert all(table.equals(tables[0]) for table in tables)
    assert tables[0].equals(scan(sources, select="A860", engine="reference").to_tables()["findings"])


@pytest.mark.skipif("native" not in ENGINES, reason="takes minutes without the native core")
def test_ten_thousand_copies() -> None:
    text = game("A", "B") + game("B", "A", GAMBIT) * 10_000 + game("B", "A")
    findings = found(text, jobs=2)
    assert findings[0] == ("a", 0, "reversed", "a", 10_001)
    assert findings[1:-1] == [("a", index, "duplicate", "a", 1) for index in range(2, 10_001)]
    assert findings[-1] == ("a", 10_001, "reversed", "a", 0)


def test_copies_are_counted_and_other_findings_stay_where_they_are() -> None:
    text = game("A", "B") + game("A", "B")
    scanning = scan(Source.from_bytes(text.encode(), "a"), also="A860")
    tables = scanning.to_tables()
    assert tables["findings"]["code"].to_pylist() == ["P106", "P106", "A860"]
    assert scanning.summary.findings == {"P106": 2, "A860": 1}
    assert scanning.summary.severities == {"warning": 3}
    assert tables["games"]["codes"].to_pylist() == [["P106"], ["P106"]]  # A860 is not known yet when they are written
    only_games = scan(Source.from_bytes(text.encode(), "a"), also="A860", tables=["games"])
    assert list(only_games.to_tables()) == ["games"]
    assert only_games.summary.findings["A860"] == 1


def test_no_finding_without_being_asked_for() -> None:
    assert scan(Source.from_bytes((game("A", "B") * 2).encode())).to_tables()["findings"]["code"].to_pylist() == ["P106"] * 2


def test_a_source_that_breaks_off_is_compared_as_far_as_it_goes(here: Path) -> None:
    import gzip

    Path("a.pgn").write_text(game("A", "B"))
    Path("b.pgn.gz").write_bytes(gzip.compress((game("A", "B") * 3 + "x" * 9).encode() + random.randbytes(99))[:-20])
    validation = validate(["a.pgn", "b.pgn.gz"], select="A860")
    assert told(item.finding for item in validation) == [("b.pgn.gz", index, "duplicate", "a.pgn", 0) for index in range(3)]
    assert "b.pgn.gz ends in the middle" in str(validation.summary.sources[1].error)
    with pytest.raises(SourceError, match=r"b\.pgn\.gz ends in the middle"):
        scan(["a.pgn", "b.pgn.gz"], select="A860").to_tables()


def test_nothing_is_left_in_the_temporary_folder(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(here))
    steps = iter(scan(archives(1, 30), select="A860", batch_games=5, tables=["games"]))
    next(steps)
    assert list(here.iterdir())
    del steps
    assert not list(here.iterdir())
    monkeypatch.setattr("tempfile.tempdir", str(here / "missing"))
    with pytest.raises(ChesstoolsError, match=r"missing cannot be written .*TMPDIR"):
        scan(archives(1, 3), select="A860").to_tables()


# ------------------------------------------------------------------------------------------------ datasets


@pytest.fixture
def three(here: Path) -> list[str]:
    for source in archives(5, 50):
        Path(f"{source.name}.pgn").write_bytes(b"".join(source.open()))
    return ["a.pgn", "b.pgn", "c.pgn"]


def test_a_dataset_has_the_findings_of_a_scan(three: list[str]) -> None:
    summary = ingest(three, "out", part_games=7, also="A860")
    scanning = scan(three, also="A860")
    tables = scanning.to_tables()
    assert summary.findings == scanning.summary.findings
    assert summary.severities == scanning.summary.severities
    dataset = Dataset.open("out")
    columns = ["source", "game_index", "code", "line", "byte_offset", "found", "evidence", "profile"]
    ours = [row for row in dataset.findings().to_table(columns=columns).to_pylist() if row["code"] == "A860"]
    assert ours == [row for row in tables["findings"].select(columns).to_pylist() if row["code"] == "A860"]
    assert len(ours) > 10
    assert dataset.games().to_table().num_rows == 50
    assert dataset.plies().to_table().to_pylist() == tables["plies"].to_pylist()


def test_a_dataset_without_games_cannot_tell(three: list[str]) -> None:
    with pytest.raises(OptionError, match="A860 compares the rows of games; add games to the tables, or leave A860 out"):
        ingest(three, "out", tables=["findings"], also="A860")
    assert not Path("out").exists()
    assert ingest(three, "out", tables=["games"], also="A860").findings["A860"] > 10


@pytest.mark.parametrize("steps", [1, 3, 6])
def test_a_stopped_run_compares_all_games_when_it_goes_on(three: list[str], steps: int) -> None:
    ingest(three, "whole", part_games=7, also="A860")
    with pytest.raises(Stop):
        ingest(three, "out", part_games=7, also="A860", progress=stop_after(steps))
    assert manifest("out")["state"] == "running"
    ingest(three, "out", part_games=7, also="A860")
    assert files("out") == files("whole")


def test_an_interrupt_while_games_are_compared(three: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    ingest(three, "whole", part_games=7, also="A860")

    def stop(*args: object) -> object:
        yield next(found_copies(*args))  # type: ignore[arg-type]
        raise KeyboardInterrupt

    found_copies = duplicates.find_copies
    with monkeypatch.context() as patch:
        patch.setattr(duplicates, "find_copies", stop)
        with pytest.raises(KeyboardInterrupt):
            ingest(three, "out", part_games=7, also="A860")
    assert manifest("out")["state"] == "running"
    assert len(Dataset.open("out").to_pandas("games")) == 50
    ingest(three, "out", part_games=7, also="A860")
    assert files("out") == files("whole")


@POSIX
def test_a_crash_at_any_point_is_resumed_to_the_same_bytes(three: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The process ends on the spot, once before each call that changes the disk, also while games are compared."""
    ingest(three, "whole", part_games=30, tables=["games", "findings"], also="A860")
    whole = files("whole")
    job = 'ingest(["a.pgn", "b.pgn", "c.pgn"], out, part_games=30, tables=["games", "findings"], also="A860")'
    program = re.sub(r"ingest\(\[.*\)", job, CRASH)
    assert program.count(job) == 1
    monkeypatch.setenv("TMPDIR", str(Path.cwd()))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    points = int(done.stdout)
    assert points > 30
    for point in range(1, points + 1):
        left = files(f"out{point}")
        left.pop(LOCK_NAME, None)
        assert left == whole, point


def test_hashes_of_pairs_do_not_depend_on_their_order() -> None:
    names = pa.array(["Ann", "Bob", None, "?", "bob"])
    hashes = duplicates._player_hashes(names)
    assert hashes[1] == hashes[4] != hashes[0]
    assert hashes[2] == hashes[3] == 0
    assert hashes.dtype == np.uint64
    assert LEAST_PLIES == 20
