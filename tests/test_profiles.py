"""The Laws as data: what `profiles.toml` says of each edition, and what a user's own file may change."""

from __future__ import annotations

from dataclasses import fields
from datetime import date

import pytest

from chesstools.errors import OptionError
from chesstools.profile_file import PARAMETERS, parameter_texts, read_profiles
from chesstools.profiles import Profile, builtin_profiles, get_profile

NAMES = ["fide-1985", "fide-1989", "seed-1992", "fide-1997", "fide-2009", "fide-2014", "fide-2017", "fide-2018", "fide-2023"]
ELSEWHERE = ["uscf", "iccf", "lichess", "chesscom"]

QUARTER = "goes on if more than a quarter of the first time control has passed, else the arbiter may start a new game"

TABLE = {
    # parameter: by edition in the order of NAMES, then uscf, iccf, lichess, chesscom
    "threefold_claim": [3] * 13,
    "threefold_announced": [True] * 9 + [True, True, False, False],
    "threefold_automatic": [False] * 9 + [False, False, False, True],
    "fivefold_draw": [None] * 5 + [5] * 4 + [None, None, 5, None],
    "fivefold_consecutive": [False] * 5 + [True] + [False] * 3 + [False, None, False, None],
    "fifty_claim": [100] * 13,
    "fifty_announced": [None] * 3 + [99] * 6 + [99, 99, None, None],
    "fifty_automatic": [False] * 9 + [False, False, True, True],
    "fifty_min_men": [None] * 9 + [None, 8, None, None],
    "fifty_may_be_extended": [False, False, True] + [False] * 6 + [True, False, False, False],
    "seventyfive_draw": [None] * 5 + [150] * 4 + [None] * 4,
    "tablebase_claim_men": [None] * 9 + [None, 7, None, None],
    "castling_key": ["rights"] * 13,
    "ep_key": ["legal"] * 13,
    "dead_position": ["three-cases"] * 3 + ["any-series"] * 6 + ["uscf", "any-series", "lichess", "chesscom"],
    "flag_draw": ["bare-king"] * 3 + ["no-mate"] * 6 + ["uscf", "none", "lichess", "chesscom"],
    "resign_unwinnable_draws": [False] * 8 + [True] + [False] * 4,
    "agreed_draw_needs_moves": [False] * 6 + [True] * 3 + [False] * 4,
    "both_lose": [None, None] + [True] * 7 + [True, True, False, False],
    "knn_flag_draw": [False] * 13,
    "quick_play_claim": [
        *([None] * 3 + ["Article 10.2"] * 2 + ["Appendix G"] + ["Guideline III"] * 3),
        *("Rule 14H, insufficient losing chances", None, None, None),
    ],
    "colours_reversed": [
        *(None, None, QUARTER, "goes on", "goes on", "goes on"),
        *(["a new game if fewer than ten moves were made by both, else it goes on"] * 3),
        *("a new game if fewer than ten moves were made, else it goes on", None, None, None),
    ],
    "wrong_array": ["void"] * 9 + [None] * 4,
    "false_claim": [
        *(["5 minutes added to the time used"] * 3),
        "half of the time left taken off, 3 minutes at most; 3 minutes for the opponent",
        "3 minutes for the opponent",
        *(["2 minutes for the opponent"] * 3),
        "2 minutes for the opponent; 1 minute in rapid and blitz chess",
        *("2 minutes for the opponent", None, None, None),
    ],
    "late": [
        *(["60 minutes"] * 4 + ["0 minutes unless the event states otherwise"] + ["the event states"] * 4),
        *("60 minutes", "days of reflection time", "the game is aborted", "the game is aborted"),
    ],
    "moves_after_end": ["forbidden"] * 13,
    "illegal_moves_lose": [None] * 3 + [(3, 3, 1)] * 2 + [(2, 1, 1)] * 2 + [(2, 2, 2)] * 2 + [None] * 4,
}


@pytest.mark.parametrize("parameter", TABLE)
def test_the_table_of_editions(parameter: str) -> None:
    for name, expected in zip(NAMES + ELSEWHERE, TABLE[parameter], strict=True):
        value = getattr(get_profile(name), parameter)
        if parameter == "fivefold_consecutive" and expected is None:
            continue  # there is no automatic draw by repetition that could be so
        assert value == expected, name


