"""`farklecrib config`: print the configuration with the origin of each value, its file's path, or its mistakes."""

import difflib
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.options import ConfigFile, Json
from companion.errors import CompanionError, ConfigError

if TYPE_CHECKING:
    from companion.config import Config

app = typer.Typer(
    no_args_is_help=True, help="The configuration: what it says, which file it is, what is wrong with it."
)

KEY = re.compile(r"^(\w+) = .*$")


@app.command("show")
def show_config(
    config: ConfigFile = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Print the whole file with every key explained, to keep as your own.")
    ] = False,
    json_out: Json = False,
) -> int:
    """Show every value and where it came from."""
    from companion.config import file_used, load_config, read_document

    loaded = load_config(config)
    path = file_used(config)
    named = read_document(path) if path is not None else {}

    def origin(section: str, key: str) -> str:
        return str(path) if key in named.get(section, {}) else "default"

    if explain:
        sys.stdout.write(explained(loaded))
    elif json_out:
        values = {
            section: {key: {"value": value, "from": origin(section, key)} for key, value in keys.items()}
            for section, keys in asdict(loaded).items()
        }
        print(json.dumps(values, ensure_ascii=False))
    else:
        for section, keys in asdict(loaded).items():
            print(f"[{section}]")
            for key, value in keys.items():
                print(f"{f'{key} = {toml(value)}':40}  # {origin(section, key)}")
    return 0


@app.command("path")
def config_path(config: ConfigFile = None) -> int:
    """Print which file is read."""
    from companion.config import file_used, system_file

    path = file_used(config)
    print(path or system_file() or "")
    if path is not None and path.exists():
        return 0
    sys.stderr.write("farklecrib: there is no such file; the packaged defaults hold\n")
    return 1


@app.command("check")
def check_config(config: ConfigFile = None) -> int:
    """Say everything that is wrong with the configuration."""
    from companion.config import Config, file_used, read_config, read_document

    path = file_used(config)
    loaded, wrong = read_config(read_document(path)) if path is not None else (Config(), [])
    wrong += unusable(loaded)
    for line in wrong or ["the table can be played with it"]:
        print(f"{path or 'the packaged defaults'}: {line}")
    return 1 if wrong else 0


def explained(config: "Config") -> str:
    """Return the packaged file, which explains every key, with the values of this configuration."""
    from companion.config import packaged_defaults

    values = asdict(config)
    section = ""
    lines = []
    for line in packaged_defaults().splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        found = KEY.match(line)
        lines.append(f"{found[1]} = {toml(values[section][found[1]])}" if found else line)
    return "\n".join(lines) + "\n"


def toml(value: object) -> str:
    """Return a value in TOML's notation."""
    match value:
        case bool():
            return str(value).lower()
        case tuple() | list():
            return f"[{', '.join(toml(each) for each in value)}]"
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case _:
            return str(value)


def unusable(config: "Config") -> Iterator[str]:
    """Report values of the right type that name an unknown driver, layout or rule set. Opens no device."""
    from companion.config import camera_named
    from companion.devices.phrases import load_catalogue
    from companion.rule_files import rules_named
    from farkle.errors import FarkleError
    from pegboard.buttons.drivers import DRIVERS as BUTTONS
    from pegboard.errors import PegboardError
    from pegboard.layouts import DEFAULT, load_layout
    from pegboard.leds.drivers import DRIVERS as LEDS
    from pegboard.sound.drivers import DRIVERS as SOUNDS

    checks: list[tuple[str, Callable[[], object]]] = [
        ("table.rules", lambda: rules_named(config.table.rules)),
        ("camera.source", lambda: camera_named(config.camera.source)),
        ("leds.layout", lambda: load_layout(config.leds.layout or DEFAULT)),
        ("sound.language", lambda: load_catalogue(config.sound.language)),
        ("leds.driver", lambda: _check_driver(config.leds.driver, LEDS)),
        ("buttons.driver", lambda: _check_driver(config.buttons.driver, BUTTONS)),
    ]
    for name in config.sound.driver.split("+"):
        checks.append(("sound.driver", lambda name=name: _check_driver(name.strip(), SOUNDS)))  # type: ignore[misc]
    for key, check in checks:
        try:
            check()
        except (CompanionError, FarkleError, PegboardError) as error:
            yield f"{key}: {str(error).removeprefix('camera: ')}"


def _check_driver(text: str, known: Mapping[str, object]) -> None:
    from pegboard.drivers import SUFFIX

    name = text if text.endswith(SUFFIX) else text.partition(":")[0]
    if name.endswith(SUFFIX):
        if not Path(name).is_file():
            raise ConfigError(f"expected a file of your own, got {name!r}, which is not there")
    elif name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise ConfigError(f"expected one of {', '.join(known)}, got {name!r}{hint}")
