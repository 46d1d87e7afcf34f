"""The text of a configuration: one value in TOML's notation, and the whole file with every key explained."""

import json
import textwrap

from companion.config import SECTIONS, Config
from companion.setting import ConfigSection, settings_of

HEAD = """\
# Farkle Crib: every key with its default. Put the keys that you change into /etc/farklecrib/config.toml, or into a file
# of your own (`farklecrib play --config FILE`); the command line overrides the file. `farklecrib config check` lists
# its errors, `farklecrib config show` shows where each value comes from.
"""

WIDTH = 120


def explained(config: Config) -> str:
    """Return a file with the values of this configuration, which explains every key."""
    return "\n".join([HEAD, *(_section(config, name, section) for name, section in SECTIONS.items())])


def _section(config: Config, name: str, section: type[ConfigSection]) -> str:
    lines = [f"[{name}]"]
    for key, _, declared in settings_of(section):
        about = textwrap.wrap(declared.about, WIDTH - 2, break_on_hyphens=False, break_long_words=False)
        lines += [f"# {line}" for line in about]
        lines.append(f"{key} = {toml(getattr(getattr(config, name), key))}")
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
