"""fix() and revert(): only what a report says is changed, it can be had back byte for byte, and doing it again does nothing."""

from __future__ import annotations

import base64
import gzip
import io
import json
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import zstandard
from corpora import needs_corpus, path
from hypothesis import given
from hypothesis import strategies as st
from shared_cases import CASES, needs_cases
from test_fix_rules import found

from chesstools.errors import ChesstoolsError, OptionError, OutputError, SourceError
from chesstools.fix import Changed, Fixed, fix, revert
from chesstools.fixes.edit import Change, apply, compose
from chesstools.fixes.report import REPORT, hidden, read_report, shown
from chesstools.source import Source, find_sources

SAMPLES = Path(__file__).parent.parent / "sample_data"

HEAD = 60_000
"""Bytes of each archive."""

CHANGES = {
    "white": b'[White "M\xfcller"]\n',
    "plain": b"\n1. e4 e5 2. Nf3 *\n\n",
    "uci": b"\n1. e2e4 e7e5+ 2. Ng1f3! 1/2\n\n",
}


def checked(data: bytes, folder: Path, *, unsafe: bool = False, form: str = "jsonl", jobs: int = 1) -> tuple[bytes, Fixed]:
    """What comes of some bytes; with everything that must hold of it whatever they are."""
    report, fixed, back = folder / f"r.{form}", folder / "fixed.pgn", folder / "back.pgn"
    changed: list[Changed] = []
    done = fix(Source.from_bytes(data), fixed, report=report, unsafe=unsafe, jobs=jobs, changed=changed.append)
    text = fixed.read_bytes()
    assert +done.after == found(text)
    # What speaks against the moves of a game is not brought about by a repair of them.
    for game in changed:
        new = Counter(one.code for one in game.repaired.findings) - Counter(one.code for one in game.repaired.before)
        assert not {"T123", "N420", "N421"} & new.keys()
    # Everything outside of the changes is what it was.
    rows = [row for row in read_report(str(report)) if row["kind"] == "change"]
    assert len(rows) == sum(done.changes.values())
    edits = [
        Change(row["byte_offset"], row["byte_offset"] + len(hidden(row["before"])), hidden(row["after"]), (row["code"],))
        for row in rows
    ]
    assert all(data[edit.start : edit.end] == hidden(row["before"]) for edit, row in zip(edits, rows, strict=True))
    assert apply(data, edits) == text
    assert all(one.end <= other.start for one, other in pairwise(edits))
    assert revert(report, fixed, back) == [("<bytes>", str(back))]
    assert back.read_bytes() == data
    again = io.BytesIO()
    assert not fix(Source.from_bytes(text), again, unsafe=unsafe).changes
    assert again.getvalue() == text
    return text, done


def is_plain(data: bytes) -> bool:
    """Whether some bytes are neither packed nor UTF-16."""
    try:
        return b"".join(Source.from_bytes(data).open()) == data
    except SourceError:
        return False


# ------------------------------------------------------------------------------------------------------- all bytes


@pytest.mark.parametrize("unsafe", [False, True])
@pytest.mark.parametrize("sample", sorted((SAMPLES / "games").rglob("*.pgn")), ids=lambda sample: sample.stem)
def test_sample_games(sample: Path, unsafe: bool, tmp_path: Path) -> None:
    checked(sample.read_bytes(), tmp_path, unsafe=unsafe)


@pytest.mark.parametrize("unsafe", [False, True])
def test_all_rule_samples_in_one_file(unsafe: bool, tmp_path: Path) -> None:
    data = b"\n\n".join(sample.read_bytes() for sample in sorted((SAMPLES / "rules").rglob("*.pgn")))
    checked(data, tmp_path, unsafe=unsafe, form="csv")


@needs_cases
@pytest.mark.parametrize("unsafe", [False, True])
def test_cases(unsafe: bool, tmp_path: Path) -> None:
    for line in CASES.read_text(encoding="utf-8").strip().split("\n"):
        case = json.loads(line)
        data = base64.b64decode(case.get("minimal_input_b64") or "") or case.get("minimal_input", "").encode()
        if is_plain(data):
            checked(data, tmp_path, unsafe=unsafe)


@needs_corpus
@pytest.mark.parametrize("unsafe", [False, True])
@pytest.mark.parametrize("name", ["otb", "lichess_db", "chesscom", "fastchess", "tcec_semicolon", "fics_crazyhouse"])
def test_archives(name: str, unsafe: bool, tmp_path: Path) -> None:
    (source,) = find_sources(path(name))
    with source.open(HEAD) as blocks:
        checked(next(blocks)[:HEAD], tmp_path, unsafe=unsafe)


