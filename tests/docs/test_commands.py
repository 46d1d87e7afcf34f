"""Every command and option is documented, and the examples print the output in the docs."""

import io
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from companion.cli.main import app, main
from farkleague.cli import app as league_app

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SOLVING = re.compile(r"^solving the game once: \d+ %\n", re.MULTILINE)
"""What a command says only the first time. On a terminal it is a bar, which is not there at the end."""


def commands(group: Any, words: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return every command by its words, with the commands of groups."""
    found = {}
    for word, command in group.commands.items():
        inner = hasattr(command, "commands")
        found |= commands(command, (*words, word)) if inner else {" ".join((*words, word)): command}
    return found


COMMANDS = commands(typer.main.get_command(app))


def examples() -> list[tuple[str, str]]:
    """Return each command line of the docs once, with the output that follows it."""
    found: dict[tuple[str, str], None] = {}
    for path in sorted(DOCS.rglob("*.md")):
        for block in CONSOLE.findall(path.read_text(encoding="utf-8")):
            for shown in block.split("$ ")[1:] if block.startswith("$ ") else []:
                line, _, output = shown.partition("\n")
                found[line, output] = None
    return list(found)


def section(command: str) -> str:
    """Return the text below a command's heading."""
    text = (DOCS / "commands.md").read_text(encoding="utf-8")
    return re.split(rf"^## {command}$", text, flags=re.MULTILINE)[1].partition("\n## ")[0]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_a_section_with_all_its_options(command: str) -> None:
    text = section(command)
    assert re.search("Args:|Raises:", COMMANDS[command].help) is None
    for parameter in COMMANDS[command].params:
        assert parameter.name == "help" or parameter.help
        if parameter.param_type_name == "option":
            assert all(f"`{option}" in text for option in parameter.opts), parameter.opts
        else:
            assert f"`{parameter.metavar}`" in text, parameter.name
        assert parameter.help, f"expected a help text of {parameter.name}"


def test_the_page_of_the_league_names_each_option_with_its_variable() -> None:
    text = (DOCS / "league.md").read_text(encoding="utf-8")
    for word, command in commands(typer.main.get_command(league_app)).items():
        assert f"`farkleague {word}" in text
        for each in command.params:
            assert each.help, f"{word}: {each.name}"
            named = [*each.opts, each.envvar] if each.param_type_name == "option" else [each.metavar]
            assert all(name in text for name in named if name), named


def test_every_documented_option_exists() -> None:
    known = {option for command in COMMANDS.values() for each in command.params for option in each.opts}
    text = (DOCS / "commands.md").read_text(encoding="utf-8") + (ROOT / "README.md").read_text(encoding="utf-8")
    for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", text):
        assert option in {*known, "--help"}, option


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder that looks like the clone to a command, and may be written to."""
    folder = tmp_path_factory.mktemp("clone")
    for name in ("board", "docs", "firmware", "tests"):
        (folder / name).symlink_to(ROOT / name)
    return folder


def in_the_shell(line: str, folder: Path) -> tuple[int, str]:
    """Run a command line as a person does, with the installed program. Return its status and all its output."""
    done = subprocess.run(
        line,
        shell=True,
        cwd=folder,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=100,
        check=False,
    )
    return done.returncode, done.stdout


def in_this_process(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """Run a command line in this process, which saves the start. The shell runs the part before the program."""
    before, _, words = line.rpartition("farklecrib ")
    _, given = in_the_shell(before.rstrip("|;& "), folder)
    said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with monkeypatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("NO_COLOR", "1")
        patch.setattr("sys.argv", ["farklecrib", *shlex.split(words)])
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given.encode()), encoding="utf-8"))
        patch.setattr("sys.stdout", said)
        patch.setattr("sys.stderr", said)
        with pytest.raises(SystemExit) as ended:
            main()
    said.seek(0)
    return int(ended.value.code or 0), said.read()


LONG = (
    "calibrate --camera",
    "play --data games",
    "selftest camera",
    "odds --game docs/examples/left-over",
    "odds classic",
    "doctor",
)
"""Examples that calibrate, play a game or solve one, which takes seconds; others show the same in less."""


@pytest.mark.parametrize(
    ("line", "output"),
    [
        pytest.param(line, output, id=line, marks=[pytest.mark.exhaustive] if any(map(line.count, LONG)) else [])
        for line, output in examples()
    ],
)
def test_an_example_prints_what_the_docs_say(
    clone: Path, line: str, output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = line.startswith("farklecrib play --data")  # a table with its eye needs its own process
    status, said = in_the_shell(line, clone) if whole else in_this_process(line, clone, monkeypatch)
    pattern = ".*?".join(re.escape(part) for part in output.strip().split("…"))
    assert re.fullmatch(pattern, SOLVING.sub("", said).strip(), re.DOTALL), said
    sound = "can be played" in output or "stays dark" in output
    failed_check = 1 if " check " in line and not sound else 0
    if "time of a reading:" in output:  # a check that a busy machine may fail
        failed_check = int("ms: good" not in said)
    assert status == (2 if "farklecrib: error:" in output else failed_check)
