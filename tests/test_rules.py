"""The catalogue: complete, well written, and true; and what is made from it: messages, explanations, selections."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib import resources
from pathlib import Path

import pytest

from chesstools import catalogue, rules, template
from chesstools.catalogue_text import titles_of
from chesstools.errors import OptionError
from chesstools.finding import Severity
from chesstools.rules import Rule, Selection, all_rules, explain, get_rule, matching, render
from chesstools.schema import EVIDENCE_COLUMNS


def words(text: str) -> list[str]:
    return text.split()


# Every code that was ever given out, with its default severity. A line is never deleted and a code never used again.
ERRORS = words(
    """
    P102 P103 P104 P108 P110 F201 F203 F204 F205 F206 F207 F209 F210 F212 F214 F215
    M301 M302 M303 M304 M305 M306 M307 M308 M309 M310 M311 M321 M322 M323 M324 M325 M326
    M331 M332 M333 M334 M335 M336 M341 M342 M343
    N401 E501 E502 E503 E511 E512 E516 E531 E532 E541 E542 X902 X903 X911 X912 X921 X922
    """
)
WARNINGS = words(
    """
    P101 P105 P106 P107 P109 P111 T120 T121 T122 T123 T124 F202 F208 F213 F220 F230 N405 N420 N421
    E513 E514 E515 E520 E525 E533 E534 D621 C701 C702 C703 C704 C706 A860 X932 X941
    """
)
INFOS = words(
    """
    P112 P113 T125 T126 F211 F221 M390 M391 N402 N403 N404 N406 N407 E543 D601 D602 D603 D605 D611 D612 D620 C705
    A801 A802 A803 X931 X933 G950 G951
    """
)
SEVERITIES = {
    **dict.fromkeys(ERRORS, Severity.ERROR),
    **dict.fromkeys(WARNINGS, Severity.WARNING),
    **dict.fromkeys(INFOS, Severity.INFO),
}

ACTIVE = words(
    """
    P101 P102 P103 P104 P105 P106 P107 P108 P109 P110 P111 P112 P113 T120 T121 T122 T123 T124 T125 T126
    F201 F202 F203 F204 F205 F206 F207 F208 F209 F210 F211 F212 F213 F214 F215 F220 F221 F230
    M301 M302 M303 M304 M305 M306 M307 M308 M309 M310 M311 M321 M322 M323 M324 M325 M326 M331 M332 M333 M334 M335 M336
    M341 M342 M343 M390 M391 N401 N402 N403 N404 N405 N406 N407 N420 N421 E501 E502 E503 E511 E512 E513 E514 E515 E516
    E520 E525 E531 E532 E533 E534 E541 E542 E543 D601 D602 D603 D605 D611 D612 D620 D621 C701 C702 C703 C704
    C705 C706 A801 A802 A803 A860 G950 G951
    """
)

OPTIONAL = words("P112 T126 A860")

RATINGS = words("G950 G951")  # told by the command of that name alone

# Fields that every finding has, and the evidence that has a column of its own; any other goes into the map `evidence`.
EVERYWHERE = {"token", "ply", "move_number", "variation", "fen_before", "profile"}
TYPED = {column.name for column in EVIDENCE_COLUMNS}
IN_THE_MAP = set(
    words("reason tag nearest blocker attacker checkers square place forms claim_moves clock reach rivals extension method")
)
IN_THE_MAP |= {"before_ms", "after_ms", "allowed_ms", "basis", "longest", "opening"}
IN_THE_MAP |= {"other_source", "other_game", "other_line", "stood"}

CLAUSES = {
    "seed": re.compile(r"\d+(\.\d+)?(\(\d\))*(-\d+(\.\d+)?)?|X\d+(-X\d+)?"),
    "fide": re.compile(r"\d+(\.\d+)*(-\d+(\.\d+)*)?|C\.\d+|I\.8"),
    "pgn": re.compile(r"\d+(\.\d+)*|supplement 4"),
}

every_rule = pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)


def templates(rule: Rule) -> list[template.Template]:
    """The message of a rule and all phrases that can come into it."""
    phrases = [phrase for words in rule.phrases.values() for phrase in words.values()]
    return [template.parse(source) for source in (rule.message, *phrases)]


# ------------------------------------------------------------------------------------------------ the catalogue itself


def test_every_code_is_there_with_its_severity() -> None:
    assert {rule.code: rule.severity for rule in all_rules()} == SEVERITIES


def test_active_rules() -> None:
    assert [rule.code for rule in all_rules() if rule.active] == ACTIVE


def test_names_and_codes_are_unique_and_cannot_be_mixed_up() -> None:
    names = [rule.name for rule in all_rules()]
    assert len(set(names)) == len(names)
    for name in names:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", name)
        assert len(name) <= 33
    assert list(catalogue._names().values()) == [rule.code for rule in all_rules()]


def test_a_rule_read_alone_is_what_the_whole_file_says() -> None:
    whole = tomllib.loads(resources.files("chesstools").joinpath("rules.toml").read_text(encoding="utf-8"))
    assert list(whole.pop("words")) == ["side"]
    assert whole.pop("titles")
    assert whole.pop("reasons")
    assert list(whole) == [rule.code for rule in all_rules()]
    keys = {
        "name",
        "severity",
        "severity_note",
        "active",
        "optional",
        "command",
        "clauses",
        "message",
        "checks",
        "why",
        "example",
        "remedy",
        "fix",
    }
    for code, entry in whole.items():
        rule = get_rule(code)
        assert set(entry) <= keys | {"fields", "phrases"}
        assert (rule.name, rule.message, rule.active) == (entry["name"], entry["message"], entry["active"])
        assert rule.optional is entry.get("optional", False) is (code in OPTIONAL)
        assert rule.command == entry.get("command", "validate") == ("ratings" if code in RATINGS else "validate")
        assert rule.phrases == entry.get("phrases", {})
        assert {name: text.split() for name, text in rule.fields.items()} == {n: t.split() for n, t in entry["fields"].items()}
        assert rule.checks.split() == entry["checks"].split()
        assert {"seed": rule.seed, "fide": rule.fide, "pgn": rule.pgn} == {**dict.fromkeys(CLAUSES), **entry["clauses"]}


@every_rule
def test_sections_are_written(rule: Rule) -> None:
    for text in (rule.checks, rule.why, rule.remedy, rule.evidence):
        assert len(text) > 10
        assert text == text.strip()
    for text in (rule.checks, rule.why, rule.remedy):
        assert text.endswith((".", "?"))
        assert 1 <= len(re.findall(r"[.?](?: |$)", text)) <= 5
    assert 10 < len(rule.summary) <= 130
    assert rule.checks.startswith(rule.summary)
    for name, clause in (("seed", rule.seed), ("fide", rule.fide), ("pgn", rule.pgn)):
        assert clause is None or CLAUSES[name].fullmatch(clause), clause


@every_rule
def test_example_has_a_fragment_and_says_what_is_wrong(rule: Rule) -> None:
    blocks = rule.example.split("\n\n")
    assert rule.fragment.strip()
    assert blocks[0].startswith("    ")
    assert not blocks[-1].startswith(" ")
    assert blocks[-1].endswith((".", "?"))
    longest = max(map(len, rule.fragment.split("\n")))
    assert longest <= 76 or rule.code == "P112"  # fits a terminal without being wrapped, where too long is not what it shows


@pytest.mark.parametrize("code", ACTIVE)
def test_example_raises_its_rule(code: str, tmp_path: Path) -> None:
    from chesstools.ratings import ratings
    from chesstools.scan import scan

    path = tmp_path / "example.pgn"
    path.write_bytes(get_rule(code).fragment.encode("latin-1" if code == "P101" else "utf-8"))
    table = ratings(path, "points").findings if code in RATINGS else scan([path], also=code).to_tables()["findings"]
    rows = table.to_pylist()
    found = [row for row in rows if row["code"] == code]
    assert found
    for row in found:
        evidence = {name for name in TYPED if row[name] is not None} | {name for name, _ in row["evidence"]}
        assert evidence <= set(get_rule(code).fields)
        assert "?" not in render(code, row)


@every_rule
def test_fields_of_the_message_are_known_and_explained(rule: Rule) -> None:
    assert not EVERYWHERE & set(rule.fields)
    if rule.active:
        assert set(rule.fields) <= TYPED | IN_THE_MAP
    used = {name for part in templates(rule) for name in part.fields()}
    assert used <= EVERYWHERE | set(rule.fields)
    assert set(rule.phrases) <= set(rule.fields)


@every_rule
def test_message_is_one_sentence_with_any_fields(rule: Rule) -> None:
    full: dict[str, object] = dict.fromkeys((*rule.fields, *EVERYWHERE), "some text here")
    some: list[dict[str, object]] = [{}, full, dict.fromkeys(rule.fields), {"token": "Nf3"}, {"side": "white"}]
    for fields in some + [{**full, name: word} for name, phrases in rule.phrases.items() for word in phrases]:
        message = render(rule.code, fields)
        assert len(message) > 10
        assert message == message.strip()
        assert not message.endswith((".", ":", ";", ","))
        assert "  " not in message
        assert not re.search(r"[\[\]{}|]", re.sub(r"by \{|a \{|closing \]", "", message))  # no template left; braces spoken of
        assert "?" not in message  # all that a sentence cannot do without stands in brackets with another way to say it
        assert message.isprintable()


@every_rule
def test_unused_words_are_an_error_of_the_catalogue(rule: Rule) -> None:
    """Each word that has a phrase is named where the field is explained."""
    for name, phrases in rule.phrases.items():
        for word in phrases:
            assert re.search(rf"\b{re.escape(word)}\b", rule.fields[name]), word


# ------------------------------------------------------------------------------------------------ looking up


def test_get_rule_takes_code_in_any_case_and_name() -> None:
    rule = get_rule("M324")
    for way in ("m324", " M324 ", "castle-through-check", "Castle-Through-Check", "castle_through_check"):
        assert get_rule(way) is rule


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("M32", "There is no rule 'M32'; did you mean M332 (pawn-blocked)?"),
        ("ambigous-san", "There is no rule 'ambigous-san'; did you mean ambiguous-san (N401)?"),
        ("qqqqqq", "There is no rule 'qqqqqq'; `chesstools rule --all` lists them."),
        ("", "There is no rule ''; `chesstools rule --all` lists them."),
    ],
)
def test_unknown_rule_is_one_sentence_with_the_nearest(wrong: str, sentence: str) -> None:
    with pytest.raises(OptionError) as caught:
        get_rule(wrong)
    assert re.sub(r"M3\d\d \([a-z-]+\)", "M332 (pawn-blocked)", str(caught.value)) == sentence


def test_matching() -> None:
    assert [rule.code for rule in matching("m33")] == ["M331", "M332", "M333", "M334", "M335", "M336"]
    assert [rule.code for rule in matching("null-move")] == ["M304"]
    assert matching("all") == all_rules()
    with pytest.raises(OptionError):
        matching("Z")


def test_catalogue_maps_codes_to_rules() -> None:
    assert rules.CATALOGUE["P113"] is get_rule("P113")
    with pytest.raises(AttributeError):
        rules.NOTHING  # noqa: B018


def test_a_short_run_does_not_read_the_whole_catalogue() -> None:
    program = (
        "from chesstools import catalogue, rules\n"
        "rules.Selection().wants('M324'); rules.render('M324', {}); rules.Selection(select=['M', 'null-move'])\n"
        "assert catalogue._rule.cache_info().currsize < 8, catalogue._rule.cache_info()\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


# ------------------------------------------------------------------------------------------------ messages


def test_render_writes_lists_numbers_and_sides() -> None:
    fields = {"side": "white", "count": 2, "first_ply": 7.0, "effect": "decisive_against_claimant"}
    assert render("D601", fields) == (
        "White could claim a draw by repetition at 2 positions, first after ply 7; White did not and lost"
    )
    assert render("D605", {"occurrences": [4, 8, 12], "reason": "both"}) == (
        "the same diagram stood at plies 4, 8, 12, but not with the same rights to castle and to capture en passant, "
        "so this is no repetition"
    )
    assert render("P106", {"count": 1, "found": "Site"}) == "1 roster tag is missing: Site"


def test_render_takes_a_row_of_the_findings_table() -> None:
    row = {"token": "O-O", "side": "white", "count": None, "evidence": [("square", "f1"), ("attacker", "a6")]}
    assert render("M324", row) == "O-O is illegal: the king would cross f1, which is attacked from a6"
    assert render("M324", {**row, "evidence": {"square": "f1"}}) == "O-O is illegal: the king would cross an attacked square"


@pytest.mark.parametrize("value", [None, "", [], float("nan"), [None], {}])
def test_render_leaves_out_what_is_not_there(value: object) -> None:
    assert render("E511", {"count": value}) == "the score goes on after the checkmate that ended the game"


def test_render_never_raises_and_stays_on_one_line() -> None:
    class Broken:
        def __str__(self) -> str:
            raise RuntimeError

    assert render("P110", {"token": Broken(), "reason": "unknown-word"}).startswith("a word is no move")
    assert render("P110", {"token": "a\nb\x1b[31m\u200b", "reason": "unknown-word"}) == (
        r"a\nb\x1b[31m\u200b is no move, move number, annotation or result"
    )
    assert render("P110", {"token": b"\xff", "reason": "stray-symbol"}) == r"\xff has no meaning here"
    assert len(render("P104", {"token": "x" * 10_000})) < 200
    assert render("P113", {"unheard": "of"}) == "the game has no moves"


def test_unknown_words_of_a_field_are_shown_as_they_are() -> None:
    assert render("M302", {"token": "Qd4", "reason": "something new"}) == "Qd4 is illegal: something new"


@pytest.mark.parametrize("wrong", ["[a", "a]", "{a", "a}", "{A}", "[a [b]]", "{a:b}", "a|b", "{}"])
def test_templates_with_faults_are_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="template"):
        template.parse(wrong)


def test_templates_escape_their_signs() -> None:
    assert template.parse("{{x}} [[y]] || [a||b {c}]").fill(lambda name: "d") == "{x} [y] | a|b d"
    assert template.parse("{a}").fill(lambda name: None) == "?"


# ------------------------------------------------------------------------------------------------ explanations


@every_rule
def test_explanation_has_its_fixed_sections(rule: Rule) -> None:
    text = explain(rule, 72)
    heads = ["Severity", "Clauses", "Message", "What it checks", "Why it matters", "Evidence", "Example", "What to do", "Repair"]
    found = [line[: len(head)] for line in text.split("\n") for head in heads if line.startswith(head)]
    assert found == heads
    assert text.startswith(f"{rule.code} {rule.name}\n")
    assert (titles_of("en")["not_active"] in " ".join(text.split())) is (not rule.active)
    assert ("Told by 'chesstools ratings' alone" in text) is (rule.code in RATINGS)
    assert (f"--also {rule.code}" in text) is (rule.active and rule.optional)
    fragment = {"      " + line for line in rule.fragment.split("\n")}
    assert all(len(line) <= 72 for line in text.split("\n") if line not in fragment)
    words = " ".join(explain(rule).split())
    assert " ".join(text.split()) == words
    for part in (rule.checks, rule.why, rule.remedy, *rule.fix.values()):
        assert part in words


@every_rule
def test_to_dict_is_json_and_complete(rule: Rule) -> None:
    loaded = json.loads(json.dumps(rule.to_dict()))
    assert loaded == rule.to_dict()
    assert loaded["evidence"] == rule.fields
    assert loaded["clauses"] == {"seed": rule.seed, "fide": rule.fide, "pgn": rule.pgn}


# ------------------------------------------------------------------------------------------------ selections


USUAL = set(SEVERITIES) - set(OPTIONAL)


def wanted(selection: Selection) -> set[str]:
    return {code for code in SEVERITIES if selection.wants(code)}


@pytest.mark.parametrize("nothing", [None, [], (), ["ALL"], "all"])
def test_no_selection_wants_everything_that_is_not_optional(nothing: list[str] | None) -> None:
    assert wanted(Selection(nothing)) == USUAL
    assert not Selection(nothing).optional
    assert not Selection(nothing).wants("Q999")


def test_select_and_ignore_take_codes_names_and_beginnings() -> None:
    assert wanted(Selection(["M33"])) == {"M331", "M332", "M333", "M334", "M335", "M336"}
    assert wanted(Selection(["m331", "null-move"])) == {"M304", "M331"}
    assert wanted(Selection("N401,D601 D605")) == {"N401", "D601", "D605"}
    assert wanted(Selection(None, ["P", "T120"])) == {code for code in USUAL if code[0] != "P" and code != "T120"}
    assert wanted(Selection(["M33"], ["M331", "pawn-blocked"])) == {"M333", "M334", "M335", "M336"}
    assert wanted(Selection(["N", "M331"], ["M"])) == {code for code in USUAL if code[0] == "N"}
    assert wanted(Selection(None, ["X", "G"])) == {code for code in USUAL if code[0] not in "XG"}


def test_optional_rules_are_wanted_only_where_asked_for() -> None:
    only_p = {code for code in USUAL if code[0] == "P"}
    assert wanted(Selection("P")) == wanted(Selection("P1")) == only_p
    assert wanted(Selection(["P", "p112"])) == wanted(Selection("P", also="long-line")) == only_p | {"P112"}
    assert wanted(Selection("long-line")) == {"P112"}
    assert wanted(Selection(also=["P112"])) == USUAL | {"P112"}
    assert wanted(Selection(also="P")) == USUAL | {"P112"}
    assert wanted(Selection(also="ALL")) == set(SEVERITIES)
    assert Selection("M", also="ALL").optional == set(OPTIONAL)
    assert wanted(Selection("M304", also="N401,P113")) == {"M304", "N401", "P113"}
    assert wanted(Selection(also="P112", ignore="P")) == USUAL - only_p


@pytest.mark.parametrize(
    ("select", "ignore", "sentence"),
    [
        (["M9"], None, "There is no rule 'M9'"),
        (["A86"], None, "A86 means only optional rules; select them by their whole code (A860)."),
        (["P112"], ["long-line"], "Every rule that is selected is also ignored, so nothing would be reported."),
        (None, ["nul-move"], "did you mean null-move (M304)?"),
        (["X902"], None, "X902: reserved and not active yet, so nothing would be reported."),
        (["G951"], None, "G951: told by 'chesstools ratings' alone, so nothing would be reported."),
        (["G"], None, "G950, G951: told by 'chesstools ratings' alone, so nothing would be reported."),
        (["M331"], ["M"], "Every rule that is selected is also ignored, so nothing would be reported."),
        (None, ["ALL"], "Every rule that is selected is also ignored, so nothing would be reported."),
    ],
)
def test_selections_that_mean_nothing_are_refused(select: list[str] | None, ignore: list[str] | None, sentence: str) -> None:
    with pytest.raises(OptionError) as caught:
        Selection(select, ignore)
    assert sentence in str(caught.value)


def test_also_must_mean_a_rule_that_is_active() -> None:
    with pytest.raises(OptionError, match="X902: reserved and not active yet"):
        Selection(also="X902")
    with pytest.raises(OptionError, match="did you mean long-line"):
        Selection(also="long-lines")


@pytest.mark.parametrize(
    ("forms", "moves", "said"),
    [
        ("A", "Qb1 Qb2", "first after ply 66, with a written move (Qb1 Qb2); White did not and lost"),
        ("B", None, "first after ply 66, as the position stood; White did not and lost"),
        ("AB", "Ba8", "first after ply 66, as the position stood or with a written move (Ba8); White did not and lost"),
    ],
)
def test_a_claim_says_how_it_is_made(forms: str, moves: str | None, said: str) -> None:
    fields = {"side": "white", "count": 2, "first_ply": 66, "forms": forms, "effect": "decisive_against_claimant"}
    message = render("D601", fields if moves is None else {**fields, "claim_moves": moves})
    assert message == f"White could claim a draw by repetition at 2 positions, {said}"
