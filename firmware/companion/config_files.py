"""Find and read the configuration: packaged defaults, then a file, then the command line; each mistake has its key."""

import difflib
import os
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError

from companion.config import Config, data_folder
from companion.errors import ConfigError
from companion.log import logger_of
from companion.words import NOTHING, Text, message
from dicereader.data.files import read_text

_log = logger_of("configuration")

SYSTEM_FILE = Path("/etc/farklecrib/config.toml")
"""This machine's configuration file."""

PACKAGED_FILE = Path(sys.prefix) / "share/config.toml"
"""The configuration that the Debian package installs beside its Python, and copies to `SYSTEM_FILE`."""

ELSEWHERE = "FARKLECRIB_CONFIG"
"""The environment variable that names another file to read instead; if it is empty, no file is read."""


def packaged_defaults() -> str:
    """Return the text of the file that explains every key."""
    return (resources.files("companion") / "config.default.toml").read_text(encoding="utf-8")


def system_file(environment: Mapping[str, str] | None = None) -> Path | None:
    """Return the file to read without a file on the command line, or None to read no file. It need not exist."""
    named = (os.environ if environment is None else environment).get(ELSEWHERE)
    if named is None:
        return SYSTEM_FILE
    return Path(named) if named else None


def file_used(given: Path | None, environment: Mapping[str, str] | None = None) -> Path | None:
    """Return the file to read: the given one, else that of `system_file` if it exists, else None."""
    named = system_file(environment)
    return given or (named if named is not None and os.path.exists(named) else None)  # noqa: PTH110 - never raises


def load_config(given: Path | None, overrides: Mapping[str, object] = MappingProxyType({})) -> Config:
    """Return the configuration: the defaults, then the file that is used, then the command line.

    `ConfigError` reaches the caller if a value cannot be used; its text names the file and the key.

    Args:
        given: The file that the command line names; None reads the one of `system_file` if it exists.
        overrides: Values of the command line by `section.key`; a value of None leaves its key as it is.
    """
    path = file_used(given)
    return _overridden(Config() if path is None else _config_in(path), overrides)


def load_service_config(
    overrides: Mapping[str, object], environment: Mapping[str, str] | None = None, packaged: Path = PACKAGED_FILE
) -> tuple[Config, Text]:
    """Return the configuration of a service, and what is wrong with its file in words.

    If the file of `system_file` is missing, empty or not TOML, as after a power cut, the package's own takes its place.
    Without that one, a missing file means the defaults, as for a person.

    Args:
        overrides: Values of the command line by `section.key`.
        environment: The environment variables, if other than this process's.
        packaged: The file that the Debian package brought.

    Raises:
        ConfigError: if a value cannot be used, or the file cannot be and there is none in its place.
    """
    named = system_file(environment)
    reason = "" if named is None else damage(named)
    if named is None or not reason:
        return load_config(named, overrides), NOTHING
    if packaged.is_file():
        config = _overridden(_config_in(packaged), overrides)
        return config, message("fault.settings", file=str(named), reason=reason, data=str(data_folder(config)))
    if file_used(None, environment) is None:
        return _overridden(Config(), overrides), NOTHING
    raise ConfigError(f"{named}: expected a configuration, but {reason}")


def damage(path: Path) -> str:
    """Return what is wrong with a configuration file as a whole, in words; empty if nothing is.

    Zero bytes, or comments alone, are TOML: they would mean simulated devices and another data folder.
    """
    try:
        text = read_text(path)
        return "" if tomllib.loads(text) else "it is empty" if not text.strip() else "it has no key"
    except FileNotFoundError:
        return "it is missing"
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
    except (ValueError, RecursionError):
        return "it is not TOML"


def _config_in(path: Path) -> Config:
    try:
        return config_from(read_document(path))
    except ConfigError as error:
        raise ConfigError(f"{path}: {str(error).removeprefix(f'{path}: ')}") from error


def _overridden(config: Config, overrides: Mapping[str, object]) -> Config:
    for name, value in overrides.items():
        if value is not None:
            section, key = name.split(".")
            new = str(value) if isinstance(value, Path) else value
            config = replace(config, **{section: replace(getattr(config, section), **{key: new})})
    return config


def read_document(path: Path) -> Mapping[str, Any]:
    """Return the TOML document of a file.

    Raises:
        ConfigError: if the file cannot be read, or is not TOML; the text names it.
    """
    try:
        return tomllib.loads(read_text(path))
    except OSError as error:
        raise ConfigError(f"expected a configuration file, got {str(path)!r}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: expected TOML, got {error}") from error


def config_from(document: Mapping[str, Any]) -> Config:
    """Return the defaults, overridden by a TOML document.

    Raises:
        ConfigError: for the document's first mistake.
    """
    config, mistakes = read_config(document)
    if mistakes:
        raise ConfigError(mistakes[0])
    return config


def read_config(document: Mapping[str, Any]) -> tuple[Config, list[str]]:
    """Return the defaults, overridden by the usable part of a TOML document, and each mistake with its key."""
    sections: dict[str, Any] = {}
    mistakes: list[str] = []
    known = get_type_hints(Config)
    for name, values in document.items():
        try:
            if name not in known:
                mistakes.append(_unknown(name, list(known), "a section"))
            elif not isinstance(values, dict):
                mistakes.append(f"{name}: expected a section [{name}], got {values!r}")
            else:
                sections[name] = _section(name, known[name], values, mistakes)
        except ConfigError as error:
            mistakes.append(str(error))
        except (ValueError, RecursionError) as error:
            mistakes.append(f"{name}: expected values of a usual size, got one that is too large: {error}")
    return replace(Config(), **sections), mistakes


def _section(section: str, kind: type[Any], values: Mapping[str, object], mistakes: list[str]) -> object:
    types = get_type_hints(kind)
    given: dict[str, object] = {}
    for key, value in values.items():
        if f"{section}.{key}" in GONE:
            _log.warning("%s.%s has no effect any more: %s", section, key, GONE[f"{section}.{key}"])
            continue
        if key not in types:
            mistakes.append(_unknown(key, [each.name for each in fields(kind)], "a key", f"{section}."))
            continue
        try:
            given[key] = _typed(f"{section}.{key}", value, types[key])
        except ConfigError as error:
            mistakes.append(str(error))
    return kind(**given)


GONE = {"web.writes": "a phone asks to play on its page, and whoever stands at the table lets it in"}
"""Keys of earlier versions, and what takes their place."""

WORDS = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    tuple[str, ...]: 'a list of texts such as ["Ann", "Ben"]',
    tuple[int, ...]: "a list of whole numbers such as [12, 13]",
}
"""Each type of a key, in words."""

_READERS: Mapping[Any, TypeAdapter[Any]] = {kind: TypeAdapter(kind, config=ConfigDict(strict=True)) for kind in WORDS}


def _typed(name: str, value: object, wanted: Any) -> object:
    """Return a value of TOML as the type of its key.

    Raises:
        ConfigError: if it has another type.
    """
    try:
        return _READERS[wanted].validate_python(tuple(value) if isinstance(value, list) else value)
    except (ValidationError, OverflowError) as error:
        raise ConfigError(f"{name}: expected {WORDS[wanted]}, got {value!r}") from error


def _unknown(name: str, known: list[str], what: str, section: str = "") -> str:
    near = difflib.get_close_matches(name, known, n=1)
    listed = ", ".join(f"{section}{each}" for each in known)
    hint = f"did you mean {section + near[0]!r}?" if near else f"known: {listed}"
    return f"{section}{name}: expected {what} this program knows, got {section + name!r} ({hint})"
