"""hardware.md and systemd/README.md: their commands exist, and their pins and lines are those of the code."""

import re
from dataclasses import asdict
from pathlib import Path
from types import ModuleType

import pytest
import typer

from companion.cli.main import app
from companion.config import Config
from pegboard.buttons.port import Pins

ROOT = Path(__file__).resolve().parents[2]
DRAWN = ROOT / "docs" / "pictures" / "hardware"
GUIDES = [ROOT / "hardware.md", ROOT / "systemd" / "README.md", ROOT / "docs" / "read-only.md"]


def test_the_drawing_of_a_build_shows_its_fuse_its_adapter_and_the_wires_that_it_has(generate: ModuleType) -> None:
    for build in generate.builds():
        drawn = DRAWN.joinpath(f"wiring-{build.key}.svg").read_text(encoding="utf-8")
        assert f">5 V {build.adapter_a:g} A<" in drawn
        assert f">{build.fuse}<" in drawn
        assert f"all {len(build.board.lanes)} lanes" in drawn
        assert ("ROLL lamp" in drawn) is ("ULN2003A" in drawn) is build.lamps


def test_every_pin_of_the_code_has_a_wire_of_its_own(generate: ModuleType) -> None:
    named = {wire.name for wire in generate.wiring.wires(Pins())}
    assert {f"GPIO{pin}" for pin in asdict(Pins()).values()} | {"GPIO10", "GPIO12"} <= named
    pins = [wire.pin for wire in generate.wiring.wires(Pins())]
    assert len(set(pins)) == len(pins) == 11


@pytest.mark.parametrize("guide", GUIDES, ids=[guide.name for guide in GUIDES])
def test_every_command_of_a_guide_exists_with_its_options(guide: Path) -> None:
    text = guide.read_text(encoding="utf-8")
    command_line = r"(?<![/\w.-])farklecrib (?!farklecrib)((?:[a-z]+(?:-[a-z]+)* ?)+)((?:--?[a-z-]+[^`\n]*)?)"
    found = re.findall(command_line, _code(text))
    assert found
    for words, options in found:
        command = typer.main.get_command(app)
        for word in words.split():
            inner = getattr(command, "commands", None)
            if inner is None:
                break  # an argument
            assert word in inner, f"farklecrib {words}"
            command = inner[word]
        known = {option for each in command.params for option in each.opts}
        for option in re.findall(r"--[a-z-]+", options):
            assert option in known, f"farklecrib {words}{options}"


def _code(text: str) -> str:
    """Return the code of a text, inline and in blocks, one piece a line."""
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    inline = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    return "\n".join([*blocks, *inline])


@pytest.mark.parametrize("guide", GUIDES[:2], ids=[guide.name for guide in GUIDES[:2]])
def test_every_key_in_a_guide_is_a_key_of_the_configuration(guide: Path) -> None:
    sections = asdict(Config())
    code = _code(guide.read_text(encoding="utf-8"))
    keys = re.findall(rf"\b({'|'.join(sections)})\.(\w+)", code)
    assert keys
    unknown = [f"{section}.{key}" for section, key in keys if key not in {*sections[section], "scad"}]
    assert unknown == []
