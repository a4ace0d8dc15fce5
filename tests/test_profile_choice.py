"""Which profile a game gets, and why; both engines choose alike."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chesstools import dataset
from chesstools.engines import why_not_native
from chesstools.errors import OptionError
from chesstools.profile_choice import REASONS, read_choice
from chesstools.profiles import get_profile
from chesstools.scan import games, scan
from chesstools.source import Source
from chesstools.validate import validate

ENGINES = ["reference", *(["native"] if why_not_native() is None else [])]

# Tags, and what they choose.
CASES: list[tuple[dict[str, str], str, str]] = [
    # dates: the first and the last day of each edition
    ({"Date": "1984.12.31"}, "seed-1992", "before-1985"),
    ({"Date": "1851.??.??"}, "seed-1992", "before-1985"),
    ({"Date": "1985.01.01"}, "fide-1985", "date"),
    ({"Date": "1988.12.31"}, "fide-1985", "date"),
    ({"Date": "1989.01.01"}, "fide-1989", "date"),
    ({"Date": "1992.12.31"}, "fide-1989", "date"),
    ({"Date": "1993.01.01"}, "seed-1992", "date"),
    ({"Date": "1997.06.30"}, "seed-1992", "date"),
    ({"Date": "1997.07.01"}, "fide-1997", "date"),
    ({"Date": "2009.06.30"}, "fide-1997", "date"),
    ({"Date": "2009.07.01"}, "fide-2009", "date"),
    ({"Date": "2014.06.30"}, "fide-2009", "date"),
    ({"Date": "2014.07.01"}, "fide-2014", "date"),
    ({"Date": "2017.06.30"}, "fide-2014", "date"),
    ({"Date": "2017.07.01"}, "fide-2017", "date"),
    ({"Date": "2017.12.31"}, "fide-2017", "date"),
    ({"Date": "2018.01.01"}, "fide-2018", "date"),
    ({"Date": "2022.12.31"}, "fide-2018", "date"),
    ({"Date": "2023.01.01"}, "fide-2023", "date"),
    ({"Date": "2999.01.01"}, "fide-2023", "date"),
    # what is known of a date may be enough
    ({"Date": "1989.??.??"}, "fide-1989", "date"),
    ({"Date": "1997.05.??"}, "seed-1992", "date"),
    ({"Date": "1997.07.??"}, "fide-1997", "date"),
    ({"Date": "1997.??.??"}, "fide-1997", "date-incomplete"),
    ({"Date": "1997.??.15"}, "fide-1997", "date-incomplete"),
    ({"Date": "2017.??.??"}, "fide-2017", "date-incomplete"),
    ({"Date": "????.??.??"}, "fide-2023", "date-unknown"),
    ({"Date": "????.07.01"}, "fide-2023", "date-unknown"),
    ({"Date": "1989"}, "fide-2023", "date-unknown"),
    ({"Date": "2023.02.30"}, "fide-2023", "date-unknown"),
    ({}, "fide-2023", "date-unknown"),
    ({"Date": "????.??.??", "UTCDate": "2016.01.01"}, "fide-2014", "date"),
    ({"UTCDate": "1990.01.01"}, "fide-1989", "date"),
    ({"Date": "1995.01.01", "UTCDate": "1990.01.01"}, "seed-1992", "date"),
    # servers
    ({"Site": "https://lichess.org/AbCd1234", "Date": "2016.01.01"}, "lichess", "site"),
    ({"Site": "Lichess.org"}, "lichess", "site"),
    ({"Site": "https://lichess.org/study/AbCd1234", "Date": "1990.01.01"}, "fide-1989", "date"),
    ({"Site": "https://lichess.org/broadcast/a/b", "Date": "2024.01.01"}, "fide-2023", "date"),
    ({"Site": "Chess.com"}, "chesscom", "site"),
    ({"Site": "https://www.chess.com/game/live/1"}, "chesscom", "site"),
    ({"Site": "chess.community", "Date": "1990.01.01"}, "fide-1989", "date"),
    ({"Site": "www.mychess.com", "Date": "1990.01.01"}, "fide-1989", "date"),
    # correspondence and federations
    ({"Site": "ICCF"}, "iccf", "site"),
    ({"Mode": "EM", "Date": "1990.01.01"}, "iccf", "mode"),
    ({"Mode": " pm "}, "iccf", "mode"),
    ({"Mode": "OTB", "Date": "1990.01.01"}, "fide-1989", "date"),
    ({"Event": "WC27/ICCF/final"}, "iccf", "event"),
    ({"Event": "ICCFX", "Date": "1990.01.01"}, "fide-1989", "date"),
    ({"Event": "us chess open"}, "uscf", "event"),
    ({"Event": "US Championship", "Date": "1990.01.01"}, "fide-1989", "date"),
    ({"Event": "ICCF", "Site": "lichess.org", "Mode": "EM"}, "lichess", "site"),
    ({"Event": "USCF", "Mode": "EM"}, "iccf", "mode"),
]


def archive(cases: list[dict[str, str]]) -> bytes:
    """Plain games, each with a threefold repetition that nobody claimed, one after the other."""
    text = ""
    for tags in cases:
        text += "".join(f'[{name} "{value}"]\n' for name, value in {"Event": "x", **tags, "Result": "1-0"}.items())
        text += "\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5 1-0\n\n"
    return text.encode()


def judged(data: bytes, engine: str, **options: Any) -> dict[str, list[dict[str, Any]]]:
    scanning = scan(Source.from_bytes(data, "x"), engine=engine, **options)
    return {name: table.to_pylist() for name, table in scanning.to_tables().items()}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("tables", [("games", "plies", "findings"), ("findings",)])
def test_the_profile_of_each_game(engine: str, tables: tuple[str, ...]) -> None:
    # Each game twice, as games with the tags of the one before are chosen for at once.
    cases = [case for case in CASES for _ in range(2)]
    rows = judged(archive([tags for tags, _, _ in cases]), engine, tables=tables)
    if "games" in tables:
        found = [(row["profile"], row["profile_reason"]) for row in rows["games"]]
        assert found == [(profile, reason) for _, profile, reason in cases]
    for number, (_, profile, reason) in enumerate(cases):
        own = [row for row in rows["findings"] if row["game_index"] == number]
        assert {row["profile"] for row in own} == {profile}
        claims = [row for row in own if row["code"] == "D601" and row["effect"] == "decisive_against_claimant"]
        lowered = reason in ("date-unknown", "date-incomplete")
        assert {row["severity"] for row in claims} == (
            set() if profile == "chesscom" else {"info"} if lowered else {"warning"} if claims else set()
        )


def test_every_reason_is_one_of_the_list() -> None:
    assert {reason for *_, reason in CASES} | {"option"} == set(REASONS)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_option_wins(engine: str) -> None:
    data = archive([{"Site": "lichess.org", "Date": "1990.01.01"}, {}])
    for profile in ("fide-1997", get_profile("fide-1997")):
        rows = judged(data, engine, profile=profile)
        assert {(row["profile"], row["profile_reason"]) for row in rows["games"]} == {("fide-1997", "option")}
        assert {row["severity"] for row in rows["findings"] if row["effect"] == "decisive_against_claimant"} == {"warning"}


@pytest.mark.parametrize("engine", ENGINES)
def test_a_file_of_ones_own(engine: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        """
        [profiles.fide-1989]
        valid_from = 1990-01-01
        [profiles.club]
        based_on = "seed-1992"
        events = ["Club"]
        """
    )
    data = archive([{"Date": "1989.05.05"}, {"Date": "1990.01.01"}, {"Event": "our Club, open", "Date": "2024.01.01"}])
    rows = judged(data, engine, profile_file=file)
    assert [(row["profile"], row["profile_reason"]) for row in rows["games"]] == [
        ("fide-1985", "date"),
        ("fide-1989", "date"),
        ("club", "event"),
    ]
    assert {row["profile"] for row in judged(data, engine, profile="club", profile_file=file)["games"]} == {"club"}
    with pytest.raises(OptionError, match="no profile 'club'"):
        scan(Source.from_bytes(data), profile="club")


@pytest.mark.parametrize("engine", ENGINES)
def test_regions_outside_of_games_have_the_profile_of_undated_ones(engine: str) -> None:
    for profile, expected in (("auto", "fide-2023"), ("fide-1985", "fide-1985")):
        rows = judged(b"what is this?\n", engine, profile=profile)
        assert {row["profile"] for row in rows["findings"]} == {expected}


def test_early_games_have_no_extensions() -> None:
    profile = replace(get_profile("seed-1992"), fifty_extensions=get_profile("fide-1989").fifty_extensions)
    choice = read_choice()
    early = replace(choice, profiles=(*(one for one in choice.profiles if one.name != "seed-1992"), profile))
    assert early.of({"Date": "1950.01.01"}.get).profile.fifty_extensions == ()
    assert early.of({"Date": "1995.01.01"}.get).profile.fifty_extensions != ()


def test_labels_tell_what_was_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[profiles.fide-1989]\nvalid_from = 1990-01-01\n")
    labels = [
        read_choice().label,
        read_choice("fide-1989").label,
        read_choice(get_profile("fide-1989")).label,
        read_choice("auto", file).label,
    ]
    assert labels[:3] == ["auto", "fide-1989", "fide-1989"]
    assert labels[3].startswith("auto with mine.toml ")
    other = read_choice(replace(get_profile("fide-1989"), fifty_claim=120)).label
    assert other.startswith("fide-1989 ")
    file.write_text("[profiles.fide-1989]\nvalid_from = 1991-01-01\n")
    assert read_choice("auto", file).label != labels[3]


def test_announced_extensions_without_effect_are_no_surprise(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('announced = [{ material = "KRBvKR", moves = 75 }]')
    for profile in ("auto", "seed-1992", "uscf"):
        read_choice(profile, file)
    for chosen in ("fide-2023", get_profile("lichess")):
        with pytest.raises(OptionError, match=r"announces more than 50 .* choose auto or one of: seed-1992, uscf; or set"):
            read_choice(chosen, file)
    file.write_text(file.read_text() + "\n[profiles.fide-2023]\nfifty_may_be_extended = true\n")
    assert read_choice("fide-2023", file).profiles[0].fifty_extensions[0].moves == 75


def test_the_case_of_a_name_does_not_matter() -> None:
    assert read_choice("FIDE-2023").label == "fide-2023"


def test_what_cannot_be_used_is_said(tmp_path: Path) -> None:
    for arguments, said in (
        (("1995",), r"There is no profile '1995' \(in 1995 it was seed-1992\); use auto or one of: fide-1985"),
        (("fide-1874",), "There is no profile 'fide-1874'; use auto or one of: fide-1985"),
        (("auto", tmp_path / "none.toml"), "Could not read .*none.toml: No such file"),
        ((replace(get_profile("uscf"), threefold_claim=2),), "profile uscf, threefold_claim: 2 cannot be used"),
        ((replace(get_profile("uscf"), ep_key="x"),), "profile uscf, ep_key: 'x' is none of"),
        ((replace(get_profile("uscf"), fifty_claim=101, fifty_announced=100),), "so it is even"),
    ):
        with pytest.raises(OptionError, match=said):
            read_choice(*arguments)


def test_all_doors_take_a_profile(tmp_path: Path) -> None:
    data = archive([{"Date": "1990.01.01"}] * 2)
    source = Source.from_bytes(data, "x")
    assert [game.profile.name for game in games(source)] == ["fide-1989"] * 2
    assert {game.profile_reason for game in games(source, profile="uscf")} == {"option"}
    assert {item.finding.profile for item in validate(source)} == {"fide-1989"}
    assert {item.finding.profile for item in validate(source, profile="iccf")} == {"iccf"}
    pgn = tmp_path / "x.pgn"
    pgn.write_bytes(data)
    dataset.ingest([pgn], tmp_path / "d")
    kept = dataset.Dataset.open(tmp_path / "d").to_pandas("games", columns=["profile", "profile_reason"])
    assert kept.to_numpy().tolist() == [["fide-1989", "date"]] * 2
