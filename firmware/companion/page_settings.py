"""The settings that a browser may change: a closed list of keys, in `settings.toml` in the data folder.

They override the configuration file, and the command line overrides them. Each setting declares whether it is on the
list (`companion.config`). The list has no hook, no driver of one's own, no command, no path, no host and nothing of
`[web]`: a browser that sets up a table must not control its machine.
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.config import DECLARED
from companion.errors import ConfigError
from companion.log import logger_of
from dicereader.data.files import read_text

FILE = "settings.toml"

_log = logger_of("configuration")

SETTABLE: Mapping[str, str] = {
    name: declared.pattern for name, declared in DECLARED.items() if declared.browser or declared.form
}
"""The keys that may stand in the file, each with the pattern of its text, empty where the configuration checks it."""

Settings = Mapping[str, object]
"""Values by `section.key`."""


def settings_file(data: Path) -> Path:
    """Return the file of the settings in a data folder."""
    return data / FILE


def read_settings(data: Path) -> Settings:
    """Return the settings of a data folder; empty if it has none, or if this user may not read it.

    Raises:
        ConfigError: if the file cannot be read, is not TOML, or has a key or a value that a browser may not set; the
            text names the key.
    """
    try:
        document = moved(tomllib.loads(read_text(settings_file(data))))
    except FileNotFoundError:
        return {}
    except PermissionError as error:
        _log.warning("%s is left out: %s", settings_file(data), error.strerror)
        return {}
    except OSError as error:
        raise ConfigError(f"expected a file that can be read, got: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"expected TOML, got {error}") from error
    values: dict[str, object] = {}
    for section, keys in document.items():
        if not isinstance(keys, dict):
            raise ConfigError(f"{section}: expected a section [{section}], got {keys!r}")
        values |= {f"{section}.{key}": value for key, value in keys.items()}
    check_settings(values)
    return values


def check_settings(values: Settings) -> None:
    """Check that a browser may set these keys, and to these values. The configuration checks their types and limits.

    Raises:
        ConfigError: if not; the text names the key.
    """
    for name, value in values.items():
        if name not in SETTABLE:
            raise ConfigError(f"{name}: expected a key that the page may set, got {name!r}; {OTHERS}")
        pattern = SETTABLE[name]
        if pattern and not (isinstance(value, str) and value.isprintable() and re.fullmatch(pattern, value)):
            raise ConfigError(f"{name}: expected a value that the page may set, got {value!r}; {OTHERS}")


OTHERS = "only the configuration file may set it, and farklecrib config path names that file"


def moved(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a TOML document with `sound.language` of earlier versions as `table.language`, unless that is there."""
    sound, table = document.get("sound"), document.get("table", {})
    if not (isinstance(sound, Mapping) and isinstance(table, Mapping) and "language" in sound):
        return document
    others = {key: value for key, value in sound.items() if key != "language"}
    return {**document, "sound": others, "table": {"language": sound["language"], **table}}


def merged(document: Mapping[str, Any], *layers: Settings) -> dict[str, Any]:
    """Return a TOML document with values by `section.key` over its own; a value of None leaves a key as it is."""
    result = {section: dict(keys) if isinstance(keys, Mapping) else keys for section, keys in document.items()}
    for name, value in (item for layer in layers for item in layer.items()):
        section, key = name.split(".")
        if value is not None:
            result.setdefault(section, {})[key] = str(value) if isinstance(value, Path) else value
    return result
