"""Values that once made the reader give up, each in the smallest game that shows it."""

from __future__ import annotations

import pytest

from chesstools.scan import scan
from chesstools.source import Source


def read(text: str) -> tuple[dict[str, object], list[str]]:
    """The row of the only game, and its codes."""
    tables = scan(Source.from_bytes(text.encode())).to_tables()
    return tables["games"].to_pylist()[0], [row["code"] for row in tables["findings"].to_pylist()]


@pytest.mark.parametrize("date", ["1999.00.00", "1999.01.00", "1999.00.01", "????.00.??"])
def test_month_or_day_zero_is_no_date(date: str) -> None:
    game, codes = read(f'[Date "{date}"]\n\n1. e4 *\n')
    assert "T120" in codes
    assert (game["date"], game["date_value"], game["year"]) == (date, None, None)


def test_a_sign_for_promoted_men_between_digits_is_passed_over() -> None:
    game, codes = read('[SetUp "1"]\n[Variant "From Position"]\n[FEN "4k3/8/4~4/8/8/8/8/4K2R~ w - - 0 1"]\n\n1. Rh8+ *\n')
    assert codes.count("F201") == 1
    assert game["legal_ply_count"] == 1


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize(
    "placement", ["~4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3~~", "4k3/~8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4~K3"]
)
def test_a_sign_for_promoted_men_without_a_man_is_reported(placement: str, engine: str) -> None:
    if engine == "native":
        pytest.importorskip("chesstools._core")
    text = f'[SetUp "1"]\n[FEN "{placement} w - - 0 1"]\n\n*\n'
    tables = scan(Source.from_bytes(text.encode()), engine=engine).to_tables()
    assert [row["code"] for row in tables["findings"].to_pylist()].count("F202") == 1


@pytest.mark.parametrize("fen", ["4k3/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w XX - 0 1"])
def test_a_variant_tag_says_the_rules_whatever_is_wrong_with_the_fen(fen: str) -> None:
    game, codes = read(f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n*\n')
    assert game["rules"] == "chess960"
    assert {"F201", "F203"} & set(codes)
