"""A file that is no ordinary one, or far too large, is one line: nothing waits for it, and nothing reads it whole."""

import os
import resource
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from asked import TRAY, Run, refused

from companion import words
from companion.words import CatalogueError, load_catalogue
from dicereader.data.files import DEEP_KEY, MOST_TEXT_BYTES, read_bytes, read_text
from dicereader.errors import CalibrationError, PictureError
from dicereader.sources.recorded import clip_frames
from dicereader.tray.calibration import load as load_calibration
from pegboard.errors import LayoutError
from pegboard.layouts import load
from pegboard.layouts.load import layout_text

SPARSE_BYTES = 6 << 30
SPARE_BYTES = 1 << 30
"""What a command may take of memory beside what the tests have."""

KINDS = {
    "a sparse file": "6,442,450,944 bytes, more than",
    "a device": "it is a device, not a file",
    "a named pipe": "it is a named pipe, not a file",
    "a folder": "it is a folder, not a file",
}
COMMANDS = [
    "rules check FILE",
    "rules show FILE",
    "score FILE 115",
    "replay FILE",
    "config check --config FILE",
    "play --config FILE",
    "play --rules FILE",
    "play --scene FILE",
    "read --calibration FILE TRAY",
]


@pytest.fixture(autouse=True)
def bounded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Refuse memory that no command needs: a file that is read whole ends the test, not the machine."""
    monkeypatch.setattr("companion.cli.running.run_table", lambda *_given, **_more: 0)
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + SPARE_BYTES, hard))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def odd(file: Path, kind: str) -> Path:
    """Make a file of this kind."""
    match kind:
        case "a sparse file":
            file.touch()
            os.truncate(file, SPARSE_BYTES)
        case "a device":
            file.symlink_to("/dev/zero")
        case "a named pipe":
            os.mkfifo(file)
        case "a folder":
            file.mkdir()
    return file


@pytest.mark.parametrize("kind", KINDS)
def test_each_command_refuses_it_in_one_line(run: Run, tmp_path: Path, kind: str) -> None:
    file = odd(tmp_path / "odd.toml", kind)
    named = {"FILE": file, "TRAY": TRAY}
    for command in COMMANDS if kind == "a named pipe" else COMMANDS[::4]:
        refused(run(*(named.get(word, word) for word in command.split())), KINDS[kind])
    for command in ("check", "show", "draw"):
        refused(run("board", command, file), "odd.toml', got: it ")
    reason = "expected a backup" if kind == "a sparse file" else KINDS[kind]
    refused(run("games", "restore", file, "--data", tmp_path / "new"), reason)


def test_the_other_pictures_are_still_read(run: Run, tmp_path: Path) -> None:
    cases = list(product(("a sparse file", "a device", "a named pipe"), (".jpg", ".png", ".mp4")))
    files = [odd(tmp_path / f"{number}{suffix}", kind) for number, (kind, suffix) in enumerate(cases)]
    answer = run("read", "--json", *files, TRAY)
    *broken, whole = answer.lines
    assert (answer.status, len(whole["dice"])) == (1, 6)
    for (kind, suffix), told in zip(cases, broken, strict=True):
        wanted = "expected a clip" if (kind, suffix) == ("a sparse file", ".mp4") else KINDS[kind]
        assert wanted in told["error"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_libraries_refuse_it_too(tmp_path: Path, kind: str) -> None:
    file = odd(tmp_path / "odd.toml", kind)
    with pytest.raises(CalibrationError, match="it "):
        load_calibration(file)
    with pytest.raises(LayoutError, match="it "):
        layout_text(str(file))
    if kind != "a sparse file":
        with pytest.raises(PictureError, match="expected a clip in"):
            next(clip_frames(file))


def test_a_file_may_be_as_large_as_the_limit_and_no_larger(tmp_path: Path) -> None:
    assert (load.DEEP_KEY, load.MOST_BYTES) == (DEEP_KEY, MOST_TEXT_BYTES)
    file = tmp_path / "house.toml"
    file.write_bytes(b"#" * MOST_TEXT_BYTES)
    assert len(read_text(file)) == MOST_TEXT_BYTES
    file.write_bytes(b"#" * (MOST_TEXT_BYTES + 1))
    with pytest.raises(OSError, match="it has 1,048,577 bytes, more than 1,048,576"):
        read_text(file)
    status = Path("/proc/self/status")  # it has no size
    assert read_bytes(status, 1 << 20).startswith(b"Name:")
    with pytest.raises(OSError, match="more than 10"):
        read_bytes(status, 10)


def deep(parts: int, part: str = "a") -> str:
    """Return a key of TOML with this number of parts."""
    return ".".join([part] * parts)


def test_a_key_of_fifty_thousand_parts_is_refused_at_once(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "deep.toml"
    file.write_text(f"[{deep(50_000)}]\n", encoding="utf-8")
    for command in ("rules check", "config check --config", "board check"):
        refused(run(*command.split(), file), "it has a key of more than 32 parts")
    with pytest.raises(CalibrationError, match="a key of more than 32 parts"):
        load_calibration(file)
    with pytest.raises(CatalogueError, match="a key of more than 32 parts"):
        load_catalogue(str(file))


@pytest.mark.parametrize("part", ["a", '"a b"', "'='", r'"\""', '"."'])
def test_a_key_has_at_most_32_parts_however_it_is_quoted(tmp_path: Path, part: str) -> None:
    file = tmp_path / "deep.toml"
    for line in ("{} = 1", "[{}]", "[[ {} ]]", "x = {{ {} = 1 }}"):
        file.write_text(line.format(deep(32, part)), encoding="utf-8")
        assert part in read_text(file)
        file.write_text(line.format(deep(33, part)), encoding="utf-8")
        with pytest.raises(OSError, match="a key of more than 32 parts"):
            read_text(file)


def test_standard_input_may_be_as_long_as_a_file_and_a_line_without_an_end_is_no_roll(run: Run) -> None:
    refused(run("replay", "-", given="# x\n" * (MOST_TEXT_BYTES // 4) + "#"), "it has more than 1,048,576 characters")
    refused(run("score", "classic", "-", given="1" * 5_000_000), "line 1: expected 1 to 6 dice, got 1000")


def test_a_text_in_a_file_has_a_limit(run: Run, tmp_path: Path) -> None:
    long, file = "x" * 200_000, tmp_path / "mine.toml"
    house = 'key = "house"\ntitle = "House"\nlike = "classic"\n'
    layout = layout_text("long-board-4").replace('name = "', f'name = "{long}', 1)
    english = (Path(words.__file__).parent / "languages" / "en.toml").read_text(encoding="utf-8")
    (tmp_path / "words.toml").write_text(english.replace('lights = "The lights', f'lights = "{long}', 1))
    for command, text, said in (
        ("rules check", house.replace("House", long), "title: expected a text of at most 100"),
        ("rules check", house.replace("house", long), "key: expected a text of at most 100"),
        ("rules check", f'{house}about = "{long}"\n', "about: expected a text of at most 100"),
        ("rules check", f'{house}source = "{long}"\n', "source: expected a text of at most 100"),
        ("board check", layout, "expected at most 200 characters in name, got 'xxx"),
        (
            "config check --config",
            f"[sound]\nlanguage = '{tmp_path / 'words.toml'}'\n",
            "expected at most 1000 ",
        ),
    ):
        file.write_text(text, encoding="utf-8")
        answer = run(*command.split(), file)
        assert (answer.status, said in answer.out, len(answer.out) < 600) == (1, True, True), answer.out
