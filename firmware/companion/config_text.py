"""The text of a configuration: one value in TOML's notation, and the whole file with every key explained."""

import json
import re
from dataclasses import asdict

from companion.config import Config
from companion.config_files import packaged_defaults

KEY = re.compile(r"^(\w+) = .*$")


def explained(config: Config) -> str:
    """Return the packaged file, which explains every key, with the values of this configuration."""
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
