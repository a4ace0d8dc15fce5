"""Optional rules: asked for in the library and on the command line, in datasets, and told in the counts of games."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Cli, command
from datasets import manifest

from chesstools.dataset import Dataset, ingest
from chesstools.engines import why_not_native
from chesstools.errors import DatasetError
from chesstools.scan import scan
from chesstools.source import Source
from chesstools.validate import validate

ENGINES = ["reference"] if why_not_native() else ["reference", "native"]
every_engine = pytest.mark.parametrize("engine", ENGINES)

ROSTER = (
    '[Event "Open"]\n[Site "Linares ESP"]\n[Date "1999.02.21"]\n[Round "1"]\n[White "Anand, V"]\n'
    '[Black "Kramnik, V"]\n[Result "1-0"]\n\n'
)
CLEAN = ROSTER + "1. e4 e5 2. Nf3 Nc6 1-0\n\n"
LONG = ROSTER + "1. e4 e5 2. Nf3 {" + "x" * 238 + "} 2... Nc6 1-0\n\n"


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("a.pgn").write_text(CLEAN + LONG + CLEAN)
    return "a.pgn"


@every_engine
def test_an_optional_rule_is_worked_out_only_where_asked_for(archive: str, engine: str) -> None:
    for also, codes in ((None, []), ("P112", ["P112"]), ("ALL", ["P112"]), ("M", [])):
        found = validate(archive, also=also, engine=engine)
        assert [(item.finding.code, item.finding.where.game_index) for item in found] == [(code, 1) for code in codes]
        assert dict(found.summary.findings) == dict.fromkeys(codes, 1)
        tables = scan(archive, also=also, engine=engine).to_tables()
        assert tables["findings"]["code"].to_pylist() == codes
        assert tables["games"]["codes"].to_pylist() == [[], codes, []]
        assert tables["games"]["infos"].to_pylist() == [0, len(codes), 0]


@every_engine
def test_long_lines_of_a_game_are_one_finding(engine: str) -> None:
    text = "% " + "z" * 254 + "\n" + '[White "' + "a" * 245 + '"]\r\n\r' + "1. e4 {" + "b" * 300 + "\n" + "c" * 255 + "} e5 *\n"
    (row,) = scan(Source.from_bytes(text.encode()), select="P112", engine=engine).to_tables()["findings"].to_pylist()
    assert (row["line"], row["byte_offset"], row["byte_length"]) == (1, 0, 256)
    assert (row["count"], row["limit"], row["evidence"]) == (3, 255, [("longest", "307")])
    assert row["token"] == "% " + "z" * 198


@every_engine
@pytest.mark.parametrize(("length", "findings"), [(255, 0), (256, 1)])
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r", ""])
def test_the_break_of_a_line_does_not_count(engine: str, length: int, findings: int, line_break: str) -> None:
    text = "1. e4 {" + "é" * 100 + " " * (length - 213) + "} e5 *"
    assert len(text.encode()) == length
    rows = scan(Source.from_bytes((text + line_break).encode()), select="P112", engine=engine).to_tables()["findings"]
    assert rows.num_rows == findings


@every_engine
def test_a_line_that_games_share_counts_for_each_with_its_own_part(engine: str) -> None:
    short, long = "1. e4 {" + "x" * 200 + "} *", "1. d4 {" + "y" * 300 + "} *"
    source = Source.from_bytes(f"{short} {short} {long} {short}\n".encode())
    found = scan(source, select="P112", engine=engine).to_tables()["findings"]
    assert found["game_index"].to_pylist() == [2]
    assert found["line"].to_pylist() == [1]


@every_engine
@pytest.mark.parametrize("options", [{"block_bytes": 7}, {"jobs": 2, "batch_games": 3}, {"tables": ("findings",)}])
def test_findings_do_not_depend_on_how_a_source_is_read(engine: str, options: dict[str, object]) -> None:
    source = Source.from_bytes(((CLEAN + LONG) * 20).encode())
    rows = scan(source, also="P112", engine=engine, **options).to_tables()["findings"].to_pylist()  # type: ignore[arg-type]
    assert rows == scan(source, also="P112", engine="reference").to_tables()["findings"].to_pylist()
    assert len(rows) == 20


def test_command_line(archive: str, capsys: pytest.CaptureFixture[str]) -> None:
    cli: Cli = command(capsys)
    assert "P112" not in cli("validate", archive, "--severity", "info").out
    assert "1 line is longer than 255 bytes" in cli("validate", archive, "--severity", "info", "--also", "P112").out
    assert "1 line is longer than 255 bytes" in cli("validate", archive, "--select", "long-line").out
    assert cli("validate", archive, "--also", "P112", "--fail-on", "info", "--ignore", "P").status == 0
    assert "P112" in cli("ingest", archive, "-o", "out", "--also", "P112").out
    assert (
        cli("validate", archive, "--also", "P999").err
        == "chesstools: There is no rule 'P999'; did you mean P109 (missing-terminator)?\n"
    )


def test_a_dataset_tells_its_optional_rules_and_goes_on_with_the_same(archive: str) -> None:
    ingest(archive, "out", also=["long-line"])
    assert manifest("out")["also"] == ["P112"]
    assert Dataset.open("out").summary.findings == {"P112": 1}
    assert Dataset.open("out").to_pandas("games")["codes"].map(list).tolist() == [[], ["P112"], []]
    ingest(archive, "plain")
    assert manifest("plain")["also"] == []
    path = Path("out/_chesstools.json")
    path.write_text(path.read_text().replace('"complete"', '"running"'))
    with pytest.raises(DatasetError, match="made with optional rules P112, not none; give --overwrite"):
        ingest(archive, "out")
    assert ingest(archive, "out", also="P112").findings == {"P112": 1}
