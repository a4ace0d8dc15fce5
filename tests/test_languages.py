"""Every message and explanation exists in both languages, says the same in both, and is written as its language is."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import translations

from chesstools import template
from chesstools.catalogue_text import titles_of, translated
from chesstools.errors import OptionError
from chesstools.language import LANGUAGES, preferred
from chesstools.rules import Rule, all_rules, explain, get_rule, matching, render
from chesstools.source import Source
from chesstools.validate import validate
from chesstools.wrapping import cells, pad, wrap

SAMPLES = Path(__file__).parent.parent / "sample_data" / "rules"

CHINESE = re.compile(r"[\u4e00-\u9fff]")
# Chinese and Latin letters without a blank between them, marks of Latin script behind Chinese, marks twice, blanks beside marks.
BADLY_SET = re.compile(
    r"[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]|[\u4e00-\u9fff][,;:?!.]|[，。；：、（“][，。；：、]"
    r"|[，。；：、（）“”] | [，。；：、（）“”]"
)
CODED = {"based_on", "valid_from", "castling_key", "ep_key", "dead_position", "flag_draw"}
"""What profiles say in words of their own that are the same in every language."""

PARTS = ("message", "checks", "why", "example", "remedy")

every_rule = pytest.mark.parametrize("rule", all_rules("zh"), ids=lambda rule: rule.code)
every_language = pytest.mark.parametrize("lang", LANGUAGES)


def file(lang: str) -> dict[str, Any]:
    """What the file of a language says itself, without anything that is taken from another."""
    name = "rules.toml" if lang == "en" else f"rules.{lang}.toml"
    return tomllib.loads(resources.files("chesstools").joinpath(name).read_text(encoding="utf-8"))


def fields_of(source: str) -> set[str]:
    return set(template.parse(source).fields())


def compared(place: str, english: dict[str, Any], chinese: dict[str, Any]) -> list[str]:
    """What only one of two tables has."""
    missing = [f"{place}.{name} is missing in rules.zh.toml" for name in english if name not in chinese]
    return missing + [f"{place}.{name} is in rules.zh.toml, but not in rules.toml" for name in chinese if name not in english]


def differing(place: str, english: str, chinese: str) -> list[str]:
    """Fields that only one of two templates uses."""
    one, other = fields_of(english), fields_of(chinese)
    gone = [f"{place} does not use {{{name}}} in rules.zh.toml" for name in sorted(one - other)]
    return gone + [f"{place} uses {{{name}}} in rules.zh.toml only" for name in sorted(other - one)]


def gaps(english: dict[str, Any], chinese: dict[str, Any]) -> list[str]:
    """All that one file has and the other has not."""
    found = compared("titles", english.pop("titles"), chinese.pop("titles"))
    found += compared("reasons", english.pop("reasons"), chinese.pop("reasons"))
    chinese.pop("sentences")
    found += [
        text
        for name, words in english.pop("words").items()
        for text in compared(name, words, chinese["words"].get(name, {}))
        if "missing" in text
    ]
    chinese.pop("words")
    found += compared("rule", english, chinese)
    for code in english.keys() & chinese.keys():
        one, other = english[code], chinese[code]
        texts = {*PARTS, "severity_note"} & one.keys()
        found += [f"{code}.{part} is missing in rules.zh.toml" for part in sorted(texts - other.keys())]
        found += [
            f"{code}.{part} does not belong in rules.zh.toml"
            for part in sorted(other.keys() - texts - {"fix", "fields", "phrases"})
        ]
        found += [f"{code}.{part} is empty in rules.zh.toml" for part in sorted(texts & other.keys()) if not other[part].strip()]
        fixes = {
            level: text for level, text in one["fix"].items() if level != "none"
        }  # the reasons stand in a table of their own
        found += compared(f"{code}.fix", fixes, other.get("fix", {}))
        found += compared(f"{code}.fields", one.get("fields", {}), other.get("fields", {}))
        found += differing(f"{code}.message", one["message"], other.get("message", one["message"]))
        found += compared(f"{code}.phrases", one.get("phrases", {}), other.get("phrases", {}))
        for name, words in one.get("phrases", {}).items():
            others = other.get("phrases", {}).get(name, {})
            found += compared(f"{code}.phrases.{name}", words, others)
            for word in words.keys() & others.keys():
                found += differing(f"{code}.phrases.{name}.{word}", words[word], others[word])
    return sorted(found)


# ------------------------------------------------------------------------------------------------ complete, and the same


def test_nothing_is_missing_in_either_language() -> None:
    found = gaps(file("en"), file("zh"))
    assert not found, "\n".join(["", *found])


def test_what_is_missing_is_found() -> None:
    """Each part that is taken away from the Chinese file, or added to it, is named."""
    english, chinese = file("en"), file("zh")
    expected = set()
    for part in (*PARTS, "severity_note"):
        del chinese["D601"][part]
        expected.add(f"D601.{part} is missing in rules.zh.toml")
    del chinese["M324"], chinese["M321"]["fields"]["first_ply"], chinese["M321"]["phrases"]["reason"]["moved"]
    del chinese["titles"]["why"], chinese["words"]["side"]["white"]
    chinese["M999"] = chinese["M302"]
    chinese["M303"]["fields"]["new"] = "新"
    chinese["M304"]["severity"] = "error"
    chinese["M305"]["message"] = "{token} {square}"
    expected |= {
        "rule.M324 is missing in rules.zh.toml",
        "rule.M999 is in rules.zh.toml, but not in rules.toml",
        "M321.fields.first_ply is missing in rules.zh.toml",
        "M321.phrases.reason.moved is missing in rules.zh.toml",
        "titles.why is missing in rules.zh.toml",
        "side.white is missing in rules.zh.toml",
        "M303.fields.new is in rules.zh.toml, but not in rules.toml",
        "M304.severity does not belong in rules.zh.toml",
        "M305.message does not use {nearest} in rules.zh.toml",
        "M305.message does not use {side} in rules.zh.toml",
        "M305.message uses {square} in rules.zh.toml only",
    }
    assert set(gaps(english, chinese)) == expected


def test_chinese_is_looked_at_where_english_changes() -> None:
    found = list(translations.stale(translations.read(), translations.digests(translations.texts())))
    hint = "See whether the Chinese still says the same; then run python -m tests.translations NAME… (or --all):"
    assert not found, "\n".join(["", hint, *found])


def test_a_change_of_english_is_noticed() -> None:
    english = translations.texts()
    known = translations.digests(english)
    changed = {**english, "rules.D601": english["rules.D601"] + ".", "words.new": "new"}
    del changed["parameters.late"]
    assert list(translations.stale(known, translations.digests(changed))) == [
        "parameters.late is gone",
        "the English of rules.D601 has changed",
        "words.new is new",
    ]


@every_rule
def test_all_that_is_told_in_chinese_is_in_the_digest(rule: Rule) -> None:
    text, english = translations.texts()[f"rules.{rule.code}"], get_rule(rule.code)
    phrases = [phrase for words in english.phrases.values() for phrase in words.values()]
    for part in [english.message, english.checks, english.why, english.remedy, english.example.split("\n\n")[-1]]:
        assert part in text
    for part in [*english.fields.values(), *phrases]:
        assert repr(part)[1:-1] in text


@every_rule
def test_only_sentences_differ(rule: Rule) -> None:
    english = get_rule(rule.code)
    assert rule.lang == "zh"
    for name in ("code", "name", "severity", "active", "seed", "fide", "pgn", "fragment"):
        assert getattr(rule, name) == getattr(english, name)
    assert rule.example.split("\n\n")[:-1] == english.example.split("\n\n")[:-1]
    assert list(rule.fields) == list(english.fields)
    assert rule.to_dict().keys() == english.to_dict().keys()


@every_rule
def test_every_part_is_chinese_and_well_set(rule: Rule) -> None:
    prose = [rule.checks, rule.why, rule.remedy, *rule.fix.values(), rule.example.split("\n\n")[-1]]
    note = [rule.severity_note] if rule.severity_note else []
    phrases = [phrase for words in rule.phrases.values() for phrase in words.values()]
    for text in [*prose, *note, *phrases, rule.message]:
        assert CHINESE.search(text)
    for text in prose:
        assert text.endswith(("。", "？"))
    for text in [*prose, *note, *rule.fields.values(), rule.summary]:
        assert not BADLY_SET.search(text), BADLY_SET.search(text)
        assert "  " not in text
    for name, meaning in rule.fields.items():
        assert CHINESE.search(meaning) or meaning == get_rule(rule.code).fields[name]
        assert meaning[-1] not in "。，"
    assert 4 <= len(rule.summary) <= 70
    assert rule.checks.startswith(rule.summary)


@every_rule
def test_words_with_a_phrase_are_named_where_the_field_is_explained(rule: Rule) -> None:
    for name, words in rule.phrases.items():
        for word in words:
            assert re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", rule.fields[name], re.ASCII), word


def test_titles_and_templates_can_be_filled() -> None:
    for lang in LANGUAGES:
        for text in titles_of(lang).values():
            template.parse(text)
    for english, chinese in file("zh")["sentences"].items():
        assert fields_of(english) == fields_of(chinese), english
        assert CHINESE.search(chinese)
        assert not BADLY_SET.search(chinese)


def test_profiles_are_told_in_both_languages() -> None:
    english, chinese = (
        tomllib.loads(resources.files("chesstools").joinpath(name).read_text(encoding="utf-8"))
        for name in ("profiles.toml", "profiles.zh.toml")
    )
    said = set()
    for profile in english["profiles"].values():
        said |= {profile["title"], *profile.get("notes", {}).values()}
        said |= {value for name, value in profile.items() if isinstance(value, str) and name not in CODED}
    missing = {*(english["parameters"].keys() - chinese["parameters"].keys()), *(said - {"none"} - chinese["texts"].keys())}
    assert not missing, f"missing in profiles.zh.toml: {sorted(missing)}"
    invented = {*(chinese["parameters"].keys() - english["parameters"].keys()), *(chinese["texts"].keys() - said)}
    assert not invented, f"in profiles.zh.toml only: {sorted(invented)}"
    for text in [*chinese["parameters"].values(), *(other for own, other in chinese["texts"].items() if own != other)]:
        assert CHINESE.search(text)
        assert not BADLY_SET.search(text), text


# ------------------------------------------------------------------------------------------------ messages


@every_rule
def test_message_is_one_chinese_sentence_with_any_fields(rule: Rule) -> None:
    names = ("token", "ply", "variation", *rule.fields)
    full: dict[str, object] = {**dict.fromkeys(names, "abc"), "side": "white", "reason": "如此这般"}
    full |= {name: next(iter(words)) for name, words in rule.phrases.items()}
    some: list[dict[str, object]] = [{}, full, dict.fromkeys(names), {"token": "Nf3"}, {"side": "white"}, {"count": 1}]
    some += [{**full, name: word} for name, words in rule.phrases.items() for word in words]
    some += [{name: word} for name, words in rule.phrases.items() for word in words]
    for fields in some:
        message = render(rule.code, fields, "zh")
        assert CHINESE.search(message), message
        assert not BADLY_SET.search(message), message
        assert not re.search(r"[\[\]{}|?]", re.sub(r"以 \{|内的 \{|括号 \]", "", message)), message
        assert message == message.strip()
        assert message[-1] not in "，。：；、"
        assert "  " not in message


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*/bad.pgn")), ids=lambda path: path.parent.name)
def test_findings_of_the_samples_are_told_in_chinese(path: Path) -> None:
    told = list(validate(path, lang="zh"))
    assert [item.finding for item in told] == [item.finding for item in validate(path)]
    for item in told:
        assert item.rule is get_rule(item.finding.code, "zh")
        assert CHINESE.search(item.message)
        assert not re.search(r"[{}]", item.message) or "{" in str(item.finding.token) or item.finding.code == "P102"
        evidence = {name: value for name, value in item.finding.evidence.items() if name != "reason"}
        kept = f"{item.finding.token} {evidence}"  # what the file says
        english = [word for word in re.findall(r"[A-Za-z]{4,}", item.message) if word not in kept]
        assert set(english) <= {
            "Termination",
            "Result",
            "PlyCount",
            "SetUp",
            "TimeControl",
            "Variant",
            "Windows",
            "Latin",
            "YYYY",
            "fide",  # the name of a profile
        }


def test_sentences_of_the_engines_are_translated() -> None:
    fen = '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/4K2 w K e3 x 1"]\n\n*'
    told = [item.message for item in validate(Source.from_bytes(fen.encode()), select="F", lang="zh")]
    assert told == ["FEN 无法读取：第 1 横线有 7 格，应为 8 格"]
    assert translated("the bishop on e3 and the pawn on d2 give check at once", "zh") == "e3 的象与 d2 的兵同时将军"
    assert translated("White has 9 pawns", "zh") == "白方有 9 个兵"
    assert translated("White has 8 pawns and 1 promoted man", "zh") == "白方有 8 个兵和 1 个升变棋子"
    assert translated("something unheard of", "zh") == "something unheard of"
    assert translated("it is empty", "en") == "it is empty"


def test_lists_and_sides() -> None:
    assert render("D605", {"occurrences": [4, 8, 12], "reason": "both"}, "zh") == (
        "同一盘面在第 4、8、12 着时出现，但易位和吃过路兵的权利不同，所以不是重复局面"
    )
    fields = {"side": "black", "count": 2, "first_ply": 7.0, "effect": "decisive_against_claimant"}
    assert render("D601", fields, "zh") == "黑方可以因三次重复局面要求判和，共 2 处，最早在第 7 着之后；黑方没有提出，后来负了"


# ------------------------------------------------------------------------------------------------ explanations


@every_rule
@pytest.mark.parametrize("width", [40, 72, 100])
def test_explanation_keeps_its_width_in_columns(rule: Rule, width: int) -> None:
    text = explain(rule, width)
    fragment = {("      " + line).rstrip() for line in rule.fragment.split("\n")}
    for line in text.split("\n"):
        too_long = cells(line) > width and max(map(cells, re.findall(r"[!-~]+", line))) < width - 10
        assert line in fragment or not too_long, line
        assert line.lstrip()[:1] not in "，。；：、）”" or not line.strip(), line
        assert not line.endswith(("（", "“")), line
    titles = titles_of("zh")
    heads = [titles[name] for name in ("severity", "clauses", "message", "checks", "why", "evidence", "example", "remedy", "fix")]
    assert [head for line in text.split("\n") for head in heads if line.startswith(head)] == heads
    assert (titles["not_active"] in explain(rule)) is (not rule.active)
    assert (f"--also {rule.code}" in explain(rule)) is (rule.active and rule.optional)


@every_language
def test_explanation_in_another_language_than_that_of_the_rule(lang: str) -> None:
    assert explain(get_rule("M324"), 80, lang) == explain(get_rule("M324", "zh"), 80, lang) == explain(get_rule("M324", lang), 80)


def test_lines_are_filled_as_far_as_they_go() -> None:
    text = "王将经过 f1，而该格受 a6 的象攻击（见第 3 条）。"
    for width in range(12, 60):
        lines = wrap(text, width)
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert all(cells(line) <= width for line in lines)
        assert all(line[0] not in "，）。" and line[-1] != "（" for line in lines)
    assert [cells(line) for line in wrap("马" * 20, 9)] == [8, 8, 8, 8, 8]
    assert wrap("a-very-long-word b", 6, "> ", "  ") == ["> a-very-long-word", "  b"]
    assert wrap("", 10, "- ") == ["- "]
    assert cells(pad("车", 6)) == 6


# ------------------------------------------------------------------------------------------------ choosing


@pytest.mark.parametrize("wrong", ["fr", "", "ZH"])
@pytest.mark.parametrize(
    "ask",
    [
        lambda lang: get_rule("M324", lang),
        lambda lang: all_rules(lang),
        lambda lang: matching("M", lang),
        lambda lang: render("M324", {}, lang),
        lambda lang: explain(get_rule("M324"), None, lang),
        lambda lang: validate([], lang=lang),
    ],
)
def test_unknown_languages_are_refused(ask: Callable[[str], object], wrong: str) -> None:
    with pytest.raises(OptionError, match="choose from en, zh"):
        ask(wrong)


@pytest.mark.parametrize(
    ("environment", "lang"),
    [
        ({}, "en"),
        ({"LANG": ""}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh"}, "zh"),
        ({"LANG": "zh_TW.Big5"}, "zh"),
        ({"LANG": "zh-Hans-CN"}, "zh"),
        ({"LANG": "zha_CN"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "zh_SG.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_US.UTF-8"}, "en"),
        ({"LC_ALL": "zh_CN", "LC_MESSAGES": "en_US", "LANG": "en_US"}, "zh"),
        ({"LC_ALL": "", "LC_MESSAGES": "", "LANG": "zh_CN"}, "zh"),
        ({"LC_CTYPE": "zh_CN.UTF-8"}, "en"),
        ({"CHESSTOOLS_LANG": "en", "LC_ALL": "zh_CN.UTF-8"}, "en"),
        ({"CHESSTOOLS_LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "zh"),
        ({"CHESSTOOLS_LANG": "", "LANG": "zh_CN.UTF-8"}, "zh"),
    ],
)
def test_the_environment_chooses(environment: dict[str, str], lang: str) -> None:
    assert preferred(environment) == lang


def test_an_unknown_language_in_the_environment_is_refused() -> None:
    with pytest.raises(OptionError, match="CHESSTOOLS_LANG is 'fr'; choose from en, zh"):
        preferred({"CHESSTOOLS_LANG": "fr"})
