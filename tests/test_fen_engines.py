"""Rows about positions are the same from both engines, and those of many at once are those of one."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from benchmarks import fen
from fen_lines import ODD, lines
from hypothesis import example, given
from hypothesis import strategies as st
from shared_cases import cases, needs_cases

from chesstools.engines import why_not_native
from chesstools.fen import check_fen
from chesstools.fen.problems import Checked
from chesstools.fen.rows import check_rows, key_rows, moves_rows, normalise_rows, seen_positions
from chesstools.reference.normal_form import CASTLING, EN_PASSANT, Form

native = pytest.mark.skipif(why_not_native() is not None, reason="the native core is not here")
ENGINES = ("native", "reference")
FORMS = [Form(en_passant, castling, reset) for en_passant in EN_PASSANT for castling in CASTLING for reset in (False, True)]


def compare(texts: list[str | None], chess960: bool, form: Form) -> None:
    """Everything that both engines tell of the texts."""
    column = pa.array(texts, pa.string())
    (rows, found), (readable, readable_found) = (check_rows(column, chess960=chess960, engine=engine) for engine in ENGINES)
    assert rows.schema == readable.schema
    assert rows.to_pylist() == readable.to_pylist()
    assert found == readable_found
    for work in (
        lambda engine: normalise_rows(column, form, chess960=chess960, engine=engine),
        lambda engine: key_rows(column, chess960=chess960, engine=engine),
        lambda engine: moves_rows(column, chess960=chess960, engine=engine),
        lambda engine: seen_positions(by_text=False, chess960=chess960, engine=engine).add(column),
        lambda engine: seen_positions(by_text=True, chess960=chess960, engine=engine).add(column),
    ):
        one, other = (work(engine) for engine in ENGINES)
        assert one.schema == other.schema
        assert one.to_pylist() == other.to_pylist()


@native
@given(st.lists(st.none() | lines(), max_size=6), st.booleans(), st.sampled_from(FORMS))
@example([*ODD, None], False, FORMS[0])
@example(list(ODD), True, FORMS[5])
def test_engines_agree(texts: list[str | None], chess960: bool, form: Form) -> None:
    compare(texts, chess960, form)


@native
@needs_cases
def test_engines_agree_on_the_cases() -> None:
    texts = [
        line for name, case in cases().items() if name.startswith("FEN") for line in case.record["minimal_input"].splitlines()
    ]
    assert len(texts) > 20
    for form in FORMS:
        compare(list(texts), False, form)


@pytest.mark.parametrize("engine", [pytest.param("native", marks=native), "reference"])
@given(texts=st.lists(st.none() | lines(), max_size=6))
@example(texts=[*ODD, None])
def test_many_are_checked_as_one(engine: str, texts: list[str | None]) -> None:
    column = pa.array(texts, pa.string())
    checked = Checked(column, *check_rows(column, engine=engine), "en")
    wanted = [[] if text is None else check_fen(text) for text in texts]
    assert list(checked.all_problems()) == wanted
    table = checked.table().to_pylist()
    for text, problems, row in zip(texts, wanted, table, strict=True):
        if text is None:
            assert set(row.values()) == {None}
            continue
        worst = max((problem.severity for problem in problems), default=None)
        assert row["severity"] == (worst and worst.value)
        assert row["ok"] == (worst is None or worst.value != "error")
        assert row["codes"] == [problem.code for problem in problems]
        assert row["messages"] == [problem.message for problem in problems]
    assert sum(checked.counts().values()) == sum(map(len, wanted))


@native
def test_the_benchmark_compares_before_it_times(capsys: pytest.CaptureFixture[str]) -> None:
    fen.main([str(Path(__file__).resolve().parent.parent / "sample_data" / "fen" / "odd.fen")])
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "both engines tell the same of 14 positions"
    assert told[3] == "14 positions, 9 findings"
    assert [line.rpartition(" ")[2] for line in told[1:3] + told[4:]] == ["positions/s"] * 6
