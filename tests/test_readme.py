"""What README.md tells people to type is typed here: every command runs, and prints what the README says it prints.

The blocks run one after the other in a folder with a copy of `sample_data`, so that a block may use what one before it made:

* ```bash (sh, console): commands. Where some begin with ``$``, only those are commands and what stands below one is its
  output; ``...`` in it stands for anything, in a line or for lines.
* ```python: a script; with ``>>>`` a session whose answers are compared.
* no language: lines that the block before it prints.

Parts of a command that set up an environment (``python3 -m venv .venv && …``) are left out, the CI script runs those; ``.venv``
is the environment of the tests. A command has to end with exit status 0, or with the one that a comment behind it names
(``# exit status 1``). Not run are blocks below a line ``<!-- not run: why -->`` and blocks that import what is not installed.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import pytest

from chesstools.rules import all_rules

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
CI_SCRIPT = ROOT / ".ci" / "run"

needs_readme = pytest.mark.skipif(not README.is_file(), reason="there is no README.md")

SHELL = {"bash", "sh", "console"}
FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```[ \t]*$", re.MULTILINE | re.DOTALL)
SETS_UP = re.compile(r"\b(venv|pip|git|pytest)\b(?!/)")
STATUS = re.compile(r"#.*\bexit status (\d)")


@dataclass(frozen=True)
class Step:
    """One command; the output that is shown below it, or None."""

    command: str
    output: str | None

    @property
    def status(self) -> int:
        """The exit status that is right."""
        match = STATUS.search(self.command)
        return int(match[1]) if match else 0


@dataclass(frozen=True)
class Block:
    """A fenced block, with the line it begins on and the line of text before it."""

    line: int
    language: str
    code: str
    before: str = ""

    @property
    def not_run(self) -> str | None:
        """Why the block is left out; None where it is run."""
        if match := re.search(r"<!-- not run: (.*?) -->", self.before):
            return match[1]
        if self.language in SHELL:
            return None if self.steps() else "sets up an environment"
        if self.language == "python":
            names = re.findall(r"^(?:>>> )?(?:import|from) (\w+)", self.code, re.MULTILINE)
            missing = [name for name in names if find_spec(name) is None]
            return f"{missing[0]} is not installed" if missing else None
        return "is nothing to type" if self.language else None

    def steps(self) -> list[Step]:
        """The commands of a block for the shell. Lines that end in a backslash go on."""
        session = re.search(r"^\$ ", self.code, re.MULTILINE) is not None
        steps: list[tuple[str, list[str]]] = []
        for line in self.code.splitlines():
            if steps and steps[-1][0].endswith("\\"):
                steps[-1] = (f"{steps[-1][0]}\n{line.removeprefix('> ')}", [])
            elif session and not line.startswith("$ "):
                steps[-1][1].append(line)
            elif line.strip() and not line.startswith("#"):
                steps.append((line.removeprefix("$ "), []))
        found = []
        for command, output in steps:
            parts = [part for part in command.split(" && ") if not SETS_UP.search(part.replace(".venv/bin/python -m pip", "pip"))]
            if parts:
                found.append(Step(" && ".join(parts), "\n".join(output) if session and output else None))
        return found


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a Markdown text."""

    def read() -> Iterator[Block]:
        for match in FENCE.finditer(text):
            indent, language, code = match.groups()
            above = text[: match.start()].rstrip().rsplit("\n", 1)[-1]
            lines = [line.removeprefix(indent) for line in code.splitlines(keepends=True)]
            yield Block(text.count("\n", 0, match.start()) + 1, language, "".join(lines), above)

    return list(read())


def same_output(shown: str, printed: str) -> bool:
    """Whether `printed` is what is shown, where `...` stands for anything and blanks at the ends of lines do not count."""
    plain = "\n".join(line.rstrip() for line in printed.splitlines()).strip()
    pattern = "\n".join(re.escape(line.rstrip()) for line in shown.splitlines()).strip()
    pattern = re.sub(r"(?m)^\\\.\\\.\\\.$", "(?s:.*)", pattern).replace(r"\.\.\.", ".*")
    return re.fullmatch(pattern, plain) is not None


