"""Find, read and explain the configuration: defaults, a file, settings, the command line; a mistake has its key."""

import difflib
import os
import sys
import textwrap
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError

from companion.config import REPEATED, SECTIONS, Config, data_folder
from companion.errors import ConfigError
from companion.log import logger_of
from companion.page_settings import Settings, merged, moved, read_settings, settings_file
from companion.setting import settings_of, texts_of, toml
from companion.words import NOTHING, Text, message
from dicereader.data.files import read_text

_log = logger_of("configuration")

SYSTEM_FILE = Path("/etc/farklecrib/config.toml")
"""This machine's configuration file."""

PACKAGED_FILE = Path(sys.prefix) / "share/config.toml"
"""The configuration that the Debian package installs beside its Python, and copies to `SYSTEM_FILE`."""

ELSEWHERE = "FARKLECRIB_CONFIG"
"""The environment variable that names another file to read instead; if it is empty, no file is read."""


def system_file() -> Path | None:
    """Return the file to read without a file on the command line, or None to read no file. It need not exist."""
    named = os.environ.get(ELSEWHERE)
    if named is None:
        return SYSTEM_FILE
    return Path(named) if named else None


def file_used(given: Path | None) -> Path | None:
    """Return the file to read: the given one, else that of `system_file` if it exists, else None."""
    named = system_file()
    return given or (named if named is not None and os.path.exists(named) else None)  # noqa: PTH110 - never raises


@dataclass(frozen=True)
class Layers:
    """What a configuration is made of: the document of a file, the settings of the page, and the command line.

    `path` is None without a file. `overrides` and `settings` are values by `section.key`; None leaves a key as it is.
    """

    path: Path | None = None
    document: Mapping[str, Any] = field(default_factory=dict)
    settings: Settings = field(default_factory=dict)
    overrides: Mapping[str, object] = field(default_factory=dict)

    @cached_property
    def config(self) -> Config:
        """The configuration. `ConfigError` reaches the caller if a value cannot be used; the text names the key."""
        return config_from(merged(self.document, self.settings, self.overrides))

    @property
    def data(self) -> Path | None:
        """The data folder, in which the settings lie; None if what is configured cannot be one."""
        with suppress(ConfigError):
            return data_folder(Layers(document=self.document, overrides=self.overrides).config)
        return None

    def origin(self, name: str) -> str:
        """Return where the value of a `section.key` comes from: a file, `command line`, or `default`."""
        section, key = name.split(".")
        if self.overrides.get(name) is not None:
            return "command line"
        if name in self.settings and self.data is not None:
            return str(settings_file(self.data))
        return str(self.path) if key in self.document.get(section, {}) else "default"

    def with_settings(self) -> "Layers":
        """Return these layers with the settings that lie in the data folder; none without such a folder.

        Raises:
            ConfigError: if there are settings, and they cannot be used; the text names the file and the key.
        """
        if self.data is None:
            return self  # the check of the configuration reports it
        try:
            layers = replace(self, settings=read_settings(self.data))
            _ = layers.config
        except ConfigError as error:
            raise ConfigError(f"{settings_file(self.data)}: {error}") from error
        return layers


def load_config(given: Path | None, overrides: Mapping[str, object] = MappingProxyType({})) -> Config:
    """Return the configuration of `load_layers`; `ConfigError` reaches the caller if a value cannot be used."""
    return load_layers(given, overrides).config


def load_layers(given: Path | None, overrides: Mapping[str, object] = MappingProxyType({})) -> Layers:
    """Return the layers of a configuration: the file that is used, the settings in the data folder, the command line.

    `ConfigError` reaches the caller if a value cannot be used; its text names the file and the key.

    Args:
        given: The file that the command line names; None reads the one of `system_file` if it exists.
        overrides: Values of the command line by `section.key`; a value of None leaves its key as it is.
    """
    return _layers_of(file_used(given), overrides).with_settings()


def load_service_layers(overrides: Mapping[str, object]) -> tuple[Layers, Text]:
    """Return the layers of a service's configuration, and what is wrong with its files in words.

    If the file of `system_file` is missing, empty or not TOML, as after a power cut, the package's own takes its place.
    Without that one, a missing file means the defaults, as for a person. Settings that cannot be used are left out.

    Args:
        overrides: Values of the command line by `section.key`.

    Raises:
        ConfigError: if a value cannot be used, or the file cannot be and there is none in its place.
    """
    named, said = system_file(), NOTHING
    reason = "" if named is None else damage(named)
    if not reason:
        layers = _layers_of(named, overrides)
    elif PACKAGED_FILE.is_file():
        layers = _layers_of(PACKAGED_FILE, overrides)
    elif file_used(None) is None:
        layers = Layers(overrides=overrides)
    else:
        raise ConfigError(f"{named}: expected a configuration, but {reason}")
    try:
        layers = layers.with_settings()
    except ConfigError as error:
        said = message("fault.page_settings", reason=str(error))
    if layers.path == PACKAGED_FILE:
        said = message("fault.settings", file=str(named), reason=reason, data=str(data_folder(layers.config)))
    return layers, said


