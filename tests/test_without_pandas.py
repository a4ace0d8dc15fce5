"""The installed command does without pandas, which costs time to load; a program that calls the command line keeps it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

GAME = '[Event "Oak Cup"]\n[Result "*"]\n\n1. e4 e5 *\n\n'
CALL = "import sys; from chesstools.cli.main import main; {before}; status = main({args}); {after}; sys.exit(status)"


def run(*args: str, before: str = "pass", after: str, given: str = "") -> str:
    code = CALL.format(before=before, args=given, after=after)
    done = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "line",
    [
        "convert a.pgn -o a.parquet --quiet",
        "ingest a.pgn -o ds --quiet",
        "stats a.pgn -o st --quiet",
        "query a.pgn SELECT(1) --quiet",
    ],
)
def test_commands_work_and_never_load_it(here: Path, line: str) -> None:
    pytest.importorskip("pandas")
    Path("a.pgn").write_text(GAME)
    says = run(*line.split(), after="print('loaded:', 'pandas' in sys.modules)")
    assert "loaded: False" in says


def test_it_is_as_if_it_were_not_installed(here: Path) -> None:
    after = "import importlib.util as u; print(u.find_spec('pyarrow') is not None);"
    after += "exec('try: import pandas\\nexcept ImportError: print(404)')"
    assert run("rule", "M324", after=after).endswith("True\n404\n")


def test_a_program_that_calls_the_command_line_keeps_it() -> None:
    pytest.importorskip("pandas")
    assert run(given="['rule', 'M324']", after="import pandas; print(pandas.DataFrame([1]).size)").endswith("\n1\n")


def test_what_is_loaded_already_stays() -> None:
    pytest.importorskip("pandas")
    assert run("rule", "M324", before="import pandas", after="import pandas; print(pandas.DataFrame([1]).size)").endswith("\n1\n")
