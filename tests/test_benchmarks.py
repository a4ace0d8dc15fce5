"""The benchmarks count right, their tables have the form that the README quotes, and they say so where a comparison is unfair.

No time is looked at here: it says nothing about right or wrong.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import chess.pgn
import pytest
from benchmarks import agreement, bench, cluster, table
from benchmarks.measures import BenchmarkError, Counts, Ratio, Usage, Way, run_way
from benchmarks.peers import PEERS
from benchmarks.targets import MEMORY_TARGETS, TARGETS, Results, Target, nothing
from benchmarks.texts import Comments, Text, make_texts, tenfold, text_paths
from benchmarks.ways import make_memory_ways, make_ways

ROOT = Path(__file__).resolve().parent.parent

SHARE = Usage(user=2.0, system=0.1, wall=2.5)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Generated games that all programs read alike."""
    file = tmp_path_factory.mktemp("archive") / "generated.pgn"
    options = ["--games", "30", "--seed", "1", "--fault-rate", "0", "--style", "twic", "-o", str(file)]
    subprocess.run([sys.executable, str(ROOT / "sample_data" / "generate.py"), *options], check=True, capture_output=True)
    return file


def test_all_ways_count_the_same(archive: Path, tmp_path: Path) -> None:
    ways, peers = bench.choose_ways(tmp_path, None, build=False)
    assert {way.key for way in ways} >= {"floor", "read_game", "validate work", "ingest 2"}
    texts = make_texts(archive, tmp_path, 20, {way.text for way in ways} | {agreement.REFERENCE})
    agreed = agreement.check(ways, texts, tmp_path, lambda what: None)
    assert agreed.texts["archive"].games == texts["archive"].games == 20
    assert agreed.texts["ten games"].games == 10
    assert agreed.texts["archive"].plies == agreed.texts["commented"].plies
    assert not [remark for remark in agreed.remarks if "read_game" in remark]
    assert set(peers.missing) <= {"shakmaty", "pgn-extract", "pgn-extract uci"}
    assert not agreed.unfair


def test_commented_text_is_read_by_others(archive: Path, tmp_path: Path) -> None:
    texts = make_texts(archive, tmp_path, None, {"commented"})
    with texts["commented"].path.open(encoding="utf-8") as stream:
        games = list(iter(lambda: chess.pgn.read_game(stream), None))
    assert len(games) == texts["archive"].games
    nodes = [node for game in games if game is not None for node in game.mainline()]
    assert len(nodes) > 1000
    assert all(node.eval() is not None and node.clock() is not None for node in nodes)
    assert len({node.comment for node in nodes}) > 0.9 * len(nodes)


@pytest.mark.parametrize(
    ("fen", "numbers"),
    [(None, ["1.", "1...", "2."]), ("8/8/8/8/8/8/8/8 b - - 0 31", ["31...", "32.", "32..."])],
)
def test_moves_are_numbered(fen: str | None, numbers: list[str]) -> None:
    movetext = Comments().movetext(["Ka1", "Kb1", "Kc1"], fen)
    assert movetext.split("}")[0].startswith(f"{numbers[0]} Ka1 {{ [%eval ")
    assert [word for word in movetext.split() if word.endswith(".")] == numbers
    assert movetext == Comments().movetext(["Ka1", "Kb1", "Kc1"], fen)


def test_memory_is_measured(archive: Path, tmp_path: Path) -> None:
    once = Text("archive", archive, 30)
    tenth = tenfold(replace(once, path=archive))
    assert {target.key for target in MEMORY_TARGETS} == {way.key for way in make_memory_ways(once, tmp_path)}
    way = make_memory_ways(tenth, tmp_path)[0]
    outcome = run_way(way, tmp_path)
    assert way.count(outcome).games == 300
    assert outcome.usage.peak > 10_000_000


def test_unfair_comparisons_are_refused(archive: Path, tmp_path: Path) -> None:
    texts = make_texts(archive, tmp_path, None, {agreement.REFERENCE})
    way = Way("validate", "", "archive", [sys.executable, "-c", ""], lambda outcome: Counts(games=29))
    with pytest.raises(BenchmarkError, match="validate: games 29 instead of 30"):
        agreement.check([way], texts, tmp_path, lambda what: None)
    peer = replace(way, key="shakmaty", count=lambda outcome: Counts(games=20))
    agreed = agreement.check([peer], texts, tmp_path, lambda what: None)
    assert agreed.unfair == {"shakmaty": "it finds 20 games where we find 30: no fair comparison"}
    agreed = agreement.check([replace(peer, count=lambda outcome: Counts(games=31))], texts, tmp_path, lambda what: None)
    assert agreed.remarks == ["shakmaty finds 31 games where we find 30 in its text"]
    failing = replace(peer, command=[sys.executable, "-c", "raise SystemExit('cannot read this')"])
    agreed = agreement.check([failing], texts, tmp_path, lambda what: None)
    assert agreed.unfair == {"shakmaty": "it does not read this to the end: cannot read this"}
    with pytest.raises(BenchmarkError, match=r"failed:\n(.|\n)*no such thing"):
        run_way(replace(way, command=[sys.executable, "-c", "raise SystemExit('no such thing')"]), tmp_path)