def _layers_of(path: Path | None, overrides: Mapping[str, object]) -> Layers:
    """Return the layers of a configuration file, without settings.

    Raises:
        ConfigError: if the file or a value of the command line cannot be used; the text names file and key.
    """
    if path is None:
        layers = Layers(overrides=overrides)
    else:
        try:
            document = read_document(path)
            config_from(document)
        except ConfigError as error:
            raise ConfigError(f"{path}: {str(error).removeprefix(f'{path}: ')}") from error
        _warn_of_gone(document)
        layers = Layers(path, document, overrides=overrides)
    _ = layers.config
    return layers


def _warn_of_gone(document: Mapping[str, Any]) -> None:
    """Log the keys of earlier versions in a document, and what takes their place."""
    for name, instead in GONE.items():
        section, key = name.split(".")
        if key in document.get(section, {}):
            _log.warning("%s has no effect any more: %s", name, instead)


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


def read_document(path: Path) -> Mapping[str, Any]:
    """Return the TOML document of a file.

    Raises:
        ConfigError: if the file cannot be read, or is not TOML; the text names it.
    """
    try:
        return moved(tomllib.loads(read_text(path)))
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
    for name, values in document.items():
        try:
            if name in REPEATED:
                sections[name] = _repeated(name, REPEATED[name], values, mistakes)
            elif name not in SECTIONS:
                mistakes.append(_unknown(name, [*SECTIONS, *REPEATED], "a section"))
            elif not isinstance(values, dict):
                mistakes.append(f"{name}: expected a section [{name}], got {values!r}")
            else:
                sections[name] = _section(name, SECTIONS[name], values, mistakes)
        except ConfigError as error:
            mistakes.append(str(error))
        except (ValueError, RecursionError) as error:
            mistakes.append(f"{name}: expected values of a usual size, got one that is too large: {error}")
    return replace(Config(), **sections), mistakes


def _repeated(name: str, kind: type[Any], values: object, mistakes: list[str]) -> tuple[object, ...]:
    """Return the sections that a document has under one name; a mistake has the number of its section, from 1."""
    if not isinstance(values, list) or not all(isinstance(each, dict) for each in values):
        mistakes.append(f"{name}: expected sections [[{name}]], got {values!r}")
        return ()
    found: list[object] = []
    for number, each in enumerate(values, 1):
        wrong: list[str] = []
        try:
            found.append(_section(name, kind, each, wrong))
        except ConfigError as error:
            found.append(kind())  # the others keep their numbers
            wrong.append(str(error))
        mistakes += [f"{name}[{number}]{text.removeprefix(name)}" for text in wrong]
    return tuple(found)


def _section(section: str, kind: type[Any], values: Mapping[str, object], mistakes: list[str]) -> object:
    hints = get_type_hints(kind)
    types = {each.name: hints[each.name] for each in fields(kind)}
    given: dict[str, object] = {}
    for key, value in values.items():
        if f"{section}.{key}" in GONE:
            continue
        if key not in types:
            mistakes.append(_unknown(key, list(types), "a key", f"{section}."))
            continue
        try:
            given[key] = _READERS[types[key]].validate_python(tuple(value) if isinstance(value, list) else value)
        except (ValidationError, OverflowError):
            mistakes.append(f"{section}.{key}: expected {WORDS[types[key]]}, got {value!r}")
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


def _unknown(name: str, known: list[str], what: str, section: str = "") -> str:
    near = difflib.get_close_matches(name, known, n=1)
    listed = ", ".join(f"{section}{each}" for each in known)
    hint = f"did you mean {section + near[0]!r}?" if near else f"known: {listed}"
    return f"{section}{name}: expected {what} this program knows, got {section + name!r} ({hint})"


HEAD = """\
# Farkle Crib: every key with its default. Put the keys that you change into /etc/farklecrib/config.toml, or into a file
# of your own (`farklecrib play --config FILE`); the command line overrides the file. `farklecrib config check` lists
# its errors, `farklecrib config show` shows where each value comes from.
"""


def explained(config: Config) -> str:
    """Return a file with the values of this configuration, which explains every key."""
    lines = [HEAD]
    for name, section in SECTIONS.items():
        lines += [f"[{name}]", *_explained(section, getattr(config, name)), ""]
    for name, section in REPEATED.items():
        for entry in getattr(config, name):
            lines += [f"[[{name}]]", *_explained(section, entry), ""]
        about = _wrapped(f"Any number of sections [[{name}]]. {section.__doc__}")
        lines += [*[f"# {line}" for line in (*about, f"[[{name}]]", *_explained(section, section()))], ""]
    return "\n".join(lines)


def _explained(section: type[Any], values: object) -> Iterator[str]:
    """Yield the lines of a section: each key with its value, below what it is for."""
    texts = texts_of(section)
    for key, _, _ in settings_of(section):
        yield from (f"# {line}" for line in _wrapped(texts.get(key, "")))
        yield f"{key} = {toml(getattr(values, key))}"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 116, break_on_hyphens=False, break_long_words=False)