@given(st.lists(st.sampled_from(sorted(CHANGES)), min_size=1, max_size=6), st.integers(0, 10_000), st.integers(0, 12))
def test_spoilt_games(tmp_path_factory: pytest.TempPathFactory, parts: list[str], seed: int, spoilt: int) -> None:
    """Whatever becomes of some bytes, all that holds of repairs holds."""
    chance = random.Random(seed)
    data = bytearray(b"".join(CHANGES[part] for part in parts))
    for _ in range(spoilt):
        at = chance.randrange(len(data))
        data[at : at + chance.randrange(2)] = chance.choice(
            [
                b"{",
                b"}",
                b"(",
                b")",
                b'"',
                b"\\",
                b"\n",
                b"\r",
                b"\x00",
                b"\xe9",
                b"1. ",
                b"x",
                b"!",
                b"$",
                b"[",
                b"]",
                b"0-0 ",
                b"%",
                b";",
            ]
        )
    if is_plain(bytes(data)):
        checked(bytes(data), tmp_path_factory.mktemp("fix"), unsafe=bool(seed % 2))


@pytest.mark.parametrize(
    "data",
    [
        b'\n1. 0-0 4 e5 2. Nf3 *\n\n\n1. e2[4 e7ex+ 2. Ng1f3! 1/2\n\n[White "M\xfcl;ler"]\n\n1. e4}e5 2.( Nf3 *\n\n}1. e4 '
        b'e5 2. Nf\xe9 \x00*\n\n[Wh\\te "M\xfcller"]\n',
        b'\n1. e"4;e5 2. N)3 *\n\n\n1. e4 e5 2. Nf3 *\n\n\n1. e4 e5 2) Nf$3 (\n\n[W0-0 hite "M\xfcller"]\n',
    ],
)
def test_bad_tag_pairs_behind_games_that_do_not_end(data: bytes, tmp_path: Path) -> None:
    """What is put before a bad tag pair must not end the game before it otherwise."""
    _, done = checked(data, tmp_path)
    assert done.dropped["P106"] == 1


# ----------------------------------------------------------------------------------------------------- edits alone


@given(st.binary(max_size=30), st.randoms(use_true_random=False))
def test_edits_after_edits_are_edits(text: bytes, chance: random.Random) -> None:
    def some(size: int) -> list[Change]:
        cuts = sorted(chance.randrange(size + 1) for _ in range(2 * chance.randrange(4)))
        # Bytes that come in are told from those that were there, so that no change is none.
        return [Change(*pair, b"+" * chance.randrange(3), ("A",)) for pair in zip(cuts[::2], cuts[1::2], strict=True)]

    first = some(len(text))
    between = apply(text, first)
    then = some(len(between))
    both = compose(text, first, then)
    assert apply(text, both) == apply(between, then)
    assert all(one.end <= other.start for one, other in pairwise(both))


@given(st.binary())
def test_bytes_as_text_and_back(data: bytes) -> None:
    assert hidden(shown(data)) == data
    assert shown(data).isprintable() or not shown(data)


# ------------------------------------------------------------------------------------------------------ sources


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf16_becomes_utf8_and_comes_back(codec: str, tmp_path: Path) -> None:
    mark = "\ufeff".encode(codec)
    data = mark + '[White "Ñandú 𝄞"]\n\n1. e2e4 *\n'.encode(codec)
    done = fix(Source.from_bytes(data), tmp_path / "f.pgn", report=tmp_path / "r.jsonl", ignore="P106")
    text = (tmp_path / "f.pgn").read_bytes()
    assert text == '[White "Ñandú 𝄞"]\n\n1. e4 *\n'.encode()
    assert done.changes["P101"] == 1
    assert done.after["P101"] == 0
    revert(tmp_path / "r.jsonl", tmp_path / "f.pgn", tmp_path / "b.pgn")
    assert (tmp_path / "b.pgn").read_bytes() == data


def test_utf16_that_is_not_whole_is_left_alone(tmp_path: Path) -> None:
    data = b"\xff\xfe" + "1. e2e4 *".encode("utf-16-le") + b"\x00"
    with pytest.raises(SourceError, match="not whole UTF-16"):
        fix(Source.from_bytes(data), tmp_path / "f.pgn")
    assert not list(tmp_path.iterdir())


