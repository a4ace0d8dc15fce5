"""Statistics of shares of a dataset, added up, are those of the dataset: whatever the cut, and the order in which it is done."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from s3_server import S3
from small_archive import timed_game

from chesstools import ChesstoolsError, Dataset, DatasetError, OutputError, ingest
from chesstools.database import connect
from chesstools.folder import folder_at
from chesstools.local_folder import LocalFolder
from chesstools.manifest import Part
from chesstools.source import Source
from chesstools.stats import write_stats
from chesstools.stats.counted import repeated
from chesstools.stats.registry import STATISTICS
from chesstools.stats.run import LEFT_OUT, Computation, computation
from chesstools.stats.shares.cut import Share, share, shares
from chesstools.stats.shares.place import Place
from chesstools.stats.shares.repeats import find
from chesstools.stats.shares.scratch import Scratch, relation
from chesstools.stats.shares.spread import Task, one_by_one, spread
from chesstools.stats.shares.work import Work
from chesstools.stats.statistic import Options
from chesstools.stats.walk import TALLIES

Expected: TypeAlias = "tuple[dict[str, pa.Table], int]"

FULL = bool(os.environ.get("CHESSTOOLS_FULL"))
SAMPLES = Path(__file__).resolve().parent.parent / "sample_data"
SLIP = """[Event "Slip"]
[Date "2001.??.??"]
[White "A"]
[Black "B{n}"]
[WhiteElo "{elo}"]
[BlackElo "2400"]
[Result "{result}"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 {result}

"""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """Small sources of all kinds, one of them cut over several parts."""
    timed = "".join(map(timed_game, range(40)))
    slips = "".join(
        SLIP.format(n=n, elo=elo, result=result)
        for n, (elo, result) in enumerate([(2500, "1-0"), (250, "1-0"), (2510, "1/2-1/2"), (2490, "0-1"), (2800, "0-1")])
    )
    bad = "\n\n".join(path.read_text(encoding="utf-8", errors="replace") for path in sorted(SAMPLES.glob("rules/[DEF]*/bad.pgn")))
    texts = {"timed.pgn": timed, "again.pgn": timed[: timed.index("[Result", 9000)], "slips.pgn": slips, "bad.pgn": bad}
    sources = [Source.from_bytes(text.encode(), name) for name, text in texts.items()]
    folder = tmp_path_factory.mktemp("archive")
    ingest([*sources, *sorted((SAMPLES / "games").glob("*.pgn"))], folder, also=["A860"])
    dataset = Dataset.open(folder)
    assert any(not part.rows["games"] for part in dataset.manifest.parts)  # findings that stand apart from their games
    return in_more_parts(dataset, "timed.pgn", [0, 1, 20, 30])


def in_more_parts(dataset: Dataset, source: str, bounds: list[int]) -> Dataset:
    """The dataset with the games of a source in several parts, which begin at these games."""
    entries = []
    folder = Path(dataset.path)
    for entry in dataset.manifest.sources:
        if entry.name == source:
            (old,) = (part for part in entry.parts if part.rows["games"])
            parts = []
            for start, end in zip(bounds, [*bounds[1:], 10**9], strict=True):
                part = Part(f"{old.name.removesuffix('.parquet')}-{start}.parquet", {}, {})
                for table in dataset.manifest.tables:
                    rows = pq.read_table(folder / table / old.name)
                    index = rows["game_index"].fill_null(0).to_numpy()
                    own = rows.filter(pa.array((index >= start) & (index < end)))
                    pq.write_table(own, folder / table / part.name)
                    part.rows[table] = own.num_rows
                    part.bytes[table] = (folder / table / part.name).stat().st_size
                parts.append(part)
            entry = replace(entry, parts=[*parts, *(part for part in entry.parts if part is not old)])
        entries.append(entry)
    return Dataset(dataset.folder, replace(dataset.manifest, sources=entries))


def tables(work: Computation) -> dict[str, pa.Table]:
    return {one.name: work.batches(one).read_all() for one in [*work.statistics, LEFT_OUT]}


def of_one_machine(archive: Dataset, options: Options) -> Expected:
    with computation([archive], options) as work:
        return tables(work), work.games


def check(archive: Dataset, options: Options, expected: Expected, folder: Path, **how: Any) -> None:
    found, games = expected
    with spread([archive], options, None, scratch=Scratch(LocalFolder(folder)), **how) as work:
        assert (work.games, work.repeats) == (games, 0 if options.unique else None)
        for name, table in tables(work).items():
            assert table.equals(found[name], check_metadata=True), name
        assert {one.name for one in work.statistics} | {LEFT_OUT.name} == set(found)


@pytest.fixture(scope="module")
def single(archive: Dataset) -> Expected:
    found = of_one_machine(archive, Options())
    assert not [name for name, table in found[0].items() if not table.num_rows]  # else the comparison would see nothing
    return found


def in_any_order(choose: random.Random) -> Any:
    """Does tasks as a cluster does: several are begun, any of them is done first, and some are done twice."""

    def doing(tasks: Iterable[Task | None]) -> Iterator[Any]:
        begun: list[Task] = []
        waiting = iter(tasks)
        while True:
            while len(begun) < 4 and (task := next(waiting, None)) is not None:
                begun.append(task)
            if not begun:
                return
            task = begun.pop(choose.randrange(len(begun)))
            if choose.random() < 0.2:
                task.do()
            yield task.do()

    return doing


@pytest.mark.parametrize("seed", range(20 if FULL else 2))
def test_any_cut_gives_the_same(
    archive: Dataset,
    single: Expected,
    tmp_path: Path,
    seed: int,
) -> None:
    choose = random.Random(seed)
    pairs = [(entry, part) for entry in archive.manifest.sources for part in entry.parts]
    bounds = [0, *sorted(choose.sample(range(1, len(pairs)), choose.randrange(1, 3))), len(pairs)]
    cut = [share(archive, pairs[start:end], start) for start, end in pairwise(bounds)]
    check(
        archive,
        Options(),
        single,
        shares=cut,
        folder=tmp_path,
        doing=in_any_order(choose),
        fan=choose.choice([2, 3, 24]),
    )


@pytest.mark.parametrize("include_invalid", [False, *([True] if FULL else [])])
def test_repeated_games_are_found_across_shares(archive: Dataset, include_invalid: bool, tmp_path: Path) -> None:
    options = Options(include_invalid=include_invalid, unique=True)
    expected = of_one_machine(archive, options)
    check(archive, options, expected, shares=shares([archive], archive.summary.games // 2), folder=tmp_path)
    told = {row["reason"]: row["games"] for row in expected[0]["left_out"].to_pylist() if row["statistic"] == "outcomes"}
    assert told["repeated"] > 5


@pytest.mark.parametrize("seed", range(20 if FULL else 1))
def test_repeated_games_however_they_are_brought_together(archive: Dataset, tmp_path: Path, seed: int) -> None:
    choose = random.Random(seed)
    options = Options(include_invalid=choose.random() < 0.5, unique=True)
    cut = shares([archive], choose.choice([30, 60]))
    scratch = Scratch(LocalFolder(tmp_path))
    found = find(cut, options, scratch, in_any_order(choose), choose.choice([2, 3]), choose.choice([30, 80]))
    with connect([archive], tables=["games"]) as connection:
        expected = set(connection.sql(repeated("games", options)).fetchall())
        assert len(expected) > 5
        told = []
        for one, before in zip(cut, found, strict=True):
            rows = f"SELECT source, game_index FROM {relation([scratch.file(before.file)])} WHERE slot = {before.place}"
            own = connection.sql(rows).fetchall()
            assert {source for source, _ in own} <= {entry.name for entry in one.dataset.manifest.sources}
            told += own
    assert sorted(told) == sorted(expected)
    assert not [name for name in scratch.there() if name.startswith("games")]  # what is not needed any more


def test_a_share_looks_at_its_own_files_only(archive: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    sizes = LocalFolder.sizes

    def asking(folder: LocalFolder, table: str, names: Collection[str] | None = None) -> dict[str, int]:
        assert names is not None
        asked.extend(f"{table}/{name}" for name in names)
        return sizes(folder, table, names)

    def listing(folder: LocalFolder, name: str = "") -> list[str]:
        raise AssertionError(name)

    monkeypatch.setattr(LocalFolder, "sizes", asking)
    cut = shares([archive], 30)
    for one in cut:
        work = Work(
            one, Options(), ("outcomes", "piece_activity", "findings_by_year"), None, False, Scratch(LocalFolder(tmp_path)), "a"
        )
        monkeypatch.setattr(LocalFolder, "names", listing)
        work.do()
        own = [part.name for part in one.dataset.manifest.parts]
        others = [] if one.others is None else [part.name for part in one.others.manifest.parts]
        expected = [f"{table}/{name}" for table in ("games", "plies", "findings") for name in own]
        assert sorted(asked) == sorted([*expected, *(f"findings/{name}" for name in others)])
        asked.clear()
    assert any(one.others for one in cut)


def test_a_part_that_is_missing(archive: Dataset, tmp_path: Path) -> None:
    copy = tmp_path / "dataset"
    shutil.copytree(archive.path, copy)
    dataset = Dataset(LocalFolder(copy), archive.manifest)
    part = dataset.manifest.parts[1].name
    (copy / "games" / part).unlink()
    with (
        pytest.raises(DatasetError, match=rf"^{copy}/games/{part} is missing; ingest again with --overwrite\.$"),
        spread([dataset], Options(), ["outcomes"], shares=shares([dataset], 30), scratch=Scratch(LocalFolder(tmp_path))),
    ):
        pass


@pytest.mark.parametrize("text", ["", '[Event "Bad"]\n\n1. e4 e5 2. Ke3 *\n'], ids=str)
def test_little_or_nothing(text: str, tmp_path: Path) -> None:
    ingest(Source.from_bytes(text.encode(), "a.pgn"), tmp_path / "dataset")
    dataset = Dataset.open(tmp_path / "dataset")
    check(
        dataset,
        Options(),
        of_one_machine(dataset, Options()),
        shares=shares([dataset], 1),
        folder=tmp_path,
    )


def test_a_table_that_is_missing(tmp_path: Path) -> None:
    ingest(Source.from_bytes(timed_game(3).encode(), "a.pgn"), tmp_path / "dataset", tables=["games"])
    dataset = Dataset.open(tmp_path / "dataset")
    with (
        computation([dataset], Options()) as one,
        spread([dataset], Options(), None, shares=shares([dataset], 1), scratch=Scratch(LocalFolder(tmp_path))) as other,
    ):
        assert one.skipped == other.skipped
        assert tables(one) == tables(other)


def test_every_statistic_can_be_added_up() -> None:
    """Whoever adds a statistic gives it a partial table, or makes it of bases and tallies, which can be added up."""
    for one in STATISTICS.values():
        assert one.partial is not None or one.bases or one.walked, f"{one.name} needs a partial table (chesstools.stats.partial)."
        for word in ("{counted}", "{named}", "all_games", "all_names"):
            assert word not in one.query, f"The query of {one.name} reads games: that is for its partial table to do."
        assert not one.late or any(base.concluded for base in one.bases), f"{one.name} waits for nothing."
        assert set(one.walked) <= set(TALLIES)


def test_shares_hold_each_part_once(archive: Dataset) -> None:
    names = [part.name for part in archive.manifest.parts]
    for games in (1, 40, 10**9):
        cut: list[Share] = shares([archive], games)
        assert [part.name for one in cut for part in one.dataset.manifest.parts] == names
        assert [one.number for one in cut] == [names.index(one.dataset.manifest.parts[0].name) for one in cut]
    assert len(cut) == 1
    assert list(one_by_one([])) == []


def test_on_a_cluster(archive: Dataset, single: Expected, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    from chesstools.cluster import connected

    monkeypatch.chdir(Path(archive.path).parent)
    (tmp_path / ".partial" / "left-behind").mkdir(parents=True)
    relative = Dataset.open(Path(archive.path).name)  # workers stand in folders of their own
    relative.manifest = archive.manifest
    with connected("local:2") as cluster:
        write_stats(relative, tmp_path, cluster=cluster)
        for name, table in single[0].items():
            assert pq.read_table(tmp_path / f"{name}.parquet").equals(table, check_metadata=True), name
        assert {path.name for path in tmp_path.iterdir()} == {"_statistics.json", *(f"{name}.parquet" for name in single[0])}
        damaged = Path(archive.path) / "games" / archive.manifest.parts[0].name
        content = damaged.read_bytes()
        damaged.write_bytes(content[: len(content) // 2] + b"\0" * (len(content) - len(content) // 2 - 4) + b"PAR1")
        with pytest.raises(ChesstoolsError, match=r"games/part-.*\.parquet is damaged; ingest again with --overwrite\."):
            write_stats(relative, tmp_path / "other", cluster=cluster)
        damaged.write_bytes(content)


def test_what_a_worker_cannot_reach(archive: Dataset, tmp_path: Path) -> None:
    elsewhere = Dataset(LocalFolder(tmp_path / "elsewhere"), archive.manifest)
    with (
        pytest.raises(DatasetError, match=r"A worker on \S+ finds no dataset in \S+elsewhere; put it where all workers reach it"),
        spread([elsewhere], Options(), ["outcomes"], shares=shares([elsewhere], 99), scratch=Scratch(LocalFolder(tmp_path))),
    ):
        pass
    with (
        pytest.raises(
            OutputError, match=r"\S+partial-0-000000 cannot be written \(No such file or directory\); choose another place\."
        ),
        spread(
            [archive], Options(), ["outcomes"], shares=shares([archive], 99), scratch=Scratch(LocalFolder(tmp_path / "no" / "no"))
        ),
    ):
        pass


def test_all_of_it_in_a_store(s3: S3) -> None:
    bucket = s3.bucket("partials")
    texts = ["".join(map(timed_game, range(start, start + 6))) for start in (0, 3)]
    texts[1] = texts[1].replace("White 3", "White 4")
    sources = [Source.from_bytes(text.encode(), f"{number}.pgn") for number, text in enumerate(texts)]
    ingest(sources, f"{bucket}/dataset", also=["A860"])
    dataset = Dataset.open(f"{bucket}/dataset")
    before = s3.keys("partials")
    names = ["players", "piece_activity", "rating_tags", "remarkable_games", "evaluation_swings", "findings_by_year"]
    place = Place(folder_at(f"{bucket}/statistics"), None)
    scratch = Scratch(folder_at(place.room("run")))
    with (
        computation([dataset], Options(unique=True), names) as one,
        spread([dataset], Options(unique=True), names, shares=shares([dataset], 1), scratch=scratch, fan=2) as other,
    ):
        assert tables(one) == tables(other)
    place.clear()
    assert s3.keys("partials") == before