def test_names_and_dates() -> None:
    profiles = builtin_profiles()
    assert list(profiles) == NAMES + ELSEWHERE
    assert [str(profiles[name].valid_from) for name in NAMES] == [
        "1985-01-01",
        "1989-01-01",
        "1993-01-01",
        "1997-07-01",
        "2009-07-01",
        "2014-07-01",
        "2017-07-01",
        "2018-01-01",
        "2023-01-01",
    ]
    assert all(profiles[name].valid_from is None for name in ELSEWHERE)


def test_what_draws_without_a_claim() -> None:
    found = {name: (profile.automatic_repetition, profile.automatic_moves) for name, profile in builtin_profiles().items()}
    assert found["fide-2023"] == found["fide-2014"] == (5, 150)
    assert found["seed-1992"] == found["iccf"] == (None, None)
    assert found["lichess"] == (5, 100)
    assert found["chesscom"] == (3, 100)


def test_extensions_and_their_dates() -> None:
    def told(name: str) -> list[tuple[str, int, str]]:
        return [(one.material, one.moves, one.condition) for one in get_profile(name).fifty_extensions]

    assert told("fide-1985") == [
        ("KNNvKP", 100, "pawn-blocked"),
        ("KRPvKBP", 100, "rook-pawns"),
        ("KRBvKR", 100, "none"),
    ]
    assert told("fide-1989") == [
        ("KBBvKN", 75, "none"),
        ("KQvKBB", 75, "none"),
        ("KQvKNN", 75, "none"),
        ("KNNvKP", 75, "none"),
        ("KRBvKR", 75, "none"),
        ("KQPvKQ", 75, "pawn-on-seventh"),
    ]
    assert not any(told(name) for name in (*NAMES[2:], *ELSEWHERE))
    knights, rook_pawns, rook_bishop = get_profile("fide-1985").fifty_extensions
    assert knights.line == (3, 5, 4, 3, 3, 4, 5, 3)
    assert rook_pawns.pawns == ((8, 16, False), (15, 23, True))
    assert (rook_bishop.valid_from, rook_bishop.valid_until) == (date(1984, 1, 1), date(1988, 12, 31))


def test_each_parameter_is_explained_and_marked_where_it_must_be() -> None:
    assert set(parameter_texts()) == set(PARAMETERS)
    for profile in builtin_profiles().values():
        assert set(profile.marks) | set(profile.notes) <= set(PARAMETERS)
        assert set(profile.marks.values()) <= {"R", "M"}
    assert get_profile("seed-1992").marks == {"valid_from": "M"}
    assert get_profile("chesscom").marks["threefold_automatic"] == "R"
    assert get_profile("uscf").marks["late"] == "M"


def test_an_own_file_changes_a_value_and_adds_a_profile() -> None:
    text = """
        [profiles.fide-1989]
        valid_from = 1990-01-01
        [profiles.club]
        based_on = "seed-1992"
        fifty_announced = 99
        seventyfive_draw = 150
    """
    profiles = read_profiles(text, "mine.toml", builtin_profiles())
    changed, old = profiles["fide-1989"], get_profile("fide-1989")
    assert changed.valid_from == date(1990, 1, 1)
    assert "valid_from" in old.marks
    assert "valid_from" not in changed.marks
    same = [field.name for field in fields(Profile) if getattr(changed, field.name) == getattr(old, field.name)]
    assert len(same) == len(fields(Profile)) - 3  # the value, its mark and its note
    club = profiles["club"]
    assert (club.name, club.title, club.valid_from, club.seventyfive_draw) == ("club", "club", None, 150)
    assert club.dead_position == "three-cases"
    assert builtin_profiles()["fide-1989"] == old


def test_what_was_otherwise_before_some_day() -> None:
    assert {
        name: [str(one.before) for one in profile.earlier] for name, profile in builtin_profiles().items() if profile.earlier
    } == {
        "lichess": ["2020-02-01"],
        "chesscom": ["2019-07-01"],
    }
    ((_, was),) = get_profile("chesscom").versions
    assert (was.name, was.automatic_repetition, was.automatic_moves) == ("chesscom", None, None)
    assert (was.threefold_claim, was.fifty_claim) == (3, 100)


