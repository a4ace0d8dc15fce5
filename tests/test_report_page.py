"""The page itself, in a real browser: nothing leaves it, nothing from an archive becomes markup, tables and boards work.

The browser's objects are `Any` here: Playwright's types need it imported, and it may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browser import browser, looked_at

from chesstools import report
from chesstools.database import connect
from chesstools.given import opened
from chesstools.report.boards import games_to_look_at
from chesstools.report.icicle import icicle
from chesstools.report.maps import board_map
from chesstools.report.model import Column, Fact, Note, Page, Plot, Section, Table
from chesstools.report.page import html
from chesstools.report.plots import bars, expectation, outcome_bars, outcome_years
from chesstools.source import Source

SAMPLES = Path(__file__).resolve().parent.parent / "sample_data" / "games" / "generated_mixed.pgn"

HOSTILE = [
    "<script>alert('in')</script>",
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    "]]><!--",
    "line\u2028paragraph\u2029end",
    "\u202eesrever",
    "{{ 7 * 7 }}{% raw %}",
    "Müller & Søn's <b>club</b>",
    "javascript:alert(3)",
    "a\x00\x1b[2Jb",
]

GAME = """\
[Event "%s"]
[White "%s"]
[Black "</script><script>alert(9)</script>"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O Nf6 5. Qh8 1-0
"""


def hostile_page() -> Page:
    """Hostile text in every place that takes text."""
    rows = [
        {
            "name": name,
            "games": 10 * (number % 4) + 1,
            "share": number / 10,
            "white_share": 0.5,
            "draw_share": 0.25,
            "black_share": 0.25,
        }
        for number, name in enumerate(HOSTILE)
    ]
    table = Table(
        "names",
        "Names",
        [Column("Name", "name"), Column("Games", "games", "count"), Column("Share", "share", "share", minor=True)],
        [*rows, {"name": None, "games": None, "share": None}],
        "A caption.",
        total=5000,
    )
    nodes = [{"id": "all", "parent": None, "label": "", "name": "", "games": 100, "own": 0, "score": 0.5, "rank": 1}]
    nodes += [
        {"id": name, "parent": "all", "label": name, "name": name, "games": 10, "own": 10, "score": 0.55, "rank": 2}
        for name in HOSTILE
    ]
    squares = [{"square": f"{file}{rank}", "moves": 1 + ord(file) - ord("a")} for file in "abcdefgh" for rank in range(1, 9)]
    curve = [
        {"difference": number, "score": 0.5, "score_low": 0.4, "score_high": 0.6, "expected": 0.5, "games": 9}
        for number in range(-100, 101, 50)
    ]
    years = [
        {"year": year, **{key: rows[0][key] for key in ("games", "white_share", "draw_share", "black_share")}}
        for year in (1999, 2001)
    ]
    plots = [
        Plot(
            "bars",
            "Bars",
            bars(rows, "name", "games", "Name", "Games"),
            HOSTILE[0],
            HOSTILE[2],
            half=True,
            numbers=replace(table, id="bars-numbers"),
        ),
        Plot("shares", "Shares", outcome_bars(rows, "name", "Name"), "Caption.", "Shares.", half=True),
        Plot("squares", "Squares", board_map(squares, "moves", "Moves"), "Caption.", "Squares."),
        Plot("curve", "Curve", expectation(curve, "difference", "Rating difference"), "Caption.", "A curve."),
        Plot("years", "Years", outcome_years(years, "year", "Year", 1), "Caption.", "Years."),
        Plot("tree", "Tree", icicle(nodes, 1), "Caption.", "Openings.", raw=True),
    ]
    source = Source.from_bytes("".join(GAME % (name, name) for name in HOSTILE[:3]).encode(), f"{HOSTILE[1]}.pgn")
    with opened(source) as given, connect(given.datasets) as connection:
        boards = games_to_look_at(connection)
    assert len(boards) == 3
    facts = [Fact(name, name) for name in HOSTILE]
    return Page(
        HOSTILE[1], HOSTILE[2], [Section("all", HOSTILE[0], HOSTILE[1], facts, [Note(HOSTILE[0]), *plots, table, *boards])]
    )


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(html(hostile_page()), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def started() -> Iterator[Any]:
    with browser() as it:
        yield it


@pytest.fixture
def tab(started: Any, page_file: Path) -> Iterator[Any]:
    with looked_at(started, page_file) as (it, seen):
        yield it
        assert seen.requests == []
        assert seen.messages == []


# ------------------------------------------------------------------------------------------------- without a browser


def test_what_may_run_is_named_by_its_hash_and_nothing_may_be_fetched(page_file: Path) -> None:
    text = page_file.read_text(encoding="utf-8")
    (policy,) = re.findall(r'Content-Security-Policy" content="(.*?)"', text)
    assert policy.startswith("default-src &#39;none&#39;; script-src &#39;sha256-")
    assert "unsafe-eval" not in policy
    assert "unsafe-inline" not in policy.split("script-src")[1].split(";")[0]
    assert text.count("<script>") == 2
    assert len(text.encode()) < 2_000_000


def test_nothing_from_an_archive_is_markup_or_ends_a_script(page_file: Path) -> None:
    text = page_file.read_text(encoding="utf-8")
    assert "alert(" in text
    ours = re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)  # Vega's own script has an <img in it
    assert len(ours) < len(text) / 2
    assert not re.search(r"<script>|<img|<b>club|\u2028|\u202e|\x1b", ours)
    assert "{{ 7 * 7 }}{% raw %}" in ours


# ----------------------------------------------------------------------------------------------------- in a browser


def test_the_page_asks_for_nothing_says_nothing_and_runs_no_foreign_script(tab: Any) -> None:
    assert tab.locator("h1").inner_text() == HOSTILE[1]
    assert tab.title() == HOSTILE[1]
    assert tab.locator("script:not([type])").count() == 2
    assert tab.locator("img").count() == 0
    cells = tab.locator("#names > .scroll td:first-child").all_inner_texts()
    shown = [re.sub(r"[\u2028\u2029\u202e\x00\x1b]", "", name) for name in HOSTILE]
    assert [re.sub(r"\\u2028|\\u2029|\\u202e|\\x00|\\x1b", "", text) for text in cells] == [*shown, "–"]


def test_all_plots_are_drawn_and_names_in_them_are_text(tab: Any) -> None:
    assert tab.locator("[data-plot]").count() == 6
    for place in tab.locator("[data-plot]").all():
        assert place.locator("svg").count() == 1
        assert place.locator("svg path").count() > 0
    assert HOSTILE[0] in tab.locator("[data-plot=tree-plot] svg").text_content()


def test_what_comes_up_over_a_plot_is_text_too(tab: Any) -> None:
    mark = tab.locator("[data-plot=shares-plot] svg .mark-rect path").first
    mark.hover()
    tip = tab.locator("#vg-tooltip-element")
    tip.wait_for(state="visible")
    assert "alert('in')" in tip.inner_text()
    assert tip.locator("script, img").count() == 0


def column(tab: Any, number: int) -> list[str]:
    texts: list[str] = tab.locator(f"#names > .scroll tbody tr:visible td:nth-child({number})").all_inner_texts()
    return texts


def test_tables_are_sorted_by_number_and_by_name_both_ways(tab: Any) -> None:
    heading = tab.locator("#names > .scroll th").nth(1)
    heading.locator("button").click()
    assert heading.get_attribute("aria-sort") == "descending"
    assert column(tab, 2) == ["31"] * 2 + ["21"] * 2 + ["11"] * 3 + ["1"] * 3 + ["–"]
    heading.locator("button").press("Enter")
    assert heading.get_attribute("aria-sort") == "ascending"
    assert column(tab, 2) == ["1"] * 3 + ["11"] * 3 + ["21"] * 2 + ["31"] * 2 + ["–"]
    first = tab.locator("#names > .scroll th").nth(0)
    first.locator("button").click()
    assert heading.get_attribute("aria-sort") is None
    names = column(tab, 1)
    assert names.index("javascript:alert(3)") < names.index("Müller & Søn's <b>club</b>")
    assert names[-1] == "–"


def test_tables_are_searched_without_accents_and_case(tab: Any) -> None:
    field = tab.locator("#names > .find input")
    field.fill("muller CLUB")
    assert column(tab, 1) == ["Müller & Søn's <b>club</b>"]
    assert tab.locator("#names > .find output").inner_text() == "1 of 11"
    field.fill("<script>")
    assert len(column(tab, 1)) == 2
    field.fill("")
    assert len(column(tab, 1)) == 11


def test_what_a_table_leaves_out_is_told(tab: Any) -> None:
    assert "The first 11 of 5,000" in tab.locator("#names > .more").inner_text()


def men(tab: Any) -> int:
    count: int = tab.locator("#game-1 .board svg use").count()
    return count


def test_a_board_begins_at_the_bad_move_and_is_stepped_through_with_buttons(tab: Any) -> None:
    game = tab.locator("#game-1")
    text = game.locator(".steps output")
    assert text.inner_text() == "5. Qh8 ✗"
    assert game.locator(".square.bad").evaluate("square => square.classList[2]") == "h8"
    assert men(tab) == 32
    game.locator("[data-go=back]").click()
    assert text.inner_text() == "4... Nf6"
    assert game.locator(".square.lastmove").evaluate_all("all => all.map(square => square.classList[2]).sort()") == ["f6", "g8"]
    game.locator("[data-go=first]").click()
    assert text.inner_text() == "Start position"
    assert game.locator("[data-go=back]").is_disabled()
    game.locator("[data-go=on]").click()
    assert text.inner_text() == "1. e4"
    game.locator("[data-go=bad]").click()
    assert text.inner_text() == "5. Qh8 ✗"
    assert game.locator("[data-go=on]").is_disabled()


def test_a_board_is_stepped_through_with_the_arrow_keys(tab: Any) -> None:
    game = tab.locator("#game-2")
    game.focus()
    tab.keyboard.press("ArrowLeft")
    tab.keyboard.press("ArrowLeft")
    assert game.locator(".steps output").inner_text() == "4. O-O"
    # White has castled: king g1, rook f1.
    place = "use[href='#white-king'][transform='translate(285, 330)'], use[href='#white-rook'][transform='translate(240, 330)']"
    assert game.locator(place).count() == 2
    tab.keyboard.press("Home")
    assert game.locator(".steps output").inner_text() == "Start position"
    tab.keyboard.press("End")
    assert game.locator(".steps output").inner_text() == "5. Qh8 ✗"


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_no_wider_than_the_window_and_its_colours_follow_the_reader(
    started: Any, page_file: Path, width: int, scheme: str
) -> None:
    with looked_at(started, page_file, width=width, scheme=scheme) as (tab, seen):
        assert tab.evaluate("document.documentElement.scrollWidth") == width
        paper, ink = (
            sum(map(int, re.findall(r"\d+", tab.evaluate(f"getComputedStyle(document.body).{name}"))[:3]))
            for name in ("backgroundColor", "color")
        )
        label = tab.locator("[data-plot=bars-plot] svg .role-axis-label text").first
        drawn = sum(map(int, re.findall(r"\d+", label.evaluate("text => getComputedStyle(text).fill"))[:3]))
        if scheme == "light":
            assert ink < 200 < 700 < paper
            assert drawn < 380
        else:
            assert paper < 100 < 600 < ink
            assert drawn > 380
        assert tab.locator("#names > .scroll th.minor").is_visible() == (width > 700)
        assert seen.messages == []


def test_on_a_phone_all_columns_can_be_had_and_what_is_wider_says_so(started: Any, page_file: Path) -> None:
    with looked_at(started, page_file, width=390) as (tab, _):
        button = tab.locator("#names > .columns")
        assert button.inner_text() == "Show 1 more column"
        button.click()
        assert tab.locator("#names > .scroll th.minor").is_visible()
        assert button.inner_text() == "Show fewer columns"
        scroll = tab.locator("#names > .scroll")
        scroll.evaluate("place => { place.querySelector('table').style.width = '60rem' }")
        tab.locator("#names > .hint").wait_for(state="visible")
        assert "more-right" in scroll.get_attribute("class")
        scroll.evaluate("place => place.scrollTo({left: 9999, behavior: 'instant'})")
        tab.wait_for_selector("#names > .scroll.more-left:not(.more-right)")
    with looked_at(started, page_file) as (tab, _):
        assert not tab.locator("#names > .columns").is_visible()
        assert not tab.locator("#names > .hint").is_visible()


def test_a_mark_is_where_its_move_is_and_nowhere_else(tab: Any) -> None:
    game = tab.locator("#game-1")
    assert game.locator(".board rect[fill='#d9583f']").count() == 0  # the square that is marked where there are no scripts
    game.get_by_role("button", name="To the start").click()
    assert game.locator(".square.bad, .square.noted").count() == 0
    game.get_by_role("button", name="To the finding").click()
    assert game.locator(".square.bad").count() == 1


def test_on_paper_everything_is_dark_on_white(started: Any, page_file: Path) -> None:
    with looked_at(started, page_file, scheme="dark") as (tab, _):
        tab.emulate_media(media="print", color_scheme="dark")
        assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert not tab.locator("nav").is_visible()
        assert not tab.locator("#names .find").first.is_visible()
        assert tab.pdf(format="A4", print_background=True).startswith(b"%PDF")


def test_without_scripts_the_numbers_are_there_and_a_sentence_says_so(started: Any, page_file: Path) -> None:
    context = started.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(page_file.resolve().as_uri())
    assert tab.locator("noscript p").is_visible()
    assert tab.locator("#names > .scroll tbody tr").count() == 11
    assert tab.locator("#game-1 .board svg use").count() == 32
    context.close()


WHOLE = """\
[Event "%(name)s"]
[Site "%(name)s"]
[Date "20%(year)02d.01.02"]
[Round "%(name)s"]
[White "%(name)s"]
[Black "Black %(name)s"]
[Result "%(result)s"]
[WhiteElo "%(elo)d"]
[BlackElo "2000"]
[TimeControl "300+3"]
[Termination "%(name)s"]

1. e4 {%(name)s [%%clk 0:05:00] [%%eval 0.3]} c5 {[%%clk 0:04:59] [%%eval 0.2]} 2. Nf3 {[%%clk 0:04:58] [%%eval -4.1]} d6
{[%%clk 0:04:50] [%%eval 0.3]} %(more)s %(result)s

"""


@pytest.fixture(scope="module")
def whole_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report that has every part, of games with hostile names in all their tags."""
    folder = tmp_path_factory.mktemp("whole")
    names = [name.replace("\x00", "").replace('"', "'") for name in HOSTILE]
    games = [
        WHOLE
        % {
            "name": names[number % len(names)],
            "year": number % 20,
            "result": ("1-0", "1/2-1/2", "0-1")[number % 3],
            "elo": 1800 + 50 * (number % 9),
            "more": ("3. d4 cxd4", "", "3. Bb5+ Bd7 4. Bxd7+ Qxd7 5. O-O Nf6", "3. Ke4")[number % 4],
        }
        for number in range(240)
    ]
    (folder / "hostile.pgn").write_text("".join(games), encoding="utf-8")
    report([folder / "hostile.pgn", SAMPLES], include_invalid=True).save(folder / "report.html")
    return folder / "report.html"


@pytest.mark.parametrize("width", [390, 1280])
def test_a_whole_report_works(started: Any, whole_file: Path, width: int) -> None:
    with looked_at(started, whole_file, width=width) as (tab, seen):
        assert tab.evaluate("document.documentElement.scrollWidth") == width
        assert tab.locator("img, script:not([type])").count() == 2
        places = tab.locator("[data-plot]")
        assert places.count() >= 18
        for place in places.all():
            assert place.locator("svg path, svg text").count() > 0
            box = place.locator("svg").bounding_box()
            assert box["width"] <= place.bounding_box()["width"] + 1
        tab.locator("#players-table > .find input").fill("muller sØn")
        assert tab.locator("#players-table > .scroll tbody tr:visible").count() == 2
        link = tab.locator("#rules-found tbody a").first
        link.click()
        assert tab.locator(f"details{link.get_attribute('href')}").get_attribute("open") is not None
        for anchor in tab.locator("a[href]").evaluate_all("all => all.map(a => a.getAttribute('href'))"):
            assert anchor.startswith("#")
            assert tab.locator(f"[id='{anchor[1:]}']").count() == 1
        assert seen.requests == []
        assert seen.messages == []


def test_no_two_things_have_one_name(started: Any, whole_file: Path) -> None:
    with looked_at(started, whole_file) as (tab, _):
        names = tab.evaluate("Array.from(document.querySelectorAll('body [id]'), one => one.id)")
        ours = [name for name in names if not name.startswith("vg-")]
        assert len(ours) == len(set(ours))


def test_pictures_of_plots_have_real_colours(tmp_path: Path) -> None:
    from chesstools.report.pictures import save_pictures

    files = list(save_pictures(hostile_page().plots, tmp_path / "new" / "pictures"))
    assert sorted(file.suffix for file in files) == [".png"] * 6 + [".svg"] * 6
    for file in files:
        data = file.read_bytes()
        if file.suffix == ".png":
            assert data.startswith(b"\x89PNG")
            assert len(data) > 3_000
        else:
            assert b"var(" not in data
            assert b"<script" not in data
            assert b"Caption." in data or file.stem == "bars"
            assert file.stem.title().encode() in data
