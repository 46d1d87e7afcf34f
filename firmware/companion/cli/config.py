"""`farklecrib config`: what the configuration says, where each value came from, and what is wrong with it."""

import difflib
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from companion.config import (
    Config,
    camera_named,
    file_used,
    load_config,
    packaged_defaults,
    read_config,
    read_document,
    system_file,
)
from companion.devices.phrases import load_catalogue
from companion.errors import CompanionError, ConfigError
from companion.rule_files import rules_named
from farkle.errors import FarkleError
from pegboard.buttons.drivers import DRIVERS as BUTTONS
from pegboard.drivers import SUFFIX
from pegboard.errors import PegboardError
from pegboard.layouts import DEFAULT, load_layout
from pegboard.leds.drivers import DRIVERS as LEDS
from pegboard.sound.drivers import DRIVERS as SOUNDS

FROM_DEFAULTS = "default"
KEY = re.compile(r"^(\w+) = .*$")


def show_config(given: Path | None, *, explain: bool, json_out: bool) -> int:
    """Print every value in effect with where it came from; `explain` prints the file that explains each key."""
    config = load_config(given)
    path = file_used(given)
    named = read_document(path) if path is not None else {}
    if explain:
        sys.stdout.write(explained(config))
    elif json_out:
        values = {
            section: {key: {"value": value, "from": _origin(path, named, section, key)} for key, value in keys.items()}
            for section, keys in asdict(config).items()
        }
        print(json.dumps(values, ensure_ascii=False))
    else:
        for section, keys in asdict(config).items():
            print(f"[{section}]")
            for key, value in keys.items():
                print(f"{f'{key} = {toml(value)}':40}  # {_origin(path, named, section, key)}")
    return 0


def config_path(given: Path | None) -> int:
    """Print the file that is read, or would be; 1 where it is not there and the defaults hold."""
    path = file_used(given)
    if path is not None and path.exists():
        print(path)
        return 0
    print(path or system_file() or "")
    sys.stderr.write("farklecrib: there is no such file; the packaged defaults hold\n")
    return 1


def check_config(given: Path | None) -> int:
    """Say everything that is wrong with a configuration: 0 where nothing is, 1 where something is."""
    path = file_used(given)
    config, wrong = read_config(read_document(path)) if path is not None else (Config(), [])
    wrong += unusable(config)
    name = path or "the packaged defaults"
    for line in wrong:
        print(f"{name}: {line}")
    if not wrong:
        print(f"{name}: the table can be played with it")
    return 1 if wrong else 0


def explained(config: Config) -> str:
    """The packaged file, which explains every key, with the values of this configuration."""
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
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple | list):
        return f"[{', '.join(toml(each) for each in value)}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)


def _origin(path: Path | None, named: Mapping[str, Any], section: str, key: str) -> str:
    return str(path) if path is not None and key in named.get(section, {}) else FROM_DEFAULTS


def unusable(config: Config) -> Iterator[str]:
    """What is a value of the right type and still names nothing; no device is opened."""
    tries: tuple[tuple[str, Callable[[], object]], ...] = (
        ("table.rules", lambda: rules_named(config.table.rules)),
        ("camera.source", lambda: camera_named(config.camera.source)),
        ("leds.layout", lambda: load_layout(config.leds.layout or DEFAULT)),
        ("sound.language", lambda: load_catalogue(config.sound.language)),
        ("leds.driver", lambda: _driver(config.leds.driver, LEDS)),
        ("buttons.driver", lambda: _driver(config.buttons.driver, BUTTONS)),
        *(("sound.driver", lambda name=name: _driver(name.strip(), SOUNDS)) for name in config.sound.driver.split("+")),
    )
    for key, attempt in tries:
        try:
            attempt()
        except (CompanionError, FarkleError, PegboardError) as error:
            yield f"{key}: {str(error).removeprefix('camera: ')}"


def _driver(text: str, known: Mapping[str, object]) -> None:
    name = text if text.endswith(SUFFIX) else text.partition(":")[0]
    if name.endswith(SUFFIX):
        if not Path(name).is_file():
            raise ConfigError(f"expected a file of your own, got {name!r}, which is not there")
    elif name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise ConfigError(f"expected one of {', '.join(known)}, got {name!r}{hint}")
