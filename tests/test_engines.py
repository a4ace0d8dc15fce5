"""The choice of the engine: by argument, then by environment, then what there is; and the one line that tells of the slow one."""

from __future__ import annotations

import sys
import warnings
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

import pytest

from chesstools import engines
from chesstools.dataset import ingest
from chesstools.errors import OptionError
from chesstools.scan import scan
from chesstools.source import Source
from chesstools.validate import validate

GAME = b"1. e4 e5 2. Ke3 *"

WHY_NOT_NATIVE = engines.why_not_native.__wrapped__
"""Without the memory of what was found before."""


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CHESSTOOLS_ENGINE", raising=False)


@pytest.fixture(params=[True, False], ids=["built", "not built"])
def built(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the native core is there, or seems to be."""
    monkeypatch.setattr(engines, "why_not_native", lambda: None if request.param else "it was not built")
    return bool(request.param)


def test_auto_is_the_native_engine_if_it_was_built(built: bool) -> None:
    assert engines.choose() == engines.choose("auto") == ("native" if built else "reference")
    assert engines.choose("reference") == "reference"


def test_the_native_engine_is_used_or_refused(built: bool) -> None:
    if built:
        assert engines.choose("native") == "native"
        return
    with pytest.raises(
        OptionError, match=r"cannot be used \(it was not built\); install Rust .*, or choose the reference engine"
    ):
        engines.choose("native")


def test_an_argument_wins_over_the_environment(built: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHESSTOOLS_ENGINE", "reference")
    assert engines.choose() == "reference"
    assert engines.choose("auto") == ("native" if built else "reference")


def core(monkeypatch: pytest.MonkeyPatch, **attributes: object) -> None:
    """Puts another core in the place of the one that was built."""
    stand_in = ModuleType("chesstools._core")
    vars(stand_in).update(attributes)
    monkeypatch.setitem(sys.modules, "chesstools._core", stand_in)
    monkeypatch.setattr("chesstools._core", stand_in, raising=False)


def test_a_debug_build_of_the_core_warns_and_says_how_to_get_a_fast_one(monkeypatch: pytest.MonkeyPatch) -> None:
    core(monkeypatch, IS_DEBUG_BUILD=True)
    with pytest.warns(RuntimeWarning, match=r"debug build, .* slower: install chesstools with pip") as caught:
        assert WHY_NOT_NATIVE() is None
    assert len(caught) == 1


def test_it_warns_once(monkeypatch: pytest.MonkeyPatch) -> None:
    core(monkeypatch, IS_DEBUG_BUILD=True)
    engines.why_not_native.cache_clear()
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert [engines.choose() for _ in range(3)] == ["native"] * 3
        assert [warning.category for warning in caught] == [RuntimeWarning]
    finally:
        engines.why_not_native.cache_clear()


def test_a_release_build_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    core(monkeypatch, IS_DEBUG_BUILD=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert WHY_NOT_NATIVE() is None


def test_a_core_that_was_not_built_is_missed_in_plain_words(monkeypatch: pytest.MonkeyPatch) -> None:
    import chesstools

    monkeypatch.delattr(chesstools, "_core", raising=False)
    monkeypatch.setitem(sys.modules, "chesstools._core", None)
    assert WHY_NOT_NATIVE() == "it was not built"


def test_other_names_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for run in (scan, validate, lambda source, engine: ingest(source, tmp_path / "data", engine=engine)):
        with pytest.raises(OptionError, match="engine is 'quick'; choose from auto, native, reference"):
            run(Source.from_bytes(GAME), engine="quick")
    monkeypatch.setenv("CHESSTOOLS_ENGINE", "quick")
    with pytest.raises(OptionError, match="CHESSTOOLS_ENGINE is 'quick'"):
        scan(Source.from_bytes(GAME))


def test_every_door_has_the_choice(tmp_path: Path) -> None:
    tables = scan(Source.from_bytes(GAME), engine="reference").to_tables()
    assert tables["findings"]["code"].to_pylist() == ["P106", "M303"]
    assert [item.finding.code for item in validate(Source.from_bytes(GAME), engine="reference")] == ["P106", "M303"]
    assert ingest(Source.from_bytes(GAME, "a.pgn"), tmp_path / "data", engine="reference").games == 1


def run_command(*args: str) -> int:
    (script,) = entry_points(group="console_scripts", name="chesstools")
    return int(script.load()(args))


@pytest.mark.parametrize(
    ("options", "environment", "said"),
    [([], None, True), (["--engine", "auto"], None, True), (["-q"], None, False), (["--engine", "reference"], None, False),
     ([], "reference", False)],
)  # fmt: skip
def test_the_command_says_in_one_line_that_the_slow_engine_runs(
    options: list[str],
    environment: str | None,
    said: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(engines, "why_not_native", lambda: "it was not built")
    if environment:
        monkeypatch.setenv("CHESSTOOLS_ENGINE", environment)
    path = tmp_path / "a.pgn"
    path.write_bytes(GAME)
    assert run_command("validate", str(path), *options) == 1
    lines = [line for line in capsys.readouterr().err.splitlines() if "slow engine" in line]
    expected = (
        "chesstools: the slow engine runs, as the native one cannot be used (it was not built): install Rust and then chesstools "
        "again, or a ready-made wheel."
    )
    assert lines == [expected] * said
