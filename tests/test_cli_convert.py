"""`chesstools convert`: what goes where, what is told at the end, and what is said of options that cannot be used."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from command_line import Cli, command

from chesstools.cli.convert import FLAGS
from chesstools.conversion import LEFT
from chesstools.convert import convert
from chesstools.errors import OptionError, OutputError, SourceError
from chesstools.formats import FORMATS, OPTIONS, check_options, get_format
from chesstools.languages import LANGUAGES
from chesstools.source import Source

GAME = '[White "Ann"]\n\n1. e4 {best} e5 (1... c5) 2. Nf3 $1 *\n\n'
UCI = "e2e4 e7e5 g1f3\n"


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    for name in ("CHESSTOOLS_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    return command(capsys)


@pytest.fixture
def games(tmp_path: Path) -> str:
    file = tmp_path / "games.pgn"
    file.write_text(GAME)
    return str(file)


def test_the_name_says_the_format(cli: Cli, games: str, tmp_path: Path) -> None:
    out = tmp_path / "out.uci"
    run = cli("convert", games, "-o", str(out))
    assert (run.status, run.out, out.read_text()) == (0, "", UCI)
    assert run.err.startswith("1 game converted in ")
    assert run.err.endswith("uci leaves behind 1 tag, 1 comment, 1 NAG, 1 variation, 1 result.\n")
    assert cli("convert", games, "-o", str(out), "--quiet").err == ""


def test_what_is_left_behind_in_chinese(cli: Cli, games: str, tmp_path: Path) -> None:
    run = cli("convert", games, "-o", str(tmp_path / "out.uci"), "--lang", "zh")
    assert run.err.splitlines()[1] == "uci 未保留：1 个标签，1 条注释，1 个 NAG，1 个变化，1 个结果。"


def test_every_kind_has_its_words(cli: Cli) -> None:
    from chesstools.cli.convert import account
    from chesstools.cli.words import Words
    from chesstools.conversion import Conversion

    for lang in ("en", "zh"):
        for count in (1, 2):
            conversion = Conversion("pgn", count)
            conversion.add(0, dict.fromkeys(LEFT, count))
            (_, line) = account(conversion, Words(lang))
            assert line.count("，" if lang == "zh" else ", ") == len(LEFT) - 1


def test_standard_output(games: str) -> None:
    """In a process of its own, as bytes go past what catches text."""
    from importlib.metadata import entry_points

    (entry,) = [entry for entry in entry_points(group="console_scripts") if entry.name == "chesstools"]
    code = f"import sys; from {entry.module} import {entry.attr}; sys.exit({entry.attr}())"
    run = subprocess.run([sys.executable, "-c", code, "convert", games, "--to", "uci", "-o", "-", "-q"], capture_output=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, UCI.encode(), b"")
    piped = subprocess.run(
        [sys.executable, "-c", code, "convert", "-", "--to", "san", "-o", "-", "-q"], input=GAME.encode(), capture_output=True
    )
    assert piped.stdout == b"e4 e5 Nf3\n"


@pytest.mark.parametrize(
    ("name", "unpack"),
    [
        ("out.pgn.gz", gzip.decompress),
        ("out.pgn.zst", lambda data: zstandard.ZstdDecompressor().decompressobj().decompress(data)),
    ],
)
def test_packed_by_name(cli: Cli, games: str, tmp_path: Path, name: str, unpack: Callable[[bytes], bytes]) -> None:
    assert cli("convert", games, "-o", str(tmp_path / name), "--no-comments", "--no-variations").status == 0
    packed = (tmp_path / name).read_bytes()
    assert unpack(packed) == b'[White "Ann"]\n\n1. e4 e5 2. Nf3 $1 *\n\n'
    assert cli("convert", games, "-o", str(tmp_path / name), "--no-comments", "--no-variations").status == 0
    assert (tmp_path / name).read_bytes() == packed


def test_pgn_to_json_lines_and_back(cli: Cli, games: str, tmp_path: Path) -> None:
    lines, back = tmp_path / "games.jsonl", tmp_path / "back.pgn"
    assert cli("convert", games, "-o", str(lines)).status == 0
    assert json.loads(lines.read_text())["tags"] == [["White", "Ann"]]
    assert cli("convert", str(lines), "-o", str(back)).status == 0
    assert back.read_text() == '[White "Ann"]\n\n1. e4 { best } 1... e5 (1... c5) 2. Nf3 $1 *\n\n'


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["-o", "x"], "The name x does not say which format is wanted; say it with --to."),
        (["-o", "-"], "The name - does not say which format is wanted; say it with --to."),
        (["-o", "x.uci", "--line-width", "9"], "--line-width means nothing for uci, only for pgn; leave it out."),
        (["-o", "x.fen", "--no-nags"], "--no-nags means nothing for fen, only for pgn, jsonl; leave it out."),
        (
            ["-o", "x.pgn", "--line-width", "-1"],
            "--line-width is -1; it must be a number of characters, or 0 for lines of any length.",
        ),
        (["-o", "x.fen", "--positions", "last"], "--positions is 'last'; it must be final, start, every, or a number of plies."),
        (["-o", "x.pgn", "--moves", "iccf"], "--moves is 'iccf'; it must be san or lan or uci."),
        (["-o", "x", "--to", "doc"], "There is no format 'doc'; choose from "),
        (["-o", "no/such/folder/x.pgn"], "no/such/folder/x.pgn cannot be written ("),
    ],
)
def test_options_that_cannot_be_used(
    cli: Cli, games: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    run = cli("convert", games, *arguments)
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith(f"chesstools: {sentence}")
    assert run.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["games.pgn"]


def test_a_source_is_not_replaced(cli: Cli, games: str) -> None:
    run = cli("convert", games, "-o", games)
    assert (run.status, run.err) == (2, f"chesstools: {games} is one of the sources; give the output another name.\n")
    assert Path(games).read_text() == GAME


def test_a_source_that_breaks_off(cli: Cli, tmp_path: Path) -> None:
    """What could be read is written, and the sentence comes at the end."""
    cut = tmp_path / "cut.pgn.gz"
    cut.write_bytes(gzip.compress(GAME.encode() * 1000, mtime=0)[:-20])
    good = tmp_path / "good.pgn"
    good.write_text(GAME)
    out = tmp_path / "out.uci"
    run = cli("convert", str(cut), str(good), "-o", str(out))
    assert run.status == 2
    assert run.err.startswith(f"chesstools: {cut} ")
    assert out.read_text().endswith(UCI)
    with pytest.raises(SourceError):
        convert([cut, good], out)


def test_an_error_leaves_what_stood_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out.uci"
    out.write_text("old")

    def progress(read: int, games: int) -> None:
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError):
        convert(Source.from_bytes(GAME.encode()), out, progress=progress)
    assert [path.name for path in tmp_path.iterdir()] == ["out.uci"]
    assert out.read_text() == "old"
    with pytest.raises(OutputError, match="is a folder"):
        convert(Source.from_bytes(GAME.encode()), tmp_path, to="uci")


def test_options_are_checked() -> None:
    with pytest.raises(OptionError, match="There is no option 'colour'"):
        check_options(get_format("pgn"), {"colour": True})
    with pytest.raises(OptionError, match="--nags is 1; it must be true or false"):
        check_options(get_format("pgn"), {"nags": 1})
    assert {name for form in FORMATS.values() for name in form.options} == set(OPTIONS)
    assert {name for name, option in OPTIONS.items() if isinstance(option.default, bool)} == set(FLAGS)


def test_several_sources_are_one_output(tmp_path: Path) -> None:
    sources = [Source.from_bytes(GAME.encode(), "a.pgn"), Source.from_bytes(b"1. d4 *", "b.pgn")]
    seen: list[tuple[int, int]] = []
    conversion = convert(sources, tmp_path / "x.jsonl", progress=lambda read, games: seen.append((read, games)))
    lines = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    assert [(line["source"], line["game_index"]) for line in lines] == [("a.pgn", 0), ("b.pgn", 0)]
    assert (conversion.games, seen[-1]) == (2, (len(GAME) + 7, 2))


def test_positions_written_once_over_all_sources(tmp_path: Path) -> None:
    sources = [Source.from_bytes(b"1. e4 e5 2. Nf3 Nc6 *"), Source.from_bytes(b"1. Nf3 e5 2. e4 Nc6 3. Ng1 Nb8 *", "b")]
    for engine in ("native", "reference"):
        convert(sources, tmp_path / "x.fen", positions="every", unique=True, engine=engine)
        lines = (tmp_path / "x.fen").read_text().splitlines()
        assert len(lines) == 5 + 3
        assert len({line.rsplit(" ", 2)[0] for line in lines}) == len(lines)


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("to", ["pgn", "jsonl", "uci"])
def test_what_goes_with_comments_without_end_and_wrong_numbers_is_told(cli: Cli, tmp_path: Path, to: str, engine: str) -> None:
    file = tmp_path / "in.pgn"
    wrong = "1. e4 e5 3. Nf3 Nc6 4. Bb5 *\n\n1. d4 d5 1. c4 (5. Nf3) *\n\n"
    right = "1. c4 c5 2... Nc6 *\n\n1. e4 (2. d4) e5 *\n\n"  # dots alone, and numbers in variations, are no such case
    file.write_text(f"{wrong}{right}1. g3 {{open 1... g6 *\n")
    run = cli("convert", str(file), "--to", to, "-o", str(tmp_path / "out"), "--engine", engine)
    assert run.err.endswith(
        "that 1 comment had no end (moves may stand in them), move numbers of 2 games that skip or go back.\n"
    )


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_moves_in_another_language_are_hinted_at(cli: Cli, tmp_path: Path, engine: str) -> None:
    file, out = tmp_path / "in.pgn", str(tmp_path / "out.pgn")
    foreign = ("1. e4 e5 2. Sf3 Sc6 *", "1. Крe2 *", "1. 马f3 *", "1. Gyf3 *", "1. e4 Ke4 (1... Lc5) *")
    others = ("1. e4 Ke4 {Sf3} *", "1. e4 (1. Sf3) *", "1. Side *", "1. e4 {Sf3} *", "1. Sa1xb2c3 *")
    file.write_text("".join(f'[Event "x"]\n\n{game}\n\n' for game in foreign + others), encoding="utf-8")
    told = "Moves of 5 games look like those of another language; try --input-language auto.\n"
    assert cli("convert", str(file), "-o", out, "--engine", engine).err.endswith(told)
    chinese = cli("convert", str(file), "-o", out, "--engine", engine, "--lang", "zh").err
    assert chinese.endswith("有 5 局的着法像是别国文字的记法；可试用 --input-language auto。\n")
    assert "--input-language" not in cli("convert", str(file), "-o", out, "--engine", engine, "--input-language", "auto").err
    file.write_text(GAME)
    assert "--input-language" not in cli("convert", str(file), "-o", out, "--engine", engine).err


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_each_letter_that_english_has_not_is_hinted_at(tmp_path: Path, engine: str) -> None:
    english = set(LANGUAGES["en"].roles)
    signs = {sign for language in LANGUAGES.values() if language.name != "figurine" for sign in language.roles} - english - {"p"}
    data = "\n\n".join(f'[Event "{sign}"]\n\n1. {sign}h3 *' for sign in sorted(signs)).encode()
    assert convert(Source.from_bytes(data), tmp_path / "out.pgn", engine=engine).foreign == len(signs) > 20


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_result_without_a_marker_is_written_as_it_is_understood(tmp_path: Path, engine: str) -> None:
    tags = ("½-½", "1:0", "0–1", "0,5-0,5", "0-0")
    data = "\n\n".join(f'[Result "{tag}"]\n\n1. e4' for tag in tags).encode()
    convert(Source.from_bytes(data), tmp_path / "out.pgn", engine=engine)
    markers = [line.split()[-1] for line in (tmp_path / "out.pgn").read_text("utf-8").splitlines() if line.startswith("1.")]
    assert markers == ["1/2-1/2", "1-0", "0-1", "1/2-1/2", "*"]