def test_packed_sources_and_outputs(tmp_path: Path) -> None:
    data = CHANGES["white"] + CHANGES["uci"]
    (tmp_path / "a.pgn.gz").write_bytes(gzip.compress(data))
    fix(tmp_path / "a.pgn.gz", tmp_path / "f.pgn.zst", report=tmp_path / "r.parquet")
    fixed = zstandard.ZstdDecompressor().stream_reader((tmp_path / "f.pgn.zst").read_bytes()).read()
    assert b"M\xc3\xbcller" in fixed
    revert(tmp_path / "r.parquet", tmp_path / "f.pgn.zst", tmp_path / "b.pgn")
    assert (tmp_path / "b.pgn").read_bytes() == data
    (tmp_path / "plain.pgn").write_bytes(fixed)  # unpacked meanwhile
    revert(tmp_path / "r.parquet", tmp_path / "plain.pgn", tmp_path / "b2.pgn")
    assert (tmp_path / "b2.pgn").read_bytes() == data


def test_blocks_and_processors_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chesstools.fixes.stream.PARALLEL_FROM", 1)
    data = (SAMPLES / "games" / "generated_mixed.pgn").read_bytes()[:60_000]
    ways: list[dict[str, object]] = [{}, {"block_bytes": 100}, {"jobs": 2}, {"engine": "reference"}]
    texts = []
    for number, way in enumerate(ways):
        out = io.BytesIO()
        fix(Source.from_bytes(data), out, unsafe=True, report=tmp_path / f"{number}.jsonl", **way)  # type: ignore[arg-type]
        texts.append((out.getvalue(), (tmp_path / f"{number}.jsonl").read_bytes()))
    assert len(set(texts)) == 1


