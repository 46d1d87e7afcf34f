"""The settings that a browser may change: a closed list of keys, in `settings.toml` in the data folder.

They override the configuration file, and the command line overrides them. Each setting declares whether it is on the
list (`companion.config`). The list has no hook, no driver of one's own,
no command, no path, no host and nothing of `[web]`: a browser that sets up a table must not control its machine.
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from companion.config import SECTIONS
from companion.errors import ConfigError
from companion.setting import settings_of
from dicereader.data.files import read_text

FILE = "settings.toml"

SETTABLE: Mapping[str, str | None] = {
    f"{name}.{key}": declared.browser if isinstance(declared.browser, str) else None
    for name, section in SECTIONS.items()
    for key, _, declared in settings_of(section)
    if declared.browser or declared.form
}
"""The keys that may stand in the file, each with the pattern of its text, or None where the configuration checks it."""

Settings = Mapping[str, object]
"""Values by `section.key`."""


def settings_file(data: Path) -> Path:
    """Return the file of the settings in a data folder."""
    return data / FILE


def read_settings(data: Path) -> Settings:
    """Return the settings of a data folder; empty if it has none.

    Raises:
        ConfigError: if the file cannot be read, is not TOML, or has a key or a value that a browser may not set; the
            text names the file and the key.
        PermissionError: if this user may not read it.
    """
    file = settings_file(data)
    try:
        document = tomllib.loads(read_text(file))
    except FileNotFoundError:
        return {}
    except PermissionError:
        raise
    except OSError as error:
        raise ConfigError(f"{file}: expected a file that can be read, got: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{file}: expected TOML, got {error}") from error
    values: dict[str, object] = {}
    for section, keys in document.items():
        if not isinstance(keys, dict):
            raise ConfigError(f"{file}: {section}: expected a section [{section}], got {keys!r}")
        values |= {f"{section}.{key}": value for key, value in keys.items()}
    try:
        check_settings(values)
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from error
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
        if pattern is not None and not (
            isinstance(value, str) and value.isprintable() and re.fullmatch(pattern, value)
        ):
            raise ConfigError(f"{name}: expected a value that the page may set, got {value!r}; {OTHERS}")


OTHERS = "only the configuration file may set it, and farklecrib config path names that file"


def document_of(values: Settings) -> dict[str, dict[str, object]]:
    """Return settings as a TOML document has them: by section, then by key."""
    document: dict[str, dict[str, object]] = {}
    for name, value in values.items():
        section, key = name.split(".")
        document.setdefault(section, {})[key] = value
    return document