class Typist:
    """Types blocks in a folder. `printed` is what the last one of commands printed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.printed = ""

    def type(self, block: Block) -> None:
        """Run one block, and compare."""
        place = f"README.md, line {block.line}"
        if block.language in SHELL:
            self.printed = ""
            for step in block.steps():
                status, output, errors = self._run("bash", "-o", "pipefail", "-c", step.command)
                assert status == step.status, f"{place}: {step.command}: exit status {status}\n{errors}"
                assert step.output is None or same_output(step.output, output), f"{place}: {step.command}\n{output}"
                self.printed += output + errors
        elif block.language == "python":
            code = f"code = {block.code!r}\n{DOCTEST}" if ">>>" in block.code else block.code
            status, output, errors = self._run(sys.executable, "-W", "error", "-c", code)
            assert status == 0, f"{place}:\n{output}{errors}"
        else:
            missing = [line for line in block.code.splitlines() if line not in self.printed.splitlines()]
            assert not missing, f"{place}: not printed any more: {missing[0]}"

    def _run(self, *command: str) -> tuple[int, str, str]:
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        environment = os.environ | {"PATH": path, "COLUMNS": "120", "NO_COLOR": "1"}
        result = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True)
        return result.returncode, result.stdout, result.stderr


DOCTEST = f"""
import doctest, sys
test = doctest.DocTestParser().get_doctest(code, {{}}, "README.md", "README.md", 0)
sys.exit(doctest.DocTestRunner(optionflags={doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE}).run(test).failed)
"""


# ---------------------------------------------------------------------------------------------------- the README


@pytest.fixture(scope="module")
def text() -> str:
    return README.read_text(encoding="utf-8")


@needs_readme
def test_everything_in_the_readme_runs(text: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "sample_data", tmp_path / "sample_data", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / ".venv").symlink_to(sys.prefix)
    ran = [block for block in blocks(text) if block.not_run is None]
    typist = Typist(tmp_path)
    for block in ran:
        typist.type(block)
    commands = "\n".join(step.command for block in ran if block.language in SHELL for step in block.steps())
    assert "chesstools validate" in commands
    assert "chesstools ingest" in commands


@needs_readme
@pytest.mark.parametrize("words", re.findall(r'readme_command "(.*?)"', CI_SCRIPT.read_text(encoding="utf-8")))
def test_readme_has_the_blocks_that_the_ci_script_runs(text: str, words: str) -> None:
    _, found, after = text.partition(words)
    assert found, f"README.md does not say {words!r}"
    assert blocks(after)[0].language in SHELL


@needs_readme
def test_every_option_in_the_readme_is_one(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    (script,) = entry_points(group="console_scripts", name="chesstools")
    texts = [(ROOT / "sample_data" / "generate.py").read_text(encoding="utf-8")]
    fen = [["fen", name] for name in ("check", "normalise", "convert", "dedupe", "moves", "perft", "winnable", "render")]
    openings = [["openings", name] for name in ("tree", "explore")]
    plain = [
        [name] for name in ("validate", "ingest", "find", "query", "stats", "ratings", "convert", "fix", "fen", "report", "rule")
    ]
    for command in ([], *plain, *fen, *openings):
        assert script.load()([*command, "--help"]) == 0
        texts.append(capsys.readouterr().out)
    known = set(re.findall(r"--[a-z][a-z-]*", "\n".join(texts)))
    ours = re.sub(r"\bpip wheel .*", "", text)
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", ours)) <= known


@needs_readme
def test_every_code_in_the_readme_is_in_the_catalogue(text: str) -> None:
    known = {rule.code for rule in all_rules()}
    assert set(re.findall(r"\b[A-Z]\d{3}\b", text)) <= known


@needs_readme
def test_every_python_name_in_the_readme_is_there_after_importing_chesstools(text: str) -> None:
    names = sorted(set(re.findall(r"`(?:chesstools\.)?((?:rules|openings|limits|fen|[A-Z]\w+)(?:\.\w+)*)", text)))
    names = [name for name in names if ("." in name and not name.endswith(".toml")) or f"`chesstools.{name}" in text]
    assert {"rules.render", "openings.opening_of", "limits"} <= set(names)
    for name in names:
        result = subprocess.run([sys.executable, "-W", "error", "-c", f"import chesstools; chesstools.{name}"])
        assert result.returncode == 0, name


@needs_readme
def test_every_link_to_a_file_leads_somewhere(text: str) -> None:
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    assert not [link for link in links if link and not (ROOT / link).exists()]


# ------------------------------------------------------------------------------------------- how it is read, itself


SAMPLE = """\
Some words:

```console
$ echo one; echo two
one
...
$ false  # exit status 1
```

<!-- not run: takes an hour -->
```sh
sleep 3600
```

To set up:

```bash
python3 -m venv .venv && .venv/bin/pip install .
```

```bash
python3 -m venv .venv && echo one
```

It says:

```
one
```

* In a list:

  ```python
  >>> print(1 + 1)
  2
  ```
"""


def test_blocks_are_found() -> None:
    found = blocks(SAMPLE)
    assert [(block.line, block.language) for block in found] == [
        (3, "console"),
        (11, "sh"),
        (17, "bash"),
        (21, "bash"),
        (27, ""),
        (33, "python"),
    ]
    assert [block.not_run for block in found] == [None, "takes an hour", "sets up an environment", None, None, None]
    assert found[0].steps() == [Step("echo one; echo two", "one\n..."), Step("false  # exit status 1", None)]
    assert found[3].steps() == [Step("echo one", None)]
    assert found[5].code == ">>> print(1 + 1)\n2\n"


def test_blocks_are_run(tmp_path: Path) -> None:
    typist = Typist(tmp_path)
    for block in blocks(SAMPLE):
        if block.not_run is None:
            typist.type(block)


@pytest.mark.parametrize(
    "block",
    [
        Block(1, "sh", "false\n"),
        Block(1, "console", "$ echo two\none\n"),
        Block(1, "console", "$ true  # exit status 1\n"),
        Block(1, "", "not printed\n"),
        Block(1, "python", "raise SystemExit(1)\n"),
        Block(1, "python", ">>> 1 + 1\n3\n"),
    ],
)
def test_what_is_not_true_is_found_out(block: Block, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"README\.md, line 1"):
        Typist(tmp_path).type(block)


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("one", "one\n", True),
        ("one", "one\ntwo\n", False),
        ("one\n...", "one\ntwo\nthree\n", True),
        ("one\n...\nfour", "one\ntwo\nthree\nfour\n", True),
        ("in ... seconds", "in 1.2 seconds   \n", True),
        ("in ... seconds", "in 1.2\nseconds\n", False),
    ],
)
def test_output_is_compared(shown: str, printed: str, same: bool) -> None:
    assert same_output(shown, printed) == same