def test_several_sources_keep_their_places(tmp_path: Path) -> None:
    for name in ("a/x.pgn", "b/x.pgn"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(CHANGES["uci"])
    done = fix([tmp_path / "a", tmp_path / "b"], tmp_path / "out", report=tmp_path / "r.csv")
    assert [source.output for source in done.sources] == [str(tmp_path / "out/a/x.pgn"), str(tmp_path / "out/b/x.pgn")]
    assert (tmp_path / "out/a/x.pgn").read_bytes() == (tmp_path / "out/b/x.pgn").read_bytes()
    assert done.changed_games == 2
    assert sum(source.games for source in done.sources) == done.games == 2


# ------------------------------------------------------------------------------------------------------- reports


def test_a_report_has_a_row_for_each_change_and_one_for_the_file(tmp_path: Path) -> None:
    archive = tmp_path / "a.pgn"
    archive.write_bytes(b'[White "M\xfcller"]\n\n1. e4 e5 2. Ng1f3 *\n')
    rows = {}
    for form in ("jsonl", "csv", "parquet"):
        fix(archive, tmp_path / "f.pgn", report=tmp_path / f"r.{form}", ignore="P106")
        rows[form] = list(read_report(str(tmp_path / f"r.{form}")))
    assert rows["jsonl"] == rows["csv"] == rows["parquet"]
    assert pq.read_schema(tmp_path / "r.parquet").names == REPORT.names
    first, second, file = rows["jsonl"]
    assert {name: second[name] for name in ("game_index", "line", "ply", "code", "level", "byte_offset", "before", "after")} == {
        "game_index": 0, "line": 3, "ply": 3, "code": "N402", "level": "safe", "byte_offset": 30,
        "before": "Ng1f3", "after": "Nf3",
    }  # fmt: skip
    assert (first["before"], first["after"], first["code"]) == ("\\xfc", "ü", "P101")
    assert (file["kind"], file["bytes_before"], file["bytes_after"]) == ("file", 38, 37)
    assert second["reason"] == "The move is written in standard form."


def test_reasons_in_chinese(tmp_path: Path) -> None:
    fix(Source.from_bytes(b"1. e2e4 *"), tmp_path / "f.pgn", report=tmp_path / "r.jsonl", lang="zh", ignore="P106")
    assert next(read_report(str(tmp_path / "r.jsonl")))["reason"] == "把着法写成标准形式。"


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda rows: rows[:-1], "it is not complete"),
        (lambda rows: [rows[0] | {"after": "d4"}, *rows[1:]], "says of byte"),
        (lambda rows: [rows[0] | {"before": "d2d4"}, *rows[1:]], "does not lead back"),
        (lambda rows: [rows[0] | {"before": "\\q"}, *rows[1:]], "row 1 cannot be read"),
        (lambda rows: rows[1:], "does not lead back"),
    ],
)
def test_a_report_that_was_changed_is_found_out(spoil, message: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    report = tmp_path / "r.jsonl"
    fix(Source.from_bytes(b"1. e2e4 *"), tmp_path / "f.pgn", report=report, ignore="P106")
    rows = [json.loads(line) for line in report.read_text().splitlines()]
    report.write_text("".join(json.dumps(row) + "\n" for row in spoil(rows)))
    with pytest.raises(ChesstoolsError, match=message):
        revert(report, tmp_path / "f.pgn", tmp_path / "b.pgn")
    assert not (tmp_path / "b.pgn").exists()


def test_other_bytes_than_those_that_were_written(tmp_path: Path) -> None:
    fix(Source.from_bytes(b"1. e2e4 *"), tmp_path / "f.pgn", report=tmp_path / "r.jsonl")
    (tmp_path / "g.pgn").write_bytes(b"1. d4 *")
    with pytest.raises(
        ChesstoolsError, match=r"g\.pgn does not hold the bytes that .* says were written \(it speaks of .*f\.pgn\)"
    ):
        revert(tmp_path / "r.jsonl", tmp_path / "g.pgn", tmp_path / "b.pgn")


# -------------------------------------------------------------------------------------------------------- safety


def test_in_place_and_back(tmp_path: Path) -> None:
    archive, link = tmp_path / "a.pgn", tmp_path / "link.pgn"
    archive.write_bytes(CHANGES["uci"])
    archive.chmod(0o640)
    link.symlink_to(archive)
    fix(link, in_place=True, report=tmp_path / "r.jsonl")
    assert link.is_symlink()
    assert b"Nf3 $1" in archive.read_bytes()
    assert archive.stat().st_mode & 0o777 == 0o640
    revert(tmp_path / "r.jsonl", archive, tmp_path / "back.pgn")
    assert (tmp_path / "back.pgn").read_bytes() == CHANGES["uci"]
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.pgn", "back.pgn", "link.pgn", "r.jsonl"]


def test_a_report_that_may_be_the_only_way_back_is_never_replaced_in_place(tmp_path: Path) -> None:
    game = tmp_path / "a.pgn"
    game.write_bytes(b'[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7 1-0\n')
    before = game.read_bytes()
    report = tmp_path / "r.jsonl"
    fix(game, in_place=True, report=report)

    with pytest.raises(OptionError, match=r"r\.jsonl is there already, and may be all that brings an archive back"):
        fix(game, in_place=True, report=report)

    revert(report, game, tmp_path / "back.pgn")
    assert (tmp_path / "back.pgn").read_bytes() == before


def test_a_source_that_breaks_off_is_not_written(tmp_path: Path) -> None:
    whole = gzip.compress(CHANGES["uci"] * 2000)
    (tmp_path / "a.pgn.gz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "b.pgn").write_bytes(CHANGES["uci"])
    done = fix(
        [tmp_path / "a.pgn.gz", tmp_path / "b.pgn"], tmp_path / "out", report=tmp_path / "r.jsonl", raise_source_errors=False
    )
    assert [bool(source.error) for source in done.sources] == [True, False]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["b.pgn"]
    revert(tmp_path / "r.jsonl", tmp_path / "out" / "b.pgn", tmp_path / "back.pgn")
    assert (tmp_path / "back.pgn").read_bytes() == CHANGES["uci"]


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
@pytest.mark.parametrize("fixed", ["out", "out/*.pgn"])
def test_several_files_come_back_together(form: str, fixed: str, tmp_path: Path) -> None:
    # a and c differ, but become the same; b is changed by nothing.
    games = {"a": b"1. e2e4 e5 *\n", "b": b"1. d4 *\n", "c": b"1. e4 e7e5 *\n", "d": b"1. e2e4 c5 *\n"}
    for name, data in games.items():
        (tmp_path / f"{name}.pgn").write_bytes(data)
    report = tmp_path / f"r.{form}"
    fix(sorted(tmp_path.glob("*.pgn")), tmp_path / "out", report=report, ignore="P106")
    assert (tmp_path / "out/a.pgn").read_bytes() == (tmp_path / "out/c.pgn").read_bytes() == b"1. e4 e5 *\n"

    told = revert(report, str(tmp_path / fixed), tmp_path / "back")

    assert [(Path(was), Path(str(now))) for was, now in told] == [
        (tmp_path / f"{name}.pgn", tmp_path / "back" / f"{name}.pgn") for name in games
    ]
    assert {name: (tmp_path / "back" / f"{name}.pgn").read_bytes() for name in games} == games
    # One of them alone, into a folder; and the one of two equal ones that is named.
    revert(report, tmp_path / "out/c.pgn", f"{tmp_path}/one/")
    assert (tmp_path / "one/c.pgn").read_bytes() == games["c"]


def test_what_of_several_files_cannot_come_back(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.pgn").write_bytes(f"1. e2e4 {{{name}}} *".encode())
    report, out = tmp_path / "r.csv", tmp_path / "out"
    fix(sorted(tmp_path.glob("*.pgn")), out, report=report, ignore="P106")
    with pytest.raises(OptionError, match=r"r\.csv is a file, but there are several sources; name a folder"):
        revert(report, out, report)
    with pytest.raises(OptionError, match=r"a\.pgn is one of the sources; choose another place\.$"):
        revert(report, out, out)
    with pytest.raises(OptionError, match="do not go into one stream"):
        revert(report, out, io.BytesIO())
    (out / "copy.pgn").write_bytes((out / "a.pgn").read_bytes())
    with pytest.raises(ChesstoolsError, match=r"Several of the repaired files are .*a\.pgn; give each once"):
        revert(report, out, tmp_path / "back")
    (out / "copy.pgn").write_bytes(b"1. d4 *")
    with pytest.raises(ChesstoolsError, match=r"copy\.pgn does not hold the bytes"):
        revert(report, out, tmp_path / "back")
    assert not (tmp_path / "back").exists()


def test_what_goes_wrong_leaves_everything_as_it_was(tmp_path: Path) -> None:
    archive = tmp_path / "a.pgn"
    archive.write_bytes(CHANGES["uci"])
    (tmp_path / "f.pgn").write_bytes(b"old")

    def interrupt(game: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fix(archive, tmp_path / "f.pgn", report=tmp_path / "r.jsonl", changed=interrupt)
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == {"a.pgn": CHANGES["uci"], "f.pgn": b"old"}


@pytest.mark.parametrize(
    ("args", "error", "message"),
    [
        ({"output": "a.pgn"}, OptionError, "a.pgn is one of the sources"),
        ({"output": "f.pgn", "report": "a.pgn"}, OptionError, "a.pgn is one of the sources; give the report another name"),
        ({"output": "f.jsonl", "report": "f.jsonl"}, OptionError, "is to hold the repaired games"),
        ({"output": "f.pgn", "report": "r.txt"}, OptionError, "does not say which format"),
        ({"in_place": True}, OptionError, "only if a report is written"),
        ({"output": "f.pgn", "select": "E501"}, OptionError, "can be repaired without --unsafe"),
        ({"output": "f.pgn", "select": "M303", "unsafe": True}, OptionError, "Nothing that is selected can be repaired;"),
        ({"output": "a.pgn/f.pgn"}, OutputError, "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(here: Path, args: dict[str, object], error: type[Exception], message: str) -> None:
    Path("a.pgn").write_bytes(CHANGES["uci"])
    with pytest.raises(error, match=message):
        fix("a.pgn", **args)  # type: ignore[arg-type]
    assert [path.name for path in here.iterdir()] == ["a.pgn"]


def test_two_sources_for_one_place(here: Path) -> None:
    for name in ("x.pgn", "x.pgn.gz"):
        Path(name).write_bytes(gzip.compress(CHANGES["uci"]) if name.endswith("gz") else CHANGES["uci"])
    with pytest.raises(OptionError, match=r"x\.pgn and x\.pgn\.gz would both be written to"):
        fix(["x.pgn", "x.pgn.gz"], "out")
    with pytest.raises(OptionError, match="is packed; unpack it first"):
        fix("x.pgn.gz", in_place=True, report="r.jsonl")


def test_games_without_findings_are_copied_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: Counter[int] = Counter()

    def count(task):  # type: ignore[no-untyped-def]
        judged[task.context.game_index] += 1

    monkeypatch.setattr("chesstools.fixes.stream.work", count)
    good = b'[Event "?"]\n[Site "?"]\n[Date "?"]\n[Round "?"]\n[White "?"]\n[Black "?"]\n[Result "*"]\n\n1. e4 *\n\n'
    out = io.BytesIO()
    fix(Source.from_bytes(good * 5 + good.replace(b"1. e4", b"1. e2e4") + good), out, engine="reference")
    assert judged == {5: 1}
