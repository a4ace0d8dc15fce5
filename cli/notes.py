"""Notes on sources in the language of the user: what a conversion changed, decided, or did not read, and why a cluster did
not cut one.

The library tells them in English, as sentences with names, counts and places in them; here they are known again by their form.
"""

from __future__ import annotations

import re
from functools import cache

CHINESE = {
    # what was changed or decided, as `Report.change` is told it: in how many records, and the first of them
    "tag pairs left out whose name PGN cannot hold, such as {name}": "略去名称不能写入 PGN 的标签，如 {name}",
    "tag pairs left out that are longer than {size} KB": "略去长于 {size} KB 的标签",
    "tag values with a line break have a blank in its place": "标签值中的换行改为空格",
    "lines that are no UTF-8 are read as Windows-1252": "不是 UTF-8 的行按 Windows-1252 读取",
    "variations closed that were left open, as nothing else shows where their game ends": (
        "未结束的变化已补上括号，否则看不出对局到哪里为止"
    ),
    "games without a marker that had to be ended by one, as nothing else shows where they end": (
        "没有终局标记的对局补上标记，否则看不出到哪里为止"
    ),
    "what stands behind the first game of a record is kept as a comment": "一条记录中第一局之后的内容保留为注释",
    "movetext that is not one game is kept as a comment": "不成为一局的着法文字保留为注释",
    "lines that are no tag pairs are kept as a comment": "不成为标签的行保留为注释",
    "records that hold several games are several games": "含有多局的记录分为多局",
    "tag pairs in the movetext that are no tags of the record are kept as comments": "着法文字中不属于该记录的标签保留为注释",
    "moves left as they stand, as descriptive notation (P-K4) is not read": "着法保持原样，因为不读取英美描述记谱法（P-K4）",
    "moves left as they stand, as they may be {languages}": "着法保持原样，因为可能是：{languages}",
    "moves left as they stand, as they can be played so, but not as {languages}": (
        "着法保持原样，因为照原样可以走完，按{languages}则不能"
    ),
    "moves read as {languages}": "着法按以下语言读取：{languages}",
    # what was not read, as `Report.leave` is told it: how often there was a value
    "lines without moves": "没有着法的行",
    "lines without a position": "没有局面的行",
    "column {name}": "{name} 列",
    "field {name}": "{name} 字段",
}
"""English sentence → Chinese one, with the same fields."""

WHOLE = {
    # why a cluster did not cut a source, as `chesstools.plan` tells it
    "{name} can be read only once and is read as a whole; save it as a file to have it cut.": (
        "{name} 只能读取一次，因此整体读取；存成文件后才能分段。"
    ),
    "{name} is no PGN and is read as a whole; convert it to PGN to have it cut.": (
        "{name} 不是 PGN，因此整体读取；转换为 PGN 后才能分段。"
    ),
    "{name} stands in a zip archive and is read as a whole; unpack it to have it cut.": (
        "{name} 在 zip 压缩包中，因此整体读取；解压后才能分段。"
    ),
    "{name} is UTF-16 and is read as a whole; convert it to UTF-8 to have it cut.": (
        "{name} 是 UTF-16 文本，因此整体读取；转换为 UTF-8 后才能分段。"
    ),
    "{name} is a zip archive and is read as a whole; unpack it to have it cut.": (
        "{name} 是 zip 压缩包，因此整体读取；解压后才能分段。"
    ),
    "{name} holds UTF-16 and is read as a whole; convert it to UTF-8 to have it cut.": (
        "{name} 内含 UTF-16 文本，因此整体读取；转换为 UTF-8 后才能分段。"
    ),
    "{name} holds {kind} data and is read as a whole; unpack it once to have it cut.": (
        "{name} 内含 {kind} 数据，因此整体读取；先解压一层才能分段。"
    ),
    "{name} is one game, or text of none, and is read as a whole.": "{name} 只有一局，或没有对局，因此整体读取。",
    "{name} is {kind} data that can only be read from its beginning; write it with `{how}` to have it cut.": (
        "{name} 的 {kind} 数据只能从头读取；用 `{how}` 改写后才能分段。"
    ),
}
"""The same for whole sentences."""

LANGUAGES_IN_CHINESE = {
    "English": "英语",
    "German": "德语",
    "Danish": "丹麦语",
    "Norwegian": "挪威语",
    "Swedish": "瑞典语",
    "Dutch": "荷兰语",
    "French": "法语",
    "Spanish": "西班牙语",
    "Italian": "意大利语",
    "Portuguese": "葡萄牙语",
    "Polish": "波兰语",
    "Czech": "捷克语",
    "Hungarian": "匈牙利语",
    "Russian": "俄语",
    "Chinese": "中文",
    "figurines": "棋子图形",
    "ICCF numbers": "国际通信棋数字记法",
}


def told(note: str, lang: str) -> str:
    """A line of `Conversion.notes` in a language. What is not known stays as it is.

    >>> told("l.pgn: moves read as German/Czech: 2 (first: line 7)", "zh")
    'l.pgn：着法按以下语言读取：德语/捷克语：2（首见于第 7 行）'
    >>> told("a.csv: not read: column id: 12", "zh")
    'a.csv：未读取：id 列：12'
    """
    if lang == "en":
        return note
    for form, chinese in _forms():
        if found := form.fullmatch(note):
            values = found.groupdict("")
            if "languages" in values:
                values["languages"] = _in_chinese(values["languages"])
            what = chinese.format_map(values)
            not_read = "未读取：" if values["left"] else ""
            first = f"（首见于{_place(values['place'])}）" if values["place"] else ""
            return f"{values['source']}：{not_read}{what}：{int(values['count']):,}{first}"
    return note


def told_whole(sentence: str, lang: str) -> str:
    """Why a cluster did not cut a source, in a language. What is not known stays as it is.

    >>> told_whole("a.zip is a zip archive and is read as a whole; unpack it to have it cut.", "zh")
    'a.zip 是 zip 压缩包，因此整体读取；解压后才能分段。'
    """
    if lang != "en":
        for english, chinese in WHOLE.items():
            if found := re.fullmatch(_pattern(english), sentence, re.DOTALL):
                return chinese.format_map(found.groupdict())
    return sentence


def _in_chinese(names: str) -> str:
    parts = re.split(r"(/| or )", names)
    return "".join(" 或 " if part == " or " else LANGUAGES_IN_CHINESE.get(part, part) for part in parts)


def _place(place: str) -> str:
    for words, chinese in (("line", "行"), ("row", "行"), ("game", "局")):
        if found := re.fullmatch(rf"(?:(.+), )?{words} (\d+)", place):
            return f"{found[1] or ''}第 {found[2]} {chinese}"
    return f" {place}"


@cache
def _forms() -> list[tuple[re.Pattern[str], str]]:
    return [(_form(english), chinese) for english, chinese in CHINESE.items()]


def _form(english: str) -> re.Pattern[str]:
    what = _pattern(english)
    return re.compile(rf"(?P<source>.*?): (?P<left>not read: )?{what}: (?P<count>\d+)(?: \(first: (?P<place>.*)\))?", re.DOTALL)


def _pattern(english: str) -> str:
    parts = re.split(r"\{(\w+)\}", english)
    return "".join(f"(?P<{part}>.+)" if at % 2 else re.escape(part) for at, part in enumerate(parts))
