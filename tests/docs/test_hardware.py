"""hardware.md and systemd/README.md: their commands exist, and their pins and lines are those of the code."""

import re
from dataclasses import asdict, replace
from pathlib import Path
from types import ModuleType

import pytest
import typer

from companion.checkup.raspberry_pi import Family, cmdline_words, config_lines
from companion.cli.main import app
from companion.config import Config
from pegboard.buttons.port import Pins

ROOT = Path(__file__).resolve().parents[2]
DRAWN = ROOT / "docs" / "pictures" / "hardware"
GUIDES = [ROOT / "hardware.md", ROOT / "systemd" / "README.md", ROOT / "docs" / "read-only.md"]


@pytest.fixture(scope="module")
def wiring(generate: ModuleType) -> ModuleType:
    module: ModuleType = generate.wiring
    return module


def test_the_drawing_of_a_build_shows_its_fuse_its_adapter_and_the_wires_that_it_has(generate: ModuleType) -> None:
    for build in generate.builds():
        drawn = DRAWN.joinpath(f"wiring-{build.key}.svg").read_text(encoding="utf-8")
        assert drawn == generate.wiring.svg(build, Pins()), "run make docs"
        assert f">5 V {build.adapter_a:g} A<" in drawn
        assert f">{build.fuse}<" in drawn
        assert f"all {len(build.board.lanes)} lanes" in drawn
        assert ("ROLL lamp" in drawn) is ("ULN2003A" in drawn) is build.lamps


def test_every_pin_of_the_code_has_a_wire_of_its_own(wiring: ModuleType) -> None:
    named = {wire.name for wire in wiring.wires(Pins())}
    assert {f"GPIO{pin}" for pin in asdict(Pins()).values()} | {"GPIO10", "GPIO12"} <= named
    pins = [wire.pin for wire in wiring.wires(Pins())]
    assert len(set(pins)) == len(pins) == 11


def test_another_pin_makes_another_drawing(generate: ModuleType, wiring: ModuleType) -> None:
    build = generate.builds()[0]
    assert wiring.svg(build, replace(Pins(), keep=26)) != wiring.svg(build, Pins())


@pytest.mark.parametrize(("gpio", "pin"), [(2, 3), (10, 19), (5, 29), (6, 31), (16, 36), (17, 11), (12, 32), (21, 40)])
def test_a_gpio_is_found_at_its_place_of_the_header(wiring: ModuleType, gpio: int, pin: int) -> None:
    assert wiring.physical(gpio) == pin


def test_the_header_has_forty_pins_and_grounds_where_they_are(wiring: ModuleType) -> None:
    grounds = [number for number, what in enumerate(wiring.HEADER, 1) if what == wiring.GROUND]
    assert len(wiring.HEADER) == 40
    assert grounds == [6, 9, 14, 20, 25, 30, 34, 39]
    assert sorted(each for each in wiring.HEADER if isinstance(each, int)) == list(range(28))


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


def test_the_lines_of_the_boot_files_are_those_that_the_script_adds() -> None:
    text = (ROOT / "systemd" / "README.md").read_text(encoding="utf-8")
    split = ([cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines())
    rows = {cells[0]: cells for cells in split if len(cells) == 3}
    for name, families in {"Zero 2 W, 3": (Family.ZERO_2_W, Family.PI_3), "4": (Family.PI_4,)}.items():
        for family in families:
            assert rows[name][1] == ", ".join(f"`{line}`" for line in config_lines(family))
            assert rows[name][2] == ", ".join(f"`{word}`" for word in cmdline_words(family))
    assert not config_lines(Family.PI_5) + cmdline_words(Family.PI_5)


def test_every_path_of_the_service_is_where_the_readme_says() -> None:
    readme = (ROOT / "systemd" / "README.md").read_text(encoding="utf-8")
    scripts = [
        (ROOT / "systemd/debian" / name).read_text(encoding="utf-8") for name in ("functions", "launcher", "postinst")
    ]
    unit = (ROOT / "systemd/farklecrib.service").read_text(encoding="utf-8")
    paths = set(
        re.findall(r"/(?:etc/farklecrib|usr/bin|usr/lib|usr/local/lib|var/lib)/[\w./-]+", "".join([*scripts, unit]))
    )
    assert len(paths) > 4
    assert [path for path in paths if path not in readme] == []