def test_an_own_file_says_what_was_otherwise() -> None:
    text = """
        [profiles.club]
        based_on = "lichess"
        [[profiles.club.earlier]]
        before = 2001-01-01
        fifty_claim = 120
        [[profiles.club.earlier]]
        before = 2010-01-01
        fifty_claim = 140
        fivefold_draw = "none"
        [profiles.lichess]
        threefold_claim = 4
        [profiles.chesscom]
        earlier = []
    """
    profiles = read_profiles(text, "mine.toml", builtin_profiles())
    # Each says what differs from the one behind it: before 2001 there was no fivefold either.
    found = [(str(before), was.fifty_claim, was.fivefold_draw) for before, was in profiles["club"].versions]
    assert found == [("2001-01-01", 120, None), ("2010-01-01", 140, None)]
    assert (profiles["club"].fifty_claim, profiles["club"].fivefold_draw) == (100, 5)
    # What was stays where nothing is said of it, and is not handed on to others.
    assert profiles["lichess"].earlier == get_profile("lichess").earlier
    assert profiles["chesscom"].earlier == ()


def test_announced_extensions_go_where_the_laws_leave_room() -> None:
    text = 'announced = [{ material = "KRBvKR", moves = 75 }]'
    profiles = read_profiles(text, "mine.toml", builtin_profiles())
    room = [name for name, profile in profiles.items() if profile.fifty_extensions != get_profile(name).fifty_extensions]
    assert room == ["seed-1992", "uscf"]
    assert profiles["seed-1992"].fifty_extensions[0].moves == 75


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("profiles", "is not TOML"),
        ("fifty = 3", "nothing called 'fifty'"),
        ("profiles = 3", "written as [profiles.NAME]"),
        ("[profiles.x]\nfifty_claim = 100", "is missing; say what it is based_on"),
        ('[profiles.x]\nbased_on = "fide-1066"', "no profile 'fide-1066'"),
        ('[profiles.x]\nbased_on = "uscf"\nfifty = 1', "no parameter 'fifty'"),
        ("[profiles.uscf]\nfifty_claim = 0", "0 cannot be used"),
        ("[profiles.uscf]\nfifty_claim = true", "True cannot be used"),
        ("[profiles.uscf]\nthreefold_claim = 2", "2 cannot be used"),
        ("[profiles.uscf]\nfifty_announced = 80", "fifty_claim or one ply less"),
        ('[profiles.uscf]\ndead_position = "any"', "'any' is none of three-cases"),
        ('[profiles.uscf]\nsites = "uschess.org"', "cannot be used"),
        ("[profiles.uscf]\nfivefold_draw = 5\nthreefold_claim = 6", "fivefold_draw is less than threefold_claim"),
        ('[profiles.uscf]\nthreefold_claim = "none"\nthreefold_automatic = true', "threefold_automatic needs threefold_claim"),
        ('[profiles.uscf.marks]\nlate = "X"', "a mark is R or M"),
        ('[profiles.uscf.notes]\nlater = "?"', "no parameter 'later'"),
        ('[profiles.uscf]\nearlier = "2001-01-01"', "write a list, as in [{ before = 2020-01-01"),
        ("[[profiles.uscf.earlier]]\nfifty_claim = 80", "write a list, as in [{ before = 2020-01-01"),
        ("[[profiles.uscf.earlier]]\nbefore = 2001-01-01\nfifty = 80", "no parameter 'fifty' that could have been otherwise"),
        ('[[profiles.uscf.earlier]]\nbefore = 2001-01-01\nsites = ["x"]', "no parameter 'sites' that could have been"),
        ("[[profiles.uscf.earlier]]\nbefore = 2001-01-01\nfifty_claim = 0", "earlier, fifty_claim: 0 cannot be used"),
        ("[[profiles.uscf.earlier]]\nbefore = 2001-01-01\nfifty_claim = 80", "before 2001-01-01: fifty_announced is"),
        ('announced = [{ material = "KRBvKR", moves = 50 }]', "50 is no number of moves"),
        ('announced = [{ material = "RBvR", moves = 75 }]', "'RBvR' is no set of men"),
        ('announced = [{ material = "KRBvKR" }]', "an extension has material and moves"),
        ('announced = [{ material = "KRBvKR", moves = 75, condition = "rainy" }]', "no condition 'rainy'"),
        ('announced = [{ material = "KRBvKR", moves = 75, condition = "pawn-on-seventh" }]', "does not fit KRBvKR"),
        ('announced = [{ material = "KNNvKP", moves = 75, condition = "pawn-blocked", line = "a4" }]', "cannot be read"),
        ('announced = { material = "KRBvKR", moves = 75 }', "write a list"),
    ],
)
def test_what_cannot_be_understood_is_said(text: str, said: str) -> None:
    with pytest.raises(OptionError, match=r"mine\.toml") as raised:
        read_profiles(text, "mine.toml", builtin_profiles())
    assert said in str(raised.value)
