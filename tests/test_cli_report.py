"""The command that makes a report: what it writes, and what it says where it cannot."""

from __future__ import annotations

import gzip
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli, command
from datasets import pgn
from report_parts import BARE, MIXED

import chesstools
from chesstools.database import connect


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return command(capsys, "report")


def test_the_command_writes_a_page_and_says_how_large_it_is(cli: Cli, here: Path) -> None:
    Path("a.pgn").write_text(pgn(0, 7))
    run = cli("a.pgn", "-o", "report.html", "--title", "Our <club>")
    assert (run.status, run.out) == (0, "")
    assert re.fullmatch(r"report\.html: \d\.\d MB; open it in any browser\.\n", run.err)
    assert "<title>Our &lt;club&gt;</title>" in Path("report.html").read_text()
    assert cli("a.pgn", "-o", "-", "--title", "Our <club>").out == Path("report.html").read_text()
    assert cli("a.pgn", "-o", "report.html.gz", "--title", "Our <club>", "-q").err == ""
    assert gzip.decompress(Path("report.html.gz").read_bytes()) == Path("report.html").read_bytes()


def test_pictures_are_written_for_every_plot(cli: Cli, here: Path) -> None:
    run = cli(MIXED, "-o", "report.html", "--png", "pictures")
    assert run.status == 0
    plots = chesstools.report(MIXED).page.plots
    assert len(plots) > 4
    assert {path.name for path in Path("pictures").iterdir()} == {f"{plot.id}{end}" for plot in plots for end in (".png", ".svg")}
    assert f"pictures: {2 * len(plots)} pictures." in run.err


def test_a_source_that_ends_too_early_is_told_and_the_rest_is_shown(cli: Cli, here: Path) -> None:
    Path("cut.pgn.gz").write_bytes(gzip.compress(pgn(0, 300).encode())[:-400])
    Path("b.pgn").write_text(pgn(7, 11))
    run = cli("cut.pgn.gz", "b.pgn", "-o", "report.html")
    assert run.status == 2
    assert "chesstools: cut.pgn.gz" in run.err
    assert "2 sources" in Path("report.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["a.pgn", "-o", "a.pgn"], "a.pgn is one of the sources; give --output another name."),
        (["a.pgn", "-o", "."], ". is a folder; give the name of a file."),
        (["a.pgn", "-o", "r.html", "--title", " "], "The title is empty; leave --title out to have the name of the source."),
        (["a.pgn", "-o", "r.html", "--png", "a.pgn"], "a.pgn is one of the sources; give --png another name."),
        (["a.pgn", "-o", "r.html", "--png", "b"], "b cannot be written (File exists); choose another place."),
    ],
)
def test_what_cannot_be_done_is_told_in_one_sentence(cli: Cli, here: Path, arguments: list[str], sentence: str) -> None:
    Path("a.pgn").write_text(BARE)
    Path("b").write_text("a file that is no source")
    run = cli(*arguments)
    assert run.status == 2
    assert run.err.splitlines()[-1] == f"chesstools: {sentence}"
    assert Path("a.pgn").read_text() == BARE


@pytest.mark.parametrize("package", ["altair", "jinja2", "vl_convert"])
def test_without_the_extra_one_sentence_names_it(cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    Path("a.pgn").write_text(BARE)
    monkeypatch.setitem(sys.modules, package, None)
    run = cli("a.pgn", "-o", "report.html")
    assert (run.status, run.out) == (2, "")
    assert run.err == "chesstools: A report needs a few more packages: pip install 'chesstools-pgn[report]'.\n"
    assert not Path("report.html").exists()


def test_jobs_are_heeded_while_counting(cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def noted(*arguments: Any, **options: Any) -> Any:
        asked.append(options.get("threads"))
        return connect(*arguments, **options)

    for module in ("chesstools.stats.run", "chesstools.report.contents"):
        monkeypatch.setattr(sys.modules[module], "connect", noted)
    Path("a.pgn").write_text(pgn(0, 7))
    assert cli("a.pgn", "-o", "report.html", "--jobs", "1").status == 0
    assert asked
    assert set(asked) == {1}