# ----------------------------------------------------------------------------------------------------- the tables


def invented(folder: Path) -> str:
    """The tables of a run in which everything was measured, with figures out of the air."""
    paths = text_paths(folder)
    folder.joinpath("a.pgn").write_bytes(b"x" * 1000)
    games = {"head for pgn-extract": 10_000, "head for read_game": 1_000}
    texts = {name: Text(name, folder / "a.pgn", games.get(name, 5)) for name in paths}
    peers = [Way(key, label, text, []) for key, (label, text) in PEERS.items()]
    ways = [*peers, *make_ways(paths, folder)]
    keys = [way.key for way in ways]
    results = Results(
        times={key: [SHARE, SHARE] for key in keys},
        sizes=dict.fromkeys(keys, 81_700_000),
        games=dict.fromkeys(keys, 125_620),
        plies=dict.fromkeys(keys, 10_212_025),
        peaks={target.key: (120_000_000, 121_000_000) for target in MEMORY_TARGETS},
    )
    return table.render(ways, texts, results, {}, ["On a machine."])


def test_every_target_is_measured(tmp_path: Path) -> None:
    tables = invented(tmp_path)
    targets = {target.label for target in TARGETS}
    rows = [row for row in tables.splitlines() if any(row.startswith(f"| {label} ") for label in targets)]
    assert len(rows) == len(TARGETS)
    assert all(row.rstrip(" |").endswith(("yes", "no")) for row in rows)


def test_the_page_on_clusters_has_a_place_for_its_tables() -> None:
    took = cluster.Measured(games=125_620, seconds=10.0, cluster=2.0, processor=12.0)
    measured = {way: replace(took, seconds=5.5) if way == "2 workers" else took for way in cluster.WAYS}
    tables = cluster.render(measured, (17_752_357, 81_687_744, 197_000_000), 20, "On a machine.")
    assert "an efficiency of 91%" in tables
    # 12,562 games a second: 7 billion take 155 hours.
    assert next(row for row in tables.splitlines() if row.startswith("| 7 billion games ")).count(" 6 days ") == 1
    assert table.quoted(cluster.PAGE.read_text(encoding="utf-8"))


def test_readme_quotes_the_tables_in_the_form_that_is_written(tmp_path: Path) -> None:
    quoted = table.quoted((ROOT / "README.md").read_text(encoding="utf-8"))
    assert table.form(quoted) == table.form(invented(tmp_path))


def test_tables_are_put_between_the_marks(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n\n{table.BEGIN}\n\nold\n{table.END}\n\nafter\n", encoding="utf-8")
    for _ in range(2):
        table.put_into(readme, "new\n")
        assert readme.read_text(encoding="utf-8") == f"before\n\n{table.BEGIN}\n\nnew\n\n{table.END}\n\nafter\n"
    readme.write_text("nothing\n", encoding="utf-8")
    with pytest.raises(BenchmarkError, match="no place for the tables"):
        table.put_into(readme, "new\n")


@pytest.mark.parametrize(
    ("work", "command", "verdict"),
    [(4.0, 4.0, "yes"), (4.1, 3.9, "the work alone"), (3.9, 3.9, "no"), (3.9, 4.1, "no"), (None, None, ""), (None, 3.9, "no")],
)
def test_verdicts(work: float | None, command: float | None, verdict: str) -> None:
    def told(value: float | None) -> Ratio | None:
        return None if value is None else Ratio(value, value, value)

    target = Target("faster", 4.0, True, " ×", lambda run: told(work), lambda run: told(command))
    assert target.verdict(Results({}, {}, {}, {}, {})) == verdict
    assert target.wanted == "at least 4 ×"


def test_ratios_are_taken_round_by_round() -> None:
    quick, slow = Usage(1.0, 0, 3.0), Usage(4.0, 0, 4.0)
    results = Results({"a": [quick, slow, quick], "b": [slow, slow, slow]}, {"a": 200, "b": 100}, {}, {}, {})
    assert results.throughput("a", "b") == Ratio(8.0, 2.0, 8.0)
    assert results.wall("a", "b") == Ratio(0.75, 0.75, 1.0)
    assert results.throughput("a", "c") is None
    assert nothing(results) is None


@pytest.mark.parametrize(
    ("number", "shown"), [(1234.5, "1,234"), (25.43, "25.4"), (4.309, "4.31"), (0.58, "0.58"), (0.00412, "0.0041"), (0.0, "0")]
)
def test_figures_are_short(number: float, shown: str) -> None:
    assert table.short(number) == shown
